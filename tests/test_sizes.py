"""Modules, functions and lines stay short enough to be read at one sitting."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.conftest import ROOT

LONGEST_MODULE, LONGEST_FUNCTION = 300, 40  # lines
LONGEST_LINE = 120  # ruff measures those of Python


def modules() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every module of the product."""
    for package in ("scorer", "vision", "webapp"):
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")


def too_long(text: str) -> Iterator[str]:
    """Yield what is too long in a module."""
    if (lines := text.count("\n")) > LONGEST_MODULE:
        yield f"{lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name} has {lines} lines"


def test_modules_and_functions_are_short() -> None:
    found = {path: list(too_long(text)) for path, text in modules()}
    assert {path: what for path, what in found.items() if what} == {}


def test_lines_of_templates_and_styles_are_short() -> None:
    files = [file for folder in ("scorer", "templates", "webapp") for file in (ROOT / folder).rglob("*.*")]
    assert [
        f"{file.relative_to(ROOT)}:{number}"
        for file in files
        if file.suffix in {".css", ".html"}
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ] == []
