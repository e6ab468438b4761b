"""Report what an import did: how many plays were added, left out or changed, each with an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from scorer.contract import Json
from scorer.sentences import Sentence, say
from webapp.history import NewPlay

OTHER_GAME = "other_game"
# Why a play was left out.
REASONS: dict[str, Sentence] = {
    "no_date": say("without a readable date"),
    "nobody": say("without players"),
    "too_many": say("with too many players"),
    "no_game": say("without a game"),
    "ignored": say("marked as ignored in BG Stats"),
    "no_score": say("without a whole-number score"),
    "shifted": say("with too many or too few cells"),
    "torn": say("with rows that disagree"),
    "winner": say("with an unreadable winner or rank"),
}
# What was changed in a play so that it could be imported.
CHANGES: dict[str, Sentence] = {
    "sums": say("with sums that we added up"),
    "gaps": say("with a missing score, now still to count"),
    "unread": say("with an unreadable score, now still to count"),
    "open": say("without a winner"),
    "guests": say("with guests of the same name, now numbered"),
}
EACH = frozenset({"unread"})  # every example is listed, since somebody has to look each one up
MOST_NAMED = 2000  # characters of such a list


@dataclass(frozen=True, slots=True)
class Item:
    """Hold a play from a file: `new` is the play as ours, or None with the reason why it is left out."""

    new: NewPlay | None
    example: str
    ids: tuple[str, ...] = ()  # by which later imports recognise it
    reason: str = ""
    changes: Mapping[str, str] = field(default_factory=dict)  # by code of `CHANGES`, an example


@dataclass(slots=True)
class Outcome:
    """Count what an import did."""

    added: int = 0
    known: int = 0  # saved already
    differs: int = 0  # saved already, but not the same
    counts: dict[str, int] = field(default_factory=dict)  # by code of `REASONS` and `CHANGES`
    examples: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[list[int]]] = field(default_factory=dict)  # by kind, rows of an unfinished import

    def note(self, code: str, example: str) -> None:
        self.counts[code] = self.counts.get(code, 0) + 1
        before = self.examples.setdefault(code, example)
        if code in EACH and self.counts[code] > 1 and len(before) < MOST_NAMED:
            self.examples[code] = f"{before}; {example}"

    @property
    def others(self) -> int:
        """Return the number of plays of games that are not installed here."""
        return self.counts.get(OTHER_GAME, 0)

    @property
    def left_out(self) -> int:
        """Return the number of plays of installed games that could not be imported."""
        return sum(self.counts.get(code, 0) for code in REASONS)

    def counted(self, words: dict[str, Sentence]) -> Iterator[tuple[Sentence, int, str]]:
        """Yield sentence, count and example for each code in `words` (sentences by code) that occurred."""
        for code, why in words.items():
            if code in self.counts:
                yield why, self.counts[code], self.examples[code]

    def to_json(self) -> Json:
        return asdict(self)
