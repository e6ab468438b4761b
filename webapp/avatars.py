"""Give each player an avatar: a figure on a coloured disc. Figures differ too, not only colours.

A player who has not chosen gets a free avatar, always the same for a name among the same people. The drawings are in
static/art/tokens.svg, 32 by 32; pictures read them from there. One set of colours serves light and dark pages: the ring
around the disc has the colour of the text beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from zlib import crc32

from scorer.names import folded
from scorer.sentences import Sentence, say

WHITE, INK = "#ffffff", "#10252c"
FIGURES = Path(__file__).parent / "static" / "art" / "tokens.svg"


@dataclass(frozen=True, slots=True)
class Colour:
    """Hold a colour for discs, and the colour of the figure on it."""

    name: Sentence
    disc: str
    figure: str


@dataclass(frozen=True, slots=True)
class Token:
    """Hold a figure: filled shapes, and drawn lines."""

    name: Sentence
    shapes: str
    lines: str = ""


@dataclass(frozen=True, slots=True)
class Avatar:
    """Hold the colour and the figure of a player."""

    colour: str = "slate"
    token: str = "anchor"  # noqa: S105  (no secret)


PLAIN = Avatar()

COLOURS = {
    "rope": Colour(say("Red"), "#bf3f38", WHITE),
    "tide": Colour(say("Blue"), "#145786", WHITE),
    "sand": Colour(say("Yellow"), "#edc14d", INK),
    "kelp": Colour(say("Green"), "#3aa273", INK),
    "heather": Colour(say("Pink"), "#e3a1d5", INK),
    "slate": Colour(say("Black"), "#252f37", WHITE),
    "chalk": Colour(say("White"), "#f6f1e4", INK),
    "plum": Colour(say("Purple"), "#6c2f86", WHITE),
    "buoy": Colour(say("Orange"), "#ee8434", INK),
    "sky": Colour(say("Light blue"), "#86cdea", INK),
}

NAMES = {
    "lighthouse": say("Lighthouse"),
    "anchor": say("Anchor"),
    "boat": say("Sailing boat"),
    "fish": say("Fish"),
    "gull": say("Gull"),
    "shell": say("Shell"),
    "star": say("Starfish"),
    "ring": say("Lifebelt"),
    "bell": say("Ship’s bell"),
    "crab": say("Crab"),
    "umbrella": say("Parasol"),
    "key": say("Key"),
}
FIGURE = re.compile(
    r'<symbol id="(\w+)" viewBox="0 0 32 32">(?:<path d="([^"]+)" fill="currentColor"[^>]*/>)?'
    r'(?:<path d="([^"]+)" fill="none" [^>]*/>)?</symbol>'
)


def _drawn() -> dict[str, Token]:
    figures = FIGURE.findall(FIGURES.read_text(encoding="utf-8"))
    return {figure: Token(NAMES[figure], shapes, lines) for figure, shapes, lines in figures}


TOKENS = _drawn()


def known(colour: str, token: str) -> bool:
    return colour in COLOURS and token in TOKENS


class TakenAvatars:
    """Hold the avatars of a group of people, to find free ones."""

    def __init__(self, taken: Iterable[Avatar] = ()) -> None:
        self.looks: Counter[Avatar] = Counter(taken)
        self.words: Counter[str] = Counter()  # no colour has the name of a token
        for avatar, times in self.looks.items():
            self.words.update({avatar.colour: times, avatar.token: times})

    def add(self, avatar: Avatar) -> None:
        self.looks[avatar] += 1
        self.words.update((avatar.colour, avatar.token))

    def free(self, name: str) -> Avatar:
        """Return the avatar that fewest people of the group have; among equals, `name` decides."""
        seed = crc32(folded(name).encode())
        every = product(_from(list(TOKENS), seed), _from(list(COLOURS), seed // len(TOKENS)))
        found = min(
            every, key=lambda one: (self.looks[Avatar(one[1], one[0])], self.words[one[0]] + self.words[one[1]])
        )
        return Avatar(found[1], found[0])


def free(name: str, taken: Iterable[Avatar]) -> Avatar:
    return TakenAvatars(taken).free(name)


def _from(words: list[str], seed: int) -> list[str]:
    start = seed % len(words)
    return [*words[start:], *words[:start]]


def avatar_of(name: str, colour: str, token: str) -> Avatar:
    """Return the avatar with this colour and figure (`token`); if either is invalid, one that `name` decides."""
    return Avatar(colour, token) if known(colour, token) else free(name, ())


def distinct(names: Sequence[str], looks: Sequence[Avatar | None], elsewhere: Sequence[Avatar] = ()) -> list[Avatar]:
    """Return an avatar for each player of a table, so that no colour and no figure appears twice.

    `looks` has each player's avatar, or None. If two conflict, the earlier player keeps theirs. A player without an
    avatar gets one that few people in `elsewhere` have.
    """
    found: dict[int, Avatar] = {}
    for place in sorted(range(len(names)), key=lambda place: looks[place] is None):
        there = list(found.values())
        found[place] = beside(looks[place] or free(names[place], [*elsewhere, *there]), there)
    return [found[place] for place in range(len(names))]


def beside(avatar: Avatar, others: Sequence[Avatar]) -> Avatar:
    """Return `avatar`, with another colour if one of the others has its colour, and likewise for its figure."""
    colours, tokens = {one.colour for one in others}, {one.token for one in others}
    if avatar.colour in colours:
        avatar = replace(avatar, colour=_next(list(COLOURS), avatar.colour, colours))
    if avatar.token in tokens:
        avatar = replace(avatar, token=_next(list(TOKENS), avatar.token, tokens))
    return avatar


@dataclass(frozen=True, slots=True)
class Offer:
    """Hold a figure or colour to choose, the avatar that results, and who else at the table has it."""

    word: str
    name: Sentence
    avatar: Avatar
    whose: str = ""


def offers(avatar: Avatar, others: Mapping[str, Avatar] | None = None) -> dict[str, list[Offer]]:
    """Return lists of all figures ("token") and all colours ("colour") that a player may choose. Each offer names the
    player in `others` who has it, if any."""
    taken = {word: name for name, one in (others or {}).items() for word in (one.colour, one.token)}
    return {
        "token": [
            Offer(word, one.name, replace(avatar, token=word), taken.get(word, "")) for word, one in TOKENS.items()
        ],
        "colour": [
            Offer(word, one.name, replace(avatar, colour=word), taken.get(word, "")) for word, one in COLOURS.items()
        ],
    }


def chosen(avatar: Avatar, given: Mapping[str, str]) -> Avatar | None:
    """Return `avatar` with the "colour" or the figure ("token") in `given`, or None if either of them is unknown."""
    colour, token = given.get("colour", avatar.colour), given.get("token", avatar.token)
    return Avatar(colour, token) if known(colour, token) else None


def _next(words: list[str], word: str, taken: set[str]) -> str:
    return next((one for one in _from(words, words.index(word)) if one not in taken), word)


def drawing(avatar: Avatar) -> tuple[Colour, Token]:
    return COLOURS[avatar.colour], TOKENS[avatar.token]
