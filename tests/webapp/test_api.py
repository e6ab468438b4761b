"""The scorer over HTTP."""

from __future__ import annotations

import json

import pytest
import schemathesis
from flask import Flask
from hypothesis import settings
from schemathesis.checks import CHECKS

from scorer.core import score
from tests.conftest import EXAMPLES, GAMES
from webapp import create_app

# The API reads no database, so one without a file will do for what is generated from its description.
SCHEMA = schemathesis.openapi.from_wsgi(
    "/api/v1/openapi.json", create_app({"DATABASE": ":memory:", "TESTING": True, "SECRET_KEY": "for the tests"})
)


def test_a_record_gets_the_scorers_own_result(app: Flask) -> None:
    for example in EXAMPLES:
        answer = app.test_client().post("/api/v1/score", json=example.record)
        assert answer.status_code == 200 and answer.get_json() == score(example.record)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"[" * 100_000, b"\xff\xfe", b'{"game": "chess"}', b"1" * 5000]
)
def test_what_is_no_record_is_answered_with_its_problems(app: Flask, body: bytes) -> None:
    answer = app.test_client().post("/api/v1/score", data=body)
    assert answer.status_code == 422
    assert answer.get_json()["ok"] is False and answer.get_json()["problems"]


def test_a_record_of_absurd_size_is_refused(app: Flask) -> None:
    assert app.test_client().post("/api/v1/score", data=b" " * (2 * 1024 * 1024)).status_code == 413


def test_it_needs_no_cookie_and_sets_none(app: Flask) -> None:
    answer = app.test_client().post("/api/v1/score", json={})
    assert "Set-Cookie" not in answer.headers


def test_games_are_listed(app: Flask) -> None:
    listed = app.test_client().get("/api/v1/games").get_json()
    assert [game["id"] for game in listed] == [game.id for game in GAMES]


def test_the_description_names_every_path(app: Flask) -> None:
    described = json.loads(app.test_client().get("/api/v1/openapi.json").get_data())
    served = {rule.rule.removeprefix("/api/v1") for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/v1")}
    assert set(described["paths"]) == served


@SCHEMA.parametrize()
@settings(max_examples=60)
def test_generated_requests_are_answered_as_described(case: schemathesis.Case) -> None:
    # Whether a record is legal is for the rules of the game to say, not for a schema: 422 is a proper answer.
    case.call_and_validate(excluded_checks=[CHECKS.get_one("positive_data_acceptance")])
