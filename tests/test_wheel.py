"""The built wheel, installed alone in an empty environment, scores and carries its pages."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, ROOT


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


def test_the_installed_wheel_scores(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    # Scoring needs no other library, so none is fetched for this.
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True)
    tidemark = tmp_path / "venv" / "bin" / "tidemark"
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
