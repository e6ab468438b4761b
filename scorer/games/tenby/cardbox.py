"""The card box: town cards, residents and accolades that a group has described once, to be picked again by name.

    {"format": "tidemark-cards", "version": 1, "game": "tenby",
     "town_cards": [a card as in a record, with its name], "residents": [as in a record],
     "accolades": [{"name", "target"}]}

Within a kind, names are unique; capitals and spaces make no difference. A card need not be described to the end: what
it does not mention is unknown, so two descriptions agree if neither contradicts the other, and each can complete the
other. All functions are pure; they take and return plain JSON, and leave what they are given as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scorer.cardbox import Box, CardBox, Conflict, Item, Key, Merge
from scorer.contract import Json, Problem, StateError
from scorer.games.tenby.cards import THINGS, Targets, together
from scorer.games.tenby.conditions import arrow
from scorer.games.tenby.names import is_named, named
from scorer.games.tenby.state import GAME_ID, Accolade, dump_accolade
from scorer.games.tenby.town import (
    RESIDENT_TYPES,
    Card,
    Flat,
    Per,
    Resident,
    Tier,
    dump_card,
    dump_resident,
    printed,
    read_card,
    read_resident,
    read_targets,
    read_title,
    read_type,
)
from scorer.games.tenby.validate_town import card_faults, resident_faults, target_faults
from scorer.reading import Reader, shown
from scorer.sentences import NOTHING, Sentence, in_a_row, say

FORMAT, VERSION = "tidemark-cards", 1
COUNTS = ("features", "icons")


def read_box_card(item: Reader) -> Card:
    """A town card, which needs a name here."""
    item.child("name", required=True)
    return read_card(item)


def read_box_accolade(item: Reader) -> Accolade:
    """A goal alone: who held it and what came of it belongs to one game."""
    return Accolade(read_title(item), read_targets(item, required=False))


def read_box_resident(item: Reader) -> Resident:
    """A resident as it is printed: what one paid that nothing can count belongs to one game."""
    resident = item.value
    if isinstance(resident, dict) and resident.get("type") == "typed":
        return Resident(read_title(item), read_type(item, RESIDENT_TYPES), (), ())
    return printed(read_resident(item))


def accolade_faults(card: Accolade, where: str) -> Iterator[Problem]:
    return target_faults(card.targets, f"{where}/target")


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the three sorts of things in the box: its name, how it is read, judged and written."""

    label: Sentence
    read: Callable[[Reader], Any]
    judge: Callable[[Any, str], Iterator[Problem]]
    dump: Callable[[Any], Item]
    summary: Callable[[Any], Sentence]


def card_summary(card: Card) -> Sentence:
    """ "bench: 2 each, next to it"."""
    match card.score:
        case Flat(points):
            return say("{points} points", points=points)
        case Per(targets, points, range_, direction):
            where = arrow(range_, direction)
            return say("{things}: {points} each, {where}", things=in_short(targets), points=points, where=where)
    return NOTHING


def resident_summary(resident: Resident) -> Sentence:
    """ "bin: 3+ pays 2 or 5, 5+ pays 4 or 8"."""
    if resident.type == "typed":
        return NOTHING
    things = in_short(resident.targets)
    if resident.type == "each":
        return say("{things}: {tier} a street", things=things, tier=tier_summary(resident.tiers[0]))
    return say("{things}: {tiers}", things=things, tiers=in_a_row([tier_summary(tier) for tier in resident.tiers]))


def tier_summary(tier: Tier) -> Sentence:
    return say(
        "{number}+ pays {incomplete} or {complete}",
        number=tier.at_least,
        incomplete=tier.incomplete,
        complete=tier.complete,
    )


def accolade_summary(card: Accolade) -> Sentence:
    return in_short(card.targets)


def in_short(targets: Targets) -> Sentence:
    """ "bench and bin"."""
    names = [THINGS[target].name for target in targets if target in THINGS]
    return together(names) if names else NOTHING


KINDS = {
    "town_cards": Kind(say("Town cards"), read_box_card, card_faults, dump_card, card_summary),
    "residents": Kind(say("Residents"), read_box_resident, resident_faults, dump_resident, resident_summary),
    "accolades": Kind(say("Accolades"), read_box_accolade, accolade_faults, dump_accolade, accolade_summary),
}


def empty() -> Box:
    return {"format": FORMAT, "version": VERSION, "game": GAME_ID, **{kind: [] for kind in KINDS}}


def export(box: Json) -> tuple[Box, list[Problem]]:
    """The box as it goes into a file, sorted by name. Faulty items stay out; all faults come along."""
    items, problems = read_items(box)
    return packed(items), problems


