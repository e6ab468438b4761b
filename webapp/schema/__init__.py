"""The schema of the database and the steps that bring an older file up to date."""

from webapp.schema import migrations

__all__ = ["migrations"]
