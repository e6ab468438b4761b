"""What a file says differently of a game that is here already: corrections made elsewhere, to take or to leave."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scorer.contract import Json
from scorer.names import folded
from scorer.result import gaps
from scorer.sentences import Sentence, say
from webapp.database import Database, pack
from webapp.exchange import bgstats_out
from webapp.exchange.identity import TIDEMARK
from webapp.history import Archived, NewPlay, Play, plays

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
    """The play as the file tells it, kept until somebody has chosen."""

    record: Json
    result: Json
    played_at: str
    place: str
    minutes: int | None
    notes: str


def between(ours: Archived, theirs: NewPlay, source: str, people: Collection[str]) -> list[Difference]:
    """What differs; nothing if the file is older than a correction of ours. `people` are those of the club, folded."""
    play = ours.play
    if source == TIDEMARK and (theirs.version, theirs.saved_at) in {
        (old["version"], old["saved_at"]) for old in ours.versions
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
    """A text without the spaces and line breaks that some programs make of others."""
    return " ".join(text.split())


def notes(ours: Archived, theirs: NewPlay, source: str) -> str:
    """Their notes without the score pad that we add for BG Stats."""
    pad = bgstats_out.breakdown(ours.play)
    if source != TIDEMARK and pad and theirs.notes.endswith(pad[:2000]):
        return theirs.notes.removesuffix(pad).removesuffix("\n")
    whole = "\n".join(part for part in (ours.play.notes, pad) if part)
    return ours.play.notes if source != TIDEMARK and theirs.notes == whole[:2000] else theirs.notes


def _of_results(ours: Play, theirs: NewPlay, source: str, people: Collection[str]) -> Iterator[Difference]:
    mine, others = ours.result["players"], theirs.result["players"]
    if not are_same_people(ours.result, theirs.result, people):
        yield "players", _names(mine), _names(others)
        return
    points = zip(_totals(ours), _totals(theirs), strict=True)
    totals = [(one["name"], here, there) for one, (here, there) in zip(mine, points, strict=True) if here != there]
    yield from totals
    if [one["winner"] for one in mine] != [other["winner"] for other in others]:
        won = [_names([one for one in side if one["winner"]]) for side in (mine, others)]
        yield "winners", won[0], won[1]
    elif not totals and source == TIDEMARK and without_names(ours) != without_names(theirs):
        yield "boards", ours.saved_at, theirs.saved_at  # only our own files tell what lay on the table


def are_same_people(ours: Json, theirs: Json, people: Collection[str]) -> bool:
    """Whether the same sat there: somebody whom the club no longer knows by that name has been renamed here."""
    mine, others = ([folded(one["name"]) for one in side["players"]] for side in (ours, theirs))
    return len(mine) == len(others) and all(
        one == other or other not in people for one, other in zip(mine, others, strict=True)
    )


def without_names(play: Play | NewPlay) -> Json:
    """The record with a number for each name."""
    names = {player["name"]: f"@{seat}" for seat, player in enumerate(play.result["players"])}
    return called(play.record, names)


def called(value: Json, names: Mapping[str, str]) -> Json:
    """The value with everybody called by other names."""
    if isinstance(value, dict):
        return {names.get(key, key): called(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [called(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def _names(players: Sequence[Json]) -> str:
    return ", ".join(player["name"] for player in players)


def _totals(play: Play | NewPlay) -> list[str]:
    unknown = gaps(play.record, play.result)
    return ["?" if seat in unknown else str(one["total"]) for seat, one in enumerate(play.result["players"])]


def _shown(value: Any) -> str:
    return "" if value is None else str(value)[:200]


def kept(ours: Archived, theirs: NewPlay, source: str, people: Collection[str]) -> str:
    """Theirs, with everybody called as here."""
    record: Json = theirs.record
    result: Json = theirs.result
    if are_same_people(ours.play.result, result, people):
        pairs = zip(result["players"], ours.play.result["players"], strict=True)
        names = {other["name"]: one["name"] for other, one in pairs}
        record = called(record, names)
        if any(other != one for other, one in names.items()):
            result = {key: value if key == "said" else called(value, names) for key, value in result.items()}
    told = Theirs(record, result, theirs.played_at, theirs.place, theirs.minutes, notes(ours, theirs, source))
    return pack(asdict(told))


def take(db: Database, play_id: int, theirs: Json, differences: Sequence[Sequence[str]]) -> list[str]:
    """Correct our play as the file has it, what stood before is kept as an earlier version; what was done to it."""
    done: list[str] = []
    words = {"played_at", "place", "minutes", "notes"}
    with db.atomic(db.club_of("play_keys", id=play_id)):
        play = plays.by_id(db, play_id)
        if play is None:
            return done
        changed = {field for field, _, _ in differences}
        if changed - words:
            plays.correct(db, play, theirs["record"], theirs["result"])
            done.append("corrected")
        if changed & words:
            told = {field: theirs[field] if field in changed else getattr(play, field) for field in sorted(words)}
            plays.describe(db, play, told["notes"], told["place"], told["minutes"], told["played_at"])
            done.append("described")
    return done
