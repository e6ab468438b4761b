"""Restrict a process that reads strangers' files: no network, no other processes, and only a few files.

On Linux the kernel enforces this as far as it can: Landlock for files (5.13) and TCP (6.7), and a seccomp filter for
sockets and for system calls that no reader of pictures needs. Both also hold for programs started later, such as
tesseract, and can't be undone. Where the system has neither, `shut` says what is missing, and the limits on memory and
time still hold.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.sentences import NOTHING, Sentence, say

# -- Landlock, as in linux/landlock.h ---
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
VERSION_ASKED = 1  # a flag of CREATE_RULESET: return the version, make nothing
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
TRUNCATE, IOCTL = 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL  # rights that a rule for a single file may have
READING = EXECUTE | READ_FILE | READ_DIR
RIGHTS_OF = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights to files each version knows; later ones 16
TCP_FROM, TCP = 4, 0b11  # the version that knows the network; to bind and to connect
SCOPES_FROM, SCOPES = 6, 0b11  # abstract sockets and signals to processes outside

# -- seccomp, as in linux/seccomp.h and linux/audit.h ---
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | 13  # REFUSE answers EACCES
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
FOREIGN = 0x40000000  # calls of x32 have numbers from here on
# socket, connect, bind, listen, accept, accept4, sendto, sendmsg, sendmmsg, ptrace, process_vm_readv,
# process_vm_writev, io_uring_setup, mount, umount2, pivot_root, init_module, finit_module, bpf, perf_event_open,
# add_key, request_key, keyctl, userfaultfd, unshare, setns
REFUSED = {
    "x86_64": (
        0xC000003E,
        (
            *(41, 42, 49, 50, 43, 288, 44, 46, 307, 101, 310, 311, 425, 165, 166, 155, 175, 313, 321, 298),
            *(248, 249, 250, 323, 272, 308),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(198, 203, 200, 201, 202, 242, 206, 211, 269, 117, 270, 271, 425, 40, 39, 41, 105, 273, 280, 241),
            *(217, 218, 219, 282, 97, 268),
        ),
    ),
}
# What programs and libraries read wherever they are installed; what does not exist here is passed over.
SYSTEM = (
    *("/usr", "/lib", "/lib64", "/bin", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.preload"),
    *("/etc/localtime", "/etc/nsswitch.conf", "/etc/alternatives", "/dev/urandom", "/dev/zero"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
NULL = "/dev/null"


@dataclass(frozen=True, slots=True)
class Guards:
    """Hold whether access to files and to the network is restricted, or can be."""

    files: bool = False
    network: bool = False


def lacking(guards: Guards) -> Sentence:
    """Return a sentence for the server owner if access to files or the network is not restricted, else NOTHING."""
    if guards.files and guards.network:
        return NOTHING
    return say("The photo reader could reach other files or the network. Linux 5.13 or newer prevents this.")


def available() -> Guards:
    """Return what this system can restrict, without restricting anything."""
    libc = _libc()
    if libc is None:
        return Guards()
    return Guards(_landlock(libc) > 0, platform.machine() in REFUSED and libc.prctl(21, 0, 0, 0, 0) >= 0)


def shut(readable: Iterable[Path], writable: Path) -> Guards:
    """Forbid this process the network and most files, for good and for all child processes.

    It may still read `readable` and installed programs, and write to `writable`. Return what is now restricted. Threads
    that already run are not restricted, so call this first.
    """
    libc = _libc()
    if libc is None or libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return Guards()
    return Guards(_shut_files(libc, readable, writable), _shut_network(libc))


def programs() -> Iterator[Path]:
    """Yield the folders of Python, its packages and ours, but none with other contents such as the database."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent)
    yield from (Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages"))
    yield from (Path(__file__).parent, Path(__file__).parent.parent / "scorer")
    if data := os.environ.get("TESSDATA_PREFIX"):
        yield Path(data)


def _libc() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None


def _landlock(libc: Any) -> int:
    """Return the version of the kernel's Landlock, which restricts access to files, or 0 if it has none."""
    version: int = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_ASKED)
    return max(0, version)


def _shut_files(libc: Any, readable: Iterable[Path], writable: Path) -> bool:
    version = _landlock(libc)
    if not version:
        return False
    rights = (1 << RIGHTS_OF.get(version, 16)) - 1
    wanted = struct.pack("=QQQ", rights, TCP if version >= TCP_FROM else 0, SCOPES if version >= SCOPES_FROM else 0)
    size = 24 if version >= SCOPES_FROM else 16 if version >= TCP_FROM else 8
    ruleset = libc.syscall(CREATE_RULESET, wanted, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    try:
        for path in (*map(Path, SYSTEM), *programs(), *readable):
            _allow(libc, ruleset, path, READING & rights)
        _allow(libc, ruleset, Path(NULL), (READ_FILE | WRITE_FILE) & rights)
        _allow(libc, ruleset, writable, rights & ~EXECUTE)
        return bool(libc.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: Any, ruleset: int, path: Path, rights: int) -> None:
    with suppress(OSError):  # not here
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if path.is_dir() else rights & OF_FILES
            libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", allowed, opened), 0)
        finally:
            os.close(opened)


def _shut_network(libc: Any) -> bool:
    machine = platform.machine()
    if machine not in REFUSED or sys.maxsize < 2**32:
        return False
    architecture, calls = REFUSED[machine]
    steps = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    steps += [(AT_LEAST, 0, 1, FOREIGN), (RETURN, 0, 0, REFUSE)]
    for call in calls:
        steps += [(EQUAL, 0, 1, call), (RETURN, 0, 0, REFUSE)]
    steps.append((RETURN, 0, 0, ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    return bool(libc.prctl(SET_SECCOMP, FILTER, program, 0, 0) == 0)
