"""Statistics: what pages show of the sums that the history keeps."""

from webapp.statistics import cards, club, figures, game, insight, player, times
from webapp.statistics import period as periods
from webapp.statistics.game import way_label
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.period import Period
from webapp.statistics.scope import Scope

__all__ = [
    "Period",
    "Rate",
    "Scope",
    "Spread",
    "cards",
    "club",
    "figures",
    "game",
    "insight",
    "periods",
    "player",
    "times",
    "way_label",
]
