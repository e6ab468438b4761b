"""Read a whole club from a JSON file. Imported into an empty club and exported again, the file is the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from scorer import games
from scorer.contract import Json, Section
from scorer.core import load
from scorer.names import folded
from scorer.record import MAX_NAME
from webapp import avatars, clubs
from webapp.avatars import Avatar
from webapp.database import Database, pack
from webapp.exchange import json_stream, origin
from webapp.exchange.checks import (
    LONGEST_WORD,
    Where,
    check_decision,
    decision_in,
    is_version,
    is_whole,
    key_of,
    name_of,
    no_game,
    text_of,
    time_of,
)
from webapp.exchange.checks_07 import check_result
from webapp.exchange.files import Open, ReadProgress, ignore
from webapp.exchange.identity import SOURCES
from webapp.exchange.import_errors import refused
from webapp.exchange.import_report import Item
from webapp.history import (
    LONGEST_GAME,
    LONGEST_NOTES,
    Decision,
    NewPlay,
    NewVersion,
    decision_from_07,
    record_from_07,
)
from webapp.table import cardboxes, forms, tables

FORMAT, VERSION = "tidemark club", 2  # 1: of Tidemark 0.7, with results and their sentences
MOST_PEOPLE = 50_000
MOST_CARDS = 20_000
MOST_DEEDS = 50_000
MOST_VERSIONS = 10_000
MOST_LETTERS = 1_000  # of a remembered set-up, times 100

PEOPLE = ("players",)
THINGS = ("remembered", "cards", "matches", "deeds")
Thing = tuple[str, Json]  # its kind, and what the file says of it

PLAIN = ("key", "played_at", "saved_at", "version", "notes", "place", "minutes", "source", "source_id")


class File:
    """Read the JSON file of a club."""

    def __init__(self, opened: Open) -> None:
        self.opened = opened
        self.respell = False  # whether loading changes some records

    def check(self, on_read: ReadProgress = ignore, looked_at: int = 0) -> Iterator[int]:
        """Check the whole file and raise Refused at the first fault. After each element, yield the number of plays read
        so far. The first `looked_at` plays are not checked again. `on_read` is called after each piece of the file,
        with the number of bytes read so far."""
        count = 0
        parts: dict[str, int] = {}
        seen: dict[str, Any] = {}
        with self.opened() as file:
            for kind, one in json_stream.members(file, on_read):
                if kind == "plays" and one is not json_stream.START:
                    count += 1
                    if count > looked_at:
                        self.respell |= not check_play(one, count)
                else:
                    seen[kind] = None if kind == "plays" or one is json_stream.START else one
                    parts[kind] = parts.get(kind, 0) + (one is not json_stream.START)
                    _check_part(kind, one, parts[kind])
                yield count
        if seen.get("version") not in range(1, VERSION + 1):
            raise refused("newer")

    def things(self, kinds: Collection[str]) -> Iterator[Thing]:
        """Yield the kind and the JSON of each element of the file whose kind, such as "players", is in `kinds`."""
        with self.opened() as file:
            for kind, one in json_stream.members(file):
                if kind in kinds and one is not json_stream.START:
                    yield kind, one

    def items(self, respell: bool) -> Iterator[Item]:
        """Yield the plays of a file that was checked; `respell` corrects misspelled values in their records."""
        with self.opened() as file:
            for kind, one in json_stream.members(file):
                if kind == "plays" and one is not json_stream.START:
                    new = play(one, respell)
                    names = ", ".join(player["name"] for player in new.record["players"])
                    ids = (new.key, new.source_id) if new.source_id else (new.key,)
                    yield Item(new, f"{new.played_at[:10]} {new.record['game']}: {names}"[:200], ids)


def _check_part(kind: str, one: Any, number: int) -> None:
    """Raise Refused unless `one`, the element `number` of the list `kind`, is valid and the list not too long."""
    lists = {
        "players": (_check_person, MOST_PEOPLE),
        "cards": (_check_card, MOST_CARDS),
        "matches": (_check_match, MOST_PEOPLE),
        "deeds": (lambda _: None, MOST_DEEDS),  # checked when they are added
    }
    if kind in lists:
        check, most = lists[kind]
        if number > most or (number == 1 and not isinstance(one, dict)):
            raise refused("unreadable")
        if one is not json_stream.START:
            check(one)
    elif kind == "plays" and one is not json_stream.START:
        raise refused("unreadable")
    elif kind == "remembered":
        _check_remembered(one)


def _check_person(person: Json) -> None:
    name_of(person, "players")
    time_of(person, "created_at", "players")
    if "colour" in person or "token" in person:  # old files have neither
        text_of(person, "colour", "players"), text_of(person, "token", "players")


def _check_remembered(setups: Json) -> None:
    """Raise Refused if a remembered set-up is one that its game's form could not have stored."""
    if not isinstance(setups, dict):
        raise refused("unreadable")
    for name, setup in setups.items():
        if not can_begin(name, setup):
            raise no_game(name, refused("unreadable"))


