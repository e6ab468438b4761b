"""Paths into JSON: what lies at one, how a value is put there, and the buttons of a page that say so.

A path is written like a JSON Pointer without its first slash, "grid/1/2", or is the tuple of its steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from werkzeug.datastructures import MultiDict

from scorer import bounds
from scorer.contract import Json
from webapp.numbers import number as number_in

Path = tuple[str, ...]
Edit = tuple[str, Json]  # a path as a text, and what to put there
ABSENT = object()
COMPANION = "companion"  # what is noted for help during the game: kept with the table, but no part of a record
MOST_OF_ONE = bounds.MOST_VALUES // 8  # values of one seat, or of the table: a record has seven of these at most


@lru_cache(maxsize=8192)
def steps(path: str) -> Path:
    """A path as a JSON Pointer without its first slash."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/"))


def get(values: Json, path: Path) -> Json:
    """The value at the path, a letter of a text included, or ABSENT."""
    for step in path:
        if isinstance(values, dict) and step in values:
            values = values[step]
        elif isinstance(values, list | str) and (place := number_in(step)) is not None and place < len(values):
            values = values[place]
        else:
            return ABSENT
    return values


def put(values: Json, path: Path, value: Json) -> Json:
    """The values with one put in, or taken out if it is ABSENT. "-" stands for the end of a list, "^2" for a new
    place before its element 2.

    What is missing on the way becomes an object, or a list where "-" follows; a step that leads nowhere, as past the
    end of a list, does nothing.
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
    """Only the parts of the values that some path leads to; elements of lists keep their places."""
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
    """The values after the buttons that put JSON at paths or take a path out, and with what was picked elsewhere.

    What would make them larger than a record may be is not put: nobody could open the table any more.
    """
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
    """The paths and values of buttons like `["streets/0/-", {...}]`; one button may carry several pairs."""
    for text in posted.getlist("put"):
        try:
            pairs = json.loads(text)
        except (ValueError, RecursionError):
            continue  # not one of our buttons
        if isinstance(pairs, list) and len(pairs) % 2 == 0 and all(isinstance(p, str) and p for p in pairs[::2]):
            yield from zip(pairs[::2], pairs[1::2], strict=True)


def opened(values: Json, posted: MultiDict[str, str]) -> str:
    """The path of the part that stands open on the page: what was just asked for, or laid, or what stood open before.

    What is taken out closes it, since the paths behind it change; and what was picked is known already.
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
