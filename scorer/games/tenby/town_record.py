"""Read a Tenby town with its cards and residents, and write it as a record."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.contract import UNKNOWN, Json
from scorer.games.tenby.cards import (
    ALSO_CALLED,
    BASES,
    BOTH,
    DECK_NAMES,
    DIRECTIONS,
    EDGES,
    FEATURE_NAMES,
    FEATURES,
    ICON_NAMES,
    ICONS,
    PAINT_NAMES,
    RANGE_NAMES,
    SUBTYPE_LABELS,
    TARGET_LABELS,
    Edges,
    Targets,
)
from scorer.games.tenby.town import CARD_POINTS, Card, Counts, Flat, Per, Resident, Street, Tier, Town
from scorer.record import MAX_NAME, POINTS, Options, Reader, shown
from scorer.sentences import in_a_row, say
from scorer.spelling import whole_number

SCORE_TYPES = {"flat": "", "per": "target"}  # type -> the field that only this type has
RESIDENT_TYPES = {"each": "", "single": "tiers", "typed": "points"}


def read_town(player: Reader, name: str) -> Town:
    streets = tuple(read_street(street) for street in player.elements("streets"))
    residents = tuple(read_resident(resident) for resident in player.elements("residents", required=False))
    return Town(name, streets, residents)


def read_street(street: Reader) -> Street:
    return tuple(read_card(card) for card in street.as_list())


def read_card(card: Reader) -> Card:
    card.as_object()
    card.open_all("features", FEATURES)
    card.open_all("icons", ICONS)
    return Card(
        deck=card.choice("deck", DECK_NAMES),
        base=card.choice("base", BASES),
        edges=read_edges(card),
        subtype="" if is_open(card, "subtype") else card.choice("subtype", SUBTYPE_LABELS, default=""),
        buildings=read_buildings(card),
        features=read_features(card),
        icons=read_icons(card),
        score=read_score(card),
        name=read_title(card) if card.has("name") else "",
        open=read_open(card),
    )


def is_open(thing: Reader, key: str) -> bool:
    """Return whether the field `key` of an object says UNKNOWN."""
    found = thing.child(key)
    return found is not None and bool(found.value == UNKNOWN)


def read_open(card: Reader) -> frozenset[str]:
    """Return the names of the facts of a card that say UNKNOWN, such as "buildings"."""
    found = {key for key in ("subtype", "buildings") if is_open(card, key)}
    for group in ("features", "icons"):
        found |= {name for name, count in card.entries(group) if count.value == UNKNOWN}
    return frozenset(found)


def read_title(thing: Reader) -> str:
    """Return the name of a card; a blank name is noted as a fault."""
    title = str(thing.text("name"))
    if not title.strip() and thing.value.get("name") == title:
        message = say("Enter a name of 1 to {most} characters.", most=MAX_NAME)
        thing.fail("missing_field", message, f"{thing.where}/name")
    return title


def read_edges(card: Reader) -> Edges:
    """Return the two edges of a card as entered, or ("", "") if they are not two words."""
    found = card.child("edges", required=True)
    if found is None:
        return ("", "")
    written = found.as_list()
    sides = [side.as_named(EDGES) for side in written if isinstance(side.value, str)]
    if isinstance(found.value, list) and not len(sides) == len(written) == 2:
        found.fail("bad_edge_pair", say("Enter the left and the right edge: sea, pier or terrace."))
    return (sides[0], sides[1]) if len(sides) == len(written) == 2 else ("", "")


def read_buildings(card: Reader) -> tuple[str, ...] | None:
    if not card.has("buildings") or is_open(card, "buildings"):
        return None
    colours = []
    for building in card.elements("buildings"):
        if isinstance(building.value, str):
            colours.append(building.as_named(PAINT_NAMES))
        else:
            message = say("Enter the colour of the building. You entered {value}.", value=shown(building.value))
            building.fail("unknown_colour", message)
    return tuple(colours)


def read_features(card: Reader) -> Counts:
    """Return the counts of a card's features, each with its name; `validate` checks the names and the limits."""
    counts, features = [], card.child("features")
    for key, count in card.entries("features"):
        name = (features and features.field_named(key, FEATURE_NAMES)) or key
        if count.value == UNKNOWN and name in FEATURES:
            continue
        number = whole_number(count.value)
        if number is not None:
            count.correct(number)
        if isinstance(count.value, int) and not isinstance(count.value, bool):
            counts.append((name, count.value))
        else:
            message = say("Enter how many there are, 0 or more. You entered {value}.", value=shown(count.value))
            count.fail("bad_number", message)
    return tuple(counts)


def read_icons(card: Reader) -> Counts:
    counts, icons = [], card.child("icons")
    for key, count in card.entries("icons"):
        name = icons and icons.field_named(key, ICON_NAMES)
        if name and count.value == UNKNOWN:
            continue
        if name:
            counts.append((name, count.as_number(0, CARD_POINTS)))
        else:
            known = in_a_row(list(ICON_NAMES))
            message = say("There is no icon {name}. Choose from {known}.", name=shown(key), known=known)
            count.fail("unknown_field", message)
    return tuple(counts)


