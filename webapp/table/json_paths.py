"""Read and change values at paths in JSON, also from the values of a page's buttons.

A path is written like a JSON Pointer without its first slash, such as "grid/1/2", or is the tuple of its steps.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from werkzeug.datastructures import MultiDict

from scorer import bounds
from scorer.contract import Json
from scorer.values import unescape
from webapp.numbers import number as number_in

Path = tuple[str, ...]
Edit = tuple[str, Json]  # a path as text, and the value to put there
ABSENT = object()
COMPANION = "companion"  # the key of the companion's values, which are stored with the table but not in the record
MOST_OF_ONE = bounds.MOST_VALUES // 8  # most values of a player, or of the table: a record has up to seven parts


@lru_cache(maxsize=8192)
def steps(path: str) -> Path:
    """Return the steps of a path written like a JSON Pointer without its first slash: ("grid", "1") for "grid/1"."""
    return tuple(unescape(step) for step in path.split("/"))


def get(values: Json, path: Path) -> Json:
    """Return the value at a path, or ABSENT. A step can also lead to a letter of a text."""
    for step in path:
        if isinstance(values, dict) and step in values:
            values = values[step]
        elif isinstance(values, list | str) and (place := number_in(step)) is not None and place < len(values):
            values = values[place]
        else:
            return ABSENT
    return values


def put(values: Json, path: Path, value: Json) -> Json:
    """Return the values with `value` put at a path; ABSENT removes what is there.

    The step "-" appends to a list, and "^2" inserts before element 2. Missing parents become objects, or lists before
    "-". A step that leads nowhere, such as past the end of a list, changes nothing.
    """
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(values, list) or (first == "-" and not values):
        values = values or []
        return put_in_list(values, first, rest, value)
    kept = dict(values) if isinstance(values, dict) else {}
    if value is ABSENT and first not in kept:
        return values
    inner = put(kept.get(first, {} if rest else ABSENT), rest, value)
    if inner is ABSENT:
        kept.pop(first, None)
    else:
        kept[first] = inner
    return kept


def put_in_list(values: list[Json], first: str, rest: Path, value: Json) -> list[Json]:
    if first == "-" and value is not ABSENT:
        return [*values, put({}, rest, value) if rest else value]
    if first.startswith("^") and (place := number_in(first[1:])) is not None and value is not ABSENT:
        return [*values[:place], put({}, rest, value) if rest else value, *values[place:]]
    index = number_in(first)
    if index is None or index >= len(values):
        return values
    inner = put(values[index], rest, value)
    return [*values[:index], *([] if inner is ABSENT else [inner]), *values[index + 1 :]]


def covered(values: Json, paths: Iterable[Path]) -> Json:
    """Return only the parts of the values that the paths lead to. Elements of lists keep their positions."""
    paths = list(paths)
    if () in paths:
        return values
    by_step: dict[str, list[Path]] = {}
    for path in paths:
        by_step.setdefault(path[0], []).append(path[1:])
    if isinstance(values, dict):
        return {key: covered(value, by_step[key]) for key, value in values.items() if key in by_step}
    if isinstance(values, list):
        return [covered(value, by_step.get(str(index), [])) for index, value in enumerate(values)]
    return values


# -- buttons ---


def edited(values: Json, posted: MultiDict[str, str], picked: Sequence[Edit] = (), most: int = MOST_OF_ONE) -> Json:
    """Return `values` after all posted buttons, which put or remove values at paths, and with the `picked` cards put.
    Nothing is put that makes them hold more than `most` values, apart from those of the companion. Otherwise the
    table could not be opened again."""
    for path, value in (*put_buttons(posted), *picked):
        larger = put(values, steps(path), value)
        noted = larger.get(COMPANION) if isinstance(larger, dict) else None
        if not bounds.faults(larger, most) or (noted and not bounds.faults(put(larger, (COMPANION,), ABSENT), most)):
            values = larger
    for path in posted.getlist("drop"):
        if path:
            values = put(values, steps(path), ABSENT)
    return values


def put_buttons(posted: MultiDict[str, str]) -> Iterator[Edit]:
    """Yield the pairs of a path and a value that posted buttons hold, such as `["streets/0/-", {...}]`. A button may
    hold several pairs."""
    for pairs in lists_on(posted.getlist("put")):
        if len(pairs) % 2 == 0 and all(isinstance(p, str) and p for p in pairs[::2]):
            yield from zip(pairs[::2], pairs[1::2], strict=True)


def lists_on(buttons: Iterable[str]) -> Iterator[list[Json]]:
    """Yield, as lists, the values of those buttons that are JSON lists. Other values do not come from our buttons."""
    for text in buttons:
        with contextlib.suppress(ValueError, RecursionError):
            found = json.loads(text)
            if isinstance(found, list):
                yield found


def opened(values: Json, posted: MultiDict[str, str]) -> str:
    """Return the path of the part of the entries that is open on the page, such as "streets/0", or "".

    It is the part asked for, a part just added, or the part that was open before. Removing a part closes it, because
    later paths change.
    """
    if "open" in posted:
        return posted["open"]
    for path, _ in put_buttons(posted):
        parent, _, last = path.rpartition("/")
        if last.startswith("^"):
            return f"{parent}/{last[1:]}"
        if last == "-":
            laid = get(values, steps(parent))
            return f"{parent}/{len(laid) - 1}" if isinstance(laid, list) else ""
    return "" if "drop" in posted or any(posted.getlist("pick")) else posted.get("opened", "")
