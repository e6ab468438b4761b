"""Describe what a check of the installation by `tidemark doctor` found, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.sentences import NOTHING, Sentence

# These are also the exit codes of the command, for cron and the like.
FINE, WARNING, FAULT = 0, 1, 2
LEVELS = {FINE: "fine", WARNING: "warning", FAULT: "fault"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold the outcome of one check; `check` is the check's stable name, for programs that read the outcome."""

    check: str
    level: int
    said: Sentence
    do: Sentence = NOTHING

    def to_json(self) -> dict[str, str]:
        return {"check": self.check, "level": LEVELS[self.level], "said": str(self.said), "do": str(self.do)}


def fine(check: str, said: Sentence = NOTHING) -> Finding:
    return Finding(check, FINE, said)


def warning(check: str, said: Sentence, do: Sentence = NOTHING) -> Finding:
    return Finding(check, WARNING, said, do)


def fault(check: str, said: Sentence, do: Sentence = NOTHING) -> Finding:
    return Finding(check, FAULT, said, do)


def worst(findings: Iterable[Finding]) -> int:
    return max((finding.level for finding in findings), default=FINE)
