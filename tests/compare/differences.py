"""Find the differences between two answers, and mark the intended ones (`expected.toml`)."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXPECTED = Path(__file__).with_name("expected.toml")
MISSING = "nothing"
WHOLE = {
    "problems",
    "unknown",
    "needs",
    "winners",
    "lines",
    "cells",
    "tiebreaks",
}  # each list is one difference


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold one place at which two answers differ."""

    game: str
    kind: str
    where: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class Expected:
    """Hold an intended difference: its game and kind ("*" is any), a pattern of its text, and the reason."""

    game: str
    kind: str
    match: str
    reason: str

    def explains(self, one: Difference) -> bool:
        return (
            self.game in ("*", one.game)
            and self.kind in ("*", one.kind)
            and re.search(self.match, str(one)) is not None
        )


def expected(file: Path = EXPECTED) -> list[Expected]:
    """Return the intended differences. Every entry must have all four fields."""
    found = [Expected(**entry) for entry in tomllib.loads(file.read_text("utf-8")).get("difference", [])]
    assert all(len(one.reason.split()) >= 3 for one in found), "each entry gives a reason"
    return found


def between(game: str, before: Any, after: Any) -> Iterator[Difference]:
    """Yield the differences between two answers. A crash of a side is one of them."""
    if broke(before) or broke(after):
        yield Difference(game, "fault", "", *(one["fault"] if broke(one) else "an answer" for one in (before, after)))
        return
    if is_refused(before, after):
        yield Difference(game, "refused", "/", "a result", told(after["problems"]))
        return
    for path, one, other in apart(before, after, ()):
        yield Difference(game, kind_of(path), "/" + "/".join(map(str, path)), told(one), told(other))


def is_refused(before: Any, after: Any) -> bool:
    """Return whether only the new answer refuses the record."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return False
    return before.get("ok") is True and after.get("ok") is False and not after.get("players")


def broke(answer: Any) -> bool:
    """Return whether a side crashed instead of answering."""
    return isinstance(answer, dict) and answer.keys() == {"fault"}


def kind_of(path: tuple[str | int, ...]) -> str:
    """Return what differs: the part of a page, or the field of a result and whether it is a player's."""
    names = [step for step in path if isinstance(step, str) and not step.isdecimal()]
    if "result" in names:
        names = names[names.index("result") + 1 :]
    if names[:1] == ["players"] and len(names) > 1:
        return names[1]
    return names[0] if names else "answer"


def apart(before: Any, after: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """Yield the places at which two JSON values differ. Numbers may differ by rounding."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from apart(before.get(key, MISSING), after.get(key, MISSING), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        if path and path[-1] in WHOLE:
            if before != after:
                yield path, before, after
            return
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from apart(one, other, (*path, index))
    elif not same(before, after):
        yield path, before, after


def same(before: Any, after: Any) -> bool:
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (before, after))
    if numbers:
        return math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-9)
    return type(before) is type(after) and bool(before == after)


def told(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
