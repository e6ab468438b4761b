"""A game, and what it may be able to do besides scoring: a capability object for each, None for what it cannot do.

General code receives the `Game` and asks whether it has a capability, never which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorer.contract.inputs import Cell, Count, Input, Json
from scorer.contract.results import Fact, OpenFact, Problem, Sheet, Step
from scorer.sentences import NOTHING, Sentence

if TYPE_CHECKING:
    from scorer.cardbox import CardBox

State = Any  # what a game's `load` returns; only the game's own functions look inside, but for the names of `players`


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record as far as it could be read, once: by `core.load`, for everybody who wants to know something of it.

    `state` is what the game's `load` made of it, with legal stand-ins where something could not be read. Its `players`
    are those of the record, in order.
    """

    record: Json
    state: State
    faults: tuple[Problem, ...] = ()
    confirmed: frozenset[str] = frozenset()  # the questions that somebody has answered with "that is right"
    open: tuple[OpenFact, ...] = ()  # of which every answer has to be tried, as the game itself reads them as known


@dataclass(frozen=True, slots=True)
class TypedLines:
    """Hold what the lines of a score sheet can be that players type instead of a finished board.

    `limits` has the points each rule can bring, and "total" all of them together. `counts` are asked for instead of
    points, and `faults` checks them, as well as what the typed lines of several players cannot be side by side.
    """

    limits: Mapping[str, range] = field(default_factory=dict)
    counts: tuple[Count, ...] = ()
    lines_of: Callable[[State], Collection[str]] | None = None  # the rules that can have a line with the cards in play
    lines_known: Callable[[State], Collection[str]] | None = None  # of these, the ones a form asks for
    faults: Callable[[State], Iterable[Problem]] | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """Help for the pages on which a finished board is entered, all of it optional.

    `guide` returns what the game's own page needs for a player, such as the numbers a bridge still admits. `shows`
    returns what a player's painted boards show (input name -> rows), where the record holds them in another form.
    `open_facts` returns for each player the places, below the player, of facts that matter and were not entered: a page
    says there that they are unknown.
    """

    guide: Callable[[Loaded, int], Json] | None = None
    shows: Callable[[Json, int], Mapping[str, Json]] | None = None
    open_facts: Callable[[State], Sequence[Sequence[str]]] | None = None


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
class Cards:
    """The cards, tiles and pieces in the box; and, if they differ from table to table, those in play by the record."""

    catalogue: tuple[Entry, ...] = ()
    in_play: Callable[[Json], Iterable[CardInPlay]] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """A random choice of what is in the box, for this table's options: a value for each path below the table."""

    draw: Callable[[Loaded], Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Better:
    """The best that one small change would have brought: "swap B2 and C3: 31 instead of 28"."""

    total: int
    cells: tuple[Cell, ...]
    why: Sentence


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The best small change to a player's finished board, None if none would have brought more."""

    best: Callable[[State, int], Better | None]


@dataclass(frozen=True, slots=True)
class Photo:
    """Photos of a board: what reads them, how many squares there are, and what one of them can show.

    `reader` is "package.module:READER", a `vision.contract.GameReader`: a game is scored without it. What it needs,
    such as a network, lies in the same package. Its answers are the `labels`, and nothing else.
    """

    reader: str
    rows: int
    columns: int
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game's identity, its rules, and its capabilities. `GAME` in a game's package is the only name others import."""

    id: str
    name: Sentence
    players: range
    rules: Mapping[str, Sentence]  # line rule -> label, in the order of the score pad
    ladder: tuple[Step, ...]
    load: Callable[[Json], State]  # raises StateError
    dump: Callable[[State], Json]
    validate: Callable[[State], list[Problem]]
    score: Callable[[State], list[Sheet]]
    inputs: tuple[Input, ...]
    # What matters now, given all that is entered: the inputs of player number n, or of the table (None).
    # A game without this asks for all its inputs. Of a player who typed her lines only those in doubt are asked.
    asks: Callable[[Loaded, int | None], tuple[Input, ...]] | None = None
    # Where the table has names of players, as paths below it: "chapel_order/*" is every place of a list (or field of an
    # object), "amounts/{name}" has names as the keys of an object. Notes of the companion stand at "companion/...".
    names: tuple[str, ...] = ()
    # The words for what `needs` may ask for: the rungs of the ladder, and facts that change the points.
    facts: Mapping[str, Fact] = field(default_factory=dict)
    points_depend_on_others: bool = False  # or on the table: totals are not final before everything is entered
    version: str = "1"  # raised when a ruling changes, so that saved games can be scored again
    typed: TypedLines = field(default_factory=TypedLines)
    cards: Cards = field(default_factory=Cards)
    editor: Editor = field(default_factory=Editor)
    companion: Companion | None = None
    cardbox: CardBox | None = None  # cards that the players describe themselves
    deal: Deal | None = None
    what_if: WhatIf | None = None
    photo: Photo | None = None
