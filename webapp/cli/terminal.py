"""Print messages of commands, in the language of the environment if there is a catalogue."""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from scorer.sentences import Language, Sentence, Value, into, say
from webapp.language import of_environment

FAILED, USAGE_ERROR = 1, 2


WIDE = 30
EVERY_S = 0.2
WORDS = {
    "checking": say("checking"),
    "saving": say("importing"),
    "stopping": say("undoing"),
    "writing": say("writing"),
    "counting": say("counting"),
    "begun": say("finishing earlier work"),
    "copying": say("copying"),
    "comparing": say("comparing"),
    "converting": say("converting"),
}


class Unusable(SystemExit):
    """Raised when a command cannot do what was asked. The message says why."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(f"tidemark: {localized(message)}")
        self.message = message


@functools.cache
def language() -> Language:
    """Return the language of this command. It is cached, and `main` clears the cache."""
    return of_environment()


def localized(text: Value) -> str:
    """Return the text in this command's language."""
    return into(text, language())


def help_text(text: Sentence) -> str:
    """Return the text in this command's language for argparse, with each % doubled."""
    return localized(text).replace("%", "%%")


# Messages of argparse itself.
OF_ARGPARSE = (
    say("usage: "),
    say("options"),
    say("positional arguments"),
    say("show this help message and exit"),
    say("%(prog)s: error: %(message)s\n"),
    say("argument %(argument_name)s: %(message)s"),
    say("the following arguments are required: %s"),
    say("unrecognized arguments: %s"),
    say("expected one argument"),
    say("not allowed with argument %s"),
    say("invalid %(type)s value: %(value)r"),
    say("invalid choice: %(value)r (choose from %(choices)s)"),
)


@contextmanager
def localized_argparse() -> Iterator[None]:
    """Make argparse print its own messages, such as "usage: ", in this command's language during the block."""
    own = {name: getattr(argparse, name) for name in ("_", "ngettext")}
    vars(argparse).update(_=language().gettext, ngettext=language().ngettext)
    try:
        yield
    finally:
        vars(argparse).update(own)


def out(text: Value) -> None:
    print(localized(text))


def complain(text: Value) -> None:
    print(f"tidemark: {localized(text)}", file=sys.stderr)


def cannot_read(file: str, fault: OSError) -> Sentence:
    return say("can’t use {file}: {fault}.", file=file, fault=fault.strerror or str(fault))


class Bar:
    """Show progress on one line that is overwritten. It prints nothing if the output is no terminal."""

    def __init__(self, to: IO[str] = sys.stderr) -> None:
        self.to, self.shown = to, to.isatty()
        self.last = 0.0

    def __call__(self, state: str, done: int, total: int) -> None:
        moment = time.monotonic()
        if not self.shown or state not in WORDS or (moment - self.last < EVERY_S and done < total):
            return
        self.last = moment
        share = done / total if total else 1.0
        filled = "#" * int(WIDE * min(share, 1.0))
        self.to.write(f"\r[{filled:<{WIDE}}] {min(share, 1.0):4.0%} {localized(WORDS[state])}\033[K")
        self.to.flush()

    def clear(self) -> None:
        if self.shown:
            self.to.write("\r\033[K")
            self.to.flush()