def can_begin(name: str, setup: Json) -> bool:
    """Return whether a game of the title `name` can begin with the set-up, as a form would have stored it."""
    game = games.find(name)
    if game is None or not isinstance(setup, dict) or len(pack(setup)) > 100 * MOST_LETTERS:
        return False
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"][: max(2, game.players[0])]
    record = {"game": name, "table": setup, "players": [{"name": one, "typed": {}} for one in names]}
    read = load(game, record)
    if read.state is None:
        return False
    asked = [one for one in game.inputs if one.section is not Section.PLAYER]
    faults = {fault.code for fault in read.faults if fault.where.startswith("/table")}
    if faults & {"unreadable", "unknown_field", "too_many", "unknown_option"}:
        return False
    forms.build(asked, setup)
    return True


def _check_card(card: Json) -> None:
    """Raise Refused unless the game of the card is installed and accepts the card."""
    game = games.find(text_of(card, "game", "cards"))
    kind, name = text_of(card, "kind", "cards"), text_of(card, "name", "cards")
    held = card.get("card")
    if game is None or game.cardbox is None or kind not in game.cardbox.kinds or not isinstance(held, dict):
        raise no_game(card["game"], refused("unreadable"))
    merged = game.cardbox.merge(game.cardbox.empty(), {**game.cardbox.empty(), kind: [held]}, ())
    if any(problem.level == "error" for problem in merged.problems) or held.get("name") != name:
        raise refused("unreadable")


def _check_match(match: Json) -> None:
    kind, ours = text_of(match, "kind", "matches"), text_of(match, "ours", "matches")
    text_of(match, "source", "matches"), text_of(match, "theirs", "matches")
    if kind == "player":
        name_of({"name": ours}, "matches")
    elif kind != "game" or (ours and games.find(ours) is None):
        raise no_game(ours if kind == "game" else None, refused("unreadable"))


class ClubImport:
    """Add everything of a club but its plays. What exists already stays, so nothing is added twice."""

    def __init__(self, db: Database, club_id: int) -> None:
        self.db, self.club_id = db, club_id
        self.here = {folded(row["name"]) for row in db.query("SELECT name FROM players WHERE club_id = ?", [club_id])}
        self.looks = avatars.TakenAvatars(clubs.avatars_of(db, club_id))
        self.deeds = clubs.audit_log.AuditLogImport(db, club_id)
        self.by_kind: dict[str, Callable[[Json], None]] = {
            "players": self.person,
            "remembered": self.remembered,
            "cards": self.card,
            "matches": self.match,
            "deeds": self.deeds.take,
        }

    def take(self, things: Iterable[Thing]) -> None:
        """Add things, each a kind such as "players" and its JSON, in the caller's transaction."""
        for kind, one in things:
            self.by_kind[kind](one)

    def person(self, person: Json) -> None:
        """Add a player unless the name exists, with the avatar in the file if we can draw it."""
        name = name_of(person, "players")
        if folded(name) in self.here:  # the same person, perhaps spelt another way
            return
        colour, token = person.get("colour", ""), person.get("token", "")
        avatar = Avatar(colour, token) if avatars.known(colour, token) else self.looks.free(name)
        self.looks.add(avatar)
        created_at, is_guest = time_of(person, "created_at", "players"), person.get("guest") is True
        clubs.players.add(self.db, self.club_id, name, created_at, avatar, is_guest)

    def remembered(self, setups: Json) -> None:
        for game, setup in setups.items():
            tables.remember_first(self.db, self.club_id, game, setup)

    def card(self, card: Json) -> None:
        game, kind, name = (text_of(card, key, "cards") for key in ("game", "kind", "name"))
        cardboxes.add(self.db, self.club_id, game, kind, name, card["card"])

    def match(self, match: Json) -> None:
        source, kind, theirs, ours = (text_of(match, key, "matches") for key in ("source", "kind", "theirs", "ours"))
        clubs.matches.add(self.db, self.club_id, (source, kind, theirs, ours))


