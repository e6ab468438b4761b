"""Help during the game, for games that offer it: who attracts the patron, what the rounds have paid."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.core import load
from webapp.database import get_db
from webapp.table import entry, forms, paths, tables
from webapp.table.tables import Table
from webapp.views.setup import table_of
from webapp.views.table import fact_inputs, onward

room = Blueprint("companion", __name__, url_prefix="/tables/<key>/companion")


@room.get("")
def show(key: str) -> str:
    return page(table_of(key))


def page(table: Table) -> str:
    companion = entry.companion_of(table)
    if companion is None:
        abort(404)
    loaded, told = load(table.game, entry.raw_record(table)), entry.told_companion(table)
    inputs = companion.asks(loaded, told)
    return render_template(
        "companion/show.html",
        table=table,
        companion=companion,
        inputs=inputs,
        form=forms.build(inputs, told),
        answer=companion.answer(loaded, told),
        totals=entry.totals(table),
        has_facts=bool(fact_inputs(table)),
        hosts=True,
    )


@room.post("")
def change(key: str) -> Response | str:
    table = table_of(key)
    companion = entry.companion_of(table)
    if companion is None:
        abort(404)
    told = entry.told_companion(table)
    inputs = companion.asks(load(table.game, entry.raw_record(table)), told)
    told = paths.edited(forms.read(inputs, forms.build(inputs, told, request.form), told), request.form)
    tables.keep_setup(get_db(), table, {**table.setup, entry.COMPANION: told})
    if request.headers.get("X-Tidemark") == "part":
        return page(table_of(key))
    go = request.form.get("go", "")
    return redirect(onward(table, 0) if go else url_for("companion.show", key=key), 303)
