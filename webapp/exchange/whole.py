"""All of a club in one JSON file: read into an empty database and written out again, it is the same to the letter."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.core import load
from scorer.names import folded
from scorer.reading import MAX_NAME
from scorer.sentences import Value, say
from webapp import clubs, looks
from webapp.database import Database, pack
from webapp.exchange import pull
from webapp.exchange.checks import (
    LONGEST_WORD,
    is_version,
    is_whole,
    key_of,
    name_of,
    sound,
    sound_decision,
    text_of,
    time_of,
)
from webapp.exchange.files import Moved, Open
from webapp.exchange.identity import SOURCES
from webapp.exchange.outcome import Item
from webapp.exchange.refusal import Refused
from webapp.history import (
    LONGEST_GAME,
    LONGEST_NOTES,
    Archived,
    Decision,
    NewPlay,
    NewVersion,
    SeatScore,
    Version,
    decision_from_07,
    record_from_07,
)
from webapp.looks import Look
from webapp.table import cardboxes, forms, tables

FORMAT, VERSION = "tidemark club", 2  # 1: of Tidemark 0.7, with results and their sentences
MOST_PEOPLE = 50_000
MOST_CARDS = 20_000
MOST_DEEDS = 50_000
MOST_VERSIONS = 10_000
MOST_LETTERS = 1_000  # of a remembered table, times 100

PEOPLE = ("players",)
THINGS = ("remembered", "cards", "matches", "deeds")
Thing = tuple[str, Json]  # its kind, and what the file says of it

PLAIN = ("key", "played_at", "saved_at", "version", "notes", "place", "minutes", "source", "source_id")


# -- out ---


def head(db: Database, club_id: int) -> str:
    """Everything but the plays, up to where they follow."""
    club = {
        "format": FORMAT,
        "version": VERSION,
        "club": clubs.name_of(db, club_id),
        "players": [
            {"name": name, "created_at": created_at, **asdict(looks.worn(name, colour, token))}
            for name, created_at, colour, token in db.execute(
                "SELECT name, created_at, colour, token FROM players WHERE club_id = ? ORDER BY id", [club_id]
            ).fetchall()
        ],
        "remembered": {
            row["game"]: json.loads(row["setup"])
            for row in db.query("SELECT game, setup FROM remembered WHERE club_id = ? ORDER BY game", [club_id])
        },
        "cards": [
            {**row, "card": json.loads(row["card"])}
            for row in db.query(
                "SELECT game, kind, name, card FROM box_cards WHERE club_id = ? ORDER BY game, kind, name", [club_id]
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
    return pack(club)[:-1] + ',"plays":['


def written(one: Archived) -> Json:
    """A play with all that is kept of it."""
    return {
        **{name: getattr(one.play, name) for name in PLAIN},
        "deleted_at": one.play.deleted_at,
        **version(one.play),
        "versions": [{"version": old.version, "saved_at": old.saved_at, **version(old)} for old in one.versions],
    }


def version(one: Version) -> Json:
    """Return what a game held at one time: its record and what was decided."""
    decision = one.decision
    return {
        "basis": decision.basis,
        "rules_version": decision.rules_version,
        "decided_by": decision.decided_by,
        "record": one.record,
        "scores": [score(seat) for seat in decision.seats],
    }


def score(seat: SeatScore) -> Json:
    return asdict(seat)


# -- in ---


class File:
    """A file of ours."""

    def __init__(self, opened: Open) -> None:
        self.opened = opened

    def check(self, moved: Moved) -> int:
        """Look at all of it, and refuse it as a whole if anything in it is odd; how many plays it has."""
        count = 0
        parts: dict[str, int] = {}
        seen: dict[str, Any] = {}
        with self.opened() as file:
            for kind, one in pull.members(file, moved):
                if kind == "plays" and one is not pull.START:
                    count += 1
                    play(one, say("play {number}", number=count))
                    continue
                seen[kind] = None if kind == "plays" or one is pull.START else one
                parts[kind] = parts.get(kind, 0) + (one is not pull.START)
                _check_part(kind, one, parts[kind])
        if seen.get("version") not in range(1, VERSION + 1):
            raise Refused(say("This file was made by a newer Tidemark than this one."))
        return count

    def things(self, kinds: Collection[str]) -> Iterator[Thing]:
        """Names, or remembered choices, cards, matches and deeds, each with its kind."""
        with self.opened() as file:
            for kind, one in pull.members(file):
                if kind in kinds and one is not pull.START:
                    yield kind, one

    def items(self) -> Iterator[Item]:
        """The plays, which have been checked."""
        count = 0
        with self.opened() as file:
            for kind, one in pull.members(file):
                if kind == "plays" and one is not pull.START:
                    count += 1
                    new = play(one, say("play {number}", number=count), again=False)
                    names = ", ".join(player["name"] for player in new.record["players"])
                    ids = (new.key, new.source_id) if new.source_id else (new.key,)
                    yield Item(new, f"{new.played_at[:10]} {new.record['game']}: {names}"[:200], ids)


def _check_part(kind: str, one: Any, number: int) -> None:
    """A part of the club that is no play: each of its lists is a list, and what stands there can be kept."""
    lists = {
        "players": (_check_person, MOST_PEOPLE),
        "cards": (_check_card, MOST_CARDS),
        "matches": (_check_match, MOST_PEOPLE),
        "deeds": (lambda _: None, MOST_DEEDS),  # those that no page could show do not come in
    }
    if kind in lists:
        check, most = lists[kind]
        if number > most or (number == 1 and not isinstance(one, dict)):
            raise Refused(say("{list} should be a list of at most {most}.", list=kind, most=most))
        if one is not pull.START:
            check(one)
    elif kind == "plays" and one is not pull.START:
        raise Refused(say("{list} should be a list of at most {most}.", list=kind, most=1_000_000))
    elif kind == "remembered":
        _check_remembered(one)


def _check_person(person: Json) -> None:
    name_of(person, "players")
    time_of(person, "created_at", "players")
    if "colour" in person or "token" in person:  # files of before there were any have neither
        text_of(person, "colour", "players"), text_of(person, "token", "players")


def _check_remembered(setups: Json) -> None:
    """What a table of each game begins with: what its own form could hold."""
    if not isinstance(setups, dict):
        raise Refused(say("The file remembers something that no table begins with."))
    for name, setup in setups.items():
        if not could_begin(name, setup):
            raise Refused(say("The file remembers something that no table begins with."))


def could_begin(name: str, setup: Json) -> bool:
    """Whether a table of that game can begin with this: all of it is what a form would have kept."""
    game = games.find(name)
    if game is None or not isinstance(setup, dict) or len(pack(setup)) > 100 * MOST_LETTERS:
        return False
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"][: max(2, game.players[0])]
    record = {"game": name, "table": setup, "players": [{"name": one, "typed": {}} for one in names]}
    read = load(game, record)
    if read.state is None:
        return False
    asked = [one for one in game.inputs if one.of != "player"]
    faults = {fault.code for fault in read.faults if fault.where.startswith("/table")}
    if faults & {"unreadable", "unknown_field", "too_many", "unknown_option"}:
        return False
    forms.build(asked, setup)
    return True


def _check_card(card: Json) -> None:
    """A card of a box that our game has, as the box itself would take it."""
    game = games.find(text_of(card, "game", "cards"))
    kind, name = text_of(card, "kind", "cards"), text_of(card, "name", "cards")
    held = card.get("card")
    if game is None or game.cardbox is None or kind not in game.cardbox.kinds or not isinstance(held, dict):
        raise Refused(say("The file has a card that no box holds."))
    merged = game.cardbox.merge(game.cardbox.empty(), {**game.cardbox.empty(), kind: [held]}, ())
    if any(problem.level == "error" for problem in merged.problems) or held.get("name") != name:
        raise Refused(say("The file has a card that no box holds."))


def _check_match(match: Json) -> None:
    kind, ours = text_of(match, "kind", "matches"), text_of(match, "ours", "matches")
    text_of(match, "source", "matches"), text_of(match, "theirs", "matches")
    if kind == "player":
        name_of({"name": ours}, "matches")
    elif kind != "game" or (ours and games.find(ours) is None):
        raise Refused(say("The file has matches of an unknown kind."))


class Entering:
    """Takes in what a club has besides its plays; what it has said already stays, so that nothing comes in twice."""

    def __init__(self, db: Database, club_id: int) -> None:
        self.db, self.club_id = db, club_id
        self.here = {folded(row["name"]) for row in db.query("SELECT name FROM players WHERE club_id = ?", [club_id])}
        self.looks = looks.Given(clubs.looks_of(db, club_id))
        self.deeds = clubs.deeds.Bringing(db, club_id)
        self.by_kind: dict[str, Callable[[Json], None]] = {
            "players": self.person,
            "remembered": self.remembered,
            "cards": self.card,
            "matches": self.match,
            "deeds": self.deeds.take,
        }

    def take(self, things: Iterable[Thing]) -> None:
        """In the caller's transaction."""
        for kind, one in things:
            self.by_kind[kind](one)

    def person(self, person: Json) -> None:
        """A newcomer, with her own look if the file has one that we can draw."""
        name = name_of(person, "players")
        if folded(name) in self.here:  # the same person, perhaps spelt another way
            return
        colour, token = person.get("colour", ""), person.get("token", "")
        look = Look(colour, token) if looks.known(colour, token) else self.looks.free(name)
        self.looks.add(look)
        clubs.players.add(self.db, self.club_id, name, time_of(person, "created_at", "players"), look)

    def remembered(self, setups: Json) -> None:
        for game, setup in setups.items():
            tables.remember_first(self.db, self.club_id, game, setup)

    def card(self, card: Json) -> None:
        game, kind, name = (text_of(card, key, "cards") for key in ("game", "kind", "name"))
        cardboxes.add(self.db, self.club_id, game, kind, name, card["card"])

    def match(self, match: Json) -> None:
        source, kind, theirs, ours = (text_of(match, key, "matches") for key in ("source", "kind", "theirs", "ours"))
        clubs.matches.add(self.db, self.club_id, (source, kind, theirs, ours))


