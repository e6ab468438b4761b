"""Define a game and what it can do besides scoring: one object for each capability, None where it has none.

General code asks whether a `Game` has a capability, never which game it is.
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

State = Any  # what a game's `load` returns; other code uses only its `players` and their names


@dataclass(frozen=True, slots=True)
class Loaded:
    """Hold a record that `core.load` has read, so that no other code has to read it again.

    `state` is what the game's `load` returned, with legal stand-ins where something could not be read. Its `players`
    are those of the record, in order.
    """

    record: Json
    state: State
    faults: tuple[Problem, ...] = ()
    confirmed: frozenset[str] = frozenset()  # the questions that somebody confirmed
    open: tuple[OpenFact, ...] = ()  # open facts that the game cannot read itself, so every answer is tried


@dataclass(frozen=True, slots=True)
class TypedLines:
    """Describe the lines whose points players may enter by hand instead of a finished board. `limits` has the points
    that each line can bring, by rule, and those of "total". For lines in `counts`, forms ask for a number of pieces.
    `faults` checks counts, and finds lines of several players that contradict each other."""

    limits: Mapping[str, range] = field(default_factory=dict)
    counts: tuple[Count, ...] = ()
    lines_of: Callable[[State], Collection[str]] | None = None  # the rules that can have a line with the cards in play
    lines_known: Callable[[State], Collection[str]] | None = None  # the rules among `lines_of` that a form asks for
    faults: Callable[[State], Iterable[Problem]] | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """Help the pages on which a finished board is entered; every field is optional.

    `guide` returns what the game's own page needs for a player, such as the numbers that a bridge still allows. It also
    gets the part of the page that is open, as a button names it, or "". `options` returns what the game's own
    set-up page needs. `shows` returns the rows of each painted board of a player, by input. It is needed if the record
    holds boards in another form. `open_facts` returns, for each player, the paths of facts that matter and are not
    entered yet.
    """

    guide: Callable[[Loaded, int, str], Json] | None = None
    options: Callable[[Loaded], Json] | None = None
    shows: Callable[[Json, int], Mapping[str, Json]] | None = None
    open_facts: Callable[[State], Sequence[Sequence[str]]] | None = None


@dataclass(frozen=True, slots=True)
class Companion:
    """Help players while the game is still being played.

    `asks` returns the inputs that the page shows now. `answer` returns the help as JSON for the game's own page. Both
    take the unfinished record and the notes, and never raise an exception. The notes are what players enter for the
    companion, and start as `blank`. An unfinished record has them at table/companion; a finished record has none. Pages
    do not offer a companion that asks for nothing.
    """

    name: Sentence
    text: Sentence
    asks: Callable[[Loaded, Json], tuple[Input, ...]]
    answer: Callable[[Loaded, Json], Json]  # JSON for the game's own page
    blank: Json = None


@dataclass(frozen=True, slots=True)
class Entry:
    """Describe a card, tile or piece of the catalogue in our own words."""

    id: str
    name: Sentence
    group: Sentence
    text: Sentence
    pattern: tuple[str, ...] = ()
    points: Sentence = NOTHING
    expansion: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """Name a card that was used at a table, by everybody or by the player in one seat.

    `id` is the id of a catalogue entry, or the rule and the card's own name ("accolade/Gull keeper"). All lines with
    its `rule` belong to the card or, if it has an `item`, only those with this item.
    """

    id: str
    rule: str
    item: str = ""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """List the cards and pieces of a game in `catalogue`, and find those that were used in a record.

    `in_play` takes a record and returns its cards. It is None if every play of the game uses the same cards.
    """

    catalogue: tuple[Entry, ...] = ()
    in_play: Callable[[Json], Iterable[CardInPlay]] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Hold `draw`, which takes a table that is being set up and returns random cards for it. They are keyed by path
    below the table, such as "cards/yellow"."""

    draw: Callable[[Loaded], Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Better:
    """Hold the best result that one small change would have brought: "swap B2 and C3: 31 instead of 28". `total` is the
    31, `cells` are the changed squares, and `why` says it in words."""

    total: int
    cells: tuple[Cell, ...]
    why: Sentence


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Hold `best`, which returns the best small change to a player's finished board, or None if none brings more."""

    best: Callable[[State, int], Better | None]


@dataclass(frozen=True, slots=True)
class Photo:
    """Describe photos of a board: their reader, the rows and columns, and what a square can show.

    `reader` is "package.module:READER", a `vision.contract.GameReader`, which scoring never imports. The package also
    contains what the reader needs, such as a neural network. The reader answers with `labels` only.
    """

    reader: str
    rows: int
    columns: int
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Define a game: its identity, rules and capabilities. Other code imports only `GAME` from its package."""

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
    # Returns the inputs that matter now for the player in this seat, or for the table (None).
    # Without it, a form asks for all inputs. Players who typed their lines are asked only for inputs in doubt.
    asks: Callable[[Loaded, int | None], tuple[Input, ...]] | None = None
    # The paths below the table that hold names of players: "chapel_order/*" is every place of a list (or field of an
    # object), "amounts/{name}" has names as the keys of an object. Notes of the companion are at "companion/...".
    names: tuple[str, ...] = ()
    # The words for everything that `needs` may ask for: tie-breaks, and facts that change the points.
    facts: Mapping[str, Fact] = field(default_factory=dict)
    points_depend_on_others: bool = False  # or on the table; then totals are not final before everything is entered
    version: str = "1"  # raised when a ruling changes, so that saved games can be scored again
    typed: TypedLines = field(default_factory=TypedLines)
    cards: Cards = field(default_factory=Cards)
    editor: Editor = field(default_factory=Editor)
    companion: Companion | None = None
    cardbox: CardBox | None = None  # cards that the players describe themselves
    deal: Deal | None = None
    what_if: WhatIf | None = None
    photo: Photo | None = None
