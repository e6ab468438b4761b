"""Run `tidemark score`: score one record, or JSON Lines of any length line by line."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from webapp.cli.terminal import USAGE_ERROR, cannot_read, complain, language

if TYPE_CHECKING:
    from scorer.result import Result

Line = tuple[int, str]  # the number of a line in the file, and its text


def run_score(options: argparse.Namespace) -> int:
    """Print each record's result as soon as it is read. Return 0 if all are legal, 1 if any is not, and USAGE_ERROR if
    the input can't be read."""
    show = as_json if options.json else as_report(options.why)
    all_legal, first = True, True
    try:
        for text, number in records(lines_of(options.file)):
            result = score_of(text, number, not options.totals)
            all_legal = all_legal and result["ok"]
            if not (first or options.json):
                print()
            print(show(result), flush=True)
            first = False
    except Unread as unread:
        complain(cannot_read(options.file, unread.fault))
        return USAGE_ERROR
    return 0 if all_legal else 1


class Unread(Exception):
    """Raised when the input can't be read, to tell this apart from an OSError while printing."""

    def __init__(self, fault: OSError) -> None:
        self.fault = fault


def lines_of(file: str) -> Iterator[Line]:
    """Yield number and text of each line of a file or, for "-", of standard input. Only line feeds end a line."""
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                text = line.decode("utf-8", "replace")
                yield number, text.removeprefix("\ufeff") if number == 1 else text
    except OSError as fault:
        raise Unread(fault) from fault


def records(lines: Iterator[Line]) -> Iterator[tuple[str, int]]:
    """Yield the text of each record and the number of its first line: either each line is a record, or the whole file
    is one.

    Each line is a record if the first line is JSON by itself. The same holds if the first line is only damaged: both
    first lines begin with "{", and the second is JSON.
    """
    written = (line for line in lines if line[1].strip())
    first = next(written, None)
    if first is None:
        yield "", 1
        return
    second = None if is_json(first[1]) else next(written, None)
    read = itertools.chain([first], [second] if second else [], written)
    if second is None or (first[1].startswith("{") and second[1].startswith("{") and is_json(second[1])):
        yield from ((text, number) for number, text in read)
    else:
        yield "".join("\n" * empty + text for text, _, empty in with_gaps(read)), 1


def with_gaps(lines: Iterable[Line]) -> Iterator[tuple[str, int, int]]:
    """Yield each line, its number, and the number of empty lines before it."""
    last = 0
    for number, text in lines:
        yield text, number, number - last - 1
        last = number


def is_json(text: str) -> bool:
    from scorer.jsontext import NotJson, read_json

    try:
        read_json(text)
    except NotJson:
        return False
    return True


def score_of(text: str, number: int, reasons: bool) -> Result:
    from scorer.core import score_text

    return score_text(text, number, reasons)


def as_json(result: Result) -> str:
    return json.dumps(result, ensure_ascii=False)


def as_report(why: bool) -> Callable[[Result], str]:
    """Return the function that turns a result into text for people; `why` adds explanations."""
    from scorer import games
    from scorer.report import as_text

    return lambda result: as_text(games.find(result["game"]), result, why, language())
