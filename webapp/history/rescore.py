"""Find saved games that today's rules score differently, and score them again, keeping the old version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer import games
from scorer.contract import Game
from scorer.core import score_as
from scorer.result import Result, can_be_saved, label_of
from scorer.sentences import Sentence, in_a_row, listed, say, say_count
from webapp.database import Database
from webapp.history import plays, saved_plays
from webapp.history.decision import RULES, TOLD, Decision, ScoredLine, decision_of
from webapp.history.saved_plays import Play


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold what new rules change for one player: totals, and the points of each line that changes.

    A line is a tuple of label, points before and points after.
    """

    player: str
    before: int
    after: int
    lines: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Rescoring:
    """Represent a saved game that today's rules score differently or refuse."""

    play_id: int
    key: str
    game: str
    played_at: str
    since: str  # the version of the rules that scored it
    differences: tuple[Difference, ...]
    winners: tuple[tuple[str, ...], tuple[str, ...]]
    refusals: tuple[str, ...] = ()  # why today's rules refuse it; such a game stays as it is


def outdated(
    db: Database, club_id: int, everything: bool = False, after: int = 0, most: int | None = None
) -> Iterator[Rescoring]:
    """Yield a description of each game that today's rules score differently or refuse.

    Only games scored by other rules are checked, with `everything` all games. Their ids are above `after`; at most
    `most` are checked. Games that another program scored are left out.
    """
    for play in candidates(db, club_id, everything, after, most):
        rescoring = rescoring_of(play)
        if rescoring is not None:
            yield rescoring


def candidates(db: Database, club_id: int, everything: bool, after: int, most: int | None) -> Iterator[Play]:
    """Yield the club's games that were scored by other versions of the rules, or with `everything` by any version.

    They have ids above `after`, and there are at most `most`. Games that another program scored are left out. The page
    of a game links here with `after` one less than its id. So the game `after` + 1 is added if its result would change.
    """
    ids: list[int] = []
    for game in games.all_games():
        for other in ("<> ''",) if everything else ("> '' AND rules_version < :now", "> :now"):
            found = db.execute(
                f"""SELECT id FROM all_plays WHERE club_id = :club AND game = :game AND rules_version {other}
                AND deleted_at IS NULL AND basis <> '{TOLD}' AND id > :after""",
                {"club": club_id, "game": game.id, "now": game.version, "after": after},
            )
            ids += [play_id for (play_id,) in found.fetchall()]
    first = saved_plays.by_id(db, after + 1)
    if first is not None and first.club_id == club_id and first.deleted_at is None and first.decision.basis != TOLD:
        ids += [first.id] if rescoring_of(first) is not None else []
    for play_id in sorted(set(ids))[:most]:
        play = saved_plays.by_id(db, play_id)
        if play is not None:
            yield play


def rescoring_of(play: Play) -> Rescoring | None:
    """Return what today's rules would change in a game, or None if they change nothing."""
    game = games.find(play.game)
    if game is None:
        return None
    old, new = play.decision, score_as(game, play.record)
    about = (play.id, play.key, play.game, play.played_at, old.rules_version)
    names = [player["name"] for player in play.record["players"]]
    won = tuple(name for name, seat in zip(names, old.seats, strict=True) if seat.winner)
    if not can_be_saved(new):
        reasons = [problem["message"] for problem in new["problems"]] or [need["input"] for need in new["needs"]]
        return Rescoring(*about, (), (won, ()), tuple(reasons))
    now = decision_of(play.record, new)
    if now.agrees_with(old):
        return None
    return Rescoring(*about, tuple(differences(game, names, old, now)), (won, tuple(new["winners"])))


def differences(game: Game, names: Sequence[str], old: Decision, new: Decision) -> Iterator[Difference]:
    for name, before, after in zip(names, old.seats, new.seats, strict=True):
        mine, now = _by_label(game, before.lines), _by_label(game, after.lines)
        lines = tuple(
            (label, mine.get(label, 0), now.get(label, 0))
            for label in dict.fromkeys([*mine, *now])
            if mine.get(label, 0) != now.get(label, 0)
        )
        if lines:
            yield Difference(name, before.total or 0, after.total or 0, lines)


def _by_label(game: Game, lines: Sequence[ScoredLine]) -> dict[str, int]:
    """Return the points that these lines give for each rule, by the rule's label."""
    found: dict[str, int] = {}
    for rule, _, points in lines:
        label = label_of(game, rule, "")
        found[label] = found.get(label, 0) + points
    return found


def apply(db: Database, play_ids: Iterable[int]) -> int:
    """Score these games by today's rules and save the results, keeping the versions before.

    Return how many games were saved.
    """
    changed = 0
    for play_id in play_ids:
        with db.atomic(db.club_of("all_plays", id=play_id)):  # so that no player is renamed meanwhile
            play = saved_plays.by_id(db, play_id)
            result = _scored(play)
            if play is not None and result is not None:
                plays.edit(db, play, play.record, decision_of(play.record, result))
                changed += 1
    return changed


def _scored(play: Play | None) -> Result | None:
    game = games.find(play.game) if play is not None else None
    if play is None or game is None or play.decision.basis == TOLD:
        return None
    result = score_as(game, play.record)
    return result if can_be_saved(result) else None


def mark_current(db: Database, club_id: int, after: int = 0, most: int | None = None) -> None:
    """Mark games as scored by today's rules if these give the same result, so that they are not checked again. Only
    games with ids above `after` are checked, and at most `most` of them."""
    for play in candidates(db, club_id, False, after, most):
        game = games.find(play.game)
        if game is not None and rescoring_of(play) is None:
            with db.atomic(club_id):  # unless somebody has edited the game meanwhile
                db.execute(
                    "UPDATE all_plays SET rules_version = ?, basis = ? WHERE id = ? AND version = ?",
                    [game.version, RULES, play.id, play.version],
                )


def in_words(rescoring: Rescoring) -> Iterator[Sentence]:
    """Yield sentences for a terminal that say what today's rules would change in a game."""
    for reason in rescoring.refusals:
        yield say("Today’s rules don’t allow this game: {reason}", reason=reason)
    for one in rescoring.differences:
        lines = in_a_row(
            [
                say("{line} {before} → {after}", line=label, before=before, after=after)
                for label, before, after in one.lines
            ]
        )
        yield say(
            "{player}: {before} → {after} ({lines})",
            player=one.player,
            before=one.before,
            after=one.after,
            lines=lines,
        )
    before, after = rescoring.winners
    if before != after and not rescoring.refusals:
        yield say_count(
            "{winners} won, not {others}",
            "{winners} won, not {others}",
            len(after),
            winners=listed(after),
            others=listed(before),
        )
