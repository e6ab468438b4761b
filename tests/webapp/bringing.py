"""Brings a file into a club as the command line does, and takes one out."""

from __future__ import annotations

import json
from typing import Any

from scorer.sentences import say
from webapp.database import Database, pack
from webapp.exchange import imports, reading, writing
from webapp.exchange.outcome import Outcome
from webapp.exchange.refusal import Refused
from webapp.history import Decision, outcome


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
        raise Refused(say("{why}", why=found.why()))
    return found.result()


def taken_out(db: Database, home: int, kind: str = "json") -> str:
    return "".join(writing.write(db, home, kind))


def without_imports(file: str) -> Any:
    """The file, but for what is noted of reading one in."""
    read = json.loads(file)
    return {**read, "deeds": [deed for deed in read["deeds"] if deed["what"] != "imported"]}


def as_of_07(file: str) -> Any:
    """The file as Tidemark 0.7 wrote it: a result, with templates of its sentences, in place of what was decided."""
    read = json.loads(file)
    plays = [{**_with_result(play, play["source"]), "versions": _versions_of_07(play)} for play in read["plays"]]
    return {**read, "version": 1, "plays": plays}


def _versions_of_07(play: Any) -> list[Any]:
    return [_with_result(version, play["source"]) for version in play["versions"]]


def _with_result(value: Any, source: str) -> Any:
    decision = {name: value[name] for name in ("basis", "rules_version", "decided_by")}
    found = outcome(value["record"], Decision.from_json({**decision, "seats": value["scores"]}), source).result
    result = {**json.loads(pack(found)), "rules_version": value["rules_version"], "said": {}}
    for player in result["players"]:
        for line in player["lines"]:
            del line["item"]
    return {name: kept for name, kept in {**value, "result": result}.items() if name not in {*decision, "scores"}}
