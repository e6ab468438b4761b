"""The contract between the games and everybody else: the shapes they speak in, from a single line to a whole `Game`.

A game is read, checked and scored by its own folder, which imports this module and nothing above it. Whatever a person
reads is a `Sentence`. Three kinds of fault, never mixed:

    what is wrong                     how it is told
    cannot be read                    `load` raises StateError, which carries every Problem met while reading
    readable, but not legal           `validate` returns Problems, all at once; no totals are given
    legal, but worth a second look    a Problem of level "warning", which never blocks
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorer.sentences import NOTHING, Sentence

if TYPE_CHECKING:
    from scorer.cardbox import CardBox

Json = Any  # a value as `json.loads` gives it
Cell = str  # a square, "A1"; each game says in its docstring how it names its squares
UNKNOWN = "unknown"  # stands in a record for a fact that nobody at the table remembers


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, in words a player can act on, and the JSON Pointer of the value it concerns."""

    code: str
    message: Sentence
    where: str = ""
    level: str = "error"


class StateError(ValueError):
    """The record cannot be read. `state` is what could be read all the same, so that it can be checked too."""

    def __init__(self, problems: Iterable[Problem], state: Any = None) -> None:
        self.problems = tuple(problems)
        self.state = state
        super().__init__("; ".join(f"{p.where or '/'}: {p.message}" for p in self.problems))


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the paper score pad.

    `item` is the own name of the card that the line is about, as the record or the box has it, in no language; "" where
    there is none. Histories keep rule and item, never the label.
    """

    rule: str
    label: Sentence
    points: int
    why: Sentence
    cells: tuple[Cell, ...] = ()
    cite: Sentence = NOTHING
    item: str = ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What a player brings to one rung of the ladder; `value` None if nobody has said, `where` to be said.

    UNKNOWN is a value, too: nobody can say, so that this rung decides nothing among those who are tied with her.
    """

    rule: str
    value: int | str | None
    why: Sentence = NOTHING
    where: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that changes the points and that nobody has entered; `where` it belongs.

    `label` asks for it in words where the input alone does not say which of several facts is meant.
    """

    input: str
    player: str
    where: str
    label: Sentence = NOTHING
    worth: int | None = None  # how many points the answer may add to this player's; None if it may move others' too


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's score pad. The total is the sum of its lines and nothing else."""

    player: str
    lines: tuple[Line, ...]
    tiebreaks: tuple[TieBreak, ...] = ()
    needs: tuple[Missing, ...] = ()
    rating: Sentence = NOTHING
    can_win: bool = True  # False if no answer to what is asked would make her the winner

    @property
    def total(self) -> int:
        return sum([line.points for line in self.lines])


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the tie-break ladder: the id, the words for it, and which value wins."""

    rule: str
    label: Sentence
    prefers: str  # "fewest" (also: earliest, first) or "most"
    kind: str = "number"  # how it is asked for: "number" or "date"
    forgettable: bool = False  # a record may say UNKNOWN instead: the next rung decides


@dataclass(frozen=True, slots=True)
class Fact:
    """The words for something a result may ask for: on its own, "Empty squares", and within a sentence."""

    label: Sentence
    within: Sentence


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of an input: its label, a short mark and a colour, never the colour alone."""

    value: Json
    label: Sentence
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the score pad asked for by what players count: so many, each worth so many points.

    A count that is `part_of` another one is included in it: of 5 floors, 2 are all windows.
    """

    rule: str
    label: Sentence
    each: int
    part_of: str = ""
    high: int = 99
    help: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the form. `name` is the path of its value below the player or the table, "plan/achieved".

    Kinds: number, choice, choices (a list), flag, text, date, order (a list of the players' names), and the boards
    that are painted with a palette of choices: grid (rows of values) and letters (rows of one letter a square). Kind
    tiles is a row, from the left, of a letter of the choices each and perhaps a number ("C56"); `size` has its places.
    Kind counts asks for several counts and holds their points by rule. Kind data stands for a value that a page edits
    as a whole.
    """

    name: str
    label: Sentence
    kind: str
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 99
    of: str = "player"  # or "setup" (chosen when the table is laid) or "table" (known at the end)
    size: tuple[int, int] = (0, 0)  # rows and columns of a board
    counts: tuple[Count, ...] = ()
    cells: tuple[tuple[Cell, ...], ...] = ()  # the names of its squares, where they are not A1 at the top left
    default: Json = None
    optional: bool = False  # may be left blank
    forgettable: bool = False  # that nobody remembers it is an answer, too: UNKNOWN
    in_doubt: bool = False  # not shown until `needs` asks for it
    carries: bool = False  # a painted board with inputs of single squares,
    square: Cell = ""  # and the square, for such an input: it is drawn there
    tonight: bool = False  # belongs to this game alone; the club's next table begins without it
    help: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Entry:
    """A card, tile or piece in the game's catalogue, told in our own words."""

    id: str
    name: Sentence
    group: Sentence
    text: Sentence
    pattern: tuple[str, ...] = ()
    points: Sentence = NOTHING
    expansion: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """A card that lay at a table: for everybody, or before the player with that number.

    `id` is that of the catalogue's entry, or the rule and the name it was given ("accolade/Gull keeper"). Its lines are
    those of `rule`, with an `item` only those of that item.
    """

    id: str
    rule: str
    item: str = ""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The best that one small change would have brought: "swap B2 and C3: 31 instead of 28"."""

    total: int
    cells: tuple[Cell, ...]
    why: Sentence


@dataclass(frozen=True, slots=True)
class Companion:
    """Help while the game is still being played.

    Both functions take what is entered so far and the companion's notes, which grow from `blank` and are no part of a
    finished record (drafts keep them at table/companion). They never raise. Nothing asked, nothing offered.
    """

    name: Sentence
    text: Sentence
    asks: Callable[[Loaded, Json], tuple[Input, ...]]
    answer: Callable[[Loaded, Json], Json]  # plain JSON for the game's own page
    blank: Json = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record as far as it could be read, once: by `core.load`, for everybody who wants to know something of it.

    `state` is what the game's `load` made of it, with legal stand-ins where something could not be read. Its `players`
    are those of the record, in order.
    """

    record: Json
    state: Any
    faults: tuple[Problem, ...] = ()
    confirmed: frozenset[str] = frozenset()  # the questions that somebody has answered with "that is right"


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Everything the rest of Tidemark knows of a game."""

    id: str
    name: Sentence
    players: range
    rules: Mapping[str, Sentence]  # line rule -> label, in the order of the score pad
    ladder: tuple[Step, ...]
    load: Callable[[Json], Any]
    dump: Callable[[Any], Json]
    validate: Callable[[Any], list[Problem]]
    score: Callable[[Any], list[Sheet]]
    # Line rule -> the points it can bring, and "total" -> all of them together, for lines that were typed. Those that
    # are counted (`counts`) are checked as they were counted, by `typed_faults`.
    limits: Mapping[str, range] = field(default_factory=dict)
    # The rules that can have a line at this table, for games whose cards are chosen; and what typed lines of several
    # players cannot be side by side.
    lines_of: Callable[[Any], Collection[str]] | None = None
    # Of these, the lines whose cards are known to lie there: what somebody who types her lines is asked for.
    lines_known: Callable[[Any], Collection[str]] | None = None
    typed_faults: Callable[[Any], Iterable[Problem]] | None = None
    version: str = "1"  # raised when a ruling changes, so that saved games can be scored again
    inputs: tuple[Input, ...] = ()
    # What is asked of a player who types her lines; without it, the points of each line.
    counts: tuple[Count, ...] = ()
    catalogue: tuple[Entry, ...] = ()
    # The words for what `needs` may ask for: the rungs of the ladder, and facts that change the points.
    facts: Mapping[str, Fact] = field(default_factory=dict)
    # The inputs of the table that make it another way of playing: statistics keep their values apart.
    variants: tuple[str, ...] = ()
    # Where the table has names of players, as paths below it: "chapel_order/*" is every place of a list (or field of an
    # object), "amounts/{name}" has names as the keys of an object. Notes of the companion stand at "companion/...".
    names: tuple[str, ...] = ()
    # The cards in play at a table, from its record, for games whose cards differ from table to table.
    cards: Callable[[Json], Iterable[CardInPlay]] | None = None
    # What the painted boards of player number n show (input name -> rows), where the record holds them in another form.
    shows: Callable[[Json, int], Mapping[str, Json]] | None = None
    what_if: Callable[[Any, int], WhatIf | None] | None = None
    # What matters now, given all that is entered: the inputs of player number n, or of the table (None).
    # A game without this asks for all its inputs. Of a player who typed her lines only those in doubt are asked.
    asks: Callable[[Loaded, int | None], tuple[Input, ...]] | None = None
    # What the game's own editor page wants to know, such as the numbers a bridge still admits.
    guide: Callable[[Loaded, int], Json] | None = None
    # How many facts are still to be entered for each player. Until they are, nobody can say who won.
    open_counts: Callable[[Any], Sequence[int]] | None = None
    # A random choice of what is in the box, for this table's options: a value for each path below the table.
    deal: Callable[[Loaded], Mapping[str, Json]] | None = None
    companion: Companion | None = None
    cardbox: CardBox | None = None  # for games whose cards the players describe themselves
