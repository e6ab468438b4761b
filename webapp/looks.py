"""What players look like: a token of our own drawing on a disc of a colour, told apart without the colour too.

A look is two words that are kept with the player. Who has not chosen gets one that is free, and always the same one
for the same name among the same people. The drawings stand here, as SVG of 32 by 32, because pages and pictures both
show them. The colours are one set for light and dark: the ring around the disc has the colour of the text beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

from scorer.names import folded
from scorer.sentences import Sentence, say

WHITE, INK = "#ffffff", "#10252c"


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
class Look:
    """The colour and the token of a player."""

    colour: str = "slate"
    token: str = "anchor"  # noqa: S105  (no secret)


PLAIN = Look()

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

TOKENS = {
    "lighthouse": Token(
        say("Lighthouse"),
        "M12.8 11h6.4l2 14H10.8zM12 7.5 16 4l4 3.5v2H12z",
    ),
    "anchor": Token(
        say("Anchor"),
        "M5.5 17.5 10.8 18.5 6.8 22.5zM26.5 17.5 21.2 18.5 25.2 22.5z",
        "M16 10v16M11.5 13.5h9M7.5 19.5c1 4 4.5 6.5 8.5 6.5s7.5-2.5 8.5-6.5M18.4 7.4"
        "a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 1 1 4.8 0",
    ),
    "boat": Token(
        say("Sailing boat"),
        "M5.5 20h21l-3.5 5.5H9zM15 5v13H7zM17 8v10h7z",
    ),
    "fish": Token(
        say("Fish"),
        "M5 16c3-5.5 10-7 15-1.5L26.5 10v12L20 17.5C15 23 8 21.5 5 16zM11 15.8"
        "a1.3 1.3 0 1 0-2.6 0 1.3 1.3 0 1 0 2.6 0z",
    ),
    "gull": Token(
        say("Gull"),
        "M12.5 17.5c0 4 1.5 6.5 3.5 6.5s3.5-2.5 3.5-6.5z",
        "M5 14.5c4-4.5 8.5-3 11 3 2.5-6 7-7.5 11-3",
    ),
    "shell": Token(
        say("Shell"),
        "M16 25.5c-1.5 0-3-.5-3.5-2L6 16C5.5 10.5 10 6.5 16 6.5s10.5 4 10 9.5l-6.5 7.5c-.5 1.5-2 2-3.5 2z"
        "M15.4 9.5v11h1.2v-11zM10.2 11.8l3.3 9 1.1-.4-3.3-9zM21.8 11.8l-3.3 9-1.1-.4 3.3-9z",
    ),
    "star": Token(
        say("Starfish"),
        "M16 4.5"
        "c1 0 1.8 5.8 2.8 6.6 1 .7 7.6-.7 8 .4.3 1-4.4 3.8-4.8 5-.4 1.2 2.8 6.2 2 7-.9.6-6-2.7-8-2.7"
        "s-7.1 3.3-8 2.7c-.8-.8 2.4-5.8 2-7-.4-1.2-5.1-4-4.8-5 .4-1.1 7 .3 8-.4 1-.8 1.8-6.6 2.8-6.6z",
    ),
    "ring": Token(
        say("Lifebelt"),
        "M16 5a11 11 0 1 0 0 22 11 11 0 1 0 0-22zm0 7a4 4 0 1 1 0 8 4 4 0 1 1 0-8zM9.6 8.2 12.5 11"
        "a6 6 0 0 0-1.5 1.5L8.2 9.6zM22.4 8.2 19.5 11a6 6 0 0 1 1.5 1.5l2.8-2.9zM9.6 23.8l2.9-2.8"
        "a6 6 0 0 1-1.5-1.5l-2.8 2.9zM22.4 23.8 19.5 21a6 6 0 0 0 1.5-1.5l2.8 2.9z",
    ),
    "bell": Token(
        say("Ship’s bell"),
        "M14.8 4.5h2.4v2.3c4 .7 5.8 3.7 5.8 7.2 0 4 .8 5.5 2.5 7.5h-19C8.2 19.5 9 18 9 14"
        "c0-3.5 1.8-6.5 5.8-7.2zM13 23.5h6a3 3 0 0 1-6 0z",
    ),
    "crab": Token(
        say("Crab"),
        "M16 13c5 0 8 2.3 8 5.2S20.5 24 16 24s-8-2.9-8-5.8S11 13 16 13zM4.5 7.5c0-2 1.2-3.2 2.7-3.5L7.5 7"
        "l2.8-1.5c.8 2-.2 4.5-2.3 4.8S4.5 9.5 4.5 7.5zM27.5 7.5c0-2-1.2-3.2-2.7-3.5l-.3 3-2.8-1.5"
        "c-.8 2 .2 4.5 2.3 4.8s3.5-.8 3.5-2.8z",
        "M7.8 10l2.5 4.5M24.2 10l-2.5 4.5M7.5 20.5l-3 2.5M9.5 23.2l-2 3.3M24.5 20.5l3 2.5M22.5 23.2l2 3.3",
    ),
    "umbrella": Token(
        say("Parasol"),
        "M16 4.5"
        "c6 1 10.5 5 10.5 11-1.7-1.5-3.6-1.5-5.2 0-1.7-1.5-3.6-1.5-5.3 0-1.7-1.5-3.6-1.5-5.3 0-1.6-1.5-3.5-1.5-5.2 0"
        "C5.5 9.5 10 5.5 16 4.5z",
        "M16 14v10.5c0 3-4.5 3-4.5 0",
    ),
    "key": Token(
        say("Key"),
        "",
        "M15 11a4.5 4.5 0 1 1-9 0 4.5 4.5 0 1 1 9 0zM13.8 14.2 25 25.5M20 20.3l3.2-3.2M23 23.3l2.7-2.7",
    ),
}


def known(colour: str, token: str) -> bool:
    return colour in COLOURS and token in TOKENS


class Given:
    """The looks that a group of people have, to find one more that is free."""

    def __init__(self, taken: Iterable[Look] = ()) -> None:
        self.looks: Counter[Look] = Counter(taken)
        self.words: Counter[str] = Counter()  # no colour is called like a token
        for look, times in self.looks.items():
            self.words.update({look.colour: times, look.token: times})

    def add(self, look: Look) -> None:
        self.looks[look] += 1
        self.words.update((look.colour, look.token))

    def free(self, name: str) -> Look:
        """The look for a newcomer: what the fewest of the others have, sought from a place that the name says."""
        seed = crc32(folded(name).encode())
        every = product(_from(list(TOKENS), seed), _from(list(COLOURS), seed // len(TOKENS)))
        found = min(every, key=lambda one: (self.looks[Look(one[1], one[0])], self.words[one[0]] + self.words[one[1]]))
        return Look(found[1], found[0])


def free(name: str, taken: Iterable[Look]) -> Look:
    return Given(taken).free(name)


def _from(words: list[str], seed: int) -> list[str]:
    start = seed % len(words)
    return [*words[start:], *words[:start]]


def worn(name: str, colour: str, token: str) -> Look:
    """What stands in the file, or the look of the name where nothing does."""
    return Look(colour, token) if known(colour, token) else free(name, ())


def apart(names: Sequence[str], looks: Sequence[Look | None], elsewhere: Sequence[Look] = ()) -> list[Look]:
    """Looks for the people at one table, no colour and no token twice: whoever comes first keeps hers.

    Those who have none yet come last, and get what few of the people `elsewhere` have.
    """
    found: dict[int, Look] = {}
    for place in sorted(range(len(names)), key=lambda place: looks[place] is None):
        there = list(found.values())
        found[place] = beside(looks[place] or free(names[place], [*elsewhere, *there]), there)
    return [found[place] for place in range(len(names))]


def beside(look: Look, others: Sequence[Look]) -> Look:
    """The look, with something else in the place of what one of the others has."""
    colours, tokens = {one.colour for one in others}, {one.token for one in others}
    if look.colour in colours:
        look = replace(look, colour=_next(list(COLOURS), look.colour, colours))
    if look.token in tokens:
        look = replace(look, token=_next(list(TOKENS), look.token, tokens))
    return look


def _next(words: list[str], word: str, taken: set[str]) -> str:
    return next((one for one in _from(words, words.index(word)) if one not in taken), word)


def drawing(look: Look) -> tuple[Colour, Token]:
    """What is to be drawn."""
    return COLOURS[look.colour], TOKENS[look.token]
