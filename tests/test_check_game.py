"""`tidemark new-game` writes a game that works, and `tidemark check-game` finds what does not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer import games
from scorer.check import check
from tests.conftest import GAMES, ROOT
from tests.packages import PEBBLES, forget, install, installed
from webapp import checking, static_files, themes
from webapp.cli import develop

PACKAGE = "tidemark_sheep_run"
IN_BROWSER = "pier_18"
IMPORTING = "We can’t import tidemark_broken: ModuleNotFoundError: No module named 'nowhere'"
LEFT_OUT = {
    "broken": (
        "\nimport nowhere\n",
        f"tidemark_broken/__init__.py:2: The game “broken” of tidemark-broken 1.0 was not loaded. {IMPORTING}",
    ),
    "wrong": (
        PEBBLES.replace('id="pebbles"', 'id="wrong"').replace("players=PLAYERS", "players=4"),
        "tidemark_wrong/__init__.py:59: The game “wrong” of tidemark-wrong 1.0 was not loaded. "
        "GAME.players must be of type range.",
    ),
    "pier_18": (
        PEBBLES.replace('id="pebbles"', 'id="pier_18"'),
        "tidemark_pier_18/__init__.py:59: The game “pier_18” of tidemark-pier_18 1.0 was not loaded. Another game "
        "already uses the id “pier_18”.",
    ),
}
# A file of the package, what stands there, what takes its place, and what is then said with its place.
SLIPS = {
    "another value": (
        "score.py",
        "SHEEP = 2",
        "SHEEP = 3",
        r"examples/two_meadows.toml:26: The game gives another total: 12",
    ),
    "a record that is not legal": (
        *("examples/two_meadows.toml", '["sheep", "tree", "sheep"],\n', ""),
        r"meadows.toml:6: We can’t score this record: A meadow has three rows of three squares\. \(/players/0/meadow\)",
    ),
    "no example of a line": (
        *("score.py", "    if trees:", "    if not trees:"),
        r"examples/two_meadows.toml:26: The game gives another lines: \[\[\"sheep\", 6\]\]",
    ),
    "an example without a source": (
        *("examples/two_meadows.toml", 'cite = "made up: 2 for a sheep, 1 for each sheep beside a tree"\n', ""),
        r"examples/two_meadows.toml: Add “cite” to this example\.",
    ),
    "an example of another game": (
        *("examples/two_meadows.toml", 'game = "sheep_run"', 'game = "goat_run"'),
        r"examples/two_meadows.toml:7: Add “game = \"sheep_run\"” to this example\.",
    ),
    "a result without a total": (
        *("examples/two_meadows.toml", "total = 6\n", ""),
        r"examples/two_meadows.toml: Each \[\[expect\]\] needs a player, a total and lines",
    ),
    "what is written is not read again": (
        *("state.py", '"meadow": [list(row) for row in player.meadow]', '"meadow": [["grass"] * 3] * 3'),
        r"state.py:\d+: two_meadows.toml: dump must write everything that load reads\.",
    ),
    "fields nobody knows": (
        "state.py",
        "    reader.finish(state)\n",
        "",
        r"state.py:\d+: “load” must report “unknown_field”",
    ),
    "an exception": (
        *("state.py", "for row in player.elements", 'for row in [] or player.value["meadow"] and player.elements'),
        r"state.py:59: The game raised KeyError: 'meadow'",
    ),
    "an exception of the rules": (
        *("score.py", "    return [\n        Problem(", "    assert state.players\n    return [\n        Problem("),
        r"score.py:\d+: The game raised AssertionError\. The record was ",
    ),
    "a place that is not there": (
        *("score.py", 'f"/players/{seat}/meadow")\n        for', 'f"/player/{seat}/meadow")\n        for'),
        r"score.py:\d+: The problem “meadow_size” points to /player/0/meadow, which doesn’t exist",
    ),
    "a line without a reason": (
        *("score.py", "len(sheep))\n        yield", 'len(sheep)) and say("")\n        yield'),
        r"score.py:\d+: two_meadows.toml: the line “sheep” needs a reason\.",
    ),
    "a text that is no sentence": (
        *("score.py", 'why = say_count("{n} sheep", "{n} sheep", len(sheep))', 'why = f"{len(sheep)} sheep"'),
        r"score.py:\d+: “\d sheep” can’t be translated. Create it with the game’s Words\.",
    ),
    "a name in the words of Tidemark": (
        *("state.py", 'WORDS = Words("sheep_run")', 'WORDS = Words("tidemark")'),
        r"__init__.py:\d+: “Sheep Run” can’t be translated. Create it with the game’s Words\.",
    ),
    "a template that is put together": (
        *("score.py", 'say("A meadow has three rows of three squares.")', 'say("A meadow" + " is too small.")'),
        r"score.py:\d+: Pass the template to say as a string literal\.",
    ),
    "players who may not type": (
        *(
            "score.py",
            "def validate(state: State) -> list[Problem]:\n",
            "def validate(state: State) -> list[Problem]:\n    state.players[0].meadow\n",
        ),
        r"score.py:20: The game raised AttributeError: 'Typed' object has no attribute 'meadow'. ",
    ),
    "a style in a drawing": (
        *("page/art.svg", '<rect x="0"', '<rect style="x" x="0"'),
        r"page/art.svg:4: Move “style” to style.css or script.js. Browsers block it here\.",
    ),
    "a piece that is not drawn": (
        *("page/art.svg", 'id="sheep"', 'id="lamb"'),
        r"page/art.svg: The piece “sheep” has no drawing\.",
    ),
    "a page that cannot be made": (
        *("page/editor.html", "", "<p>\n{{ nobody.knows.this }}</p>"),
        r"page/editor.html:2: The game raised UndefinedError: 'nobody' is undefined\. This happened on .*/seats/0\.",
    ),
    "a script that does not run": (
        *("page/script.js", "", "import { all } from '../../js/page.js';\n"),
        r"page/script.js:1: Import only ../../js/live.js, not “../../js/page.js”, which may change\.",
    ),
    "a sheet for every game": (
        *("page/style.css", "", "/* all\n */\n.face { opacity: 1; }"),
        r"page/style.css:3: Begin the selector “.face” with \[data-world=sheep_run\]",
    ),
    "a colour by name": (
        "about.toml",
        '"#2f6b34"',
        '"green"',
        r"about.toml:\d+: accent = “green” is not a colour",
    ),
}


def forget_all() -> None:
    forget()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    drawn = (themes.about, themes.of, themes._drawings, themes._scene_file, themes.pieces, themes.backdrop)
    for read in (*drawn, static_files.game_files, static_files.public_files, static_files.address):
        read.cache_clear()


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The folder that `new-game` writes."""
    develop.write(tmp_path / "tidemark-sheep-run", "sheep_run")
    return tmp_path / "tidemark-sheep-run"


