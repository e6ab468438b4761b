"""Collect findings about a package, each with the file and line where it can be corrected."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType

from scorer.sentences import NOTHING, Sentence, Value, in_sentences, say

LONGEST_FAULT = 200  # characters of an exception


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold one finding: a sentence and its place. Line 0 stands for the whole file."""

    file: str
    line: int
    said: Sentence

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.said}" if self.line else f"{self.file}: {self.said}"


Place = tuple[str, int]


class Source:
    """Find the file and line in a package where something can be corrected."""

    def __init__(self, folder: Path, name: str = "") -> None:
        self.folder, self.name = folder, name or folder.name
        self._lines: dict[Path, list[str]] = {}

    @classmethod
    def of_package(cls, package: str) -> Source:
        """Return the source of an importable package, even if its files cannot be found."""
        try:
            spec = importlib.util.find_spec(package)
        except (ImportError, ValueError):
            spec = None
        found = spec.origin if spec is not None else None
        return cls(Path(found).parent if found else Path(package.replace(".", "/")), package)

    def at(self, file: Path, line: int = 0) -> Place:
        """Return a place: the path of `file`, from the folder that contains the package, and the line."""
        return file.relative_to(self.folder.parent).as_posix(), line

    @cached_property
    def modules(self) -> tuple[Path, ...]:
        """Return the package's Python files, `__init__.py` first."""
        found = sorted(self.folder.rglob("*.py"), key=lambda file: (len(file.parts), file.name))
        return tuple(found)

    def refused(self, why: Sentence) -> Place:
        """Return the place to correct in a package that was refused because of `why`. It is the line that fails on
        import, or the field of `GAME` that `why` names."""
        try:
            importlib.import_module(self.name)
        except (Exception, SystemExit) as fault:
            return self.raised(fault)
        return self.field(str(why.values.get("field", "id")))

    def raised(self, fault: BaseException) -> Place:
        """Return the innermost line of the package in an exception's traceback."""
        if isinstance(fault, SyntaxError) and fault.filename and self._is_inside(fault.filename):
            return self.at(Path(fault.filename), fault.lineno or 0)
        for frame in reversed(traceback.extract_tb(fault.__traceback__)):
            if self._is_inside(frame.filename):
                return self.at(Path(frame.filename), frame.lineno or 0)
        return self.field()

    def _is_inside(self, file: str) -> bool:
        return Path(file).is_relative_to(self.folder)

    def field(self, name: str = "") -> Place:
        """Return the line that sets the field `name` of `GAME`; if no line does, the line that creates `GAME`."""
        init = self.folder / "__init__.py"
        for call in self._calls(init):
            given = {keyword.arg: keyword.value.lineno for keyword in call.keywords}
            return self.at(init, given.get(name, call.lineno))
        return self.at(init)

    def _calls(self, file: Path) -> Iterator[ast.Call]:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Game":
                yield node

    def function(self, function: object, field: str) -> Place:
        """Return the place where a function begins. If it is outside the package, return the line that sets the field
        `field` of `GAME`."""
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType) and self._is_inside(code.co_filename):
            return self.at(Path(code.co_filename), code.co_firstlineno)
        return self.field(field)

    def containing(self, text: str, otherwise: Place) -> Place:
        """Return the place of the first line in the package's Python files with this text, or `otherwise` if there is
        none."""
        for file in self.modules:
            if file not in self._lines:
                self._lines[file] = file.read_text(encoding="utf-8", errors="replace").splitlines()
            for number, line in enumerate(self._lines[file], start=1):
                if text in line:
                    return self.at(file, number)
        return otherwise


class Report:
    """Collect findings, each only once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: dict[Finding, None] = {}
        self._kinds: set[tuple[Place, str]] = set()

    @property
    def findings(self) -> list[Finding]:
        """Return all findings in the order in which they were noted."""
        return list(self._found)

    def note(self, place: Place, said: Sentence, kind: str = "") -> None:
        """Add the finding `said` at `place`. With a `kind`, such as "winner", only the first finding of this kind at a
        place is kept."""
        if not kind or (place, kind) not in self._kinds:
            self._kinds.add((place, kind))
            self._found.setdefault(Finding(*place, said))

    @contextmanager
    def trying(self, when: Sentence = NOTHING) -> Iterator[None]:
        """Turn an exception in the `with` block into a finding. Its text ends with the sentence `when`, such as "The
        table was empty."."""
        try:
            yield
        except (Exception, SystemExit) as fault:  # a faulty game must not end the check
            raised = say("The game raised {fault}.", fault=exception_line(fault))
            said = in_sentences([raised, when] if when else [raised])
            self.note(self.source.raised(fault), said, type(fault).__name__)


def was(record: Value) -> Sentence:
    """Return the sentence "The record was …", where `record` is the name of an example or the record itself."""
    return say("The record was {record}.", record=record)


def unreadable(file: Path, fault: Exception) -> Sentence:
    return say("We can’t read {file}: {fault}.", file=file.name, fault=str(fault).rstrip("."))


def exception_line(fault: BaseException) -> str:
    """Return an exception as one line, such as "ValueError: no such card", cut to LONGEST_FAULT characters."""
    return " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST_FAULT].rstrip(": ")
