"""The colour worlds: everything is there in both schemes and can be told from what it stands on."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree

import pytest

from scorer import games
from tests.webapp.conftest import Device
from webapp import themes

pytestmark = pytest.mark.either

WORLDS = [themes.APP, *(game.id for game in games.all_games())]
# Ink at seven to one, other text at four and a half, borders of controls at three (WCAG 1.4.3, 1.4.6 and 1.4.11).
LEAST = [
    *((colour, below, least) for below in ("ground", "paper") for colour, least in (("ink", 7.0), ("line", 3.0))),
    *((colour, below, 4.5) for below in ("ground", "paper") for colour in ("faint", "accent")),
    ("on-accent", "accent", 4.5),
    ("ink", "glow", 4.5),
]


def light_of(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((light_of(one), light_of(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_contrast_is_counted_as_the_standard_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("world", WORLDS)
def test_the_colours_of_a_world_can_be_told_apart(world: str, scheme: str) -> None:
    colours = getattr(themes.of(world), scheme)
    for colour, below, least in LEAST:
        found = contrast(colours[colour], colours[below])
        assert found >= least, f"{colour} on {below}: {found:.2f}"


def test_each_game_has_a_world_and_a_game_that_has_none_takes_the_app_s() -> None:
    assert len({themes.of(world).light["accent"] for world in WORLDS}) == len(WORLDS)
    assert themes.of("chess") == themes.of(themes.APP)


def test_a_page_says_its_world_and_colours_the_bar_of_the_browser(member: Device) -> None:
    home = member.get("/")
    assert "data-world" not in home.split("<main")[0]
    assert f'content="{themes.of("").light["ground"]}"' in home
    laid = str(member.post("/tables", {"game": "tenby"}).location)
    page = member.get(laid)
    assert 'data-world="tenby"' in page
    assert f'content="{themes.of("tenby").dark["ground"]}"' in page


@pytest.mark.parametrize("name", ["app.css", "js/page.js"])
def test_text_is_packed_for_browsers_that_can_unpack_it(stranger: Device, name: str) -> None:
    address = f"{stranger.client.application.static_url_path}/{name}"
    with (
        stranger.client.get(address) as plain,
        stranger.client.get(address, headers={"Accept-Encoding": "gzip"}) as packed,
    ):
        assert "Content-Encoding" not in plain.headers
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) == int(packed.headers["Content-Length"]) < len(plain.data) / 2
    with stranger.client.get(address, headers={"Accept-Encoding": "gzip", "Range": "bytes=0-9"}) as part:
        assert part.status_code == 206 and len(part.data) == 10


def test_the_display_face_is_ours_small_and_under_an_open_licence(stranger: Device) -> None:
    static = themes.SHEET.parent / "fonts"
    assert sum(file.stat().st_size for file in static.glob("*.woff2")) <= 14_000
    assert (static / "sansita-latin.woff2").stat().st_size <= 9 * 1024
    assert "SIL OPEN FONT LICENSE Version 1.1" in (static / "OFL.txt").read_text(encoding="utf-8")
    assert "font-src 'self'" in stranger.client.get("/").headers["Content-Security-Policy"]


SHAPES = {"path": {"d"}, "rect": {"x", "y", "width", "height"}, "circle": {"cx", "cy", "r"}, "polygon": {"points"}}


def test_every_scene_is_of_plain_shapes_that_our_own_painter_could_draw() -> None:
    assert [themes.scene_name(game) for game in WORLDS] == WORLDS
    for game in WORLDS:
        markup = themes.scene(game)
        assert len(gzip.compress(markup.encode())) <= 5_000, game
        for shape in ElementTree.fromstring(f"<symbol>{markup}</symbol>"):
            assert set(shape.attrib) - {"fill", "opacity"} == SHAPES[shape.tag], game
            assert re.fullmatch("#[0-9a-f]{6}", shape.attrib["fill"]), game
            assert re.fullmatch(r"[MLHVQCZmlhvqcz\d., -]*", shape.attrib.get("d", "")), game


def test_one_file_has_the_scene_and_the_mark_of_every_game() -> None:
    found = [symbol.attrib["id"] for symbol in ElementTree.fromstring(themes.scenes())]
    assert found == [f"{what}-{game}" for game in sorted(WORLDS) for what in ("scene", "mark")]
