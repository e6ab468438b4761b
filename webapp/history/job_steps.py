"""List the kinds of jobs that the history has."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.history import delete_club, forget_in_texts, standings, time_zone
from webapp.jobs import Step

STEPS: Mapping[str, Step] = {
    "club": delete_club.step,
    "standings": standings.step,
    "words": forget_in_texts.step,
    "zone": time_zone.step,
}
