"""Define the contract between games and all other code: the classes from a single `Line` to a whole `Game`.

The folder of a game reads, checks and scores its records. It imports this package and the modules below it. Every text
for people is a `Sentence`. There are three kinds of faults:

    fault                              reported as
    the record cannot be read          `load` raises StateError with every Problem that it found
    readable, but not legal            `validate` returns all Problems, and there is no total
    legal, but worth a second look     a Problem of level "warning", which never blocks
"""

from __future__ import annotations

from scorer.contract.game import (
    Better,
    CardInPlay,
    Cards,
    Companion,
    Deal,
    Editor,
    Entry,
    Game,
    Loaded,
    Photo,
    State,
    TypedLines,
    WhatIf,
)
from scorer.contract.inputs import (
    UNKNOWN_LETTER,
    BoardInput,
    Cell,
    Choice,
    ChoiceInput,
    ChoicesInput,
    Count,
    CountsInput,
    DataInput,
    DateInput,
    FlagInput,
    GridInput,
    Input,
    InputWithChoices,
    Json,
    LettersInput,
    NumberInput,
    OrderInput,
    Ruling,
    Section,
    TextInput,
    TilesInput,
    choices_of,
)
from scorer.contract.results import UNKNOWN, Fact, Line, Missing, OpenFact, Problem, Sheet, StateError, Step, TieBreak

__all__ = [
    "UNKNOWN",
    "UNKNOWN_LETTER",
    "Better",
    "BoardInput",
    "CardInPlay",
    "Cards",
    "Cell",
    "Choice",
    "ChoiceInput",
    "ChoicesInput",
    "Companion",
    "Count",
    "CountsInput",
    "DataInput",
    "DateInput",
    "Deal",
    "Editor",
    "Entry",
    "Fact",
    "FlagInput",
    "Game",
    "GridInput",
    "Input",
    "InputWithChoices",
    "Json",
    "LettersInput",
    "Line",
    "Loaded",
    "Missing",
    "NumberInput",
    "OpenFact",
    "OrderInput",
    "Photo",
    "Problem",
    "Ruling",
    "Section",
    "Sheet",
    "State",
    "StateError",
    "Step",
    "TextInput",
    "TieBreak",
    "TilesInput",
    "TypedLines",
    "WhatIf",
    "choices_of",
]
