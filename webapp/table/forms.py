"""Turns the inputs of a game into WTForms fields, and what was posted back into the JSON of a record.

A field is named like the path of its value below the player or the table ("grid/1/2", "plan/achieved"), which is also
how the scorer says where a fault lies: so its messages find their field by themselves. Fields judge nothing: what
cannot be read stays as it was typed, for the scorer to complain about in words and for the player to correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from werkzeug.datastructures import MultiDict
from wtforms.form import BaseForm

from scorer.contract import Input, Json
from webapp.table import kinds
from webapp.table.kinds import Kind
from webapp.table.paths import ABSENT, get, put, steps
from webapp.telling import Meta


def build(inputs: Iterable[Input], values: Json, posted: MultiDict[str, str] | None = None) -> BaseForm:
    """The form of these inputs, filled with what was posted, or else with the values so far."""
    asked_for = fields_of(inputs)
    form = BaseForm({name: field for kind in asked_for for name, field in kind.leaves()}, meta=Meta())
    form.process(posted, data={name: shown for kind in asked_for for name, shown in kind.fill(begun(kind, values))})
    return form


def fields_of(inputs: Iterable[Input]) -> list[Kind]:
    """The inputs that have fields, each as one of its kind."""
    return [kind for kind in map(kinds.of, inputs) if kind.has_fields]


def begun(kind: Kind, values: Json) -> Json:
    """The value so far, or the one to begin with."""
    found = get(values, steps(kind.asked.name))
    return kind.asked.default if found is ABSENT else found


def names(inputs: Sequence[Input]) -> set[str]:
    """Where a message may belong: the names of the fields, and of the inputs themselves."""
    return {asked.name for asked in inputs} | {name for kind in fields_of(inputs) for name, _ in kind.leaves()}


def read(inputs: Iterable[Input], form: BaseForm, values: Json) -> Json:
    """The values so far with what the form holds put in; a field left blank takes its value out."""
    outer_first = sorted(fields_of(inputs), key=lambda kind: kind.asked.name.count("/"))  # what holds others, then they
    for kind in outer_first:
        values = put(values, steps(kind.asked.name), kind.read(form))
    return values


def defaults(inputs: Iterable[Input]) -> Json:
    """A table as the game is first laid."""
    setup: Json = {}
    for asked in inputs:
        if asked.of == "setup" and asked.default is not None:
            setup = put(setup, steps(asked.name), asked.default)
    return setup
