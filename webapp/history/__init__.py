"""The history: saved games with every version, what is counted of them, and the people who played."""

from webapp.history import achievements, archive, careers, listing, people, plays, recount, rescore
from webapp.history.achievements import Achievement
from webapp.history.archive import Archived
from webapp.history.careers import Career
from webapp.history.listing import Filter, Listed
from webapp.history.people import Person
from webapp.history.plays import LONGEST_GAME, LONGEST_NOTES, YEARS, NewPlay, Play
from webapp.history.rating import Rating
from webapp.history.tallies import TALLIES, variant_of

__all__ = [
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
    "achievements",
    "archive",
    "careers",
    "listing",
    "people",
    "plays",
    "recount",
    "rescore",
    "variant_of",
]
