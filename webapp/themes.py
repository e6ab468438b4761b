"""The colours, scenes and pieces of the games, for pages and pictures: each is read from the game's own folder.

A game's `about.toml` holds its colours, its folder `page` what is drawn of it. A game without them has the colours and
the scene of the app, and shows its pieces as letters.
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
APP = ""  # in the place of a game's id: pages that are about no game, and games that bring nothing of their own
NAMES = ("ground", "paper", "ink", "faint", "line", "accent", "on-accent", "glow", "rule", "sky")
DIVIDER = "59"  # how opaque `rule` is, which has the colour of `line`
BLOCK = re.compile(r"^\s*:root \{ (--ground: .*) \}$", re.MULTILINE)
COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6,8})")
VALUE = re.compile(r"#[0-9a-f]{6}")
SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 (\d+) (\d+)">(.*?)</symbol>', re.DOTALL)
SPRITE = re.compile(r'<use href="#([\w-]+)" x="\d+"')
BACKDROP = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>(.*)</svg>', re.DOTALL)
SCENE, MARK = (320, 160), (32, 32)


class Theme(NamedTuple):
    """Hold its colours by day and by night: "ground", "paper", "ink" and so on, each as #rrggbb."""

    light: dict[str, str]
    dark: dict[str, str]


class Drawing(NamedTuple):
    """Flat filled shapes, so wide and so high."""

    wide: int
    high: int
    shapes: str


def page_folder(game: str) -> Path:
    """Return where a game keeps its templates, sheet, script and drawings, whether or not there are any."""
    return games.folder(game) / "page"


@cache
def about(game: str) -> Mapping[str, Any]:
    """Return what a game's `about.toml` says, nothing if it has none that can be read."""
    if game not in games.names():
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
    """Return the colours at the top of the sheet: by day, and below by night."""
    return Theme(*(dict(COLOUR.findall(block)) for block in BLOCK.findall(SHEET.read_text(encoding="utf-8"))))


@cache
def of(game: str) -> Theme:
    """Return the colours of a game, those of the app where it has none."""
    given = about(game).get("colours") if game in games.names() else None
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
    """Return the rules that give whatever is of a game that game's colours, by "light" or by "dark"."""
    return [
        f"{above}[data-world={game}] {{ {' '.join(f'--{name}: {colour};' for name, colour in colours.items())} }}"
        for game in games.names()
        if of(game) is not _app() and (colours := getattr(of(game), scheme))
    ]


def sheet() -> str:
    """Return the sheet of all pages: our own, and below it the colours of every game."""
    night = ["@media (prefers-color-scheme: dark) {", *rules("dark"), "}"]
    return "\n".join([SHEET.read_text(encoding="utf-8"), *rules("light"), *night, ""])


# -- drawings ---


@cache
def _drawings(file: Path) -> dict[str, Drawing]:
    """Return the symbols of a file, nothing if it cannot be read: one bad file must not spoil what others draw."""
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
    """Return the game's scene, or that of the app if it has none of the right size."""
    own = page_folder(game) / "scene.svg" if game in games.names() else None
    drawn = _drawings(own).get("scene") if own else None
    return own if own and drawn and drawn[:2] == SCENE else STATIC / "scene.svg"


def scene(game: str) -> str:
    """Return what is drawn of a game: flat filled shapes, 320 wide and 160 high, the sky left open."""
    return _drawings(_scene_file(game))["scene"].shapes


def scene_name(game: str) -> str:
    """Return the name of a game's scene in the file of all scenes; its mark is "mark-" and the same."""
    return game if _scene_file(game).parent != STATIC else APP


def scenes() -> str:
    """Return one file with the scene and the mark of each game, and of the app, for pages that show several."""
    drawn = "\n".join(symbol for game in (APP, *games.names()) for symbol in _symbols(game))
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
    """Return what lies on a board of the game: pieces by their tone, and grounds by name; nothing if none is drawn."""
    return _drawings(page_folder(game) / "art.svg") if game in games.names() else {}


def placed(game: str) -> list[str]:
    """Return the names of the drawings in `art.svg` in the order in which they lie side by side."""
    return SPRITE.findall((page_folder(game) / "art.svg").read_text(encoding="utf-8")) if pieces(game) else []


def boards() -> str:
    """Return the sheet of boards: our own, and below it where the drawings of each game lie."""
    drawn = (rule for game in games.names() for rule in _placing(game, placed(game)))
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
    """Return what stands around a board or under its squares, from a file of its own; None if there is no such file."""
    file = page_folder(game) / f"{name}.svg"
    found = BACKDROP.search(file.read_text(encoding="utf-8")) if name and file.is_file() else None
    return Drawing(int(found[1]), int(found[2]), found[3]) if found else None
