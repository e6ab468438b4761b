"""Test a whole game: its rules with `scorer.check`, its page files, and its pages."""

from __future__ import annotations

from dataclasses import dataclass

from scorer import games
from scorer.check import Finding, Report, Source, check_rules, not_admitted
from scorer.sentences import Sentence
from webapp.checking import browser, files, rendered_pages

__all__ = ["Checked", "check"]


@dataclass(frozen=True, slots=True)
class Checked:
    """Hold the problems found in a game, how many examples and pages were tested, and what could not be tested."""

    findings: list[Finding]
    examples: int = 0
    pages: int = 0
    not_tried: tuple[Sentence, ...] = ()


def check(name: str) -> Checked:
    """Test everything of the game with the id `name`: its rules, its page files and its pages."""
    game, left_out = games.find(name), not_admitted(name)
    if game is None:
        return Checked(left_out)
    report = Report(Source(games.folder(name)))
    examples = check_rules(game, report)
    files.check(game, report)
    with rendered_pages.pages(game, examples, report) as site:
        pages = rendered_pages.check(site)
        not_tried = browser.check(site)
    return Checked([*left_out, *report.findings], len(examples), pages, not_tried)
