"""Translate every page into the language of its request.

A sentence is translated when it is printed: `page_text` does so for Jinja, `Meta` for labels of forms. If only English
is installed, nothing is looked up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from flask import Flask, current_app, request
from flask_babel import Babel, get_locale, get_translations
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape
from werkzeug.wrappers import Response
from wtforms.meta import DefaultMeta

from scorer.sentences import (
    ENGLISH,
    Language,
    Sentence,
    Value,
    Words,
    in_a_row,
    into,
    of_domain,
    say,
    say_as,
    say_count,
    translated,
    wrong_places,
)
from webapp import untranslated
from webapp.language import BUILT_IN, DOMAIN, FOLDER, SupportedLanguage, catalogues, closest
from webapp.template_messages import InlineEnglish, PackageMessages

NAME = "languages"  # of this module among the app's extensions
SCRIPTS = "scripts.json"  # beside the catalogues: the messages in the scripts


@dataclass(frozen=True, slots=True)
class Languages:
    """Hold the installed languages besides English, and the one set for everybody (`pinned`), or ""."""

    known: list[str]
    pinned: str


@dataclass(frozen=True, slots=True)
class RequestLanguage:
    """Hold the language of a request: for sentences, for pages (`marked`), and for dates and numbers (`locale`)."""

    language: Language
    marked: Language  # the language for pages, which marks English where a package has no translation
    locale: Locale


CURRENT: ContextVar[RequestLanguage | None] = ContextVar("tongue", default=None)  # None for English


def install(app: Flask) -> None:
    """Give the app its languages, and its templates the functions that translate."""
    folder = Path(app.config.get("TRANSLATIONS") or FOLDER)
    known = catalogues(folder)
    for name in known:
        Locale.parse(name)  # fails at the start if the name of a folder is wrong
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
        _as=say_as,
        ngettext=say_count,
        _html=sentence_html,
        _html_count=sentence_html_count,
        language_tag=language_tag,
        words_of_scripts=words_of_scripts,
    )
    app.jinja_env.filters.update(tell=page_text, html_in_a_row=html_in_a_row)
    if known:
        app.jinja_env.globals["said_by"] = gettext_of
        app.jinja_env.add_extension(PackageMessages)
        app.jinja_env.finalize = page_text
        app.jinja_env.filters["tojson"] = to_json
        app.before_request(begin)
        app.teardown_request(end)
        app.after_request(vary_by_language)
    else:
        app.jinja_env.add_extension(InlineEnglish)


# -- the language of a request ---


def wanted() -> str:
    """Return the locale of this request: what the server owner has set, or the best that the browser asks for."""
    languages: Languages = current_app.extensions[NAME]
    if languages.pinned or not languages.known:
        return languages.pinned or BUILT_IN
    asked = (tag for tag, quality in request.accept_languages if quality > 0)
    return next(filter(None, (closest(tag, languages.known) for tag in asked)), BUILT_IN)


def of_request() -> Language | None:
    """Return the language of this request, or None for English or without a request."""
    tongue = CURRENT.get()
    return None if tongue is None else tongue.language


def locale() -> Locale | None:
    """Return the locale for dates and numbers of this request, or None for English."""
    tongue = CURRENT.get()
    return None if tongue is None else tongue.locale


def language_tag() -> str:
    """Return the language as `<html lang>` has it, such as "en" or "pt-BR"."""
    return str(locale() or BUILT_IN).replace("_", "-")


def begin() -> None:
    found = get_locale()
    abroad = found is not None and str(found) != BUILT_IN
    if not abroad:
        CURRENT.set(None)
        return
    ours, locale = get_translations(), str(found)
    CURRENT.set(
        RequestLanguage(
            SupportedLanguage(ours, locale), SupportedLanguage(ours, locale, untranslated.MarkedEnglish()), found
        )
    )


def end(_: BaseException | None = None) -> None:
    CURRENT.set(None)


def vary_by_language(response: Response) -> Response:
    if request.endpoint != "static":
        response.vary.add("Accept-Language")
        if of_request() is not None:
            untranslated.replace_marks(response)
    return response


# -- sentences ---


def translate(value: Any) -> Any:
    """Return the text of a sentence in the language of the request; anything else is returned unchanged."""
    if isinstance(value, Sentence):
        language = of_request()
        return value if language is None else value.into(language)
    return value


def page_text(value: Any) -> Any:
    """Return what a page prints for a value: a sentence translated, or in marked English if no translation exists."""
    tongue = CURRENT.get()
    return value.into(tongue.marked) if tongue is not None and isinstance(value, Sentence) else value


def translate_all(value: Any) -> Any:
    """Return a structure of lists and objects with all its sentences translated."""
    if isinstance(value, Mapping):
        return {translate(name): translate_all(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [translate_all(inner) for inner in value]
    return translate(value)


def to_json(value: Any) -> Markup:
    """Return the value as JSON for the filter `tojson`, with translated sentences; attributes for scripts use it."""
    if of_request() is not None:
        value = translate_all(value)
    return htmlsafe_json_dumps(value, dumps=current_app.json.dumps)


def sentence_html(template: str, /, **values: Value | Markup) -> Markup:
    """Return the sentence `template` with markup. Its values are escaped unless they are markup."""
    return _html("", template, "", values)


def sentence_html_count(one: str, many: str, n: int, /, **values: Value | Markup) -> Markup:
    """Return the sentence `one` or `many` with markup, depending on the number `n`; {n} stands for the number."""
    return _html("", one, many, {"n": n, **values}, n)


def gettext_of(way: str, domain: str) -> Callable[..., Sentence | Markup]:
    """Return what the templates of the package `domain` use instead of the function named by `way`. It looks up
    sentences in the package's catalogue. `way` is `_`, `ngettext`, `_html` or `_html_count`."""
    return PACKAGE_FUNCTIONS[way](domain)


