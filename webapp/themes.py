"""Read the colours, scenes and pieces of games from their folders, for pages and pictures.

A game's `about.toml` has its colours, and its folder `page` its drawings. A game without them has the colours and the
scene of the app, and its pieces are letters.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from scorer import games

log = logging.getLogger("tidemark.games")

STATIC = Path(__file__).parent / "static"
SHEET = STATIC / "app.css"
BOARDS = STATIC / "css" / "boards.css"
APP = ""  # replaces the id of a game on pages about no game, and for games without a theme
NAMES = ("ground", "paper", "ink", "faint", "line", "accent", "on-accent", "glow", "rule", "sky")
DIVIDER = "59"  # the opacity of `rule`, which has the colour of `line`
BLOCK = re.compile(r":root \{\s*(--ground: [^}]*)\}")
COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6,8})")
VALUE = re.compile(r"#[0-9a-f]{6}")
SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 (\d+) (\d+)">(.*?)</symbol>', re.DOTALL)
SPRITE = re.compile(r'<use href="#([\w-]+)" x="\d+"')
BACKDROP = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>(.*)</svg>', re.DOTALL)
SCENE, MARK = (320, 160), (32, 32)


class Theme(NamedTuple):
    """Hold the colours of a game for light and dark mode: "ground", "paper", "ink" and so on, each as #rrggbb."""

    light: dict[str, str]
    dark: dict[str, str]


class Drawing(NamedTuple):
    """Hold flat filled shapes with their width and height."""

    wide: int
    high: int
    shapes: str


def page_folder(game: str) -> Path:
    """Return the folder of a game's templates, style sheet, script and drawings, which may not exist."""
    return games.folder(game) / "page"


@cache
def about(game: str) -> Mapping[str, Any]:
    """Return the contents of a game's `about.toml`; an empty dictionary if it can't be read."""
    if game not in games.ids():
        return {}
    file = games.folder(game) / "about.toml"
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as fault:
        log.warning("Ignoring %s: %s", file, fault)
        return {}


# -- colours ---


@cache
def _app() -> Theme:
    """Return the colours of the app from its style sheet."""
    return Theme(*(dict(COLOUR.findall(block)) for block in BLOCK.findall(SHEET.read_text(encoding="utf-8"))))


@cache
def of(game: str) -> Theme:
    """Return the colours of a game, or those of the app if it has none."""
    given = about(game).get("colours") if game in games.ids() else None
    if not isinstance(given, dict):
        return _app()
    return Theme(*(_colours(game, given.get(name), ours) for name, ours in zip(Theme._fields, _app(), strict=True)))


def _colours(game: str, given: Any, ours: dict[str, str]) -> dict[str, str]:
    found = {}
    for name, value in (given if isinstance(given, dict) else {}).items():
        if name in NAMES and VALUE.fullmatch(str(value)):
            found[name] = str(value)
        else:
            log.warning("Ignoring the colour %s = %r of %s: it is no #rrggbb of ours", name, value, game)
    if "line" in found:
        found["rule"] = found["line"] + DIVIDER
    return {**ours, **found}


def rules(scheme: str, above: str = "") -> list[str]:
    """Return the CSS rules that set the colours of each game; `scheme` is "light" or "dark".

    `above` is put before each selector.
    """
    return [
        f"{above}[data-world={game}] {{ {' '.join(f'--{name}: {colour};' for name, colour in colours.items())} }}"
        for game in games.ids()
        if of(game) is not _app() and (colours := getattr(of(game), scheme))
    ]


def sheet() -> str:
    """Return the style sheet of all pages: that of the app, followed by the colours of every game."""
    night = ["@media (prefers-color-scheme: dark) {", *rules("dark"), "}"]
    return "\n".join([SHEET.read_text(encoding="utf-8"), *rules("light"), *night, ""])


# -- drawings ---


@cache
def _drawings(file: Path) -> dict[str, Drawing]:
    """Return the symbols of a file by their ids; none if it can't be read, since one bad file must not spoil others."""
    try:
        text = file.read_text(encoding="utf-8")
        ElementTree.fromstring(text)  # noqa: S314, it comes with the code of the game
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, ElementTree.ParseError) as fault:
        log.warning("Ignoring %s: %s", file, fault)
        return {}
    return {name: Drawing(int(wide), int(high), shapes) for name, wide, high, shapes in SYMBOL.findall(text)}


@cache
def _scene_file(game: str) -> Path:
    """Return the file of the game's scene, or of the app's scene if the game has none of the right size."""
    own = page_folder(game) / "scene.svg" if game in games.ids() else None
    drawn = _drawings(own).get("scene") if own else None
    return own if own and drawn and drawn[:2] == SCENE else STATIC / "scene.svg"


def scene(game: str) -> str:
    """Return the shapes of a game's scene, which is 320 wide and 160 high and has no sky."""
    return _drawings(_scene_file(game))["scene"].shapes


def scene_name(game: str) -> str:
    """Return the name of the scene that a game uses in the file of all scenes: the game's own, or the app's.

    The game's small drawing, its mark, has the same name after "mark-".
    """
    return game if _scene_file(game).parent != STATIC else APP


def scenes() -> str:
    """Return an SVG file with the scene and the small drawing ("mark") of the app and of each game."""
    drawn = "\n".join(symbol for game in (APP, *games.ids()) for symbol in _symbols(game))
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{drawn}\n</svg>\n'


def _symbols(game: str) -> Iterator[str]:
    if scene_name(game) != game:
        return
    found = _drawings(_scene_file(game))
    yield f'<symbol id="scene-{game}" viewBox="0 0 320 160">{found["scene"].shapes}</symbol>'
    mark = found.get("mark")
    if mark and mark[:2] == MARK:
        yield f'<symbol id="mark-{game}" viewBox="0 0 32 32">{mark.shapes}</symbol>'
    else:  # the middle of the scene
        yield f'<symbol id="mark-{game}" viewBox="80 0 160 160">{found["scene"].shapes}</symbol>'


@cache
def pieces(game: str) -> dict[str, Drawing]:
    """Return the drawings in the game's `art.svg` by their ids, such as the colour of a piece or "ground"."""
    return _drawings(page_folder(game) / "art.svg") if game in games.ids() else {}


def placed(game: str) -> list[str]:
    """Return the names of the drawings in `art.svg` from left to right."""
    return SPRITE.findall((page_folder(game) / "art.svg").read_text(encoding="utf-8")) if pieces(game) else []


def boards() -> str:
    """Return the style sheet of boards: that of the app, followed by the positions of each game's drawings."""
    drawn = (rule for game in games.ids() for rule in _placing(game, placed(game)))
    return "\n".join([BOARDS.read_text(encoding="utf-8"), *drawn, ""])


def _placing(game: str, row: list[str]) -> Iterator[str]:
    if not row:
        return
    yield f'[data-world={game}] {{ --art: url("../games/{game}/art.svg"); --n: {len(row)}; }}'
    below = f"--i: {row.index('ground')};" if "ground" in row else "background: var(--paper);"
    yield f"[data-world={game}] .square {{ {below} }}"
    yield from (f"[data-world={game}] .tone-{name} {{ --i: {place}; }}" for place, name in enumerate(row))


@cache
def backdrop(game: str, name: str) -> Drawing | None:
    """Return the drawing around a board or under its squares from the game's file `name`.svg, or None without it."""
    file = page_folder(game) / f"{name}.svg"
    found = BACKDROP.search(file.read_text(encoding="utf-8")) if name and file.is_file() else None
    return Drawing(int(found[1]), int(found[2]), found[3]) if found else None
