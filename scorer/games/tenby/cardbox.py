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
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from scorer.cardbox import Box, CardBox, Conflict, Item, Key, Merge
from scorer.contract import Json, Problem, StateError
from scorer.games.tenby.anatomy import ACCOLADE_TARGETS
from scorer.games.tenby.read import load, read_card, read_resident, read_targets, read_title
from scorer.games.tenby.state import (
    GAME_ID,
    Accolade,
    Card,
    Table,
    Town,
    dump_accolade,
    dump_card,
    dump_resident,
)
from scorer.games.tenby.validate import card_faults, resident_faults, target_faults
from scorer.reading import Reader, shown

FORMAT, VERSION = "tidemark-cards", 1
COUNTS = ("features", "icons")


def read_box_card(item: Reader) -> Card:
    """A town card, which needs a name here."""
    item.child("name", required=True)
    return read_card(item)


def read_box_accolade(item: Reader) -> Accolade:
    """A goal alone: who held it and what came of it belongs to one game."""
    return Accolade(read_title(item), read_targets(item, required=False))


def accolade_faults(card: Accolade, where: str) -> Iterator[Problem]:
    return target_faults(card.targets, ACCOLADE_TARGETS, f"{where}/target")


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the three sorts of things in the box: its name, how it is read, judged and written."""

    words: str
    read: Callable[[Reader], Any]
    judge: Callable[[Any, str], Iterator[Problem]]
    dump: Callable[[Any], Item]


KINDS = {
    "town_cards": Kind("Town cards", read_box_card, card_faults, dump_card),
    "residents": Kind("Residents", read_resident, resident_faults, dump_resident),
    "accolades": Kind("Accolades", read_box_accolade, accolade_faults, dump_accolade),
}


def empty() -> Box:
    return {"format": FORMAT, "version": VERSION, "game": GAME_ID, **{kind: [] for kind in KINDS}}


def check(box: Json) -> list[Problem]:
    """Every fault of a box, each with the JSON Pointer of its place in it."""
    return read_items(box)[1]


def export(box: Json) -> tuple[Box, list[Problem]]:
    """The box as it goes into a file, sorted by name. Faulty items stay out and are told."""
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
    told = {change: tuple(keys) for change, keys in news.items()}
    return Merge(packed(items), **told, conflicts=tuple(conflicts), problems=(*problems, *faults))


def described(kind: str, thing: Json) -> tuple[Item | None, list[Problem]]:
    """A thing of a record as the box keeps it, without what belongs to one game alone; None with what is wrong."""
    if kind == "accolades" and isinstance(thing, dict):
        thing = {field: thing[field] for field in ("name", "target") if field in thing}
    items, problems = read_items({**empty(), kind: [thing]})
    return next(iter(items.values()), None), problems


def put(box: Json, kind: str, item: Item) -> Merge:
    """Save one thing under its name. What it leaves open stays as it was known, unless it contradicts that."""
    return merge(box, {**empty(), kind: [item]}, [(kind, str(item.get("name")))])


def pick(box: Box, kind: str, name: str) -> Item | None:
    """The thing of that name, ready to be put into a record."""
    return next((deepcopy(item) for item in box[kind] if folded(item["name"]) == folded(name)), None)


def remove(box: Box, kind: str, name: str) -> Box:
    return {**box, kind: [item for item in box[kind] if folded(item["name"]) != folded(name)]}


def harvest(record: Json) -> Box:
    """Everything with a name that a record describes soundly, to be merged into a box. A first description wins."""
    try:
        table: Table = load(record)
    except StateError as unfinished:
        table = unfinished.state
    towns = [player for player in table.players if isinstance(player, Town)]
    found: dict[str, list[Any]] = {
        "town_cards": [card for town in towns for street in town.streets for card in street if card.name],
        "residents": [resident for town in towns for resident in town.residents],
        "accolades": [Accolade(card.name, card.targets) for card in table.accolades],
    }
    items: dict[Key, Item] = {}
    for kind, things in found.items():
        for thing in things:
            key = (kind, folded(thing.name))
            if thing.name and not is_faulty(KINDS[kind].judge(thing, "")):
                item = KINDS[kind].dump(thing)
                items[key] = item if key not in items else agreed(items[key], item)
    return packed(items)


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


def agreed(mine: Item, theirs: Item) -> Item:
    return mine if contradictions(mine, theirs) else united(mine, theirs)


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
                said = f"{thing.name} is in the box twice: rename one, or take it away."
                judged.append(Problem("duplicate_name", said, f"{element.where}/name"))
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
        version.fail("unreadable", f"This box is of version {shown(version.value)}; we can read version {VERSION}.")


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
    kinds={name: kind.words for name, kind in KINDS.items()},
    empty=empty,
    export=export,
    merge=merge,
    described=described,
    put=put,
    remove=remove,
)
