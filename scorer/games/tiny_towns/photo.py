"""Describe photos of a town: what its squares can show. The reader is in `vision`."""

from scorer.contract import Photo

PHOTO = Photo(
    reader="vision.games.tiny_towns:READER",
    rows=4,
    columns=4,
    labels=(
        "empty", "cottage", "farm", "well", "chapel", "tavern", "theater", "factory", "monument",
        "cube_wood", "cube_wheat", "cube_brick", "cube_glass", "cube_stone",
    ),
)  # fmt: skip
