"""Hide from our program what only Unix has. Python loads this file when its folder is on the path.

Modules and attributes are hidden only from our packages. Files behave as on Windows for everybody: there is no /proc,
names have no ":", and a file that this process has open can't be replaced or deleted.
"""

from __future__ import annotations

import builtins
import mimetypes
import os
import re
import signal
import socket
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

OURS = ("scorer", "vision", "webapp")
MODULES = {"fcntl", "resource", "pwd", "grp", "spwd", "termios", "tty", "pty", "syslog", "posix", "crypt", "nis"}
ATTRIBUTES = {
    "os": r"fork|forkpty|register_at_fork|wait\d?|waitid|killpg|nice|uname|getloadavg|sysconf|pathconf|confstr|"
    r"[gs]et(e|re|res)?[ug]id|[gs]etpgid|[gs]etpgrp|[gs]etsid|[gs]etgroups|initgroups|[gs]etpriority|sched_\w+|"
    r"fdatasync|sync|pread|pwrite|preadv|pwritev|readv|writev|sendfile|splice|copy_file_range|posix_\w+|lockf|"
    r"chown|fchown|lchown|fchmod|chroot|mkfifo|mknod|statvfs|fstatvfs|\w+xattr|openpty|ttyname|ctermid|tc\w+|pidfd_open|"
    r"eventfd\w*|memfd_create|getrandom|O_(DIRECTORY|NOFOLLOW|CLOEXEC|PATH|SYNC|DSYNC|NONBLOCK|NOATIME|TMPFILE|DIRECT)",
    "signal": r"SIG(HUP|USR1|USR2|ALRM|CHLD|PIPE|QUIT|KILL|CONT|STOP|TSTP|WINCH|TTIN|TTOU)|alarm|pause|[gs]etitimer|"
    r"pthread_\w+|sig(wait|waitinfo|timedwait|pending|interrupt)",
    "socket": r"AF_UNIX|SO_REUSEPORT|send_fds|recv_fds|MSG_\w+",
}
NOWHERE = ("/proc/", "/sys/", "/dev/")
EVERYWHERE = (os.devnull, "/dev/shm")  # NUL, on Windows; and where the tests keep their own files (tests/conftest.py)


find = builtins.__import__


def is_ours(names: Mapping[str, object] | None) -> bool:
    return names is not None and str(names.get("__name__")).split(".")[0] in OURS


def imported(name: str, *rest: Any, **named: Any) -> ModuleType:
    """Replace `__import__`, and hide some modules from our packages."""
    if name in MODULES and is_ours(rest[0] if rest else named.get("globals")):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return find(name, *rest, **named)


class Hiding(ModuleType):
    """Wrap a module and hide some attributes from our packages."""

    def __getattribute__(self, name: str) -> Any:
        mine = super().__getattribute__
        if re.fullmatch(ATTRIBUTES[mine("__name__")], name) and is_ours(sys._getframe(1).f_globals):
            raise AttributeError(f"module {mine('__name__')!r} has no attribute {name!r}")
        return mine(name)


def watch(event: str, told: tuple[Any, ...]) -> None:
    """Check operations on files."""
    if event == "open" and isinstance(told[0], str):
        if told[0].startswith(NOWHERE) and not told[0].startswith(EVERYWHERE):
            raise FileNotFoundError(2, "No such file or directory", told[0])
        if ":" in os.path.basename(told[0]):
            raise OSError(22, "Invalid argument", told[0])
    elif event == "os.rename":
        refuse_if_open(told[0], told[2])
        refuse_if_open(told[1], told[3])
    elif event == "os.remove":
        refuse_if_open(told[0], told[1])


def refuse_if_open(path: Any, folder: int) -> None:
    within = os.getcwd() if folder == -1 else os.readlink(f"/proc/self/fd/{folder}")
    wanted = os.path.realpath(os.path.join(within, os.fsdecode(path)))
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            found = os.readlink(f"/proc/self/fd/{descriptor}")
        except OSError:  # that of the list itself
            continue
        if found == wanted:
            raise PermissionError(13, "The process cannot access the file because it is being used", str(path))


def main() -> None:
    builtins.__import__ = imported
    for module in (os, signal, socket):
        module.__class__ = Hiding
    mimetypes.add_type("text/plain", ".js")  # as the registry of many a machine says
    sys.platform = "household"
    sys.addaudithook(watch)


main()
