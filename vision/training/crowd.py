"""Make tables that are hard to search: up to six boards seen from low down, cloths, glare, shade, decoys.

A third of the pictures have no board, but cards in rows, other games' grids or tiles that resemble one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.games.tiny_towns import LABELS
from vision.training import cloths, decoys, villagers
from vision.training.drawing import Camera, Rng, camera
from vision.training.paint import BOARD_SIDE, Shelf, cloud
from vision.training.phone import Picture, Plate, cover_squares, photographed
from vision.training.pictures import thing
from vision.training.pieces import Floats, Image, turned
from vision.training.scene import CARD, CARDBOARD, Scene, Town

SIZES = [(1152, 864), (864, 1152), (1024, 768), (1200, 675), (900, 900)]
SHARES = [0.34, 0.18, 0.14, 0.12, 0.12, 0.05, 0.05]  # of the pictures with no board, with one, and so on
PATTERNED = 0.6  # share of the tables with a cloth
SATIN = 0.15  # share of the squares on which the card's varnish mirrors a lamp
SHADED = 0.25  # share of the pictures that are half in shade
MESSENGER = 0.3  # share that a messenger made small
HARSH = 0.45
BELOW = -CARDBOARD + 0.02
Spot = tuple[float, float]


class Crowd(Scene):
    """Build a table with many boards, or with many decoys (things that only look like boards)."""

    ground = (-12.0, 28.0, 18)
    shrink = 0.6
    visited = 0.1
    paired = 0.35
    kinds: Sequence[Callable[[Rng], Floats]] = cloths.KINDS

    def __init__(self, rng: Rng, size: tuple[int, int], lens: Camera, shelf: Shelf) -> None:
        super().__init__(rng, size, lens, shelf)
        self.prepare()

    def prepare(self) -> None:
        """Choose at random the cloth on the table, if any, and whether the boards' varnish mirrors a lamp. Begin with
        no decoys."""
        rng = self.rng
        self.cloth = cloths.cloth(rng, self.kinds) if rng.random() < PATTERNED else None
        self.satin = SATIN if rng.random() < 0.5 else 0.0
        self.decoys: list[Town] = []

    def pick(self, kind: str) -> Image:
        if kind == "table" and self.cloth is not None:
            return self.cloth
        if kind == "board" and self.satin:
            return satin(self.rng, super().pick(kind), self.satin)
        return super().pick(kind)

    def shade(self, image: Image) -> Image:
        return shaded(self.rng, image)

    def decoy(self, texture: Image, spot: Spot, side: float, yaw: float, height: float = BELOW) -> None:
        """Lay the flat picture `texture` around `spot`, turned by `yaw`, and add it to `decoys`. Its longer side is
        `side` squares; `height` is its height above the boards."""
        high, wide = texture.shape[:2]
        unit = side / max(high, wide)
        spin = turned(yaw) * unit
        origin = np.array([*spot, height]) - spin[:, :2] @ [wide / 2, high / 2]
        plane = np.column_stack([spin[:, 0], spin[:, 1], origin])
        rim = np.array([(0, 0, 1), (0, high, 1), (wide, high, 1), (wide, 0, 1)], float) @ plane.T
        if self.camera.depth(rim).min() > 1:
            self.lay(texture, plane)
            self.decoys.append(Town(self.camera.see(rim), [], is_decoy=True))


Stage = Callable[[Rng, tuple[int, int], Camera, Shelf], Crowd]


def satin(rng: Rng, art: Image, share: float) -> Image:
    """Return the board `art` with a lamp reflected on about the share `share` of its squares, as linen-grained card
    does."""
    out, cell = art.astype(np.float32), BOARD_SIDE // 4
    grain = np.sin(np.arange(BOARD_SIDE) * rng.uniform(0.9, 2.2)) * rng.uniform(0.1, 0.6)
    linen = np.clip(0.7 + grain[:, None] + grain[None] + 0.3 * cloud(rng, BOARD_SIDE, 60), 0, 1.3)
    tone = np.array([255, 255, 255]) * rng.uniform(0.85, 1.0, 3)
    columns, rows = np.meshgrid(np.arange(BOARD_SIDE), np.arange(BOARD_SIDE))
    spin = turned(rng.uniform(0, np.pi))[:2, :2]
    for index in np.flatnonzero(rng.random(16) < share):
        middle = (np.array(divmod(index, 4))[::-1] + rng.uniform(0.2, 0.8, 2)) * cell
        reach = cell * rng.uniform(0.08, 0.4) * np.array([1, rng.uniform(0.25, 1)])
        away = np.stack([columns - middle[0], rows - middle[1]], -1) @ spin / reach
        glow = np.exp(-0.5 * (away**2).sum(-1) ** rng.uniform(0.7, 2.5)) * linen * rng.uniform(0.25, 1.0)
        out += (tone - out) * np.clip(glow, 0, 1)[..., None]
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def crowd(rng: Rng, shelf: Shelf, stage: Stage = Crowd, sizes: Sequence[tuple[int, int]] = SIZES) -> Picture:
    """Return one photo of a crowded table; its `towns` are the boards, then the decoys. `stage` makes the scene from
    the painted pictures in `shelf`. The table is drawn in one of `sizes` (width, height in pixels)."""
    taken = photographed(rng, plate(rng, shelf, stage, sizes), rng.random() < HARSH)
    return messaged(rng, taken) if rng.random() < MESSENGER else taken


def plate(
    rng: Rng, shelf: Shelf, stage: Stage = Crowd, sizes: Sequence[tuple[int, int]] = SIZES, least: int = 0
) -> Plate:
    """Return a picture of a crowded table with at least `least` boards, before lens and phone change it. It has one of
    `sizes` (width, height in pixels). `stage` makes the scene from the painted pictures in `shelf`."""
    shares = np.array(SHARES[least:])
    count = least + int(rng.choice(len(shares), p=shares / shares.sum()))
    size = sizes[int(rng.integers(len(sizes)))]
    spots = _spots(rng, max(count, 1))
    across = 2 * max(float(np.abs(np.array(spots) - 2).max()), 0.2) + 5
    lens = camera(rng, size, rng.uniform(0.35, 0.95) if count < 2 else rng.uniform(0.7, 1.1), _elevation(rng), across)
    scene = stage(rng, size, lens, shelf)
    scene.table()
    scene.taken += [(x, y, 2.9) for x, y in spots]
    for x, y in spots if count else []:
        _lay_board(scene, (x, y), rng.integers(4) * np.pi / 2 + rng.normal(0, 0.2))
    for x, y in spots if not count and rng.random() < 0.7 else []:
        _lay_decoy(scene, (x, y), rng.uniform(3.4, 7), rng.uniform(0, 2 * np.pi))
    _around(scene, many=not count)
    scene.shadows()
    scene.stand()
    if rng.random() < SHADED:
        scene.canvas = scene.shade(scene.canvas)
    laid = Plate(scene.canvas, scene.towns + scene.decoys, scene.shrink, scene.blur)
    if scene.towns and rng.random() < 0.15:
        _lay_over(scene, laid)
    return laid


def _elevation(rng: Rng) -> float:
    """Return a random angle of the camera above the table, in degrees; in half of all cases it is low (20 to 42)."""
    return float(rng.uniform(20, 42) if rng.random() < 0.5 else rng.uniform(42, 90))


def _spots(rng: Rng, count: int) -> list[Spot]:
    """Return places for `count` boards around (2, 2), in loose rows or at random, without overlap."""
    spots = [np.array([2.0, 2.0])]
    reach = 4.5
    while len(spots) < count:
        at = spots[int(rng.integers(len(spots)))] + rng.uniform(-reach, reach, 2)
        if rng.random() < 0.6:
            at = spots[-1] + np.eye(2)[rng.integers(2)] * rng.choice([-1, 1]) * rng.uniform(4.2, 5.6)
        if min(float(np.abs(at - other).max()) for other in spots) > 4.15:
            spots.append(at)
        else:
            reach += 0.3
    middle = np.mean(spots, axis=0) - 2
    return [(float(at[0] - middle[0]), float(at[1] - middle[1])) for at in spots]


def _lay_board(scene: Crowd, spot: Spot, yaw: float) -> None:
    rng, before = scene.rng, len(scene.towns)
    corner = np.array(spot) - (turned(yaw) @ [2.0, 2, 0])[:2]
    spin = scene.board((float(corner[0]), float(corner[1])), yaw)
    if len(scene.towns) == before:
        return
    density = 0.0 if rng.random() < 0.05 else rng.uniform(*scene.density)
    standing = scene.build((float(corner[0]), float(corner[1])), spin, scene.towns[-1], density)
    if rng.random() < scene.visited:
        villagers.come(scene, (float(corner[0]), float(corner[1])), spin, scene.towns[-1], standing)


def _lay_decoy(scene: Crowd, spot: Spot, side: float, yaw: float) -> None:
    """Lay another game's print around `spot`, sometimes with wooden pieces on its cells. Its longer side is `side`
    squares, and it is turned by `yaw`."""
    rng = scene.rng
    scene.decoy(decoys.decoy(rng), spot, side, yaw)
    if rng.random() < 0.5:
        spin, cells = turned(yaw)[:2, :2], int(rng.integers(2, 9))
        kind = [str(label) for label in rng.choice(LABELS[1:], int(rng.integers(1, 6)))]
        for _ in range(int(rng.integers(1, 14))):
            at = spin @ ((rng.integers(0, cells, 2) + 0.5) / cells - 0.5) * side + spot
            scene.heap(float(at[0]), float(at[1]), -CARDBOARD, 1, kind, 0.05)


def _around(scene: Crowd, many: bool) -> None:
    """Lay cards in rows, other games' prints and heaps of pieces; more of them if `many`, on tables without boards."""
    rng = scene.rng
    for _ in range(int(rng.choice([1, 2, 3] if many else [0, 0, 0, 1]))):
        if spot := scene.place(2.4, 1.0 if many else 3.5, 9.0):
            _lay_decoy(scene, spot, rng.uniform(2, 4.5), rng.uniform(0, 2 * np.pi))
    if rng.random() < (0.5 if many else 0.25) and (spot := scene.place(2.0, 0.0 if many else 3.5, 8.0)):
        _cards_in_rows(scene, spot)
    scene.cards(int(rng.choice([0, 1, 2, 5])))
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        if spot := scene.place(1.2, 2.0, 8.0):
            scene.solids.append(thing(rng, spot))
    for _ in range(int(rng.choice([0, 1, 2, 4]))):
        if spot := scene.place(0.9, 3.2, 9.0):
            scene.heap(*spot, -CARDBOARD, int(rng.integers(1, 13)), list(LABELS[1:]), rng.uniform(0.2, 0.6))


