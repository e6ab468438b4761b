"""What the commands say, in the language of the environment as far as a catalogue exists."""

from __future__ import annotations

import functools
import sys

from scorer.sentences import Language, Sentence, Value, into, say
from webapp.language import of_environment

FAILED, USAGE_ERROR = 1, 2


class Unusable(SystemExit):
    """A command cannot do what it was asked for; the message says why."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(f"tidemark: {spoken(message)}")
        self.message = message


@functools.cache
def language() -> Language:
    """The language that this command speaks; `main` looks for it anew."""
    return of_environment()


def spoken(text: Value) -> str:
    """The text as it is said here."""
    return into(text, language())


def help_text(text: Sentence) -> str:
    """The text for argparse, which takes % for a place to fill."""
    return spoken(text).replace("%", "%%")


def out(text: Value) -> None:
    print(spoken(text))


def complain(text: Value) -> None:
    print(f"tidemark: {spoken(text)}", file=sys.stderr)


def cannot_read(file: str, fault: OSError) -> Sentence:
    return say("cannot read {file}: {reason}", file=file, reason=fault.strerror or str(fault))
