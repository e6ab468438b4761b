"""The reveal and the television as they are seen: nothing cut off, squares lit, skipped by one tap."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from scorer import games
from scorer.contract import Game
from tests.scorer.tenby_tables import counted
from tests.webapp.conftest import Laid, assert_accessible, follow, until
from webapp.cli import demo, demo_tables
from webapp.database import Database, pack
from webapp.table import reveal, rooms, tables

pytestmark = pytest.mark.either

NAMES = (
    "Ann",
    "Bartholomew",
    "Grandmother Wilhelmina of the Harboursid",
    "Em\u0151ke",
    "\u042d\u043c\u0438\u043b\u0438\u044f",
    "Jo",
)
SCREENS = ((1280, 720), (3840, 2160))
PHONES = ((390, 844), (320, 568))
[TINY_TOWNS] = [game for game in games.all_games() if game.id == "tiny_towns"]
# Of six players and of four: what a television has to fit in depends on how many there are.
SHOWN = [game for game in games.all_games() if game.id in {"tiny_towns", "old_london_bridge"}]
# What stands outside the window, or sticks out of what it stands in, among the things that must be read.
CUT_OFF = """selectors => [...document.querySelectorAll(selectors)].filter((one) => {
  const box = one.getBoundingClientRect();
  const shown = box.width && getComputedStyle(one).visibility !== "hidden";
  const out = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  return shown && (out || one.scrollWidth > one.clientWidth + 2);
}).map((one) => one.className + " " + one.textContent.trim().slice(0, 40))"""


def lay(db: Database, club: int, game: Game) -> str:
    """A table of the game with as many players as it takes, all boards entered; its key."""
    chance, players = Random(3), game.players[-1]
    examples, best = demo_tables.finished_boards(game)
    found = (demo_tables.varied_table(game, *example, chance, players, best) for example in examples * 20)
    record, _ = next(table for table in found if table is not None)
    record = counted(record) if game.id == "tenby" else record
    renamed = demo.renamed(pack(record), record["players"], NAMES[:players])
    key = tables.add(db, club, game, json.loads(renamed)["table"], NAMES[:players])
    for seat, player in enumerate(json.loads(renamed)["players"]):
        state = {name: value for name, value in player.items() if name != "name"}
        db.execute(
            "UPDATE seats SET state = ? WHERE seat = ? AND table_id = (SELECT id FROM tables WHERE key = ?)",
            [pack(state), seat, key],
        )
    return key


def let_in(db: Database, club: int) -> str:
    """Open the only table to other screens; the key of its room."""
    room = rooms.open_one(db, club)
    db.execute("UPDATE tables SET room_id = ?", [room.id])
    return room.key


def begun(db: Database, ago: int) -> None:
    db.execute("UPDATE tables SET revealed_at = ?", [reveal.moment() - ago])


@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize("game", SHOWN, ids=lambda game: game.id)
def test_nothing_is_cut_off_on_a_television(
    at_the_club: Callable[..., Page], db: Database, club: int, game: Game
) -> None:
    lay(db, club, game)
    code = let_in(db, club)
    begun(db, 0)
    screen = at_the_club(
        f"/rooms/{code}/tv",
        viewport={"width": 1280, "height": 720},
        has_touch=False,
        reduced_motion="no-preference",
    )
    for ago, seen in ((0, ".stage .racer"), (3_600_000, ".final .podium")):
        if ago:
            begun(db, ago)
            screen.set_viewport_size({"width": 1280, "height": 720})
            screen.reload()
        screen.wait_for_selector(seen)
        for width, height in SCREENS:
            screen.set_viewport_size({"width": width, "height": height})
            wide, high = screen.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert (wide, high) == (width, height)
            parts = ".now, .racer, .racer b, .podium li, .podium strong, .behind, .behind strong, .pad tr, .verdict"
            parts += ", .outcry, .final .on-table"
            assert screen.evaluate(CUT_OFF, parts) == []
        if game.id == "tiny_towns":
            assert_accessible(screen)


def test_a_television_plays_sound_once_somebody_has_turned_it_on(
    at_the_club: Callable[..., Page], db: Database, club: int
) -> None:
    lay(db, club, TINY_TOWNS)
    screen = at_the_club(f"/rooms/{let_in(db, club)}/tv", has_touch=False)
    screen.click("text=Turn sound on")
    expect(screen.locator("[data-sound]")).to_be_hidden()
    until(lambda: screen.evaluate("localStorage.getItem('sound') === 'on'"))


# Leave so many racers, with these points so far and just gained; name what stands on two lines or sticks out.
BROKEN = """([racers, sum, gain]) => {
  const list = document.querySelector(".racers");
  while (list.children.length > racers) list.lastElementChild.remove();
  list.className = `racers of-${racers}`;
  return [...list.children].flatMap((racer) => [["sum", sum], ["gain", gain]].filter(([kind, text]) => {
    const shown = racer.querySelector(`[data-${kind}]`);
    racer.querySelector("[data-sum]").textContent = sum;
    racer.querySelector("[data-gain]").textContent = gain;
    const words = new Range();
    words.selectNodeContents(shown);
    const [first, ...more] = words.getClientRects();
    const around = racer.getBoundingClientRect();
    return text && (more.length || first.left < around.left || first.right > around.right);
  }).map(([kind, text]) => `${kind} ${text} of ${racers}`));
}"""


@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize("is_phone", [False, True], ids=["television", "phone"])
def test_points_of_the_reveal_stay_on_one_line(
    at_the_club: Callable[..., Page], db: Database, club: int, is_phone: bool
) -> None:
    key = lay(db, club, TINY_TOWNS)
    path = f"/tables/{key}/result" if is_phone else f"/rooms/{let_in(db, club)}/tv"
    begun(db, 0)
    screen = at_the_club(path, reduced_motion="no-preference")
    for width, height in PHONES if is_phone else (*SCREENS, (1024, 768)):
        screen.set_viewport_size({"width": width, "height": height})
        screen.reload()
        screen.wait_for_selector(".stage .racer")
        for racers in range(6, 1, -1):
            for sum_, gain in (("\u221211", "\u221211"), ("104", "+24"), ("7", "2nd"), ("0 + ?", "")):
                assert screen.evaluate(BROKEN, [racers, sum_, gain]) == [], (width, height)


@pytest.mark.usefixtures("lasting")
def test_on_a_phone_alone_it_fits_lights_squares_and_is_over_with_one_tap(
    at_the_club: Callable[..., Page], db: Database, club: int
) -> None:
    page = at_the_club(f"/tables/{lay(db, club, TINY_TOWNS)}/result", reduced_motion="no-preference")
    page.wait_for_selector(".stage .lit")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT_OFF, ".now, .racer, .racer b, .stage .bar") == []
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(page.locator(".podium")).not_to_be_visible()
    assert not any(name in page.inner_text(".stage .now") for name in NAMES)
    assert_accessible(page)
    page.click("text=Skip to the result")
    expect(page.locator(".podium")).to_be_visible()
    page.reload()
    expect(page.locator(".podium")).to_be_visible()  # it was seen
    follow(page, "text=Repeat the reveal")
    page.wait_for_selector(".stage .racer")


def test_the_result_is_hidden_before_the_scripts_of_the_page_have_come(
    at_the_club: Callable[..., Page], site: str, laid: Laid
) -> None:
    """A class that is set before the first paint hides it, in engines without the media feature too."""
    laid.enter_all()
    page = at_the_club("/offline", reduced_motion="no-preference")
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => (window.first = document.documentElement.className))"
    )
    page.goto(f"{site}{laid.path}/result")
    assert "showing" in page.evaluate("window.first")


def test_where_no_motion_is_wanted_the_result_is_there_at_once(at_the_club: Callable[..., Page], laid: Laid) -> None:
    laid.enter_all()
    page = at_the_club(f"{laid.path}/result")
    expect(page.locator(".podium")).to_be_visible()
    expect(page.locator("[data-stage]")).to_have_count(0)
