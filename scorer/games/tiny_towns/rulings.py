"""Tell where the cards leave a choice, the table makes it: `table.rulings`. The first option is the default."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.sentences import Sentence, say


@dataclass(frozen=True, slots=True)
class Ruling:
    """One choice: the card that brings it up, its title, what it is about, and a sentence for each option."""

    id: str
    card: str
    title: Sentence
    sentence: Sentence
    options: tuple[tuple[str, Sentence], ...]

    @property
    def default(self) -> str:
        return self.options[0][0]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.options)


RULINGS = (
    Ruling(
        # Taken literally every Blacksmith would score, and its condition would mean nothing; so the card comes first.
        "blacksmith_cube",
        "blacksmith",
        say("Cube on a Blacksmith"),
        say("A Blacksmith scores if no cube lies on it, and cubes are taken off the board at the end of the game."),
        (
            ("counts", say("Look before the cubes are taken off: with a cube it scores nothing.")),
            ("removed", say("Look after the cubes are taken off: every Blacksmith scores.")),
        ),
    ),
    Ruling(
        # The texts state what is fed; only the Vegetable Patch ("up to") and coins leave it to the owner.
        "feeding",
        "monastery",
        say("Feeding beside a Monastery"),
        say("A Monastery likes its nearest fed Cottage far away, so to feed less can bring more."),
        (
            ("must", say("Whatever feeds must feed all it can; its owner only picks whom.")),
            ("may", say("The owner may also feed fewer, or nobody.")),
        ),
    ),
    Ruling(
        # A plus adds to something.
        "schoolhouse",
        "schoolhouse",
        say("Coins and the Schoolhouse"),
        say("A Schoolhouse brings 2 beside a fed Cottage, and 2 more for as many coins as the player on the right."),
        (
            ("together", say("The coins count only where a fed Cottage stands beside it.")),
            ("apart", say("The coins count without a fed Cottage too.")),
        ),
    ),
)

_DEFAULTS = {ruling.id: ruling.default for ruling in RULINGS}


@dataclass(frozen=True, slots=True)
class Rulings:
    """Hold what this table chose."""

    blacksmith_cube: str = _DEFAULTS["blacksmith_cube"]
    feeding: str = _DEFAULTS["feeding"]
    schoolhouse: str = _DEFAULTS["schoolhouse"]
