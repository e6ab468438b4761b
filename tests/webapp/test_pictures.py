"""Results as pictures to share: what is drawn, in which letters, how large it is, who may see it, and what it costs."""

from __future__ import annotations

import io
import re
import threading
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from scorer import games
from scorer.contract import Json
from scorer.core import load, score_as
from tests.webapp.conftest import Device, Laid
from webapp import avatars, clubs, themes
from webapp.cli import demo_tables
from webapp.database import Database
from webapp.picture import Card, Player, drawn_card, fonts
from webapp.picture.painter import outlines, paint
from webapp.table import result_page, result_picture

pytestmark = pytest.mark.either

MOST_BYTES = 200_000
SIZES = {"wide": (1200, 630), "tall": (1080, 1920)}


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image.convert("RGB")


def card_of(app: Flask, record: Json) -> Card:
    game = games.find(record["game"])
    assert game is not None
    result = score_as(game, record)
    assert result["ok"], result["problems"]
    worn = avatars.distinct([player["name"] for player in record["players"]], [None] * len(record["players"]))
    with app.test_request_context("/"):
        return result_picture.card(
            result_page.shown(game, load(game, record), result, swaps=False), worn, "19 Nov 2026"
        )


def typed(**totals: int) -> Json:
    players = [{"name": name, "typed": {"total": total}} for name, total in totals.items()]
    return {"game": "tiny_towns", "table": {"mode": "standard"}, "players": players}


# -- what is drawn ---


@pytest.mark.parametrize("game", games.all_games(), ids=lambda game: game.id)
def test_every_game_has_its_picture_with_boards(app: Flask, game: Any) -> None:
    record = next(demo_tables.example_tables(game))
    card = card_of(app, record)
    assert next(player.place for player in card.players) == "1st"
    for shape, size in SIZES.items():
        content = drawn_card(card, shape)
        assert len(content) <= MOST_BYTES
        assert opened(content).size == size
    with_boards = [player for player in card.players if player.board]
    drawn_here = {tone for player in with_boards for row in player.board for square in row for tone, *_ in square.holds}
    assert drawn_here <= set(themes.pieces(game.id)) or not themes.pieces(game.id)


def test_the_squares_are_those_of_the_page(app: Flask) -> None:
    grid = [["cottage", "empty", "farm", "empty"], *[["empty"] * 4] * 3]
    cards = dict(grey="well", orange="chapel", green="tavern", yellow="theater", black="factory", red="farm")
    record = {
        "game": "tiny_towns",
        "table": {"mode": "standard", "cards": cards},
        "players": [{"name": "Ann", "grid": grid}, {"name": "Bob", "typed": {"total": 3}}],
    }
    bob, ann = card_of(app, record).players
    assert (bob.total, bob.board) == ("3", ())
    assert [[square.cell for square in row] for row in ann.board] == [
        [f"{column}{row}" for column in "ABCD"] for row in range(1, 5)
    ]
    assert [[one.name for one in square.holds] for square in ann.board[0]] == [["blue"], [], ["red"], []]


@pytest.mark.parametrize(
    "record",
    [
        typed(Ann=-12, Bob=-3),
        typed(Ann=7),
        typed(A=1, B=2, C=3, D=4, E=5, F=99),
        typed(Ann=0, Bob=0),
        typed(**{"W" * 40: 1, "iiii " * 7 + "iiii": 2}),
        typed(**{"山田太郎": 1, "Эмилия": 2, "שרה": 3, "مريم": 4, "🦀🦀": 5, "Ἀθηνᾶ": 6}),
    ],
    ids=["negative", "alone", "six", "level", "long names", "scripts"],
)
def test_odd_tables_are_drawn_as_well(app: Flask, record: Json) -> None:
    card = card_of(app, record)
    for shape, size in SIZES.items():
        content = drawn_card(card, shape)
        assert len(content) <= MOST_BYTES and opened(content).size == size


