"""Draw pictures to share as small PNGs: the result of a game, and a poster of a year."""

from webapp.picture.boards import Board, Placed, Square, rows_of
from webapp.picture.card import SHAPES, Card, Player
from webapp.picture.card import draw_card as drawn_card
from webapp.picture.poster import Poster, draw_poster

__all__ = ["SHAPES", "Board", "Card", "Placed", "Player", "Poster", "Square", "draw_poster", "drawn_card", "rows_of"]
