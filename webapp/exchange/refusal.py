"""Why a file cannot be taken in."""

from __future__ import annotations

from scorer.sentences import Sentence


class Refused(ValueError):
    """The file cannot be taken in; the message says why."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message
