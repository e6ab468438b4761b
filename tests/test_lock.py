"""The lock: every library in one version, known by the hash of its files, wherever it is fetched from."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = (*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"])
NODES = (*RUNTIME, *PROJECT["project"]["optional-dependencies"]["postgres"])
DEV = (*NODES, *PROJECT["dependency-groups"]["dev"])
FILES = ("requirements.txt", "requirements-postgres.txt", "requirements-dev.txt")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(file: str) -> dict[str, list[str]]:
    """Name -> versions: more than one only where platforms differ."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / file).read_text(encoding="utf-8"), re.M):
        found.setdefault(canonical(name), []).append(version)
    return found


@pytest.mark.parametrize(
    ("file", "wanted"),
    [("requirements.txt", RUNTIME), ("requirements-postgres.txt", NODES), ("requirements-dev.txt", DEV)],
)
def test_the_lock_holds_all_that_the_project_asks_for(file: str, wanted: tuple[str, ...]) -> None:
    versions = locked(file)
    for line in wanted:
        requirement = Requirement(line)
        held = versions.get(canonical(requirement.name), [])
        assert held, f"{requirement.name} is not in {file}: make lock"
        for version in held:
            assert requirement.specifier.contains(version), f"{line} does not admit {version}: make lock"


def test_the_locks_agree() -> None:
    runtime, nodes, dev = (locked(file) for file in FILES)
    assert runtime == {name: nodes.get(name) for name in runtime}
    assert nodes == {name: dev.get(name) for name in nodes}


@pytest.mark.parametrize("file", FILES)
def test_every_version_has_hashes_and_no_host_is_named(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=[a-z0-9])", text.split("\n\n", 1)[-1]):
        if "==" in entry:
            assert "--hash=sha256:" in entry, entry.splitlines()[0]
    assert "://" not in text
    assert "--index-url" not in text
