"""Reads game boards in photographs: `read(photo) -> Reading`. Which games: those with a module in `vision/games`.

decode -> locate -> rectify -> classify, and cards beside them. What is read is a proposal with its doubts; a person
confirms it. Every `VisionError` becomes a problem of the reading, with advice; nothing else is raised.
"""

from vision.read import read
from vision.reading import Board, Card, Look, Reading, Square, VisionError

__all__ = ["Board", "Card", "Look", "Reading", "Square", "VisionError", "read"]
