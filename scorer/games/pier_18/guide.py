"""What the page that paints a pier wants to know."""

from __future__ import annotations

from scorer.contract import Json, Loaded
from scorer.games.pier_18.inputs import LONGEST, length_to_paint
from scorer.games.pier_18.state import Builder, State
from scorer.games.pier_18.validate import fewest_sections, most_sections


def guide(loaded: Loaded, player: int) -> Json:
    """The pier as it lies, and whether its editor may add a section or take one away."""
    state: State = loaded.state
    builder = state.players[player] if 0 <= player < len(state.players) else None
    if not isinstance(builder, Builder):
        return {"rows": [], "add": False, "remove": False}
    length, most = length_to_paint(state, builder), most_sections(state)
    return {
        "rows": list(builder.rows),
        "length": length,
        "add": length < (most or LONGEST),
        "remove": length > (fewest_sections(state) or 1),
    }
