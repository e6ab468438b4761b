"""The kinds of input that a form can ask for, one class for each.

    NumberInput("pearls", say("Pearls in the basket"), high=20)
    ChoiceInput("tide", say("Tide"), (Choice("low", say("Low")), Choice("high", say("High"))), section=Section.SETUP)

`name` is the path of the value below the player or the table, "plan/achieved".
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import Any, ClassVar

from scorer.sentences import NOTHING, Sentence

Json = Any  # a value as `json.loads` gives it
UNKNOWN_LETTER = "?"  # stands in a row of letters for a square of which nobody knows what is on it
Cell = str  # a square, "A1"; each game says in its docstring how it names its squares


class Section(Enum):
    """The part of the form that asks: of each player, when the game begins, or of the table at its end."""

    PLAYER = "player"
    SETUP = "setup"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Choice:
    """Describe one value of an input: its label, a short mark and a colour, never the colour alone."""

    value: Json
    label: Sentence
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the form, whatever its kind. Use one of the classes below."""

    kind: ClassVar[str]  # the name of the template that draws it

    name: str
    label: Sentence
    _: KW_ONLY
    section: Section = Section.PLAYER
    default: Json = None
    optional: bool = False  # may be left blank
    forgettable: bool = False  # UNKNOWN is an answer, too: nobody remembers
    in_doubt: bool = False  # hidden until `needs` asks for it
    this_game_only: bool = False  # the club's next game begins without it
    is_variant: bool = False  # another way of playing: statistics keep its values apart
    square: Cell = ""  # the square of a board that `carries` inputs: it is drawn there
    help: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class NumberInput(Input):
    """A whole number."""

    kind = "number"
    low: int = 0
    high: int = 99


@dataclass(frozen=True, slots=True)
class FlagInput(Input):
    """Yes or no: true or false in the record."""

    kind = "flag"


@dataclass(frozen=True, slots=True)
class TextInput(Input):
    """A line of text."""

    kind = "text"


@dataclass(frozen=True, slots=True)
class DateInput(Input):
    """A day of the year, "MM-DD"."""

    kind = "date"


@dataclass(frozen=True, slots=True)
class InputWithChoices(Input):
    """An input whose values are chosen from a list."""

    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceInput(InputWithChoices):
    """Ask for one of several choices."""

    kind = "choice"


@dataclass(frozen=True, slots=True)
class ChoicesInput(InputWithChoices):
    """Any number of the choices: the list of their values."""

    kind = "choices"


@dataclass(frozen=True, slots=True)
class OrderInput(InputWithChoices):
    """An order of the players: the list of their names. `asks` gives their names as choices."""

    kind = "order"


@dataclass(frozen=True, slots=True)
class DataInput(InputWithChoices):
    """A value that the game's own page edits as a whole, perhaps with choices for its parts."""

    kind = "data"


@dataclass(frozen=True, slots=True)
class BoardInput(InputWithChoices):
    """A board of `size` rows and columns, painted with the choices; the first choice is an empty square."""

    _: KW_ONLY
    size: tuple[int, int]
    cells: tuple[tuple[Cell, ...], ...] = ()  # the names of its squares, if not A1 at the top left
    carries: bool = False  # inputs of single squares, which name their `square`, are drawn on it
    follows_cards: bool = False  # a piece stands for the card of its tone: other cards in play repaint the board

    @property
    def pieces(self) -> tuple[Choice, ...]:
        """Return the choices that a square can really show."""
        return tuple(choice for choice in self.choices if choice.value != UNKNOWN_LETTER)


@dataclass(frozen=True, slots=True)
class GridInput(BoardInput):
    """A painted board, held as a list of rows of values."""

    kind = "grid"


@dataclass(frozen=True, slots=True)
class LettersInput(BoardInput):
    """A painted board, held as a list of texts with one letter for each square."""

    kind = "letters"


@dataclass(frozen=True, slots=True)
class TilesInput(InputWithChoices):
    """A row of up to `places` tiles, from the left: the letter of a choice and perhaps a number, "C56"."""

    kind = "tiles"
    _: KW_ONLY
    places: int
    high: int = 99


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the score sheet that is entered as a count: so many, each worth so many points.

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
    """Several counts; the record holds the points that they bring, by rule."""

    kind = "counts"
    counts: tuple[Count, ...] = ()


def choices_of(asked: Input) -> tuple[Choice, ...]:
    """Return the choices of an input, none for kinds that have none."""
    return asked.choices if isinstance(asked, InputWithChoices) else ()
