"""Games are found in their folders and among installed packages; what is broken is left out and named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scorer import games
from scorer.core import score
from tests.conftest import ROOT
from tests.packages import PEBBLES, install, installed

BUILT_IN = ("copenhagen", "old_london_bridge", "pier_18", "tenby", "tiny_towns")
TABLE = {"game": "pebbles", "table": {}, "players": [{"name": "Ann", "pebbles": 3}, {"name": "Bob", "pebbles": 1}]}
NO_ID = PEBBLES.replace('id="pebbles"', 'id="stones"')


def photographed(**wrong: object) -> str:
    """Pebbles with photos of a board that it doesn't have, and with what else is wrong."""
    photo = {"reader": "tidemark_pebbles.photo:READER", "rows": 3, "columns": 5, "labels": ("well",)} | wrong
    code = PEBBLES.replace("import Game,", "import Game, Photo,")
    return code.replace("load=load", f"photo=Photo(**{photo}), load=load")


BROKEN = {
    "a module that is missing": ("import nowhere\n" + PEBBLES, {}, "We can’t import tidemark_pebbles: ModuleNotFound"),
    "a slip of the pen": ("def", {}, "We can’t import tidemark_pebbles: SyntaxError"),
    "a program that ends": ("raise SystemExit(1)", {}, "We can’t import tidemark_pebbles: SystemExit: 1"),
    "no game": ("", {}, "tidemark_pebbles must be a folder that defines GAME = Game(…)."),
    "a photo without a reader": (photographed(reader="nowhere"), {}, "GAME.photo.reader must look like"),
    "a photo of nothing": (photographed(rows=0), {}, "GAME.photo needs the size of the first GridInput"),
    "a photo without labels": (photographed(labels="well"), {}, "GAME.photo.labels must be of type tuple"),
    "a photo of a board that is not entered": (photographed(), {}, "GAME.photo needs the size of the first GridInput"),
    "another id": (NO_ID, {}, "GAME.id “stones” must be the folder’s name, “pebbles”."),
    "a name in no language": (PEBBLES.replace('name=say("Pebbles")', 'name="Pebbles"'), {}, "GAME.name must be"),
    "no lines": (PEBBLES.replace("rules=RULES", "rules={}"), {}, "GAME.rules is empty"),
    "lines without sentences": (
        PEBBLES.replace('{"pebbles": say("Pebbles")}', '{"pebbles": "Pebbles"}'),
        {},
        "GAME.rules must be of type Collection[Sentence].",
    ),
    "an input twice": (
        PEBBLES.replace("inputs=(", "inputs=2 * ("),
        {},
        "“pebbles” is in GAME.inputs twice.",
    ),
    "points by hand of no line": (
        PEBBLES.replace("import Game,", "import Game, TypedLines,").replace(
            "load=load", 'load=load, typed=TypedLines(limits={"stones": (0, 9)})'
        ),
        {},
        "“stones” in GAME.typed is not in GAME.rules",
    ),
    "no function": (PEBBLES.replace("load=load", "load=None"), {}, "GAME.load must be of type Callable."),
    "players from nowhere": (PEBBLES.replace("players=PLAYERS", "players=range(0, 3)"), {}, "GAME.players must be"),
    "an input of no kind": (PEBBLES.replace("NumberInput", "Input"), {}, "needs a class such as NumberInput"),
    "other players on the box": (
        PEBBLES,
        {"about": "players = [2, 4]"},
        "GAME.players must match about.toml",
    ),
    "a box that cannot be read": (PEBBLES, {"about": "players = 4"}, "about.toml: TypeError"),
    "an achievement of no line": (
        PEBBLES,
        {"achievements": '[[achievement]]\nid = "a"\nname = "A"\ntext = "B"\nline = "stones"\npoints = 3'},
        "“stones” in achievements.toml is not in GAME.rules",
    ),
}


def test_our_own_games_are_there_and_nothing_is_refused() -> None:
    assert games.ids() == BUILT_IN
    assert list(games.refused()) == []


def test_a_package_of_somebody_else_is_a_game_like_ours(tmp_path: Path) -> None:
    install(tmp_path, "pebbles", PEBBLES, about='publisher = "Nobody"\nplayers = [1, 4]\nbgg = 7')
    with installed(tmp_path):
        assert games.ids() == ("copenhagen", "old_london_bridge", "pebbles", "pier_18", "tenby", "tiny_towns")
        assert games.folder("pebbles") == tmp_path / "tidemark_pebbles"
        assert (games.about_box("pebbles").publisher, games.about_box("pebbles").bgg) == ("Nobody", 7)
        result = score(TABLE)
        assert [player["total"] for player in result["players"]] == [6, 2]
        assert result["winners"] == ["Ann"]
    assert games.ids() == BUILT_IN and games.find("pebbles") is None


def test_a_game_without_facts_of_the_table_needs_no_table(tmp_path: Path) -> None:
    install(tmp_path, "pebbles", PEBBLES)
    with installed(tmp_path):
        assert score({key: value for key, value in TABLE.items() if key != "table"})["ok"]
        [problem] = score({**TABLE, "table": {"tide": "low"}})["problems"]
        assert (problem["code"], problem["where"]) == ("unknown_field", "/table/tide")
        assert not score({**TABLE, "table": 5})["ok"]


@pytest.mark.parametrize("fault", BROKEN)
def test_a_package_that_does_not_work_is_left_out_with_a_reason(tmp_path: Path, fault: str) -> None:
    code, files, why = BROKEN[fault]
    install(tmp_path, "pebbles", code, **files)
    with installed(tmp_path):
        sys.modules.pop("tidemark_pebbles", None)
        assert games.ids() == BUILT_IN
        [refused] = games.refused()
        assert list(games.refused("pebbles")) == [refused] and not list(games.refused("stones"))
        assert why in refused.message and "“pebbles” of tidemark-pebbles 1.0 was not loaded" in refused.message


def test_an_id_belongs_to_whoever_had_it_first(tmp_path: Path) -> None:
    for package, game in (("pebbles", "pebbles"), ("stones", "pebbles"), ("mine", "tenby"), ("odd", "Bad-Id")):
        install(tmp_path, package, PEBBLES, game)
    with installed(tmp_path):
        assert games.folder("tenby").parent.name == "games" and games.folder("pebbles").name == "tidemark_pebbles"
        why = {refused.offer.source: refused.why for refused in games.refused()}
        assert why == {
            "tidemark-odd 1.0": "“Bad-Id” is not a valid id. Use up to 40 lowercase letters, digits and underscores.",
            "tidemark-stones 1.0": "Another game already uses the id “pebbles”.",
            "tidemark-mine 1.0": "Another game already uses the id “tenby”.",
        }
        assert len(games.ids()) == len(BUILT_IN) + 1


def test_the_command_lists_the_games_and_says_what_is_left_out(tmp_path: Path) -> None:
    install(tmp_path, "pebbles", PEBBLES)
    install(tmp_path, "broken", "import nowhere")
    done = subprocess.run(
        [sys.executable, "-m", "webapp.cli", "games"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    assert len(done.stdout.splitlines()) == len(BUILT_IN) + 1 and "pebbles" in done.stdout
    assert "The game “broken” of tidemark-broken 1.0 was not loaded. We can’t import tidemark_broken" in done.stderr
