"""Turn the record of any game into a result: read, check, score and rank it.

`score` never raises an exception, because records come from forms, files, photos and other programs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from scorer import bounds, completions, games, typed
from scorer.completions import Outcome
from scorer.contract import UNKNOWN, Game, Json, Loaded, Problem, StateError
from scorer.jsontext import NotJson, read_json
from scorer.ranking import rank
from scorer.record import Reader, Typed, mapping
from scorer.record_names import place_with_seats, seats_of, with_seats
from scorer.result import Result, refused, scored
from scorer.sentences import in_a_row, say
from scorer.spelling import Misspelled, corrected

CONFIRMED = "confirmed"  # the field of the table that holds texts such as "/players/0/bridge:fewer_than_12_buildings"
LONGEST_QUESTION = 200
PASSES = 3  # readings of a record; the first ones may correct its spelling


def score(record: Json, reasons: bool = True) -> Result:
    """Return the result of a record, or every reason why it has none; `reasons` adds explanations to lines."""
    if not isinstance(record, dict):
        return refused("", [Problem("unreadable", say("A record needs a game, a table and players."))])
    name = record.get("game")
    game = games.find(name) if isinstance(name, str) else None
    if game is None:
        known = say("Enter one of these games: {games}.", games=in_a_row(games.ids()))
        return refused("", [Problem("unknown_game", known, "/game")])
    return score_as(game, record, reasons)


def score_text(text: str | bytes, first_line: int = 1, reasons: bool = True) -> Result:
    """Return the result of a record written as JSON. Messages count lines from `first_line`, and `reasons` adds
    explanations to lines of the result."""
    try:
        return score(read_json(text, first_line), reasons)
    except NotJson as fault:
        return refused("", [Problem("unreadable", fault.message)])


def score_as(game: Game, record: Json, reasons: bool = True) -> Result:
    """Return the result of a record of this game; `reasons` adds explanations to lines."""
    return judge(game, load(game, record), reasons)


def load(game: Game, record: Json) -> Loaded:
    """Read a record of this game as far as possible, with misspelled values corrected; faults are returned with it."""
    too_large = bounds.faults(record)
    if too_large:
        return Loaded(record, None, too_large)
    for _ in range(PASSES):
        loaded = _read(game, record)
        misspelled = [fault for fault in loaded.faults if isinstance(fault, Misspelled)]
        if not misspelled:
            break
        record = corrected(record, misspelled)
    facts, faults = completions.open_facts(game, loaded)
    return replace(loaded, faults=faults, open=facts) if facts else loaded


def _read(game: Game, record: Json) -> Loaded:
    read, confirmed, faults = without_confirmed(record)
    try:
        return Loaded(record, game.load(read), faults, confirmed)
    except StateError as unreadable:
        return Loaded(record, unreadable.state, (*faults, *unreadable.problems), confirmed)


def without_confirmed(record: Json) -> tuple[Json, frozenset[str], tuple[Problem, ...]]:
    """Return the record without the list `table/confirmed`, then the texts in that list, then its faults. Each text
    names a question in one of the two forms that `question_names` returns."""
    table = mapping(record).get("table")
    if not isinstance(table, dict) or CONFIRMED not in table:
        return record, frozenset(), ()
    reader = Reader(record)
    entered = reader.object("table").elements(CONFIRMED)
    names = [question.as_text(longest=LONGEST_QUESTION) for question in entered]
    rest = {key: value for key, value in table.items() if key != CONFIRMED}
    return {**record, "table": rest}, frozenset(names), tuple(reader.problems)


def judge(game: Game, loaded: Loaded, reasons: bool = True) -> Result:
    """Return the result of a record that `load` has read; `reasons` adds explanations to lines."""
    outcome = outcome_of(game, loaded)
    if isinstance(outcome, Outcome):
        return scored(game, outcome.sheets, outcome.ranking, outcome.warnings, reasons)
    return refused(game.id, outcome, game.version)


def outcome_of(game: Game, loaded: Loaded) -> Outcome | list[Problem]:
    """Return all score sheets with the ranking or, if the record cannot be scored, the problems that explain why."""
    if loaded.faults:
        return [*loaded.faults, *_also_illegal(game, loaded)]
    return _agreed_result(game, loaded) if loaded.open else _outcome(game, loaded)


def _outcome(game: Game, loaded: Loaded) -> Outcome | list[Problem]:
    """Return the score sheets and ranking of a record without open facts, or its problems if one is an error."""
    problems = [*typed.faults(game, loaded.state), *game.validate(loaded.state)]
    if any(problem.level == "error" for problem in problems):
        return problems
    if loaded.confirmed:
        problems = [problem for problem in problems if not _is_confirmed(game, loaded, problem)]
    sheets = game.score(loaded.state)
    return Outcome(sheets, rank(sheets, game.ladder), problems)


def _agreed_result(game: Game, loaded: Loaded) -> Outcome | list[Problem]:
    """Return what is the same in the results of all legal answers to the open facts. If no answer is legal, return
    problems."""
    outcomes: list[Outcome] = []
    refusals: list[list[Problem]] = []
    is_all = completions.can_be_tried(loaded.open)
    for record in completions.answered(loaded.record, loaded.open):
        read = load(game, record)
        is_all = is_all and not read.open and not completions.allows_more(game, read, loaded.open)
        outcome = list(read.faults) if read.faults else _outcome(game, read)
        if not isinstance(outcome, Outcome):
            refusals.append(outcome)
            is_all = is_all and not any(_asks_for_more(record, problem) for problem in outcome)
            continue
        outcomes.append(outcome)
        if not is_all:
            break
    if not outcomes:
        return _wrong_with_all(refusals)
    if is_all:
        return completions.agreed(game, loaded.open, outcomes)
    return completions.bounded(game, loaded, outcomes[0])


def _wrong_with_all(refusals: list[list[Problem]]) -> list[Problem]:
    """Return the problems that all answers to the open facts share; `refusals` has the list of problems of each answer.
    If no shared problem is an error, return the problems of the first answer."""
    places = [{(problem.where, problem.code) for problem in refusal} for refusal in refusals]
    shared = [problem for problem in refusals[0] if all((problem.where, problem.code) in one for one in places)]
    return shared if any(problem.level == "error" for problem in shared) else refusals[0]


def _asks_for_more(record: Json, problem: Problem) -> bool:
    """Return whether a problem only means that the record lacks another fact or says UNKNOWN for it."""
    return problem.code == "missing_field" or completions.value_at(record, problem.where) == UNKNOWN


def _is_confirmed(game: Game, loaded: Loaded, problem: Problem) -> bool:
    return not loaded.confirmed.isdisjoint(question_names(game, loaded.record, problem.where, problem.code))


def question_names(game: Game, record: Json, where: str, code: str) -> tuple[str, str]:
    """Return the two names of a question in `table/confirmed`: `place:code` and `place:code:digest`.

    A question is a warning that players can confirm; `where` is its JSON Pointer and `code` its problem's code. The
    digest covers the code and the value at the place, with seat numbers for names. Pages use the name with the digest,
    so that a question is asked again only if the value changes. The digest does not cover the place, so that a player
    can move to another seat. People who write a record by hand may leave the digest out.
    """
    table = {key: value for key, value in mapping(mapping(record).get("table")).items() if key != CONFIRMED}
    seated, _ = with_seats({**mapping(record), "table": table}, game.names)
    place = place_with_seats(where, game.names, seats_of(record))
    content = [code, completions.value_at(seated, place) if place else None]
    digest = hashlib.blake2s(json.dumps(content, sort_keys=True).encode(), digest_size=4).hexdigest()
    return f"{where}:{code}", f"{place}:{code}:{digest}"


def without_seats(game: Game, loaded: Loaded, seats: Collection[int]) -> Loaded:
    """Return the record as if the players in `seats` had entered no board and no points. Faults in their entries are
    left out, except faults of their names."""
    if not seats or loaded.state is None:
        return loaded
    if loaded.open:
        return load(game, _emptied(loaded.record, seats))
    players = tuple(
        Typed(player.name, ()) if number in seats else player for number, player in enumerate(loaded.state.players)
    )
    faults = tuple(fault for fault in loaded.faults if not _concerns(fault, seats))
    if any(f"{fault.where}/".startswith("/table/") for fault in faults) and all(isinstance(p, Typed) for p in players):
        return load(game, _emptied(loaded.record, seats))  # without a board the table may need less
    return replace(loaded, state=replace(loaded.state, players=players), faults=faults)


def _concerns(fault: Problem, seats: Collection[int]) -> bool:
    """Return whether a fault is in the entry of a player in one of `seats`, but not in the player's name."""
    _, *parts = fault.where.split("/")
    return parts[:1] == ["players"] and parts[1:2] in [[str(seat)] for seat in seats] and parts[2:] != ["name"]


