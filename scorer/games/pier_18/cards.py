"""Define the printed contents of the box from cards.toml: characters, patron and plan, and their numbers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from scorer.contract import Entry
from scorer.sentences import Sentence, printed, say, say_as

PRINTED = tomllib.loads((Path(__file__).parent / "cards.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Character:
    letter: str
    name: Sentence
    lower: Sentence  # the name within a sentence
    plural: Sentence
    tone: str
    text: Sentence


CHARACTERS = {
    found["letter"]: Character(
        letter=found["letter"],
        name=printed(found["name"]),
        lower=printed(found["lower"]),
        plural=printed(found["plural"]),
        tone=found["tone"],
        text=printed(found["text"]),
    )
    for found in PRINTED["character"]
}
CARDS: dict[int, int] = {int(count): cards for count, cards in PRINTED["cards"].items()}
PATRONS: dict[int, int] = {int(count): patrons for count, patrons in PRINTED["patrons"].items()}
MOST_ON_A_CARD = 6  # sections; our guess, because the real number is not published
LONGEST = MOST_ON_A_CARD * max(CARDS.values())  # sections of a pier
PLAN_POINTS: int = PRINTED["plan_points"]


def catalogue() -> tuple[Entry, ...]:
    characters = [Entry(one.letter, one.name, say_as("symbol", "character"), one.text) for one in CHARACTERS.values()]
    patron = Entry(
        "patron",
        say("Patron"),
        say("scoring"),
        say("The card left over in a round. It joins the pier that scores most for its characters."),
        points=say("{points}", points=1),
    )
    plan = Entry(
        "plan",
        say("Plan"),
        say("scoring"),
        say("The last card of the pier. Its goal can score points, and its date breaks the last tie."),
        points=say("{points}", points=PLAN_POINTS),
    )
    return (*characters, patron, plan)
