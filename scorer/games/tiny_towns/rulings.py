"""List the choices that the cards leave to the players, `table.rulings`. The first option is the default."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.contract import Ruling
from scorer.sentences import say

RULINGS = (
    Ruling(
        # Removing cubes first would make every Blacksmith score and its condition meaningless, so the card comes first.
        "blacksmith_cube",
        say("Cube on a Blacksmith"),
        say("A Blacksmith scores if no cube is on it. Cubes are removed at game end. Which comes first?"),
        (
            ("counts", say("Score it before removing cubes. With a cube on it, it scores nothing.")),
            ("removed", say("Score it after removing cubes. Every Blacksmith scores.")),
        ),
        card="blacksmith",
    ),
    Ruling(
        # The cards state what is fed; only the Vegetable Patch ("up to") and coins leave a choice.
        "feeding",
        say("Feeding beside a Monastery"),
        say("A Monastery scores more when its nearest fed Cottage is far away. So feeding less can score more."),
        (
            ("must", say("Feed as many buildings as you can. You only choose which.")),
            ("may", say("You may also feed fewer buildings, or none.")),
        ),
        card="monastery",
    ),
    Ruling(
        # The plus on the card adds to the other points.
        "schoolhouse",
        say("Coins and the Schoolhouse"),
        say(
            "A Schoolhouse scores 2 beside a fed Cottage. It scores 2 more if the player on your right doesn’t "
            "have more coins."
        ),
        (
            ("together", say("Coins only count if a fed Cottage is beside the Schoolhouse.")),
            ("apart", say("Coins also count without a fed Cottage.")),
        ),
        card="schoolhouse",
    ),
)

_DEFAULTS = {ruling.id: ruling.default for ruling in RULINGS}


@dataclass(frozen=True, slots=True)
class Rulings:
    """Hold the option that this table chose for each question in RULINGS, such as "may" for `feeding`."""

    blacksmith_cube: str = _DEFAULTS["blacksmith_cube"]
    feeding: str = _DEFAULTS["feeding"]
    schoolhouse: str = _DEFAULTS["schoolhouse"]
