"""Convert a game's inputs to WTForms fields, and posted values back to the JSON of a record.

A field is named by the path of its value within the player or the table, such as "grid/1/2". The scorer names the
places of problems in the same way, so each message finds its field. Fields do not validate: a value that makes no sense
is kept as it was entered, and the scorer reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms.form import BaseForm

from scorer.contract import Input, Json, Section
from scorer.result import Fault
from webapp.i18n import Meta
from webapp.table import kinds
from webapp.table.json_paths import ABSENT, get, put, steps
from webapp.table.kinds import Kind, Painted
from webapp.table.kinds.fields import ChoiceField

COME = "come"  # the field by which a page says how much of it had loaded
BEGINS, ENDS = "begins", "ends"


class Form(BaseForm):
    """Hold the fields of inputs, for a page or for an answer to a phone that has some of them."""

    tags: Mapping[str, str] = MappingProxyType({})  # of the parts of the page that the phone has, see `parts`

    def data_of(self, name: str) -> list[Any]:
        """Return what the fields of the input with this name show. A date or an order has several fields."""
        return [each.data for path, each in self._fields.items() if f"{path}/".startswith(f"{name}/")]


def build(inputs: Iterable[Input], values: Json, posted: MultiDict[str, str] | None = None) -> Form:
    """Return the form of these inputs, filled with `posted`. If that is None, it has the current `values`."""
    asked_for = [(kind, begun(kind, values)) for kind in fields_of(inputs)]
    leaves = [leaf for kind, value in asked_for for leaf in kind.leaves(value)]
    form = Form({name: field for name, field, _ in leaves}, meta=Meta())
    if posted is not None and BEGINS in posted.getlist(COME):
        posted = as_far_as_it_came(form, asked_for, posted)
    form.process(posted, data={name: shown for name, _, shown in leaves})
    return form


def as_far_as_it_came(
    form: BaseForm, asked_for: Sequence[tuple[Kind[Any], Json]], posted: MultiDict[str, str]
) -> MultiDict[str, str]:
    """Return what a partly loaded page would have posted if it had loaded fully, without further changes by the user.

    A browser posts nothing for a check box without a tick. So the page posts a mark for each box that has loaded. Ticks
    of boxes without a mark are added to `posted`, and a menu that was cut off is left out. `asked_for` has each input's
    kind with its current value.
    """
    come, cut = posted.getlist(COME), cut_off(posted)
    ticks = [tick for kind, value in asked_for for tick in kind.ticked(value) if " ".join(tick) not in come]
    if cut and (cut not in form or isinstance(form[cut], ChoiceField)):
        posted = without(posted, cut)
    return MultiDict([*posted.items(multi=True), *ticks]) if ticks else posted


def cut_off(posted: MultiDict[str, str]) -> str:
    """Return the name of the last field that a partly loaded page posted, or "" if the page was complete. Its value may
    be wrong: a menu cut off before its chosen option posts its first option."""
    come = posted.getlist(COME)
    is_whole = BEGINS not in come or ENDS in come
    return "" if is_whole else next((name for name in reversed(list(posted)) if name != COME), "")


def without(posted: MultiDict[str, str], name: str) -> MultiDict[str, str]:
    return MultiDict([pair for pair in posted.items(multi=True) if pair[0] != name])


def fields_of(inputs: Iterable[Input]) -> list[Kind[Any]]:
    """Return all inputs that have fields, each wrapped in the class of its kind."""
    return [kind for kind in map(kinds.of, inputs) if kind.has_fields]


def begun(kind: Kind[Any], values: Json) -> Json:
    """Return the value that the input wrapped in `kind` has in `values`, or else the input's default."""
    found = get(values, steps(kind.asked.name))
    return kind.asked.default if found is ABSENT else found


def by_field(problems: Iterable[Fault], inputs: Sequence[Input]) -> dict[str, list[str]]:
    """Return the messages of problems by the name of their field or input; those that belong to none by ""."""
    there = list(problems)
    names = {asked.name for asked in inputs} | (shown(inputs, {}).keys() if there else set())
    found: dict[str, list[str]] = {}
    for problem in there:
        found.setdefault(problem["where"] if problem["where"] in names else "", []).append(problem["message"])
    return found


def read(inputs: Iterable[Input], form: BaseForm, values: Json) -> Json:
    """Return `values` with the entries of the form put in. A blank field removes its value."""
    outer_first = sorted(
        fields_of(inputs), key=lambda kind: kind.asked.name.count("/")
    )  # outer values before those inside them
    for kind in outer_first:
        values = put(values, steps(kind.asked.name), kind.read(form))
    return values


def changed(inputs: Iterable[Input], before: Json, after: Json) -> dict[str, str]:
    """Return the new text of each field that differs between `before` and `after`, by the field's name. An emptied
    field has "". Check boxes and lists are left out."""
    was, now = shown(inputs, before), shown(inputs, after)
    single = {name: value for name, value in now.items() if not isinstance(value, bool | list | tuple | dict)}
    return {name: "" if value is None else str(value) for name, value in single.items() if value != was.get(name)}


def shown(inputs: Iterable[Input], values: Json) -> dict[str, Any]:
    """Return the value that each field shows, by the field's name. A board has one entry for each square."""
    found: dict[str, Any] = {}
    for kind in fields_of(inputs):
        for name, _, value in kind.leaves(begun(kind, values)):
            found.update(value if isinstance(kind, Painted) else {name: value})
    return found


def defaults(inputs: Iterable[Input]) -> Json:
    """Return the options of a new table: the defaults of those inputs that the set-up page asks for."""
    setup: Json = {}
    for asked in inputs:
        if asked.section is Section.SETUP and asked.default is not None:
            setup = put(setup, steps(asked.name), asked.default)
    return setup
