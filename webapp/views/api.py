"""Offer the scorer and the photo reader to other programs, under /api/v1."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, current_app, request

from scorer import games
from scorer.contract import Problem
from scorer.core import score_text
from scorer.result import refused
from scorer.sentences import in_a_row, say
from vision import games as readers
from vision.reading import Reading
from webapp.clubs import Limit, address
from webapp.photo_uploads import MAX_UPLOAD, pool, take_upload

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

LARGEST = {"api.score_record": 128 * 1024, "api.read_photo": MAX_UPLOAD}
scoring = Limit("records", attempts=600, seconds=60)  # ten records a second


@blueprint.url_value_preprocessor
def limit_body(endpoint: str | None, _: object) -> None:
    """Limit the body of a request before it is read: a record to 128 kB, a photo to 20 MB."""
    request.max_content_length = LARGEST.get(endpoint or "", request.max_content_length)


def answer(content: Any, status: int = 200) -> Response:
    return Response(json.dumps(content, ensure_ascii=False), status, mimetype="application/json")


@blueprint.post("/score")
def score_record() -> Response:
    """Score the record in the body. Answer its result with status 200, or with 422 if it is not legal."""
    scoring.check(address())
    totals = request.args.get("totals", "0")
    if totals not in ("0", "1"):
        message = say("Set totals=1, or remove it.")
        return answer(refused("", [Problem("unknown_option", message)]), 422)
    result = score_text(request.get_data(), reasons=totals == "0")
    return answer(result, 200 if result["ok"] else 422)


@blueprint.post("/photo")
def read_photo() -> Response:
    """Read the photo in the multipart field `photo`. Answer with what was read, or with 202 if all readers are busy."""
    game = request.args.get("game")
    if game and readers.find(game) is None:
        message = say("Choose one of {options}. You entered {value}.", options=in_a_row(readers.names()), value=game)
        return answer(Reading(problems=[Problem("unknown_option", message)]).to_json() | {"file": file_name()}, 422)
    reading = pool().read(take_upload(), file=file_name(), game=game, whose=address())
    busy = any(problem["code"] == "wait" for problem in reading["problems"])
    response = answer(reading, 202 if busy else 200 if reading["ok"] else 422)
    if busy:
        response.headers["Retry-After"] = "5"
    return response


def file_name() -> str:
    sent = request.files.get("photo")
    return sent.filename or "" if sent else ""


@blueprint.get("/games")
def list_games() -> Response:
    return answer(
        [
            {
                "id": game.id,
                "name": game.name,
                "players": [game.players[0], game.players[-1]],
                "rules": [{"rule": rule, "label": label} for rule, label in game.rules.items()],
                "tiebreaks": [{"rule": step.rule, "label": step.label} for step in game.ladder],
                "version": game.version,
            }
            for game in games.all_games()
        ]
    )


@blueprint.get("/openapi.json")
def describe() -> Response:
    with current_app.open_resource("openapi.json") as file:
        described = json.load(file)
    described["components"]["schemas"]["Record"]["properties"]["game"]["examples"] = games.ids()
    described["servers"] = [{"url": f"{request.script_root}{blueprint.url_prefix}"}]
    return answer(described)
