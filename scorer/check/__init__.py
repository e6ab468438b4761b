"""Try a game out and report everything that breaks the contract.

`tidemark check-game` prints these findings. The tests of a game use them too:

    from scorer.check import check

    def test_the_game_keeps_the_contract() -> None:
        assert [str(finding) for finding in check("cascadia")] == []
"""

from __future__ import annotations

from scorer import games
from scorer.check import examples, mutated, names, shape, texts, typed
from scorer.check.examples import Example
from scorer.check.report import Finding, Report, Source, unreadable, was
from scorer.contract import Game

__all__ = ["Example", "Finding", "Report", "Source", "check", "check_rules", "not_admitted", "unreadable", "was"]


def check(name: str) -> list[Finding]:
    """Return everything that is wrong with the game of that id; [] if all is well."""
    game, left_out = games.find(name), not_admitted(name)
    if game is None:
        return left_out
    report = Report(Source(games.folder(game.id)))
    check_rules(game, report)
    return [*left_out, *report.findings]


def not_admitted(name: str) -> list[Finding]:
    """Return a finding for each package that offers a game with the id `name` but was refused."""
    return [
        Finding(*Source.of_package(refused.offer.package).refused(refused.why), refused.message)
        for refused in games.refused(name)
    ]


def check_rules(game: Game, report: Report) -> list[Example]:
    """Check everything about a game except its pages, and add the findings to `report`. Return the complete examples of
    the game, as `examples.found` finds them."""
    shape.check(game, report)
    texts.check(report)
    if not games.is_built_in(game.id):
        texts.check_domain(game, report)
    found = examples.found(game, report)
    examples.check(game, found, report)
    if found:
        names.check(game, found, report)
        typed.check(game, found, report)
        mutated.check(game, found, report)
    return found
