"""Define the kinds of input that a form can ask for, one class for each.

    NumberInput("pearls", say("Pearls in the basket"), high=20)
    ChoiceInput("tide", say("Tide"), (Choice("low", say("Low")), Choice("high", say("High"))), section=Section.SETUP)

`name` is the path of the value below the player or the table, such as "plan/achieved".
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import Any, ClassVar

from scorer.sentences import NOTHING, Sentence

Json = Any  # a value as `json.loads` gives it
UNKNOWN_LETTER = "?"  # marks an unknown square in a row of letters
Cell = str  # a square, "A1"; each game says in its docstring how it names its squares


class Section(Enum):
    """Name the part of the form that asks: for each player, for the set-up, or for the table at the end."""

    PLAYER = "player"
    SETUP = "setup"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Choice:
    """Describe one value of an input: its label, a short mark and a colour. A colour always comes with a mark."""

    value: Json
    label: Sentence
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """Describe a field of the form. Each kind of input is one of the subclasses below."""

    kind: ClassVar[str]  # the name of the template that draws it

    name: str
    label: Sentence
    _: KW_ONLY
    section: Section = Section.PLAYER
    default: Json = None
    optional: bool = False  # may be left blank
    forgettable: bool = False  # UNKNOWN is also an answer: nobody remembers
    in_doubt: bool = False  # hidden until `needs` asks for it
    this_game_only: bool = False  # the club's next game begins without it
    is_variant: bool = False  # statistics keep the values of this variant apart
    square: Cell = ""  # the square where a board that `carries` inputs draws this one
    help: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class NumberInput(Input):
    kind = "number"
    low: int = 0
    high: int = 99


@dataclass(frozen=True, slots=True)
class FlagInput(Input):
    """Ask for yes or no, which the record holds as true or false."""

    kind = "flag"


@dataclass(frozen=True, slots=True)
class TextInput(Input):
    kind = "text"


@dataclass(frozen=True, slots=True)
class DateInput(Input):
    """Ask for a day of the year, "MM-DD"."""

    kind = "date"


@dataclass(frozen=True, slots=True)
class InputWithChoices(Input):
    """Offer a list of values to choose from."""

    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceInput(InputWithChoices):
    """Ask for one of several choices."""

    kind = "choice"


@dataclass(frozen=True, slots=True)
class ChoicesInput(InputWithChoices):
    """Ask for any number of the choices; the record holds the list of their values."""

    kind = "choices"


@dataclass(frozen=True, slots=True)
class OrderInput(InputWithChoices):
    """Ask for an order of the players, which the record holds as a list of names.

    `Game.asks` returns the input with the players as its `choices`.
    """

    kind = "order"


@dataclass(frozen=True, slots=True)
class DataInput(InputWithChoices):
    """Ask for a value that only the game's own page can edit; `choices` may offer values for parts of it."""

    kind = "data"


@dataclass(frozen=True, slots=True)
class BoardInput(InputWithChoices):
    """Ask to paint a board of `size` rows and columns with the choices; the first choice is an empty square."""

    _: KW_ONLY
    size: tuple[int, int]
    cells: tuple[tuple[Cell, ...], ...] = ()  # the names of its squares, if not A1 at the top left
    carries: bool = False  # inputs that name their `square` are drawn on this board
    follows_cards: bool = False  # the cards in play decide which card a piece shows, by its tone

    @property
    def pieces(self) -> tuple[Choice, ...]:
        """Return the choices that a square can show, without the choice that marks a square as unknown."""
        return tuple(choice for choice in self.choices if choice.value != UNKNOWN_LETTER)


@dataclass(frozen=True, slots=True)
class GridInput(BoardInput):
    """Ask for a painted board, which the record holds as a list of rows of values."""

    kind = "grid"


@dataclass(frozen=True, slots=True)
class LettersInput(BoardInput):
    """Ask for a painted board, which the record holds as a list of texts with one letter for each square."""

    kind = "letters"


@dataclass(frozen=True, slots=True)
class TilesInput(InputWithChoices):
    """Ask for a row of up to `places` tiles, from left to right.

    A tile is the letter of a choice, followed by a number if it has one: "C56".
    """

    kind = "tiles"
    _: KW_ONLY
    places: int
    high: int = 99


@dataclass(frozen=True, slots=True)
class Count:
    """Describe a line of the score sheet that players enter as a count of pieces worth `each` points.

    A count that is `part_of` another one is included in it: of 5 floors, 2 are all windows.
    """

    rule: str
    label: Sentence
    each: int
    part_of: str = ""
    high: int = 99
    help: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class CountsInput(Input):
    """Ask for several counts. The record holds, by rule, the points that they bring."""

    kind = "counts"
    counts: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """Describe a question that the rulebook leaves to the players, and a sentence for each answer.

    The first of the `options`, each with its id, is the default. `card` is the card that raises the question, if any.
    """

    id: str
    title: Sentence
    sentence: Sentence
    options: tuple[tuple[str, Sentence], ...]
    card: str = ""

    @property
    def default(self) -> str:
        return self.options[0][0]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.options)

    @property
    def input(self) -> ChoiceInput:
        """Return the input that asks for the ruling when a game begins."""
        choices = tuple(Choice(name, sentence) for name, sentence in self.options)
        name = f"rulings/{self.id}"
        return ChoiceInput(name, self.title, choices, section=Section.SETUP, default=self.default, help=self.sentence)


def choices_of(asked: Input) -> tuple[Choice, ...]:
    """Return the choices of an input, or () if its kind has no choices."""
    return asked.choices if isinstance(asked, InputWithChoices) else ()
