"""All of a club in one JSON file: read into an empty database and written out again, it is the same to the letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.core import score_as
from scorer.reading import MAX_NAME, is_writable
from webapp import clubs
from webapp.database import Database, pack
from webapp.exchange.foreign import LONGEST_GAME, LONGEST_NOTES, MOST_PLAYERS, Outcome, Refused, moment
from webapp.history import plays as history
from webapp.history.plays import Draft

FORMAT, VERSION = "tidemark club", 1
SOURCE = "Tidemark"
MOST_PLAYS = 1_000_000
MOST_LINES = 500
LONGEST_TEXT = 2000
POINTS = 100_000
BATCH = 500

RESULT = {"game", "ok", "problems", "needs", "players", "winners", "decided_by", "rules_version", "rating"}
PLAYER = {"name": str, "total": int, "rank": int, "winner": bool, "lines": list, "tiebreaks": list}
LINE = {"rule": str, "label": str, "points": int, "why": str, "cells": list, "cite": str}


def is_one(value: Json) -> bool:
    return isinstance(value, dict) and value.get("format") == FORMAT


# -- out ---


def write(db: Database, club_id: int) -> Iterator[str]:
    """The file, piece by piece: one play a line."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "club": clubs.name_of(db, club_id),
        "players": list(db.query("SELECT name, created_at FROM players WHERE club_id = ? ORDER BY id", [club_id])),
        "remembered": {
            row["game"]: json.loads(row["setup"])
            for row in db.query("SELECT game, setup FROM remembered WHERE club_id = ? ORDER BY game", [club_id])
        },
        "cards": [
            {**row, "card": json.loads(row["card"])}
            for row in db.query(
                "SELECT game, kind, name, card FROM cards WHERE club_id = ? ORDER BY game, kind, name", [club_id]
            )
        ],
        "matches": list(
            db.query(
                "SELECT source, kind, theirs, ours FROM matches WHERE club_id = ? ORDER BY source, kind, theirs",
                [club_id],
            )
        ),
    }
    yield pack(head)[:-1] + ',"plays":['
    last, before = 0, "\n"
    while rows := list(
        db.query("SELECT * FROM kept_plays WHERE club_id = ? AND id > ? ORDER BY id LIMIT ?", [club_id, last, BATCH])
    ):
        for row in rows:
            yield before + pack(_play(db, row))
            before = ",\n"
        last = rows[-1]["id"]
    yield "\n]}\n"


PLAIN = ("key", "played_at", "saved_at", "version", "notes", "place", "minutes", "source", "source_id", "deleted_at")


def _play(db: Database, row: dict[str, Any]) -> Json:
    versions = db.query(
        "SELECT version, saved_at, record, result, rules_version FROM play_versions WHERE play_id = ? ORDER BY version",
        [row["id"]],
    )
    return {
        **{name: row[name] for name in PLAIN},
        "record": json.loads(row["record"]),
        "result": json.loads(row["result"]),
        "versions": [
            {**old, "record": json.loads(old["record"]), "result": json.loads(old["result"])} for old in versions
        ],
    }


# -- in ---


def read(db: Database, club_id: int, value: Json) -> Outcome:
    """Take in what the club does not have yet. A file with anything odd in it is refused as a whole."""
    if value.get("version") != VERSION:
        raise Refused("This file was made by a newer Tidemark than this one.")
    drafts = [draft(one, f"play {number}") for number, one in enumerate(_list(value, "plays", MOST_PLAYS), start=1)]
    with db.atomic():
        _read_club(db, club_id, value)
        here = set(
            db.execute(
                "SELECT key FROM kept_plays WHERE club_id = ?1 UNION "
                "SELECT source_id FROM kept_plays WHERE club_id = ?1 AND source = ?2",
                [club_id, SOURCE],
            ).fetchall()
        )
        elsewhere = set(db.execute("SELECT key FROM kept_plays WHERE club_id <> ?", [club_id]).fetchall())
        new = {one.key: one for one in drafts if (one.key,) not in here}
        history.save_all(db, club_id, [_rekeyed(one) if (one.key,) in elsewhere else one for one in new.values()])
    return Outcome(len(new), len(drafts) - len(new))


def _rekeyed(one: Draft) -> Draft:
    """A play that another club of this file has too gets a key of its own, and remembers the other."""
    return replace(one, key="", source=one.source or SOURCE, source_id=one.source_id or one.key)


def _read_club(db: Database, club_id: int, value: Json) -> None:
    """Names, remembered choices, cards and matches; what the club has already said stays."""
    for person in _list(value, "players", 100_000):
        row = {
            "club_id": club_id,
            "name": _name(person, "players"),
            "created_at": _time(person, "created_at", "players"),
        }
        db["players"].insert(row, ignore=True)
    setups = value.get("remembered", {})
    for game, setup in setups.items() if isinstance(setups, dict) else ():
        db["remembered"].insert({"club_id": club_id, "game": game, "setup": pack(setup)}, ignore=True)
    for card in _list(value, "cards", 100_000):
        told = {key: _text(card, key, "cards") for key in ("game", "kind", "name")}
        db["cards"].insert({"club_id": club_id, **told, "card": pack(card.get("card"))}, ignore=True)
    for match in _list(value, "matches", 100_000):
        told = {key: _text(match, key, "matches") for key in ("source", "kind", "theirs", "ours")}
        if told["kind"] not in {"player", "game"}:
            raise Refused("The file has matches of an unknown kind.")
        db["matches"].insert({"club_id": club_id, **told}, ignore=True)


