"""Compare a play in a file with the same play of the club: somebody may have edited either of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scorer.contract import Json
from scorer.names import folded
from scorer.sentences import Sentence, say
from webapp.database import Database, pack
from webapp.exchange import bgstats_out
from webapp.exchange.identity import TIDEMARK
from webapp.history import Archived, Decision, NewPlay, Play, plays, saved_plays

Difference = tuple[str, str, str]  # a field or a player's name, ours, theirs

FIELDS: dict[str, Sentence] = {
    "played_at": say("When"),
    "place": say("Place"),
    "minutes": say("Minutes"),
    "notes": say("Notes"),
    "players": say("Players"),
    "winners": say("Winners"),
    "boards": say("Boards"),
}


@dataclass(frozen=True, slots=True)
class Theirs:
    """Hold the file's version of a play that differs from ours, until somebody chooses one of them."""

    record: Json
    decision: Json
    played_at: str
    place: str
    minutes: int | None
    notes: str


def between(ours: Archived, theirs: NewPlay, source: str, people: Collection[str]) -> list[Difference]:
    """Return how the file's play `theirs` differs from ours, or nothing if it is an earlier version of ours. A
    difference is a field, our value and theirs. `source` is the program that wrote the file; `people` are the folded
    names of the club's players."""
    play = ours.play
    if source == TIDEMARK and (theirs.version, theirs.saved_at) in {
        (old.version, old.saved_at) for old in ours.versions
    }:
        return []
    found = [
        (field, _shown(mine), _shown(other))
        for field, mine, other in (
            ("played_at", play.played_at, theirs.played_at),
            ("place", _plain(play.place), _plain(theirs.place)),
            ("minutes", play.minutes, theirs.minutes),
            ("notes", _plain(play.notes), _plain(notes(ours, theirs, source))),
        )
        if mine != other
    ]
    return [*found, *_of_results(play, theirs, source, people)]


def _plain(text: str) -> str:
    """Return the text with single spaces, since some programs change spaces and line breaks."""
    return " ".join(text.split())


def notes(ours: Archived, theirs: NewPlay, source: str) -> str:
    """Return the notes of the file's play `theirs`, without the points that we add to notes for BG Stats. `source` is
    the program that wrote the file."""
    pad = bgstats_out.breakdown(ours.play)
    if source != TIDEMARK and pad and theirs.notes.endswith(pad[:2000]):
        return theirs.notes.removesuffix(pad).removesuffix("\n")
    notes_of_import = "\n".join(part for part in (ours.play.notes, pad) if part)
    return ours.play.notes if source != TIDEMARK and theirs.notes == notes_of_import[:2000] else theirs.notes


def _of_results(ours: Play, theirs: NewPlay, source: str, people: Collection[str]) -> Iterator[Difference]:
    mine, others = names_of(ours.record), names_of(theirs.record)
    if not are_same_people(mine, others, people):
        yield "players", ", ".join(mine), ", ".join(others)
        return
    points = zip(mine, _totals(ours.decision), _totals(theirs.decision), strict=True)
    totals = [(name, here, there) for name, here, there in points if here != there]
    yield from totals
    won, won_there = _winners(mine, ours.decision), _winners(others, theirs.decision)
    if [seat.winner for seat in ours.decision.seats] != [seat.winner for seat in theirs.decision.seats]:
        yield "winners", won, won_there
    elif not totals and source == TIDEMARK and without_names(ours.record) != without_names(theirs.record):
        yield "boards", ours.saved_at, theirs.saved_at  # only our own files have boards


def names_of(record: Json) -> list[str]:
    return [player["name"] for player in record["players"]]


def _winners(names: Sequence[str], decision: Decision) -> str:
    return ", ".join(name for name, seat in zip(names, decision.seats, strict=True) if seat.winner)


def are_same_people(ours: Sequence[str], theirs: Sequence[str], people: Collection[str]) -> bool:
    """Return whether both lists may name the same players, seat by seat.

    Names may differ if the one in `theirs` is not in `people` (the club's players): the player may have been renamed.
    """
    mine, others = ([folded(name) for name in side] for side in (ours, theirs))
    return len(mine) == len(others) and all(
        one == other or other not in people for one, other in zip(mine, others, strict=True)
    )


def without_names(record: Json) -> Json:
    """Return the record with "@" and the seat number instead of each name."""
    return called(record, {name: f"@{seat}" for seat, name in enumerate(names_of(record))})


def called(value: Json, names: Mapping[str, str]) -> Json:
    """Return the JSON with each key or text that is in `names` replaced by the name given there."""
    if isinstance(value, dict):
        return {names.get(key, key): called(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [called(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def _totals(decision: Decision) -> list[str]:
    return ["?" if seat.total is None else str(seat.total) for seat in decision.seats]


def _shown(value: Any) -> str:
    return "" if value is None else str(value)[:200]


def packed_difference(ours: Archived, theirs: NewPlay, source: str, people: Collection[str]) -> str:
    """Return the file's play `theirs` as JSON, to be stored (see `Theirs`). If its players may be the same people as
    ours, it gets our names of them. `source` and `people` are as in `between`."""
    record, mine, others = theirs.record, ours.play.names, names_of(theirs.record)
    if are_same_people(mine, others, people):
        record = called(record, dict(zip(others, mine, strict=True)))
    words = (theirs.played_at, theirs.place, theirs.minutes, notes(ours, theirs, source))
    return pack(asdict(Theirs(record, asdict(theirs.decision), *words)))


def take(db: Database, play_id: int, theirs: Json, differences: Sequence[Sequence[str]]) -> list[str]:
    """Change the fields in `differences` of our play to the values in `theirs`, keeping the version before. A
    difference is a field, our value and theirs. Return the codes of the changes for the audit log."""
    done: list[str] = []
    words = {"played_at", "place", "minutes", "notes"}
    with db.atomic(db.club_of("play_keys", id=play_id)):
        play = saved_plays.by_id(db, play_id)
        if play is None:
            return done
        changed = {field for field, _, _ in differences}
        if changed - words:
            plays.edit(db, play, theirs["record"], Decision.from_json(theirs["decision"]))
            done.append("corrected")
        if changed & words:
            now = {field: theirs[field] if field in changed else getattr(play, field) for field in sorted(words)}
            plays.describe(db, play, now["notes"], now["place"], now["minutes"], now["played_at"])
            done.append("described")
    return done
