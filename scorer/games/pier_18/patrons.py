"""Score the patron phase during the game: find the player that the patron joins (rulebook, patron phase).

    {"symbols": ["P", "F"], "players": [{"name": "Ann", "rows": ["S.", "PF"], "date": "03-02"}, ...]}

The rows are those of the pier so far; `cards` as in a record also work. The date is on the card that the player took
last, and is only needed in a tie.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.contract import Json, Problem, StateError
from scorer.games.pier_18.assembly import assemble, card_faults, read_cards, row_faults
from scorer.games.pier_18.cards import CHARACTERS
from scorer.games.pier_18.pier import ACROSS, EARN, Rows
from scorer.games.pier_18.state import PLAYERS
from scorer.record import Reader, read_name
from scorer.sentences import NOTHING, Sentence, listed, say


@dataclass(frozen=True, slots=True)
class Drafter:
    """Hold the pier of a player during the game, and the date on the card that the player took last."""

    name: str
    rows: Rows
    date: str | None = None  # on the card that the player took last


@dataclass(frozen=True, slots=True)
class Phase:
    """Hold what decides which player the patron joins in one round. That is the characters on the patron's card, the
    players with their piers, and the ruling on lovers."""

    symbols: tuple[str, ...]  # on the patron's card
    drafters: tuple[Drafter, ...]
    lovers_across: str


@dataclass(frozen=True, slots=True)
class PatronChoice:
    """Hold the player that the patron joins as `winner`, with the points of all players and the reason. If players are
    tied, `winner` is None until the dates of the players in `ask` are entered."""

    winner: str | None
    points: tuple[tuple[str, int], ...]
    why: Sentence
    ask: tuple[str, ...] = ()


def choose_pier(phase: Phase) -> PatronChoice:
    """Return the player who scores most with the characters on the patron's card; the earliest date wins a tie. This
    also holds if all tied players score 0 points."""
    points = tuple(
        (drafter.name, sum(EARN[letter](drafter.rows, phase.lovers_across).points for letter in phase.symbols))
        for drafter in phase.drafters
    )
    best = max(earned for _, earned in points)
    tied = [drafter for drafter, (_, earned) in zip(phase.drafters, points, strict=True) if earned == best]
    if len(tied) == 1:
        why = say("{name} scores most: {points}", name=tied[0].name, points=best)
        return PatronChoice(tied[0].name, points, why)
    names = listed([drafter.name for drafter in tied])
    unknown = tuple(drafter.name for drafter in tied if drafter.date is None)
    if unknown:
        why = say(
            "{names} score {points} each. Whose last card has the earliest date?",
            names=names,
            points=best,
        )
        return PatronChoice(None, points, why, unknown)
    first = min(drafter.date or "" for drafter in tied)
    earliest = [drafter.name for drafter in tied if drafter.date == first]
    if len(earliest) > 1:
        why = say(
            "{names} score {points} each, but more than one last card shows {date}. Check the dates",
            names=names,
            points=best,
            date=first,
        )
        return PatronChoice(None, points, why, tuple(earliest))
    why = say(
        "{names} score {points} each. The last card of {name} has the earliest date: {date}",
        names=names,
        points=best,
        name=earliest[0],
        date=first,
    )
    return PatronChoice(earliest[0], points, why)


def load_phase(entered: Json) -> Phase:
    """Read a patron phase from JSON as shown at the top of this module, or raise StateError with every fault."""
    reader = Reader(entered)
    reader.as_object()
    names: set[str] = set()
    letters = tuple(CHARACTERS)
    found = reader.elements("players")
    if len(found) not in PLAYERS:
        reader.fail("player_count", say("Enter 2 or 3 players."), "/players")
    phase = Phase(
        symbols=tuple(dict.fromkeys(s.as_choice(letters, "unknown_symbol") for s in reader.elements("symbols"))),
        drafters=tuple(read_drafter(drafter, names) for drafter in found[: PLAYERS.stop]),
        lovers_across=reader.choice("lovers_across", ACROSS, default=ACROSS[0]),
    )
    if not phase.symbols:
        reader.fail("missing_field", say("Enter at least one character from the patron’s card."), "/symbols")
    reader.finish(phase)
    return phase


def read_drafter(drafter: Reader, names: set[str]) -> Drafter:
    drafter.as_object()
    name, date = read_name(drafter, names), drafter.child("date")
    faults: list[Problem] = []
    if drafter.has("cards"):
        cards = read_cards(drafter.elements("cards"))
        faults += card_faults(cards, None, f"{drafter.where}/cards")
        rows = assemble(cards)
    else:
        rows = tuple(row.as_text() for row in drafter.elements("rows"))
        faults += row_faults(rows, f"{drafter.where}/rows")
    for fault in faults:
        drafter.fail(fault.code, fault.message, fault.where)
    return Drafter(name, rows, None if date is None else date.as_date())


def patron_phase(entered: Json) -> dict[str, Json]:
    """Return, as JSON for a page, the player whom the patron joins, the points of all, and the reason. `entered` is a
    patron phase as shown at the top of this module. If it cannot be read, return the problems."""
    try:
        phase = load_phase(entered)
    except StateError as unreadable:
        problems = [{"code": p.code, "message": p.message, "where": p.where} for p in unreadable.problems]
        return {"ok": False, "problems": problems, "winner": None, "points": {}, "why": NOTHING, "ask": []}
    found = choose_pier(phase)
    answer = {"winner": found.winner, "points": dict(found.points), "why": found.why, "ask": list(found.ask)}
    return {"ok": True, "problems": [], **answer}
