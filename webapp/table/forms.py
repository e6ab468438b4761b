"""Turns the inputs of a game into WTForms fields, and what was posted back into the JSON of a record.

A field is named like the path of its value below the player or the table ("grid/1/2", "plan/achieved"), which is also
how the scorer says where a fault lies: so its messages find their field by themselves. Fields judge nothing: what
cannot be read stays as it was typed, for the scorer to complain about in words and for the player to correct.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.form import BaseForm
from wtforms.widgets import CheckboxInput, ListWidget, TextInput

from scorer.contract import Choice, Input, Json

Path = tuple[str, ...]
Edit = tuple[str, Json]  # a path as a text, and what to put there
ABSENT = object()


class NumberField(Field):
    """A whole number; anything else that was typed is kept as it stands, which a number input would swallow."""

    widget = TextInput()

    def _value(self) -> str:
        return "" if self.data is None else str(self.data)

    def process_formdata(self, valuelist: list[str]) -> None:
        if not valuelist:
            return
        text = valuelist[0].strip()
        self.data = (
            int(text) if text.removeprefix("-").isdecimal() and len(text) < 12 and text.isascii() else text or None
        )


class ChoiceField(SelectField):
    """One of the choices; values may be numbers or text."""

    def __init__(self, choices: Sequence[Choice], optional: bool, **kwargs: Any) -> None:
        self.by_text = {str(choice.value): choice.value for choice in choices}
        blank = [SelectChoice("", "–")] if optional else []
        super().__init__(
            choices=blank + selectable(choices),
            coerce=str,
            validate_choice=False,
            **kwargs,
        )

    def value(self) -> Json:
        return self.by_text.get(self.data, self.data or None)


class ChoicesField(SelectMultipleField):
    """Any of the choices, as check boxes."""

    widget = ListWidget(prefix_label=False)
    option_widget = CheckboxInput()

    def __init__(self, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(choices=selectable(choices), validate_choice=False, **kwargs)


def selectable(choices: Sequence[Choice]) -> list[SelectChoice]:
    return [SelectChoice(str(choice.value), choice.label) for choice in choices]


def leaves(asked: Input) -> Iterator[tuple[str, Any]]:
    """The fields of an input: one, or one for each square of a board or each place of an order."""
    if asked.kind in {"grid", "letters"}:
        rows, columns = asked.size
        for row in range(rows):
            for column in range(columns):
                yield f"{asked.name}/{row}/{column}", ChoiceField(asked.choices, False, label=asked.label)
    elif asked.kind == "tiles":
        for place in range(asked.size[1]):
            yield f"{asked.name}/{place}", ChoiceField(asked.choices, True, label=f"{place + 1}")
            yield f"{asked.name}/{place}/number", NumberField(f"{place + 1}", render_kw=digits(asked))
    elif asked.kind == "order":
        for place in range(len(asked.choices)):
            yield f"{asked.name}/{place}", ChoiceField(asked.choices, True, label=f"{asked.label} {place + 1}")
    elif asked.kind == "choice":
        yield asked.name, ChoiceField(asked.choices, asked.optional, label=asked.label, description=asked.help)
    elif asked.kind == "choices":
        yield asked.name, ChoicesField(asked.choices, label=asked.label, description=asked.help)
    elif asked.kind == "flag":
        yield asked.name, BooleanField(asked.label, description=asked.help)
    elif asked.kind == "number":
        yield asked.name, NumberField(asked.label, description=asked.help, render_kw=digits(asked))
    elif asked.kind in {"text", "date"}:
        kind = {"placeholder": "MM-DD", "maxlength": 5} if asked.kind == "date" else {"maxlength": 40}
        yield asked.name, StringField(asked.label, description=asked.help, render_kw=kind)


def digits(asked: Input) -> dict[str, Any]:
    # The phone's keypad of digits has no minus.
    keys = "numeric" if asked.low >= 0 else "text"
    return {"data-low": asked.low, "data-high": asked.high, "inputmode": keys, "maxlength": 6}


def build(inputs: Iterable[Input], values: Json, posted: MultiDict[str, str] | None = None) -> BaseForm:
    """The form of these inputs, filled with what was posted, or else with the values so far."""
    inputs = list(inputs)
    form = BaseForm({name: field for asked in inputs for name, field in leaves(asked)})
    form.process(posted, data={name: shown for asked in inputs for name, shown in fill(asked, values)})
    return form


def fill(asked: Input, values: Json) -> Iterator[tuple[str, Any]]:
    """What each field of the input shows for the values so far."""
    found = get(values, steps(asked.name))
    value = asked.default if found is ABSENT else found
    if asked.kind in {"grid", "letters"}:
        rows, columns = asked.size
        nothing = str(asked.choices[0].value)
        for row in range(rows):
            for column in range(columns):
                square = get(value, (str(row), str(column)))
                yield f"{asked.name}/{row}/{column}", nothing if square is ABSENT else str(square)
    elif asked.kind == "tiles":
        for place in range(asked.size[1]):
            found = get(value, (str(place),))
            tile = "" if found is ABSENT else str(found)
            yield f"{asked.name}/{place}", tile[:1]
            yield f"{asked.name}/{place}/number", tile[1:]
    elif asked.kind == "order":
        for place in range(len(asked.choices)):
            name = get(value, (str(place),))
            yield f"{asked.name}/{place}", "" if name is ABSENT else str(name)
    elif asked.kind == "choice":
        yield asked.name, "" if value is None else str(value)
    elif asked.kind == "choices":
        yield asked.name, [str(one) for one in value] if isinstance(value, list) else []
    else:
        yield asked.name, value


def read(inputs: Iterable[Input], form: BaseForm, values: Json) -> Json:
    """The values so far with what the form holds put in; a field left blank takes its value out."""
    for asked in inputs:
        if asked.kind != "data":
            values = put(values, steps(asked.name), taken(asked, form))
    return values


def taken(asked: Input, form: BaseForm) -> Json:
    """The value an input's fields hold."""
    if asked.kind in {"grid", "letters"}:
        rows, columns = asked.size
        squares = [[form[f"{asked.name}/{row}/{column}"].value() for column in range(columns)] for row in range(rows)]
        return ["".join(map(str, row)) for row in squares] if asked.kind == "letters" else squares
    if asked.kind == "tiles":
        places = [(form[f"{asked.name}/{place}"], place) for place in range(asked.size[1])]
        tiles = [f"{letter.data or ''}{form[f'{asked.name}/{place}/number']._value()}" for letter, place in places]
        return [tile for tile in tiles if tile]
    if asked.kind == "order":
        named = [form[f"{asked.name}/{place}"].value() for place in range(len(asked.choices))]
        return [name for name in named if name] or ABSENT
    field = form[asked.name]
    if asked.kind == "choice":
        chosen = field.value()
        return ABSENT if chosen is None else chosen
    if asked.kind == "choices":
        by_text = {str(choice.value): choice.value for choice in asked.choices}
        return [by_text.get(one, one) for one in field.data]
    if asked.kind in {"text", "date"}:
        text = (field.data or "").strip()
        return text or ABSENT
    return ABSENT if field.data is None else field.data


