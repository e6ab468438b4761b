"""Define the decision of a saved game: the totals, ranks, winners and points that were settled when it was saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.contract import Json
from scorer.result import Result, is_decided, is_final, seats_without_points, unplaced

RULES, OLD_RULES, TOLD = "rules", "old_rules", "told"  # what a decision rests on

ScoredLine = tuple[str, str, int]  # rule, item, points


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Hold the score of one player of a game; total, rank and winner are None while they are unknown.

    Without `final` the score is still to count and has no lines, so that averages of lines leave it out.
    """

    total: int | None
    rank: int | None
    winner: bool | None
    lines: tuple[ScoredLine, ...] = ()
    final: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold the numbers of a saved game, and whether today's rules, old rules or another program gave them (`basis`)."""

    seats: tuple[SeatScore, ...]
    decided_by: str | None
    rules_version: str
    basis: str = RULES

    def agrees_with(self, other: Decision) -> bool:
        """Return whether both decisions have the same points, ranks and winners, and the same rule or tie-break
        decided."""
        return (self.seats, self.decided_by) == (other.seats, other.decided_by)

    @classmethod
    def from_json(cls, value: Json) -> Decision:
        """Return the decision that `dataclasses.asdict` turned into `value`."""
        seats = tuple(
            SeatScore(**{**seat, "lines": tuple((rule, item, points) for rule, item, points in seat["lines"])})
            for seat in value["seats"]
        )
        return cls(seats, value["decided_by"], value["rules_version"], value["basis"])

    @property
    def margin(self) -> int | None:
        """Return the winner's lead over the next player; None for a game played alone or with an unknown total."""
        totals = [seat.total for seat in self.seats if seat.total is not None]
        won = [seat.total for seat in self.seats if seat.winner and seat.total is not None]
        if len(self.seats) < 2 or len(totals) < len(self.seats) or not won:
            return None
        others = [seat.total for seat in self.seats if not seat.winner and seat.total is not None]
        return max(won) - max(others, default=max(won))


def decision_of(record: Json, result: Result, basis: str = RULES) -> Decision:
    """Return the decision to save: the scores, ranks and winners in `result`, which scoring `record` gave. `basis` says
    whether today's rules, old rules or another program gave them."""
    unknown, unranked = seats_without_points(record, result), unplaced(record, result)
    return Decision(
        tuple(
            SeatScore(
                player["total"] if is_final(player) and seat not in unknown else None,
                None if seat in unranked else player["rank"],
                player["winner"] if is_decided(result) else None,
                tuple((line["rule"], str(line["item"]), line["points"]) for line in player["lines"])
                if is_final(player)
                else (),
                final=is_final(player) and seat not in unknown,
            )
            for seat, player in enumerate(result["players"])
        ),
        result["decided_by"],
        result["rules_version"],
        basis,
    )


def ranks_to_show(seats: Sequence[SeatScore]) -> list[int]:
    """Return a rank for each player. Unknown ranks become the number after the highest known one, so these players come
    last."""
    last = max((seat.rank or 0 for seat in seats), default=0) + 1
    return [seat.rank or last for seat in seats]
