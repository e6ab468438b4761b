"""The phones at a table: what each may do there, who sits where, and the ways in.

Three rights, each with its own link that nobody guesses, and kept by the device's own signed cookie:

    watch   sees who is done and, once it is revealed, the result
    enter   also sits down at free seats and enters what lies there, and nothing else
    host    does everything

The six-character code gives none of them. Six characters are few enough to be guessed by patience (docs/live.md has the
arithmetic), so whoever types it knocks, and the host, who sees the sign that the phone shows, lets it in.
"""

from __future__ import annotations

import hmac
import secrets

from flask import session

from webapp.clubs import Membership, access, new_token
from webapp.database import Database, ago, now
from webapp.table.tables import Seat, Table, find, touch

RIGHTS = ("watch", "enter", "host")  # each may do all that those before it may

# No two of these look alike on a screen three metres away (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V), and no vowel
# is left to make a word of.
ALPHABET = "34679CDFHJKMNPRTVWXY"
CODE_LENGTH = 6
SIGN_LENGTH = 3
MOST_WAITING = 12  # phones at the door of one table
PATIENCE_DAYS = 1 / 96  # a quarter of an hour: then a phone has to knock again


def device() -> str:
    """The name this device goes by, known to nobody else."""
    return access.phone()


def right_at(db: Database, table: Table) -> str | None:
    """What this device may do at the table: by what it was let in as, or by its place in the table's club."""
    row = _phone(db, table, session.get("device", ""))
    granted = row["role"] if row and row["role"] != "knock" else None
    return max((right for right in (granted, _by_membership(table)) if right), key=RIGHTS.index, default=None)


def _by_membership(table: Table) -> str | None:
    """A table that is closed to other phones is entered by any member; one that is open has one host.

    The club's owner is one everywhere, since a host's phone may be lost.
    """
    membership = access.in_club(table.club_id)
    if membership is None:
        return None
    if membership.may("owner" if table.code else "member"):
        return "host"
    return "enter" if membership.may("member") else "watch"


def may(right: str | None, wanted: str) -> bool:
    return right is not None and RIGHTS.index(right) >= RIGHTS.index(wanted)


def _phone(db: Database, table: Table, name: str) -> dict[str, str] | None:
    return db.row("SELECT role, wants, sign FROM phones WHERE table_id = ? AND device = ?", table.id, name)


def _write_down(db: Database, table: Table, role: str, wants: str = "enter", sign: str = "", way: str = "club") -> None:
    """This phone is at the table, or at its door, with that right, and has come that way."""
    row = {"role": role, "wants": wants, "sign": sign, "way": way, "kind": access.agent()}
    db.upsert("phones", ("table_id", "device"), table_id=table.id, device=device(), **row, since=now())
    touch(db, table)


