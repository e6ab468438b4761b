"""What an editor of Tenby towns offers, as plain data: edges, features, targets, ranges, plain ends, rulings."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.contract import Entry, Json
from scorer.games.tenby.anatomy import (
    COLOURS,
    COMPLETED_STREETS,
    DECKS,
    FEATURES,
    ICONS,
    PAIRS,
    PLAIN_END_PAIRS,
    PLAIN_END_POINTS,
    RANGES,
    TERRACE,
    THINGS,
    WHITE,
    WHOLES,
    Thing,
    base_of,
)
from scorer.games.tenby.rulings import RULINGS
from scorer.games.tenby.state import MODES

GROUPS = {"Features": FEATURES, "Icons": ICONS, "Colours": COLOURS, "Over several cards": WHOLES}


def edge_pairs() -> list[Json]:
    """The eight kinds of card, by their edges."""
    return [{"edges": list(pair), "name": name, "base": base_of(pair)} for pair, name in PAIRS.items()]


def features() -> list[Json]:
    """The features, with the most that one card shows."""
    return [{"id": thing.id, "label": thing.label, "one": thing.one, "most": thing.most} for thing in FEATURES.values()]


def targets(of_accolade: bool = False) -> list[Json]:
    """What a card or a resident can count; accolades can count completed streets too."""
    return [
        {"id": thing.id, "label": thing.label, "group": group}
        for group, things in GROUPS.items()
        for thing in things.values()
        if of_accolade or thing.id != COMPLETED_STREETS
    ]


def colours() -> list[Json]:
    """The colours of buildings, the wild one last."""
    return [{"id": name, "label": name.capitalize()} for name in (*COLOURS, WHITE)]


def ranges() -> list[Json]:
    return [{"id": each.id, "label": each.name, "text": each.text} for each in RANGES.values()]


def rulings() -> list[Json]:
    """What the table may decide, each option with its sentence."""
    return [
        {
            "id": ruling.id,
            "title": ruling.title,
            "sentence": ruling.sentence,
            "options": [{"id": name, "sentence": sentence} for name, sentence in ruling.options],
            "default": ruling.default,
        }
        for ruling in RULINGS
    ]


def modes() -> list[Json]:
    """The three ways to play with accolades."""
    return [{"id": mode, "label": label, "text": text} for mode, (label, text) in MODES.items()]


def offers() -> dict[str, Json]:
    """All of it, for an editor page."""
    return {
        "edge_pairs": edge_pairs(),
        "features": features(),
        "targets": targets(),
        "accolade_targets": targets(of_accolade=True),
        "colours": colours(),
        "ranges": ranges(),
        "plain_ends": plain_ends(),
        "modes": modes(),
        "rulings": rulings(),
    }


def plain_ends() -> list[Json]:
    """The four plain ends, ready to be laid."""
    return [
        {"label": f"Plain {PAIRS[pair][0].lower()}{PAIRS[pair][1:]}", "card": plain_end(base, pair)}
        for base, pairs in PLAIN_END_PAIRS.items()
        for pair in pairs
    ]


def plain_end(base: str, pair: tuple[str, str]) -> Json:
    """The record of a plain end: 2 points, and a white building on a terrace."""
    card: dict[str, Json] = {"deck": "plain_end", "base": base, "edges": list(pair)}
    if base == TERRACE:
        card["buildings"] = [WHITE]
    return card | {"score": {"type": "flat", "points": PLAIN_END_POINTS}}


def typed_lines(cards: Iterable[tuple[int, int]], residents: Iterable[int]) -> dict[str, int]:
    """Quick mode: (number, how many it counts) of each card and the points of each resident, as lines for `typed`.

    Nothing in it can be checked against ranges or streets. Accolades come from typed amounts, as in any game.
    """
    return {"card": sum(number * count for number, count in cards), "resident": sum(residents)}


def told(thing: Thing, group: str) -> Entry:
    most = f" At most {thing.most} on a card." if thing.most else ""
    return Entry(thing.id, thing.label, group, thing.text + most)


CATALOGUE = (
    *(told(thing, group) for group, things in GROUPS.items() for thing in things.values()),
    Entry(WHITE, "White buildings", "Colours", "Wild: each count takes it as the colour that suits it best."),
    *(Entry(f"deck_{deck.id}", deck.name, "Decks", deck.text) for deck in DECKS.values()),
    *(Entry(f"range_{each.id}", each.name, "Ranges", each.text) for each in RANGES.values()),
    *(
        Entry("_".join(pair), name, "Edges", f"{pair[0].capitalize()} on the left, {pair[1]} on the right.")
        for pair, name in PAIRS.items()
    ),
)
assert len({entry.id for entry in CATALOGUE}) == len(CATALOGUE), "two things of the catalogue share an id"
assert set(THINGS) <= {entry.id for entry in CATALOGUE}
