"""Check a finished game against the rules of Tiny Towns (errors), and for questions to ask (warnings)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    CARDS,
    COLOURS,
    COTTAGE,
    EMPTY,
    EXPANSION_NAMES,
    LIMITED,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    UNREAD,
    Card,
    piece_name,
)
from scorer.games.tiny_towns.squares import SIDE
from scorer.games.tiny_towns.state import VILLAGER_CARDS, State, Town
from scorer.games.tiny_towns.validate_facts import of_facts
from scorer.games.tiny_towns.validate_monuments import of_monument, of_spare_facts, warning
from scorer.sentences import say, say_count

FULL = 12  # buildings from which a town may be too full
# Pieces with a limit in each town: piece, limit, code and message of the fault.
RARE = (
    (
        MONUMENT,
        1,
        "two_monuments",
        say("Each player builds at most one monument. Change one of the monument squares."),
    ),
    (
        "folly_tower",
        1,
        "two_folly_towers",
        say("A town has only one Folly Tower. Enter the other pieces as its levels."),
    ),
    (
        "bank",
        BUILDINGS["bank"].most,
        "too_many_banks",
        say("A town has at most 5 Banks, one for each resource. Change one of the Banks."),
    ),
)


def validate(state: State) -> list[Problem]:
    problems = list(of_table(state))
    in_play = may_stand(state)
    for index, player in enumerate(state.players):
        if isinstance(player, Town):
            where = f"/players/{index}"
            problems += of_pieces(player, in_play, where)
            problems += of_full_town(state, player, where)
            problems += of_monument(state, player, where)
            problems += of_facts(state, index, player, in_play)
            problems += of_spare_facts(state, player, where)
    return problems


def may_stand(state: State) -> frozenset[str]:
    """Return the pieces that squares may have at this table. A colour whose card could not be read allows all its
    buildings."""
    unread = [card for colour in COLOURS if colour not in state.cards for card in OPTIONS[colour]]
    return frozenset({EMPTY, UNREAD, MONUMENT, COTTAGE, *state.cards.values(), *unread})


# -- the table -------------------------------------------------------------------------------------------------------


def of_table(state: State) -> Iterator[Problem]:
    """Yield the faults of the mode, the cards and the villager cards, and monuments that two players share."""
    if state.mode == "solo" and len(state.players) > 1:
        message = say("Solo is for one player, not {players}. Choose other rules.", players=len(state.players))
        yield Problem("player_count", message, "/players")
    for colour, card_id in state.cards.items():
        if card_id in LIMITED:
            yield from of_card(state, BUILDINGS[card_id], f"/table/cards/{colour}")
    yield from of_villager_cards(state)
    holders: dict[str, str] = {}
    for index, player in enumerate(state.players):
        if not isinstance(player, Town) or not player.monument:
            continue
        card = MONUMENTS[player.monument]
        where = f"/players/{index}/monument"
        yield from of_card(state, card, where)
        if card.id in holders and not card.typed:  # two players may have different unlisted monuments
            message = say(
                "{player} already has {card}. The game has only one. Check both players’ cards.",
                player=holders[card.id],
                card=card.name,
            )
            yield Problem("same_monument", message, where)
        holders.setdefault(card.id, player.name)


def of_card(state: State, card: Card, where: str) -> Iterator[Problem]:
    """Yield a problem for each reason why this table cannot play with the card, whose JSON Pointer is `where`."""
    if card.expansion and card.expansion not in state.expansions:
        message = say(
            "{card} belongs to {expansion}. Add that expansion or choose another card.",
            card=card.name,
            expansion=EXPANSION_NAMES[card.expansion],
        )
        yield Problem("expansion_not_in_play", message, where)
    if state.mode in card.removed_in:
        # Only one source says what Fortune removes.
        level: Literal["error", "warning"] = "warning" if card.expansion == "fortune" else "error"
        if state.mode == "solo":
            message = say("{card} is not used in the solo game. Choose another card.", card=card.name)
        else:
            message = say("{card} is not used with the Town Hall rules. Choose another card.", card=card.name)
        yield Problem(f"not_in_{state.mode}", message, where, level)


def of_villager_cards(state: State) -> Iterator[Problem]:
    """Yield a problem unless one villager card costs 1 and one costs more. They never change points."""
    cards, where = state.villager_cards, "/table/villager_cards"
    if not state.villagers:
        if cards or state.tiny_tears:
            message = say("Villager cards and Tiny Tears need the Villagers expansion. Add it or remove them.")
            yield warning("not_needed", message, where if cards else "/table/tiny_tears")
        return
    costs = sorted([VILLAGER_CARDS[card] for card in cards])
    if cards and not (len(costs) == 2 and costs[0] == 1 < costs[1]):
        message = say("A game uses two villager cards: one costs 1, the other 2 or 3. Is your choice right?")
        yield warning("villager_cards", message, where)
    elif "solicit" in cards and not state.fortune:
        yield warning(
            "villager_cards", say("Solicit gives coins, so it needs the Fortune expansion. Did you use Solicit?"), where
        )


# -- one town --------------------------------------------------------------------------------------------------------


def of_pieces(town: Town, in_play: frozenset[str], where: str) -> Iterator[Problem]:
    """Yield a problem for each piece that is not among `in_play`, or that stands in the town too often. `where` is the
    JSON Pointer of the player."""
    for index, piece in enumerate(town.grid):
        if piece not in in_play:
            message = say(
                "{building} is not one of this game’s cards. Check the square or the cards.",
                building=piece_name(piece),
            )
            yield Problem("building_not_in_play", message, square(where, index))
    for piece, most, code, message in RARE:
        standing = [index for index, one in enumerate(town.grid) if one == piece]
        for index in standing[most:]:
            yield Problem(code, message, square(where, index))
    if MONUMENT in town.grid and not town.monument:
        yield Problem("monument_without_card", say("Choose the monument card."), f"{where}/monument")


def square(where: str, index: int) -> str:
    return f"{where}/grid/{index // SIDE}/{index % SIDE}"


def of_full_town(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Yield a question about a town with fewer empty squares than its last building must have left. Building empties
    all squares of a pattern except the one that the building takes. Three cards are exceptions, and the cards of
    Fortune and Villagers also build in other ways. `where` is the JSON Pointer of the player."""
    if state.expansions or UNREAD in town.grid or len(town.grid) - town.grid.count(EMPTY) < FULL:
        return
    standing = {*town.grid} - {EMPTY, MONUMENT}
    cards = [CARDS[card] for card in (standing | {town.monument} if MONUMENT in town.grid else standing) if card]
    if not cards or any([card.fills_town or card.typed for card in cards]):
        return
    empty = town.grid.count(EMPTY)
    least = min([card.cubes for card in cards]) - 1
    if not empty:
        message = say(
            "A full town needs a Trading Post, Grove University or Opaleye’s Watch. Are all 16 squares right?"
        )
        yield warning("sixteen_buildings", message, f"{where}/grid")
    elif empty < least:
        message = say_count(
            "The last building left at least {least} squares empty. You entered {n} empty square. Are all squares "
            "right?",
            "The last building left at least {least} squares empty. You entered {n} empty squares. Are all squares "
            "right?",
            empty,
            least=least,
        )
        yield warning("too_full", message, f"{where}/grid")
