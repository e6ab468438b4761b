"""Hold the decision of a saved game: the numbers that were settled when it was saved, without any sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.contract import Json
from scorer.result import Result, is_decided, is_final, seats_without_points, unplaced

RULES, OLD_RULES, TOLD = "rules", "old_rules", "told"  # what a decision rests on

ScoredLine = tuple[str, str, int]  # rule, item, points


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Hold the score of one seat; total, rank and winner are None while they are open.

    A score that is not final has no lines: averages of lines are taken over final scores only.
    """

    total: int | None
    rank: int | None
    winner: bool | None
    lines: tuple[ScoredLine, ...] = ()
    final: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold the numbers that were settled, and whether rules or another program settled them."""

    seats: tuple[SeatScore, ...]
    decided_by: str | None
    rules_version: str
    basis: str = RULES

    def agrees_with(self, other: Decision) -> bool:
        """Return whether points, ranks, winners and `decided_by` are the same."""
        return (self.seats, self.decided_by) == (other.seats, other.decided_by)

    @classmethod
    def from_json(cls, value: Json) -> Decision:
        """Return a decision from what `dataclasses.asdict` made of it."""
        seats = tuple(
            SeatScore(**{**seat, "lines": tuple((rule, item, points) for rule, item, points in seat["lines"])})
            for seat in value["seats"]
        )
        return cls(seats, value["decided_by"], value["rules_version"], value["basis"])

    @property
    def margin(self) -> int | None:
        """Return how far the winner was ahead of the next player, or None if played alone or a total is open."""
        totals = [seat.total for seat in self.seats if seat.total is not None]
        won = [seat.total for seat in self.seats if seat.winner and seat.total is not None]
        if len(self.seats) < 2 or len(totals) < len(self.seats) or not won:
            return None
        others = [seat.total for seat in self.seats if not seat.winner and seat.total is not None]
        return max(won) - max(others, default=max(won))


def decision_of(record: Json, result: Result, basis: str = RULES) -> Decision:
    """Return the decision that a result gives."""
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
    """Return a rank for each seat; seats whose rank is open come last."""
    last = max((seat.rank or 0 for seat in seats), default=0) + 1
    return [seat.rank or last for seat in seats]
