"""Show help during the game, for games that offer it."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer import bounds
from webapp.page import render_template
from webapp.table import (
    COMPANION,
    TableContext,
    changing,
    forms,
    json_paths,
    onward,
    relevant_inputs,
    table_context,
    tables,
)

blueprint = Blueprint("companion", __name__, url_prefix="/tables/<key>/companion")


@blueprint.get("")
def show(key: str) -> str:
    return page(table_context(key))


def page(context: TableContext) -> str:
    entries, companion = context.entries, context.entries.companion
    if companion is None:
        abort(404)
    return render_template(
        "companion/show.html",
        table=context.table,
        companion=companion,
        context=context,
        inputs=relevant_inputs.visible(entries.companion_inputs, entries.companion_values),
        form=forms.build(entries.companion_inputs, entries.companion_values),
        answer=companion.answer(entries.loaded, entries.companion_values),
    )


@blueprint.post("")
def change(key: str) -> Response | str:
    with changing(key) as context:  # keeps what another phone has just changed
        inputs, values = context.entries.companion_inputs, context.entries.companion_values
        if not inputs:
            abort(404)
        values = forms.read(inputs, forms.build(inputs, values, request.form), values)
        values = json_paths.edited(values, request.form, most=bounds.MOST_VALUES)
        context = context.now_at(
            tables.keep_setup(context.db, context.table, {**context.table.setup, COMPANION: values})
        )
    if request.headers.get("X-Tidemark") == "part":
        return page(context)
    go = request.form.get("go", "")
    return redirect(onward(context.table, go) if go else url_for("companion.show", key=key), 303)
