"""List the choices that the rulebook leaves to the players, `table.rulings`. The first option is the default."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.contract import Ruling
from scorer.sentences import say

RULINGS = (
    Ruling(
        "gold_unique_own",
        say("A card’s own building on a gold line"),
        say("A gold line sees its own card. When it counts different colours, does that card’s own building count?"),
        (
            ("exclude", say("The card’s own building never counts, even with a gold line.")),
            ("include", say("With a gold line, the card’s own building counts like any other.")),
        ),
    ),
    Ruling(
        "secret_tie",
        say("Tie on a secret accolade"),
        say("Another player ties with the holder of a secret accolade but can’t score it."),
        (
            ("full", say("The holder gets all 5 points.")),
            ("share", say("The tied players split the 5 points, but only the holder scores a share.")),
        ),
    ),
    Ruling(
        "zero_accolade",
        say("Accolade where every player has 0"),
        say("No player has anything that an accolade counts."),
        (
            ("share", say("That is a tie, so all players split the points.")),
            ("nobody", say("No player gets the points.")),
        ),
    ),
)


_DEFAULTS = {ruling.id: ruling.default for ruling in RULINGS}


@dataclass(frozen=True, slots=True)
class Rulings:
    """Hold the option that this table chose for each question in RULINGS, such as "share" for `secret_tie`."""

    gold_unique_own: str = _DEFAULTS["gold_unique_own"]
    secret_tie: str = _DEFAULTS["secret_tie"]
    zero_accolade: str = _DEFAULTS["zero_accolade"]
