"""Replace the names of players in a record by seat numbers when a game is saved, and put names back.

`Game.names` says where a table holds names, as paths below the table. "chapel_order/*" has a name at each place of a
list. "accolades/cards/*/amounts/{name}" has names as keys of an object. Differences in case, blanks and ways to write
accents do not matter. A name that no player has stays as text.

A saved record comes with the JSON Pointers of its names, so that it can be read without its game. A pointer to a key
ends in "#".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scorer.contract import Json
from scorer.names import folded
from scorer.record import escape, mapping, sequence
from scorer.values import unescape

KEY = "{name}"


def with_seats(record: Json, patterns: Iterable[str]) -> tuple[Json, list[str]]:
    """Return the record with seat numbers for names, and the JSON Pointers of the names that were in its table.
    `patterns` are the paths in `Game.names`."""
    places: list[str] = []
    players = sequence(record.get("players"))
    saved = {**record, "players": [{**mapping(player), "name": seat} for seat, player in enumerate(players)]}
    if "table" in record:
        replace = _NameReplacer(seats_of(record), places)
        for pattern in patterns:
            saved["table"] = replace(saved["table"], pattern.split("/"), "/table")
    return saved, places


def seats_of(record: Json) -> dict[str, int]:
    """Return the seat of each player, keyed by name in its `folded` form."""
    names = [mapping(player).get("name") for player in sequence(mapping(record).get("players"))]
    return {folded(name): seat for seat, name in reversed(list(enumerate(names))) if isinstance(name, str)}


def place_with_seats(where: str, patterns: Iterable[str], seats: Mapping[str, int]) -> str:
    """Return the JSON Pointer `where` with seat numbers instead of names. `patterns` are paths as in `Game.names`, and
    `seats` has the seat of each `folded` name."""
    root, *steps = where.split("/")
    for pattern in patterns if steps[:1] == ["table"] else ():
        for at, (step, wanted) in enumerate(zip(steps, ["table", *pattern.split("/")], strict=False)):
            if wanted == KEY:
                steps[at] = str(seats.get(folded(unescape(step)), step))
            elif wanted not in ("*", step):
                break
    return "/".join([root, *steps])


def with_names(saved: Json, places: Sequence[str], names: Sequence[str]) -> Json:
    """Put the names of players, listed by seat in `names`, back into the record `saved`, which is changed and returned.
    They replace the seat numbers at `places`, the JSON Pointers of names in the table, and those of the players."""
    within: dict[str, list[str]] = {}
    for place in places:
        outer, _, last = place.rpartition("/")
        within.setdefault(outer, []).append(last)
    for outer in sorted(
        within, key=lambda outer: -outer.count("/")
    ):  # deepest first: renaming a key would change the paths below it
        holder = saved
        for step in map(unescape, outer.split("/")[1:]):
            holder = holder[int(step)] if isinstance(holder, list) else holder[step]
        keys = {last.removesuffix("#") for last in within[outer] if last.endswith("#")}
        for step in (unescape(last) for last in within[outer] if not last.endswith("#")):
            at = int(step) if isinstance(holder, list) else step
            holder[at] = names[holder[at]]
        if keys:
            renamed = {names[int(key)] if key in keys else key: value for key, value in holder.items()}
            holder.clear()
            holder.update(renamed)
    for player in saved["players"]:
        player["name"] = names[player["name"]]
    return saved


def renamed(table: Json, patterns: Iterable[str], instead: Mapping[str, str]) -> Json:
    """Return a table with other names at the paths `patterns`, as in `Game.names`. `instead` has the new name for each
    old one, in any spelling that `folded` makes equal. Other names stay."""
    replace = _NameReplacer({folded(name): other for name, other in instead.items()}, [])
    for pattern in patterns:
        table = replace(table, pattern.split("/"), "")
    return table


class _NameReplacer:
    """Replace the names at a path by their values in `instead`, and add their JSON Pointers to `places`."""

    def __init__(self, instead: Mapping[str, int] | Mapping[str, str], places: list[str]) -> None:
        self.instead, self.places = instead, places

    def __call__(self, value: Json, steps: Sequence[str], here: str) -> Json:
        if not steps:
            if isinstance(value, str) and folded(value) in self.instead:
                self.places.append(here)
                return self.instead[folded(value)]
            return value
        step, *rest = steps
        if isinstance(value, dict):
            if step == KEY:
                value, renamed = self._keys(value)
                self.places += [f"{here}/{escape(key)}#" for key in renamed]
            within = [key for key in value if step in ("*", KEY, key)] if rest or step != KEY else []
            return {
                key: self(inner, rest, f"{here}/{escape(key)}") if key in within else inner
                for key, inner in value.items()
            }
        if isinstance(value, list) and step == "*":
            return [self(inner, rest, f"{here}/{index}") for index, inner in enumerate(value)]
        return value

    def _keys(self, value: Json) -> tuple[Json, list[str]]:
        """Return the object with players' names among its keys replaced by those in `instead`, and the list of replaced
        keys, as they are now. If two keys would become equal, the object stays unchanged."""
        keys = [str(self.instead.get(folded(key), key)) for key in value]
        if len(set(keys)) < len(keys):
            return value, []
        new = [key for key, before in zip(keys, value, strict=True) if folded(before) in self.instead]
        return dict(zip(keys, value.values(), strict=True)), new
