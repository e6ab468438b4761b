"""Turn plays of other programs into ours: players, variant and the winners that the program names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorer import games
from scorer.contract import ChoicesInput, Game, Json, Line, Sheet, choices_of
from scorer.names import folded
from scorer.ranking import Ranking
from scorer.record import MAX_NAME, TOTAL
from scorer.result import Result, label_of, scored
from scorer.sentences import say
from webapp import days
from webapp.exchange.foreign import MOST_PLAYERS, Digest, ForeignPlay, ForeignScore, LeftOut, Matches, name
from webapp.exchange.import_report import OTHER_GAME, Item
from webapp.history import LONGEST_GAME, LONGEST_NOTES, TOLD, NewPlay, decision_of
from webapp.table import forms, json_paths


def items(
    source: str, digest: Digest, plays: Iterator[ForeignPlay | LeftOut], found: Matches, zone: str = ""
) -> Iterator[Item]:
    """Yield each of the `plays` as one of ours, or with the reason why it is left out. `found` says which game or
    player of ours each one in the file is. `zone` is the club's time zone, `source` the other program."""
    for play in plays:
        game = games.find(found.get(("game", play.game), ""))
        title = digest.games.get(play.game, ("", None))[0]
        if game is None:
            yield Item(None, title[:100] or "?", reason=OTHER_GAME)
        elif isinstance(play, LeftOut):
            yield Item(None, f"{title[:100]}, {play.example}", reason=play.reason)
        else:
            at = days.from_local(play.played_at, zone) if play.by_the_clock else play.played_at
            yield item(game, replace(play, played_at=at), found, digest, source)


def item(game: Game, play: ForeignPlay, found: Matches, digest: Digest, source: str) -> Item:
    names, numbered = seated(play, found, digest.players)
    example = f"{play.played_at[:10]} {game.name}: {', '.join(names)}"[:200]
    if not 1 <= len(names) <= MOST_PLAYERS:
        return Item(None, example, reason="too_many" if names else "nobody")
    new = as_ours(game, play, names, source)
    unread = [f"{one} “{score.unread}”" for one, score in zip(names, play.scores, strict=True) if score.unread]
    changes = {
        code: described
        for code, applies, described in (
            ("sums", any(score.is_sum for score in play.scores), example),
            ("gaps", any(score.total is None and not score.unread for score in play.scores), example),
            ("unread", bool(unread), f"{play.played_at[:10]} {game.name}: {', '.join(unread)}"[:200]),
            ("open", not any(seat.winner for seat in new.decision.seats), example),
            ("guests", numbered, example),
        )
        if applies
    }
    return Item(new, example, (play.id,), changes=changes)


def seated(play: ForeignPlay, found: Matches, written: Mapping[str, str]) -> tuple[list[str], bool]:
    """Return our names of the players by seat, and whether any got a number because two had the same name. `found` says
    who of ours each player in the file is; `written` has the names in the file."""
    names: list[str] = []
    numbered = False
    for score in play.scores:
        called = name(found.get(("player", score.player), written.get(score.player, score.player)))
        taken = set(map(folded, names))
        if folded(called) in taken:
            called = name(written.get(score.player, score.player))
        if folded(called) in taken:
            numbered = True
            count = 2
            while folded(f"{called[: MAX_NAME - 4]} {count}") in taken:
                count += 1
            called = f"{called[: MAX_NAME - 4]} {count}"
        names.append(called)
    return names, numbered


def as_ours(game: Game, play: ForeignPlay, names: Sequence[str], source: str) -> NewPlay:
    """Return the play as a new one of ours, which has totals but no boards. `names` are our names of its players;
    `source` is the program that it came from."""
    players: Json = [
        {"name": one, "typed": _typed(_lines(game, score))} for one, score in zip(names, play.scores, strict=True)
    ]
    record = {"game": game.id, "table": table_of(game, play.ways), "players": players}
    return NewPlay(
        record,
        decision_of(record, result_of(game, names, play.scores, source), TOLD),
        played_at=play.played_at,
        notes=play.notes[:LONGEST_NOTES],
        place=" ".join(play.place.split())[:MAX_NAME],
        minutes=play.minutes if play.minutes and 0 < play.minutes <= LONGEST_GAME else None,
        source=source,
        source_id=play.id[:64],
        origin=play.origin,
    )


