"""A question that somebody has confirmed is not asked again; nothing else grows quiet with it."""

from __future__ import annotations

from typing import Any

from scorer.core import questions, score

CARDS = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}
FULL = [["cottage", "well", "farm", "well"]] * 4


def full(confirmed: Any = None, **more: Any) -> dict[str, Any]:
    """Two towns of sixteen buildings, which is worth a second look."""
    table = {"mode": "standard", "cards": CARDS, **({} if confirmed is None else {"confirmed": confirmed})}
    players = [{"name": name, "grid": FULL, "master_builder_turns": turns, **more} for turns, name in enumerate("AB")]
    return {"game": "tiny_towns", "table": table, "players": players}


def asked(record: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem["where"], problem["code"]) for problem in score(record)["problems"]]


def test_a_confirmed_question_is_quiet_and_the_others_are_not() -> None:
    first, second = ("/players/0/grid", "sixteen_buildings"), ("/players/1/grid", "sixteen_buildings")
    assert asked(full()) == [first, second]
    assert asked(full(["/players/0/grid:sixteen_buildings"])) == [second]
    assert asked(full([f"{where}:{code}" for where, code in (first, second)])) == []
    assert asked(full(["/players/7/grid:nothing_of_ours"])) == [first, second]


def test_the_points_stay_as_they_are() -> None:
    told = score(full(["/players/0/grid:sixteen_buildings"]))
    assert [player["lines"] for player in told["players"]] == [player["lines"] for player in score(full())["players"]]


def test_an_error_cannot_be_confirmed() -> None:
    record = full(["/players/0/monument:unknown_monument"], monument="big_ben")
    assert ("/players/0/monument", "unknown_monument") in asked(record)


def test_what_is_no_list_of_questions_is_told() -> None:
    assert asked(full("all")) == [("/table/confirmed", "unreadable")]
    assert asked(full([1])) == [("/table/confirmed/0", "unreadable")]


def test_with_a_mark_it_is_asked_again_once_what_stands_there_changes() -> None:
    [problem, _] = score(full())["problems"]
    _, marked = questions(full(), problem["where"], problem["code"], problem["message"])
    assert marked.startswith("/players/0/grid:sixteen_buildings:")
    assert asked(full([marked])) == [("/players/1/grid", "sixteen_buildings")]
    changed = full([marked])
    changed["players"][0]["grid"] = [["well", *FULL[0][1:]], *FULL[1:]]
    assert len(asked(changed)) == 2
