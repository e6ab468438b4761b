"""Define the subcommands for authors of games: `tidemark new-game` and `tidemark check-game`."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

from scorer.sentences import say
from webapp.cli.terminal import FAILED, USAGE_ERROR, Unusable, complain, help_text, out

TEMPLATE = Path(__file__).parent / "new_game"
ENDING = ".in"  # of the template's files, so that tools ignore them
ID, NAME = "my_game", "My Game"  # in the template's files
BUILDERS = ("hatchling", "editables")  # with these, pip installs a package without downloads


def add(commands: Any) -> None:
    """Add the commands `tidemark new-game` and `tidemark check-game` with their options."""
    new = commands.add_parser("new-game", help=help_text(say("create a package with an example game")))
    new.add_argument("name", help=help_text(say("the game’s id")))
    new.set_defaults(run=run_new)
    check = commands.add_parser("check-game", help=help_text(say("test a game and list what to fix")))
    check.add_argument("name", help=help_text(say("the game’s id")))
    check.set_defaults(run=run_check)


def run_new(options: argparse.Namespace) -> int:
    """Write the package of a new game into a new folder in the current one. Print the next steps and return 0."""
    from scorer import games

    name: str = options.name
    if not games.ID.fullmatch(name):
        raise Unusable(
            say("“{id}” is not a valid id. Use up to 40 lowercase letters, digits and underscores.", id=name)
        )
    folder = Path(f"tidemark-{dashed(name)}")
    if folder.exists() or games.find(name) is not None or any(games.refused(name)):
        raise Unusable(say("There is already a game “{id}”. Choose another id.", id=name))
    write(folder, name)
    out(say("{folder} now contains a small working game. Next steps:", folder=str(folder)))
    for command in next_steps(folder, name):
        print(f"    {command}")
    return 0


def write(folder: Path, name: str) -> None:
    """Write the template of a game's package into the folder, with the id `name` instead of the template's."""
    for source in sorted(TEMPLATE.rglob(f"*{ENDING}")):
        target = folder / filled(source.relative_to(TEMPLATE).as_posix().removesuffix(ENDING), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(source.read_text(encoding="utf-8"), name), encoding="utf-8")


def filled(text: str, name: str) -> str:
    """Return a text of the template with the id and names of the new game in place of the template's."""
    for theirs, ours in ((ID, name), (dashed(ID), dashed(name)), (NAME, dashed(name).replace("-", " ").title())):
        text = text.replace(theirs, ours)
    return text


def dashed(name: str) -> str:
    """Return a game's id as used in the name of its package: with hyphens instead of underscores."""
    return re.sub("_+", "-", name).strip("-")


def next_steps(folder: Path, name: str) -> list[str]:
    """Return the commands that install the package, check it and play it."""
    offline = " --no-build-isolation" if all(map(importlib.util.find_spec, BUILDERS)) else ""
    python = sys.executable if re.fullmatch(r"[\w./:\\-]+", sys.executable) else f'"{sys.executable}"'
    return [
        f"{python} -m pip install{offline} --editable {folder}",
        f"tidemark check-game {name}",
        "tidemark serve",
    ]


def run_check(options: argparse.Namespace) -> int:
    """Print what is wrong with a game, and what was not tested. Return the exit code: 0 if nothing is wrong,
    USAGE_ERROR if the game is not installed, else FAILED."""
    from scorer import games
    from webapp.checking import check

    name: str = options.name
    if games.find(name) is None and not any(games.refused(name)):
        complain(say("No game “{id}” is installed. Install its package with pip.", id=name))
        return USAGE_ERROR
    checked = check(name)
    for finding in checked.findings:
        print(finding)
    for left_out in checked.not_tried:
        complain(left_out)
    if checked.findings:
        return FAILED
    out(say("We found nothing to fix in “{id}”.", id=name))
    return 0
