"""Build sentences from English templates with named values, so that they can be translated later.

    say("{cell} sees {cottages}", cell="B2", cottages=say_count("{n} Cottage", "{n} Cottages", 2))

A `Sentence` is a `str` with its English text. It also remembers its template and values, and `into` translates them.
Values are sentences, numbers or plain text; plain text is never translated (names, squares, codes). Sentences are never
stored, so their wording can change at any time.

Templates are string literals in the call, where the collector of messages finds them; `printed` is for words from a
`.toml` file. The only markup is `{name}`, because catalogues may come from strangers.

A package with its own game brings its own catalogues, and makes its sentences with its own `Words`:

    WORDS = Words("cascadia")
    say, say_count, printed = WORDS.say, WORDS.say_count, WORDS.printed
"""

from __future__ import annotations

import functools
import gettext
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Union

log = logging.getLogger("tidemark.sentences")
Value = Union["Sentence", str, int]
# A cache for functions that make sentences from a few small numbers, since the same ones come again and again.
cached_sentence = functools.lru_cache(maxsize=4096)

MINUS = "−"
CONTEXT = "\x04"  # separates a context from its message, as in compiled catalogues
PLACE = re.compile(r"\{(\w+)\}")
PLAIN = re.compile(r"(?:[^{}]|\{[a-z_]+\})*")  # every brace belongs to a placeholder
NEXT, AND, OR, CLAUSE = "{before}, {next}", "{before} and {last}", "{before} or {last}", "{before}. {next}"
SENTENCE = "{before} {next}"
LISTS = {  # the patterns between the parts, and before the last one
    "and": (NEXT, AND),
    "or": (NEXT, OR),
    "comma": (NEXT, ""),
    "clause": (CLAUSE, ""),
    "sentence": (SENTENCE, ""),
}


class Language(Protocol):
    """Describe the translations that the standard library's `gettext` and Babel provide."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...


class Sentence(str):
    """Hold an English text with the template and the values that it was made of."""

    __slots__ = ("domain", "many", "template", "values")
    template: str
    many: str  # the plural template, "" without a plural
    values: Mapping[str, Value]
    domain: str  # the id of the game whose catalogues contain it; "" for ours

    def into(self, language: Language) -> str:
        """Return the text translated into `language`."""
        if not self.template:
            return ""
        values = {name: into(value, language) for name, value in self.values.items()}
        n = _number(self.values) if self.many else 1
        return translated(of_domain(language, self.domain), self.template, self.many, values, n)


class Listing(Sentence):
    """Hold several things as a list in one text: "A1, B2 and C3"."""

    __slots__ = ("kind", "parts")
    kind: str
    parts: tuple[Value, ...]

    def into(self, language: Language) -> str:
        parts = [into(part, language) for part in self.parts]
        between, ending = LISTS[self.kind]
        return _joined(parts, _pattern(language, between), _pattern(language, ending) if ending else "")


@dataclass(frozen=True, slots=True)
class Words:
    """Make sentences whose translations come with the package of a game instead of Tidemark."""

    domain: str

    def say(self, template: str, /, **values: Value) -> Sentence:
        """Return a sentence made of a template and values, which the game's own catalogues translate."""
        return _made(template, "", values, self.domain)

    def say_count(self, one: str, many: str, n: int, /, **values: Value) -> Sentence:
        """Return the sentence `one` if `n` is 1, otherwise `many`; the game's own catalogues translate it."""
        return _made(one, many, {"n": n, **values}, self.domain)

    def printed(self, text: str) -> Sentence:
        """Return a text from a data file as a sentence, which the game's own catalogues translate."""
        return _made(text, "", {}, self.domain)


def say(template: str, /, **values: Value) -> Sentence:
    """Return a sentence made of an English template and a value for each of its placeholders."""
    return _made(template, "", values)


def say_count(one: str, many: str, n: int, /, **values: Value) -> Sentence:
    """Return the sentence `one` if `n` is 1, otherwise `many`. `n` fills the placeholder {n}, and `values` fill the
    others."""
    return _made(one, many, {"n": n, **values})


def say_as(context: str, template: str, /, **values: Value) -> Sentence:
    """Return a sentence made of an English template that alone has several meanings. `context`, such as "symbol" for
    "character", tells translators which is meant. `values` fill the placeholders."""
    return _made(context + CONTEXT + template, "", values)


def printed(text: str) -> Sentence:
    """Return a text from a data file, such as `about.toml`, as a sentence that can be translated. Words before "|", as
    in "occasion|Game", are only a hint for translators."""
    return _made(text.replace("|", CONTEXT, 1), "", {})


def as_it_is(text: str) -> Sentence:
    """Return a text as a sentence that stays the same in every language, such as a name."""
    return _made("{text}", "", {"text": text})


def listed(parts: Sequence[Value]) -> Listing:
    """Join the parts with commas and a last "and": "A1", "A1 and B2", or "A1, B2 and C3"."""
    return _listing("and", parts)


def listed_or(parts: Sequence[Value]) -> Listing:
    """Join the parts with commas and a last "or": "A1", "A1 or B2", or "A1, B2 or C3"."""
    return _listing("or", parts)


def in_a_row(parts: Sequence[Value]) -> Listing:
    """Join the parts with commas only: "A1, B2, C3"."""
    return _listing("comma", parts)


