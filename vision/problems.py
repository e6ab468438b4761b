"""Define the problems that a photo can have, with a sentence for each code.

Readings are stored with codes and numbers; their sentences are made when they are loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorer.contract import Problem
from scorer.sentences import Sentence, Value, say

WARNINGS = frozenset({"glare", "more_boards", "small", "low", "unsure", "covered", "cut", "no_tesseract", "no_cards"})


def problem(code: str, **values: Value) -> Problem:
    """Return the problem with this code, such as "small"; `values` fill the placeholders of its sentence. If the code
    is unknown or the values don't fit, the sentence is a general one."""
    try:
        message = SENTENCES[code](**values)
    except (KeyError, IndexError, TypeError, ValueError):  # stored by another version
        message = say("We couldn’t read this photo. Send another one.")
    return Problem(code, message, level="warning" if code in WARNINGS else "error")


def too_large(**limit: Value) -> Sentence:
    """Return the sentence that a photo is too large; `limit` is not shown, only stored with the sentence."""
    return say("This photo is too large. Send a smaller one.", **limit)


def too_small(wide: Value, high: Value) -> Sentence:
    return say("This photo has only {wide} × {high} pixels. Send a larger one.", wide=wide, high=high)


def more_boards(row: Value, column: Value) -> Sentence:
    """Return the sentence that there may be another board; `row` and `column` (0 to 2) are not shown, only stored."""
    return say("There may be another board in this photo.", row=row, column=column)


def glare(x: Value, y: Value) -> Sentence:
    """Return the sentence that a lamp is reflected; `x` and `y`, in pixels, are not shown, only stored."""
    return say("Something bright is reflected on the board. Take the photo from another side.", x=x, y=y)


def unreadable(reason: Value) -> Sentence:
    return say("We can’t open this file: {reason}.", reason=reason)


def _always(sentence: Sentence) -> Callable[..., Sentence]:
    return lambda: sentence


NO_PHOTO = say("We can’t open this file. Send a JPEG, PNG, WebP or HEIC photo.")
NO_CARDS = say("We couldn’t read the cards. Check them.")

SENTENCES: Mapping[str, Callable[..., Sentence]] = {
    "unreadable": unreadable,
    "not_a_photo": _always(NO_PHOTO),
    "too_large": too_large,
    "too_small": too_small,
    "damaged": _always(NO_PHOTO),
    "bad_corners": _always(say("These can’t be a board’s corners. Drag each mark to a corner.")),
    "no_board": _always(say("We found no board. Hold the phone higher, or mark the corners by hand.")),
    "small": _always(say("The board is small in this photo. Go closer and take another.")),
    "low": _always(say("Pieces hide each other in this photo. Take one from higher up.")),
    "unsure": _always(say("Is this a board? Check its corners, then every square.")),
    "covered": _always(say("Part of the board is covered. Uncover it, then take another photo.")),
    "cut": _always(say("Part of the board is outside the photo. Keep all corners in view.")),
    "no_tesseract": _always(NO_CARDS),
    "no_cards": _always(NO_CARDS),
    "more_boards": more_boards,
    "glare": glare,
    "too_slow": too_large,
    "broken_reader": _always(say("We can’t read photos of this game. Enter the board instead.")),
    "wait": _always(say("We are reading other photos. Try again in a few seconds.")),
    "too_hard": too_large,
}