def _html(domain: str, one: str, many: str, values: Mapping[str, Value | Markup], n: int = 1) -> Markup:
    language = _of_page()
    text = translated(of_domain(language, domain), one, many, _escaped(values, language), n)
    return Markup(text)  # noqa: S704  (values are escaped)


def _html_of(domain: str) -> Callable[..., Markup]:
    return lambda template, /, **values: _html(domain, template, "", values)


def _html_count_of(domain: str) -> Callable[..., Markup]:
    return lambda one, many, n, /, **values: _html(domain, one, many, {"n": n, **values}, n)


PACKAGE_FUNCTIONS: dict[str, Callable[[str], Callable[..., Sentence | Markup]]] = {
    "_": lambda domain: Words(domain).say,
    "ngettext": lambda domain: Words(domain).say_count,
    "_html": _html_of,
    "_html_count": _html_count_of,
}


def _of_page() -> Language:
    tongue = CURRENT.get()
    return ENGLISH if tongue is None else tongue.marked


def html_in_a_row(parts: Sequence[Value | Markup]) -> Markup:
    """Return the parts, which may have markup, joined to a list such as "A1, B2, C3"."""
    language = _of_page()
    return Markup(in_a_row([str(_safe(part, language)) for part in parts]).into(language))  # noqa: S704  (escaped)


def _escaped(values: Mapping[str, Value | Markup], language: Language) -> dict[str, str]:
    return {name: str(_safe(value, language)) for name, value in values.items()}


def _safe(value: Value | Markup, language: Language) -> Markup:
    return value if isinstance(value, Markup) else escape(into(value, language))


def words_of_scripts() -> dict[str, str]:
    """Return the translated messages of scripts by their English text. Those with wrong placeholders are left out."""
    language = of_request()
    if language is None:
        return {}
    translations = {message: language.gettext(message) for message in messages_of_scripts()}
    return {message: text for message, text in translations.items() if wrong_places(text, message) == ([], [])}


@cache
def messages_of_scripts() -> tuple[str, ...]:
    """Return the messages in the scripts, as `make words` has found them."""
    return tuple(json.loads((FOLDER / SCRIPTS).read_text(encoding="utf-8")))


# -- forms ---


class Meta(DefaultMeta):
    """Translate the attributes of form fields, such as labels for screen readers."""

    def render_field(self, field: Any, render_kw: Any) -> Markup:
        render_kw = {**(field.render_kw or {}), **render_kw}
        if of_request() is not None:
            render_kw = {name: translate(value) for name, value in render_kw.items()}
        shown: Markup = field.widget(field, **render_kw)
        return shown
