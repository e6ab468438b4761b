"""Note which functions each test calls and how long it takes: a plugin of pytest, for `python -m tests.mutants`."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NOTES = "TIDEMARK_MUTANTS"  # the variable that names the file for the notes


def name_of(code: CodeType) -> str:
    """Return the file and the function that this code is of; what stands inside a function belongs to it."""
    parts = code.co_qualname.split(".")
    inside = [part for part in parts if not part.startswith("<")]
    return f"{Path(code.co_filename).relative_to(ROOT)}:{'.'.join(inside)}"


class Notes:
    def __init__(self, packages: tuple[str, ...]) -> None:
        self.folders = tuple(f"{ROOT}/{package}/" for package in packages)
        self.called: set[CodeType] = set()
        self.tests: dict[str, tuple[float, list[str]]] = {}

    def trace(self, frame: FrameType, _event: str, _what: Any) -> None:
        self.called.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.called.clear()
        begun = time.process_time()
        sys.settrace(self.trace)
        threading.settrace(self.trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            ours = sorted({name_of(code) for code in self.called if code.co_filename.startswith(self.folders)})
            self.tests[item.nodeid] = (round(time.process_time() - begun, 3), ours)

    def pytest_sessionfinish(self) -> None:
        Path(os.environ[NOTES]).write_text(json.dumps(self.tests), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Notes(("scorer", "webapp")))
