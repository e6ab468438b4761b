"""Prepare what the set-up page shows of the accolades: each card with its goal, and what could be added."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.contract import Choice, DataInput, InputWithChoices, Json, Loaded
from scorer.games.tenby.choices import CATALOGUE
from scorer.games.tenby.inputs import ANOTHER_WAY, CARDS, asks
from scorer.record import mapping, sequence

ENTRIES = {entry.id: entry for entry in CATALOGUE}
ANOTHER = f"{CARDS.name}/-"


def options(loaded: Loaded) -> Json:
    """Return the accolades, the goals of another one, and the ways to add one from another set, as JSON.

        {"accolades": [{"path": "accolades/cards/0", "number": 1, "target": "accolades/cards/0/target",
                        "label": "The player with the most", "things": [{"id": "bench", "label": ...}, ...],
                        "chosen": ["bench"], "is_list": True, "record": {"name": ..., "target": ["bench"]}}],
         "names": [...],
         "another": {"label": ..., "groups": [{"label": "Features", "things": [{"id", "label", "put"}]}]},
         "others": {"label": ..., "ways": [{"label": ..., "put": [path, record]}]}}

    "another" and "others" are None if nothing can be added. "chosen" is empty if nobody can count the goal.
    """
    asked = {one.name: one for one in asks(loaded, None) if isinstance(one, InputWithChoices)}
    setup = mapping(mapping(loaded.record).get("table"))
    entered = [mapping(card) for card in sequence(mapping(setup.get("accolades")).get("cards"))]
    cards = [(index, card) for index, card in enumerate(entered) if f"{CARDS.name}/{index}/target" in asked]
    another, others = asked.get(f"{CARDS.name}/{len(cards)}"), asked.get(ANOTHER_WAY)
    return {
        "accolades": [accolade(index, card, asked[f"{CARDS.name}/{index}/target"]) for index, card in cards],
        "names": [card.get("name") or "" for _, card in cards],
        "another": another and {"label": another.label, "groups": goals(another.choices)},
        "others": {"label": others.label, "ways": [button(way) for way in others.choices]}
        if others and others.choices
        else None,
    }


def accolade(index: int, card: dict[str, Json], goal: InputWithChoices) -> dict[str, Json]:
    """Return an accolade as far as it is entered. A goal of several things is a list."""
    path, target = f"{CARDS.name}/{index}", card.get("target")
    targets = target if isinstance(goal, DataInput) else [target]
    chosen = [thing for thing in sequence(targets) if isinstance(thing, str)]
    return {
        "path": path,
        "number": index + 1,
        "target": goal.name,
        "label": goal.label,
        "things": [{"id": one.value, "label": one.label} for one in goal.choices if one.value in ENTRIES],
        "chosen": chosen,
        "is_list": isinstance(goal, DataInput),
        "record": {"name": card.get("name"), "target": target} if chosen else {"name": card.get("name")},
    }


def goals(choices: Iterable[Choice]) -> list[Json]:
    """Return the goals of a new accolade in the groups of the catalogue; one without an entry joins the last group."""
    found: list[dict[str, Json]] = []
    for choice in choices:
        entry = ENTRIES.get(mapping(choice.value).get("target", ""))
        if entry and (not found or found[-1]["label"] != entry.group):
            found.append({"label": entry.group, "things": []})
        found[-1]["things"].append({"id": entry.id if entry else None, **button(choice)})
    return list(found)


def button(choice: Choice) -> dict[str, Json]:
    return {"label": choice.label, "put": [ANOTHER, choice.value]}
