"""Show a finished game of two boards to try. Anybody can change one of the boards, and nothing is saved."""

from __future__ import annotations

from flask import Blueprint, request

from webapp.page import render_template
from webapp.table import Entries, Table, example, forms, pad, relevant_inputs

blueprint = Blueprint("example", __name__)


@blueprint.get("/try")
def show() -> str:
    return page(example.laid())


@blueprint.post("/try")
def change() -> str:
    """Score the board as posted, and show it."""
    state = example.laid().seats[example.MINE].state or {}
    # An input about a piece, such as the contents of a warehouse, only exists once the piece is there.
    for _ in range(2):
        inputs = relevant_inputs.visible(Entries(example.with_mine(state)).inputs(example.MINE), state)
        state = forms.read(inputs, forms.build(inputs, state, request.form), state)
    return page(example.with_mine(state))


def page(table: Table) -> str:
    entries, seat = Entries(table), table.seats[example.MINE]
    preview, result = entries.preview(seat.number), entries.result
    inputs = relevant_inputs.visible(entries.inputs(seat.number), seat.state or {})
    return render_template(
        "example/show.html",
        table=table,
        seat=seat,
        inputs=inputs,
        form=forms.build(inputs, seat.state or {}),
        problems=forms.by_field(preview.problems, inputs),
        preview=preview,
        result=result,
        game=table.game,
        gaps=(),
        unplaced=(),
        decider=pad.decider(table.game, result) if result["ok"] else "",
        looks=[one.avatar for one in table.seats],
    )