def _cards_in_rows(scene: Crowd, spot: Spot) -> None:
    """Draw cards side by side around `spot`; note all of them together as one decoy."""
    rng, yaw = scene.rng, scene.rng.uniform(0, 2 * np.pi)
    rows, columns, gap = int(rng.integers(1, 5)), int(rng.integers(2, 6)), rng.uniform(0.02, 0.3)
    spin, scale = turned(yaw)[:2, :2], rng.uniform(0.4, 1.1)
    is_square = rng.random() < 0.3
    for row in range(rows):
        for column in range(columns):
            texture = scene.pick("card")
            if texture.shape[0] < texture.shape[1]:
                texture = np.ascontiguousarray(np.rot90(texture))
            if is_square:
                texture = np.ascontiguousarray(texture[: texture.shape[1]])
            across = (CARD[1] * texture.shape[1] / texture.shape[0]) if not is_square else CARD[1]
            step = np.array([across, CARD[1]]) * scale + gap
            at = spin @ ((np.array([column, row]) - (np.array([columns, rows]) - 1) / 2) * step) + spot
            scene.decoy(texture, (float(at[0]), float(at[1])), CARD[1] * scale, yaw + rng.normal(0, 0.02))
    if len(scene.decoys) >= rows * columns:  # not each card but all of them together might be a board
        mine = np.vstack([one.corners for one in scene.decoys[-rows * columns :]]).astype(np.float32)
        del scene.decoys[-rows * columns :]
        scene.decoys.append(Town(np.asarray(cv2.boxPoints(cv2.minAreaRect(mine)), float), [], is_decoy=True))


