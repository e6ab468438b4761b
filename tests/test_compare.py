"""`make compare` notices what a version does differently, on today's code alone: both sides are this process."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from tests.compare import __main__ as compare
from tests.compare import records, sides
from tests.compare.differences import EXPECTED, Expected, between, expected
from tests.compare.new import ANSWERS, held
from tests.conftest import ROOT
from webapp.cli import main as tidemark

Json = Any
GAMES = ROOT / "scorer" / "games"
TIED = {
    "game": "pier_18",
    "table": {},
    "players": [
        {"name": "Ann", "rows": ["PP", "..", "..", "..", "..", ".."], "patrons": 2, "plan": {"achieved": False}},
        {"name": "Bob", "rows": ["PP", "..", "..", "..", "..", ".."], "patrons": 2, "plan": {"achieved": False}},
    ],
}


class Here:
    """A side that answers in this process, and tells something else where a fault is planted."""

    def __init__(self, plant: Callable[[Json], object] = lambda _: None) -> None:
        self.plant = plant
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def ask(self, name: str, given: Mapping[str, Any]) -> None:
        self.asked.append((name, given))

    def answer(self) -> Any:
        name, given = self.asked.pop(0)
        said = json.loads(json.dumps(ANSWERS[name](**copy.deepcopy(dict(given)))))
        for one in said if name == "score" else [said]:
            self.plant(one)
        return said


def compared(tmp_path: Path, plant: Callable[[Json], object], *wanted: Expected) -> compare.Comparison:
    """Compare one tied table, on a side with a planted fault."""
    run = compare.Comparison(Here(), Here(plant), wanted=list(wanted), games=GAMES, report=tmp_path / "found.jsonl")
    run.score("records", [TIED])
    return run


def ann(said: Json) -> Json:
    return said["players"][0]


PLANTED: list[tuple[str, Callable[[Json], object]]] = [
    ("ok", lambda said: said.update(ok=False)),
    ("total", lambda said: ann(said).update(total=ann(said)["total"] + 1)),
    ("place", lambda said: ann(said).update(place=2)),
    ("winner", lambda said: ann(said).update(winner=not ann(said)["winner"])),
    ("winners", lambda said: said["winners"].reverse()),
    ("decided_by", lambda said: said.update(decided_by="luck")),
    ("lines", lambda said: ann(said)["lines"].reverse()),
    ("lines", lambda said: ann(said)["lines"].pop()),
    ("cells", lambda said: ann(said)["cells"][0].append("B9")),
    ("tiebreaks", lambda said: ann(said)["tiebreaks"].append(["symbols", 9])),
    ("needs", lambda said: said["needs"].clear()),
    ("problems", lambda said: said["problems"].append(["long_pier", "/players/0/rows", "warning"])),
    ("refused", lambda said: said.update(ok=False, players=[])),
]


def test_the_same_answers_are_no_difference(tmp_path: Path) -> None:
    run = compared(tmp_path, lambda _: None)
    assert [(row.compared, row.accepted, row.different) for row in run.rows.values()] == [(1, 1, 0)]
    assert not run.report.exists()


@pytest.mark.parametrize(("kind", "plant"), PLANTED, ids=[f"{n} {kind}" for n, (kind, _) in enumerate(PLANTED)])
def test_a_planted_difference_is_found_and_named(tmp_path: Path, kind: str, plant: Callable[[Json], object]) -> None:
    run = compared(tmp_path, plant)
    assert [(row.game, row.different, row.kinds) for row in run.rows.values()] == [("pier_18", 1, Counter([kind]))]
    [line] = run.report.read_text().splitlines()
    assert json.loads(line)["asked"] == TIED


def test_a_difference_that_is_explained_does_not_count(tmp_path: Path) -> None:
    wanted = Expected("pier_18", "place", r"^/players/0/place: 1 -> 2$", "The tie is told in another way.")
    run = compared(tmp_path, lambda said: ann(said).update(place=2), wanted)
    assert [(row.different, row.explained) for row in run.rows.values()] == [(0, 1)]
    assert run.used == {wanted.reason: 1}


def test_one_explanation_does_not_cover_another_difference(tmp_path: Path) -> None:
    wanted = Expected("pier_18", "place", "", "The tie is told in another way.")
    run = compared(tmp_path, lambda said: ann(said).update(place=2, total=0), wanted)
    assert [(row.different, row.explained, row.kinds) for row in run.rows.values()] == [(1, 0, Counter(["total"]))]


def test_a_side_that_breaks_is_a_difference(tmp_path: Path) -> None:
    def breaks(_: Json) -> None:
        raise sides.Fault("Traceback\n  somewhere\nKeyError: 'total'\n")

    run = compared(tmp_path, breaks)
    assert [row.different for row in run.rows.values()] == [1]
    assert "KeyError: 'total'" in run.shown["records", "pier_18", "fault"]


def test_figures_of_pages_are_compared_to_the_last_but_rounding() -> None:
    before = {"people": {"Ann": {"plays": 3}}, "seats": {"2": [[1, 2]]}, "mean": 1 / 3}
    after = {"people": {"Ann": {"plays": 4}}, "seats": {"2": [[1, 2]], "3": []}, "mean": 1 / 3 + 1e-15}
    found = [(one.kind, str(one)) for one in between("club", before, after)]
    assert found == [("people", "/people/Ann/plays: 3 -> 4"), ("seats", '/seats/3: "nothing" -> []')]


def test_every_wanted_difference_has_a_reason() -> None:
    assert all(one.reason for one in expected(EXPECTED))


@pytest.mark.parametrize("game", records.MAKERS)
def test_random_records_are_the_same_for_the_same_seed_and_mostly_legal(game: str) -> None:
    box = records.Box(GAMES)
    found, again = (
        [records.made(game, box, chance) for _ in range(40)] for chance in (random.Random(3), random.Random(3))
    )
    assert found == again
    legal = [one for one, said in zip(found, ANSWERS["score"](found), strict=True) if said["ok"]]
    assert len(legal) >= 24
    spoiled = [records.broken(one, random.Random(n)) for n, one in enumerate(found)]
    assert sum(one != other for one, other in zip(found, spoiled, strict=True)) >= 30


@pytest.mark.parametrize(("plant", "code"), [(PLANTED[1][1], 1), (lambda _: None, 0)], ids=["planted", "same"])
def test_the_command_fails_on_a_difference_and_says_which(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    plant: Callable[[Json], object],
    code: int,
) -> None:
    monkeypatch.setattr(sides, "WORKTREE", ROOT)
    monkeypatch.setattr(sides, "BUILD", tmp_path)
    monkeypatch.setattr(sides, "old", Here)
    monkeypatch.setattr(sides, "new", lambda: Here(lambda said: said["ok"] and plant(said)))
    assert compare.main(["--number", "10", "--only", "random_records"]) == code
    out = capsys.readouterr().out
    assert ("random records, copenhagen, total /players/0/total:" in out) is bool(code)
    assert (tmp_path / "differences.jsonl").exists() is bool(code)


def test_todays_side_answers_every_page_of_a_club(tmp_path: Path) -> None:
    """This finds questions that today's code cannot answer, without a long comparison."""
    before, after, file = (str(tmp_path / name) for name in ("before.db", "after.db", "club.json"))
    assert tidemark(["demo", "--db", before, "--games", "12"]) == 0
    with held:
        assert tidemark(["export", "--db", before, file]) == 0
        ANSWERS["bring"](path=after, file=file)
        run = compare.Comparison(Here(), Here(), report=tmp_path / "found.jsonl")
        compare.pages(run, "club", before, after)
        for given in compare.CHANGES[:1]:
            compare.asked_both(run, "club", "club", "change", given, before, after)
    assert sum(row.compared for row in run.rows.values()) > 50
    assert run.shown == {}
