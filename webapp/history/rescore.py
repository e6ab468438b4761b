"""What today's rules make of saved games: which would change and why; and changing them, with the old result kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.core import score_as
from scorer.report import totals
from scorer.result import Result, can_be_kept, revived
from scorer.sentences import Sentence, in_a_row, listed, say
from webapp.database import Database, pack
from webapp.history import kept, plays


@dataclass(frozen=True, slots=True)
class Difference:
    """What changes for one player: the lines whose points do, old and new."""

    player: str
    before: int
    after: int
    lines: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Rescoring:
    """A saved game that would be scored differently, or that could no longer be scored at all."""

    play_id: int
    key: str
    game: str
    played_at: str
    since: str  # the version of the rules it was scored by
    differences: tuple[Difference, ...]
    winners: tuple[tuple[str, ...], tuple[str, ...]]
    refusals: tuple[str, ...] = ()  # why the rules of today refuse it; such a game stays as it is


def outdated(
    db: Database, club_id: int, everything: bool = False, after: int = 0, most: int | None = None
) -> Iterator[Rescoring]:
    """Games that were scored by other rules than today's and come out differently; imported totals are not scored."""
    for row in looked_at(db, club_id, everything, after, most):
        rescoring = rescoring_of(row)
        if rescoring is not None:
            yield rescoring


def looked_at(db: Database, club_id: int, everything: bool, after: int, most: int | None) -> Iterator[dict[str, Any]]:
    """The saved games in question: of each game, the index leads to those of rules before and after today's."""
    ids: list[int] = []
    for game in games.everything():
        for other in ("<> ''",) if everything else ("> '' AND rules_version < :now", "> :now"):
            found = db.execute(
                f"""SELECT id FROM kept_plays WHERE club_id = :club AND game = :game AND rules_version {other}
                AND deleted_at IS NULL AND id > :after""",
                {"club": club_id, "game": game.id, "now": game.version, "after": after},
            )
            ids += [play_id for (play_id,) in found.fetchall()]
    for play_id in sorted(ids)[:most]:
        row = db.row("SELECT * FROM kept_plays WHERE id = ?", play_id)
        yield from kept.with_names(db, [row]) if row else ()


def rescoring_of(row: dict[str, Any]) -> Rescoring | None:
    """What would change, if anything that people see does."""
    game = games.find(row["game"])
    if game is None:
        return None
    old: Result = json.loads(row["result"])
    new = score_as(game, json.loads(row["record"]))
    play = (row["id"], row["key"], row["game"], row["played_at"], row["rules_version"])
    if not can_be_kept(new):
        reasons = [problem["message"] for problem in new["problems"]] or [need["input"] for need in new["needs"]]
        return Rescoring(*play, (), (tuple(old["winners"]), ()), tuple(reasons))
    winners = (tuple(old["winners"]), tuple(new["winners"]))
    if winners[0] == winners[1] and not any(differences(old, new)):
        return None
    return Rescoring(*play, tuple(differences(revived(old), new)), winners)


def differences(old: Result, new: Result) -> Iterator[Difference]:
    for before, after in zip(old["players"], new["players"], strict=True):
        mine, now = totals(before["lines"]), totals(after["lines"])
        labels = {line["rule"]: line["label"] for line in [*before["lines"], *after["lines"]]}
        lines = tuple(
            (labels[rule], mine.get(rule, 0), now.get(rule, 0))
            for rule in labels
            if mine.get(rule, 0) != now.get(rule, 0)
        )
        if lines:
            yield Difference(before["name"], before["total"], after["total"], lines)


def apply(db: Database, play_ids: Iterable[int]) -> int:
    """Save today's result of these games, each with the result before it as an earlier version; how many there were."""
    changed = 0
    for play_id in play_ids:
        with db.atomic(db.club_of("kept_plays", id=play_id)):  # nobody is called otherwise meanwhile
            play = plays.by_id(db, play_id)
            game = games.find(play.game) if play else None
            if play is None or game is None:
                continue
            result = score_as(game, play.record)
            if can_be_kept(result):
                plays.correct(db, play, play.record, result)
                changed += 1
    return changed


def settle(db: Database, club_id: int, after: int = 0, most: int | None = None) -> None:
    """Note of games that come out the same that today's rules have looked at them, so that they need not again."""
    for row in looked_at(db, club_id, False, after, most):
        game = games.find(row["game"])
        if game is not None and rescoring_of(row) is None:
            with db.atomic(club_id):
                _note(db, row["id"], row["version"], game.version)


def _note(db: Database, play_id: int, version: int, rules: str) -> None:
    """In the caller's transaction, unless somebody has corrected the game meanwhile."""
    kept = db.row("SELECT result FROM kept_plays WHERE id = ? AND version = ?", play_id, version)
    if kept is not None:
        result = pack({**json.loads(kept["result"]), "rules_version": rules})
        db.execute("UPDATE kept_plays SET rules_version = ?, result = ? WHERE id = ?", [rules, result, play_id])


def in_words(rescoring: Rescoring) -> Iterator[Sentence]:
    """What would change, for a terminal."""
    for reason in rescoring.refusals:
        yield say("no longer legal: {reason}", reason=reason)
    for one in rescoring.differences:
        lines = in_a_row(
            [
                say("{line} {before} -> {after}", line=label, before=before, after=after)
                for label, before, after in one.lines
            ]
        )
        yield say(
            "{player}: {before} -> {after} ({lines})",
            player=one.player,
            before=one.before,
            after=one.after,
            lines=lines,
        )
    before, after = rescoring.winners
    if before != after and not rescoring.refusals:
        yield say("won by {winners} instead of {others}", winners=listed(after), others=listed(before))