def table_of(game: Game, ways: Sequence[str]) -> Json:
    """Return the `table` part of a record: the title's defaults with those options in `ways` that we know. `ways` are
    names of boards and expansions, as the other program writes them."""
    table = forms.defaults(game.inputs)
    choices = [(one, choice) for one in game.inputs if one.is_variant for choice in choices_of(one)]
    known = {folded(str(choice.label)): (one, choice.value) for one, choice in choices}
    by_id = {f"{one.name}={choice.value}": (one, choice.value) for one, choice in choices}
    for way in ways:
        words = way.casefold().removeprefix(game.name.casefold()).strip(" :\N{EN DASH}\N{EM DASH}-")
        found = by_id.get(way) or known.get(folded(words))
        if found is None:
            continue
        asked, value = found
        if isinstance(asked, ChoicesInput):
            held = json_paths.get(table, json_paths.steps(asked.name))
            value = sorted({*(held if isinstance(held, list) else []), value})
        table = json_paths.put(table, json_paths.steps(asked.name), value)
    return table


def result_of(game: Game, names: Sequence[str], scores: Sequence[ForeignScore], source: str) -> Result:
    """Return a result with the winners and ranks that the other program gave. If it gave neither, the player with most
    points wins; if a score is missing, nobody does. `names` are by seat; `source` is the other program."""
    has_winner = any(score.winner for score in scores)
    ranked = not has_winner and all(score.rank for score in scores) and any(score.rank == 1 for score in scores)
    won = [
        score.winner if has_winner else score.rank == 1 if ranked else wins
        for score, wins in zip(scores, _best(scores), strict=True)
    ]
    order = [(not winner, *place) for winner, place in zip(won, places(scores), strict=True)]
    ranks = (1 if winner else 1 + sum(other < mine for other in order) for winner, mine in zip(won, order, strict=True))
    winners = tuple(one for one, winner in zip(names, won, strict=True) if winner)
    decided_by = ("shared" if len(winners) > 1 else "points") if winners else None
    ranking = Ranking(tuple(ranks), winners, decided_by, ())
    word = say("according to {source}", source=source)
    sheets = [
        Sheet(
            one,
            tuple(Line(rule, label_of(game, rule, item), points, word, item=item) for rule, item, points in lines),
        )
        for one, lines in zip(names, (_lines(game, score) for score in scores), strict=True)
    ]
    result: Result = {**scored(game, sheets, ranking, ()), "rules_version": ""}
    if any(score.total is None for score in scores):
        result["told"] = _given_places(scores, won, ranked)
    return result


def _lines(game: Game, score: ForeignScore) -> list[tuple[str, str, int]]:
    """Return rule, item and points of each line of the player's score sheet in the file. Return one line with the total
    if the file's lines are missing or don't fit the rules or the total."""
    if score.total is None:
        return []
    are_rules = {rule for rule, _, _ in score.lines} <= set(game.rules)
    if score.lines and are_rules and sum(points for _, _, points in score.lines) == score.total:
        return [(rule, "" if label == str(game.rules[rule]) else label, points) for rule, label, points in score.lines]
    return [(TOTAL, "", score.total)]


def _typed(lines: Sequence[tuple[str, str, int]]) -> dict[str, int]:
    points: dict[str, int] = {}
    for rule, _, amount in lines:
        points[rule] = points.get(rule, 0) + amount
    return points


def _best(scores: Sequence[ForeignScore]) -> list[bool]:
    """Return for each player whether the score is the highest; False for all if a score is missing.

    A player alone always has it.
    """
    totals = [score.total for score in scores if score.total is not None]
    known = len(totals) == len(scores)
    return [len(scores) == 1 or (known and score.total == max(totals)) for score in scores]


def _given_places(scores: Sequence[ForeignScore], won: Sequence[bool], ranked: bool) -> list[int]:
    """Return the seats whose rank the other program settled, in a game with missing points. If it gave ranks, these are
    all seats. If it only named winners, they are the winners, and a single loser too. `won` says by seat who won;
    `ranked`, that winners were found by ranks."""
    if not any(won):
        return []
    if ranked or all(score.rank for score in scores):
        return list(range(len(scores)))
    if not any(score.winner for score in scores):
        return []
    alone = len(scores) - sum(won) == 1  # a single loser ranks last
    return [seat for seat, winner in enumerate(won) if winner or alone]


def places(scores: Sequence[ForeignScore]) -> list[tuple[int, int]]:
    """Return for each score a pair to sort by; the smallest is the best. If all scores have a rank, it is (0, rank).
    Else it is (0, points times -1), or (1, 0) if the points are missing."""
    if all(score.rank for score in scores):
        return [(0, score.rank or 0) for score in scores]
    return [(score.total is None, -(score.total or 0)) for score in scores]
