"""Make every page fail that queries the database while its template is rendered."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from jinja2 import Template

from webapp.database.postgres_connection import Postgres
from webapp.database.sqlite_connection import Sqlite


class Rendering(threading.local):
    """Hold the template that this thread renders, or ""."""

    name = ""


def install(patch: pytest.MonkeyPatch) -> None:
    """Watch templates and both engines until the patch is undone."""
    rendering, render = Rendering(), Template.render

    def watched(template: Template, *args: Any, **values: Any) -> str:
        around, rendering.name = rendering.name, template.name or "a template"
        try:
            return render(template, *args, **values)
        finally:
            rendering.name = around

    def only_outside(execute: Callable[..., Any]) -> Callable[..., Any]:
        def checked(db: Any, sql: str, *values: Any) -> Any:
            assert not rendering.name, f"{rendering.name} asks the database: {sql}"
            return execute(db, sql, *values)

        return checked

    patch.setattr(Template, "render", watched)
    for engine in (Sqlite, Postgres):
        patch.setattr(engine, "execute", only_outside(engine.execute))
