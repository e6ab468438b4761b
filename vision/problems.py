"""The problems a photo can have: for each code the sentence that a person reads.

Readings are stored with codes and numbers, and their sentences are made when they are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorer.contract import Problem
from scorer.sentences import Sentence, Value, say

WARNINGS = frozenset({"more_boards", "small", "low", "unsure", "covered", "cut", "no_tesseract", "no_cards"})


def problem(code: str, **values: Value) -> Problem:
    """Return the problem with this code; `values` are what its sentence names."""
    try:
        message = SENTENCES[code](**values)
    except (KeyError, TypeError, ValueError):  # stored by another version
        message = say("This photo could not be read. Send another one.")
    return Problem(code, message, level="warning" if code in WARNINGS else "error")


def too_large(megabytes: Value = 0, megapixels: Value = 0) -> Sentence:
    if megapixels:
        return say(
            "The picture has more than {megapixels} megapixels. Send a smaller copy of it.", megapixels=megapixels
        )
    return say("The file is larger than {megabytes} MB. Send a photo straight from the telephone.", megabytes=megabytes)


def too_small(wide: Value, high: Value) -> Sentence:
    return say(
        "The picture is only {wide} x {high} pixels. Send the photo itself, not its thumbnail.", wide=wide, high=high
    )


MORE_BOARDS = (
    (
        say("There may be another board at the top left."),
        say("There may be another board at the top."),
        say("There may be another board at the top right."),
    ),
    (
        say("There may be another board at the left."),
        say("There may be another board in the middle."),
        say("There may be another board at the right."),
    ),
    (
        say("There may be another board at the bottom left."),
        say("There may be another board at the bottom."),
        say("There may be another board at the bottom right."),
    ),
)


def more_boards(row: Value, column: Value) -> Sentence:
    """Return where another board may be: which third of the picture, from the top and from the left."""
    return MORE_BOARDS[int(row) % 3][int(column) % 3]


def unreadable(reason: Value) -> Sentence:
    return say("The file cannot be opened: {reason}.", reason=reason)


def _always(sentence: Sentence) -> Callable[..., Sentence]:
    return lambda: sentence


SENTENCES: Mapping[str, Callable[..., Sentence]] = {
    "unreadable": unreadable,
    "not_a_photo": _always(say("This file is not a photo we can open. Send a JPEG, PNG, WebP or HEIC picture.")),
    "too_large": too_large,
    "too_small": too_small,
    "damaged": _always(say("The file is damaged or cut short. Send the photo once more.")),
    "bad_corners": _always(say("These four corners cannot be those of a board. Drag each to a corner of the board.")),
    "no_board": _always(
        say(
            "No board was found. Take the photo from higher up, with all four corners of one board and no hand in it. "
            "You can also mark the corners yourself."
        )
    ),
    "small": _always(say("The board is small in the picture. Go closer, so that it fills most of it.")),
    "low": _always(say("The photo was taken from low down. Shoot from higher: pieces hide each other.")),
    "unsure": _always(
        say("This may not be a board, or its corners are wrong. Look at the corners first, and then at every square.")
    ),
    "covered": _always(say("Something lies over a part of the board, perhaps a hand. Take it out of the picture.")),
    "cut": _always(say("A part of the board lies outside the picture. Take in all four corners.")),
    "no_tesseract": _always(
        say("Titles of cards were not read, because tesseract is not installed here. Look over the cards by hand.")
    ),
    "no_cards": _always(
        say("The cards on this photo could not be read within the time and memory we allow. Choose them by hand.")
    ),
    "more_boards": more_boards,
    "too_slow": _always(say("This file would take too long to open. Send the photo as the phone took it.")),
    "broken_reader": _always(say("Photos of this game cannot be read here: its reader has a fault. Tap the board.")),
    "wait": _always(say("Other photos are being read just now. Try again in a few seconds.")),
    "too_hard": _always(
        say("This photo could not be read within the time and memory we allow. Send a smaller or another one.")
    ),
}