def _emptied(record: Json, seats: Collection[int]) -> Json:
    players = [
        {**{name: player[name] for name in ("name",) if name in player}, "typed": {}} if number in seats else player
        for number, player in enumerate(record["players"])
    ]
    return {**record, "players": players}


def _also_illegal(game: Game, loaded: Loaded) -> list[Problem]:
    """Return the problems against the rules in the readable part of a record. A stand-in replaces each unreadable
    value, so problems at, inside or around such a value are left out."""
    if loaded.state is None:
        return []
    holes = [fault.where for fault in loaded.faults if fault.code != "unknown_field"]
    holes += [fact.where for fact in loaded.open]
    near_holes = _UnreadablePlaces(holes)
    problems = [*typed.faults(game, loaded.state), *game.validate(loaded.state)]
    return [problem for problem in problems if problem.where not in near_holes]


class _UnreadablePlaces:
    """Contain all places inside or around a value that could not be read, where a stand-in may cause a problem.

    `holes` are the places of these values. If one is "/players", every place that is not inside a single player is
    contained too.
    """

    def __init__(self, holes: Iterable[str]) -> None:
        self.holes = set(holes)
        self.count = "/players" in self.holes
        self.holes.discard("/players")
        self.around = {outer for hole in self.holes for outer in _upwards(hole)}

    def __contains__(self, where: str) -> bool:
        if self.count and not where.startswith("/players/"):
            return True
        return where in self.around or any(outer in self.holes for outer in _upwards(where))


def _upwards(where: str) -> Iterator[str]:
    """Yield the JSON Pointer `where` and those of everything around it, up to the whole record."""
    yield where
    while where:
        where = where.rpartition("/")[0]
        yield where
