"""Make once for all tests what is always the same: compiled templates, routes, and tables of demo clubs.

A process normally makes them for its only app, but the tests create thousands of apps.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from random import Random
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from scorer.contract import Game
from tests.conftest import ROOT
from webapp.cli import demo, demo_tables
from webapp.cli.demo_tables import SEED

BUILD = ("_build", "_build_unknown")  # a rule's methods that put its address together
POOL = 40  # tables of each game that the demo clubs of the tests draw from
STORED = ROOT / "build" / "demo_tables"
WRITTEN_IN = {".py", ".toml"}


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
    """Let all demo clubs draw from the same tables of a game, stored until the code that makes them changes."""

    @cache
    def made(game: Game) -> list[str]:
        STORED.mkdir(parents=True, exist_ok=True)
        with (STORED / f"{game.id}.json").open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # other tests, in processes of their own, wait for the same tables
            file.seek(0)
            try:
                code, found = json.load(file)
            except ValueError:  # the file is new, or its writer was killed
                code, found = "", []
            if code != (now := version_of_code(game.id)):
                found = list(make(game, Random(SEED), POOL))
                file.truncate(0)
                json.dump([now, found], file)
        return list(found)

    return lambda game, _, size: iter(made(game)[:size])


def version_of_code(game: str) -> str:
    """Return a hash of all that a game's tables are made by: its own folder and what all games share."""
    folders = [*(ROOT / folder for folder in ("scorer", "webapp/table", "webapp/cli")), ROOT / "scorer/games" / game]
    files = {file for folder in folders for file in folder.rglob("*") if file.suffix in WRITTEN_IN}
    shared = (file for file in files if ROOT / "scorer/games" not in file.parents or folders[-1] in file.parents)
    return sha256(b"".join(file.read_bytes() for file in sorted(shared))).hexdigest()


def install(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Flask, "jinja_options", {"bytecode_cache": Pages()})
    patch.setattr(Rule, "compile", addresses(Rule.compile))
    patch.setattr(demo, "POOL", POOL)
    patch.setattr(demo, "pool", tables(demo_tables.pool))
