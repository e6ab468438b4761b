"""Statistics: what pages show of the sums that the history keeps."""

from webapp.statistics import club, game, player
from webapp.statistics.game import way_label
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.scope import Scope

__all__ = ["Rate", "Scope", "Spread", "club", "game", "player", "way_label"]
