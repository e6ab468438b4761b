"""Manage card boxes: cards that players describe once, because no catalogue lists them, and then pick by name.

A game describes its kinds of cards as a `Shelf` and passes its `card_box()` on as `Game.cardbox`. Names are unique
within a kind; capitals and spaces make no difference. A description may be incomplete: two descriptions agree if no
field contradicts, and each can complete the other. Boxes are plain JSON. All functions are pure and never change their
arguments.

    {"format": "tidemark-cards", "version": 1, "game": "cascadia", "animals": [...], "plants": [...]}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.contract import Json, Problem, StateError
from scorer.record import Reader, shown
from scorer.sentences import Sentence, as_it_is, say

Box = dict[str, Json]
Item = dict[str, Json]
Key = tuple[str, str]  # kind and name

FORMAT, VERSION = "tidemark-cards", 1


@dataclass(frozen=True, slots=True)
class Conflict:
    """Hold two descriptions of one card, `mine` and `theirs`, and the `fields` in which they contradict each other."""

    kind: str
    name: str
    fields: tuple[str, ...]
    mine: Item
    theirs: Item


@dataclass(frozen=True, slots=True)
class Merge:
    """Hold the box after a change, and which cards were added, completed or replaced.

    In each of the `conflicts`, the box keeps its own description. If a problem is an error, nothing changed.
    """

    box: Box
    added: tuple[Key, ...] = ()
    completed: tuple[Key, ...] = ()
    replaced: tuple[Key, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class CardBox:
    """Hold what a game offers for the cards that its players describe: functions to merge, change and write a box."""

    kinds: Mapping[str, Sentence]  # the lists of a box with their labels
    empty: Callable[[], Box]
    export: Callable[[Json], tuple[Box, list[Problem]]]
    merge: Callable[[Json, Json, Collection[Key]], Merge]
    described: Callable[[str, Json], tuple[Item | None, list[Problem]]]  # a card of a record as the box keeps it
    put: Callable[[Json, str, Item], Merge]
    remove: Callable[[Box, str, str], Box]
    rename: Callable[[Box, str, str, str], Merge]
    summary: Callable[[str, Item], Sentence]  # a short description of a card
    is_named: Callable[[Json], bool]  # whether players chose that name, so that it identifies a card


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe one kind of card in a box: its label, how to read, check and write it, and a short summary.

    A card in a record may have more fields than are printed on it: `printed_fields` removes the others.
    """

    label: Sentence
    read: Callable[[Reader], Any]
    judge: Callable[[Any, str], Iterator[Problem]]
    dump: Callable[[Any], Item]
    summary: Callable[[Any], Sentence]
    printed_fields: Callable[[Item], Item] = dict
    by_name: bool = False  # records hold only the name


def only(*fields: str) -> Callable[[Item], Item]:
    """Return a function that copies a card with only these fields."""
    return lambda thing: {field: thing[field] for field in fields if field in thing}


def has_name(name: Json) -> bool:
    return isinstance(name, str) and bool(name.strip())


