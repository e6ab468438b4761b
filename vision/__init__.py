"""Reads Tiny Towns boards in photographs: `read(photo) -> Reading`.

decode -> locate -> rectify -> classify, and cards beside them. What is read is a proposal with its doubts; a person
confirms it. Every `VisionError` becomes a problem of the reading, with advice; nothing else is raised.
"""

from vision.read import read, warm
from vision.reading import Board, Card, Problem, Reading, Square, VisionError

__all__ = ["Board", "Card", "Problem", "Reading", "Square", "VisionError", "read", "warm"]
