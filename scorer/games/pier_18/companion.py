"""Help in each round: how many cards to lay out, who chooses first, and which player the patron joins.

The notes are {"first": ["Ann"], "patrons": ["Bob"], "round": {"symbols": ["P", "F"]}}: the first player, the player
that each patron so far has joined, and the characters on the current patron's card. The piers are those entered so far.
"""

from __future__ import annotations

from scorer.contract import ChoicesInput, Companion, DataInput, Input, Json, Loaded
from scorer.games.pier_18.cards import PATRONS
from scorer.games.pier_18.inputs import SYMBOLS, patrons_noted
from scorer.games.pier_18.patrons import patron_phase
from scorer.record import mapping, seated, sequence
from scorer.sentences import Sentence, say

PICTURED = ChoicesInput("round/symbols", say("Characters on the patron’s card"), SYMBOLS[1:])
JOINED = DataInput("patrons", say("Patrons so far"))


def asks(loaded: Loaded, notes: Json) -> tuple[Input, ...]:
    """Return the input for the characters on the patron's card or, after the last round, that for all patrons so far.
    Return () if the number of players does not fit the game."""
    players = names(loaded)
    if len(players) not in PATRONS:
        return ()
    return (JOINED,) if is_over(players, notes) else (PICTURED,)


def names(loaded: Loaded) -> list[str]:
    return [str(player.get("name")) for player in seated(loaded.record)]


def is_over(players: list[str], notes: Json) -> bool:
    return len(patrons_noted(players, notes)) >= PATRONS[len(players)]


def answer(loaded: Loaded, notes: Json) -> Json:
    """Return, as JSON for the page, which player the patron joins and why, and the current round. A missing pier counts
    as empty."""
    symbols = mapping(mapping(notes).get("round")).get("symbols", [])
    drafters = []
    for player in seated(loaded.record):
        pier = {"cards": player["cards"]} if "cards" in player else {"rows": player.get("rows", [])}
        drafters.append({"name": player.get("name"), **pier})
    across = mapping(mapping(loaded.record).get("table")).get("lovers_across")
    ruling = {} if across is None else {"lovers_across": across}
    found = patron_phase({"symbols": symbols, "players": drafters, **ruling})
    players = names(loaded)
    return {**found, **(this_round(players, notes) if len(players) in PATRONS else NO_ROUND)}


NO_ROUND: dict[str, Json] = {"heading": "", "players": [], "starts": None, "cards": 0, "joined": [], "over": False}


def this_round(players: list[str], notes: Json) -> dict[str, Json]:
    """Return the current round as JSON, with its heading, its number of cards, and the players whom patrons joined.
    `starts` is the player who chooses first, or None if unknown."""
    joined, rounds = patrons_noted(players, notes), PATRONS[len(players)]
    began = [name for name in sequence(mapping(notes).get("first"))[:1] if name in players]
    starts = players[(players.index(began[0]) + len(joined)) % len(players)] if began else None
    over = is_over(players, notes)
    return {
        "heading": END if over else say("Round {round} of {rounds}", round=len(joined) + 1, rounds=rounds),
        "players": players,
        "starts": starts,
        "cards": len(players) + 1,
        "joined": joined,
        "over": over,
    }


END: Sentence = say("The game is over. Everyone adds their plan to their pier.")
PATRON_PHASE = Companion(
    name=say("Count rounds"),
    text=say("Enter every pier as it is now. Then tap the characters on the patron’s card."),
    asks=asks,
    answer=answer,
    blank={"round": {}},
)
