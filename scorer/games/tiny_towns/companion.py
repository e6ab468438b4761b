"""Who is Master Builder, turn by turn, and in which order towns are completed (rulebook, "Play" and "Game end").

The hammer goes to the left, past everybody whose town is completed. What players have noted is
{"turns": [0, 1, 2], "completed": {"1": 3}}: the places at the table of the Master Builders so far, and after how many
turns a town was completed.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.contract import Companion, Input, Json, Loaded
from scorer.reading import mapping, seated, sequence
from scorer.sentences import say

MOST_TURNS = 200  # every turn puts a cube into somebody's 16 squares; nobody plays so many
NOTED = Input("turns", say("Turns as Master Builder"), "data")


@dataclass(frozen=True, slots=True)
class Notes:
    """What was noted, as far as it makes sense at this table."""

    players: int
    turns: tuple[int, ...]
    completed: dict[int, int]  # place at the table -> turns there had been

    def turns_of(self, seat: int) -> int:
        return self.turns.count(seat)

    def place_of(self, seat: int) -> int | None:
        """In which place the town was completed; towns of one round share the better place."""
        if seat not in self.completed:
            return None
        return 1 + sum(turn < self.completed[seat] for turn in self.completed.values())

    @property
    def next(self) -> int | None:
        """Who has the hammer next; None before the first turn, and once all towns are completed."""
        if not self.turns:
            return None
        after = [(self.turns[-1] + step) % self.players for step in range(1, self.players + 1)]
        return next((seat for seat in after if seat not in self.completed), None)


def read(loaded: Loaded, noted: Json) -> Notes:
    count = len(seated(loaded.record))
    turns = [seat for seat in sequence(mapping(noted).get("turns"))[:MOST_TURNS] if _is_number(seat, count)]
    completed = {
        int(seat): turn
        for seat, turn in mapping(mapping(noted).get("completed")).items()
        if seat.isascii()
        and seat.isdecimal()
        and len(seat) < 3
        and int(seat) < count
        and _is_number(turn, MOST_TURNS + 1)
    }
    return Notes(count, tuple(turns), completed)


def _is_number(value: Json, end: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < end


def noted(loaded: Loaded) -> Notes | None:
    """What the companion of this table was told, None if it was told nothing."""
    notes = mapping(mapping(loaded.record).get("table")).get("companion")
    found = read(loaded, notes)
    return found if found.turns or found.completed else None


def asks(loaded: Loaded, _: Json) -> tuple[Input, ...]:
    """The turns, which the page counts by buttons. Nobody is Master Builder alone or in a Town Hall."""
    mode = mapping(mapping(loaded.record).get("table")).get("mode", "standard")
    return (NOTED,) if mode == "standard" and len(seated(loaded.record)) > 1 else ()


def answer(loaded: Loaded, notes: Json) -> Json:
    """Everybody's turns so far, whose is the next, and the places of completed towns."""
    found = read(loaded, notes)
    players = [
        {
            "name": str(player.get("name")),
            "turns": found.turns_of(seat),
            "next": seat == found.next,
            "completed": seat in found.completed,
            "place": found.place_of(seat),
        }
        for seat, player in enumerate(seated(loaded.record))
    ]
    return {"turn": len(found.turns), "players": players}


MASTER_BUILDER = Companion(
    name=say("Master Builder"),
    text=say("Tap once a turn: whoever has the hammer names a resource, then it goes to the left."),
    asks=asks,
    answer=answer,
    blank={"turns": [], "completed": {}},
)
