"""Run PostgreSQL for the tests: Debian's programs, in a temporary folder, reached by a socket in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

OWNER = "postgres"  # Debian's user; the server does not run as root
SETTINGS = ("listen_addresses=''", "max_connections=400", "shared_buffers=64MB")
# For tests that do not end the server: nothing of it is kept, and a disk would only slow it down.
CARELESS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
)


class Cluster:
    """Start a server when created, and remove it when closed."""

    def __init__(self, settings: Sequence[str] = CARELESS) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tidemark-postgres-"))
        self.user = OWNER if os.name == "posix" and os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self.data, self.settings = str(self.folder / "data"), (*SETTINGS, *settings)
        try:
            self._run(
                "initdb", "-D", self.data, "-U", "tidemark", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
            )
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def start(self) -> None:
        options = " ".join(f"-c {setting}" for setting in (*self.settings, f"unix_socket_directories='{self.folder}'"))
        self._run("pg_ctl", "-D", self.data, "-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-D", self.data, "-m", how, "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(programs() / program), *arguments]
        subprocess.run(command, check=True, user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL)

    def address(self, name: str) -> str:
        """Return the address of a database in the cluster, which may not exist yet."""
        return f"postgresql://tidemark@/{name}?host={quote(str(self.folder), safe='')}"

    def close(self) -> None:
        if (Path(self.data) / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def programs() -> Path:
    """Return the folder of Debian's newest server programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return found[-1]
