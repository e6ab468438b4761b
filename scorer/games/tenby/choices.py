"""Prepare the choices of the town editor as JSON: edges, features, targets, colours, plain ends, residents.

It also makes the catalogue of everything that a card can show.
"""

from __future__ import annotations

from scorer.contract import Entry, Json
from scorer.games.tenby import names
from scorer.games.tenby.cards import (
    COLOURS,
    DECKS,
    FEATURES,
    ICONS,
    PAINTS,
    PAIRS,
    PLAIN_END_PAIRS,
    PLAIN_END_POINTS,
    RANGES,
    TERRACE,
    THINGS,
    WHITE,
    WHOLES,
    Edges,
    Thing,
    base_of,
)
from scorer.sentences import Sentence, say

COLOURS_GROUP = say("Colours")
GROUPS = (
    (say("Features"), FEATURES),
    (say("Icons"), ICONS),
    (COLOURS_GROUP, COLOURS),
    (say("Across several cards"), WHOLES),
)


def edge_pairs() -> list[Json]:
    """Return the eight kinds of card by their edges, as choices for the editor."""
    return [{"edges": list(edges), "name": pair.name, "base": base_of(edges)} for edges, pair in PAIRS.items()]


def features() -> list[Json]:
    """Return the features that a card can show, as choices for the editor, each with its most per card."""
    return [{"id": thing.id, "label": thing.label, "most": thing.most} for thing in FEATURES.values()]


def targets() -> list[Json]:
    """Return all things that a card or a resident can count, in groups with a label."""
    return [
        {
            "label": label,
            "things": [{"id": thing.id, "label": thing.label} for thing in things.values()],
        }
        for label, things in GROUPS
    ]


def colours() -> list[Json]:
    """Return the colours of buildings as choices for the editor, the wild one last."""
    return [{"id": paint.id, "label": paint.paint, "name": paint.name} for paint in PAINTS.values()]


def offers() -> dict[str, Json]:
    """Return all choices for the editor, keyed by what they are for, such as "features"."""
    return {
        "edge_pairs": edge_pairs(),
        "features": features(),
        "targets": targets(),
        "colours": colours(),
        "plain_ends": plain_ends(),
    }


def plain_ends() -> list[Json]:
    """Return the four plain ends, as choices of cards to add to a street."""
    return [
        {"label": PAIRS[edges].plain, "card": plain_end(base, edges)}
        for base, pairs in PLAIN_END_PAIRS.items()
        for edges in pairs
    ]


def plain_end(base: str, edges: Edges) -> Json:
    """Return the record of a plain end with these edges: 2 points, and a white building if `base` is "terrace"."""
    card: dict[str, Json] = {"deck": "plain_end", "base": base, "edges": list(edges)}
    if base == TERRACE:
        card["buildings"] = [WHITE]
    return card | {"score": {"type": "flat", "points": PLAIN_END_POINTS}}


def residents(number: int) -> dict[str, Json]:
    """Return an empty resident card of each type, keyed by type: "single", "each" and "typed". `number` is how many
    residents there are already; the name has the next number."""
    name = str(names.resident(number + 1))
    return {
        "single": {"name": name, "type": "single", "tiers": [{}, {}, {}]},
        "each": {"name": name, "type": "each"},
        "typed": {"name": name, "type": "typed"},
    }


def entry(thing: Thing, group: Sentence) -> Entry:
    if not thing.most:
        return Entry(thing.id, thing.label, group, thing.text)
    text = say("{text} At most {most} on a card.", text=thing.text, most=thing.most)
    return Entry(thing.id, thing.label, group, text)


CATALOGUE = (
    *(entry(thing, group) for group, things in GROUPS for thing in things.values()),
    entry(PAINTS[WHITE], COLOURS_GROUP),
    *(Entry(f"deck_{deck.id}", deck.name, say("Decks"), deck.text) for deck in DECKS.values()),
    *(Entry(f"range_{each.id}", each.name, say("Scoring ranges"), each.text) for each in RANGES.values()),
    *(Entry("_".join(edges), pair.name, say("Edges"), pair.text) for edges, pair in PAIRS.items()),
)
assert len({entry.id for entry in CATALOGUE}) == len(CATALOGUE), "two things of the catalogue share an id"
assert set(THINGS) <= {entry.id for entry in CATALOGUE}
