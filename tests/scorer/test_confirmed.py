"""A question that somebody has confirmed is not asked again; nothing else grows quiet with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer.contract import Game, Problem
from scorer.core import judge, load, question_names, score
from scorer.games.tenby import GAME as TENBY
from scorer.games.tiny_towns import GAME as TINY_TOWNS
from scorer.sentences import say

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


def test_with_a_digest_it_is_asked_again_once_the_value_there_changes() -> None:
    [problem, _] = score(full())["problems"]
    _, digested = question_names(TINY_TOWNS, full(), problem["where"], problem["code"])
    assert digested.startswith("/players/0/grid:sixteen_buildings:")
    assert asked(full([digested])) == [("/players/1/grid", "sixteen_buildings")]
    changed = full([digested])
    changed["players"][0]["grid"] = [["well", *FULL[0][1:]], *FULL[1:]]
    assert len(asked(changed)) == 2


def everything_confirmed(game: Game, record: dict[str, Any]) -> dict[str, Any]:
    """The record with every question confirmed as pages do it."""
    confirmed = [question_names(game, record, one["where"], one["code"])[1] for one in score(record)["problems"]]
    assert confirmed, "there is something to confirm"
    return {**record, "table": {**record["table"], "confirmed": confirmed}}


def test_another_name_asks_nothing_again() -> None:
    confirmed = everything_confirmed(TINY_TOWNS, full())
    assert asked(confirmed) == []
    for player, name in zip(confirmed["players"], ("Zoe", "unknown"), strict=True):
        player["name"] = name
    assert asked(confirmed) == []


CARD = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"], "features": {"bench": 1}}


def benches(names: tuple[str, str], amounts: dict[str, int]) -> dict[str, Any]:
    """Typed amounts that differ from what the towns show; a name is a part of the place of the question."""
    accolades = {"mode": "open_sea", "cards": [{"name": "Rest", "target": "bench", "amounts": amounts}]}
    players = [{"name": name, "streets": [[CARD]]} for name in names]
    return {"game": "tenby", "table": {"accolades": accolades}, "players": players}


def test_another_name_asks_nothing_again_where_it_is_a_part_of_the_place() -> None:
    confirmed = everything_confirmed(TENBY, benches(("Ann", "0"), {"ann": 3, "0": 2}))
    assert "ann" not in str(confirmed["table"]["confirmed"]).casefold()
    assert asked(confirmed) == []
    renamed = benches(("Zoe", "Bob"), {"Zoe": 3, "Bob": 2})
    renamed["table"]["confirmed"] = confirmed["table"]["confirmed"]
    assert asked(renamed) == []
    renamed["table"]["accolades"]["cards"][0]["amounts"]["Zoe"] = 4
    assert asked(renamed) == [("/table/accolades/cards/0/amounts/Zoe", "amount_differs")]
    assert asked({**renamed, "table": {**renamed["table"], "confirmed": []}})[0] == asked(renamed)[0]


def test_a_question_about_a_name_may_be_confirmed_in_short() -> None:
    record = benches(("Ann", "Bob"), {"Ann": 3})
    record["table"]["confirmed"] = ["/table/accolades/cards/0/amounts/Ann:amount_differs"]
    assert asked(record) == []


def test_the_wording_is_no_part_of_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    confirmed = everything_confirmed(TINY_TOWNS, full())

    def reworded(state: Any) -> list[Problem]:
        return [replace(one, message=say("In other words.")) for one in TINY_TOWNS.validate(state)]

    assert judge(replace(TINY_TOWNS, validate=reworded), load(TINY_TOWNS, confirmed))["problems"] == []
    assert len(judge(replace(TINY_TOWNS, validate=reworded), load(TINY_TOWNS, full()))["problems"]) == 2


def test_what_is_asked_of_all_players_is_asked_again_once_one_of_them_changes() -> None:
    record = full()
    _, first = question_names(TINY_TOWNS, record, "/players", "any")
    assert (
        question_names(TINY_TOWNS, {**record, "table": {**record["table"], "confirmed": [first]}}, "/players", "any")[1]
        == first
    )
    record["players"][0]["name"] = "Zoe"
    assert question_names(TINY_TOWNS, record, "/players", "any")[1] == first
    record["players"][0]["master_builder_turns"] = 9
    assert question_names(TINY_TOWNS, record, "/players", "any")[1] != first
