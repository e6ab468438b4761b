"""Ask both versions the same, print a table of differences, and fail on any: `python -m tests.compare`.

    make compare                                 500 random and 500 broken records a game, clubs of 60 games
    make compare COMPARE_N=20000                 20,000 of each, and clubs of 300 games
    make compare COMPARE_CASES=folder            also the records in that folder's JSON Lines
    make compare COMPARE_SEED=7                  other records

A check is a function in `CHECKS` that yields what it compared. Every record or page that differs is written to
`build/compare/differences.jsonl` with all that is needed to reproduce it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.compare import records, sides
from tests.compare.differences import Difference, Expected, between, broke, expected

Json = Any
AT_ONCE = 100  # records in a question
MOST_SHOWN, LONGEST = 30, 300  # differences on the screen, and letters of each
FEW, MANY = 60, 300  # games of a demo club
MANY_FROM = 5_000  # records, from which on clubs are big
DEMO = "demo club"
MADE = ("evening", "halfway")  # the files of `made.py`
# What is done to both copies of a club before its pages are compared once more.
CHANGES: tuple[Json, ...] = (
    {"what": "zone", "name": "Pacific/Auckland"},
    {"what": "rename", "name": "Ann", "other": "Anna-Lena"},
    {"what": "rename", "name": "Bob", "other": "Ada"},  # who is somebody else
    {"what": "merge", "name": "Cid", "other": "Hiro"},
    {"what": "merge", "name": "Grete", "other": "Edith"},  # who sat at one table
    {"what": "forget", "name": "Chidi", "other": "Somebody"},
)
CARDS = 4  # of a game, whose page is looked at by card


@dataclass
class Row:
    """Count the findings of one check for one game."""

    check: str
    game: str
    compared: int = 0
    accepted: int | None = None  # records that 0.7 scores
    different: int = 0
    explained: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass
class Comparison:
    """Hold both sides, the questions, and the findings."""

    old: sides.Asked
    new: sides.Asked
    number: int = 500
    seed: int = 18
    cases: Path | None = None
    wanted: list[Expected] = field(default_factory=expected)
    games: Path = field(default_factory=lambda: sides.WORKTREE / "scorer" / "games")
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    shown: dict[tuple[str, str, str], str] = field(default_factory=dict)  # the first of each check, game and kind
    used: Counter[str] = field(default_factory=Counter)
    report: Path = field(default_factory=lambda: sides.BUILD / "differences.jsonl")

    def chance(self, *about: str) -> random.Random:
        """Return a random generator for one check of one game, independent of other checks."""
        return random.Random(f"{self.seed} {' '.join(about)}")

    def row(self, check: str, game: str) -> Row:
        return self.rows.setdefault((check, game), Row(check, game))

    def answers(self, name: str, to_old: Json, to_new: Json) -> tuple[Json, Json]:
        """Ask both sides at the same time."""
        self.old.ask(name, to_old)
        self.new.ask(name, to_new)
        return told_by(self.old), told_by(self.new)

    def compare(self, check: str, game: str, asked: Json, before: Json, after: Json) -> None:
        """Record the differences between two answers."""
        row = self.row(check, game)
        row.compared += 1
        if before == after and not broke(after):
            return
        unexplained = []
        for one in between(game, before, after):
            entry = next((each for each in self.wanted if each.explains(one)), None)
            if entry:
                self.used[entry.reason] += 1
            else:
                unexplained.append(one)
                row.kinds[one.kind] += 1
        if unexplained:
            row.different += 1
            self.note(check, asked, unexplained)
        else:
            row.explained += 1

    def note(self, check: str, asked: Json, found: list[Difference]) -> None:
        for one in found:
            self.shown.setdefault((check, one.game, one.kind), f"{check}, {one.game}, {one.kind} {one}"[:LONGEST])
        self.report.parent.mkdir(parents=True, exist_ok=True)
        with self.report.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"check": check, "asked": asked, "differences": [*map(str, found)]}) + "\n")

    def score(self, check: str, given: Iterable[Json]) -> None:
        """Score records on both sides in small batches, to save memory."""
        coming = iter(given)
        while some := list(itertools.islice(coming, AT_ONCE)):
            before, after = self.answers("score", {"records": some}, {"records": some})
            if (broke(before) or broke(after)) and len(some) > 1:  # find out which
                for record in some:
                    self.score(check, [record])
                continue
            for record, *both in zip(some, *(listed(one) for one in (before, after)), strict=True):
                game = record["game"]
                self.compare(check, game, record, *settled(record, *both))
                row = self.row(check, game)
                row.accepted = (row.accepted or 0) + both[0].get("ok", False)


def told_by(side: sides.Asked) -> Json:
    """Return the side's answer. A crash is an answer too, and `between` always reports it."""
    try:
        return side.answer()
    except sides.Fault as fault:
        return {"fault": last_line(fault)}


def last_line(fault: sides.Fault) -> str:
    return str(fault).strip().splitlines()[-1]


def listed(answer: Json) -> list[Json]:
    return [answer] if broke(answer) else answer