def check_play(value: Json, where: Where) -> bool:
    """Raise Refused unless a play is valid, naming it by `where`; return whether `load` would correct nothing in it."""
    if not isinstance(value, dict):
        raise refused("field", where=where, field="plays")
    source, source_id = text_of(value, "source", where, LONGEST_WORD), text_of(value, "source_id", where)
    if (source not in SOURCES or not source_id) if source else source_id:
        raise refused("field", where=where, field="source")
    is_spelled = _check_version(value, where)
    minutes, number, deleted = value.get("minutes"), value.get("version"), value.get("deleted_at")
    if minutes is not None and not (is_whole(minutes) and 0 < minutes <= LONGEST_GAME):
        raise refused("field", where=where, field="minutes")
    if not is_version(number):
        raise refused("field", where=where, field="version")
    for name in ("played_at", "saved_at", *(["deleted_at"] if deleted is not None else [])):
        time_of(value, name, where)
    text_of(value, "notes", where, LONGEST_NOTES), text_of(value, "place", where, MAX_NAME), key_of(value, where)
    if "origin" in value:
        origin.check(value, where)
    return _check_earlier(value, number, where) and is_spelled


def _check_earlier(value: Json, number: int, where: Where) -> bool:
    """Raise Refused unless the earlier versions of a play are valid. Return whether `load` would correct nothing in
    their records. `number` is the play's present version."""
    found = value.get("versions", [])
    if not isinstance(found, list) or len(found) > MOST_VERSIONS:
        raise refused("unreadable")
    numbers = [old.get("version") if isinstance(old, dict) else None for old in found]
    if not all(is_version(one) and one < number for one in numbers) or len(set(numbers)) < len(numbers):
        raise refused("field", where=where, field="versions")
    is_spelled = True
    for old in found:
        is_spelled &= _check_version(old, where)
        if old["record"]["game"] != value["record"]["game"]:
            raise refused("field", where=where, field="record")
        time_of(old, "saved_at", where)
    return is_spelled


def _check_version(value: Json, where: Where) -> bool:
    """Raise Refused unless a version of a play is valid, whether of today or of Tidemark 0.7. Return whether `load`
    would correct nothing in its record."""
    if "result" in value:
        return check_result(value.get("record"), value["result"], where)
    return check_decision(value, where)


def play(value: Json, respell: bool) -> NewPlay:
    """Return a play of a file that was checked; `respell` corrects misspelled values in its records."""
    record, decision = decided(value, value["source"], respell)
    return NewPlay(
        record,
        decision,
        **{name: value[name] for name in PLAIN if name != "minutes"},
        minutes=value.get("minutes"),
        deleted_at=value.get("deleted_at"),
        origin=value.get("origin", ""),
        versions=tuple(
            NewVersion(old["version"], old["saved_at"], *decided(old, value["source"], respell))
            for old in value.get("versions", ())
        ),
    )


def decided(value: Json, source: str, respell: bool) -> tuple[Json, Decision]:
    """Return record and decision; `respell` corrects the record. Files of 0.7 have a result in place of a decision."""
    record = value["record"]
    game = games.find(record["game"])
    if respell and game is not None:
        record = load(game, record).record
    if "result" in value:
        result = value["result"]
        return record_from_07(record, result), decision_from_07(record, result, source)
    return record, decision_in(value)