def defaults(inputs: Iterable[Input]) -> Json:
    """A table as the game is first laid."""
    setup: Json = {}
    for asked in inputs:
        if asked.of == "setup" and asked.default is not None:
            setup = put(setup, steps(asked.name), asked.default)
    return setup


def edited(values: Json, posted: MultiDict[str, str], picked: Sequence[Edit] = ()) -> Json:
    """The values after the buttons that put JSON at paths or take a path out, and with what was picked elsewhere."""
    for path, value in (*put_buttons(posted), *picked):
        values = put(values, steps(path), value)
    for path in posted.getlist("drop"):
        if path:
            values = put(values, steps(path), ABSENT)
    return values


def put_buttons(posted: MultiDict[str, str]) -> Iterator[Edit]:
    """The paths and values of buttons like `["streets/0/-", {...}]`; one button may carry several pairs."""
    for text in posted.getlist("put"):
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            continue  # not one of our buttons
        if isinstance(told, list) and len(told) % 2 == 0 and all(isinstance(path, str) and path for path in told[::2]):
            yield from zip(told[::2], told[1::2], strict=True)


def opened(values: Json, posted: MultiDict[str, str]) -> str:
    """The path of the part that stands open on the page: what was just asked for, or laid, or what stood open before.

    What is taken out closes it, since the paths behind it change; and what was picked is known already.
    """
    if "open" in posted:
        return posted["open"]
    for path, _ in put_buttons(posted):
        parent, _, last = path.rpartition("/")
        if last.startswith("^"):
            return f"{parent}/{last[1:]}"
        if last == "-":
            laid = get(values, steps(parent))
            return f"{parent}/{len(laid) - 1}" if isinstance(laid, list) else ""
    return "" if "drop" in posted or any(posted.getlist("pick")) else posted.get("opened", "")


# -- paths into JSON ---


@lru_cache(maxsize=8192)
def steps(path: str) -> Path:
    """A path as a JSON Pointer without its first slash."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/"))


def get(values: Json, path: Path) -> Json:
    """The value at the path, a letter of a text included, or ABSENT."""
    for step in path:
        if isinstance(values, dict) and step in values:
            values = values[step]
        elif isinstance(values, list | str) and step.isdecimal() and int(step) < len(values):
            values = values[int(step)]
        else:
            return ABSENT
    return values


def put(values: Json, path: Path, value: Json) -> Json:
    """The values with one put in, or taken out if it is ABSENT. "-" stands for the end of a list, "^2" for a new
    place before its element 2.

    What is missing on the way becomes an object, or a list where "-" follows; a step that leads nowhere, as past the
    end of a list, does nothing.
    """
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(values, list) or (first == "-" and not values):
        values = values or []
        return put_in_list(values, first, rest, value)
    kept = dict(values) if isinstance(values, dict) else {}
    if value is ABSENT and first not in kept:
        return values
    inner = put(kept.get(first, {} if rest else ABSENT), rest, value)
    if inner is ABSENT:
        kept.pop(first, None)
    else:
        kept[first] = inner
    return kept


def put_in_list(values: list[Json], first: str, rest: Path, value: Json) -> list[Json]:
    if first == "-" and value is not ABSENT:
        return [*values, put({}, rest, value) if rest else value]
    if first.startswith("^") and first[1:].isdecimal() and value is not ABSENT:
        place = int(first[1:])
        return [*values[:place], put({}, rest, value) if rest else value, *values[place:]]
    if not first.isdecimal() or int(first) >= len(values):
        return values
    index = int(first)
    inner = put(values[index], rest, value)
    return [*values[:index], *([] if inner is ABSENT else [inner]), *values[index + 1 :]]


def covered(values: Json, paths: Iterable[Path]) -> Json:
    """Only the parts of the values that some path leads to; elements of lists keep their places."""
    paths = list(paths)
    if () in paths:
        return values
    by_step: dict[str, list[Path]] = {}
    for path in paths:
        by_step.setdefault(path[0], []).append(path[1:])
    if isinstance(values, dict):
        return {key: covered(value, by_step[key]) for key, value in values.items() if key in by_step}
    if isinstance(values, list):
        return [covered(value, by_step.get(str(index), [])) for index, value in enumerate(values)]
    return values
