"""Tells every page in the language of its request.

Sentences stay sentences until they are printed: Jinja asks `tell` for the text of each, forms ask for that of their
labels. In English there is nothing to do, so where no other language is installed nobody asks at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from flask import Flask, current_app, request
from flask_babel import Babel, get_locale, get_translations
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape
from werkzeug.wrappers import Response
from wtforms import SelectField
from wtforms.meta import DefaultMeta

from scorer.sentences import (
    ENGLISH,
    Language,
    Sentence,
    Value,
    in_a_row,
    into,
    say,
    say_count,
    translated,
    wrong_places,
)
from webapp.language import BUILT_IN, DOMAIN, FOLDER, catalogues, closest

NAME = "languages"  # of this module among the app's extensions
SCRIPTS = "scripts.json"  # beside the catalogues: the messages in the scripts


@dataclass(frozen=True, slots=True)
class Languages:
    """What there is beside English, and which is told whatever the reader's device asks for, "" if it may ask."""

    known: list[str]
    pinned: str


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language, and how it writes dates and numbers."""

    language: Language
    locale: Locale


TONGUE: ContextVar[Tongue | None] = ContextVar("tongue", default=None)  # of the request, None for English


class WrittenInEnglish(Extension):
    """Where there is only English, `{{ _("...") }}` is what stands in it: put there when the template is read."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        escapes = self.environment.autoescape
        escapes = escapes(stream.name) if callable(escapes) else escapes
        tokens = list(stream)
        at = 0
        while at < len(tokens):
            print_of = tokens[at : at + len(SAID)]
            if [token.type for token in print_of] == SAID and print_of[1].value == "_":
                text = print_of[3].value
                yield Token(print_of[3].lineno, "data", str(escape(text)) if escapes else text)
                at += len(SAID)
            else:
                yield tokens[at]
                at += 1


SAID = ["variable_begin", "name", "lparen", "string", "rparen", "variable_end"]


def install(app: Flask) -> None:
    """Give the app the languages there are catalogues of, and its templates the words to be told in them."""
    folder = Path(app.config.get("TRANSLATIONS") or FOLDER)
    known = catalogues(folder)
    for name in known:
        Locale.parse(name)  # a folder by another name is somebody's mistake, told at the start
    pinned = closest(str(app.config.get("LANGUAGE") or ""), known)
    app.extensions[NAME] = Languages(known, pinned)
    Babel(
        app,
        configure_jinja=False,
        default_locale=BUILT_IN,
        default_domain=DOMAIN,
        default_translation_directories=str(folder.absolute()),
        locale_selector=wanted,
    )
    app.jinja_env.globals.update(
        _=say,
        ngettext=say_count,
        _html=sentence_html,
        _html_count=sentence_html_count,
        language_tag=language_tag,
        words_of_scripts=words_of_scripts,
    )
    app.jinja_env.filters.update(tell=tell, html_in_a_row=html_in_a_row)
    if known:
        app.jinja_env.finalize = tell
        app.jinja_env.filters["tojson"] = to_json
        app.before_request(begin)
        app.teardown_request(end)
        app.after_request(depends_on_the_reader)
    else:
        app.jinja_env.add_extension(WrittenInEnglish)


# -- the language of a request ---


def wanted() -> str:
    """The locale of this request: what the operator has set, or the best of what the reader's device asks for."""
    languages: Languages = current_app.extensions[NAME]
    if languages.pinned or not languages.known:
        return languages.pinned or BUILT_IN
    asked = (tag for tag, quality in request.accept_languages if quality > 0)
    return next(filter(None, (closest(tag, languages.known) for tag in asked)), BUILT_IN)


def of_request() -> Language | None:
    """The language that this request is told in, None for English or without a request."""
    tongue = TONGUE.get()
    return None if tongue is None else tongue.language


def locale() -> Locale | None:
    """How this request's language writes dates and numbers, None for English."""
    tongue = TONGUE.get()
    return None if tongue is None else tongue.locale


def language_tag() -> str:
    """As `<html lang>` has it: "en", "pt-BR"."""
    return str(locale() or BUILT_IN).replace("_", "-")


def begin() -> None:
    found = get_locale()
    abroad = found is not None and str(found) != BUILT_IN
    TONGUE.set(Tongue(get_translations(), found) if abroad else None)


def end(_: BaseException | None = None) -> None:
    TONGUE.set(None)


def depends_on_the_reader(response: Response) -> Response:
    if request.endpoint != "static":
        response.vary.add("Accept-Language")
    return response


# -- telling ---


def tell(value: Any) -> Any:
    """The text of a sentence in the language of the request; anything else as it is."""
    if isinstance(value, Sentence):
        language = of_request()
        return value if language is None else value.into(language)
    return value


def tell_all(value: Any) -> Any:
    """A structure of lists and objects with all its sentences told."""
    if isinstance(value, Mapping):
        return {tell(name): tell_all(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [tell_all(inner) for inner in value]
    return tell(value)


def to_json(value: Any) -> Markup:
    """The filter `tojson`, which is also what attributes for scripts are written with."""
    if of_request() is not None:
        value = tell_all(value)
    return htmlsafe_json_dumps(value, dumps=current_app.json.dumps)


def sentence_html(template: str, /, **values: Value | Markup) -> Markup:
    """A sentence with markup in it. What stands in its places is escaped, unless it is markup itself."""
    language = of_request() or ENGLISH
    return Markup(translated(language, template, "", _escaped(values, language)))  # noqa: S704  (values are escaped)


def sentence_html_count(one: str, many: str, n: int, /, **values: Value | Markup) -> Markup:
    """The same for a sentence that counts: how many stands at {n}."""
    language = of_request() or ENGLISH
    text = translated(language, one, many, _escaped({"n": n, **values}, language), n)
    return Markup(text)  # noqa: S704  (values are escaped)


def html_in_a_row(parts: Sequence[Value | Markup]) -> Markup:
    """ "A1, B2, C3", for parts with markup in them."""
    language = of_request() or ENGLISH
    return Markup(in_a_row([str(_safe(part, language)) for part in parts]).into(language))  # noqa: S704  (escaped)


def _escaped(values: Mapping[str, Value | Markup], language: Language) -> dict[str, str]:
    return {name: str(_safe(value, language)) for name, value in values.items()}


def _safe(value: Value | Markup, language: Language) -> Markup:
    return value if isinstance(value, Markup) else escape(into(value, language))


def words_of_scripts() -> dict[str, str]:
    """Return what the scripts say, by their English words, which they use where a translation is missing or wrong."""
    language = of_request()
    if language is None:
        return {}
    told = {message: language.gettext(message) for message in messages_of_scripts()}
    return {message: text for message, text in told.items() if wrong_places(text, message) == ([], [])}


@cache
def messages_of_scripts() -> tuple[str, ...]:
    """The messages in the scripts, as `make words` has found them."""
    return tuple(json.loads((FOLDER / SCRIPTS).read_text(encoding="utf-8")))


# -- forms ---


class Meta(DefaultMeta):
    """Forms whose fields tell their choices and attributes, such as labels for screen readers, in this language."""

    def render_field(self, field: Any, render_kw: Any) -> Markup:
        if of_request() is not None:
            render_kw = {name: tell(value) for name, value in {**(field.render_kw or {}), **render_kw}.items()}
            if isinstance(field, SelectField):
                choices: Any = field.choices
                field.choices = [replace(choice, label=tell(choice.label)) for choice in choices]
        shown: Markup = super().render_field(field, render_kw)
        return shown