@pytest.fixture
def package(written: Path) -> Iterator[Path]:
    """The package of that folder, found as if pip had installed it."""
    told = written / "tidemark_sheep_run-0.1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: tidemark-sheep-run\nVersion: 0.1\n", encoding="utf-8")
    (told / "entry_points.txt").write_text(f"[{games.GROUP}]\nsheep_run = {PACKAGE}\n", encoding="utf-8")
    with installed(written):
        forget_all()
        yield written / PACKAGE
    forget_all()


@pytest.fixture
def without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)


def tidemark(*words: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), path)))}
    command = [sys.executable, "-m", "webapp.cli", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_our_own_games_keep_the_contract(game: str, request: pytest.FixtureRequest) -> None:
    """One of them in a browser, too."""
    if game != IN_BROWSER:
        request.getfixturevalue("without_browser")
    checked = checking.check(game)
    assert [str(finding) for finding in checked.findings] == []
    assert checked.examples and checked.pages > 10
    assert not checked.not_tried or game != IN_BROWSER


def test_a_new_game_is_written_and_works_at_once(tmp_path: Path) -> None:
    done = tidemark("new-game", "sheep_run", folder=tmp_path)
    assert done.returncode == 0 and done.stderr == ""
    assert "tidemark-sheep-run now contains a small working game. Next steps:" in done.stdout
    assert "pip install" in done.stdout and "tidemark check-game sheep_run" in done.stdout
    folder = tmp_path / "tidemark-sheep-run"
    assert 'sheep_run = "tidemark_sheep_run"' in (folder / "pyproject.toml").read_text(encoding="utf-8")
    rest = [
        file
        for file in folder.rglob("*")
        if re.search("my.game", str(file) + file.read_text("utf-8") if file.is_file() else str(file), re.I)
    ]
    assert rest == []
    ruff: list[str | Path] = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--line-length",
        "120",
        "--select",
        "E,F,I,B,UP",
        folder,
    ]
    assert (
        subprocess.run(ruff, cwd=folder, capture_output=True, text=True, check=False).stdout == "All checks passed!\n"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Sheep-Run", "“Sheep-Run” is not a valid id. Use up to 40 lowercase letters, digits and underscores."),
        ("../x", "“../x” is not a valid id. Use up to 40 lowercase letters, digits and underscores."),
        ("tenby", "There is already a game “tenby”. Choose another id."),
        ("taken", "There is already a game “taken”. Choose another id."),
    ],
)
def test_a_new_game_is_refused_with_a_sentence(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "tidemark-taken").mkdir()
    done = tidemark("new-game", name, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"tidemark: {said}\n")
    assert list((tmp_path).rglob("*.toml")) == []


