"""Which games can be read, and that everything game-specific comes from the game's own reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorer import games as scored
from tests.conftest import ROOT
from tests.vision.conftest import photo
from vision import games, read
from vision.games.tiny_towns import LABELS, PIECES, READER

STAGES = [*(ROOT / "vision").glob("*.py"), ROOT / "webapp" / "views" / "photo.py"]


def test_a_game_is_read_if_it_has_a_reader() -> None:
    assert games.names() == ("tiny_towns",)
    assert games.find("tiny_towns") is games.only() is READER
    assert games.find("copenhagen") is None
    assert set(games.names()) <= set(scored.names())


def test_with_several_games_one_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", lambda: ("tenby", "tiny_towns"))
    with pytest.raises(LookupError, match="tenby, tiny_towns"):
        games.only()
    assert read(photo(), reader=READER).boards


def test_labels_are_those_of_the_reader() -> None:
    shouting = replace(PIECES, labels=tuple(label.upper() for label in LABELS))
    ours, theirs = read(photo()), read(photo(), reader=replace(READER, pieces=shouting))
    assert [[square.label.upper() for square in row] for row in ours.boards[0].grid] == [
        [square.label for square in row] for row in theirs.boards[0].grid
    ]


@pytest.mark.parametrize("file", STAGES, ids=lambda file: file.name)
def test_no_stage_knows_a_game(file: Path) -> None:
    text = file.read_text(encoding="utf-8").lower()
    assert not [game for game in scored.names() if game in text or game.replace("_", " ") in text]
