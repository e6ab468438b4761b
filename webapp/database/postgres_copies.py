"""Make and restore copies of a database on a server with PostgreSQL's own programs.

The password reaches them through the environment, because others on this computer can read command lines.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from psycopg import conninfo
from sqlite_utils import Migrations

from scorer.sentences import Sentence, say
from webapp import private_files
from webapp.database import copying
from webapp.database.postgres_address import parts_of
from webapp.operator_errors import BackupError

BEGINNING = b"PGDMP"  # of a file of pg_dump's custom format
TABLES_OF_07 = {"kept_plays", "kept_seats", "play_versions"}


def folder_of_copies(address: str | Path) -> None:
    """Return None, because the server's owner makes the copies."""


def dump(address: str | Path, copy: Path, moment: str) -> None:
    """Write a copy of the database as it was in the exported snapshot whose id is `moment`."""
    private_files.make(copy)
    _run("pg_dump", address, "--format=custom", "--no-unlogged-table-data", f"--snapshot={moment}", f"--file={copy}")


def check_copy(copy: Path, steps: Migrations) -> None:
    """Raise BackupError if a file is not a complete copy of a Tidemark database."""
    if not copy.is_file():
        raise BackupError(say("there is no file {file}.", file=str(copy)))
    with copy.open("rb") as file:
        if file.read(len(BEGINNING)) != BEGINNING:
            raise BackupError(_no_backup(copy))
    held = {line.split()[6] for line in _run("pg_restore", None, "--list", str(copy)).splitlines() if _of_rows(line)}
    if not held >= set(copying.tables(steps)) and not held >= TABLES_OF_07:
        raise BackupError(_no_backup(copy))
    _run("pg_restore", None, f"--file={os.devnull}", str(copy))  # reads every byte


def _no_backup(file: Path) -> Sentence:
    return say("{file} is not a backup of Tidemark from PostgreSQL. Use another file.", file=str(file))


def _of_rows(line: str) -> bool:
    return not line.startswith(";") and line.split()[3:5] == ["TABLE", "DATA"]


def fill(address: str | Path, copy: Path) -> None:
    """Restore a copy into a database whose tables are empty, in one transaction."""
    how = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run("pg_restore", address, *how, str(copy))


def _run(name: str, address: str | Path | None, *arguments: str) -> str:
    """Run the program `name` of PostgreSQL, such as "pg_dump", and return its output. Raise BackupError if it fails."""
    program = shutil.which(name)
    if program is None:
        raise BackupError(_missing(name))
    parts = parts_of(address) if address is not None else {}
    environment = dict(os.environ)
    if "password" in parts:
        environment["PGPASSWORD"] = parts.pop("password")
    where = [f"--dbname={conninfo.make_conninfo('', **parts)}", "--no-password"] if address is not None else []
    command = [program, *where, *arguments]
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603, no shell
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [str(done.returncode)]
        raise BackupError(say("{program} failed: {fault}.", program=name, fault=said[0].rstrip(".")))
    return done.stdout.decode(errors="replace")


def _missing(name: str) -> Sentence:
    return say("To use {program}, install postgresql-client in the server’s version or newer.", program=name)
