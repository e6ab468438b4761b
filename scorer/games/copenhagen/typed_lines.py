"""Refuse points entered by hand that no house can have (rulebook, "Houses" and "Score points")."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Count, Problem
from scorer.games.copenhagen.facade import COLUMNS, FLOORS
from scorer.games.copenhagen.state import State
from scorer.record import Typed
from scorer.sentences import Sentence, in_sentences, say, say_count

Found = Iterator[Problem]

# Players count the finished sections, and how many of these are all windows.
COUNTS = (
    Count("floors", say("Finished floors"), 1, high=FLOORS),
    Count("window_floors", say("Floors that are all windows"), 2, part_of="floors", high=FLOORS),
    Count("columns", say("Finished columns"), 2, high=COLUMNS),
    Count("window_columns", say("Columns that are all windows"), 4, part_of="columns", high=COLUMNS),
)
COATS = 7  # special actions that a house can earn, each for a special tile
LARGEST = 5  # tiles of five spaces, one of each colour
EACH = {count.rule: count.each for count in COUNTS}


def typed_faults(state: State) -> Found:
    """Yield a problem for each fault in the score lines that players entered by hand."""
    for index, player in enumerate(state.players):
        if isinstance(player, Typed):
            faults = [*lines_alone(player, f"/players/{index}")]
            yield from faults or lines_together(player, f"/players/{index}")


def lines_alone(player: Typed, where: str) -> Found:
    """Yield a problem for each line whose points are no multiple of those for one floor or column. `where` is the JSON
    Pointer of the player, who entered the points by hand."""
    for count in COUNTS:
        points = player.of(count.rule) or 0
        if points % count.each:
            message: Sentence = say(
                "Each of these scores {each} points, so {points} is not possible here.",
                each=count.each,
                points=points,
            )
            if 0 < points <= count.high:
                question = say("If you have {points} of them, enter {more}.", points=points, more=count.each * points)
                message = in_sentences([message, question])
            yield Problem("bad_number", message, f"{where}/typed/{count.rule}")


def lines_together(player: Typed, where: str) -> Found:
    """Yield a problem for each conflict between the floors and columns that a player entered by hand. Floors and
    columns of windows count as finished too; `where` is the JSON Pointer of the player."""
    mixed_floors, window_floors, mixed_columns, window_columns = (
        (player.of(rule) or 0) // each for rule, each in EACH.items()
    )
    floors, columns = mixed_floors + window_floors, mixed_columns + window_columns
    faults = [
        *too_many("floors", floors, window_floors, FLOORS, where),
        *too_many("columns", columns, window_columns, COLUMNS, where),
    ]
    yield from faults
    if not faults:
        yield from full_or_not(floors, columns, where)
        if (floors, columns) == (FLOORS, COLUMNS) and (mixed_floors == 0) != (mixed_columns == 0):
            message = say("If every floor is all windows, every column is too. Check both lines.")
            yield Problem("bad_number", message, f"{where}/typed/window_floors")
        elif not has_bricks(window_floors, window_columns, max(mixed_floors, mixed_columns)):
            message = say(
                "Every coloured tile has brickwork, but these lines leave too little space for it. Are they right?"
            )
            yield Problem("not_buildable", message, f"{where}/typed/window_floors", "warning")
        yield from empty_spaces(player, floors, columns, where)


def has_bricks(window_floors: int, window_columns: int, least: int) -> bool:
    """Return whether a house has room for the brickwork of all tiles that its windows need. The house has at least
    `least` spaces of brickwork, and each coloured tile has one. Each colour has one tile of four windows, and all
    others have three at most; special tiles are single windows."""
    windows = COLUMNS * window_floors + FLOORS * window_columns - window_floors * window_columns
    bricks = range(least, COLUMNS * FLOORS - windows + 1)
    return any(windows <= COATS + 3 * number + min(number, LARGEST) for number in bricks)


def too_many(rule: str, number: int, of_windows: int, most: int, where: str) -> Found:
    if number < 0 or of_windows < 0:
        at = f"window_{rule}" if of_windows < 0 else rule
        yield Problem("bad_number", say("Enter 0 or more."), f"{where}/typed/{at}")
    elif number > most:
        message = (
            say("A house has only {most} floors. You entered {number}.", most=most, number=number)
            if rule == "floors"
            else say("A house has only {most} columns. You entered {number}.", most=most, number=number)
        )
        yield Problem("bad_number", message, f"{where}/typed/{rule}")
    elif of_windows > number:
        at = f"{where}/typed/window_{rule}"
        yield Problem("bad_number", too_many_windows(rule, number, of_windows), at)


def too_many_windows(rule: str, number: int, of_windows: int) -> Sentence:
    """Say that only `number` floors or columns are finished, fewer than the `of_windows` that are all windows. `rule`
    is "floors" or "columns"."""
    if rule == "floors":
        return say_count(
            "Only {n} floor is finished, so {windows} can’t be all windows.",
            "Only {n} floors are finished, so {windows} can’t be all windows.",
            number,
            windows=of_windows,
        )
    return say_count(
        "Only {n} column is finished, so {windows} can’t be all windows.",
        "Only {n} columns are finished, so {windows} can’t be all windows.",
        number,
        windows=of_windows,
    )


def full_or_not(floors: int, columns: int, where: str) -> Found:
    """Yield a problem if all floors are finished but not all columns, or the other way round. No house allows that.
    `floors` and `columns` are the numbers of finished ones, and `where` is the JSON Pointer of the player."""
    if floors == FLOORS and columns < COLUMNS:
        message = say(
            "If all {floors} floors are finished, all {columns} columns are finished too. Check both.",
            floors=FLOORS,
            columns=COLUMNS,
        )
        yield Problem("bad_number", message, f"{where}/typed/columns")
    elif columns == COLUMNS and floors < FLOORS:
        message = say(
            "If all {columns} columns are finished, all {floors} floors are finished too. Check both.",
            floors=FLOORS,
            columns=COLUMNS,
        )
        yield Problem("bad_number", message, f"{where}/typed/floors")


def empty_spaces(player: Typed, floors: int, columns: int, where: str) -> Found:
    """Yield a problem if the number of empty spaces that a player entered is impossible. One that does not fit the
    finished floors and columns only gives a question. `where` is the JSON Pointer of the player."""
    empty = dict(player.facts).get("empty_spaces")
    if not isinstance(empty, int):
        return
    least, most = max(FLOORS - floors, COLUMNS - columns), (FLOORS - floors) * (COLUMNS - columns)
    if empty > COLUMNS * FLOORS:
        message = say(
            "A house has only {spaces} spaces, so {empty} can’t be empty.", spaces=COLUMNS * FLOORS, empty=empty
        )
        yield Problem("bad_number", message, f"{where}/empty_spaces")
    elif empty > most:
        message = say(
            "These finished floors and columns leave at most {most} empty spaces. You entered {empty}.",
            most=most,
            empty=empty,
        )
        yield Problem("bad_number", message, f"{where}/empty_spaces", "warning")
    elif empty < least:
        message = say(
            "With these unfinished floors and columns, at least {least} spaces are empty. You entered {empty}.",
            least=least,
            empty=empty,
        )
        yield Problem("bad_number", message, f"{where}/empty_spaces", "warning")
