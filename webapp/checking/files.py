"""Check the files in a game's folder `page` before pages are made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from scorer.check import Report, unreadable
from scorer.contract import Game, choices_of
from scorer.sentences import Sentence, in_a_row, say
from webapp import themes
from webapp.translations import collected

FOR_SCRIPTS = {"../../js/live.js"}  # what `script.js` may import (docs/developers/add-a-game.md)
JINJA = re.compile(r"{[{%#].*?[}%#]}", re.DOTALL)
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
NEEDS = {"script": "src", "style": ""}  # by element, the attribute without which it is inline
SHAPES = {"path", "rect", "circle", "polygon"}
SVG = "{http://www.w3.org/2000/svg}"


def check(game: Game, report: Report) -> None:
    """Add to `report` everything in the files that would keep a page from working or a drawing from showing."""
    folder = themes.page_folder(game.id)
    for file in sorted(folder.glob("*")):
        if file.suffix in {".html", ".svg", ".css", ".js"}:
            try:
                text = file.read_text(encoding="utf-8")
            except (OSError, ValueError) as fault:
                report.note(report.source.at(file), unreadable(file, fault))
                continue
            CHECKS[file.suffix](game, file, text, report)
    _colours(game, report)
    _texts(game, report)


class Inline(HTMLParser):
    """Find inline styles and scripts, which the security policy of the pages forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attributes}
        line, _ = self.getpos()
        if tag in NEEDS and NEEDS[tag] not in names:
            self.found.append((line, f"<{tag}>"))
        self.found += [(line, name) for name in names if name == "style" or name.startswith("on")]


def inline(text: str) -> list[tuple[int, str]]:
    """Return the line number and the name, such as "style", of each inline style and script in the HTML."""
    parser = Inline()
    parser.feed(JINJA.sub(lambda found: "\n" * found[0].count("\n"), text))
    parser.close()
    return parser.found


def blocked(name: str) -> Sentence:
    return say("Move “{name}” to style.css or script.js. Browsers block it here.", name=name)


def _markup(_: Game, file: Path, text: str, report: Report) -> None:
    for line, name in inline(text):
        report.note(
            report.source.at(file, line),
            blocked(name),
        )


def _drawing(game: Game, file: Path, text: str, report: Report) -> None:
    _markup(game, file, text, report)
    try:
        root = ElementTree.fromstring(text)  # noqa: S314, it comes with the code of the game
    except ElementTree.ParseError as fault:
        report.note(report.source.at(file, fault.position[0]), unreadable(file, fault))
        return
    for symbol in root.iter(f"{SVG}symbol"):
        name = symbol.attrib.get("id", "")
        for shape in symbol.iter():
            tag = shape.tag.removeprefix(SVG)
            if tag not in SHAPES | {"symbol"}:
                report.note(
                    report.source.at(file, _line(text, f'id="{name}"')),
                    say(
                        "The drawing “{name}” contains <{tag}>. Use only {shapes}.",
                        name=name,
                        tag=tag,
                        shapes=in_a_row(sorted(SHAPES)),
                    ),
                )
    if file.name == "art.svg":
        _pieces(game, file, text, report)
    if file.name == "scene.svg" and themes.scene_name(game.id) != game.id:
        report.note(report.source.at(file), say('The scene needs a <symbol id="scene" viewBox="0 0 320 160">.'))


def _pieces(game: Game, file: Path, text: str, report: Report) -> None:
    """Add to `report` each piece that has no drawing, and each drawing of a piece that no `<use>` element shows."""
    drawn, placed = themes.pieces(game.id), themes.placed(game.id)
    tones = {choice.tone for asked in game.inputs for choice in choices_of(asked)} - {""}
    for name in drawn:
        if name in tones and name not in placed:
            report.note(
                report.source.at(file, _line(text, f'id="{name}"')),
                say(
                    'Place the drawing “{name}” with <use href="#{name}" x="…" width="…" height="…"/>.',
                    name=name,
                ),
            )
    for tone in sorted(tones - drawn.keys()):
        report.note(report.source.at(file), say("The piece “{tone}” has no drawing.", tone=tone))


def selectors(sheet: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the text of every selector in a style sheet, also inside at-rules."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), sheet, flags=re.DOTALL)
    for rule in re.finditer(r"([^{};]+){", text):
        line = text.count("\n", 0, rule.end()) + 1
        if not rule[1].strip().startswith("@"):
            yield from ((line, one.strip()) for one in re.split(r",(?![^(]*\))", rule[1]))


def _sheet(game: Game, file: Path, text: str, report: Report) -> None:
    own = (f"[data-world={game.id}]", f"[data-game={game.id}]")
    for line, selector in selectors(text):
        if not any(mark in selector for mark in own) and not re.fullmatch(r"from|to|[\d.]+%", selector):
            report.note(
                report.source.at(file, line),
                say(
                    "Begin the selector “{selector}” with {mark}.",
                    selector=selector,
                    mark=own[0],
                ),
            )


def _script(_: Game, file: Path, text: str, report: Report) -> None:
    for found in IMPORT.finditer(text):
        if found[1] not in FOR_SCRIPTS:
            report.note(
                report.source.at(file, text.count("\n", 0, found.start()) + 1),
                say(
                    "Import only {modules}, not “{module}”, which may change.",
                    module=found[1],
                    modules=in_a_row(sorted(FOR_SCRIPTS)),
                ),
            )


CHECKS = {".html": _markup, ".svg": _drawing, ".css": _sheet, ".js": _script}


def _line(text: str, part: str) -> int:
    return text.count("\n", 0, text.find(part)) + 1 if part in text else 0


def _colours(game: Game, report: Report) -> None:
    """Add to `report` each colour in `about.toml` that is unknown or not written as #rrggbb."""
    file = report.source.folder / "about.toml"
    colours = themes.about(game.id).get("colours", {})
    for scheme, given in colours.items() if isinstance(colours, dict) else ():
        for name, value in given.items() if isinstance(given, dict) else ():
            if scheme not in themes.Theme._fields or name not in themes.NAMES or not themes.VALUE.fullmatch(str(value)):
                line = _line(file.read_text(encoding="utf-8"), f"{name} =")
                report.note(
                    report.source.at(file, line),
                    say("{name} = “{value}” is not a colour. Write it as #rrggbb.", name=name, value=str(value)),
                )


def _texts(game: Game, report: Report) -> None:
    """Check that the package's texts can be collected for translators, and add the error to `report` if they can't."""
    with report.trying():
        collected(game.id)
