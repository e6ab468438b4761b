"""Check that every sentence of a package can be collected and translated.

Templates must be string literals in calls of `say` and `say_count`, with a value for each placeholder.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from scorer.check.report import Report
from scorer.contract import Game
from scorer.sentences import PLACE, Sentence, say


def check(report: Report) -> None:
    """Report every call whose sentence cannot be translated."""
    for file in report.source.modules:
        for name, call in calls(file.read_text(encoding="utf-8")):
            for said in faults(name, call):
                report.note(report.source.at(file, call.lineno), said)


def check_domain(game: Game, report: Report) -> None:
    """Report a game whose name was created with Tidemark's own `say` instead of the package's `Words`. The translations
    of Tidemark do not contain the sentences of other packages."""
    if game.name.domain != game.id:
        report.note(
            report.source.field("name"),
            untranslatable(game.name),
        )


def untranslatable(text: str) -> Sentence:
    return say("“{text}” can’t be translated. Create it with the game’s Words.", text=text)


def calls(code: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call of `say` or `say_count` in Python code: the function's name, and the call as a syntax tree."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in ("say", "say_count"):
                yield name, node


def templates(name: str, call: ast.Call) -> list[str] | None:
    """Return the template of a call of `say`, or both templates of a call of `say_count`; `name` is the called
    function. Return None if one is no string literal, or if the number of positional arguments is wrong."""
    wanted = 1 if name == "say" else 2
    found = [argument.value for argument in call.args[:wanted] if isinstance(argument, ast.Constant)]
    literal = [template for template in found if isinstance(template, str)]
    return literal if len(literal) == wanted and len(call.args) == (1 if name == "say" else 3) else None


def faults(name: str, call: ast.Call) -> Iterator[Sentence]:
    """Yield each reason why the sentence in a call cannot be translated. `name` is the called function: `say` or
    `say_count`."""
    literal = templates(name, call)
    if literal is None:
        yield say("Pass the template to {function} as a string literal.", function=name)
        return
    values = {str(keyword.arg) for keyword in call.keywords}
    places = {place for template in literal for place in PLACE.findall(template)}
    if name == "say_count":
        places.discard("n")  # {n} may be left out: "A1 feeds", "A1 and B2 feed"
    for place in sorted(places - values):
        yield say("Pass a value for the placeholder “{place}”.", place=place)
    for place in sorted(values - places):
        yield say("The template has no placeholder “{place}”.", place=place)
    for template in literal:
        if set("{}") & set(PLACE.sub("", template)):
            yield say("Use braces only around a placeholder’s name: {template}", template=template)
