"""Read game boards in photos: `read(photo) -> Reading`. The modules in `vision/games` say which games can be read.

decode -> locate -> rectify -> classify, and cards separately. A reading is a proposal that marks its doubts; a person
confirms it. Every `VisionError` becomes a problem of the reading, with advice; no other exception is raised.
"""

from vision.read import read
from vision.reading import Board, Card, Look, Reading, Square, VisionError

__all__ = ["Board", "Card", "Look", "Reading", "Square", "VisionError", "read"]
