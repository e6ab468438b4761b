"""Asks the application whether a body may come, before any of it is taken."""

from __future__ import annotations

import io
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from webapp.front.pages import Answer, page

ASKED = "tidemark.asked"  # the key under which the application finds the question


class Question:
    """A body that has not come yet. The application notes how many bytes of it there may be."""

    def __init__(self, most: int) -> None:
        self.most = most


def ask(app: Any, told: Mapping[str, Any], unasked: int) -> Answer | int:
    """Return how many bytes may come, or the answer to a request that need not be heard any further.

    The body may come if the answer is 100, "Continue".
    """
    question = Question(unasked)
    answer = page(app, {**told, "wsgi.input": io.BytesIO(), ASKED: question})
    if answer.status != HTTPStatus.CONTINUE:
        return answer
    answer.close()
    return question.most