def in_clauses(parts: Sequence[Value]) -> Sentence:
    """Join parts with a full stop and a blank: "A1 stands alone. B2 to B4: 2 other symbols". A single sentence is
    returned as it is."""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Sentence) else _listing("clause", parts)


def in_sentences(parts: Sequence[Value]) -> Sentence:
    """Join whole sentences with blanks: "This tile has another shape. A single window.". A single sentence is returned
    as it is."""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Sentence) else _listing("sentence", parts)


def of_domain(language: Language, domain: str) -> Language:
    """Return the translations of the game `domain` in this language, or English if there are none. An empty `domain`
    stands for Tidemark's own translations."""
    find: Callable[[str], Language] | None = getattr(language, "of_domain", None) if domain else None
    if find is not None:
        return find(domain)
    return ENGLISH if domain else language


def into(value: Value, language: Language) -> str:
    """Return any value as text; a sentence is translated into `language`."""
    return value.into(language) if isinstance(value, Sentence) else _plain(value)


def _plain(value: str | int) -> str:
    """Return a text as it is, and a number with a real minus sign."""
    return str(value).replace("-", MINUS) if isinstance(value, int) else value


def filled(template: str, values: Mapping[str, Value]) -> str:
    """Return the template with its placeholders filled; braces inside the values have no meaning."""
    return _filler(template)(values) if values else template


def translated(language: Language, one: str, many: str, values: Mapping[str, Value], n: int = 1) -> str:
    """Return the sentence `one`, or `many` for the number `n`, in a language. Return English if its translation has a
    placeholder without a value."""
    english = many if many and n != 1 else one
    text = language.ngettext(one, many, n) if many else language.gettext(one)
    try:
        return filled(_without_context(text), values)
    except KeyError as fault:
        _report(english, text, str(fault.args[0]))
        return filled(_without_context(english), values)


def _without_context(template: str) -> str:
    return template.rpartition(CONTEXT)[2]


@functools.lru_cache(maxsize=2048)
def _places(template: str) -> tuple[str, ...]:
    return tuple(PLACE.findall(template))


def wrong_places(text: str, one: str, many: str = "") -> tuple[list[str], list[str]]:
    """Return the placeholders that the translation `text` should not have, and those that it lacks. `one` and `many`
    are the English forms. A plural form may leave out {n}, and any placeholder that only one English form has."""
    templates = [set(_places(template)) for template in (one, many) if template]
    found, allowed, required = set(_places(text)), set.union(*templates), set.intersection(*templates)
    if many:
        required -= {"n"}
    return sorted(found - allowed), sorted(required - found)


def _pattern(language: Language, english: str) -> str:
    """Return the translation of the list pattern `english`, or the pattern itself if its placeholders are wrong."""
    text = language.gettext(english)
    extra, missing = wrong_places(text, english)
    if not extra and not missing:
        return text
    _report(english, text, (extra or missing)[0])
    return english


@functools.lru_cache(maxsize=1024)
def _report(english: str, text: str, place: str) -> None:
    """Log once that the translation `text` of `english` cannot be used because its placeholder `place` is wrong."""
    log.warning("Using English for %r: its translation %r has a wrong placeholder, {%s}", english, text, place)


def _made(one: str, many: str, values: Mapping[str, Value], domain: str = "") -> Sentence:
    template = many if many and _number(values) != 1 else one
    sentence = Sentence(filled(_without_context(template), _with_minus(values)))
    sentence.template, sentence.many, sentence.values, sentence.domain = one, many, values, domain
    return sentence


def _with_minus(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the values with a real minus sign before negative numbers, which are rare."""
    if any(isinstance(value, int) and value < 0 for value in values.values()):
        return {name: _plain(value) for name, value in values.items()}
    return values


@functools.lru_cache(maxsize=2048)
def _filler(template: str) -> Callable[[Mapping[str, Value]], str]:
    """Return a function that puts values into the template; plain templates use the fast `str.format_map`."""
    if PLAIN.fullmatch(template):
        return template.format_map
    return lambda values: PLACE.sub(lambda place: str(values[place[1]]), template)


def _listing(kind: str, parts: Sequence[Value]) -> Listing:
    listing = Listing(_joined([str(part) for part in parts], *LISTS[kind]))
    listing.kind, listing.parts = kind, tuple(parts)
    listing.template, listing.many, listing.values, listing.domain = "", "", {}, ""
    return listing


def _joined(parts: Sequence[str], between: str, ending: str) -> str:
    """Join the parts with the pattern `between`, such as "{before}, {next}". Join the last part with `ending`, such as
    "{before} and {last}", unless that is empty."""
    if len(parts) == 1:
        return parts[0]
    if ending and parts:
        return filled(ending, {"before": _joined(parts[:-1], between, ""), "last": parts[-1]})
    if between.startswith("{before}") and between.endswith("{next}"):
        return between[len("{before}") : -len("{next}")].join(parts)
    text = parts[0] if parts else ""
    for part in parts[1:]:
        text = filled(between, {"before": text, "next": part})
    return text


def _number(values: Mapping[str, Value]) -> int:
    n = values["n"]
    if not isinstance(n, int):
        raise TypeError("n is how many there are")
    return n


NOTHING = printed("")
ENGLISH: Language = gettext.NullTranslations()
