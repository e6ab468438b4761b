"""The history: saved games with every version, what is counted of them, and the people who played."""

from webapp.history import (
    achievements,
    archive,
    at_tables,
    careers,
    ending,
    forgetting,
    kept,
    listing,
    people,
    plays,
    recount,
    rescore,
    tonight,
    work,
    zones,
)
from webapp.history.achievements import Achievement
from webapp.history.archive import Archived
from webapp.history.careers import Career
from webapp.history.kept import Play
from webapp.history.listing import Filter, Listed
from webapp.history.people import Person
from webapp.history.plays import LONGEST_GAME, LONGEST_NOTES, YEARS, NewPlay
from webapp.history.rating import Rating
from webapp.history.sums import ANY_WAY, TALLIES
from webapp.history.tallies import variant_of
from webapp.history.tonight import Tonight

__all__ = [
    "ANY_WAY",
    "LONGEST_GAME",
    "LONGEST_NOTES",
    "TALLIES",
    "YEARS",
    "Achievement",
    "Archived",
    "Career",
    "Filter",
    "Listed",
    "NewPlay",
    "Person",
    "Play",
    "Rating",
    "Tonight",
    "achievements",
    "archive",
    "at_tables",
    "careers",
    "ending",
    "forgetting",
    "kept",
    "listing",
    "people",
    "plays",
    "recount",
    "rescore",
    "tonight",
    "variant_of",
    "work",
    "zones",
]
