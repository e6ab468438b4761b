"""Make once for all tests what is always the same: compiled templates, routes, and tables of demo clubs.

A process normally makes them for its only app, but the tests create thousands of apps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from scorer.contract import Game
from webapp.cli import demo, demo_tables

POOL = 40  # tables of each game that the demo clubs of the tests draw from


class Pages(BytecodeCache):
    """Cache compiled templates by their content and the app's languages."""

    def __init__(self) -> None:
        self.kept: dict[tuple[Any, ...], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.kept.get(read_as(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[read_as(bucket)] = bucket.code


def read_as(bucket: Bucket) -> tuple[Any, ...]:
    how = bucket.environment
    return bucket.key, bucket.checksum, how.finalize, how.filters["tojson"], *how.extensions


def addresses(make: Callable[[Rule, bool], Any]) -> Callable[[Rule, bool], Any]:
    """Cache the functions that Werkzeug compiles to build addresses, which depend only on these arguments."""
    kept: dict[tuple[Any, ...], Any] = {}

    def once(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in kept:
            kept[key] = make(rule, append_unknown)
        return kept[key]

    return once


def tables(make: Callable[[Game, Random, int], Iterator[str]]) -> Callable[[Game, Random, int], Iterator[str]]:
    """Cache the demo club's tables, and set the random generator to where making them leaves it."""
    kept: dict[tuple[Any, ...], tuple[list[str], Any]] = {}

    def once(game: Game, chance: Random, size: int) -> Iterator[str]:
        key = (game.id, chance.getstate(), size)
        if key not in kept:
            kept[key] = list(make(game, chance, size)), chance.getstate()
        found, left = kept[key]
        chance.setstate(left)
        return iter(found)

    return once


def install(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Flask, "jinja_options", {"bytecode_cache": Pages()})
    patch.setattr(Rule, "_compile_builder", addresses(Rule._compile_builder))
    patch.setattr(demo_tables, "pool", tables(demo_tables.pool))
    patch.setattr(demo, "POOL", POOL)
