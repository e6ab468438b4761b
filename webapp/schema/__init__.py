"""Define the schema of the database, and the steps that bring an older database up to date."""

from webapp.schema import migrations, upgrade
from webapp.schema.upgrade import UnusableDatabase

__all__ = ["UnusableDatabase", "migrations", "upgrade"]
