"""Try out every answer to open facts, the places of a record that say UNKNOWN.

Games read many unknown facts themselves. For the others, this module fills in each value that the form would accept. It
scores each legal record, and keeps what all results agree on. Sometimes there are too many answers, or an answer needs
more facts. Then all lines that may depend on an open fact stay open, within the limits of the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from math import prod

from scorer import spans
from scorer.contract import (
    UNKNOWN,
    UNKNOWN_LETTER,
    BoardInput,
    ChoiceInput,
    FlagInput,
    Game,
    Input,
    Json,
    Line,
    Loaded,
    Missing,
    NumberInput,
    OpenFact,
    OrderInput,
    Problem,
    Sheet,
    TieBreak,
)
from scorer.ranking import Ranking, rank
from scorer.record import POINTS, STILL_TO_COUNT, TOTAL, Typed, mapping, settled_reason
from scorer.sentences import NOTHING
from scorer.spans import Span
from scorer.values import unescape

MOST_TRIED = 125  # records; each is read, checked and scored like any other
FEW = 25  # if there are more combinations, this many are tried until one is legal


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the scored form of a legal record: sheets, ranking and warnings."""

    sheets: Sequence[Sheet]
    ranking: Ranking
    warnings: Sequence[Problem]


def open_facts(game: Game, loaded: Loaded) -> tuple[tuple[OpenFact, ...], tuple[Problem, ...]]:
    """Return the faults of a record in two groups: first the open facts with their possible values, then all other
    faults."""
    found, others = [], []
    for fault in loaded.faults:
        is_unknown = fault.code != "unknown_field" and value_at(loaded.record, fault.where) == UNKNOWN
        fact = open_fact(game, loaded, fault.where) if is_unknown else None
        if fact is None:
            others.append(fault)
        else:
            found.append(fact)
    return tuple({fact.where: fact for fact in found}.values()), tuple(others)


def open_fact(game: Game, loaded: Loaded, where: str) -> OpenFact | None:
    """Return the open fact at the JSON Pointer `where`, with its possible values, or None if no form asks for it."""
    top, *path = where.removeprefix("/").split("/")
    seat = int(path.pop(0)) if top == "players" and path and path[0].isdecimal() else None
    if loaded.state is None or not path or (seat is None and top != "table"):
        return None
    name, players = "/".join(path), [player.name for player in loaded.state.players]
    for asked in inputs_for(game, loaded, seat) if players else ():
        values = values_of(asked, name, players)
        if values:
            return OpenFact(where, asked.name, players[seat or 0], asked.label, values)
    return None


def inputs_for(game: Game, loaded: Loaded, seat: int | None) -> Iterable[Input]:
    """Return the inputs that the form asks for now, then all inputs of the game; `seat` is None for the table. All are
    included because an open fact may decide what the form asks for."""
    return (*(game.asks(loaded, seat) if game.asks else ()), *game.inputs)


def values_of(asked: Input, name: str, players: Sequence[str]) -> tuple[Json, ...]:
    """Return every value that the input `asked` allows at the path `name`, or () if it has no such path. Of the orders
    of players, at most MOST_TRIED + 1 are returned, enough to show that they are too many."""
    if isinstance(asked, BoardInput) and name.startswith(f"{asked.name}/"):
        return tuple(choice.value for choice in asked.pieces)
    if asked.name != name:
        return ()
    if isinstance(asked, FlagInput):
        return (False, True)
    if isinstance(asked, NumberInput):
        return tuple(range(asked.low, asked.high + 1))
    if isinstance(asked, OrderInput):
        return tuple(list(order) for order in islice(permutations(players), MOST_TRIED + 1))
    return tuple(choice.value for choice in asked.choices) if isinstance(asked, ChoiceInput) else ()


def value_at(record: Json, where: str) -> Json:
    """Return the value at the JSON Pointer `where`, or None. A text counts as a list of its letters."""
    for step in where.split("/")[1:]:
        if isinstance(record, str):
            letter = record[int(step) :][:1] if step.isdecimal() else None
            record = UNKNOWN if letter == UNKNOWN_LETTER else letter
        elif isinstance(record, list):
            record = record[int(step)] if step.isdecimal() and int(step) < len(record) else None
        else:
            record = mapping(record).get(unescape(step))
    return record


