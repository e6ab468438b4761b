"""Test that every library of a server is listed with its licence, and that known holes are found."""

from __future__ import annotations

import json
import tomllib
from datetime import date

import pytest

from tests import supply
from tests.conftest import ROOT
from tests.supply import Ranges

SNAPSHOT = json.loads(supply.SNAPSHOT.read_text(encoding="utf-8"))
ALLOWED = ("MIT", "BSD", "Apache", "PSF", "MPL", "Mozilla", "LGPL", "Public Domain")  # they ask nothing of who runs it


@pytest.mark.parametrize(
    ("version", "ranges", "expected"),
    [
        ("2.3.7", [["0", "2.3.8"]], True),
        ("2.3.8", [["0", "2.3.8"]], False),
        ("2.10.0", [["0", "2.3.8"]], False),  # ten is more than three
        ("3.0.0", [["0", "2.3.8"], ["3.0.0", "3.0.1"]], True),
        ("3.0.1", [["0", "2.3.8"], ["3.0.0", "3.0.1"]], False),
        ("99", [["3"]], True),  # there is no remedy yet
        ("2", [["3"]], False),
        ("1", [], False),
    ],
)
def test_a_version_is_concerned_from_the_first_to_before_the_remedy(
    version: str, ranges: Ranges, expected: bool
) -> None:
    assert supply.concerned(version, ranges) is expected


def test_a_known_hole_is_found_and_named() -> None:
    """Werkzeug before 2.3.8 took long for certain forms (CVE-2023-46136)."""
    assert "werkzeug 2.3.7: PYSEC-2023-221" in list(supply.holes({"werkzeug": "2.3.7"}, SNAPSHOT))
    assert not [hole for hole in supply.holes({"werkzeug": "2.3.8"}, SNAPSHOT) if "PYSEC-2023-221" in hole]


def test_no_library_of_a_server_has_a_hole_that_the_snapshot_knows() -> None:
    assert list(supply.holes(supply.locked(), SNAPSHOT)) == []


def test_the_snapshot_was_asked_about_every_library() -> None:
    assert set(SNAPSHOT["packages"]) >= set(supply.locked()), "make advisories"


def test_the_check_says_how_old_the_snapshot_is(capsys: pytest.CaptureFixture[str]) -> None:
    taken = date.fromisoformat(SNAPSHOT["taken"])
    assert supply.check(date.fromordinal(taken.toordinal() + 90)) == 0
    said = capsys.readouterr().out
    assert "90 days old" in said and "too old" not in said
    supply.check(date.fromordinal(taken.toordinal() + 91))
    assert "too old to rely on" in capsys.readouterr().out


def test_every_library_is_listed_with_a_licence_that_binds_nobody_who_runs_it() -> None:
    listed = {part["name"]: part for part in supply.sbom()["components"]}
    assert {name: part["version"] for name, part in listed.items()} == supply.locked()
    for name, part in listed.items():
        licence = part["licenses"][0]["license"]["name"]
        assert any(word in licence for word in ALLOWED), f"{name}: {licence}"


def test_the_list_names_our_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert supply.sbom()["metadata"]["component"]["version"] == version