def read_score(card: Reader) -> Flat | Per | None:
    if not card.has("score"):
        return None
    score = card.object("score")
    if read_type(score, SCORE_TYPES) == "flat":
        return Flat(score.number("points", 0, CARD_POINTS))
    return Per(
        targets=read_targets(score),
        points=score.number("points", 0, CARD_POINTS),
        range=read_word(score, "range", RANGE_NAMES),
        direction=read_word(score, "direction", DIRECTIONS, BOTH),
    )


def read_type(thing: Reader, types: Mapping[str, str]) -> str:
    """Return the field "type" as entered. If it is missing or unknown, return the first type whose own field is in the
    record. `types` gives the field that only this type has, such as "tiers" for "single"."""
    likely = sorted(types, key=lambda kind: not thing.has(types[kind]))
    return str(thing.choice("type", likely))


def read_word(thing: Reader, key: str, words: Options, default: str | None = None) -> str:
    """Return the word in the field `key`, even if it is not one of `words`, since `validate` checks it. If the field is
    missing or no text, return `default` or ""; without `default`, the field is required."""
    found = thing.child(key, required=default is None)
    if found is None:
        return default or ""
    if isinstance(found.value, str):
        return found.as_named(words)
    message = say("Enter a word here. You entered {value}.", value=shown(found.value))
    found.fail("bad_range", message)
    return default or ""


def read_targets(thing: Reader, required: bool = True) -> Targets:
    """Return a target, or several that are counted together; () if there is none or it cannot be read. Unless
    `required`, the field may be missing or null."""
    found = thing.child("target", required)
    if found is None or (found.value is None and not required):
        return ()
    written = found.as_list() if isinstance(found.value, list) else [found]
    if all([isinstance(target.value, str) for target in written]) and written:
        targets = [target.as_named(TARGET_LABELS) for target in written]
        return tuple(dict.fromkeys([ALSO_CALLED.get(target, target) for target in targets]))
    found.fail("unknown_target", say("Choose what to count. You entered {value}.", value=shown(found.value)))
    return ()


def read_tier(thing: Reader) -> Tier:
    at_least = thing.number("at_least", 1, POINTS)
    return Tier(at_least, thing.number("incomplete", 0, POINTS), thing.number("complete", 0, POINTS))


def read_resident(resident: Reader) -> Resident:
    resident.as_object()
    name = read_title(resident)
    asks_for_nothing = not resident.has("target") and not resident.has("type")
    kind = "typed" if asks_for_nothing else read_type(resident, RESIDENT_TYPES)
    if kind == "typed":
        points = None if is_open(resident, "points") else resident.number("points", 0, POINTS)
        return Resident(name, kind, (), (), points)
    targets = read_targets(resident)
    if kind == "each":
        return Resident(name, kind, targets, (read_tier(resident),))
    tiers = resident.elements("tiers")
    for tier in tiers:
        tier.as_object()
    return Resident(name, kind, targets, tuple(read_tier(tier) for tier in tiers))


# -- writing ---------------------------------------------------------------------------------------------------


def dump_town(town: Town) -> dict[str, Json]:
    return {
        "name": town.name,
        "streets": [[dump_card(card) for card in street] for street in town.streets],
        "residents": [dump_held(resident) for resident in town.residents],
    }


def dump_held(resident: Resident) -> dict[str, Json]:
    """Return the record of a resident that a player holds; points that nobody entered are written as UNKNOWN."""
    record = dump_resident(resident)
    return {**record, "points": UNKNOWN} if resident.type == "typed" and resident.points is None else record


def dump_card(card: Card) -> dict[str, Json]:
    record: dict[str, Json] = {"name": card.name} if card.name else {}
    record |= {"deck": card.deck, "base": card.base, "edges": list(card.edges)}
    if card.subtype:
        record["subtype"] = card.subtype
    if card.buildings is not None:
        record["buildings"] = list(card.buildings)
    record |= {fact: UNKNOWN for fact in ("subtype", "buildings") if fact in card.open}
    for group, known, names in (("features", card.features, FEATURES), ("icons", card.icons, ICONS)):
        if counts := dict(known) | {name: UNKNOWN for name in names if name in card.open}:
            record[group] = counts
    match card.score:
        case Flat(points):
            record["score"] = {"type": "flat", "points": points}
        case Per(targets, points, range_, direction):
            record["score"] = {"type": "per", "target": dump_targets(targets), "points": points, "range": range_}
            if direction != BOTH:
                record["score"]["direction"] = direction
    return record


def dump_targets(targets: Targets) -> Json:
    return targets[0] if len(targets) == 1 else list(targets)


def dump_tier(tier: Tier) -> dict[str, Json]:
    return {"at_least": tier.at_least, "incomplete": tier.incomplete, "complete": tier.complete}


def dump_resident(resident: Resident) -> dict[str, Json]:
    record: dict[str, Json] = {"name": resident.name, "type": resident.type}
    if resident.type == "typed":
        return record if resident.points is None else record | {"points": resident.points}
    record["target"] = dump_targets(resident.targets)
    if resident.type == "each":
        return record | dump_tier(resident.tiers[0])
    return record | {"tiers": [dump_tier(tier) for tier in resident.tiers]}
