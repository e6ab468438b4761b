"""Finds the rows and cells of a text table: its encoding, and what separates its cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from scorer.sentences import say
from webapp.exchange.files import Moved, Open, ignore
from webapp.exchange.import_errors import Refused
from webapp.exchange.tables_out import meant

DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?\r?\n?', re.IGNORECASE)  # Excel's own first line
RULE = re.compile(r"[-:=+\s]*")  # a cell of the line below the headings of a Markdown table
LONGEST_LINE = 256 * 1024  # letters
SAMPLE = 200  # rows by which columns are recognised
FIRST_LINES = 20  # by which the separator is recognised
PIECE = 2**20
UTF_8, UTF_16, WESTERN, CENTRAL = "utf-8-sig", "utf-16", "cp1252", "cp1250"
# Older programs of Windows do not say which letters they mean. These Polish ones are signs in Western Europe.
POLISH = re.compile(r"[a-z][¹³¿]|[¹³¿œŸ][a-z]", re.IGNORECASE)
NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1f]")
NOT_UTF_8 = say("The file is not UTF-8. In Excel, save it as “CSV UTF-8”.")


def encoding_of(opened: Open) -> str:
    """Return the encoding: UTF-16 or UTF-8 if it can be, else one of the two that older programs use in Europe."""
    with opened() as raw:
        beginning = raw.read(4096)
        if beginning[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
            return UTF_16
        if beginning.startswith(b"PK\x03\x04"):
            raise Refused(say("This is a spreadsheet. Save it as CSV, then import that."))
        if NO_TEXT.search(beginning):
            raise Refused(NOT_UTF_8)
    if _can_be(opened, UTF_8):
        return UTF_8
    if not _can_be(opened, WESTERN):
        raise Refused(NOT_UTF_8)
    return CENTRAL if POLISH.search(beginning.decode(WESTERN, "replace")) else WESTERN


def _can_be(opened: Open, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with opened() as raw:
            while piece := raw.read(PIECE):
                decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def check_length(opened: Open, most: int) -> None:
    """Refuse a table that has more than so many lines."""
    with opened() as raw, _text(raw, encoding_of(opened)) as text:
        if next(islice(_lines(text, ignore), most, None), ""):
            raise Refused(say("The table has more than {most} rows. Split it.", most=most))


def delimiter_of(opened: Open, encoding: str, known: Callable[[str], bool]) -> str:
    """Return what separates the cells, by how many headings are known then, and how many rows are equally long."""
    with opened() as raw, _text(raw, encoding) as text:
        first = list(islice(_checked(_lines(text, ignore)), FIRST_LINES))
    named = SEPARATOR.fullmatch(first[0]) if first else None
    if named:
        return named[1]

    def rating(delimiter: str) -> tuple[int, int, int]:
        rows = list(csv.reader(first, delimiter=delimiter, skipinitialspace=True))
        widths = [len(row) for row in rows if len(row) > 1]
        usual = max(widths, key=widths.count, default=0)
        return max((sum(map(known, row)) for row in rows), default=0), widths.count(usual), usual

    try:
        return max(DELIMITERS, key=rating)
    except csv.Error as fault:
        raise _broken(fault) from None


def rows(opened: Open, encoding: str, delimiter: str, moved: Moved) -> Iterator[list[str]]:
    """Yield the rows that are not empty, their cells as they were meant."""
    try:
        with opened() as raw, _text(raw, encoding) as text:
            lines = _lines(text, moved)
            first = next(lines, "")
            lines = lines if SEPARATOR.fullmatch(first) else chain([first], lines)
            for row in csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True):
                if not all(RULE.fullmatch(cell) for cell in row):
                    yield [meant(cell).strip() for cell in row]
    except csv.Error as fault:
        raise _broken(fault) from None
    except UnicodeDecodeError:
        raise Refused(NOT_UTF_8) from None


def _text(raw: BinaryIO, encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


def _broken(fault: csv.Error) -> Refused:
    return Refused(say("This is not a CSV file: {fault}.", fault=str(fault)))


def _checked(lines: Iterator[str]) -> Iterator[str]:
    try:
        yield from lines
    except UnicodeDecodeError:
        raise Refused(NOT_UTF_8) from None


def _lines(text: io.TextIOWrapper, moved: Moved) -> Iterator[str]:
    size = 0
    while line := text.readline(LONGEST_LINE):
        size += len(line)
        moved(size)
        if len(line) == LONGEST_LINE:
            raise Refused(say("A line in the file is longer than {most} characters.", most=LONGEST_LINE))
        yield line.replace("\0", "")
