"""Prepare the facts for the page on which a bridge is entered."""

from __future__ import annotations

from scorer.contract import Json, Loaded
from scorer.games.old_london_bridge.bridge import open_numbers
from scorer.games.old_london_bridge.cards import SPACES, ZONES, needed_inputs
from scorer.games.old_london_bridge.inputs import COUNTS, following
from scorer.games.old_london_bridge.state import Architect, State


def guide(loaded: Loaded, player: int, _opened: str = "") -> Json:
    """Return, as JSON, the numbers that each space of a player's bridge may have. It also has each count that follows
    from others, with its label and value."""
    state: State = loaded.state
    bridges = [p.bridge or () if isinstance(p, Architect) else () for p in state.players]
    if not 0 <= player < len(bridges):
        return {"open": [], "follows": []}
    spaces = min(len(bridges[player]) + 1, SPACES)
    architect = state.players[player]
    summary = architect.summary if isinstance(architect, Architect) else None
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    follows = {} if summary is None else following(summary, needed)
    return {
        "open": [open_numbers(bridges, player, space) for space in range(spaces)],
        "follows": [{"label": COUNTS[fact].label, "value": value} for fact, value in follows.items()],
    }
