"""The colour worlds, scenes and pieces of the games, read from the sheet and the drawings: for pages and pictures."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

SHEET = Path(__file__).parent / "static" / "app.css"
SCENES = SHEET.with_name("scenes.svg")
ART = SHEET.with_name("art")
APP = ""  # the world of pages that are about no game, and of games that have none of their own
BLOCK = re.compile(r"^\s*(?::root|\[data-world=(\w+)\]) \{ (--ground: .*) \}$", re.MULTILINE)
SCENE = re.compile(r'<symbol id="(\w+)" viewBox="0 0 320 160">(.*)</symbol>')
PIECE = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 (\d+) (\d+)">(.*)</symbol>')
BACKDROP = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>(.*)</svg>', re.DOTALL)
COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6,8})")


class World(NamedTuple):
    """Its colours by day and by night: "ground", "paper", "ink" and so on, each as #rrggbb."""

    light: dict[str, str]
    dark: dict[str, str]


class Drawing(NamedTuple):
    """What lies on a board: flat filled shapes, so wide and so high."""

    wide: int
    high: int
    shapes: str


@cache
def everything() -> dict[str, World]:
    """By the id of the game. In the sheet each world stands twice: by day, and below by night."""
    found: dict[str, list[dict[str, str]]] = {}
    for game, colours in BLOCK.findall(SHEET.read_text(encoding="utf-8")):
        found.setdefault(game, []).append(dict(COLOUR.findall(colours)))
    return {game: World(*schemes) for game, schemes in found.items()}


def of(game: str) -> World:
    return everything().get(game) or everything()[APP]


@cache
def scenes() -> dict[str, str]:
    """What is drawn of each game, by its id: flat filled shapes, 320 wide and 160 high, the sky left open."""
    return dict(SCENE.findall(SCENES.read_text(encoding="utf-8")))


@cache
def pieces(game: str) -> dict[str, Drawing]:
    """What lies on a board of the game: its pieces by their tone, and grounds by name; nothing if nobody drew them."""
    file = ART / f"{game}.svg"
    if not game or not file.is_file():
        return {}
    found = PIECE.findall(file.read_text(encoding="utf-8"))
    return {name: Drawing(int(wide), int(high), shapes) for name, wide, high, shapes in found}


@cache
def backdrop(name: str) -> Drawing | None:
    """What stands around a board or under its squares, from a file of its own; None if there is no such file."""
    file = ART / f"{name}.svg"
    found = BACKDROP.search(file.read_text(encoding="utf-8")) if name and file.is_file() else None
    return Drawing(int(found[1]), int(found[2]), found[3]) if found else None
