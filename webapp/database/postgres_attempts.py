"""Count attempts of visitors at all nodes, by the server's clock, in a table that need not reach the disk."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webapp.database.attempts import Limit

if TYPE_CHECKING:
    from webapp.database.postgres_connection import Postgres
    from webapp.database.postgres_pool import Connections

TABLE = """CREATE UNLOGGED TABLE attempts (
    what TEXT NOT NULL, who TEXT NOT NULL, moments DOUBLE PRECISION[] NOT NULL, ends DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (what, who)
)"""
CLEAR_EVERY = 500  # attempts at one node
NOW = "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
RECENT = "ARRAY(SELECT one FROM unnest(kept.moments) AS one WHERE one > excluded.moments[1] - ?4)"
# The attempt was allowed if its moment is now the last in the row.
COUNT = f"""WITH this AS (SELECT {NOW} AS moment)
    INSERT INTO attempts AS kept (what, who, moments, ends)
    SELECT ?1, ?2, ARRAY[moment], moment + ?4 FROM this
    ON CONFLICT (what, who) DO UPDATE SET ends = excluded.ends,
        moments = {RECENT} || CASE WHEN cardinality({RECENT}) < ?3 THEN excluded.moments END
    RETURNING moments[cardinality(moments)] = (SELECT moment FROM this)"""


class Attempts:
    """Count the attempts at all nodes together."""

    def __init__(self, connections: Connections) -> None:
        self.connections, self.turns = connections, itertools.count(1)

    def allow(self, limit: Limit, who: str) -> bool:
        """Return whether the visitor `who`, an address, may try once more. An allowed attempt is counted."""
        with self._connection() as db:
            if next(self.turns) % CLEAR_EVERY == 0:
                db.execute(f"DELETE FROM attempts WHERE ends < {NOW}")
            return bool(db.execute(COUNT, [limit.what, who, limit.attempts, float(limit.seconds)]).fetchone()[0])

    def forgive(self, limit: Limit, who: str) -> None:
        """Take back the latest counted attempt of the visitor `who`."""
        with self._connection() as db:
            sql = "UPDATE attempts SET moments = trim_array(moments, 1) WHERE what = ? AND who = ? AND moments <> '{}'"
            db.execute(sql, [limit.what, who])

    def forget(self) -> None:
        """Forget the attempts of every visitor."""
        with self._connection() as db:
            db.execute("DELETE FROM attempts")

    @contextmanager
    def _connection(self) -> Iterator[Postgres]:
        """Lend a connection other than the request's, so that an attempt counts even if the request fails."""
        db = self.connections.take()
        try:
            yield db
        finally:
            self.connections.give_back(db)
