"""Brings a file into a club as the command line does, and takes one out."""

from __future__ import annotations

import json
from typing import Any

from webapp.database import Database
from webapp.exchange import imports, reading, writing
from webapp.exchange.outcome import Outcome
from webapp.exchange.refusal import Refused


def bring(db: Database, home: int, content: str | bytes) -> Outcome:
    content = content.encode() if isinstance(content, str) else content
    opened, key = reading.in_memory(content), imports.begin(db, home)
    one = imports.look(db, key, opened, len(content))
    if one.state == "asking":
        imports.answer(db, one, imports.guessed(db, one))
    imports.go_on(db, key, opened, lambda *_: None)
    found = imports.find(db, key)
    assert found is not None and found.state == "done"
    if found.refusal:
        raise Refused(found.why())
    return found.result()


def taken_out(db: Database, home: int, kind: str = "json") -> str:
    return "".join(writing.write(db, home, kind))


def without_imports(file: str) -> Any:
    """The file, but for what is noted of reading one in."""
    read = json.loads(file)
    return {**read, "deeds": [deed for deed in read["deeds"] if deed["what"] != "imported"]}
