"""List the server's libraries with their licences (`make sbom`), and check them for known holes (`make check`).

Advisories come from a snapshot in deploy/advisories.json, so no network is needed. `make advisories` renews it from a
clone of the database of the Python Packaging Authority.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from packaging.markers import Marker
from packaging.version import Version

from tests.conftest import ROOT

LOCK = ROOT / "requirements-postgres.txt"  # a server on a file has some of them
SNAPSHOT = ROOT / "deploy" / "advisories.json"
SOURCE = "https://github.com/pypa/advisory-database, CC-BY-4.0"
OLD_DAYS = 90
LONGEST_NAME = 60  # of a licence; longer ones are its text
LINE = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?==([^\s;\\]+)(?:\s*;\s*([^\\\n]+?))?\s*\\?$", re.M)

Ranges = list[list[str]]  # from which version to before which; the latter is missing while there is no remedy


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, str]:
    """Return the version of each library that is installed on this platform."""
    found = LINE.findall(LOCK.read_text(encoding="utf-8"))
    return {canonical(name): version for name, version, only in found if not only or Marker(only).evaluate()}


def licence(name: str) -> str:
    about: Any = metadata.metadata(name)
    short = about.get("License") or ""
    classified = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line[:7] == "License"]
    told = [about.get("License-Expression"), short if len(short) < LONGEST_NAME else "", *classified]
    return next((one for one in told if one), "not told")


# -- what is inside ---


def sbom() -> dict[str, Any]:
    """Return the list of libraries in the format CycloneDX."""
    version = metadata.version("tidemark")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "tidemark", "version": version}},
        "components": [
            {
                "type": "library",
                "name": name,
                "version": number,
                "purl": f"pkg:pypi/{name}@{number}",
                "licenses": [{"license": {"name": licence(name)}}],
            }
            for name, number in sorted(locked().items())
        ],
    }


def write_sbom(file: Path) -> None:
    made = sbom()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    for part in made["components"]:
        print(f"{part['name']:<26}{part['version']:<14}{part['licenses'][0]['license']['name']}")


# -- known holes ---


def concerned(version: str, ranges: Ranges) -> bool:
    number = Version(version)
    return any(Version(first) <= number and (not end or number < Version(end[0])) for first, *end in ranges)


def holes(versions: dict[str, str], snapshot: dict[str, Any]) -> Iterator[str]:
    """Yield each known hole in these versions."""
    for name, advisories in snapshot["packages"].items():
        for identifier, ranges in advisories.items():
            if name in versions and concerned(versions[name], ranges):
                yield f"{name} {versions[name]}: {identifier}"


def check(today: date) -> int:
    snapshot = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    versions = locked()
    found = list(holes(versions, snapshot))
    days = (today - date.fromisoformat(snapshot["taken"])).days
    print(f"advisories: {len(found)} known holes in {len(versions)} libraries. The snapshot is {days} days old.")
    if days > OLD_DAYS:
        print("advisories: the snapshot is too old to rely on. Renew it: make advisories ADVISORIES=FOLDER")
    print("".join(f"  {hole}\n" for hole in found), end="")
    return 1 if found else 0


def renew(clone: Path) -> None:
    """Renew the snapshot from a clone, keeping only advisories about our libraries."""
    taken = subprocess.run(
        ["git", "-C", clone, "log", "-1", "--format=%cs"], capture_output=True, text=True, check=True
    ).stdout.strip()
    packages = {name: dict(sorted(advisories_of(clone, name))) for name in sorted(locked())}
    snapshot = {"source": SOURCE, "taken": taken, "packages": packages}
    SNAPSHOT.write_text(json.dumps(snapshot, indent=1) + "\n", encoding="utf-8")


def advisories_of(clone: Path, name: str) -> Iterator[tuple[str, Ranges]]:
    for file in sorted((clone / "vulns" / name).glob("*.yaml")):
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
        if "withdrawn" not in told:
            yield told["id"], [ends for one in told["affected"] for part in one["ranges"] for ends in spans(part)]


def spans(part: dict[str, Any]) -> Ranges:
    """Return the versions from each event `introduced` to the next `fixed`, but none for ranges of commits."""
    found: Ranges = []
    for event in part["events"] if part["type"] == "ECOSYSTEM" else ():
        if "introduced" in event:
            found.append([event["introduced"]])
        elif "fixed" in event:
            found[-1].append(event["fixed"])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check")
    commands.add_parser("sbom").add_argument("file", type=Path)
    commands.add_parser("renew").add_argument("clone", type=Path)
    options = parser.parse_args()
    if options.command == "check":
        return check(datetime.now(UTC).date())
    if options.command == "sbom":
        write_sbom(options.file)
    else:
        renew(options.clone)
    return 0


if __name__ == "__main__":
    sys.exit(main())
