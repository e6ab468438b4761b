"""Answer the questions of a comparison: one per line on standard input, answers on standard output.

A question is [name, arguments]; an answer is {"answer": ...} or {"fault": traceback}. Both sides run this module, so it
needs only the standard library.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any


def serve(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Answer questions until there are none left."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed must not get between the answers
    for line in os.fdopen(0, encoding="utf-8"):
        name, given = json.loads(line)
        try:
            said: Any = {"answer": answers[name](**given)}
        except Exception:  # whatever it is, the driver shows it
            said = {"fault": traceback.format_exc()}
        out.write(json.dumps(said, default=str) + "\n")
        out.flush()
    sys.stderr.flush()


def result(scored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers, ranks, codes and ids of a result, without texts for people."""
    return {
        "ok": scored["ok"],
        "problems": sorted([one["code"], one["where"], one["level"]] for one in scored["problems"]),
        "needs": [[one["input"], one["players"], one["where"]] for one in scored["needs"]],
        "winners": scored["winners"],
        "decided_by": scored["decided_by"],
        "players": [
            {
                "name": one["name"],
                "total": one["total"],
                "place": one["rank"],
                "winner": one["winner"],
                "lines": [[line["rule"], line["points"]] for line in one["lines"]],
                "cells": [sorted(line["cells"]) for line in one["lines"]],
                "tiebreaks": [[rung["rule"], rung["value"]] for rung in one["tiebreaks"]],
            }
            for one in scored["players"]
        ],
    }
