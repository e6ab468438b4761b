"""The kinds of background work that a history has."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.history import ending, in_words, standings, zones
from webapp.jobs import Step

STEPS: Mapping[str, Step] = {
    "club": ending.step,
    "standings": standings.step,
    "words": in_words.step,
    "zone": zones.step,
}
