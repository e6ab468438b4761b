"""The reveal: what is told when, that nobody knows the winner before the last line, and who may skip it."""

from __future__ import annotations

import html
import json
import re
from random import Random
from typing import Any

import pytest

from scorer import games
from scorer.core import score_as
from scorer.result import Result
from scorer.sentences import NOTHING
from tests.webapp.conftest import Device, Laid
from webapp.cli import demo_tables
from webapp.table import pad, reveal
from webapp.table.reveal import Beat, Script

pytestmark = pytest.mark.either


def tables_of(game_id: str, players: int) -> list[Result]:
    """Some tables of the game, with so many players."""
    game = games.find(game_id)
    assert game is not None
    chance = Random(players)
    examples, best = demo_tables.finished_boards(game)
    found = [demo_tables.varied_table(game, *example, chance, players, best) for example in examples]
    return [table[1] for table in found if table is not None]


def told(result: Result) -> Script:
    game = games.find(result["game"])
    assert game is not None
    return reveal.script(game, result)


def lines(script: Script) -> list[Beat]:
    return [beat for beat in script.beats if beat.kind == "line"]


def every_result() -> list[Result]:
    sizes = [(game.id, n) for game in games.all_games() for n in game.players]
    return [result for game, n in sizes for result in tables_of(game, n)]


@pytest.fixture(scope="module")
def results() -> list[Result]:
    found = every_result()
    assert {(result["game"], len(result["players"])) for result in found} >= {("tiny_towns", 6), ("copenhagen", 4)}
    return found


def test_the_sums_after_the_last_line_are_the_totals(results: list[Result]) -> None:
    for result in results:
        told_lines = lines(told(result))
        sums = told_lines[-1].sums if told_lines else tuple(0 for _ in result["players"])
        assert sums == tuple(player["total"] for player in result["players"])


def test_lines_that_bring_nobody_anything_are_passed_over(results: list[Result]) -> None:
    for result in results:
        assert all(any(beat.points) for beat in lines(told(result)))


def test_the_winner_is_not_known_before_the_last_line(results: list[Result]) -> None:
    """Nothing speaks of places before it, and before it the winner leads by no more than in any other order."""
    for result in results:
        script = told(result)
        kinds = [beat.kind for beat in script.beats]
        last = max((place for place, kind in enumerate(kinds) if kind == "line"), default=0)
        assert not {"place", "level", "rung", "flag"} & set(kinds[:last])
        told_lines = lines(script)
        losers = [seat for seat, player in enumerate(result["players"]) if not player["winner"]]
        if len(told_lines) < 2 or not losers:
            continue
        winners = [seat for seat, player in enumerate(result["players"]) if player["winner"]]

        def lead(sums: tuple[int, ...]) -> int:
            return min(sums[seat] for seat in winners) - max(sums[seat] for seat in losers)  # noqa: B023

        totals = told_lines[-1].sums
        without = [
            tuple(total - points for total, points in zip(totals, beat.points, strict=True)) for beat in told_lines
        ]
        assert lead(without[-1]) == min(map(lead, without))


def test_it_takes_at_most_25_seconds(results: list[Result]) -> None:
    for result in results:
        script = told(result)
        assert script.length <= 25_000
        moments = [beat.at for beat in script.beats]
        assert moments == sorted(set(moments)) and moments[0] == 0


def test_lines_that_decide_come_last_and_others_stay_in_the_order_of_the_pad() -> None:
    def row(rule: str, *points: int | None) -> pad.Row:
        return pad.Row(rule, NOTHING, points, tuple(() for _ in points))

    told_rows = reveal.in_order(
        [row("a", 1, 9), row("b", 5, 5), row("c", 12, 0), row("d", 0, None), row("e", 2, 1)], [0]
    )
    assert [one.rule for one in told_rows] == ["a", "b", "e", "c"]
    # Ahead everywhere: the more a line brings, the later.
    told_rows = reveal.in_order([row("a", 9, 0), row("b", 2, 1), row("c", 5, 3)], [0])
    assert [one.rule for one in told_rows] == ["b", "c", "a"]
    # Two that share the victory are as far ahead as the one of them who is behind: by b alone nobody, by a alone 1.
    told_rows = reveal.in_order([row("a", 6, 2, 1), row("b", 1, 5, 1)], [0, 1])
    assert [one.rule for one in told_rows] == ["b", "a"]


