"""The round companion on a page: round by round what the chosen faces pay for, and the sums so far.

It is told {"chapel_order": [...], "rounds": [{"cards": {"0": {"1": 3}}, "chapel_order": [...]}]}: places at the table
and turns are the keys, as a form fills them in. The last round is being played: it pays only for its cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.contract import Choice, Companion, Input, Json, Loaded
from scorer.games.old_london_bridge.faces import FACES, HIGHEST_NUMBER, ROUNDS, ZONES
from scorer.games.old_london_bridge.rounds import HIGHEST_CARD, TURNS, WATCHED, companion
from scorer.reading import POINTS, mapping, sequence

ORDER = Input(
    "chapel_order", "Order on the chapel stairs at the start", "order", help="The one ahead, or on top, first."
)


def asks(loaded: Loaded, told: Json) -> tuple[Input, ...]:
    """What the faces pay for: in the round being played, and in those that were left with something missing."""
    record = loaded.record
    if not zones(record):
        return ()
    played = rounds(told)
    faulty = {problem["where"].split("/")[2] for problem in answer(loaded, told)["problems"] if rounds_problem(problem)}
    shown = [index for index in range(len(played)) if index == len(played) - 1 or str(index) in faulty]
    start = replace(ORDER, choices=tuple(Choice(name, name) for name in names(record)))
    if not is_order(record, mapping(told).get("chapel_order")):
        return (start,)
    return (start, *(asked for index in shown for asked in of_round(record, told, start, index)))


def rounds_problem(problem: dict[str, str]) -> bool:
    return problem["where"].startswith("/rounds/")


def of_round(record: Json, told: Json, start: Input, index: int) -> Iterator[Input]:
    """What is seen of every player in a round, and who leads on the chapel track at its end."""
    seated, where = names(record), f"rounds/{index}"
    turns = TURNS.get(len(seated), 1)
    for zone in zones(record):
        for seat, name in enumerate(seated):
            if zone == "gate":
                yield Input(f"{where}/gate_steps/{seat}", f"{name}: steps at the gate so far", "number", high=POINTS)
            for turn in range(turns if zone in {"inn", "bridge"} else 0):
                path, which = f"{where}/{WATCHED[zone]}/{seat}/{turn}", f" {turn + 1}" if turns > 1 else ""
                if zone == "inn":
                    yield Input(path, f"{name}: card{which}", "number", high=HIGHEST_CARD)
                else:
                    yield Input(path, f"{name}: number built{which}", "number", low=1, high=HIGHEST_NUMBER)
    orders = [mapping(told).get("chapel_order"), *(played.get("chapel_order") for played in rounds(told)[:index])]
    before = next((order for order in reversed(orders) if is_order(record, order)), None)
    label = f"Order on the chapel track at the end of round {index + 1}"
    yield replace(start, name=f"{where}/chapel_order", label=label, default=before)


def answer(loaded: Loaded, told: Json) -> Json:
    """Every payment with its reason and the running sums, or what is wrong."""
    record = loaded.record
    played = rounds(told)
    log = {
        "players": names(record),
        "scoring": {zone: faces(record)[zone] for zone in zones(record)},
        "rounds": [{**written(record, one), "finished": index < len(played) - 1} for index, one in enumerate(played)],
    }
    if "chapel_order" in mapping(told):
        log["chapel_order"] = mapping(told)["chapel_order"]
    return {**companion(log), "round": len(played), "most": ROUNDS.get(len(names(record)), 0)}


def written(record: Json, told: dict[str, Any]) -> dict[str, Json]:
    """A round as the log has it, by name and with lists; what is only half told is not in it yet."""
    one = {WATCHED[zone]: seen for zone in zones(record) if zone in WATCHED if (seen := by_name(record, told, zone))}
    return one | ({"chapel_order": told["chapel_order"]} if "chapel_order" in told else {})


def by_name(record: Json, told: dict[str, Any], zone: str) -> dict[str, Json] | None:
    seated, by_seat = names(record), mapping(told.get(WATCHED[zone]))
    if zone == "gate":
        steps = {name: by_seat.get(str(seat)) for seat, name in enumerate(seated)}
        return None if None in steps.values() else steps
    turns = TURNS.get(len(seated), 1)
    seen: dict[str, Json] = {}
    for seat, name in enumerate(seated):
        values = [mapping(by_seat.get(str(seat))).get(str(turn)) for turn in range(turns)]
        seen[name] = [value for value in values if value is not None]
        if zone == "inn" and None in values:  # while a garden has no number, everybody reveals a card
            return None
    return seen


def winnings(loaded: Loaded) -> dict[str, dict[str, int]]:
    """What the companion of this table has seen paid, by player and zone."""
    told = mapping(mapping(loaded.record).get("table")).get("companion")
    won: dict[str, dict[str, int]] = answer(loaded, told)["winnings"] if told else {}
    return won


def names(record: Json) -> list[str]:
    return [str(mapping(player).get("name")) for player in sequence(mapping(record).get("players"))]


def is_order(record: Json, order: Json) -> bool:
    """Whether everybody has a place in it."""
    return isinstance(order, list) and sorted(map(str, order)) == sorted(names(record))


def faces(record: Json) -> dict[str, Any]:
    return mapping(mapping(mapping(record).get("table")).get("scoring"))


def zones(record: Json) -> list[str]:
    """Those whose face pays every round."""
    chosen = [(zone, face) for zone in ZONES if isinstance(face := faces(record).get(zone), str)]
    return [zone for zone, face in chosen if (zone, face) in FACES and FACES[zone, face].per_round]


def rounds(told: Json) -> list[dict[str, Any]]:
    """The rounds so far, the one being played last."""
    played = sequence(mapping(told).get("rounds"))[: max(ROUNDS.values())]
    return [mapping(one) for one in played] or [{}]


ROUND_COMPANION = Companion(
    name="Round companion",
    text="Who is paid at once by the scoring tiles on the table, round by round.",
    asks=asks,
    answer=answer,
    blank={"rounds": [{}]},
)