def shaded(rng: Rng, image: Image) -> Image:
    """Return the picture with a part of it in shade, its edge soft or sharp, its light of another colour."""
    high, wide = image.shape[:2]
    middle, angle = rng.uniform(0.2, 0.8, 2) * [wide, high], rng.uniform(0, 2 * np.pi)
    columns, rows = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    away = (columns - middle[0]) * np.cos(angle) + (rows - middle[1]) * np.sin(angle)
    soft = max(wide, high) * rng.uniform(0.003, 0.08)
    share = 1 / (1 + np.exp(-np.clip(away / soft, -30, 30)))
    dark = rng.uniform(0.22, 0.65) * np.exp(rng.normal(0, 0.08, 3))
    return np.asarray(np.clip(image * (1 + (dark - 1) * share[..., None]), 0, 255), np.uint8)


def blinds(rng: Rng, image: Image) -> Image:
    """Return the picture in the bars of light and shade that a window's blinds throw."""
    high, wide = image.shape[:2]
    angle, period = rng.uniform(0, np.pi), max(wide, high) * rng.uniform(0.03, 0.2)
    columns, rows = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    wave = np.sin((columns * np.cos(angle) + rows * np.sin(angle)) * 2 * np.pi / period)
    share = 1 / (1 + np.exp(-wave * rng.uniform(3, 15)))
    dark = rng.uniform(0.35, 0.75) * np.exp(rng.normal(0, 0.08, 3))
    return np.asarray(np.clip(image * (1 + (dark - 1) * share[..., None]), 0, 255), np.uint8)