def level(turns: tuple[int, int]) -> Result:
    """Two towns with a cottage fed by nobody each: level at −15, Ann with fewer turns as Master Builder."""
    grid = [["cottage", *["empty"] * 3], *[["empty"] * 4] * 3]
    cards = dict(grey="well", orange="chapel", green="tavern", yellow="theater", black="factory", red="farm")
    names = ("Ann", "Bob")
    players = [
        {"name": name, "grid": grid, "master_builder_turns": turn} for name, turn in zip(names, turns, strict=True)
    ]
    game = games.find("tiny_towns")
    assert game is not None
    return score_as(game, {"game": "tiny_towns", "table": {"mode": "standard", "cards": cards}, "players": players})


def test_a_tie_is_told_after_all_lines_rung_by_rung() -> None:
    script = told(level((3, 5)))
    kinds = [beat.kind for beat in script.beats]
    assert kinds == ["ebb", "line", "level", "rung", "flag"]  # no place before that
    [rung] = [beat for beat in script.beats if beat.kind == "rung"]
    assert (rung.text, rung.words) == ("fewest turns as Master Builder", ("3", "5"))
    assert script.beats[-1].text == "Ann wins the tie at −15. Tie-break: fewest turns as Master Builder."


def test_a_shared_victory_goes_through_all_rungs() -> None:
    script = told(level((4, 4)))
    assert [beat.words for beat in script.beats if beat.kind == "rung"] == [("4", "4"), ("15", "15"), ("1", "1")]


def test_everything_is_negative_and_the_gauges_still_have_a_scale() -> None:
    assert told(level((3, 5))).full == 20  # 15 points, and a bit more, in tens


# -- at the table ---


def show_of(page: str) -> list[dict[str, Any]]:
    found = re.search(r'data-beats="([^"]*)"', page)
    told_beats: list[dict[str, Any]] = json.loads(html.unescape(found[1])) if found else []
    return told_beats


def test_a_phone_alone_watches_it_once_and_finds_the_result_below(laid: Laid) -> None:
    laid.enter_all()
    page = laid.member.get(f"{laid.path}/result")
    assert show_of(page)[-1]["kind"] == "flag"
    assert 'data-once="reveal ' in page  # the script of the page remembers that it was seen
    assert page.index("data-stage") < page.index("podium")


def test_one_skips_it_for_everybody_and_shows_it_again(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.member.get(f"{laid.path}/seats")
    for action in ("skip", "again"):  # before there is anything to be seen
        laid.member.post(f"{laid.path}/{action}")
    assert laid.table().hides_results
    laid.member.post(f"{laid.path}/reveal")
    before = laid.table().version
    assert show_of(stranger.get(f"{laid.path}/result"))
    laid.member.post(f"{laid.path}/skip")
    assert laid.table().version == before + 1
    laid.member.post(f"{laid.path}/skip")
    assert laid.table().version == before + 1  # nothing to be told
    for device in (laid.member, stranger):
        assert not show_of(device.get(f"{laid.path}/result"))
    laid.member.post(f"{laid.path}/again")
    for device in (laid.member, stranger):
        assert show_of(device.get(f"{laid.path}/result"))


def test_phones_hear_that_it_was_skipped(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.member.post(f"{laid.path}/reveal")
    stranger.get(f"{laid.path}/events")
    assert json.loads(stranger.page)["skipped"] is False
    laid.member.post(f"{laid.path}/skip")
    stranger.get(f"{laid.path}/events")
    assert json.loads(stranger.page)["skipped"] is True


def test_it_is_over_after_its_time(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.member.post(f"{laid.path}/reveal")
    laid.db.execute("UPDATE tables SET revealed_at = revealed_at - ?", [reveal.LONGEST_MS])
    assert not show_of(stranger.get(f"{laid.path}/result"))


def test_a_corrected_game_is_not_shown_as_news(laid: Laid) -> None:
    laid.enter_all()
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/save?shared")
    [key] = laid.db.execute("SELECT key FROM plays").fetchone()
    laid.member.get(f"/plays/{key}")
    where = str(laid.member.post(f"/plays/{key}/edit").location).rpartition("/seats/")[0]
    page = laid.member.get(f"{where}/result")
    assert "podium" in page and "data-stage" not in page


def test_names_and_squares_do_not_break_out_of_the_script(member: Device) -> None:
    member.get("/")
    path = str(member.post("/tables", {"game": "pier_18"}).location).removesuffix("/setup")
    for name in ('"><script>', "O'Neill & Ко"):
        member.post(f"{path}/setup", {"add": name})
    for seat in range(2):
        member.post(f"{path}/seats/{seat}", {"rows/0/0": "P"})
    page = member.get(f"{path}/result")
    assert "<script>" not in re.sub(r"<script[^>]* src=[^>]*>", "", page)
    if show := show_of(page):
        assert any("O'Neill" in beat.get("text", "") for beat in show)
