"""Write the SQLite file of one club: its whole history, without other clubs and without keys of this server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from webapp.database import Database, copying, pack, sqlite
from webapp.schema import migrations

PIECE = 1024 * 1024
PLAYS = 200  # in one batch

# For each table, the condition for rows of the club. Dependent rows are found by the ids of plays, photos and boards.
OF_THE_CLUB = {
    "clubs": "id = ?",
    **dict.fromkeys(("players", "remembered", "box_cards", "matches", "standings"), "club_id = ?"),
    "samples": "club_id = ? AND permitted_at IS NOT NULL",
    "jobs": "club_id = ? AND kind NOT IN ('import', 'export')",
}
OF_ITS_PLAYS = (
    *("play_versions", "version_scores", "all_scores", "all_lines", "all_cards"),
    *("ratings", "achievements", "search_words"),
)
OF_ITS_PHOTOS = ("photo_boards", "pictures")
# Copied by methods of their own.
COPIED_SEPARATELY = ("all_plays", "photos", "audit_log", "rules")
# Left out: keys, links and devices, imports under way, and games that are not finished.
LEFT_OUT = frozenset(
    {"settings", "links", "devices", "import_pieces", "import_claims", "import_differences"}
    | {"tables", "seats", "seat_versions", "changes", "drafts"}
    | {"rooms", "room_plays", "phones", "acts"}
)
IN_LIST = "IN (SELECT value FROM numbers_in(?))"


def pieces(db: Database, club_id: int) -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        write(db, club_id, path)
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def write(db: Database, club_id: int, path: Path) -> None:
    """Write the club into a new file, as it is at one moment."""
    with closing(sqlite.fresh(path, migrations.steps)) as copy:
        with db.snapshot(), copy.atomic():
            _RowCopy(db, copy, club_id).all_of_it()
        copy.execute("VACUUM")


class _RowCopy:
    """Copy rows from one database to the other."""

    def __init__(self, db: Database, copy: Database, club_id: int) -> None:
        self.db, self.copy, self.club_id = db, copy, club_id
        self.tables = {table.name: table for table in copying.tables_of(db, copying.tables(migrations.steps))}

    def all_of_it(self) -> None:
        for table, only in OF_THE_CLUB.items():
            self.take(table, only, self.club_id)
        self.take("rules", "1 = 1")
        for plays in self.plays():
            for table in OF_ITS_PLAYS:
                self.take_dependent_rows(table, "play_id", plays)
            self.take_photos(plays)
        self.take_log()

    def take(self, name: str, only: str, *values: object) -> None:
        table = self.tables[name]
        self.copy.load(name, table.columns, table.rows(only, values))

    def plays(self) -> Iterator[str]:
        """Copy the plays in batches; after each batch, yield the ids of its plays as a JSON list."""
        sql = "SELECT id FROM all_plays WHERE club_id = ? ORDER BY id"
        ids = [play_id for (play_id,) in self.db.execute(sql, [self.club_id]).fetchall()]
        for start in range(0, len(ids), PLAYS):
            some = pack(ids[start : start + PLAYS])
            self.take_dependent_rows("all_plays", "id", some)
            yield some

    def take_dependent_rows(self, name: str, column: str, ids: str) -> None:
        """Copy the rows of the table `name` whose `column` is one of `ids`, a JSON list.

        One query for many plays costs far less than one query for each.
        """
        table = self.tables[name]
        self.copy.load(name, table.columns, table.found(f"{column} {IN_LIST}", [ids]))

    def take_photos(self, plays: str) -> None:
        photos = self.tables["photos"]
        for row in photos.found(f"table_id IS NULL AND play_id {IN_LIST}", [plays]):
            self.copy.load("photos", photos.columns, [row])
            for table in OF_ITS_PHOTOS:
                self.take_dependent_rows(table, "photo_id", pack([row[photos.columns.index("id")]]))

    def take_log(self) -> None:
        """Copy the audit log with the names of the devices, since the devices are left out."""
        names = dict(self.db.execute("SELECT id, name FROM devices WHERE club_id = ?", [self.club_id]).fetchall())
        table = self.tables["audit_log"]
        whose, name = table.columns.index("device_id"), table.columns.index("name")

        def with_names() -> Iterator[list[object]]:
            for row in map(list, table.rows("club_id = ?", [self.club_id])):
                row[name] = names.get(row[whose]) or row[name]
                row[whose] = None
                yield row

        self.copy.load("audit_log", table.columns, with_names())
