"""Define the schema as steps: one baseline, and after the release of 0.8 a new step for each change.

Until 0.8 is released the baseline itself changes. Files of 0.7 are converted (`webapp.conversion`).
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from webapp.schema import clubs, history, tables

steps = Migrations("tidemark")


@steps()
def m100_baseline(db: Database) -> None:
    """Create all tables, indexes and views."""
    for statement in (*clubs.STATEMENTS, *tables.STATEMENTS, *history.STATEMENTS):
        db.execute(statement)