@dataclass(frozen=True, slots=True)
class Shelf:
    """Describe the kinds of cards in a game's card box, and read, merge, change and write such boxes."""

    game: str
    kinds: Mapping[str, Kind]
    counts: tuple[str, ...] = ()  # fields that count several things, {"bench": 2}, and are compared one by one
    unordered: tuple[str, ...] = ()  # fields whose lists mean the same in any order
    named: Callable[[str], Sentence] = as_it_is  # how to show a name
    is_named: Callable[[Json], bool] = has_name

    def card_box(self) -> CardBox:
        return CardBox(
            kinds={name: kind.label for name, kind in self.kinds.items()},
            empty=self.empty,
            export=self.export,
            merge=self.merge,
            described=self.described,
            put=self.put,
            remove=self.remove,
            rename=self.rename,
            summary=self.summary,
            is_named=self.is_named,
        )

    def empty(self) -> Box:
        return {"format": FORMAT, "version": VERSION, "game": self.game, **{kind: [] for kind in self.kinds}}

    def export(self, box: Json) -> tuple[Box, list[Problem]]:
        """Return the box as it is written to a file, and the problems of the cards that were left out. Cards in the
        file are sorted by name, and faulty cards are left out."""
        items, problems = self.read_items(box)
        return self.packed(items), problems

    def merge(self, mine: Json, theirs: Json, take_theirs: Collection[Key] = ()) -> Merge:
        """Return the box `mine` after adding the cards of the box `theirs`. If two descriptions of a card contradict
        each other, mine stays, and `Merge.conflicts` lists both. To take theirs instead, put the kind and name of
        the card, such as ("animals", "Gull"), into `take_theirs`."""
        items, problems = self.read_items(mine)
        offered, faults = self.read_items(theirs)
        if is_faulty([*problems, *faults]):
            return Merge(mine, problems=(*problems, *faults))
        chosen = {(kind, folded(name)) for kind, name in take_theirs}
        news: dict[str, list[Key]] = {"added": [], "completed": [], "replaced": []}
        conflicts = []
        for key, item in offered.items():
            known = items.get(key)
            differing = self.contradictions(known, item) if known else ()
            named = (key[0], str(known["name"] if known else item["name"]))
            if known is None:
                items[key] = item
                news["added"].append(named)
            elif not differing:
                items[key] = self.united(known, item)
                if items[key] != known:
                    news["completed"].append(named)
            elif key in chosen:
                items[key] = item
                news["replaced"].append(named)
            else:
                conflicts.append(Conflict(*named, differing, known, item))
        return Merge(
            self.packed(items),
            **{what: tuple(keys) for what, keys in news.items()},
            conflicts=tuple(conflicts),
            problems=(*problems, *faults),
        )

    def described(self, kind: str, thing: Json) -> tuple[Item | None, list[Problem]]:
        """Return the card `thing` of a record as a box stores it, and its faults; a faulty card gives None. `kind` is
        the list of the box to which it belongs, such as "animals"."""
        if self.kinds[kind].by_name:
            thing = {"name": thing}
        elif isinstance(thing, dict):
            thing = self.kinds[kind].printed_fields(thing)
        items, problems = self.read_items({**self.empty(), kind: [thing]})
        return next(iter(items.values()), None), problems

    def put(self, box: Json, kind: str, item: Item) -> Merge:
        """Merge a card of the list `kind`, such as "animals", into the box. A card of the same name is completed, or
        replaced if the two descriptions contradict each other."""
        return self.merge(box, {**self.empty(), kind: [item]}, [(kind, str(item.get("name")))])

    def remove(self, box: Box, kind: str, name: str) -> Box:
        return {**box, kind: [item for item in box[kind] if folded(item["name"]) != folded(name)]}

    def rename(self, box: Box, kind: str, name: str, to: str) -> Merge:
        """Return the box after renaming the card `name` of the list `kind` to `to`. If `to` is in use, the Merge has a
        problem; an unknown card changes nothing."""
        found = next((item for item in box[kind] if folded(item["name"]) == folded(name)), None)
        if found is None:
            return Merge(box)
        others = self.remove(box, kind, name)
        if any(folded(item["name"]) == folded(to) for item in others[kind]):
            message = say("The card box already has {name}. Choose another name.", name=self.named(to))
            return Merge(box, problems=(Problem("duplicate_name", message),))
        merged = self.merge(others, {**self.empty(), kind: [{**found, "name": to}]})
        return Merge(box, problems=merged.problems) if is_faulty(merged.problems) else merged

    def summary(self, kind: str, item: Item) -> Sentence:
        sort = self.kinds[kind]
        return sort.summary(sort.read(Reader(item)))

    # -- two descriptions of one thing -------------------------------------------------------------------------

    def contradictions(self, mine: Item, theirs: Item) -> tuple[str, ...]:
        """Return the names of the fields in which two descriptions contradict each other, such as "points" or
        "features/bench". A field that only one description has is no contradiction."""
        found = []
        for name in mine:
            if name in theirs and name != "name":
                ours, others = mine[name], theirs[name]
                if name in self.counts:
                    found += [f"{name}/{each}" for each in ours if each in others and ours[each] != others[each]]
                elif sorted(ours) != sorted(others) if name in self.unordered else ours != others:
                    found.append(name)
        return tuple(found)

    def united(self, mine: Item, theirs: Item) -> Item:
        """Return one card with the fields of both descriptions; where they differ, with the value in `mine`."""
        both = {**theirs, **mine}
        return both | {name: {**theirs.get(name, {}), **mine.get(name, {})} for name in self.counts if name in both}

    # -- reading and writing -----------------------------------------------------------------------------------

    def read_items(self, box: Json) -> tuple[dict[Key, Item], list[Problem]]:
        """Return the cards without faults, and all problems of the box. The key of a card is its kind and its `folded`
        name."""
        reader = Reader(box)
        reader.as_object()
        reader.choice("format", (FORMAT,), code="unreadable")
        reader.choice("game", (self.game,), code="unknown_game")
        read_version(reader)
        items: dict[Key, Item] = {}
        faults: list[Problem] = []
        for name, kind in self.kinds.items():
            for element in reader.elements(name, required=False):
                before = len(reader.problems)
                element.as_object()
                thing = kind.read(element)
                if len(reader.problems) > before:
                    continue
                judged = list(kind.judge(thing, element.where))
                key = (name, folded(thing.name))
                if key in items:
                    said = self.named(thing.name)
                    message = say("The card box has {name} twice. Remove one.", name=said)
                    judged.append(Problem("duplicate_name", message, f"{element.where}/name"))
                elif not is_faulty(judged):
                    items[key] = kind.dump(thing)
                faults += judged
        try:
            reader.finish(None)
        except StateError as unreadable:
            faults = [*dict.fromkeys(unreadable.problems), *faults]
        return items, faults

    def packed(self, items: dict[Key, Item]) -> Box:
        """Return a box with these cards, whose keys are kind and name; each kind is sorted by name."""
        box = self.empty()
        for key in sorted(items):
            box[key[0]].append(items[key])
        return box


def read_version(box: Reader) -> None:
    version = box.child("version", required=True)
    if version is not None and (version.value != VERSION or isinstance(version.value, bool)):
        message = say(
            "We can read card boxes of version {ours}, not {version}.",
            version=shown(version.value),
            ours=VERSION,
        )
        version.fail("unreadable", message)


def folded(name: str) -> str:
    """Return a name in the form in which names are compared: without capitals and extra spaces."""
    return " ".join(name.split()).casefold()


def is_faulty(problems: Iterable[Problem]) -> bool:
    return any(problem.level == "error" for problem in problems)
