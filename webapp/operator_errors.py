"""Define errors that say what the server owner has to change."""

from __future__ import annotations

from scorer.sentences import Sentence


class Refusal(Exception):
    """Signal that something can't be done; the message says why and what to do. Commands print it and stop."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


class BadSetting(Refusal):
    """Signal that a variable of the environment has an invalid value."""


class BackupError(Refusal):
    """Signal that a copy could not be made or must not be used."""
