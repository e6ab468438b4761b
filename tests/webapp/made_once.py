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

BUILD = ("_build", "_build_unknown")  # a rule's methods that put its address together
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


def addresses(compile_rule: Callable[[Rule], None]) -> Callable[[Rule], None]:
    """Cache what Werkzeug compiles for a rule, which depends only on the parts of the key."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}

    def once(rule: Rule) -> None:
        assert rule.map is not None
        key = (rule.rule, rule.subdomain, rule.merge_slashes, repr(rule.defaults), *rule.map.converters.values())
        if key not in kept:
            compile_rule(rule)
            kept[key] = {name: getattr(rule, name) for name in ("_parts", "_trace", "_converters", "arguments", *BUILD)}
        vars(rule).update(kept[key])
        for name in BUILD:
            setattr(rule, name, getattr(rule, name).__func__.__get__(rule, None))

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
    patch.setattr(Rule, "compile", addresses(Rule.compile))
    patch.setattr(demo_tables, "pool", tables(demo_tables.pool))
    patch.setattr(demo, "POOL", POOL)
