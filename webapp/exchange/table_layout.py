"""Find the layout of a text table: the role of each column, and the order of day and month in dates."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

from scorer.contract import Json
from scorer.sentences import Sentence, in_a_row, say
from webapp.exchange import table_cells, table_dates
from webapp.exchange.files import Open, ReadProgress
from webapp.exchange.foreign import whole
from webapp.exchange.import_errors import Refused
from webapp.exchange.table_words import NOTHING, WORDS, folded_sign, folded_word
from webapp.exchange.tables_out import LINES

# The roles of columns, as the page names them.
ROLES: dict[str, Sentence] = {
    "": say("Skip"),
    "play": say("Number of the game"),
    "date": say("Date"),
    "game": say("Title of the game"),
    "player": say("Player"),
    "total": say("Total"),
    "winner": say("Winner"),
    "rank": say("Rank"),
    "place": say("Location"),
    "minutes": say("Minutes"),
    "notes": say("Notes"),
    "variant": say("Variant"),
    "named": say("Total of the player in the heading"),
}
ENCODINGS: dict[str, Sentence] = {  # of files that are not Unicode
    table_cells.WESTERN: say("Western Europe"),
    table_cells.CENTRAL: say("Central Europe"),
}
ORDERS: dict[str, Sentence] = {
    table_dates.DAY: say("Day first: 3/4 is 3 April"),
    table_dates.MONTH: say("Month first: 3/4 is March 4"),
}
UNCLEAR = "?"  # somebody has to choose the role of the column
OF_LINES = ("rule", "label", "points", "position")
OF_PLAYERS = ("player", "total", "rank", "winner")  # a table may have such a column for each player
MOST_COLUMNS = 200
FIRST_ROWS = 10  # among which we look for the headings
NUMBERED = re.compile(r"^(.*?)\s?(\d{1,2})\b(.*)$")
IN_BRACKETS = re.compile(r"\([^)]*\)|\[[^]]*\]")
ORDINAL = re.compile(r"([1-9][0-9]{0,2}) ?(?:st|nd|rd|th|er|ere|e|eme|o|a|de|ste)?")


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold how a text table is to be read: encoding, separator, and a role for each column."""

    encoding: str
    delimiter: str
    skipped: int  # rows before the first game
    headings: tuple[str, ...]
    roles: tuple[str, ...]
    dates: str = ""

    @classmethod
    def from_json(cls, value: Json) -> Layout:
        return cls(**{**value, "headings": tuple(value["headings"]), "roles": tuple(value["roles"])})

    def to_json(self) -> Json:
        return asdict(self)

    def columns(self, role: str) -> list[int]:
        """Return the numbers of the columns with this role, in the order of the numbers in their headings."""
        return list(_columns(self.headings, self.roles, role))

    @property
    def is_of_lines(self) -> bool:
        return "rule" in self.roles

    @property
    def is_wide(self) -> bool:
        """Return whether each row holds a whole game, with columns for each player."""
        return "named" in self.roles or len(self.columns("player")) > 1

    def missing(self) -> list[str]:
        """Return the roles that the table needs and no column has."""
        needed = ["date"] if "named" in self.roles else ["date", "player", "total"]
        needed += ["points", "winner"] if self.is_of_lines else []  # somebody without lines could have won
        return [role for role in needed if role not in self.roles]

    def twice(self) -> list[str]:
        """Return the roles that too many columns have, or that can't be combined with another column's role."""
        counts = Counter(self.roles)
        single = {*ROLES, *OF_LINES} - {"", UNCLEAR, "named", *(OF_PLAYERS if self.is_wide else ())}
        players = 1 if "named" in self.roles else counts["player"]
        uneven = {role for role in OF_PLAYERS if self.is_wide and counts[role] not in {0, 1, players}}
        clash = {role for role in ("player", "total", "rank") if "named" in self.roles and counts[role]}
        if self.is_wide and "named" not in self.roles and counts["total"] == 1:
            uneven.add("total")
        return sorted({role for role in single if counts[role] > 1} | uneven | clash)

    def fault(self) -> Refused | None:
        """Return the error that says why nothing can be read with this layout, or None if something can."""
        if missing := self.missing():
            words = say("The first row must name the columns. Missing: {columns}.", columns=in_a_row(missing))
        elif twice := self.twice():
            words = say("Only one column can be “{columns}”.", columns=in_a_row(twice))
        elif UNCLEAR in self.roles:
            unclear = [heading for heading, role in zip(self.headings, self.roles, strict=True) if role == UNCLEAR]
            words = say("Choose a column for each of these: {columns}.", columns=in_a_row(unclear))
        elif self.dates == table_dates.ASK:
            words = say("Is 3/4/2026 in March or April? Choose day first or month first.")
        else:
            return None
        return Refused(words)


@functools.lru_cache(256)
def _columns(headings: tuple[str, ...], roles: tuple[str, ...], role: str) -> tuple[int, ...]:
    found = [column for column, one in enumerate(roles) if one == role]
    return tuple(sorted(found, key=lambda column: (_numbered(headings[column])[1], column)))