def test_what_the_painter_does_not_know_is_left_out_of_a_drawing() -> None:
    sound = '<rect x="0" y="0" width="4" height="4" fill="#ff0000"/>'
    for odd in (
        '<path d="M0 0h4v4z" fill="url(#g)"/>',
        '<rect width="10%" height="9" fill="#0000ff"/>',
        '<circle r="3"/>',
    ):
        assert paint(odd + sound, (4, 4), (8, 8)).getpixel((4, 4)) == (255, 0, 0, 255), odd


def test_two_who_share_the_victory_are_both_marked(app: Flask) -> None:
    grid = ["....."] * 8 + ["WBBBB"]
    players = [{"name": name, "grid": grid} for name in ("Ann", "Bob")]
    card = card_of(app, {"game": "copenhagen", "table": {"end": "card"}, "players": players})
    assert [(player.place, player.total, player.won) for player in card.players] == [("1st", "1", True)] * 2
    assert card.verdict == "Ann and Bob tie with 1."


def ink(content: bytes, box: tuple[int, int, int, int]) -> int:
    """Return how many colours stand there."""
    colours = opened(content).crop(box).getcolors(1_000_000)
    assert colours is not None
    return len(colours)


def plain_card(*players: Player) -> Card:
    return Card("pier_18", "Pier 18", "", "", players)


def player(name: str) -> Player:
    return Player(name, "Lighthouse", "1st", "7", True, avatars.Avatar("tide", "lighthouse"), ())


def test_a_name_is_always_written(app: Flask) -> None:
    """Nothing of it in any script leaves a gap: what we have no letters for is told by the player's token."""
    for name in ("Ann", "Łucja", "Эмилия", "Ελένη", "שרה", "مريم", "Գայանե", "თამარ", "山田", "🦀"):
        content = drawn_card(plain_card(player(name)), "wide")
        assert ink(content, (245, 140, 500, 215)) > 10, name
    stands_for = drawn_card(plain_card(player("Lighthouse")), "wide")
    assert drawn_card(plain_card(player("山田")), "wide") == stands_for


def test_letters_that_no_font_has_are_told_by_dots() -> None:
    assert fonts.writable("Ann 山 B\u0323") == "Ann · Ḅ"
    assert fonts.is_legible("Ann 山") and not fonts.is_legible("山田")
    assert fonts.writable("Ạ̈ß“…” \n") == "Ạ̈ß“…” ·"


# -- the painter ---


def test_paths_are_followed_with_all_their_bends() -> None:
    [square] = outlines("M1 1h2v2H1z")
    assert square == [(1, 1), (3, 1), (3, 3), (1, 3), (1, 1)]
    [wave] = outlines("M0 0q1 2 2 0t2 0")
    assert wave[-1] == (4, 0)
    assert min(y for _, y in wave) == -1 and max(y for _, y in wave) == 1  # mirrored
    [disc] = outlines("M2 0a2 2 0 1 1-4 0 2 2 0 1 1 4 0z")
    assert all(abs((x * x + y * y) - 4) < 1e-6 for x, y in disc)
    [first, second] = outlines("m1 1 1 0 0 1zm5 5l1 1v1")
    assert first[-1] == (1, 1) and second == [(6, 6), (7, 7), (7, 8)]


def test_fills_holes_and_opacity() -> None:
    shapes = (
        '<path d="M0 0h9v9H0zM3 3h3v3H3z" fill="#ff0000" fill-rule="evenodd"/><rect x="0" y="0" width="3" height="9" '
    )
    image = paint(shapes + 'fill="#0000ff" opacity=".5"/>', (9, 9), (9, 9))
    assert image.getpixel((7, 7)) == (255, 0, 0, 255)
    assert image.getpixel((4, 4)) == (0, 0, 0, 0)
    red, _, blue, alpha = image.getpixel((1, 1))  # type: ignore[misc]
    assert abs(red - 127) <= 1 and abs(blue - 128) <= 1 and alpha == 255


# -- who may see it ---


