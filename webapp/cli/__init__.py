"""Provide the `tidemark` command."""

from webapp.cli.command import main

__all__ = ["main"]
