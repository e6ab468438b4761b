"""Help while Copenhagen is played: what to deal, and what to do when cards run out (rulebook, "Set-up", "Game Play").

The notes are {"first": ["Ann"], "reshuffled": true, "ended": true}: the first player, whether the supply ran out and
was shuffled again, and whether the End of Game card was drawn.
"""

from __future__ import annotations

from scorer.contract import Companion, DataInput, Input, Json, Loaded
from scorer.games.copenhagen.state import PLAYERS
from scorer.record import mapping, seated, sequence
from scorer.sentences import Sentence, say

HANDS = (2, 3, 3, 4)  # cards dealt to the first player, the second, ...
MOST_IN_HAND, DISPLAY, GOAL = 7, 7, 12
LEFT_OUT = {3: 2}  # players -> cards of each colour that stay in the box
ABOVE_THE_END = 9  # number of cards shuffled with the End of Game card
NOTED = (DataInput("first", say("First player")),)


def asks(loaded: Loaded, _: Json) -> tuple[Input, ...]:
    """Return the input for the first player, or () if the number of players does not fit the game."""
    return NOTED if len(seated(loaded.record)) in PLAYERS else ()


def answer(loaded: Loaded, notes: Json) -> Json:
    """Return, as JSON for the page, a heading, the steps to do now, and a button for each possible next event."""
    names = [str(player.get("name")) for player in seated(loaded.record)]
    noted = mapping(notes)
    [first] = [name for name in sequence(noted.get("first"))[:1] if name in names] or [None]
    if first is None:
        return {
            "heading": say("Who goes first?"),
            "facts": [],
            "steps": set_up(len(names)),
            "buttons": [{"label": name, "put": ["first", [name]]} for name in names],
            "back": "",
        }
    at_start = not noted.get("reshuffled") and not noted.get("ended")
    return {
        "heading": heading(noted),
        "facts": hands(names, first) if at_start else [],
        "steps": [] if noted.get("ended") else rules(len(names), bool(noted.get("reshuffled"))),
        "buttons": buttons(len(names), noted),
        "back": "ended" if noted.get("ended") else "reshuffled" if noted.get("reshuffled") else "first",
    }


def heading(noted: dict[str, Json]) -> Sentence:
    if noted.get("ended"):
        return say("The game is over. Enter everyone’s house.")
    return say("Cards to start with") if not noted.get("reshuffled") else say("The last cards")


def set_up(players: int) -> list[Sentence]:
    """Return the steps of the set-up before the first cards are dealt, as sentences in order; `players` is their
    number."""
    steps = []
    if players in LEFT_OUT:
        steps.append(say("Return {n} cards of each colour to the box.", n=LEFT_OUT[players]))
    if players == PLAYERS[0]:
        steps.append(end_card())
    return [*steps, say("Lay out {n} cards, one at each footbridge.", n=DISPLAY)]


def end_card() -> Sentence:
    return say(
        "Shuffle the End of Game card with the top {n} cards of the supply. Put these at the bottom.", n=ABOVE_THE_END
    )


def hands(names: list[str], first: str) -> list[Json]:
    """Return how many cards each player is dealt at the start, as labels and values in the order of play. `first` is
    the name of the first player."""
    start = names.index(first)
    order = [names[(start + turn) % len(names)] for turn in range(len(names))]
    return [{"label": name, "value": cards} for name, cards in zip(order, HANDS, strict=False)]


def rules(players: int, reshuffled: bool) -> list[Sentence]:
    """Return sentences with the rules for drawing cards and ending the game, for this number of players. `reshuffled`
    says that the supply ran out once."""
    steps = [say("After drawing, keep at most {n} cards in hand.", n=MOST_IN_HAND)]
    if reshuffled:
        steps.insert(0, end_card())
    if reshuffled or players == PLAYERS[0]:
        steps.append(say("The game ends at once when the End of Game card is drawn."))
    else:
        steps.append(say("When the supply runs out, shuffle the discard pile to make a new supply."))
    return [*steps, say("The game also ends at once when a player has {n} points.", n=GOAL)]


def buttons(players: int, noted: dict[str, Json]) -> list[Json]:
    """Return a button for each event that can happen next, for this number of players. `noted` has the events so far,
    such as {"reshuffled": true}."""
    if noted.get("ended"):
        return []
    if noted.get("reshuffled") or players == PLAYERS[0]:
        return [{"label": say("The End of Game card was drawn"), "put": ["ended", True]}]
    return [{"label": say("The supply ran out"), "put": ["reshuffled", True]}]


CARDS_AND_END = Companion(
    name=say("Card guide"),
    text=say("What to deal, and what happens when the cards run out."),
    asks=asks,
    answer=answer,
    blank={},
)