def saved(laid: Laid) -> str:
    laid.enter_all()
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/save")
    [key] = laid.db.execute("SELECT key FROM plays").fetchone()
    return f"/plays/{key}"


def test_a_saved_game_has_one_for_its_club_only(laid: Laid, viewer: Device, stranger: Device) -> None:
    where = saved(laid)
    for shape, size in SIZES.items():
        answer = viewer.client.get(f"{where}/{shape}.png")
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert opened(answer.data).size == size
        refused = stranger.client.get(f"{where}/{shape}.png")
        assert refused.status_code in {403, 404} and refused.mimetype == "text/html"
    assert viewer.client.get(f"{where}/round.png").status_code == 404


def test_whoever_has_it_is_not_sent_it_again_unless_it_has_changed(laid: Laid, viewer: Device) -> None:
    where = saved(laid)
    first = viewer.client.get(f"{where}/wide.png")
    asked = {"If-None-Match": first.headers["ETag"]}
    again = viewer.client.get(f"{where}/wide.png", headers=asked)
    assert (again.status_code, again.data) == (304, b"")
    assert viewer.client.get(f"{where}/tall.png", headers=asked).status_code == 200
    laid.db.execute("UPDATE players SET colour = 'plum'")
    assert viewer.client.get(f"{where}/wide.png", headers=asked).status_code == 200


def test_at_a_table_it_is_hidden_like_the_result(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    picture = f"{laid.path}/result/wide.png"
    assert laid.member.client.get(picture).status_code == 404  # nothing is entered
    laid.enter_all()
    for device in (laid.member, stranger):
        assert device.client.get(picture).status_code == 404
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    for device in (laid.member, stranger):
        assert device.client.get(picture).status_code == 200


def test_links_for_viewers_say_what_they_show_and_links_that_give_rights_say_nothing(
    laid: Laid, db: Database, club: int, viewer: Device, stranger: Device
) -> None:
    links = clubs.links(db, club)
    ways_in = [*(f"/join/{token}" for token in links.values())]
    ways_in += [laid.link(), "/tv", f"/join?code={laid.room.code}", "/join", "/"]
    for way in ways_in:
        page = stranger.client.get(way, follow_redirects=True).get_data(as_text=True)
        assert "og:" not in page, way
        head = page.partition("</head>")[0]
        assert not re.search(r"Ann|Bob|Cid|Thursday|Tiny Towns", head), way
    where = saved(laid)
    page = viewer.get(where)
    [image] = re.findall(r'<meta property="og:image" content="([^"]+)"', page)
    assert image == f"http://localhost{where}/wide.png"
    assert "og:" not in stranger.client.get(where, follow_redirects=True).get_data(as_text=True)


# -- what it costs ---


def test_one_is_drawn_at_a_time_and_nobody_waits_in_a_long_row(monkeypatch: pytest.MonkeyPatch) -> None:
    studio, begun, go = result_picture.Studio(), threading.Event(), threading.Event()

    def slowly(card: Card, shape: str) -> bytes:
        begun.set()
        assert go.wait(20)
        return b"drawn"

    monkeypatch.setattr(result_picture, "drawn_card", slowly)
    found: list[bytes | None] = []

    def ask(key: bytes) -> None:
        found.append(studio.picture(key, plain_card(), "wide"))

    threads = [threading.Thread(target=ask, args=[b"%d" % number]) for number in range(1 + result_picture.MOST_WAITING)]
    threads[0].start()
    assert begun.wait(20)
    for thread in threads[1:]:
        thread.start()
    while studio.waiting.acquire(blocking=False):  # until all of them wait
        studio.waiting.release()
    ask(b"one too many")
    assert found == [None]
    go.set()
    for thread in threads:
        thread.join()
    assert found[1:] == [b"drawn"] * len(threads)
    monkeypatch.setattr(result_picture, "drawn_card", None)
    assert studio.picture(b"0", plain_card(), "wide") == b"drawn"  # kept
