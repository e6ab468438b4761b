"""Where the tests keep databases: in files or, with `--engine postgres`, on a server that they start themselves."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

from tests.webapp.cluster import Cluster
from webapp.schema.opening import opened

TEMPLATE = "fresh"  # with its schema, to be copied

on_server = False
given: dict[str, str] = {}  # by path, the name of its database


def place(path: str | Path) -> str:
    """The address of the database that would lie at that path."""
    if not on_server or str(path).startswith("postgresql://"):
        return str(path)
    return cluster().address(given.get(str(path)) or made(path, TEMPLATE))


def made(path: str | Path, template: str) -> str:
    name = given[str(path)] = f"t{len(given)}"
    order(f"CREATE DATABASE {name} TEMPLATE {template}")
    return name


def copied(source: str | Path, path: str | Path) -> str:
    """The address of a copy of the database at that path, to which nobody is connected, for this path."""
    if not on_server:
        shutil.copy(source, path)
        return str(path)
    template = next(name for name in given.values() if name and cluster().address(name) == place(source))
    return cluster().address(made(path, template))


def clear(folder: Path) -> None:
    """What would have lain in that folder goes."""
    for path, name in given.items():
        if Path(path).is_relative_to(folder) and name:
            order(f"DROP DATABASE {name} WITH (FORCE)")
            given[path] = ""


@cache
def cluster() -> Cluster:
    """The server, started for the first test that wants it."""
    started = Cluster()
    order_at(started, f"CREATE DATABASE {TEMPLATE}")
    opened(started.address(TEMPLATE)).close()
    return started


@cache
def desk(at: Cluster) -> Any:
    import psycopg

    return psycopg.connect(at.address("postgres"), autocommit=True)


def order_at(at: Cluster, statement: str) -> None:
    desk(at).execute(statement)


def order(statement: str) -> None:
    order_at(cluster(), statement)


def stop() -> None:
    if cluster.cache_info().currsize:
        desk(cluster()).close()
        cluster().close()
        cluster.cache_clear()
        desk.cache_clear()
