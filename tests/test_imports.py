"""Imports point one way: webapp -> vision -> scorer -> standard library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

ALLOWED = {"scorer": {"scorer"}, "vision": {"vision", "scorer"}, "webapp": {"webapp", "vision", "scorer"}}
OURS = set(ALLOWED) | {"tests"}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written in full"
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_stands_below_it(package: str) -> None:
    for file in (ROOT / package).rglob("*.py"):
        wrong = {name for name in imported(file) if name in OURS} - ALLOWED[package]
        assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def test_the_scorer_needs_nothing_but_the_standard_library() -> None:
    for file in (ROOT / "scorer").rglob("*.py"):
        outside = set(imported(file)) - sys.stdlib_module_names - {"scorer"}
        assert not outside, f"{file.relative_to(ROOT)} imports {outside}"
