"""The built wheel in an empty environment, outside the checkout: it holds all it needs to score, serve and read.

There a test follows `docs/developers/add-a-game.md` word by word, until its game is played and counted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import EXAMPLES, ROOT
from tests.webapp.visitor import Visitor, clean, serving

TUTORIAL = (ROOT / "docs" / "developers" / "add-a-game.md").read_text(encoding="utf-8")
STEP = re.compile(r"(?:Put this into `([^`]+)`:\n\n)?```(\w+)\n(.*?)```\n", re.DOTALL)
SERVE = "tidemark serve"
# What packages are built and tested with comes from here as well, so that pip asks nobody.
TOOLS = ("hatchling", "editables", "pytest")
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "false", "PYTHONPATH": ""}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], check=True, capture_output=True
    )
    [built] = folder.glob("*.whl")
    return built


def test_templates_and_data_travel_in_the_wheel(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    carried = {"templates": "webapp/templates", "scorer": "scorer", "webapp": "webapp"}  # catalogues among the last
    for folder, target in carried.items():
        files = {f.relative_to(ROOT / folder) for f in (ROOT / folder).rglob("*") if f.is_file()}
        wanted = {f"{target}/{f}" for f in files if "__pycache__" not in str(f)}
        assert wanted <= inside, wanted - inside


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that holds the wheel, the libraries it asks for, and nothing else.

    The libraries are those that are installed here, in the versions of the lock, so that nothing has to be fetched.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True)
    [packages] = home.glob("lib/python*/site-packages")
    [ours] = packages.glob("tidemark-*.dist-info")
    needed = asked_for(metadata.Distribution.at(ours))
    for tool in TOOLS:
        needed |= {tool, *asked_for(metadata.distribution(tool))}
    for library in needed - {"pip"}:  # which every environment brings
        put(metadata.distribution(library), packages)
    return python


def asked_for(library: metadata.Distribution, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """The libraries that this one asks for on this system, and what they ask for in turn."""
    for line in library.requires or ():
        wanted = Requirement(line)
        if wanted.name not in known and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            known = asked_for(metadata.distribution(wanted.name), known | {wanted.name})
    return known


def put(library: metadata.Distribution, target: Path) -> None:
    """All files of the library there; the same ones, where that can be."""
    for file in library.files or ():
        there = target / file
        if ".." in file.parts or "__pycache__" in file.parts or there.exists():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        source = Path(str(file.locate()))
        try:
            os.link(source, there)
        except OSError:  # another disk
            shutil.copy(source, there)


def test_the_installed_wheel_scores(installed: Path, tmp_path: Path) -> None:
    tidemark = installed.with_name("tidemark")
    listed = subprocess.run([tidemark, "games"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert all(example.game.name in listed for example in EXAMPLES)
    for example in EXAMPLES[:3]:
        done = subprocess.run(
            [tidemark, "score", "--json"],
            cwd=tmp_path,
            input=json.dumps(example.record),
            capture_output=True,
            text=True,
        )
        assert json.loads(done.stdout)["ok"], done.stderr


def test_the_installed_wheel_serves_an_evening(installed: Path, tmp_path: Path) -> None:
    """From a folder of its own: a game is played, a photo read, everything taken out."""
    with serving(tmp_path / "evening.db", installed, tmp_path) as server:
        visitor = Visitor(server.address)
        visitor.come_in(server.invitation)
        for static in re.findall(r'(?:href|src)="(/static/[^"]+)"', visitor.open("/")):
            visitor.open(static)
        assert "Bob" in visitor.open(visitor.play())
        reading = visitor.send_photo()
        assert reading["ok"] and reading["boards"], reading["problems"]
        assert json.loads(visitor.open("/data/export/json"))["plays"]
        server.process.terminate()
        assert server.process.wait(15) == 0
    code = "import scorer, vision, webapp; print(*{p.__file__ for p in (scorer, vision, webapp)}, sep='\\n')"
    found = subprocess.run([installed, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert all(Path(line).is_relative_to(installed.parent.parent) for line in found.splitlines()), found
    tidemark = installed.with_name("tidemark")
    subprocess.run([tidemark, "export", "all.json", "--db", "evening.db"], cwd=tmp_path, check=True)
    assert json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["plays"]


def steps() -> Iterator[tuple[str, str]]:
    """Yield every file of the tutorial with its content, and every command with no file, in the order of the page."""
    for file, language, content in STEP.findall(TUTORIAL):
        assert bool(file) is (language != "sh")
        yield from [(file, content)] if file else [("", command) for command in content.splitlines()]


@pytest.fixture(scope="module")
def tutorial(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of somebody who has followed the tutorial up to the server."""
    folder = tmp_path_factory.mktemp("tutorial")
    here = {**OFFLINE, "PATH": f"{installed.parent}{os.pathsep}{os.environ['PATH']}"}
    printed = []
    for file, content in steps():
        if file:
            (folder / "tidemark-rock-pools" / file).write_text(content, encoding="utf-8")
        elif content != SERVE:
            done = subprocess.run(
                ["sh", "-c", content], cwd=folder, env=clean(here), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{content}: {done.stdout}{done.stderr}"
            printed.append(done.stdout)
    new, _, sheep, found, _, pools, _, tests = printed
    assert "Next steps:" in new and "nothing to fix" in sheep and "nothing to fix" in pools
    assert "examples/two_meadows.toml" in found and "page/art.svg" in found
    assert "2 passed" in tests
    return folder


def test_the_game_of_the_tutorial_is_entered_revealed_saved_and_counted(installed: Path, tutorial: Path) -> None:
    with serving(tutorial / "evening.db", installed, tutorial, environment=OFFLINE) as server:
        visitor = Visitor(server.address)
        visitor.come_in(server.invitation)
        visitor.open("/")
        visitor.press("/tables", game="rock_pools")
        table = visitor.at.removesuffix("/setup")
        for name in ("Ann", "Bob"):
            visitor.press(f"{table}/setup", new=name)
        pools = ({"pool/0/0": "crab", "pool/2/3": "starfish", "pearls": "2"}, {"pool/0/0": "water", "pearls": "4"})
        for seat, entered in enumerate(pools):
            visitor.open(f"{table}/seats/{seat}")
            visitor.press(f"{table}/seats/{seat}", **entered)
        visitor.open(f"{table}/result")
        visitor.press(f"{table}/reveal")
        assert "Ann wins" in visitor.open(f"{table}/result"), visitor.page
        page = visitor.press(f"{table}/save", shared="1")
        assert visitor.at.startswith("/plays/")
        assert "Rock Pools" in page and "1 crab sits alone" in page and "1 group" in page
        assert "Ann" in visitor.open("/stats/games/rock_pools")
