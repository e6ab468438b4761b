"""Import a file into a club as the command line does, and export one."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

from scorer.contract import Json
from webapp.database import Database, pack
from webapp.exchange import export_files, files, imports
from webapp.exchange.import_errors import Refused
from webapp.exchange.import_report import Outcome
from webapp.history import Decision, outcome
from webapp.jobs.worker import Worker


def begun(db: Database, home: int, content: str | bytes, wish: Json | None = None) -> str:
    """Begin to import this file. Return the import's key."""
    key = imports.begin(db, home)
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    imports.inspect(db, key, files.keep(db, imports.job_of(db, key), file), wish)
    return key


def bring(db: Database, home: int, content: str | bytes, wish: Json | None = None) -> Outcome:
    key = begun(db, home, content, wish)
    one = imports.find(db, key)
    if one is not None and one.state == "asking":
        imports.answer(db, one, imports.guessed(db, one))
    found = imports.finish(db, key)
    assert found is not None and found.state == "done", found
    if found.refusal:
        raise Refused(found.refusal)
    return found.result()


def cut(db: Database, home: int, content: str | bytes, batches: int = 1) -> str:
    """Begin an import and stop after so many batches, like a killed process. Return its key."""
    key = begun(db, home, content)
    leave(db, key, lambda one: one.state == "saving" and one.job.done > 0, batches)
    return key


def leave(db: Database, key: str, is_there: Callable[[imports.Import], bool], times: int = 1) -> None:
    """Work on an import until `is_there` was true after so many steps, then stop."""
    worker, one = Worker(db, imports.STEPS), imports.find(db, key)
    while times:
        assert one is not None and one.is_running
        before = one.job
        worker.take(one.job)
        one = imports.find(db, key)
        assert one is not None
        times -= one.job != before and is_there(one)


def taken_out(db: Database, home: int, kind: str = "json") -> str:
    return "".join(export_files.write(db, home, kind))


def without_imports(file: str) -> Any:
    """Return the exported file without what imports have noted in it."""
    read = json.loads(file)
    return {**read, "deeds": [deed for deed in read["deeds"] if deed["what"] != "imported"]}


def as_of_07(file: str) -> Any:
    """Return the file as Tidemark 0.7 wrote it, with results instead of decisions."""
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
