"""The SQLite file of one club: all of its history, nothing of others, and nothing that only this server may know."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from webapp.database import Database, copying, pack, sqlite
from webapp.history import TALLIES
from webapp.schema import migrations

PIECE = 1024 * 1024
PLAYS = 200  # whose rows are looked for together

# Each table by whose its rows are. What hangs on plays is found by them: there may be plays of many other clubs.
OF_THE_CLUB = {
    "clubs": "id = ?",
    **dict.fromkeys(("players", "former_names", "remembered", "cards", "matches", "retellings"), "club_id = ?"),
    # What is still to be done for all clubs is to be done for this one.
    "chores": "(club_id = ? OR club_id IS NULL AND kind <> 'club')",
    **{table: "club_id = ?" for table, (keys, _) in TALLIES.items() if "club_id" in keys},
    "tally_earned": "club_id = ?",
}
OF_ITS_PEOPLE = [table for table, (keys, _) in TALLIES.items() if "player_id" in keys]
OF_ITS_PLAYS = {
    **dict.fromkeys(("play_versions", "kept_seats", "kept_scores", "kept_cards", "kept_words"), "play_id"),
    **dict.fromkeys(("kept_lines", "earned"), "play_id"),
}
OF_ITS_PHOTOS = ("photo_boards", "pictures")
# In a way of their own: plays, in whose batches the others come; photos of plays; deeds, whose devices stay here.
BESIDES = ("kept_plays", "photos", "deeds", "settings")
# Keys, links and devices, and tables still in play.
STAYS = frozenset(
    {"links", "devices", "imports", "import_pieces", "import_traces", "import_differences"}
    | {"tables", "seats", "seat_versions", "changes", "drafts"}
    | {"rooms", "room_links", "room_plays", "phones", "passes"}
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
    """The club as it stands at one moment, in a new file."""
    with closing(sqlite.fresh(path, migrations.steps)) as copy:
        with db.looking(), copy.atomic():
            _Taking(db, copy, club_id).all_of_it()
        copy.execute("VACUUM")


class _Taking:
    """Rows on their way from one database to the other."""

    def __init__(self, db: Database, copy: Database, club_id: int) -> None:
        self.db, self.copy, self.club_id = db, copy, club_id
        self.tables = {table.name: table for table in copying.of(db, copying.tables(migrations.steps))}

    def all_of_it(self) -> None:
        self.take("settings", "name = ?", "definitions")
        for table, only in OF_THE_CLUB.items():
            if table != "tally_earned":
                self.take(table, only, self.club_id)
        for players in self.tables["players"].batches("club_id = ?", [self.club_id]):
            for table in OF_ITS_PEOPLE:
                self.take(table, f"player_id {IN_LIST}", pack([row[0] for row in players]))
        for plays in self.plays():
            for table, column in OF_ITS_PLAYS.items():
                self.take_what_hangs_on(table, column, plays)
            self.take_photos(plays)
        self.copy.execute("DELETE FROM tally_earned")  # a trigger has counted along
        self.take("tally_earned", OF_THE_CLUB["tally_earned"], self.club_id)
        self.take_deeds()

    def take(self, name: str, only: str, *values: object) -> None:
        table = self.tables[name]
        self.copy.load(name, table.columns, table.rows(only, values))

    def plays(self) -> Iterator[str]:
        """Some at a time, which are in the copy by then."""
        sql = "SELECT id FROM kept_plays WHERE club_id = ? ORDER BY id"
        ids = [play_id for (play_id,) in self.db.execute(sql, [self.club_id]).fetchall()]
        for start in range(0, len(ids), PLAYS):
            some = pack(ids[start : start + PLAYS])
            self.take_what_hangs_on("kept_plays", "id", some)
            yield some

    def take_what_hangs_on(self, name: str, column: str, ids: str) -> None:
        """All at once: sorted and cut into pieces, rows of some plays here and there would cost far more."""
        table = self.tables[name]
        self.copy.load(name, table.columns, table.found(f"{column} {IN_LIST}", [ids]))

    def take_photos(self, plays: str) -> None:
        photos = self.tables["photos"]
        for row in photos.found(f"table_id IS NULL AND play_id {IN_LIST}", [plays]):
            self.copy.load("photos", photos.columns, [row])
            for table in OF_ITS_PHOTOS:
                self.take_what_hangs_on(table, "photo_id", pack([row[photos.columns.index("id")]]))

    def take_deeds(self) -> None:
        """Who did what: by the name of a device, since the device itself stays here."""
        names = dict(self.db.execute("SELECT id, name FROM devices WHERE club_id = ?", [self.club_id]).fetchall())
        table = self.tables["deeds"]
        whose, name = table.columns.index("device_id"), table.columns.index("name")

        def told() -> Iterator[list[object]]:
            for row in map(list, table.rows("club_id = ?", [self.club_id])):
                row[name] = names.get(row[whose]) or row[name]
                row[whose] = None
                yield row

        self.copy.load("deeds", table.columns, told())
