"""List the kinds of background jobs for saved games, with the function that does a step of each."""

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