def draft(value: Json, where: str) -> Draft:
    """A play of the file, if it is sound in every part."""
    if not isinstance(value, dict):
        raise Refused(f"{where} is no object.")
    record, result = sound(value.get("record"), value.get("result"), where)
    minutes, version, deleted = value.get("minutes"), value.get("version"), value.get("deleted_at")
    if minutes is not None and not (_is_whole(minutes) and 0 < minutes <= LONGEST_GAME):
        raise Refused(f"{where} has no sensible minutes.")
    if not (_is_whole(version) and 0 < version < 10_000):
        raise Refused(f"{where} has no version.")
    return Draft(
        record,
        result,
        _time(value, "played_at", where),
        _text(value, "notes", where, LONGEST_NOTES),
        _text(value, "place", where),
        minutes,
        None,
        _key(value, where),
        _time(value, "saved_at", where),
        version,
        None if deleted is None else _time(value, "deleted_at", where),
        _text(value, "source", where),
        _text(value, "source_id", where),
        tuple(_version(old, where) for old in _list(value, "versions", 10_000)),
    )


def _version(old: Json, where: str) -> Json:
    if not isinstance(old, dict) or not (_is_whole(old.get("version")) and 0 < old["version"] < 10_000):
        raise Refused(f"{where} has an earlier version without a number.")
    record, result = sound(old.get("record"), old.get("result"), where)
    told = {"version": old["version"], "saved_at": _time(old, "saved_at", where)}
    return {**told, "record": record, "result": result, "rules_version": result["rules_version"]}


def sound(record: Json, result: Json, where: str) -> tuple[Json, Json]:
    """A record and a result that fit together. What today's rules scored is not taken on trust, but scored again."""
    game = games.find(result.get("game")) if isinstance(result, dict) and isinstance(result.get("game"), str) else None
    if game is None or not isinstance(record, dict) or record.get("game") != game.id:
        raise Refused(f"{where} is of no game that we know.")
    names = [_name(player, where) for player in _list(record, "players", MOST_PLAYERS)]
    players = [_player(player, where) for player in _list(result, "players", MOST_PLAYERS)]
    won = [player["name"] for player in players if player["winner"]]
    fits = (
        names == [player["name"] for player in players]
        and 0 < len(set(names)) == len(names)
        and result.get("winners") == won != []
        and result.get("ok") is True
        and result.get("needs") == []
        and set(result) <= RESULT
        and isinstance(result.get("decided_by"), str)
        and isinstance(result.get("rating", ""), str)
        and all(isinstance(one, dict) and isinstance(one.get("message"), str) for one in _list(result, "problems", 500))
    )
    if not fits or len(_text(result, "rules_version", where)) > MAX_NAME:
        raise Refused(f"{where} has a result that does not fit its record.")
    if result["rules_version"] == game.version and score_as(game, record) != result:
        raise Refused(f"{where} has points that the rules do not give.")
    return record, result


def _player(player: Json, where: str) -> Json:
    shape = isinstance(player, dict) and set(player) == set(PLAYER)
    if not shape or any(type(player[key]) is not kind for key, kind in PLAYER.items()):
        raise Refused(f"{where} has a player without a score pad.")
    for line in _list(player, "lines", MOST_LINES):
        if not isinstance(line, dict) or set(line) != set(LINE):
            raise Refused(f"{where} has a line that is none.")
        if any(type(line[key]) is not kind for key, kind in LINE.items()) or abs(line["points"]) > POINTS:
            raise Refused(f"{where} has a line that is none.")
        if (
            not all(isinstance(cell, str) for cell in line["cells"])
            or max(map(len, (line["why"], line["label"]))) > LONGEST_TEXT
        ):
            raise Refused(f"{where} has a line that is none.")
    if player["total"] != sum(line["points"] for line in player["lines"]) or not 1 <= player["rank"] <= MOST_PLAYERS:
        raise Refused(f"{where} has a total that is not the sum of its lines.")
    if not all(isinstance(one, dict) and isinstance(one.get("rule"), str) for one in player["tiebreaks"]):
        raise Refused(f"{where} has a tie-break that is none.")
    return player


def _list(value: Json, key: str, most: int) -> list[Json]:
    found = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(found, list) or len(found) > most:
        raise Refused(f"{key} should be a list of at most {most}.")
    return found


def _text(value: Json, key: str, where: str, longest: int = 100) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, str) or len(found) > longest or "\0" in found:
        raise Refused(f"{where} has no {key.replace('_', ' ')} that could be kept.")
    return found


def _name(value: Json, where: str) -> str:
    found = _text(value, "name", where, MAX_NAME)
    if not found.strip() or not is_writable(found):
        raise Refused(f"{where} has a name that cannot be written.")
    return found


def _key(value: Json, where: str) -> str:
    found = _text(value, "key", where, 40)
    if not found or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in found):
        raise Refused(f"{where} has no key.")
    return found


def _time(value: Json, key: str, where: str) -> str:
    found = _text(value, key, where, 30)
    if moment(found) != found:
        raise Refused(f"{where} has no {key.replace('_', ' ')} in UTC, as in 2026-01-31T20:00:00Z.")
    return found


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
