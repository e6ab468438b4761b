"""Read the rows and cells of a text table: find its encoding and the separator of its cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from scorer.sentences import say
from webapp.exchange.files import Open, ReadProgress, ignore
from webapp.exchange.import_errors import Refused
from webapp.exchange.tables_out import without_apostrophes

DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?\r?\n?', re.IGNORECASE)  # Excel's own first line
RULE = re.compile(r"[-:=+\s]*")  # a cell of the line below the headings of a Markdown table
LONGEST_LINE = 256 * 1024  # letters
SAMPLE = 200  # rows that show what a column holds
FIRST_LINES = 20  # lines that show the separator
PIECE = 2**20
UTF_8, UTF_16, WESTERN, CENTRAL = "utf-8-sig", "utf-16", "cp1252", "cp1250"
# cp1250 and cp1252 can't be told apart by validity. These Polish letters of cp1250 are signs in cp1252.
POLISH = re.compile(r"[a-z][¹³¿]|[¹³¿œŸ][a-z]", re.IGNORECASE)
NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1f]")
NOT_UTF_8 = say("The file is not UTF-8. In Excel, save it as “CSV UTF-8”.")


def encoding_of(opened: Open) -> str:
    """Return the encoding of a text file: UTF-16 or UTF-8 if valid, else the likelier of cp1252 and cp1250."""
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
    """Raise Refused if the table has more than `most` lines."""
    with opened() as raw, _text(raw, encoding_of(opened)) as text:
        if next(islice(_lines(text, ignore), most, None), ""):
            raise Refused(say("The table has more than {most} rows. Split it.", most=most))


def delimiter_of(opened: Open, encoding: str, known: Callable[[str], bool]) -> str:
    """Return the character that separates the cells of a table. A first line such as "sep=;" names it. Otherwise it is
    the one that gives most headings for which `known` is true, then most rows of equal length."""
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


def rows(opened: Open, encoding: str, delimiter: str, on_read: ReadProgress) -> Iterator[list[str]]:
    """Yield the cells of each row that is not empty, as texts. Apostrophes that our export puts before formulas are
    removed. `on_read` is called after each line, with the number of characters read so far. A broken file raises
    Refused."""
    try:
        with opened() as raw, _text(raw, encoding) as text:
            lines = _lines(text, on_read)
            first = next(lines, "")
            lines = lines if SEPARATOR.fullmatch(first) else chain([first], lines)
            for row in csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True):
                if not all(RULE.fullmatch(cell) for cell in row):
                    yield [without_apostrophes(cell).strip() for cell in row]
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


def _lines(text: io.TextIOWrapper, on_read: ReadProgress) -> Iterator[str]:
    size = 0
    while line := text.readline(LONGEST_LINE):
        size += len(line)
        on_read(size)
        if len(line) == LONGEST_LINE:
            raise Refused(say("A line in the file is longer than {most} characters.", most=LONGEST_LINE))
        yield line.replace("\0", "")
