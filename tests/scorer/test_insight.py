"""Tell what beat me: the three lines in which the winner gained most."""

from __future__ import annotations

from typing import Any

from scorer.games.tiny_towns import GAME
from scorer.insight import biggest_gaps

Json = Any


def seat(name: str, *lines: tuple[str, int], winner: bool = False, why: str = "counted") -> Json:
    scored = [{"rule": rule, "label": rule.title(), "points": points, "why": why} for rule, points in lines]
    return {"name": name, "winner": winner, "total": sum(points for _, points in lines), "lines": scored}


def table(*players: Json) -> Json:
    return {"game": "tiny_towns", "players": list(players)}


def gained(comparison: Json) -> list[tuple[str, int]]:
    return [(line["label"], line["gained"]) for line in comparison["lines"]]


def test_lines_alike_are_added_up_and_the_three_greatest_gains_told() -> None:
    ann = seat("Ann", ("well", 5), ("farm", 4), ("well", 3), ("inn", 2), ("chapel", 1), winner=True)
    bob = seat("Bob", ("well", 2), ("farm", 5), ("chapel", 0), ("fine", -4))
    (compared,) = biggest_gaps(GAME, table(ann, bob))
    assert (compared["player"], compared["winner"], compared["behind"]) == ("Bob", "Ann", 12)
    assert gained(compared) == [("Well", 6), ("Fine", 4), ("Inn", 2)]
    assert compared["lines"][0] == {"rule": "well", "label": "Well", "gained": 6, "theirs": 8, "mine": 2}


def test_lines_in_which_the_winner_gained_nothing_are_left_out() -> None:
    (compared,) = biggest_gaps(
        GAME, table(seat("Ann", ("well", 5), ("farm", 1), winner=True), seat("Bob", ("farm", 3)))
    )
    assert gained(compared) == [("Well", 5)]


def test_of_several_winners_the_one_who_explains_most_is_compared() -> None:
    ann = seat("Ann", ("a", 4), ("b", 4), ("c", 4), ("d", 4), winner=True)
    bob = seat("Bob", ("a", 16), winner=True)
    cid, dee = seat("Cid", ("e", 9)), seat("Dee", ("a", 15))
    compared = biggest_gaps(GAME, table(ann, bob, cid, dee))
    assert [(each["player"], each["winner"]) for each in compared] == [("Cid", "Bob"), ("Dee", "Ann")]


def test_a_typed_total_is_compared_with_the_sum_of_its_lines() -> None:
    ann = seat("Ann", ("card", 5), ("card", 6), ("resident", 2), winner=True)
    ann["lines"][1]["label"] = "Clouds"
    bob = seat("Bob", ("card", 8), ("resident", 1), why="entered as points")
    (compared,) = biggest_gaps(GAME, table(ann, bob))
    assert gained(compared) == [("Card", 3), ("Resident", 1)]


def test_without_a_winner_or_without_others_there_is_nothing_to_tell() -> None:
    assert biggest_gaps(GAME, table(seat("Ann", ("a", 1)), seat("Bob", ("a", 2)))) == []
    assert biggest_gaps(GAME, table(seat("Ann", ("a", 1), winner=True))) == []
    assert biggest_gaps(GAME, table()) == []


def test_two_monuments_are_compared_as_monuments() -> None:
    ann = seat("Ann", ("monument", 5), ("well", 4), winner=True)
    bob = seat("Bob", ("monument", 5), ("well", 2))
    ann["lines"][0]["label"], bob["lines"][0]["label"] = "The Starloom", "Barrett Castle"
    (compared,) = biggest_gaps(GAME, table(ann, bob))
    assert gained(compared) == [("Well", 2)]
    ann["lines"][0]["points"] = 8
    (compared,) = biggest_gaps(GAME, table(ann, bob))
    assert gained(compared) == [("Monument", 3), ("Well", 2)]


def test_of_a_plain_total_nothing_is_told() -> None:
    ann, bob = seat("Ann", ("total", 9), winner=True), seat("Bob", ("well", 4))
    (compared,) = biggest_gaps(GAME, table(ann, bob))
    assert compared["lines"] == []