def merge(mine: Json, theirs: Json, take_theirs: Collection[Key] = ()) -> Merge:
    """Take another group's box into ours. `take_theirs` names the conflicts, kind and name, that theirs decides."""
    items, problems = read_items(mine)
    offered, faults = read_items(theirs)
    if is_faulty([*problems, *faults]):
        return Merge(mine, problems=(*problems, *faults))
    chosen = {(kind, folded(name)) for kind, name in take_theirs}
    news: dict[str, list[Key]] = {"added": [], "completed": [], "replaced": []}
    conflicts = []
    for key, item in offered.items():
        known = items.get(key)
        differing = contradictions(known, item) if known else ()
        named = (key[0], str(known["name"] if known else item["name"]))
        if known is None:
            items[key] = item
            news["added"].append(named)
        elif not differing:
            items[key] = united(known, item)
            if items[key] != known:
                news["completed"].append(named)
        elif key in chosen:
            items[key] = item
            news["replaced"].append(named)
        else:
            conflicts.append(Conflict(*named, differing, known, item))
    return Merge(
        packed(items),
        **{what: tuple(keys) for what, keys in news.items()},
        conflicts=tuple(conflicts),
        problems=(*problems, *faults),
    )


def described(kind: str, thing: Json) -> tuple[Item | None, list[Problem]]:
    """A thing of a record as the box keeps it, without what belongs to one game alone; None with what is wrong."""
    if kind == "accolades" and isinstance(thing, dict):
        thing = {field: thing[field] for field in ("name", "target") if field in thing}
    if kind == "residents" and isinstance(thing, dict) and thing.get("type") == "typed":
        thing = {field: thing[field] for field in ("name", "type") if field in thing}
    items, problems = read_items({**empty(), kind: [thing]})
    return next(iter(items.values()), None), problems


def put(box: Json, kind: str, item: Item) -> Merge:
    """Save one thing under its name. What it leaves open stays as it was known, unless it contradicts that."""
    return merge(box, {**empty(), kind: [item]}, [(kind, str(item.get("name")))])


def remove(box: Box, kind: str, name: str) -> Box:
    return {**box, kind: [item for item in box[kind] if folded(item["name"]) != folded(name)]}


def summary(kind: str, item: Item) -> Sentence:
    """What a thing of the box is, in a few words."""
    sort = KINDS[kind]
    return sort.summary(sort.read(Reader(item)))


# -- two descriptions of one thing -----------------------------------------------------------------------------


def contradictions(mine: Item, theirs: Item) -> tuple[str, ...]:
    """The fields that both mention and that differ; counts are compared one by one."""
    found = []
    for name in mine:
        if name in theirs and name != "name":
            ours, others = mine[name], theirs[name]
            if name in COUNTS:
                found += [f"{name}/{each}" for each in ours if each in others and ours[each] != others[each]]
            elif sorted(ours) != sorted(others) if name == "buildings" else ours != others:
                found.append(name)
    return tuple(found)


def united(mine: Item, theirs: Item) -> Item:
    """What the two know together; where they differ, mine."""
    both = {**theirs, **mine}
    return both | {name: {**theirs.get(name, {}), **mine.get(name, {})} for name in COUNTS if name in both}


# -- reading and writing ---------------------------------------------------------------------------------------


def read_items(box: Json) -> tuple[dict[Key, Item], list[Problem]]:
    """The sound items by kind and folded name, and all faults."""
    reader = Reader(box)
    reader.as_object()
    reader.choice("format", (FORMAT,), code="unreadable")
    reader.choice("game", (GAME_ID,), code="unknown_game")
    read_version(reader)
    items: dict[Key, Item] = {}
    faults: list[Problem] = []
    for name, kind in KINDS.items():
        for element in reader.elements(name, required=False):
            before = len(reader.problems)
            element.as_object()
            thing = kind.read(element)
            if len(reader.problems) > before:
                continue
            judged = list(kind.judge(thing, element.where))
            key = (name, folded(thing.name))
            if key in items:
                message = say("{name} is in the box twice: rename one, or take it away.", name=named(thing.name))
                judged.append(Problem("duplicate_name", message, f"{element.where}/name"))
            elif not is_faulty(judged):
                items[key] = kind.dump(thing)
            faults += judged
    try:
        reader.finish(None)
    except StateError as unreadable:
        faults = [*dict.fromkeys(unreadable.problems), *faults]
    return items, faults


def read_version(box: Reader) -> None:
    version = box.child("version", required=True)
    if version is not None and (version.value != VERSION or isinstance(version.value, bool)):
        message = say(
            "This box is of version {version}; we can read version {ours}.",
            version=shown(version.value),
            ours=VERSION,
        )
        version.fail("unreadable", message)


def packed(items: dict[Key, Item]) -> Box:
    """A box with these items, each kind sorted by name."""
    box = empty()
    for key in sorted(items):
        box[key[0]].append(items[key])
    return box


def folded(name: str) -> str:
    """A name as it is compared: capitals and spaces make no difference."""
    return " ".join(name.split()).casefold()


def is_faulty(problems: Iterable[Problem]) -> bool:
    return any(problem.level == "error" for problem in problems)


CARDBOX = CardBox(
    kinds={name: kind.label for name, kind in KINDS.items()},
    empty=empty,
    export=export,
    merge=merge,
    described=described,
    put=put,
    remove=remove,
    summary=summary,
    is_named=is_named,
)
