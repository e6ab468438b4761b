"""Set the limits from `deploy/` for a server on this machine, without systemd and containers.

`as_unit` and `as_container` return the beginning of a command. Bubblewrap makes the file system read-only, removes all
rights and gives the server its own `/tmp`. Then this file, run as a program, sets the limits of the unit and becomes
the
server:

    bwrap ... python -m tests.deploy.shut_in --files 65536 --calls @system-service -- tidemark serve
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.conftest import ROOT

UNIT = ROOT / "deploy" / "tidemark@.service"
COMPOSE = ROOT / "deploy" / "compose.yaml"
USER = "10001"
SET_MDWE, REFUSE_EXEC_GAIN = 65, 1  # prctl: no memory is made executable any more, as MemoryDenyWriteExecute asks
ALLOW, REFUSE_WITH_EPERM = 0x7FFF0000, 0x00050001  # libseccomp: SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(EPERM)


def as_unit(*folders: Path) -> list[str]:
    """Return a command's beginning with the limits of the systemd unit. Only these folders can be written."""
    unit = UNIT.read_text(encoding="utf-8")
    files = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.M)
    calls = [f"--calls={line}" for line in re.findall(r"^SystemCallFilter=(.+)$", unit, re.M)]
    assert files and calls and "MemoryDenyWriteExecute=yes" in unit
    return [*shut_in(folders, []), "--files", files[0], "--no-new-code", *calls, "--"]


def as_container(*folders: Path) -> list[str]:
    """Return a command's beginning with the limits of a server in `compose.yaml`, whose `/tmp` is small."""
    compose = COMPOSE.read_text(encoding="utf-8")
    files, megabytes = re.findall(r"nofile: (\d+)", compose), re.findall(r"/tmp:size=(\d+)m", compose)
    assert files and megabytes and "read_only: true" in compose
    return [*shut_in(folders, ["--size", str(int(megabytes[0]) * 2**20)]), "--files", files[0], "--"]


def shut_in(folders: Sequence[Path], size: list[str]) -> list[str]:
    user = ["--die-with-parent", "--unshare-user", "--uid", USER, "--gid", USER, "--cap-drop", "ALL"]
    open_ones = [word for folder in folders for word in ("--bind", str(folder), str(folder))]
    places = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *size, "--tmpfs", "/tmp"]
    return [
        "bwrap",
        *user,
        *places,
        *("--ro-bind", str(ROOT), str(ROOT), *open_ones, "--chdir", str(ROOT), "--"),
        *(sys.executable, "-m", "tests.deploy.shut_in"),
    ]


def allowed_calls(lines: list[str]) -> set[str]:
    """Return the system calls that lines of `SystemCallFilter=` allow."""
    found = set[str]()
    for line in lines:
        calls = {call for name in line.removeprefix("~").split() for call in calls_of(name)}
        found = found - calls if line.startswith("~") else found | calls
    return found


def calls_of(name: str) -> Iterator[str]:
    """Yield the system calls of a group, and of the groups in it."""
    if not name.startswith("@"):
        yield name
        return
    told = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    for line in told.stdout.splitlines()[1:]:
        if line.strip() and not line.strip().startswith("#"):
            yield from calls_of(line.strip())


def refuse_other_calls(calls: set[str]) -> None:
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(REFUSE_WITH_EPERM))
    for call in calls:
        number = library.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:  # calls of other machines have none
            assert library.seccomp_rule_add(rules, ALLOW, number, 0) == 0, call
    assert library.seccomp_load(rules) == 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, required=True)
    parser.add_argument("--no-new-code", action="store_true")
    parser.add_argument("--calls", action="append", default=[])
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = given.files if most == resource.RLIM_INFINITY else min(given.files, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    calls = allowed_calls(given.calls)
    if given.no_new_code:
        assert ctypes.CDLL(None).prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) == 0
    if calls:
        refuse_other_calls(calls)
    os.execv(given.command[0], given.command)


if __name__ == "__main__":
    main()
