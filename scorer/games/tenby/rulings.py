"""Tell where the rulebook leaves a choice, the table makes it: `table.rulings`. The first option is the default."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.sentences import Sentence, say


@dataclass(frozen=True, slots=True)
class Ruling:
    """One choice: its title, what it is about, and a sentence for each option, in the order they are offered."""

    id: str
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
        "gold_unique_own",
        say("Own building on a gold line"),
        say("A gold line sees its own card, yet a card that counts different colours never looks at its own building."),
        (
            ("exclude", say("The card's own building is left out, with a gold line too.")),
            ("include", say("With a gold line the card's own building counts like all others in the street.")),
        ),
    ),
    Ruling(
        "secret_tie",
        say("Tie on a secret accolade"),
        say("Somebody has as many as the holder of a secret accolade, whom nobody else can share it with."),
        (
            ("full", say("The holder gets all 5 points.")),
            ("share", say("The 5 points are split as in any tie; the holder gets one part and the rest is lost.")),
        ),
    ),
    Ruling(
        "zero_accolade",
        say("Accolade nobody has any for"),
        say("Nobody has any of what an accolade asks for."),
        (
            ("share", say("That is a tie like any other: all share the points.")),
            ("nobody", say("Nobody gets the points.")),
        ),
    ),
)


_DEFAULTS = {ruling.id: ruling.default for ruling in RULINGS}


@dataclass(frozen=True, slots=True)
class Rulings:
    """Hold what this table chose."""

    gold_unique_own: str = _DEFAULTS["gold_unique_own"]
    secret_tie: str = _DEFAULTS["secret_tie"]
    zero_accolade: str = _DEFAULTS["zero_accolade"]
