"""Show every part that pages are made of, in light and dark colours side by side. Only in debug mode."""

from __future__ import annotations

import re

from flask import Blueprint, Response

from scorer import games
from webapp import avatars, themes
from webapp.avatars import Avatar
from webapp.page import render_template
from webapp.table import Entries, example, pad

blueprint = Blueprint("style", __name__)

NIGHT = "@media (prefers-color-scheme: dark) {"


@blueprint.get("/style")
def show() -> str:
    entries, table = Entries(example.laid()), example.laid()
    boards = pad.boards(table.game, entries.relevant, example.MINE)
    return render_template(
        "style/show.html",
        game=table.game,
        games=games.all_games(),
        result=entries.result,
        board=boards[0],
        gaps=(),
        unplaced=(),
        decider="",
        looks=[seat.avatar for seat in table.seats],
        tokens=[Avatar(colour, token) for colour, token in zip(avatars.COLOURS, avatars.TOKENS, strict=False)],
    )


@blueprint.get("/style/schemes.css")
def schemes() -> Response:
    """Return the style sheet's colours, light within `.day` and dark within `.night`."""
    sheet = themes.SHEET.read_text(encoding="utf-8")
    day = sheet[sheet.index("/* The colours") : sheet.index(NIGHT)]
    night = sheet[sheet.index(NIGHT) + len(NIGHT) :].partition("\n}")[0]
    parts = [
        line
        for name, ours, theirs in ((".day", day, "light"), (".night", night, "dark"))
        for line in (re.sub(r"^\s*:root {", f"{name} {{", ours, flags=re.MULTILINE), *themes.rules(theirs, f"{name} "))
    ]
    return Response("\n".join(parts), mimetype="text/css")