# -- the checks --------------------------------------------------------------------------------------------------------


def example_records(run: Comparison) -> None:
    """Compare all examples of both versions that use games and cards of 0.7."""
    found = records.examples(run.games, sides.ROOT / "scorer" / "games")
    run.score("example records", (record for record in found if records.is_known(record)))


def collected_records(run: Comparison) -> None:
    """Compare the records in a folder of JSON Lines, if one is given."""
    if run.cases:
        found = records.collected(run.cases)
        run.score("collected records", (record for record in found if record["game"] in records.MAKERS))


def settled(record: Json, before: Json, after: Json) -> tuple[Json, Json]:
    """Return both answers, reduced to what 0.7 had settled if it could not tell the points.

    Today such a table has ranges, and a winner if no answer can change who wins (`tests/scorer/test_unknown.py`). Where
    0.7 refused "unknown", that is reported separately, with its place.
    """
    if refused := [one for one in before.get("problems", ()) if is_value_today(record, one, after)]:
        rest = [one for one in before["problems"] if one not in refused]
        news = [one for one in refused if not is_refused_around(one[1], after)]
        said: tuple[Json, Json] = {"unknown": news}, {"unknown": []}
        around = [thing_of(where) for _, where, _ in refused]
        if after.get("ok") and all(code == "missing_field" or thing_of(where) in around for code, where, _ in rest):
            return said
        rest = [one for one in rest if one in after["problems"] or not is_around(one[1], refused)]
        before, after = {**before, **said[0], "problems": rest}, {**after, **said[1]}
    if not before.get("needs") or before.get("winners"):
        return before, after
    open_now = {"players", "needs", "winners", "decided_by"}
    kept = [{key: value for key, value in one.items() if key not in open_now} for one in (before, after)]
    return kept[0], kept[1]


def thing_of(where: str) -> list[str]:
    """Return the card, or other part, that a place belongs to. One answer may settle all problems of it."""
    return where.split("/")[:5]


def is_value_today(record: Json, problem: Json, after: Json) -> bool:
    """Return whether 0.7 refused "unknown", or a letter of it, where it is a value today."""
    places = (problem[1], problem[1].rpartition("/")[0])
    is_unknown = any(records.stands_at(record, place) == "unknown" for place in places)
    return is_unknown and all(found[1] not in places for found in after["problems"])


def is_around(where: str, problems: Json) -> bool:
    """Return whether a problem lies within this place. Problems around an open fact are no longer reported."""
    return any(inner.startswith(f"{where}/") for _, inner, _ in problems)


def is_refused_around(where: str, after: Json) -> bool:
    """Return whether today's code refuses everything that the place is part of."""
    return any(where.startswith(f"{found[1]}/") for found in after["problems"])


def random_records(run: Comparison) -> None:
    """Compare random tables that could have been played."""
    box = records.Box(run.games)
    for game in records.MAKERS:
        chance = run.chance("random", game)
        run.score("random records", (records.made(game, box, chance) for _ in range(run.number)))


def broken_records(run: Comparison) -> None:
    """Compare random tables and examples with errors in them."""
    box, good = records.Box(run.games), list(records.examples(run.games))
    for game in records.MAKERS:
        chance, examples = run.chance("broken", game), [record for record in good if record["game"] == game]
        whole = (
            chance.choice(examples) if chance.random() < 0.3 else records.made(game, box, chance)
            for _ in range(run.number)
        )
        # What is broken may name another game, or none; it stays in this game's row.
        spoilt = (with_game(records.broken(record, chance), game) for record in whole)
        run.score("broken records", (record for record in spoilt if records.is_known(record)))


def with_game(record: Json, game: str) -> Json:
    return {**record, "game": game}


def imported_clubs(run: Comparison) -> None:
    """Compare every page of clubs exported by 0.7 and imported by today's code."""
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        for name, path in clubs(run, Path(folder)):
            file, brought = f"{path}.json", f"{path}.new"
            answer_of(run.old, "export", path=path, file=file)
            answer_of(run.new, "bring", path=brought, file=file)
            pages(run, f"{name}, imported", path, brought)
            if name == DEMO:
                for given in CHANGES:
                    asked_both(run, f"{name}, changed", "club", "change", given, path, brought)
                pages(run, f"{name}, changed", path, brought)


def converted_clubs(run: Comparison) -> None:
    """Compare every page of 0.7's files with the converted files. Work left unfinished by 0.7 is finished there."""
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        made = [(name, str(Path(folder) / f"{name}.db")) for name in MADE]
        for name, path in made:
            answer_of(run.old, "make", path=path, kind=name)
        for name, path in itertools.chain(made, clubs(run, Path(folder))):
            shutil.copy(path, f"{path}.new")
            pages(run, f"{name}, converted", path, f"{path}.new")


