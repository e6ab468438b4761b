"""Errors that say what the server owner has to change before we can continue."""

from __future__ import annotations

from scorer.sentences import Sentence


class Refusal(Exception):
    """It cannot be done; the message says why, and what to do. Commands end with it, in one line."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


class BadSetting(Refusal):
    """A variable of the environment holds something that we cannot go by."""


class BackupError(Refusal):
    """A copy that could not be made, or must not be used."""
