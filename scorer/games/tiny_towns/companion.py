"""Work out who is Master Builder in each turn, and the order of completed towns (rulebook, "Play", "Game end").

The Master Builder's hammer goes to the left. It skips completed towns and the owner of Fort Ironweed. Players note one
event with each tap:
{"events": [{"name": "Ann", "did": "begins"}, {"name": "Ann", "did": "wood"}, {"name": "Bob", "did": "completed"}]}.
Events hold names instead of seats, so that they stay right when players change seats.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scorer.contract import Companion, DataInput, Input, Json, Loaded
from scorer.names import folded
from scorer.record import mapping, seated, sequence
from scorer.sentences import Sentence, say, say_count

MOST_EVENTS = 300  # far more than any game has
NOTED = DataInput("events", say("Turns as Master Builder"))
BEGINS, COMPLETED, IRONWEED = "begins", "completed", "ironweed"
RESOURCES = {
    "wood": say("Wood"),
    "wheat": say("Wheat"),
    "brick": say("Brick"),
    "glass": say("Glass"),
    "stone": say("Stone"),
}


@dataclass(frozen=True, slots=True)
class Notes:
    """Hold what the noted events say about turns, completed towns and Fort Ironweed; impossible events are left out."""

    players: int
    first: int | None
    turns: tuple[tuple[int, str], ...]  # seat, and the resource
    completed: dict[int, int]  # seat -> number of turns before
    ironweed: frozenset[int]
    events: int  # length of the list, so that the last event can be undone

    def turns_of(self, seat: int) -> int:
        return sum(turn == seat for turn, _ in self.turns)

    def place_of(self, seat: int) -> int | None:
        """Return a player's place in the order of completed towns, from 1, or None if the town is not completed. Towns
        completed in one round share the better place."""
        if seat not in self.completed:
            return None
        return 1 + sum(turn < self.completed[seat] for turn in self.completed.values())

    @property
    def next(self) -> int | None:
        """Return the seat of the Master Builder, or None before the first turn and after all towns are completed."""
        if self.first is None:
            return None
        start = self.turns[-1][0] + 1 if self.turns else self.first
        playing = [seat % self.players for seat in range(start, start + self.players)]
        left = [seat for seat in playing if seat not in self.completed]
        return next((seat for seat in left if seat not in self.ironweed), left[0] if left else None)


def read(loaded: Loaded, notes: Json) -> Notes:
    seats = {folded(name): seat for seat, name in enumerate(names(loaded))}
    events = sequence(mapping(notes).get("events"))
    first: int | None = None
    turns: list[tuple[int, str]] = []
    completed: dict[int, int] = {}
    ironweed: set[int] = set()
    for event in map(mapping, events[:MOST_EVENTS]):
        seat, did = seats.get(folded(str(event.get("name")))), event.get("did")
        if seat is None or not isinstance(did, str):
            continue
        if did == COMPLETED:
            completed.setdefault(seat, len(turns))
        elif did == IRONWEED:
            ironweed.add(seat)
        elif did in RESOURCES and not tapped_twice(seat, turns, set(seats.values()) - set(completed) - ironweed):
            turns.append((seat, did))
        if did in (BEGINS, *RESOURCES) and first is None:
            first = seat
    return Notes(len(seats), first, tuple(turns), completed, frozenset(ironweed), len(events))


def tapped_twice(seat: int, turns: list[tuple[int, str]], able: set[int]) -> bool:
    """Return whether two phones noted the same turn: `seat` had the last turn too, although others could play. `turns`
    are seats with resources, and `able` are the seats that can still play."""
    return bool(turns) and turns[-1][0] == seat and bool(able - {seat})


def names(loaded: Loaded) -> list[str]:
    return [str(player.get("name")) for player in seated(loaded.record)]


def companion_notes(loaded: Loaded) -> Notes | None:
    """Return the notes that players took during the game, or None if no turn and no completed town is noted."""
    notes = mapping(mapping(loaded.record).get("table")).get("companion")
    if not notes:
        return None
    found = read(loaded, notes)
    return found if found.turns or found.completed else None


def asks(loaded: Loaded, _: Json) -> tuple[Input, ...]:
    """Return the input for noted events; () for solo games and Town Hall, which have no Master Builder."""
    mode = mapping(mapping(loaded.record).get("table")).get("mode", "standard")
    return (NOTED,) if mode == "standard" and len(seated(loaded.record)) > 1 else ()


def answer(loaded: Loaded, notes: Json) -> Json:
    """Return, as JSON, who is Master Builder now, the turns of all players, and a button for each possible event."""
    found, players = read(loaded, notes), names(loaded)
    full = found.events >= MOST_EVENTS
    return {
        "heading": heading(found, players),
        "facts": [
            *({"label": name, "value": standing(found, seat)} for seat, name in enumerate(players)),
            *named_so_far(found),
        ],
        "steps": [],
        "buttons": [] if full else buttons(found, players),
        "more": [] if full or found.first is None else groups(found, players),
        "back": f"events/{found.events - 1}" if found.events else "",
    }


def heading(found: Notes, players: list[str]) -> Sentence:
    if found.first is None:
        return say("Who starts with the hammer?")
    if found.next is None:
        return say("All towns are complete. Enter everyone’s town.")
    return say("{name} is Master Builder", name=players[found.next])


def standing(found: Notes, seat: int) -> Sentence:
    """Say how many turns the player in `seat` has had, and if this player completed a town or built Fort Ironweed."""
    turns, place = found.turns_of(seat), found.place_of(seat)
    if place is not None:
        return say_count(
            "{n} turn. Number {place} to complete a town",
            "{n} turns. Number {place} to complete a town",
            turns,
            place=place,
        )
    if seat in found.ironweed:
        return say_count("{n} turn. Built Fort Ironweed", "{n} turns. Built Fort Ironweed", turns)
    return say_count("{n} turn", "{n} turns", turns)


def named_so_far(found: Notes) -> list[Json]:
    """Return how often each resource was named by the Master Builders, as labels and values."""
    times = Counter(resource for _, resource in found.turns)
    return [
        {"label": label, "value": say_count("named once", "named {n} times", times[resource])}
        for resource, label in RESOURCES.items()
        if times[resource]
    ]


def buttons(found: Notes, players: list[str]) -> list[Json]:
    """Return a button for each player who may begin or, after that, for each resource that may be named."""
    if found.first is None:
        return [button(name, name, BEGINS) for name in players]
    if found.next is None:
        return []
    return [button(label, players[found.next], resource) for resource, label in RESOURCES.items()]


def groups(found: Notes, players: list[str]) -> list[Json]:
    """Return two groups of buttons, each with a label: for completed towns and for Fort Ironweed. The second group is
    left out once somebody has built Fort Ironweed."""
    left = [name for seat, name in enumerate(players) if seat not in found.completed]
    shown = [{"label": say("Town completed"), "buttons": [button(name, name, COMPLETED) for name in left]}]
    if not found.ironweed:
        shown.append({"label": say("Fort Ironweed built"), "buttons": [button(name, name, IRONWEED) for name in left]})
    return [group for group in shown if group["buttons"]]


def button(label: Sentence | str, name: str, did: str) -> Json:
    return {"label": label, "put": ["events/-", {"name": name, "did": did}]}


MASTER_BUILDER = Companion(
    name=say("Master Builder"),
    text=say("Tap the resource that the Master Builder names. The hammer then moves to the left."),
    asks=asks,
    answer=answer,
    blank={"events": []},
)
