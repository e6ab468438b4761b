"""Translate our SQL for PostgreSQL, and its values to the types that SQLite has."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.adapt import Buffer, Loader
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown

# Matches quoted texts, which stay unchanged, placeholders of values, and json_group_array().
PARTS = re.compile(r"'(?:[^']|'')*'|\?(\d*)|(?<![:\w]):([a-z_]+)|\b(json_group_array)\(((?:[^()]|\([^()]*\))*)\)")


@lru_cache(4096)
def to_postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return the SQL for PostgreSQL, and the names of its named values in order."""
    names: list[str] = []
    count = 0

    def translated(part: re.Match[str]) -> str:
        nonlocal count
        number, name, gathered, what = part.groups()
        if gathered:
            return f"CAST(json_agg({what}) AS TEXT)"
        if name:
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"
        if number is None:
            return part[0]
        if number:
            return f"${number}"
        count += 1
        return f"${count}"

    words = PARTS.sub(translated, sql)
    return words.replace("NOT IN ()", "IS DISTINCT FROM NULL").replace("IN ()", "IN (NULL)"), tuple(names)


class WholeNumber(Loader):
    """Load a numeric value, such as a sum, as an int, or as a float if it has decimals."""

    def load(self, data: Buffer) -> int | float:
        number = Decimal(bytes(data).decode())
        return int(number) if number == number.to_integral_value() else float(number)


class Truth(Loader):
    """Load a boolean as 1 or 0, as SQLite does."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class WithoutNul(StrDumperUnknown):
    """Store a text with U+FFFD for each NUL, which PostgreSQL can't store."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


class OneOrNone(Int8Dumper):
    """Store a boolean as 1 or 0."""

    def dump(self, obj: Any) -> bytes:
        return b"1" if obj else b"0"


def convert_as_sqlite(connection: psycopg.Connection[Any]) -> None:
    """Make a connection convert values as SQLite does."""
    connection.adapters.register_loader("numeric", WholeNumber)
    connection.adapters.register_loader("bool", Truth)
    connection.adapters.register_dumper(str, WithoutNul)
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_dumper(bool, OneOrNone)
