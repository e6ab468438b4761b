"""The contract between the games and everybody else: the shapes they speak in, from a single line to a whole `Game`.

A game is read, checked and scored by its own folder, which imports this package and what stands below it. Whatever a
person reads is a `Sentence`. Three kinds of fault, never mixed:

    what is wrong                     how it is told
    cannot be read                    `load` raises StateError, which carries every Problem met while reading
    readable, but not legal           `validate` returns Problems, all at once; no totals are given
    legal, but worth a second look    a Problem of level "warning", which never blocks
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
