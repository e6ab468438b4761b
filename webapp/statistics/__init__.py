"""Compute what pages show about saved games. SQL computes each figure when it is shown."""

from webapp.statistics import (
    achievement_holders,
    boards,
    cards,
    charts,
    club,
    figures,
    game,
    headlines,
    insight,
    player,
    results,
    year,
)
from webapp.statistics import period as periods
from webapp.statistics.game import most_relevant, variant_label
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.period import Period
from webapp.statistics.scope import MOST_CARDS, Scope

__all__ = [
    "MOST_CARDS",
    "Period",
    "Rate",
    "Scope",
    "Spread",
    "achievement_holders",
    "boards",
    "cards",
    "charts",
    "club",
    "figures",
    "game",
    "headlines",
    "insight",
    "most_relevant",
    "periods",
    "player",
    "results",
    "variant_label",
    "year",
]
