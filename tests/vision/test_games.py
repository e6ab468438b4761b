"""Tell which games can be read, and that everything game-specific comes from the game's own reader."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from scorer import games as scored
from tests.conftest import ROOT
from tests.packages import installed
from tests.photographed import CORNERS, SEEN, install_mosaic, photo_of_the_wall
from tests.photographed import READER as OWN_READER
from tests.vision.conftest import photo
from tests.webapp.canned import PATIENT
from vision import games, read, sandbox
from vision.classify import classify
from vision.decode import decode
from vision.games.tiny_towns import LABELS, PIECES, READER
from vision.worker import Pool

STAGES = [*(ROOT / "vision").glob("*.py"), ROOT / "webapp" / "views" / "photo.py"]


def test_a_game_is_read_if_it_has_a_reader() -> None:
    assert games.names() == ("tiny_towns",)
    assert games.find("tiny_towns") is games.only() is READER
    assert games.find("copenhagen") is None
    assert set(games.names()) <= set(scored.ids())


def test_with_several_games_one_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", lambda: ("tenby", "tiny_towns"))
    monkeypatch.setattr(games, "find", lambda _: READER)
    with pytest.raises(LookupError, match="tenby, tiny_towns"):
        games.only()
    assert read(photo(), reader=READER, cards=False).boards


def test_labels_are_those_of_the_reader() -> None:
    labels = tuple(label.upper() for label in LABELS)
    shouting = partial(classify, pieces=replace(PIECES, labels=labels))
    loud = replace(READER, photo=replace(READER.photo, labels=labels), squares=shouting)
    ours, theirs = read(photo(), cards=False), read(photo(), reader=loud, cards=False)
    assert [[square.label.upper() for square in row] for row in ours.boards[0].grid] == [
        [square.label for square in row] for row in theirs.boards[0].grid
    ]


@pytest.mark.parametrize("file", STAGES, ids=lambda file: file.name)
def test_no_stage_knows_a_game_or_the_size_of_its_board(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not [game for game in scored.ids() if game in text.lower() or game.replace("_", " ") in text.lower()]
    assert not re.findall(r"\b(?:SQUARES|LATTICE|ROWS|COLUMNS)\b|range\((?:16|25)\)|Shape\(\d|divmod\(.*, \d", text)


@pytest.fixture
def mosaic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Path]]:
    """Install the package with this reader; the folder its code is in."""
    with ExitStack() as until_the_end:

        def make(reader: str) -> Path:
            source = install_mosaic(tmp_path, reader)
            monkeypatch.syspath_prepend(str(source))
            until_the_end.enter_context(installed(tmp_path / "site"))
            return source

        yield make
        for name in ("tidemark_mosaic.photo", "tidemark_mosaic"):
            sys.modules.pop(name, None)


def test_a_package_reads_its_own_board_of_three_by_five_behind_all_guards(mosaic: Callable[[str], Path]) -> None:
    source = mosaic(OWN_READER)
    assert games.packages() == {"tidemark_mosaic": str(source / "tidemark_mosaic" / "__init__.py")}
    assert games.only() is READER
    pool = Pool(1, PATIENT)
    try:
        look = pool.look(photo_of_the_wall(), game="mosaic")
        assert pool.workers[0].guards == sandbox.available()
        # Corners by hand, from another corner on and the other way round: the rows run along the wall all the same.
        marked = pool.look(photo_of_the_wall(), corners=[CORNERS[k] for k in (1, 0, 3, 2)], game="mosaic")
        ours = pool.read(photo(), game="tiny_towns", cards=False)
    finally:
        pool.close()
    for reading in (look.reading, marked.reading):
        assert [[square.label for square in row] for row in reading.boards[0].grid] == [list(row) for row in SEEN]
        assert not reading.problems
    assert not look.cards_follow
    assert decode(look.boards[0]).size == (800, 480)
    assert [len(row) for row in ours["boards"][0]["grid"]] == [4] * 4


BROKEN = {
    "raises": "raise KeyError(5)",
    "too few squares": "return ((Square('bare', 1.0),),)",
    "a label of its own": "return ((Square('gold', 1.0),) * 5,) * 3",
    "other files": "return ((Square((Path(__file__).parents[1] / 'secret').read_text(), 1.0),) * 5,) * 3",
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_reader_with_a_fault_costs_one_reading(what: str, mosaic: Callable[[str], Path]) -> None:
    if what == "other files" and not sandbox.available().files:
        pytest.skip("no Landlock here")
    head, rest = OWN_READER.split("def squares(picture, corners):")
    source = mosaic(f"{head}def squares(picture, corners):\n    {BROKEN[what]}\n{rest[rest.index('def square(') :]}")
    (source / "secret").write_text("ruby", encoding="utf-8")
    pool = Pool(1, PATIENT)
    try:
        assert [one["code"] for one in pool.read(photo_of_the_wall(), game="mosaic")["problems"]] == ["broken_reader"]
        child = pool.workers[0].child
        assert child is not None and child.poll() is None
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("reader", "why"),
    [
        ("import nowhere", "importing tidemark_mosaic.photo failed"),
        ("READER = 5", "must define READER = GameReader"),
        (
            f"{OWN_READER}\nfrom dataclasses import replace\nREADER = replace(READER, photo=replace(PHOTO, rows=4))",
            "must be GAME.photo",
        ),
    ],
)
def test_a_reader_that_cannot_be_used_is_left_out_with_a_sentence(
    reader: str, why: str, mosaic: Callable[[str], Path]
) -> None:
    mosaic(reader)
    assert games.find("mosaic") is None and "mosaic" in scored.ids() and games.names() == ("tiny_towns",)
    [sentence] = games.refused()
    assert "We can’t read photos of “mosaic”" in sentence and why in sentence
