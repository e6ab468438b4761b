"""Check the numbers that monuments score by, and find facts that do not count in a town."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import EMPTY, MONUMENT, MONUMENTS
from scorer.games.tiny_towns.squares import COUNT
from scorer.games.tiny_towns.state import PLAYERS, State, Town
from scorer.sentences import Sentence, say, say_count

MONUMENT_FACTS = {
    "shrine_count": "shrine_of_the_elder_tree",
    "starloom_place": "the_starloom",
    "hollow_hill_swaps": "hollow_hill",
    "players_ahead": "larkstone",
}


def warning(code: str, message: Sentence, where: str) -> Problem:
    return Problem(code, message, where, "warning")


def of_monument(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Yield the faults of the number by which the monument scores, such as the place of the Starloom. `where` is the
    JSON Pointer of the player."""
    if MONUMENT in town.grid and town.monument in OF_MONUMENT:
        yield from OF_MONUMENT[town.monument](state, town, where)


def of_shrine(_: State, town: Town, where: str) -> Iterator[Problem]:
    most = COUNT - town.grid.count(EMPTY)
    if town.shrine_count is None:
        message = say("Enter how many buildings the town had when the Shrine was built, including the Shrine.")
        yield Problem("missing_field", message, f"{where}/shrine_count")
    elif not 1 <= town.shrine_count <= most:
        message = say_count(
            "The Shrine counts itself, and the town has {n} building. Enter 1.",
            "The Shrine counts itself, and the town has {n} buildings. Enter 1 to {n}.",
            most,
        )
        yield Problem("shrine_count", message, f"{where}/shrine_count")


def of_starloom(state: State, town: Town, where: str) -> Iterator[Problem]:
    if state.mode == "solo":
        if town.starloom_place not in (None, 1):
            yield warning(
                "not_needed",
                say("When you play solo, your town always counts as completed first."),
                f"{where}/starloom_place",
            )
        return
    last = len(state.players) if len(state.players) > 1 else PLAYERS[-1]
    if town.starloom_place is None:
        message = say(
            "Enter when this town was completed: 1 for first. Towns completed in the same round get the better number."
        )
        yield Problem("missing_field", message, f"{where}/starloom_place")
    elif not 1 <= town.starloom_place <= last:
        message = say("Enter a number from 1 to {last}.", last=last)
        yield Problem("starloom_place", message, f"{where}/starloom_place")


def of_larkstone(state: State, town: Town, where: str) -> Iterator[Problem]:
    if town.players_ahead is None:
        return
    if len(state.players) > 1 or state.mode == "solo":
        message = say("We know all players’ points, so you can leave this empty.")
        yield warning("not_needed", message, f"{where}/players_ahead")
    elif town.players_ahead > PLAYERS[-2]:
        message = say("Enter a number from 0 to {most}.", most=PLAYERS[-2])
        yield Problem("players_ahead", message, f"{where}/players_ahead")


def of_hollow_hill(_: State, town: Town, where: str) -> Iterator[Problem]:
    if town.hollow_hill_swaps is None:
        message = say("Enter how many coins you paid to swap resources after building Hollow Hill.")
        yield Problem("missing_field", message, f"{where}/hollow_hill_swaps")


OF_MONUMENT: dict[str, Callable[[State, Town, str], Iterator[Problem]]] = {
    "shrine_of_the_elder_tree": of_shrine,
    "the_starloom": of_starloom,
    "larkstone": of_larkstone,
    "hollow_hill": of_hollow_hill,
}


def of_spare_facts(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Yield a warning for each entered fact that changes nothing in this town. `where` is the JSON Pointer of the
    player."""
    standing = town.monument if MONUMENT in town.grid else ""
    for key, card_id in MONUMENT_FACTS.items():
        if getattr(town, key) is not None and standing != card_id:
            name = MONUMENTS[card_id].name
            message = say("This number only counts with {monument}, which is not in this town.", monument=name)
            yield warning("not_needed", message, f"{where}/{key}")
    if town.master_builder_turns is not None and state.mode != "standard":
        if state.mode == "solo":
            message = say("There is no Master Builder in the solo game, so these turns don’t count.")
        else:
            message = say("There is no Master Builder with the Town Hall rules, so these turns don’t count.")
        yield warning("not_needed", message, f"{where}/master_builder_turns")