def dappled(rng: Rng, image: Image) -> Image:
    """Return the picture in the light that falls through leaves: round spots of sun on shade."""
    high, wide = image.shape[:2]
    sun = np.zeros((high, wide), np.float32)
    for _ in range(int(rng.integers(20, 120))):
        spot, reach = rng.uniform(0, 1, 2) * [wide, high], max(wide, high) * rng.uniform(0.01, 0.06)
        axes = (int(reach), max(int(reach * rng.uniform(0.5, 1)), 1))
        cv2.ellipse(sun, (int(spot[0]), int(spot[1])), axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    share = cv2.GaussianBlur(sun, (0, 0), max(wide, high) * rng.uniform(0.002, 0.012))
    dark = rng.uniform(0.35, 0.75) * np.exp(rng.normal(0, 0.08, 3))
    return np.asarray(np.clip(image * (dark + (1 - dark) * share[..., None]), 0, 255), np.uint8)


SHADES = {"stone": blinds, "paper": dappled}


def _lay_over(scene: Crowd, plate: Plate) -> None:
    """Draw a card over the edge of one board in `plate`, and note which squares it hides."""
    rng, town = scene.rng, scene.towns[int(scene.rng.integers(len(scene.towns)))]
    texture = scene.pick("card")
    size = texture.shape[1::-1]
    unit = np.array([(0, 0), (4, 0), (4, 4), (0, 4)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, town.corners.astype(np.float32))
    half = np.array(size) / max(size) * CARD[1] / 2
    edge = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turned(rng.uniform(0, 6.3))[:2, :2].T
    spot = rng.uniform(0, 4, 2)
    spot[rng.integers(2)] = rng.choice([-0.4, 4.4])
    there = cv2.perspectiveTransform((edge + spot)[None], plane)[0].astype(np.float32)
    if not cv2.isContourConvex(there):
        return
    rim = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    frame, whole = cv2.getPerspectiveTransform(rim, there), plate.image.shape[1::-1]
    mask = cv2.warpPerspective(np.full(texture.shape[:2], 255, np.uint8), frame, whole)
    laid = cv2.warpPerspective(texture, frame, whole)
    plate.image = np.where(mask[..., None] > 127, laid, plate.image)
    for one in scene.towns:
        cover_squares(one, mask)


def messaged(rng: Rng, taken: Picture) -> Picture:
    """Return the picture as a messenger passes it on: smaller, and compressed strongly once or twice."""
    high, wide = taken.image.shape[:2]
    scale = min(rng.uniform(560, 1100) / max(high, wide), 1.0)
    image = cv2.resize(taken.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for _ in range(int(rng.integers(1, 3))):
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(10, 45))])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    for town in taken.towns:
        town.corners = town.corners * scale
    return Picture(np.asarray(image, np.uint8), taken.towns)
