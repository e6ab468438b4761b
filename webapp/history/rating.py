"""Rate players by the order of finish, with the Plackett-Luce model of Weng and Lin as OpenSkill uses it.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4, with every
player as a team of one. A rating is a normal distribution: its mean is the skill, its deviation the doubt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MEAN = 25.0
DOUBT = MEAN / 3
LUCK = MEAN / 6  # how far apart two players must be for skill to show in one game (beta)
LEAST_LEFT = 0.0001  # one game never removes all doubt (kappa)
SURE = 2  # 95% of a normal distribution lies within so many deviations of its mean


@dataclass(frozen=True, slots=True)
class Rating:
    """Hold a player's skill and our doubt about it: the mean and standard deviation of a normal distribution."""

    skill: float = MEAN
    doubt: float = DOUBT

    @property
    def low(self) -> float:
        return self.skill - SURE * self.doubt

    @property
    def high(self) -> float:
        return self.skill + SURE * self.doubt


def rate(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the players' ratings after a game, given those before and the ranks, all in the same order. Equal ranks
    are ties."""
    spread = math.sqrt(sum(rating.doubt**2 + LUCK**2 for rating in ratings))
    strength = [math.exp(rating.skill / spread) for rating in ratings]
    # For each player, the strength of all with this rank or a later one, and how many share the rank.
    behind = [sum(s for s, other in zip(strength, ranks, strict=True) if other >= rank) for rank in ranks]
    sharing = [ranks.count(rank) for rank in ranks]
    after = []
    for me, (rating, rank) in enumerate(zip(ratings, ranks, strict=True)):
        gain = certainty = 0.0
        for turn, other in enumerate(ranks):
            if other > rank:
                continue
            chance = strength[me] / behind[turn]
            gain += ((1 if turn == me else 0) - chance) / sharing[turn]
            certainty += chance * (1 - chance) / sharing[turn]
        share = rating.doubt**2 / spread
        certainty *= share / spread * (rating.doubt / spread)
        after.append(Rating(rating.skill + share * gain, rating.doubt * math.sqrt(max(1 - certainty, LEAST_LEFT))))
    return after
