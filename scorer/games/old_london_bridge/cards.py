"""Define the printed contents from cards.toml: the twenty scoring faces, the buildings, the cards and amounts.

See the rulebook, end of the game and pp. 11-12.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scorer.contract import Entry
from scorer.sentences import NOTHING, Sentence, printed, say, say_as

PRINTED = tomllib.loads((Path(__file__).parent / "cards.toml").read_text(encoding="utf-8"))

ZONES = {
    "chapel": say("the chapel"),
    "gate": say("the bridge gate"),
    "inn": say("the inn"),
    "bridge": say("the bridge"),
}
BASE = "base"  # the scoring printed on the board, if no expert tile covers it
SPACES: int = PRINTED["spaces"]
COPIES: int = PRINTED["copies"]
HIGHEST_NUMBER: int = PRINTED["highest_number"]
BONUS_SPACE_EVERY: int = PRINTED["bonus_space_every"]
COIN_SPACES: tuple[int, ...] = tuple(PRINTED["coin_spaces"])
HAND_8PLUS: int = PRINTED["hand_8plus"]
PRIZES: dict[int, tuple[int, ...]] = {int(count): tuple(paid) for count, paid in PRINTED["prizes"].items()}
ROUNDS: dict[int, int] = {int(count): rounds for count, rounds in PRINTED["rounds"].items()}
ZEROS: dict[int, int] = {int(count): zeros for count, zeros in PRINTED["zeros"].items()}
CERTAIN_COSTS: dict[str, int] = PRINTED["empty_costs"]
CARD_VALUES = tuple(str(card["value"]) for card in PRINTED["character"])
EMPTY_COLUMNS = ("1", "2", "3", "4", "5+")
GARDEN = "P"


@dataclass(frozen=True, slots=True)
class Type:
    letter: str
    name: Sentence
    plural: Sentence  # used within a sentence
    heading: Sentence  # the plural, used as a heading
    tone: str
    text: Sentence


TYPES = {
    found["letter"]: Type(
        letter=found["letter"],
        name=printed(found["name"]),
        plural=printed(found["plural"]),
        heading=printed(found["heading"]),
        tone=found["tone"],
        text=printed(found["text"]),
    )
    for found in PRINTED["building"]
}
TYPE_NAMES = {one.letter: one.heading for one in TYPES.values()}


@dataclass(frozen=True, slots=True)
class Face:
    """Describe one way to score a zone of the board, as printed on the board or on a scoring tile."""

    zone: str
    id: str
    name: Sentence
    needs: tuple[str, ...]  # facts of every player, as named by `Architect.fact`
    per_round: int  # coins paid in every round, 0 if it pays at the end
    pays: Sentence
    text: Sentence
    cite: Sentence


def read_faces() -> dict[tuple[str, str], Face]:
    faces = {}
    for found in PRINTED["face"]:
        words = {name: printed(found[name]) for name in ("name", "pays", "text", "cite")}
        face = Face(
            zone=found["zone"],
            id=found["id"],
            needs=tuple(found["needs"]),
            per_round=found.get("per_round", 0),
            **words,
        )
        assert face.zone in ZONES, f"face {face.zone}/{face.id}"
        assert (face.zone, face.id) not in faces, f"face {face.zone}/{face.id}"
        faces[face.zone, face.id] = face
    assert all(sum(face.zone == zone for face in faces.values()) == 5 for zone in ZONES), "four expert faces a zone"
    return faces


FACES = read_faces()


def options(zone: str) -> tuple[str, ...]:
    """Return the ids of the faces that a zone may have, the one printed on the board first."""
    return tuple(face.id for face in FACES.values() if face.zone == zone)


FACE_NAMES = {zone: {face: FACES[zone, face].name for face in options(zone)} for zone in ZONES}


def needed_inputs(scoring: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the facts that every player has to enter; `scoring` has the face chosen for each zone. They
    are in the order of the score pad, such as "coins" and "longest"."""
    chosen = [FACES.get((zone, scoring.get(zone, BASE))) for zone in ZONES]
    facts = ["coins", *(fact for face in chosen if face for fact in face.needs), "buildings", "unused_tiles"]
    return tuple(dict.fromkeys(facts))


def bracket(rows: str, count: int) -> int:
    """Return the coins of the highest row that `count` reaches in the table `rows` of cards.toml, or 0."""
    return max((coins for least, coins in PRINTED["brackets"][rows] if count >= least), default=0)


GROUPS = {
    "chapel": say("chapel scoring"),
    "gate": say("bridge gate scoring"),
    "inn": say("inn scoring"),
    "bridge": say("bridge scoring"),
}


def catalogue() -> tuple[Entry, ...]:
    buildings = [Entry(one.letter, one.name, say("building"), one.text) for one in TYPES.values()]
    characters = [
        Entry(str(card["value"]), printed(card["name"]), say_as("card", "character"), printed(card["text"]))
        for card in PRINTED["character"]
    ]
    faces = [
        Entry(
            f"{face.zone}/{face.id}",
            face.name,
            GROUPS[face.zone],
            face.text,
            points=face.pays,
            expansion=NOTHING if face.id == BASE else say("expert builders"),
        )
        for face in FACES.values()
    ]
    return (*buildings, *characters, *faces)
