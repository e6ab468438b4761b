"""The schema of the database and the steps that bring an older file up to date."""

from webapp.schema import migrations, opening
from webapp.schema.opening import Unfit

__all__ = ["Unfit", "migrations", "opening"]
