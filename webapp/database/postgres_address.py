"""Read the address of a database on a server. Its password is never shown."""

from __future__ import annotations

from pathlib import Path

from psycopg import ProgrammingError, conninfo

from scorer.sentences import Sentence, say
from webapp.database.files import UnusableDatabase


def check_address(address: str | Path) -> None:
    """Raise UnusableDatabase for a malformed address. The message leaves out the address, which may hold a password."""
    try:
        parts_of(address)
    except ValueError:
        raise UnusableDatabase(
            say(
                "this is not the address of a database. Here is one: {example}",
                example="postgresql://user:password@host/name",
            )
        ) from None


def named(address: str | Path) -> str:
    """Return the address without the password."""
    try:
        parts = parts_of(address)
    except ValueError:
        return "postgresql://…"
    port = f":{parts['port']}" if "port" in parts else ""
    return f"postgresql://{parts.get('host') or parts.get('hostaddr') or ''}{port}/{parts.get('dbname', '')}"


def parts_of(address: str | Path) -> dict[str, str]:
    """Return the parts of an address by their names, such as "host" and "dbname". Raise ValueError if a part makes no
    sense, as it may be a misplaced password."""
    try:
        parts = {name: str(value) for name, value in conninfo.conninfo_to_dict(str(address)).items()}
    except ProgrammingError:
        raise ValueError from None
    if not parts.get("port", "1").isdecimal() or "@" in parts.get("host", "") + parts.get("dbname", ""):
        raise ValueError
    return parts


def refusal_of(address: str | Path, fault: Exception) -> Sentence:
    return say("can’t use {file}: {fault}.", file=named(address), fault=_first(fault))


def _first(fault: Exception) -> str:
    """Return the first line of an error of the server, without its full stop."""
    return (str(fault).strip() or type(fault).__name__).splitlines()[0].rstrip(".")
