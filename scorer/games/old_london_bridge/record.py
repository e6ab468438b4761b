"""Read a record of Old London Bridge, and write a state as a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from scorer.contract import UNKNOWN, Json
from scorer.games.old_london_bridge import bridge as bridges
from scorer.games.old_london_bridge.cards import (
    CARD_VALUES,
    EMPTY_COLUMNS,
    FACE_NAMES,
    TYPE_NAMES,
    TYPES,
    ZONES,
)
from scorer.games.old_london_bridge.state import NUMBERS, PLAYERS, RULES, SUMMARY_NUMBERS, TYPED_FACTS, Architect, State
from scorer.games.old_london_bridge.summary import Amounts, Summary
from scorer.record import MOST_ELEMENTS, Options, Reader, Typed, as_seated, read_players, read_record


def load(record: Json) -> State:
    """Read a record, or raise StateError with every fault."""
    reader = read_record(record, "old_london_bridge")
    table = reader.object("table")
    order = None if is_open(table, "chapel_order") else table.child("chapel_order")
    scoring = table.object("scoring", required=False)
    table.open_all("empty_costs", EMPTY_COLUMNS)
    players = read_players(reader, PLAYERS, RULES, TYPED_FACTS, read_architect)
    state = State(
        players=players,
        chapel_order=None if order is None else tuple(as_seated(name.as_text(), players) for name in order.as_list()),
        scoring=tuple((zone, face) for zone in ZONES if (face := read_face(scoring, zone)) is not None),
        empty_costs=read_amounts(table, "empty_costs", EMPTY_COLUMNS) or (),
        hand_8plus=None if is_open(table, "hand_8plus") else table.amount("hand_8plus"),
        ended_early=table.flag("ended_early", default=None),
        open=frozenset(open_below(table, ("hand_8plus",), ("empty_costs",))),
    )
    reader.finish(state)
    return state


def is_open(thing: Reader, key: str) -> bool:
    """Return whether the field `key` of an object says UNKNOWN."""
    found = thing.child(key)
    return found is not None and bool(found.value == UNKNOWN)


def open_below(thing: Reader, fields: Iterable[str], objects: Iterable[str]) -> Iterator[str]:
    """Yield the name of each of `fields` and `objects` for which `thing` says UNKNOWN. For each object, also yield the
    path of each value in it that says UNKNOWN, such as "types/C"."""
    yield from (key for key in (*fields, *objects) if is_open(thing, key))
    for key in objects:
        found = thing.child(key)
        if found is not None and isinstance(found.value, dict):
            inner = list(found.value.items())[
                :MOST_ELEMENTS
            ]  # read directly, so that `finish` still reports unknown fields
            yield from (f"{key}/{name}" for name, value in inner if value == UNKNOWN)


def read_face(scoring: Reader, zone: str) -> str | None:
    """Return the face chosen for a zone, as any text, since `validate` checks it. Return "" with a fault for a value
    that is no text, and None without a value."""
    found = scoring.child(zone)
    if found is None:
        return None
    if isinstance(found.value, str):
        return found.as_named(FACE_NAMES[zone])
    found.as_choice(FACE_NAMES[zone])
    return ""


def read_architect(player: Reader, name: str) -> Architect:
    return Architect(
        name=name,
        cards=read_amounts(player, "cards", CARD_VALUES),
        bridge=read_bridge(player),
        summary=read_summary(player),
        round_winnings=read_amounts(player, "round_winnings", ZONES),
        chapel_moved=player.flag("chapel_moved", default=None),
        open=frozenset(
            (
                *open_below(player, NUMBERS, ("cards", "bridge", "summary")),
                *(f"summary/{place}" for place in open_types(player)),
            )
        ),
        **{number: player.amount(number) for number in NUMBERS if player.has(number) and not is_open(player, number)},
    )


def open_types(player: Reader) -> Iterator[str]:
    """Yield the paths of building types whose count says UNKNOWN, such as "types/C"."""
    summary = player.child("summary")
    return open_below(summary, (), ("types",)) if summary is not None else iter(())


def read_bridge(player: Reader) -> tuple[str, ...] | None:
    """Return the buildings as entered, such as "C56", even if no such tile exists. Return None if the field is missing
    or no list."""
    row = player.child("bridge")
    if row is None or row.value == UNKNOWN:
        return None
    built = tuple(building.as_capitals(building.as_text(), bridges.read_building) for building in row.as_list())
    return built if isinstance(row.value, list) else None


def read_summary(player: Reader) -> Summary | None:
    found = player.child("summary")
    if found is None or found.value in (None, UNKNOWN):  # null comes from a page that went back to the bridge
        return None
    summary = player.object("summary")
    summary.open_all("types", TYPES)
    entered = [number for number in SUMMARY_NUMBERS if summary.has(number) and not is_open(summary, number)]
    numbers = {number: summary.amount(number) for number in entered}
    return Summary(types=read_amounts(summary, "types", TYPES, TYPE_NAMES), **numbers)


def read_amounts(reader: Reader, key: str, names: Collection[str], labels: Options = ()) -> Amounts | None:
    """Return the object under `key` as pairs of name and amount, or None if there is none. UNKNOWN is allowed for the
    names in `names` and left out. With `labels`, a name may be spelled as its label."""
    amounts = reader.child(key)
    if amounts is None or amounts.value == UNKNOWN:
        return None
    found = (
        ((amounts.field_named(name, labels) if labels else None) or name, entry) for name, entry in reader.entries(key)
    )
    return tuple(
        (name, amount)
        for name, entry in found
        if not (entry.value == UNKNOWN and name in names) and (amount := entry.as_amount()) is not None
    )


def dump(state: State) -> Json:
    """Return the record that `load` reads as this state; fields that nobody entered are left out."""
    table: dict[str, Any] = {}
    if state.chapel_order is not None:
        table["chapel_order"] = list(state.chapel_order)
    if state.scoring:
        table["scoring"] = dict(state.scoring)
    if state.empty_costs:
        table["empty_costs"] = dict(state.empty_costs)
    if state.hand_8plus is not None:
        table["hand_8plus"] = state.hand_8plus
    if state.ended_early is not None:
        table["ended_early"] = state.ended_early
    put_open(table, state.open)
    return {"game": "old_london_bridge", "table": table, "players": [dump_player(player) for player in state.players]}


def dump_player(player: Architect | Typed) -> dict[str, Json]:
    if isinstance(player, Typed):
        return player.dump()
    fields = entered(player, ("name", *NUMBERS, "chapel_moved"), ("cards", "round_winnings"))
    if player.bridge is not None:
        fields["bridge"] = list(player.bridge)
    if player.summary is not None:
        fields["summary"] = entered(player.summary, SUMMARY_NUMBERS, ("types",))
    put_open(fields, player.open)
    return fields


def put_open(fields: dict[str, Any], places: Iterable[str]) -> None:
    """Write UNKNOWN into `fields` at each path in `places`, such as "summary/longest"; missing objects are added."""
    for place in sorted(places):
        *objects, last = place.split("/")
        inner = fields
        for name in objects:
            inner = inner.setdefault(name, {})
        inner[last] = UNKNOWN


def entered(facts: Architect | Summary, plain: Sequence[str], amounts: Sequence[str]) -> dict[str, Json]:
    """Return the fields of `facts` that were entered, as JSON. Fields in `plain` stay as they are, and those in
    `amounts` become objects."""
    values = {name: getattr(facts, name) for name in (*plain, *amounts)}
    return {name: dict(value) if name in amounts else value for name, value in values.items() if value is not None}
