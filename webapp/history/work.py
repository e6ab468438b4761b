"""The kinds of background work that a history has."""

from __future__ import annotations

from webapp.history import ending, in_words, standings, zones
from webapp.jobs import Steps

STEPS: Steps = {
    "club": ending.step,
    "standings": standings.step,
    "words": in_words.step,
    "zone": zones.step,
}