def play(value: Json, where: Value, again: bool = True) -> NewPlay:
    """A play of the file, if it is sound in every part."""
    if not isinstance(value, dict):
        raise Refused(say("{where} is no object.", where=where))
    source, source_id = text_of(value, "source", where, LONGEST_WORD), text_of(value, "source_id", where)
    if (source not in SOURCES or not source_id) if source else source_id:
        raise Refused(say("{where} comes from a program that we do not know.", where=where))
    record, decision = decided(value, source, where, again)
    minutes, version, deleted = value.get("minutes"), value.get("version"), value.get("deleted_at")
    if minutes is not None and not (is_whole(minutes) and 0 < minutes <= LONGEST_GAME):
        raise Refused(say("{where} has no sensible minutes.", where=where))
    if not is_version(version):
        raise Refused(say("{where} has no version.", where=where))
    return NewPlay(
        record,
        decision,
        time_of(value, "played_at", where),
        text_of(value, "notes", where, LONGEST_NOTES),
        text_of(value, "place", where, MAX_NAME),
        minutes,
        None,
        key_of(value, where),
        time_of(value, "saved_at", where),
        version,
        None if deleted is None else time_of(value, "deleted_at", where),
        source,
        source_id,
        _versions(value, record, version, source, where, again),
    )


def decided(value: Json, source: str, where: Value, again: bool) -> tuple[Json, Decision]:
    """Return the record and the decision; files of Tidemark 0.7 have a result instead."""
    if "result" in value:
        record, result = sound(value.get("record"), value["result"], where, again)
        return record_from_07(record, result), decision_from_07(record, result, source)
    return sound_decision(value, where, again)


def _versions(
    value: Json, record: Json, version: int, source: str, where: Value, again: bool
) -> tuple[NewVersion, ...]:
    """The earlier versions, each with a number of its own below that of the play."""
    found = value.get("versions", [])
    if not isinstance(found, list) or len(found) > MOST_VERSIONS:
        raise Refused(say("{list} should be a list of at most {most}.", list="versions", most=MOST_VERSIONS))
    numbers = [old.get("version") if isinstance(old, dict) else None for old in found]
    if not all(is_version(number) and number < version for number in numbers) or len(set(numbers)) < len(numbers):
        raise Refused(say("{where} has an earlier version without a number.", where=where))
    return tuple(_version(old, record, source, where, again) for old in found)


def _version(old: Json, record: Json, source: str, where: Value, again: bool) -> NewVersion:
    earlier, decision = decided(old, source, where, again)
    if earlier["game"] != record["game"]:
        raise Refused(say("{where} has an earlier version of another game.", where=where))
    return NewVersion(old["version"], time_of(old, "saved_at", where), earlier, decision)
