"""Check that a game describes its inputs and its catalogue completely."""

from __future__ import annotations

from collections import Counter

from scorer.check.report import Report
from scorer.contract import Game, choices_of
from scorer.sentences import say


def check(game: Game, report: Report) -> None:
    """Note everything that is missing or duplicated in the description of a game."""
    source = report.source
    if not game.inputs:
        report.note(source.field("inputs"), say("GAME.inputs is empty."))
    for asked in game.inputs:
        if not asked.label:
            report.note(
                source.containing(f'"{asked.name}"', source.field("inputs")),
                say("The input “{name}” has no label.", name=asked.name),
            )
        for value, times in Counter(repr(choice.value) for choice in choices_of(asked)).items():
            if times > 1:
                report.note(
                    source.containing(f'"{asked.name}"', source.field("inputs")),
                    say("The input “{name}” has the choice {value} twice.", name=asked.name, value=value),
                )
        if asked.kind == "order" and f"{asked.name}/*" not in game.names:
            report.note(
                source.field("names"),
                say("“{name}” holds names of players. Add “{name}/*” to GAME.names.", name=asked.name),
            )
    _catalogue(game, report)


def _catalogue(game: Game, report: Report) -> None:
    source = report.source
    for (group, entry), times in Counter((entry.group, entry.id) for entry in game.cards.catalogue).items():
        if times > 1:
            report.note(
                source.field("cards"),
                say(
                    "Two catalogue entries in “{group}” have the id “{id}”.",
                    id=entry,
                    group=group,
                ),
            )
    for one in game.cards.catalogue:
        if not (one.name and one.text and one.group):
            report.note(
                source.field("cards"),
                say("The catalogue entry “{id}” needs a name, a text and a group.", id=one.id),
            )