def clubs(run: Comparison, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield files of 0.7: a club with demo, random, edited and deleted games, and one with games from BG Stats."""
    chance, box = run.chance("clubs"), records.Box(run.games)
    size = MANY if run.number >= MANY_FROM else FEW
    more = [records.made(game, box, chance) for game in records.MAKERS for _ in range(size // 10)]
    lived, told = str(folder / "lived.db"), str(folder / "told.db")
    answer_of(run.old, "found_club", path=lived, plays_wanted=size, seed=run.seed, records=more)
    yield DEMO, lived
    answer_of(run.old, "export", path=lived, file=f"{told}.bgsplay", kind="bgstats")
    answer_of(run.old, "bring", path=told, file=f"{told}.bgsplay")
    yield "club from BG Stats", told


def answer_of(side: sides.Asked, name: str, **given: Json) -> Json:
    """Ask only one side."""
    side.ask(name, given)
    return side.answer()


def pages(run: Comparison, check: str, before: str, after: str) -> None:
    """Compare all pages of a club in a file of 0.7 and in one of today's code."""
    for game, name, given in [("club", "outline", {}), *asked(answer_of(run.old, "outline", path=before))]:
        asked_both(run, check, game, name, given, before, after)


def asked_both(run: Comparison, check: str, game: str, name: str, given: Json, before: str, after: str) -> None:
    """Ask each side the same about its own file, and compare the answers."""
    answers = run.answers(name, {"path": before, **given}, {"path": after, **given})
    run.compare(check, game, [name, given], *answers)


def asked(outline: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield all questions about a club's pages: the game, the question and its arguments."""
    first, last = outline["months"]
    narrow: list[Json] = [{}, {"players": 2}, {"players": 3}]
    narrow += [{"months": [f"{year}-01", f"{year}-12"]} for year in outline["years"]]
    narrow += [{"months": [max(first, "2024-02"), min(last, "2025-05")]}] if last > "2025-05" else []
    narrow += [{"place": place} for place, _ in outline["places"][:2]]
    for one in narrow:
        yield "club", "club", one
    for year in outline["years"]:
        yield "club", "year", {"year": year}
    yield "club", "achievements", {}
    yield "club", "bin", {}
    for name in outline["people"]:
        yield "club", "player", {"name": name}
        yield "club", "list", {"player": name}
    for chosen in ({}, {"players": 2}, {"words": "rain"}, {"since": "2024-06-01", "until": "2025-06-01"}):
        yield "club", "list", chosen
    for game, ways in outline["games"].items():
        variants = [{"variant": variant} for variant in dict.fromkeys(way["variant"] for way in ways)]
        by_card = [{"card": card} for card in outline["cards"][game][:CARDS]]
        for one in [*narrow, *variants[:CARDS], *by_card]:
            yield game, "game", {"game": game, **one}
        yield game, "list", {"game": game}
    for kind in ("players", "lines"):
        yield "club", "exported", {"kind": kind}
    for key, game in outline["plays"].items():
        yield game, "play", {"key": key}


CHECKS: tuple[Callable[[Comparison], None], ...] = (
    example_records,
    collected_records,
    random_records,
    broken_records,
    imported_clubs,
    converted_clubs,
)


# -- the report --------------------------------------------------------------------------------------------------------


def table(run: Comparison) -> str:
    """Return a plain table of all comparisons."""
    head = ("What", "Game", "Compared", "Accepted", "Different", "Explained", "Kinds")
    lines = [head]
    for row in run.rows.values():
        accepted = "" if row.accepted is None else f"{100 * row.accepted // max(row.compared, 1)}%"
        kinds = ", ".join(f"{kind} {count}" for kind, count in row.kinds.most_common(4))
        lines.append(
            (row.check, row.game, f"{row.compared:,}", accepted, f"{row.different:,}", f"{row.explained:,}", kinds)
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    left = (0, 1, len(head) - 1)
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare version 0.7 with the code of today.")
    parser.add_argument("--number", type=int, default=500, help="random records of each game, and as many broken ones")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--cases", type=Path, help="a folder of JSON Lines with more records")
    parser.add_argument("--only", choices=[check.__name__ for check in CHECKS], action="append", help="these checks")
    given = parser.parse_args(arguments)
    started = time.monotonic()
    if given.cases and not given.cases.is_dir():
        print(f"There is no folder {given.cases}: its records are left out.", file=sys.stderr)
    with sides.old() as old, sides.new() as new:
        run = Comparison(old, new, given.number, given.seed, given.cases)
        run.report.unlink(missing_ok=True)
        for check in CHECKS:
            if not given.only or check.__name__ in given.only:
                begun = time.monotonic()
                try:
                    check(run)
                except sides.Fault as fault:  # the other checks may still tell something
                    run.compare(check.__name__, "*", None, None, {"fault": last_line(fault)})
                print(f"{check.__name__}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    print(table(run))
    for reason, times in run.used.most_common():
        print(f"Explained {times:,} times: {reason}")
    for line in itertools.islice(run.shown.values(), MOST_SHOWN):
        print(line)
    different = sum(row.different for row in run.rows.values())
    print(f"{different:,} unexplained differences in {time.monotonic() - started:.0f} s.")
    if different:
        print(f"All of them: {run.report}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
