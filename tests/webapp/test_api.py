"""The scorer over HTTP."""

from __future__ import annotations

import json
from types import NoneType, UnionType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest
import schemathesis
from flask import Flask
from hypothesis import settings
from schemathesis.checks import CHECKS

from scorer.core import score
from scorer.result import Result
from tests.conftest import EXAMPLES, GAMES
from webapp import create_app
from webapp.clubs import Limit
from webapp.views import api

pytestmark = pytest.mark.either
pytest_plugins = ["schemathesis.pytest.plugin"]

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


def test_totals_leave_the_reasons_out(app: Flask) -> None:
    [example, *_] = EXAMPLES
    answers = {
        asked: app.test_client().post(f"/api/v1/score{asked}", json=example.record).get_json()
        for asked in ("", "?totals=0", "?totals=1")
    }
    assert answers["?totals=0"] == answers[""] == score(example.record)
    assert answers["?totals=1"] == score(example.record, reasons=False)
    assert {key for player in answers["?totals=1"]["players"] for line in player["lines"] for key in line} == {
        "rule",
        "item",
        "label",
        "points",
    }


def test_totals_are_1_or_0(app: Flask) -> None:
    answer = app.test_client().post("/api/v1/score?totals=maybe", json=EXAMPLES[0].record)
    assert answer.status_code == 422 and [one["code"] for one in answer.get_json()["problems"]] == ["unknown_option"]


def test_what_is_no_json_says_where(app: Flask) -> None:
    for body, place in ((b'{"game":\n  1 2}', "Line 2, column 5"), (b'{"a": {"b": 1,\n"b": 2}}', "Line 2, column 1")):
        [problem] = app.test_client().post("/api/v1/score", data=body).get_json()["problems"]
        assert problem["code"] == "unreadable" and place in problem["message"]


def test_half_a_letter_is_answered(app: Flask) -> None:
    answer = app.test_client().post("/api/v1/score", data=b'{"game": "tenby", "\\ud800": "\\ud800", "players": []}')
    assert answer.status_code == 422


@pytest.mark.parametrize(("size", "status"), [(128 * 1024, 422), (128 * 1024 + 1, 413), (2 * 1024 * 1024, 413)])
def test_a_record_of_absurd_size_is_refused(app: Flask, size: int, status: int) -> None:
    assert app.test_client().post("/api/v1/score", data=b" " * size).status_code == status


def test_another_program_may_score_ten_records_a_second_and_no_more(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (api.scoring.attempts, api.scoring.seconds) == (600, 60)
    monkeypatch.setattr(api, "scoring", Limit("records", 2, 60))
    assert [app.test_client().post("/api/v1/score", json={}).status_code for _ in range(3)] == [422, 422, 429]


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


def plain(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return what the schema says of the names and types of a value, its references followed."""
    if "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        [kind] = {JSON_TYPES[type(one)] for one in schema["enum"]}
        return {"type": kind}
    found: dict[str, Any] = {"type": schema["type"]}
    if "properties" in schema:
        found["properties"] = {name: plain(described, one) for name, one in schema["properties"].items()}
        found["required"] = sorted(schema["required"])
    if "items" in schema:
        found["items"] = plain(described, schema["items"])
    return found


JSON_TYPES: dict[Any, str] = {str: "string", int: "integer", bool: "boolean", dict: "object", NoneType: "null"}


def of_type(kind: Any) -> dict[str, Any]:
    """The same of a type."""
    if is_typeddict(kind):
        fields = get_type_hints(kind, include_extras=True)
        return {
            "type": "object",
            "properties": {name: of_type(field) for name, field in fields.items()},
            "required": sorted(name for name, field in fields.items() if get_origin(field) is not NotRequired),
        }
    origin, parts = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return of_type(parts[0])
    if origin is list:
        return {"type": "array", "items": of_type(parts[0])}
    if origin is UnionType:
        return {"type": [JSON_TYPES[part] for part in parts]}
    return {"type": JSON_TYPES[origin or kind]}


def test_results_are_described_as_they_are_defined(app: Flask) -> None:
    described = app.test_client().get("/api/v1/openapi.json").get_json()
    assert plain(described, described["components"]["schemas"]["Result"]) == of_type(Result)
    answer = described["paths"]["/score"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": "#/components/schemas/Result"}


@SCHEMA.parametrize()
@settings(max_examples=60)
def test_generated_requests_are_answered_as_described(case: schemathesis.Case[Any]) -> None:
    # Whether a record is legal is for the rules of the game to say, not for a schema: 422 is a proper answer.
    unwanted: Any = CHECKS.get_one("positive_data_acceptance")
    case.call_and_validate(excluded_checks=[unwanted])