def can_be_tried(facts: Sequence[OpenFact]) -> bool:
    return prod(len(fact.values) for fact in facts) <= MOST_TRIED


def allows_more(game: Game, loaded: Loaded, facts: Sequence[OpenFact]) -> bool:
    """Return whether the answers filled into `loaded` allow an open fact more values than `facts` list for it. `facts`
    are those of the record without answers. For example, a card chosen as one answer may allow its building as
    another."""
    if len(facts) == 1:
        return False
    allowed = ((fact, open_fact(game, loaded, fact.where)) for fact in facts)
    return any(value not in fact.values for fact, now in allowed if now is not None for value in now.values)


def answered(record: Json, facts: Sequence[OpenFact]) -> Iterator[Json]:
    """Yield a copy of the record for each combination of answers to `facts`, if there are at most MOST_TRIED. Otherwise
    yield FEW: the first with the first value of each fact, the second with the second, and so on."""
    choices = [fact.values for fact in facts]
    few = (tuple(values[min(number, len(values) - 1)] for values in choices) for number in range(FEW))
    for values in product(*choices) if can_be_tried(facts) else few:
        filled = copy.deepcopy(record)
        for fact, value in zip(facts, values, strict=True):
            set_value(filled, fact.where, value)
        yield filled


def set_value(record: Json, where: str, value: Json) -> None:
    around, _, last = where.rpartition("/")
    holder = value_at(record, around)
    if isinstance(holder, str):
        set_value(record, around, f"{holder[: int(last)]}{value}{holder[int(last) + 1 :]}")
    else:
        holder[int(last) if isinstance(holder, list) else unescape(last)] = value


def agreed(game: Game, facts: Sequence[OpenFact], outcomes: Sequence[Outcome]) -> Outcome:
    """Return what is the same in all `outcomes`, one for each combination of answers to the open `facts`. A line whose
    points differ stays open, with the span from the least to the most points."""
    first = outcomes[0]
    if all(one.sheets == first.sheets and one.ranking == first.ranking for one in outcomes):
        return first
    order = {rule: place for place, rule in enumerate(game.rules)}
    sheets = [
        common_sheet(among, [fact for fact in facts if fact.player == among[0].player], order)
        for among in zip(*(outcome.sheets for outcome in outcomes), strict=True)
    ]
    warnings = [one for one in first.warnings if all(one in outcome.warnings for outcome in outcomes)]
    settled = rank(sheets, game.ladder)
    if all(one.ranking.decided_by and one.ranking.winners == first.ranking.winners for one in outcomes):
        deciders = {one.ranking.decided_by for one in outcomes}
        settled = with_winners(settled, sheets, first.ranking.winners, deciders.pop() if len(deciders) == 1 else None)
    return Outcome(sheets, settled, warnings)


def bounded(game: Game, loaded: Loaded, outcome: Outcome) -> Outcome:
    """Return a result that certainly holds although not every answer was tried; `outcome` is the result of one answer.
    Lines that may depend on an open fact stay open, within the limits of the rules; lines entered by hand do not.
    Players without open facts keep their lines if nobody's points depend on other players or the table."""
    of_table = any(fact.where.startswith("/table/") for fact in loaded.open)
    sheets = []
    for seat, (player, sheet) in enumerate(zip(loaded.state.players, outcome.sheets, strict=True)):
        is_open = any(fact.where.startswith(f"/players/{seat}/") for fact in loaded.open)
        if not (is_open or of_table or game.points_depend_on_others):
            sheets.append(sheet)
            continue
        typed = player if isinstance(player, Typed) else None
        needs = (*needed([fact for fact in loaded.open if fact.player == sheet.player]), *sheet.needs)
        sheets.append(
            replace(
                sheet,
                lines=tuple(
                    line if typed and typed.has(line.rule) else within_limits(game, line) for line in sheet.lines
                ),
                tiebreaks=tuple(replace(rung, value=None, why=STILL_TO_COUNT) for rung in sheet.tiebreaks),
                needs=tuple(dict.fromkeys(needs)),
                rating=NOTHING,
                can_win=True,
                span=None if typed and (typed.is_total or not of_table) else limits_of(game, TOTAL),
            )
        )
    return Outcome(sheets, rank(sheets, game.ladder), ())