def test_the_new_game_keeps_the_contract_and_its_tests_pass(package: Path) -> None:
    done = tidemark("check-game", "sheep_run", folder=package, path=str(package.parent))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "We found nothing to fix in “sheep_run”.\n"
    tests: list[str | Path] = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", package.parent / "tests"]
    paths = os.pathsep.join((str(ROOT), str(package.parent)))
    subprocess.run(tests, cwd=package, env={**os.environ, "PYTHONPATH": paths}, check=True, capture_output=True)


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_package_that_is_left_out_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    code, said = LEFT_OUT[name]
    install(tmp_path, name, code)
    done = tidemark("check-game", name, folder=tmp_path, path=str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [said]
    assert done.stderr == ""


def test_a_game_that_is_not_installed_is_no_game(tmp_path: Path) -> None:
    done = tidemark("check-game", "nosuch", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tidemark: No game “nosuch” is installed. Install its package with pip.\n"


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_its_place(package: Path, slip: str, without_browser: None) -> None:
    name, before, after, said = SLIPS[slip]
    file = package / name
    text = file.read_text(encoding="utf-8") if before else ""
    assert before in text
    file.write_text(text.replace(before, after, 1) if before else after, encoding="utf-8")
    shutil.rmtree(package / "__pycache__", ignore_errors=True)
    if file.suffix == ".py":
        found = [str(finding) for finding in check("sheep_run")]
    else:
        checked = checking.check("sheep_run")
        found = [str(finding) for finding in checked.findings]
        assert "Install Playwright" in checked.not_tried[0]
    assert any(re.search(said, one) for one in found), found[:20]
    assert all(one.startswith(f"{PACKAGE}/") for one in found) and len(found) < 20


def test_a_script_that_fails_in_a_browser_is_told(package: Path) -> None:
    (package / "page" / "script.js").write_text("document.nothing.here();", encoding="utf-8")
    found = [str(finding) for finding in checking.check("sheep_run").findings]
    assert len(found) == 1 and re.match(r"tidemark_sheep_run/page/script.js: In a browser: .*undefined", found[0]), (
        found
    )
