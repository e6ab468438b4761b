"""What today's rules make of saved games: which would change and why; and changing them, with the old result kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.core import score_as
from scorer.report import totals
from webapp.database import Database, pack
from webapp.history import plays as history


@dataclass(frozen=True, slots=True)
class Difference:
    """What changes for one player: the lines whose points do, old and new."""

    player: str
    before: int
    after: int
    lines: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Change:
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
) -> Iterator[Change]:
    """Games that were scored by other rules than today's and come out differently; imported totals are not scored."""
    for row in looked_at(db, club_id, everything, after, most):
        change = change_of(row)
        if change is not None:
            yield change


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
        yield from db.query(
            "SELECT id, key, game, played_at, record, result, rules_version FROM kept_plays WHERE id = ?", [play_id]
        )


def change_of(row: dict[str, Any]) -> Change | None:
    """What would change, if anything that people see does."""
    game = games.find(row["game"])
    if game is None:
        return None
    old, new = json.loads(row["result"]), score_as(game, json.loads(row["record"]))
    told = (row["id"], row["key"], row["game"], row["played_at"], row["rules_version"])
    if not new["ok"] or new["needs"]:
        reasons = [problem["message"] for problem in new["problems"]] or [need["input"] for need in new["needs"]]
        return Change(*told, (), (tuple(old["winners"]), ()), tuple(reasons))
    found = tuple(differences(old, new))
    winners = (tuple(old["winners"]), tuple(new["winners"]))
    return Change(*told, found, winners) if found or winners[0] != winners[1] else None


def differences(old: Json, new: Json) -> Iterator[Difference]:
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
    with db.atomic():
        for play_id in play_ids:
            play = history.by_id(db, play_id)
            game = games.find(play.game) if play else None
            result = score_as(game, play.record) if game and play else {"ok": False}
            if play is not None and result["ok"] and not result["needs"]:
                history.correct(db, play, play.record, result)
                changed += 1
    return changed


def settle(db: Database, club_id: int, after: int = 0, most: int | None = None) -> None:
    """Note of games that come out the same that today's rules have looked at them, so that they need not again."""
    with db.atomic():
        for row in looked_at(db, club_id, False, after, most):
            game = games.find(row["game"])
            if game is not None and change_of(row) is None:
                result = {**json.loads(row["result"]), "rules_version": game.version}
                db.execute(
                    "UPDATE kept_plays SET rules_version = ?, result = ? WHERE id = ?",
                    [game.version, pack(result), row["id"]],
                )


def as_text(change: Change) -> str:
    """For a terminal."""
    lines = [f"{change.game} {change.played_at[:10]} {change.key}"]
    lines += [f"  no longer legal: {reason}" for reason in change.refusals]
    for one in change.differences:
        told = ", ".join(f"{label} {before} -> {after}" for label, before, after in one.lines)
        lines.append(f"  {one.player}: {one.before} -> {one.after} ({told})")
    if change.winners[0] != change.winners[1] and not change.refusals:
        lines.append(f"  won by {' and '.join(change.winners[1])} instead of {' and '.join(change.winners[0])}")
    return "\n".join(lines)
