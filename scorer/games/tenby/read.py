"""Reads a record of Tenby. Whatever is legal or not but can be understood is kept; `validate` judges it."""

from __future__ import annotations

from scorer.contract import Json
from scorer.games.tenby.anatomy import BASES, BOTH, DECKS, ICONS, SUBTYPES, Edges, Targets
from scorer.games.tenby.rulings import RULINGS, Rulings
from scorer.games.tenby.state import (
    GAME_ID,
    LADDER,
    MODES,
    PLAYERS,
    RULES,
    Accolade,
    Card,
    Counts,
    Flat,
    Per,
    Resident,
    Street,
    Table,
    Tier,
    Town,
)
from scorer.reading import MAX_NAME, POINTS, Reader, read_players, read_record, shown

CARD_POINTS = 99  # no printed number has three digits
SCORE_TYPES = ("flat", "per")
RESIDENT_TYPES = ("each", "single")


def load(record: Json) -> Table:
    """The table, or StateError with everything that could not be read."""
    reader = read_record(record, GAME_ID)
    shared = reader.object("table")
    mode, accolades = read_accolades(shared)
    chosen = shared.object("rulings", required=False)
    rulings = Rulings(**{r.id: chosen.choice(r.id, r.names, default=r.default) for r in RULINGS})
    players = read_players(reader, PLAYERS, RULES, LADDER, read_town)
    table = Table(players, mode, accolades, rulings)
    reader.finish(table)
    return table


def read_town(player: Reader, name: str) -> Town:
    streets = tuple(read_street(street) for street in player.elements("streets"))
    residents = tuple(read_resident(resident) for resident in player.elements("residents", required=False))
    return Town(name, streets, residents)


def read_street(street: Reader) -> Street:
    return tuple(read_card(card) for card in street.as_list())


def read_card(card: Reader) -> Card:
    card.as_object()
    return Card(
        deck=card.choice("deck", tuple(DECKS)),
        base=card.choice("base", BASES),
        edges=read_edges(card),
        subtype=card.choice("subtype", SUBTYPES, default=""),
        buildings=read_buildings(card),
        features=read_features(card),
        icons=read_icons(card),
        score=read_score(card),
        name=read_title(card) if card.has("name") else "",
    )


def read_title(thing: Reader) -> str:
    """The name printed on a card: something to show, so not blank."""
    title = str(thing.text("name"))
    if not title.strip() and thing.value.get("name") == title:
        thing.fail("missing_field", f"Enter a name of 1 to {MAX_NAME} characters.", f"{thing.where}/name")
    return title


def read_edges(card: Reader) -> Edges:
    """The two edges as they are written; ("", "") if they are no two words."""
    found = card.child("edges", required=True)
    if found is None:
        return ("", "")
    sides = [side.value for side in found.as_list()]
    if isinstance(found.value, list) and not (len(sides) == 2 and all(isinstance(side, str) for side in sides)):
        found.fail("bad_edge_pair", "Enter the left and the right edge, each sea, pier or terrace.")
    return (sides[0], sides[1]) if len(sides) == 2 and all(isinstance(side, str) for side in sides) else ("", "")


def read_buildings(card: Reader) -> tuple[str, ...] | None:
    if not card.has("buildings"):
        return None
    colours = []
    for building in card.elements("buildings"):
        if isinstance(building.value, str):
            colours.append(building.value)
        else:
            building.fail("unknown_colour", f"Name the colour of the building; this is {shown(building.value)}.")
    return tuple(colours)


def read_features(card: Reader) -> Counts:
    """Counts of whatever is named; which features there are and how many of each is for `validate` to say."""
    counts = []
    for name, count in card.entries("features"):
        if isinstance(count.value, int) and not isinstance(count.value, bool):
            counts.append((name, count.value))
        else:
            count.fail("bad_number", f"Enter how many there are, 0 or more; this is {shown(count.value)}.")
    return tuple(counts)


def read_icons(card: Reader) -> Counts:
    counts = []
    for name, count in card.entries("icons"):
        if name in ICONS:
            counts.append((name, count.as_number(0, CARD_POINTS)))
        else:
            count.fail("unknown_field", f"There is no icon {shown(name)}; the icons are {', '.join(ICONS)}.")
    return tuple(counts)


def read_score(card: Reader) -> Flat | Per | None:
    if not card.has("score"):
        return None
    score = card.object("score")
    if read_type(score, SCORE_TYPES, "target") == "flat":
        return Flat(score.number("points", 0, CARD_POINTS))
    return Per(
        targets=read_targets(score),
        points=score.number("points", 0, CARD_POINTS),
        range=read_word(score, "range"),
        direction=read_word(score, "direction", BOTH),
    )


def read_type(thing: Reader, types: tuple[str, str], mark: str) -> str:
    """One of two types. If it cannot be read, the second is known by a field that only it has."""
    likely = types if not thing.has(mark) else types[::-1]
    return str(thing.choice("type", likely))


def read_word(thing: Reader, key: str, default: str | None = None) -> str:
    """One of a few words; which ones is for `validate` to say."""
    found = thing.child(key, required=default is None)
    if found is None:
        return default or ""
    if isinstance(found.value, str):
        return found.value
    found.fail("bad_range", f"Enter the {key} as a word; this is {shown(found.value)}.")
    return default or ""


def read_targets(thing: Reader, required: bool = True) -> Targets:
    """A target, or a list of several that are counted together; only where none is required may it be null."""
    found = thing.child("target", required)
    if found is None or (found.value is None and not required):
        return ()
    targets = [element.value for element in found.as_list()] if isinstance(found.value, list) else [found.value]
    if all(isinstance(target, str) for target in targets) and targets:
        return tuple(dict.fromkeys(targets))
    found.fail("unknown_target", f"Choose what is counted; this is {shown(found.value)}.")
    return ()


def read_tier(thing: Reader) -> Tier:
    at_least = thing.number("at_least", 1, POINTS)
    return Tier(at_least, thing.number("incomplete", 0, POINTS), thing.number("complete", 0, POINTS))


def read_resident(resident: Reader) -> Resident:
    resident.as_object()
    name, targets = read_title(resident), read_targets(resident)
    kind = read_type(resident, RESIDENT_TYPES, "tiers")
    if kind == "each":
        return Resident(name, kind, targets, (read_tier(resident),))
    tiers = resident.elements("tiers")
    for tier in tiers:
        tier.as_object()
    return Resident(name, kind, targets, tuple(read_tier(tier) for tier in tiers))


def read_accolades(table: Reader) -> tuple[str, tuple[Accolade, ...]]:
    accolades = table.object("accolades", required=False)
    if not accolades.value:  # absent, or empty: a table that chose no mode
        return "", ()
    mode = accolades.choice("mode", tuple(MODES))
    if mode != accolades.value.get("mode"):
        mode = ""  # unread: how many cards it lays out, and who holds them, cannot be judged
    return mode, tuple(read_accolade(card) for card in accolades.elements("cards"))


def read_accolade(card: Reader) -> Accolade:
    """A goal with all that may be said of it; what its mode does not use is carried along and changes nothing."""
    card.as_object()
    return Accolade(
        name=read_title(card),
        targets=read_targets(card, required=False),
        holder=card.text("holder", default=None),
        revealed=card.flag("revealed", default=None),
        active=card.flag("active", default=None),
        amounts=tuple((name, amount.as_number(0, POINTS)) for name, amount in card.entries("amounts")),
    )
