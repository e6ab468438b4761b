"""Render templates with what surrounds the content of every page, so that no template queries the database."""

from __future__ import annotations

from typing import Any

import flask
from flask import request
from jinja2 import Template

from webapp import clock_check, jobs
from webapp.clock import clock
from webapp.clubs import access
from webapp.database import get_db
from webapp.history import job_steps, saved_plays
from webapp.table import Table, acts, find_room_context, phones, rooms


def _nothing(role: str) -> bool:  # noqa: ARG001, a stranger has no rights of any role
    return False


FOR_STRANGERS: dict[str, Any] = {"may": _nothing, "club_name": "", "zone": ""}  # the surroundings for strangers
WITH_JOBS = frozenset({"stats", "players"})  # pages that show running jobs of the history


def render_template(template: str | list[str | Template], unreachable: bool = False, **values: Any) -> str:
    """Return the page of a template with these values, inside what surrounds every page, such as the menu.

    With `unreachable`, what surrounds it shows nothing of a club and needs no database.
    """
    around = FOR_STRANGERS if unreachable else _around(values)
    return flask.render_template(template, **{**around, **values})


def _around(values: dict[str, Any]) -> dict[str, Any]:
    db, here, table = get_db(), access.current(), values.get("table")
    around: dict[str, Any] = {
        "may": here.may if here else _nothing,
        "club_name": access.club_name(),
        "zone": access.zone(),
    }
    if request.blueprint in WITH_JOBS and here:
        around["running_jobs"] = jobs.of_club(db, here.club_id, *job_steps.STEPS)
    if request.blueprint == "home":
        around["rooms_here"] = [(room, rooms.title(db, room)) for room in phones.rooms_here(db)]
        around["clock_doubt"] = clock_check.in_words(clock.doubt)
    if isinstance(table, Table) and table.room is not None and request.method == "GET" and "wishes" not in values:
        context = find_room_context(db, table.room)
        around |= acts.shown(context) if context is not None else {}
    if isinstance(table, Table) and table.play_id is not None and not table.saved_at:
        around["saved_game"] = saved_plays.headline(db, table.play_id)
    return around