def within_limits(game: Game, line: Line) -> Line:
    span = limits_of(game, line.rule)
    return replace(line, points=spans.certain(span), why=STILL_TO_COUNT, cells=(), span=span)


def limits_of(game: Game, rule: str) -> Span:
    """Return the least and the most points that the rules allow for the line `rule`; an open end is None."""
    counted = {count.rule: range(count.each * count.high + 1) for count in game.typed.counts}
    allowed = game.typed.limits.get(rule, counted.get(rule))
    if allowed is None:
        return spans.ANYTHING
    return (allowed[0] if allowed[0] > -POINTS else None, allowed[-1] if allowed[-1] < POINTS else None)


def with_winners(
    settled: Ranking, sheets: Sequence[Sheet], winners: tuple[str, ...], decided_by: str | None
) -> Ranking:
    """Return the ranking `settled` with `winners` in first place, because they win with every answer to the open facts.
    `decided_by` is the step that decides who wins, such as "points", or None if that depends on the answers."""
    places = [
        1 if sheet.player in winners else max(place, len(winners) + 1)
        for sheet, place in zip(sheets, settled.ranks, strict=True)
    ]
    return replace(settled, ranks=tuple(places), winners=winners, decided_by=decided_by)


def common_sheet(among: Sequence[Sheet], facts: Sequence[OpenFact], order: Mapping[str, int]) -> Sheet:
    """Return one player's sheet with what is the same for all answers to open facts; points that differ become spans.
    `among` has the sheet for each answer, `facts` the player's open facts, and `order` the position of each rule."""
    found = [by_key(sheet) for sheet in among]
    keys = sorted({key for lines in found for key in lines}, key=lambda key: order.get(key[0], len(order)))
    lines = tuple(common_line([lines.get(key) for lines in found]) for key in keys)
    needs = dict.fromkeys((*needed(facts), *(need for sheet in among for need in sheet.needs)))
    climbed = [{rung.rule: rung for rung in one.tiebreaks} for one in among]
    rules = dict.fromkeys(rule for rungs in climbed for rule in rungs)
    rungs = tuple(common_tiebreak([rungs.get(rule) for rungs in climbed], facts) for rule in rules)
    rating = among[0].rating if len({one.rating for one in among}) == 1 else NOTHING
    span = spans.union(sheet.range for sheet in among) if any(line.span for line in lines) else None
    return Sheet(among[0].player, lines, rungs, tuple(needs), rating, span=span)


def needed(facts: Sequence[OpenFact]) -> Iterator[Missing]:
    return (Missing(fact.input, fact.player, fact.where, fact.label) for fact in facts)


Key = tuple[str, int, str]  # rule, number among the lines with that rule and item, item


def by_key(sheet: Sheet) -> dict[Key, Line]:
    found: dict[Key, Line] = {}
    for line in sheet.lines:
        number = sum(rule == line.rule and item == line.item for rule, _, item in found)
        found[line.rule, number, line.item] = line
    return found


def common_line(among: Sequence[Line | None]) -> Line:
    first = next(line for line in among if line is not None)
    if all(line == first for line in among):
        return first
    span = spans.union((0, 0) if line is None else line.span or (line.points, line.points) for line in among)
    if spans.is_exact(span):
        return replace(first, why=settled_reason(first.points), cells=(), span=None)
    return replace(first, points=spans.certain(span), why=STILL_TO_COUNT, cells=(), span=span)


def common_tiebreak(among: Sequence[TieBreak | None], facts: Sequence[OpenFact]) -> TieBreak:
    first = next(rung for rung in among if rung is not None)
    if all(rung == first for rung in among):
        return first
    where = facts[0].where if facts else first.where
    return replace(first, value=None, why=STILL_TO_COUNT, where=where)
