"""Avatars of players: a figure on a disc of a colour. Players can be told apart without the colour too.

A look is two words that are kept with the player. Who has not chosen gets one that is free, and always the same one
for the same name among the same people. The drawings stand in static/art/tokens.svg, 32 by 32, for pages, and are read
from there for pictures. The colours are one set for light and dark: the ring around the disc has the colour of the text
beside it.
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
    """A colour of a disc, and that of the figure on it."""

    name: Sentence
    disc: str
    figure: str


@dataclass(frozen=True, slots=True)
class Token:
    """A figure: shapes that are filled with its colour, and lines that are drawn with it."""

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
    """Hold the avatars that a group of people have, to find one more that is free."""

    def __init__(self, taken: Iterable[Avatar] = ()) -> None:
        self.looks: Counter[Avatar] = Counter(taken)
        self.words: Counter[str] = Counter()  # no colour is called like a token
        for look, times in self.looks.items():
            self.words.update({look.colour: times, look.token: times})

    def add(self, look: Avatar) -> None:
        self.looks[look] += 1
        self.words.update((look.colour, look.token))

    def free(self, name: str) -> Avatar:
        """The look for a newcomer: what the fewest of the others have, sought from a place that the name says."""
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
    """Return what stands in the file, or the look of the name where nothing does."""
    return Avatar(colour, token) if known(colour, token) else free(name, ())


def apart(names: Sequence[str], looks: Sequence[Avatar | None], elsewhere: Sequence[Avatar] = ()) -> list[Avatar]:
    """Looks for the people at one table, no colour and no token twice: whoever comes first keeps hers.

    Those who have none yet come last, and get what few of the people `elsewhere` have.
    """
    found: dict[int, Avatar] = {}
    for place in sorted(range(len(names)), key=lambda place: looks[place] is None):
        there = list(found.values())
        found[place] = beside(looks[place] or free(names[place], [*elsewhere, *there]), there)
    return [found[place] for place in range(len(names))]


def beside(look: Avatar, others: Sequence[Avatar]) -> Avatar:
    """The look, with something else in the place of what one of the others has."""
    colours, tokens = {one.colour for one in others}, {one.token for one in others}
    if look.colour in colours:
        look = replace(look, colour=_next(list(COLOURS), look.colour, colours))
    if look.token in tokens:
        look = replace(look, token=_next(list(TOKENS), look.token, tokens))
    return look


@dataclass(frozen=True, slots=True)
class Offer:
    """A look that can be chosen with one tap, and who has what would be changed, if somebody else at the table does."""

    word: str
    name: Sentence
    look: Avatar
    whose: str = ""


def offers(look: Avatar, others: Mapping[str, Avatar] | None = None) -> dict[str, list[Offer]]:
    """Return every other figure and colour for the avatar, beside those that the others, by name, have."""
    taken = {word: name for name, one in (others or {}).items() for word in (one.colour, one.token)}
    return {
        "token": [
            Offer(word, one.name, replace(look, token=word), taken.get(word, "")) for word, one in TOKENS.items()
        ],
        "colour": [
            Offer(word, one.name, replace(look, colour=word), taken.get(word, "")) for word, one in COLOURS.items()
        ],
    }


def chosen(look: Avatar, given: Mapping[str, str]) -> Avatar | None:
    """The look with what was tapped; nothing if there is no such colour or figure."""
    colour, token = given.get("colour", look.colour), given.get("token", look.token)
    return Avatar(colour, token) if known(colour, token) else None


def _next(words: list[str], word: str, taken: set[str]) -> str:
    return next((one for one in _from(words, words.index(word)) if one not in taken), word)


def drawing(look: Avatar) -> tuple[Colour, Token]:
    """Return what is to be drawn."""
    return COLOURS[look.colour], TOKENS[look.token]
