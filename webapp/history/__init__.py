"""Save games with every earlier version, and store players, ratings, achievements and search words."""

from webapp.history import (
    achievements,
    archive,
    delete_club,
    finished,
    forget_player,
    from_07,
    job_steps,
    listing,
    missing_games,
    player_profiles,
    plays,
    rebuild,
    rescore,
    saved_plays,
    standings,
    time_zone,
    tonight,
    webhook,
)
from webapp.history.archive import Archived
from webapp.history.decision import OLD_RULES, RULES, TOLD, Decision, SeatScore, decision_of
from webapp.history.from_07 import decision_from_07, record_from_07
from webapp.history.listing import Filter, Listed
from webapp.history.new_play import NewPlay, NewVersion
from webapp.history.outcome import outcome
from webapp.history.play_rows import counted_rows, squares_of, variant_of
from webapp.history.player_profiles import Person
from webapp.history.plays import LONGEST_GAME, LONGEST_NOTES, YEARS
from webapp.history.rating import Rating
from webapp.history.saved_plays import Play, Version
from webapp.history.tonight import Tonight

__all__ = [
    "LONGEST_GAME",
    "LONGEST_NOTES",
    "OLD_RULES",
    "RULES",
    "TOLD",
    "YEARS",
    "Archived",
    "Decision",
    "Filter",
    "Listed",
    "NewPlay",
    "NewVersion",
    "Person",
    "Play",
    "Rating",
    "SeatScore",
    "Tonight",
    "Version",
    "achievements",
    "archive",
    "counted_rows",
    "database_07",
    "decision_from_07",
    "decision_of",
    "delete_club",
    "finished",
    "forget_player",
    "from_07",
    "job_steps",
    "listing",
    "missing_games",
    "outcome",
    "player_profiles",
    "plays",
    "rebuild",
    "record_from_07",
    "rescore",
    "saved_plays",
    "squares_of",
    "standings",
    "time_zone",
    "tonight",
    "variant_of",
    "webhook",
]