def symbols(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


# -- opening, closing, handing over ---


def open_up(db: Database, table: Table) -> None:
    """Let other phones come; this one is the host."""
    if table.code is not None:
        return
    with db.atomic():
        code = symbols(CODE_LENGTH)
        while db.row("SELECT 1 FROM tables WHERE code = ?", code):
            code = symbols(CODE_LENGTH)
        db.execute("UPDATE tables SET code = ? WHERE id = ? AND code IS NULL", [code, table.id])
        for right in RIGHTS:
            db.execute(
                "INSERT OR IGNORE INTO table_links (table_id, role, token) VALUES (?, ?, ?)",
                [table.id, right, new_token()],
            )
        _write_down(db, table, "host")


def close(db: Database, table: Table) -> None:
    """Send the other phones away. What they entered stays."""
    with db.atomic():
        for left in ("phones", "table_links", "drafts"):
            db.execute(f"DELETE FROM {left} WHERE table_id = ?", [table.id])
        db.execute("UPDATE seats SET holder = NULL WHERE table_id = ?", [table.id])
        db.execute("UPDATE tables SET code = NULL, revealed_at = NULL WHERE id = ?", [table.id])
        touch(db, table)


def hand_to(db: Database, table: Table, name: str, way: str = "club") -> None:
    """Make that phone the host. The one that was stays at the table, and the host's link is a new one."""
    with db.atomic():
        db.execute("UPDATE phones SET role = 'enter' WHERE table_id = ? AND role = 'host'", [table.id])
        handed = db.execute(
            "UPDATE phones SET role = 'host', since = ? WHERE table_id = ? AND device = ?", [now(), table.id, name]
        )
        if handed.rowcount == 0:
            assert name == device(), "whoever sits at the table is written down"
            _write_down(db, table, "host", way=way)
        db.execute("UPDATE table_links SET token = ? WHERE table_id = ? AND role = 'host'", [new_token(), table.id])


def links(db: Database, table: Table) -> dict[str, str]:
    rows = db.query("SELECT role, token FROM table_links WHERE table_id = ?", [table.id])
    return {row["role"]: row["token"] for row in rows}


def by_link(db: Database, token: str) -> tuple[Table, str] | None:
    """The table that the link leads to, and the right it gives. A token has 128 random bits."""
    row = db.row(
        """SELECT tables.key, table_links.role, table_links.token FROM table_links
        JOIN tables ON tables.id = table_links.table_id WHERE table_links.token = ?""",
        token,
    )
    if row is None or not hmac.compare_digest(row["token"].encode(), token.encode()):
        return None
    table = find(db, row["key"])
    return (table, row["role"]) if table else None


def welcome(db: Database, table: Table, right: str) -> None:
    """Give this phone the right, unless it has a stronger one."""
    if not may(right_at(db, table), right):
        with db.atomic():
            _write_down(db, table, right, way="link")


# -- seats ---


def claim(db: Database, table: Table, seat: Seat) -> bool:
    """Sit down on a free seat; False if somebody else just has."""
    with db.atomic():
        taken = db.execute(
            "UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ? AND holder IS NULL",
            [device(), table.id, seat.number],
        )
        if taken.rowcount == 0:
            return seat.holder == device()
        if _phone(db, table, device()) is None:
            _write_down(db, table, "enter")
        touch(db, table)
    return True


def free(db: Database, table: Table, seat: Seat) -> None:
    """Let somebody else sit there. What was entered stays."""
    with db.atomic():
        db.execute("UPDATE seats SET holder = NULL WHERE table_id = ? AND seat = ?", [table.id, seat.number])
        touch(db, table)


def leave(db: Database, table: Table) -> None:
    """This phone goes, and its seats are free. A host cannot: the table would be nobody's."""
    with db.atomic():
        db.execute("UPDATE seats SET holder = NULL WHERE table_id = ? AND holder = ?", [table.id, device()])
        db.execute("DELETE FROM phones WHERE table_id = ? AND device = ? AND role != 'host'", [table.id, device()])
        touch(db, table)


def may_still_watch(db: Database, key: str, name: str, membership: Membership | None) -> bool:
    """Whether whoever began to listen may go on: let in here, or in the club. All may hear that a table is gone."""
    row = db.row(
        """SELECT EXISTS (SELECT 1 FROM phones WHERE table_id = tables.id AND device = ? AND role != 'knock')
            OR EXISTS (SELECT 1 FROM devices WHERE id = ? AND club_id = tables.club_id AND ended_at IS NULL) AS may
        FROM tables WHERE key = ?""",
        name,
        membership.device.id if membership else None,
        key,
    )
    return row is None or bool(row["may"])


# -- the door ---


def read_code(typed: str) -> str:
    """A code as people type it: in small letters, with spaces between."""
    return "".join(symbol for symbol in typed.upper() if symbol.isalnum())[:CODE_LENGTH]


def knock(db: Database, table: Table, wants: str) -> None:
    """Wait at the table's door, unless there is a crowd."""
    with db.atomic():
        db.execute("DELETE FROM phones WHERE role = 'knock' AND since < ?", [ago(days=PATIENCE_DAYS)])
        if len(at_the_door(db, table)) < MOST_WAITING and right_at(db, table) is None:
            _write_down(db, table, "knock", wants, sign_of_device(), "door")


def sign_of_device() -> str:
    """What this phone shows while it waits, so that the host knows which phone knocks."""
    if "sign" not in session:
        session["sign"] = symbols(SIGN_LENGTH)
    sign: str = session["sign"]
    return sign


def at_the_door(db: Database, table: Table) -> list[dict[str, str]]:
    rows = db.query(
        "SELECT sign, wants FROM phones WHERE table_id = ? AND role = 'knock' ORDER BY since, sign", [table.id]
    )
    return list(rows)


def answer_door(db: Database, table: Table, sign: str, let_in: bool) -> None:
    """Let the phone with that sign in with what it came for, or send it away."""
    action = "UPDATE phones SET role = wants" if let_in else "DELETE FROM phones"
    with db.atomic():
        db.execute(f"{action} WHERE table_id = ? AND role = 'knock' AND sign = ?", [table.id, sign])
        touch(db, table)
