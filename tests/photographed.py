"""Install a game whose board has three rows of five squares, with a photo reader, and draw a photo of its board."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tests.packages import install

ROWS, COLUMNS = 3, 5
COLOURS = {"bare": (90, 90, 90), "ruby": (200, 30, 40), "jade": (30, 160, 60), "opal": (40, 60, 200)}
SEEN = (
    ("ruby", "bare", "bare", "jade", "opal"),
    ("bare", "bare", "jade", "bare", "bare"),
    ("opal", "bare", "bare", "bare", "ruby"),
)  # 2 rubies, 2 jades and 2 opals, and nothing is the same from the other side
SIZE = (900, 640)
CORNERS = ((170, 120), (760, 90), (800, 480), (120, 450))  # of the board in the photo
MOSAIC = '''
"""Mosaic, a game of three rows of five stones, each of which is worth a point."""

from dataclasses import dataclass

from scorer.contract import Choice, Game, GridInput, Line, Photo, Sheet
from scorer.record import Typed, read_players, read_record
from scorer.sentences import say, say_count

PLAYERS, RULES, STONES = range(1, 5), {"stones": say("Stones")}, ("bare", "ruby", "jade", "opal")
WALL = GridInput("wall", say("Wall"), tuple(Choice(one, say(one.title())) for one in STONES), size=(3, 5))
PHOTO = Photo(reader="tidemark_mosaic.photo:READER", rows=3, columns=5, labels=STONES)


@dataclass(frozen=True)
class Hand:
    name: str
    wall: tuple


@dataclass(frozen=True)
class State:
    players: tuple


def load(record):
    reader = read_record(record, "mosaic")
    reader.object("table", required=False)
    state = State(read_players(reader, PLAYERS, RULES, (), read_hand))
    reader.finish(state)
    return state


def read_hand(player, name):
    return Hand(name, tuple(tuple(one.as_choice(STONES) for one in row.as_list()) for row in player.elements("wall")))


def dump(state):
    return {"game": "mosaic", "table": {}, "players": [dumped(one) for one in state.players]}


def dumped(hand):
    return hand.dump() if isinstance(hand, Typed) else {"name": hand.name, "wall": [list(row) for row in hand.wall]}


def validate(state):
    return []


def sheet(seat, hand):
    if isinstance(hand, Typed):
        return hand.sheet(RULES, (), f"/players/{seat}")
    stones = sum(stone != "bare" for row in hand.wall for stone in row)
    return Sheet(hand.name, (Line("stones", RULES["stones"], stones, say_count("{n} stone", "{n} stones", stones)),))


def score(state):
    return [sheet(seat, hand) for seat, hand in enumerate(state.players)]


GAME = Game(
    id="mosaic", name=say("Mosaic"), players=PLAYERS, rules=RULES, ladder=(), load=load, dump=dump,
    validate=validate, score=score, inputs=(WALL,), photo=PHOTO,
)
'''
READER = '''
"""Finds the white wall by itself, and knows stones by their colours, which lie in a file of the package."""

import json
from pathlib import Path

import cv2
import numpy as np

from tidemark_mosaic import PHOTO
from vision.contract import GameReader
from vision.lattice import in_likelier_order, lattice_of
from vision.closeup import Found
from vision.reading import Square
from vision.rectify import Shape, flattened

SHAPE, GRAIN = Shape(PHOTO.rows, PHOTO.columns), 20


def boards(picture):
    light = (picture.min(axis=2) > 200).astype(np.uint8)
    outlines, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        if cv2.contourArea(outline) > 10_000:
            corners = cv2.approxPolyN(cv2.convexHull(outline), 4, ensure_convex=True).reshape(4, 2).astype(float)
            yield Found(in_likelier_order(corners, lattice_of(SHAPE), picture.shape[1::-1]), 1.0)


def squares(picture, corners):
    tones = json.loads((Path(__file__).parent / "tones.json").read_text())
    flat = flattened(picture, corners, (SHAPE.columns * GRAIN, SHAPE.rows * GRAIN)).astype(float)
    cells = flat.reshape(SHAPE.rows, GRAIN, SHAPE.columns, GRAIN, 3)[:, 5:-5, :, 5:-5].mean(axis=(1, 3))
    return tuple(tuple(square(cell[::-1], tones) for cell in row) for row in cells)


def square(tone, tones):
    far = sorted((float(np.linalg.norm(tone - tones[name])), name) for name in PHOTO.labels)
    (near, name), (next_, other) = far[:2]
    return Square(name, min(0.99, 1 - near / (near + next_)), ((other, near / (near + next_)),))


READER = GameReader(photo=PHOTO, squares=squares, boards=boards)
'''


def install_mosaic(folder: Path, reader: str = READER) -> Path:
    """Install the game as an editable package. Return the folder of its code, outside the folder of packages."""
    install(folder / "site", "mosaic", MOSAIC)
    source = folder / "source"
    source.mkdir()
    package = (folder / "site" / "tidemark_mosaic").rename(source / "tidemark_mosaic")
    (package / "photo.py").write_text(reader, encoding="utf-8")
    (package / "tones.json").write_text(json.dumps(COLOURS), encoding="utf-8")
    return source


def photo_of_the_wall() -> bytes:
    """Return a picture file of a wall seen slightly from the side, on a dark table."""
    flat = Image.new("RGB", (500, 300), "white")
    pen = ImageDraw.Draw(flat)
    for row, stones in enumerate(SEEN):
        for column, stone in enumerate(stones):
            pen.rectangle((column * 100 + 8, row * 100 + 8, column * 100 + 92, row * 100 + 92), fill=COLOURS[stone])
    unit = np.array([(0, 0), (500, 0), (500, 300), (0, 300)], float)
    rows = []
    for (x, y), (u, v) in zip(CORNERS, unit, strict=True):  # from the picture back to the wall
        rows += [(x, y, 1, 0, 0, 0, -u * x, -u * y), (0, 0, 0, x, y, 1, -v * x, -v * y)]
    frame = np.linalg.solve(np.array(rows, float), unit.ravel())
    table = (50, 40, 30)
    way = (Image.Transform.PERSPECTIVE, frame.tolist(), Image.Resampling.BILINEAR)
    seen = flat.transform(SIZE, *way, fillcolor=table)
    out = io.BytesIO()
    seen.save(out, "JPEG", quality=92)
    return out.getvalue()
