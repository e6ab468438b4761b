"""Card boxes: cards that nobody has listed, described once by the people who hold them and picked again by name.

A game with such cards describes a `Shelf`, the kinds of things its box holds, and gives its `card_box()` to the
pages and the command line as `Game.cardbox`. Within a kind, names are unique; capitals and spaces make no difference.
A thing need not be described to the end: what it does not mention is unknown, so two descriptions agree if neither
contradicts the other, and each can complete the other. Boxes and the things in them are plain JSON; all functions are
pure and leave what they are given as it is.

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
    """Two descriptions of one name that contradict each other, and the fields in which they do."""

    kind: str
    name: str
    fields: tuple[str, ...]
    mine: Item
    theirs: Item


@dataclass(frozen=True, slots=True)
class Merge:
    """A box after an import. With an error nothing was taken; of a conflict mine was kept, unless theirs was chosen."""

    box: Box
    added: tuple[Key, ...] = ()
    completed: tuple[Key, ...] = ()
    replaced: tuple[Key, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class CardBox:
    """Hold what a game does with the cards its players describe."""

    kinds: Mapping[str, Sentence]  # the lists of a box, and the words for what is in them
    empty: Callable[[], Box]
    export: Callable[[Json], tuple[Box, list[Problem]]]
    merge: Callable[[Json, Json, Collection[Key]], Merge]
    described: Callable[[str, Json], tuple[Item | None, list[Problem]]]  # a thing of a record as the box keeps it
    put: Callable[[Json, str, Item], Merge]
    remove: Callable[[Box, str, str], Box]
    rename: Callable[[Box, str, str, str], Merge]
    summary: Callable[[str, Item], Sentence]  # what a thing of the box is, in a few words
    is_named: Callable[[Json], bool]  # whether people have chosen that name, so that it tells a thing from others


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe one sort of things in a box: its name, how a thing is read, judged and written, and a summary in a few
    words.

    A thing of a record may have more fields than are printed on it: `kept` takes out what belongs to one game alone.
    """

    label: Sentence
    read: Callable[[Reader], Any]
    judge: Callable[[Any, str], Iterator[Problem]]
    dump: Callable[[Any], Item]
    summary: Callable[[Any], Sentence]
    kept: Callable[[Item], Item] = dict
    by_name: bool = False  # a record holds nothing but its name


def only(*fields: str) -> Callable[[Item], Item]:
    """Return a thing with these fields only."""
    return lambda thing: {field: thing[field] for field in fields if field in thing}


def has_name(name: Json) -> bool:
    return isinstance(name, str) and bool(name.strip())


@dataclass(frozen=True, slots=True)
class Shelf:
    """The kinds of things that the box of a game holds, and what is done with them, whatever they are."""

    game: str
    kinds: Mapping[str, Kind]
    counts: tuple[str, ...] = ()  # fields that count several things, {"bench": 2}, and are compared one by one
    unordered: tuple[str, ...] = ()  # fields whose lists mean the same in any order
    named: Callable[[str], Sentence] = as_it_is  # a name to read
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
        """The box as it goes into a file, sorted by name. Faulty items stay out; all faults come along."""
        items, problems = self.read_items(box)
        return self.packed(items), problems

    def merge(self, mine: Json, theirs: Json, take_theirs: Collection[Key] = ()) -> Merge:
        """Take another group's box into ours. `take_theirs` names the conflicts, kind and name, that theirs decides."""
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
        """A thing of a record as the box keeps it, without what belongs to one game alone; None with what is wrong."""
        if self.kinds[kind].by_name:
            thing = {"name": thing}
        elif isinstance(thing, dict):
            thing = self.kinds[kind].kept(thing)
        items, problems = self.read_items({**self.empty(), kind: [thing]})
        return next(iter(items.values()), None), problems

    def put(self, box: Json, kind: str, item: Item) -> Merge:
        """Save one thing under its name. What it leaves open stays as it was known, unless it contradicts that."""
        return self.merge(box, {**self.empty(), kind: [item]}, [(kind, str(item.get("name")))])

    def remove(self, box: Box, kind: str, name: str) -> Box:
        return {**box, kind: [item for item in box[kind] if folded(item["name"]) != folded(name)]}

    def rename(self, box: Box, kind: str, name: str, to: str) -> Merge:
        """Give a thing another name, which nothing else of its kind may have. What is not there stays away."""
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
        """Return what a thing of the box is, in a few words."""
        sort = self.kinds[kind]
        return sort.summary(sort.read(Reader(item)))

    # -- two descriptions of one thing -------------------------------------------------------------------------

    def contradictions(self, mine: Item, theirs: Item) -> tuple[str, ...]:
        """The fields that both mention and that differ; counts are compared one by one."""
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
        """Return what the two know together; where they differ, mine."""
        both = {**theirs, **mine}
        return both | {name: {**theirs.get(name, {}), **mine.get(name, {})} for name in self.counts if name in both}

    # -- reading and writing -----------------------------------------------------------------------------------

    def read_items(self, box: Json) -> tuple[dict[Key, Item], list[Problem]]:
        """The sound items by kind and folded name, and all faults."""
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
        """A box with these items, each kind sorted by name."""
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
    """A name as it is compared: capitals and spaces make no difference."""
    return " ".join(name.split()).casefold()


def is_faulty(problems: Iterable[Problem]) -> bool:
    return any(problem.level == "error" for problem in problems)
