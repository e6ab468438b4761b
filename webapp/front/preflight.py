"""Ask the application whether it accepts a body, before any of it is received."""

from __future__ import annotations

import io
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from webapp.front.pages import Answer, page

ASKED = "tidemark.asked"  # the key of the question in the environment


class Question:
    """Ask whether the body of a request may be sent. The application sets `most`, the largest size in bytes."""

    def __init__(self, most: int) -> None:
        self.most = most


def ask(app: Any, environ: Mapping[str, Any], unasked: int) -> Answer | int:
    """Ask the application about a request's body; return how many bytes it may have, or the answer that refuses it. The
    application accepts it by the status 100, "Continue". `unasked` is the limit if the application sets none."""
    question = Question(unasked)
    answer = page(app, {**environ, "wsgi.input": io.BytesIO(), ASKED: question})
    if answer.status != HTTPStatus.CONTINUE:
        return answer
    answer.close()
    return question.most
