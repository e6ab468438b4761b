"""All of a club in one JSON file: read into an empty database and written out again, it is the same to the letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.contract import Json
from scorer.names import folded
from scorer.sentences import Value, say
from webapp import clubs
from webapp.database import Database, pack
from webapp.exchange.checks import is_version, is_whole, key_of, list_of, name_of, sound, text_of, time_of
from webapp.exchange.foreign import Outcome, Refused
from webapp.history import LONGEST_GAME, LONGEST_NOTES, NewPlay, kept, plays

FORMAT, VERSION = "tidemark club", 1
SOURCE = "Tidemark"
MOST_PLAYS = 1_000_000


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
        "deeds": clubs.deeds.written(db, club_id),
    }
    yield pack(head)[:-1] + ',"plays":['
    before = "\n"
    for row in kept.each(db, club_id, columns="*"):
        yield before + pack(_play(db, row))
        before = ",\n"
    yield "\n]}\n"


PLAIN = ("key", "played_at", "saved_at", "version", "notes", "place", "minutes", "source", "source_id", "deleted_at")


def _play(db: Database, row: dict[str, Any]) -> Json:
    return {
        **{name: row[name] for name in PLAIN},
        "record": json.loads(row["record"]),
        "result": json.loads(row["result"]),
        "versions": [
            {
                **{name: old[name] for name in ("version", "saved_at")},
                "record": json.loads(old["record"]),
                "result": json.loads(old["result"]),
                "rules_version": old["rules_version"],
            }
            for old in reversed(kept.versions(db, row["id"]))
        ],
    }


# -- in ---


def read(db: Database, club_id: int, value: Json) -> Outcome:
    """Take in what the club does not have yet. A file with anything odd in it is refused as a whole."""
    if value.get("version") != VERSION:
        raise Refused(say("This file was made by a newer Tidemark than this one."))
    brought = [
        play(one, say("play {number}", number=number))
        for number, one in enumerate(list_of(value, "plays", MOST_PLAYS), start=1)
    ]
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
        new = {one.key: one for one in brought if (one.key,) not in here}
        plays.save_all(db, club_id, [_rekeyed(one) if (one.key,) in elsewhere else one for one in new.values()])
        clubs.deeds.bring(db, club_id, value.get("deeds"))
    return Outcome(len(new), len(brought) - len(new))


def _rekeyed(one: NewPlay) -> NewPlay:
    """A play that another club of this file has too gets a key of its own, and remembers the other."""
    return replace(one, key="", source=one.source or SOURCE, source_id=one.source_id or one.key)


def _read_club(db: Database, club_id: int, value: Json) -> None:
    """Names, remembered choices, cards and matches; what the club has already said stays."""
    here = {folded(row["name"]) for row in db.query("SELECT name FROM players WHERE club_id = ?", [club_id])}
    for person in list_of(value, "players", 100_000):
        name, since = name_of(person, "players"), time_of(person, "created_at", "players")
        if folded(name) in here:  # the same person, perhaps spelt another way
            continue
        db.execute("INSERT OR IGNORE INTO players (club_id, name, created_at) VALUES (?, ?, ?)", [club_id, name, since])
    setups = value.get("remembered", {})
    for game, setup in setups.items() if isinstance(setups, dict) else ():
        db.execute("INSERT OR IGNORE INTO remembered VALUES (?, ?, ?)", [club_id, game, pack(setup)])
    for card in list_of(value, "cards", 100_000):
        words = [text_of(card, key, "cards") for key in ("game", "kind", "name")]
        db.execute(
            "INSERT OR IGNORE INTO cards (club_id, game, kind, name, card) VALUES (?, ?, ?, ?, ?)",
            [club_id, *words, pack(card.get("card"))],
        )
    for match in list_of(value, "matches", 100_000):
        source, kind, theirs, ours = (text_of(match, key, "matches") for key in ("source", "kind", "theirs", "ours"))
        if kind not in {"player", "game"}:
            raise Refused(say("The file has matches of an unknown kind."))
        db.execute("INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?)", [club_id, source, kind, theirs, ours])


def play(value: Json, where: Value) -> NewPlay:
    """A play of the file, if it is sound in every part."""
    if not isinstance(value, dict):
        raise Refused(say("{where} is no object.", where=where))
    record, result = sound(value.get("record"), value.get("result"), where)
    minutes, version, deleted = value.get("minutes"), value.get("version"), value.get("deleted_at")
    if minutes is not None and not (is_whole(minutes) and 0 < minutes <= LONGEST_GAME):
        raise Refused(say("{where} has no sensible minutes.", where=where))
    if not is_version(version):
        raise Refused(say("{where} has no version.", where=where))
    return NewPlay(
        record,
        result,
        time_of(value, "played_at", where),
        text_of(value, "notes", where, LONGEST_NOTES),
        text_of(value, "place", where),
        minutes,
        None,
        key_of(value, where),
        time_of(value, "saved_at", where),
        version,
        None if deleted is None else time_of(value, "deleted_at", where),
        text_of(value, "source", where),
        text_of(value, "source_id", where),
        tuple(_version(old, where) for old in list_of(value, "versions", 10_000)),
    )


def _version(old: Json, where: Value) -> Json:
    if not isinstance(old, dict) or not is_version(old.get("version")):
        raise Refused(say("{where} has an earlier version without a number.", where=where))
    record, result = sound(old.get("record"), old.get("result"), where)
    return {
        "version": old["version"],
        "saved_at": time_of(old, "saved_at", where),
        "record": record,
        "result": result,
        "rules_version": result["rules_version"],
    }
