"""Draw the result of a game: the winner, everybody's points and board, the tie-break, and the game's scene.

There are two shapes: wide for messages and links, tall for stories.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from webapp import avatars, themes
from webapp.avatars import Avatar
from webapp.picture.boards import Board, board_image
from webapp.picture.fonts import fitting, is_legible, wrapped, write, write_lines
from webapp.picture.painter import SMOOTH, paint

COLOURS = 256
GAP = 10  # between two rows


@dataclass(frozen=True, slots=True)
class Player:
    """Hold what a player's row of the picture shows; its texts are in the reader's language."""

    name: str
    stands_for: str  # replaces a name that our fonts can't write
    place: str
    total: str
    won: bool
    avatar: Avatar
    board: Board


@dataclass(frozen=True, slots=True)
class Card:
    """Hold what the picture of a result shows, with the players by rank."""

    game: str
    title: str
    beside: str  # the day or the place
    verdict: str
    players: Sequence[Player]


@dataclass(frozen=True, slots=True)
class Shape:
    """Hold the measures of a picture in pixels."""

    size: tuple[int, int]
    margin: int
    scene: tuple[int, int, int, int]  # left, top, wide, high
    title: tuple[int, int, int]  # baseline, size and width
    board: tuple[int, int, int, int]  # left, top (0 below the rows), wide and lower edge of the winner's
    rows: tuple[int, int, int]  # top, bottom and width
    verdict: tuple[int, int]  # baseline of the first line, and size


SHAPES = {
    "wide": Shape(
        (1200, 630), 44, (744, 400, 412, 186), (88, 54, 660), (744, 44, 412, 374), (128, 500, 660), (552, 34)
    ),
    "tall": Shape(
        (1080, 1920), 64, (0, 0, 1080, 540), (640, 84, 952), (64, 0, 952, 1720), (690, 1290, 952), (1790, 52)
    ),
}


def draw_card(card: Card, shape: str) -> bytes:
    """Return the picture of a result as a PNG; `shape` is a key of SHAPES, such as "wide"."""
    how, colours = SHAPES[shape], themes.of(card.game).light
    image = Image.new("RGB", how.size, colours["ground"])
    pen = ImageDraw.Draw(image)
    board = next((player.board for player in card.players if player.won and player.board), ())
    _scene(image, card.game, how, colours, bool(board))
    top, size, wide = how.title
    write(pen, (how.margin, top), card.title, size, colours["accent"], wide * 0.66, display=True)
    write(pen, (how.margin + wide, top), card.beside, size // 2, colours["faint"], wide * 0.32, "rs")
    last = _rows(image, card, how, colours)
    _winners_board(image, card.game, board, how, last)
    first, size = how.verdict
    verdict = wrapped(card.verdict, size, how.rows[2], 2, display=True)
    write_lines(pen, (how.margin, first), verdict, size, colours["ink"], how.rows[2], display=True)
    write(pen, (how.size[0] - how.margin, how.size[1] - 20), "Tidemark", 24, colours["faint"], 200, "rs", True)
    return _png(image)


def _scene(image: Image.Image, game: str, how: Shape, colours: dict[str, str], beside_board: bool) -> None:
    left, top, wide, high = how.scene
    if not beside_board and how.board[1]:  # the scene also takes the room of the board
        top, high = how.board[1], top + high - how.board[1]
    scene = Image.new("RGBA", (wide, high), colours["sky"])
    scene = Image.alpha_composite(scene, paint(themes.scene(game), (320, 160), (wide, high), cover=True))
    image.paste(scene, (left, top), _rounded((wide, high), 0 if left == 0 else 18))


def _rows(image: Image.Image, card: Card, how: Shape, colours: dict[str, str]) -> int:
    """Draw a row for each player, winners on the game's colour; return the height at which the rows end. `how` has the
    measures, and `colours` the game's colours by name."""
    top, bottom, wide = how.rows
    high = min(96 if how.board[1] else 124, (bottom - top + GAP) // len(card.players) - GAP)
    for number, player in enumerate(card.players):
        y = top + number * (high + GAP)
        back, ink = (colours["accent"], colours["on-accent"]) if player.won else (colours["paper"], colours["ink"])
        row = Image.new("RGB", (wide, high), back)
        _row(row, card.game, player, ink)
        image.paste(row, (how.margin, y), _rounded((wide, high), 16))
    return top + len(card.players) * (high + GAP)


def _row(row: Image.Image, game: str, player: Player, ink: str) -> None:
    """Draw a player's rank, token, name, small board and points on the empty picture `row`, in the colour `ink`."""
    wide, high = row.size
    pen, feet, size = ImageDraw.Draw(row), round(high * 0.68), round(high * 0.48)
    write(pen, (18, feet), player.place, round(size * 0.8), ink, high * 0.9)
    disc, left = round(high * 0.68), 18 + round(high * 0.95)
    token = paint(_token(player.avatar, ink), (32, 32), (disc, disc))
    row.paste(token, (left, (high - disc) // 2), token)
    left, right = left + disc + 18, wide - 20
    write(pen, (right, feet), player.total, round(size * 1.2), ink, high * 1.4, "rs", True)
    right -= 40 + round(high * 1.1)
    board = board_image(game, player.board, (round(high * 1.7), high - 8)) if player.board else None
    if board:
        right -= board.size[0]
        row.paste(board, (right, (high - board.size[1]) // 2), board)
    name = player.name if is_legible(player.name) else player.stands_for
    room = right - left - 16
    if fitting(name, size, room)[1].size > size * 0.75:
        write(pen, (left, feet), name, size, ink, room)
    else:
        size = round(size * 0.68)
        write_lines(pen, (left, round(high * 0.42)), wrapped(name, size, room, 2), size, ink, room)


def _winners_board(image: Image.Image, game: str, board: Board, how: Shape, last: int) -> None:
    left, top, wide, bottom = how.board
    top = top or last + 30
    found = board_image(game, board, (wide, bottom - top)) if board else None
    if found:
        image.paste(found, (left + (wide - found.size[0]) // 2, top + (bottom - top - found.size[1]) // 2), found)


def _token(avatar: Avatar, ring: str) -> str:
    colour, figure = avatars.drawing(avatar)
    disc = f'<circle cx="16" cy="16" r="16" fill="{ring}"/><circle cx="16" cy="16" r="14" fill="{colour.disc}"/>'
    shapes = f'<path d="{figure.shapes}" fill="{colour.figure}" fill-rule="evenodd"/>' if figure.shapes else ""
    lines = (
        f'<path d="{figure.lines}" fill="none" stroke="{colour.figure}" stroke-width="2.6"/>' if figure.lines else ""
    )
    return disc + shapes + lines


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a mask with round corners."""
    mask = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH))
    corners = (0, 0, size[0] * SMOOTH - 1, size[1] * SMOOTH - 1)
    ImageDraw.Draw(mask).rounded_rectangle(corners, radius * SMOOTH, 255)
    return mask.reduce(SMOOTH)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    small = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(out, "PNG")
    return out.getvalue()
