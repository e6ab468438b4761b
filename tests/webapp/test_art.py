"""Tell what lies on the tables: every piece of every game is drawn, once, lightly, and can be told from the ground."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree

import pytest

from scorer import games
from scorer.contract import choices_of
from scorer.games.tenby.cards import COLOURS
from tests.webapp.conftest import Device
from tests.webapp.plays import draft, towns
from tests.webapp.test_themes import SHAPES, contrast
from webapp import avatars, themes
from webapp.database import Database
from webapp.history import plays

pytestmark = pytest.mark.either

GAMES = [game.id for game in games.all_games()]
PALETTES = {  # the tones of a game's pieces, where they are not in its own list of inputs
    "tenby": {*COLOURS, "white"},
    "tiny_towns": {"blue", "red", "grey", "orange", "green", "yellow", "black", "purple"},
}
# What a piece stands on, where its main colour is: squares of grass, plaster, sky, planks, sky.
GROUNDS = {
    "tiny_towns": "#d9d79c",
    "copenhagen": "#efe3cb",
    "old_london_bridge": "#d6e9f0",
    "pier_18": "#cda873",
    "tenby": "#c4e4f1",
}
SVG = "{http://www.w3.org/2000/svg}"
SPRITE = re.compile(r'<use href="#(\w+)" x="(\d+)" width="(\d+)" height="(\d+)"/>')


def tones(game: str) -> set[str]:
    found = games.find(game)
    assert found is not None
    return PALETTES.get(game) or {choice.tone for asked in found.inputs for choice in choices_of(asked)} - {""}


def drawn(game: str) -> str:
    return (themes.page_folder(game) / "art.svg").read_text(encoding="utf-8")


def rule(game: str, tone: str) -> int:
    """The place of a piece in the file, as the sheet has it."""
    [place] = re.findall(rf"\[data-world={game}\] \.tone-{tone} {{ --i: (\d+); }}", themes.boards())
    return int(place)


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_is_drawn_and_shown_from_its_place(game: str) -> None:
    row = SPRITE.findall(drawn(game))
    assert tones(game) <= themes.pieces(game).keys()
    art = f'--art: url("../games/{game}/art.svg"); --n: {len(row)};'
    assert f"[data-world={game}] {{ {art} }}" in themes.boards()
    for tone in tones(game):
        place = rule(game, tone)
        name, left, wide, _ = row[place]
        assert name == tone and int(left) == place * int(wide), (game, tone)


@pytest.mark.parametrize("game", GAMES)
def test_no_drawing_has_a_name_twice_and_each_is_made_of_plain_shapes(game: str) -> None:
    root = ElementTree.fromstring(drawn(game))
    names = [symbol.attrib["id"] for symbol in root.iter(f"{SVG}symbol")]
    assert len(names) == len(set(names)) == len(themes.pieces(game))
    for name, drawing in themes.pieces(game).items():
        for shape in ElementTree.fromstring(f"<symbol>{drawing.shapes}</symbol>"):
            assert set(shape.attrib) - {"fill", "opacity"} == SHAPES[shape.tag], (game, name)
            assert re.fullmatch("#[0-9a-f]{6}", shape.attrib["fill"]), (game, name)
            assert re.fullmatch(r"[MLHVQCZmlhvqcz\d., -]*", shape.attrib.get("d", "")), (game, name)


def test_no_two_pieces_of_a_game_have_one_outline() -> None:
    for game in GAMES:
        outlines = [re.findall(r' d="([^"]+)"', themes.pieces(game)[tone].shapes) for tone in tones(game)]
        assert len({str(one) for one in outlines}) == len(outlines), game


@pytest.mark.parametrize("game", GAMES)
def test_the_edge_of_every_piece_can_be_seen_on_its_ground(game: str) -> None:
    for tone in tones(game):
        fills = re.findall(r'fill="(#[0-9a-f]{6})"(?! opacity)', themes.pieces(game)[tone].shapes)
        assert max(contrast(fill, GROUNDS[game]) for fill in fills) >= 4.5, (game, tone)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_page_of_a_game_brings_is_light_and_each_file_is_used(game: str) -> None:
    folder = themes.page_folder(game)
    files = {file.name for file in folder.glob("*.svg")} - {"scene.svg"}
    assert sum(len(gzip.compress((folder / name).read_bytes())) for name in files) <= 6_000, game
    style = (folder / "style.css").read_text(encoding="utf-8")
    assert len(gzip.compress((themes.boards() + style).encode())) <= 4_000
    assert files == {"art.svg", *re.findall(r'url\("([\w-]+\.svg)"\)', style)}


def test_a_page_about_a_game_brings_its_drawings_without_script_and_others_do_not(member: Device) -> None:
    home = member.get("/")
    assert "css/boards.css" not in home and "data-drawn" not in home and "style.css" not in home
    for game in GAMES:
        laid = str(member.post("/tables", {"game": game}).location)
        page = member.get(laid)
        assert "css/boards.css" in page and f'data-world="{game}" data-drawn' in page
        assert re.findall(r"games/(\w+)/style\.css", page) == [game]


def test_the_classes_of_players_have_the_colours_of_their_tokens() -> None:
    sheet = themes.SHEET.read_text(encoding="utf-8")
    found = re.findall(r"\.wears-(\w+) {\s+--player: (#\w+);\s+--on-player: (#\w+);\s+}", sheet)
    assert found == [(name, colour.disc, colour.figure) for name, colour in avatars.COLOURS.items()]


def test_a_piece_drops_in_only_for_those_who_like_things_to_move() -> None:
    sheet = themes.BOARDS.read_text(encoding="utf-8")
    still, moving = sheet.split("@media (prefers-reduced-motion: no-preference) {")
    assert "animation" not in still and re.search(r"\.dropped {\s+animation: drop var\(--lay\)", moving)
    [frames] = re.findall(r"@keyframes drop {\s+from {\s+([^}]*?)\s+}\s+}", moving)
    assert frames.startswith("transform:") and frames.count(":") == 1


def test_a_heat_map_is_the_board_with_larger_and_smaller_pieces(member: Device, db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 1}))])
    page = member.get("/stats/games/tiny_towns?open=boards&piece.grid=cottage")
    # A1 is the farm; B1 has a cottage on both boards, C1 and D1 on Ann's alone, the rest on neither.
    shown = re.findall(
        r'<div class="square often-(\d)" data-cell="(\w\d)">.*?<span class="number">(\d+)</span>', page, re.S
    )
    assert shown[:5] == [("0", "A1", "0"), ("5", "B1", "100"), ("3", "C1", "50"), ("3", "D1", "50"), ("0", "A2", "0")]
    assert len(shown) == 16
