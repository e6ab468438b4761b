"""A picture to share, drawn on the server: big figures, facts and a mosaic of days, as a small PNG."""

from webapp.picture.poster import Poster, drawn

__all__ = ["Poster", "drawn"]