def of(opened: Open, on_read: ReadProgress, wish: Mapping[str, Json]) -> Layout:
    """Return the layout of the table in a file. `wish` has the "roles", "encoding" or order of "dates" that people have
    chosen; all else is guessed. `on_read` is called after each line, with the number of characters read so far."""
    encoding = table_cells.encoding_of(opened)
    if encoding in (table_cells.WESTERN, table_cells.CENTRAL):
        encoding = wish["encoding"] if wish.get("encoding") in ENCODINGS else encoding
    delimiter = table_cells.delimiter_of(opened, encoding, lambda cell: bool(_words_of(cell)))
    sample = list(islice(table_cells.rows(opened, encoding, delimiter, lambda _: None), table_cells.SAMPLE))
    at = _row_of_headings(sample)
    headings = (
        sample[at] if at is not None else [f"#{number}" for number, _ in enumerate(sample[0] if sample else [], 1)]
    )
    skipped = 0 if at is None else at + 1
    if len(headings) > MOST_COLUMNS:
        raise Refused(say("The table has more than {most} columns.", most=MOST_COLUMNS))
    roles = wish.get("roles") or _roles(headings, sample[skipped:])
    if len(roles) != len(headings):
        raise Refused(say("The file has changed. Import it again."))
    found = Layout(encoding, delimiter, skipped, tuple(headings), tuple(roles))
    if len(headings) < 2 or len(sample) <= skipped or (found.is_of_lines and found.fault()):
        raise found.fault() or Refused(say("The table has no rows."))
    dates = [found.columns("date")[0]] if "date" in roles else []
    every = islice(table_cells.rows(opened, encoding, delimiter, on_read), skipped, None)
    order = table_dates.order_of(
        (row[column] for row in every for column in dates if column < len(row)), wish.get("dates", "")
    )
    return Layout(encoding, delimiter, skipped, tuple(headings), tuple(roles), order)


def _row_of_headings(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the row of headings: among the first rows, the one with most known words.

    Without known words this is the first row, or None if that row has a date or a number.
    """
    first = rows[:FIRST_ROWS]
    has_value = [any(whole(cell) is not None or table_dates.readings(cell) for cell in row) for row in first]
    known = [
        0 if is_value else sum(bool(_words_of(cell)) for cell in row)
        for row, is_value in zip(first, has_value, strict=True)
    ]
    if max(known, default=0) > 0:
        return known.index(max(known))
    return None if has_value and has_value[0] else 0 if first else None


def _words_of(heading: str) -> dict[str, int]:
    """Return each role that a column's heading can name, with its place in the list of words for the role."""
    tidy = folded_word(heading)
    forms = (tidy, _numbered(heading)[0], folded_word(IN_BRACKETS.sub(" ", heading)))
    found: dict[str, int] = {}
    for role, words in WORDS["headings"].items():
        places = [words.index(form) for form in forms if form in words]
        if places:
            found[role] = places[0]
    return found


def _numbered(heading: str) -> tuple[str, int]:
    """Return the heading without the number in it, and that number: "Player 2 score" gives "player score" and 2."""
    found = NUMBERED.match(folded_word(heading))
    return (" ".join((found[1] + " " + found[3]).split()), int(found[2])) if found else (folded_word(heading), 0)


def _roles(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    small = [folded_word(heading) for heading in headings]
    if {"rule", "points"} <= set(small):
        return [one if one in LINES else "" for one in small]
    cells = [[row[column] for row in rows if column < len(row) and row[column]] for column in range(len(headings))]
    named = [_role(heading, column) for heading, column in zip(headings, cells, strict=True)]
    roles = [role for role, _ in named]
    for role in {*roles} - {""}:
        _keep_best(role, roles, named, headings)
    if "player" not in roles:
        _name_players(roles, headings, cells)
    return roles


def _role(heading: str, cells: Sequence[str]) -> tuple[str, int]:
    """Return the role that a column's heading names, and its place in the list of words for the role. The role is "" if
    the heading is unknown. The `cells` decide if it could be a rank or a place."""
    found = _words_of(heading)
    if {"rank", "place"} <= set(found):
        del found["place" if any(rank_of(cell) for cell in cells) else "rank"]
    return next(iter(found.items()), ("", 0))


def _keep_best(role: str, roles: list[str], named: Sequence[tuple[str, int]], headings: Sequence[str]) -> None:
    """Take the role `role` away from all columns that have it, except the best. If each player may have such a column,
    all with a number in their heading keep it. Otherwise the best-known heading keeps it; `named` has its place in
    the list of known words by column."""
    columns = [column for column, one in enumerate(roles) if one == role]
    numbered = [column for column in columns if _numbered(headings[column])[1]]
    if role in OF_PLAYERS and len(numbered) > 1:
        best_columns = numbered
    else:
        best = min(named[column][1] for column in columns)
        best_columns = [column for column in columns if named[column][1] == best]
    for column in columns:
        if column not in best_columns:
            roles[column] = ""


def _name_players(roles: list[str], headings: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Give columns without a role the role "named": their heading is a player's name, their cells are totals. `cells`
    has the cells of each column. Do nothing unless one of them has numbers. A column with words only stays unclear:
    it may be a player whose total we can't read."""
    free = [number for number, role in enumerate(roles) if not role]
    others = [number for number in free if folded_word(headings[number]) not in WORDS["ignored"]["headings"]]
    has_number = {
        number for number in others if headings[number] and any(whole(one) is not None for one in cells[number])
    }
    for number in others if has_number else ():
        filled = [cell for cell in cells[number] if folded_sign(cell) not in NOTHING]
        if headings[number]:
            roles[number] = "named" if number in has_number or not filled else UNCLEAR
        elif filled and number:  # a first column without a heading has row numbers
            roles[number] = UNCLEAR
    for number, role in enumerate(roles):
        if has_number and role in ("total", "rank"):
            roles[number] = UNCLEAR


def rank_of(text: str) -> int | None:
    """Return the rank in a cell such as 1, 1.0, 1st, #1 or 1º, or None."""
    if (number := whole(text)) is None:
        found = ORDINAL.fullmatch(folded_word(text))
        number = int(found[1]) if found else 0
    return number if 1 <= number <= 100 else None
