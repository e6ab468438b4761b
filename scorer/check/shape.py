"""Check that a game describes its inputs and its catalogue completely."""

from __future__ import annotations

from collections import Counter

from scorer.check.names import holds_name
from scorer.check.report import Report
from scorer.contract import Game, choices_of
from scorer.contract_check import empty, twice
from scorer.sentences import Sentence, say


def check(game: Game, report: Report) -> None:
    """Report inputs without a label, choices that occur twice, and orders of players that are missing from
    `Game.names`. Also report entries of the catalogue that lack a text or occur twice, and a game without inputs."""
    source = report.source
    if not game.inputs:
        report.note(source.field("inputs"), empty("inputs"))
    for asked in game.inputs:
        if not asked.label:
            report.note(
                source.containing(f'"{asked.name}"', source.field("inputs")),
                lacking(asked.name, "inputs"),
            )
        for value, times in Counter(repr(choice.value) for choice in choices_of(asked)).items():
            if times > 1:
                report.note(
                    source.containing(f'"{asked.name}"', source.field("inputs")),
                    twice(value, "inputs"),
                )
        if asked.kind == "order" and f"{asked.name}/*" not in game.names:
            report.note(source.field("names"), holds_name(f"{asked.name}/*"))
    _catalogue(game, report)


def _catalogue(game: Game, report: Report) -> None:
    source = report.source
    for (group, entry), times in Counter((entry.group, entry.id) for entry in game.cards.catalogue).items():
        if times > 1:
            report.note(source.field("cards"), twice(f"{group}/{entry}", "cards.catalogue"))
    for one in game.cards.catalogue:
        if not (one.name and one.text and one.group):
            report.note(source.field("cards"), lacking(one.id, "cards.catalogue"))


def lacking(name: str, field: str) -> Sentence:
    return say("“{name}” in GAME.{field} has an empty text.", name=name, field=field)
