"""Sentences: English templates with named values, so that whatever a person reads can be told in another language.

    say("{cell} sees {cottages}", cell="B2", cottages=say_count("{n} Cottage", "{n} Cottages", 2))

A `Sentence` is its own English text, and whoever only wants that reads it like any other. It also remembers the
template and the values it was made of: `into` makes the text anew in another language. Values are sentences themselves,
numbers, or plain text, which is what people typed or what has no language (names, squares, codes). No sentence is ever
stored, so that the wording of any of them can change.

Templates stand literally in the call, where `make words` finds them; `printed` is for words that a `.toml` file holds.
They know `{name}` and nothing else, because words may come from a catalogue that somebody else wrote.

A package with a game of its own brings its own catalogues, and makes its sentences with a `Words` of its own:

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
# For functions that make sentences of a few small numbers, which come again with most records and at most changes.
remembered = functools.lru_cache(maxsize=4096)

MINUS = "−"
CONTEXT = "\x04"  # stands between a context and its message, as in compiled catalogues
PLACE = re.compile(r"\{(\w+)\}")
PLAIN = re.compile(r"(?:[^{}]|\{[a-z_]+\})*")  # every brace belongs to a place
NEXT, AND, OR, CLAUSE = "{before}, {next}", "{before} and {last}", "{before} or {last}", "{before}. {next}"
SENTENCE = "{before} {next}"
LISTS = {  # what stands between the parts, and before the last one
    "and": (NEXT, AND),
    "or": (NEXT, OR),
    "comma": (NEXT, ""),
    "clause": (CLAUSE, ""),
    "sentence": (SENTENCE, ""),
}


class Language(Protocol):
    """Hold what the standard library's `gettext` and Babel call translations."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...


class Sentence(str):
    """A text in English, with the template and the values it was made of."""

    __slots__ = ("domain", "many", "template", "values")
    template: str
    many: str  # the template for more than one, "" where nothing is counted
    values: Mapping[str, Value]
    domain: str  # the package whose catalogues have it, by the id of its game; "" for ours

    def into(self, language: Language) -> str:
        """The text in that language."""
        if not self.template:
            return ""
        values = {name: into(value, language) for name, value in self.values.items()}
        n = _number(self.values) if self.many else 1
        return translated(of_domain(language, self.domain), self.template, self.many, values, n)


class Listing(Sentence):
    """Some things in a row: "A1, B2 and C3"."""

    __slots__ = ("kind", "parts")
    kind: str
    parts: tuple[Value, ...]

    def into(self, language: Language) -> str:
        parts = [into(part, language) for part in self.parts]
        between, ending = LISTS[self.kind]
        return _joined(parts, _pattern(language, between), _pattern(language, ending) if ending else "")


@dataclass(frozen=True, slots=True)
class Words:
    """Make sentences whose translations come with the package of that game, and not with Tidemark."""

    domain: str

    def say(self, template: str, /, **values: Value) -> Sentence:
        """Return what `say` returns, in this domain."""
        return _made(template, "", values, self.domain)

    def say_count(self, one: str, many: str, n: int, /, **values: Value) -> Sentence:
        """Return what `say_count` returns, in this domain."""
        return _made(one, many, {"n": n, **values}, self.domain)

    def printed(self, text: str) -> Sentence:
        """Return what `printed` returns, in this domain."""
        return _made(text, "", {}, self.domain)


def say(template: str, /, **values: Value) -> Sentence:
    """A sentence, with a value for every name in its template."""
    return _made(template, "", values)


def say_count(one: str, many: str, n: int, /, **values: Value) -> Sentence:
    """A sentence that counts: how many stands at {n}."""
    return _made(one, many, {"n": n, **values})


def say_as(context: str, template: str, /, **values: Value) -> Sentence:
    """Return a sentence whose English has another meaning elsewhere: the context tells translators which is meant."""
    return _made(context + CONTEXT + template, "", values)


def printed(text: str) -> Sentence:
    """Return words from a data file, whose own extractor puts them into the catalogue. A context ends with a bar."""
    return _made(text.replace("|", CONTEXT, 1), "", {})


def as_it_is(text: str) -> Sentence:
    """Return a text that is the same in every language, such as a name."""
    return _made("{text}", "", {"text": text})


def listed(parts: Sequence[Value]) -> Listing:
    """ "A1", "A1 and B2", "A1, B2 and C3"."""
    return _listing("and", parts)


def listed_or(parts: Sequence[Value]) -> Listing:
    """ "A1, B2 or C3"."""
    return _listing("or", parts)


def in_a_row(parts: Sequence[Value]) -> Listing:
    """ "A1, B2, C3"."""
    return _listing("comma", parts)


def in_clauses(parts: Sequence[Value]) -> Sentence:
    """ "A1 stands alone. B2 to B4: 2 other symbols"."""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Sentence) else _listing("clause", parts)


def in_sentences(parts: Sequence[Value]) -> Sentence:
    """ "This tile has another shape. A single window."."""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Sentence) else _listing("sentence", parts)


def of_domain(language: Language, domain: str) -> Language:
    """Return the language as the package of that domain has it: English where it has no catalogue."""
    find: Callable[[str], Language] | None = getattr(language, "of_domain", None) if domain else None
    if find is not None:
        return find(domain)
    return ENGLISH if domain else language


def into(value: Value, language: Language) -> str:
    """Any value as it reads in that language."""
    return value.into(language) if isinstance(value, Sentence) else _plain(value)


def _plain(value: str | int) -> str:
    """Return a text as it is, and a number with a real minus sign."""
    return str(value).replace("-", MINUS) if isinstance(value, int) else value


def filled(template: str, values: Mapping[str, Value]) -> str:
    """The template with its places filled; what is in the values is never looked at for places."""
    return _filler(template)(values) if values else template


def translated(language: Language, one: str, many: str, values: Mapping[str, Value], n: int = 1) -> str:
    """Return the sentence in that language, or in English if its translation has a placeholder without a value."""
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
    """Return the placeholders that a translation has too many, and those that it lacks.

    A plural form may leave out the number itself, and whatever only one of the two English forms has.
    """
    templates = [set(_places(template)) for template in (one, many) if template]
    found, allowed, required = set(_places(text)), set.union(*templates), set.intersection(*templates)
    if many:
        required -= {"n"}
    return sorted(found - allowed), sorted(required - found)


def _pattern(language: Language, english: str) -> str:
    """Return how the language joins a list, or how English does if a part of the list would be lost."""
    text = language.gettext(english)
    extra, missing = wrong_places(text, english)
    if not extra and not missing:
        return text
    _report(english, text, (extra or missing)[0])
    return english


@functools.lru_cache(maxsize=1024)
def _report(english: str, text: str, place: str) -> None:
    """Log a translation that cannot be used: once, since it may stand on every page."""
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
    """Return what puts values into the template. `str.format_map` is the fastest, and does no harm to a plain
    template.
    """
    if PLAIN.fullmatch(template):
        return template.format_map
    return lambda values: PLACE.sub(lambda place: str(values[place[1]]), template)


def _listing(kind: str, parts: Sequence[Value]) -> Listing:
    listing = Listing(_joined([str(part) for part in parts], *LISTS[kind]))
    listing.kind, listing.parts = kind, tuple(parts)
    listing.template, listing.many, listing.values, listing.domain = "", "", {}, ""
    return listing


def _joined(parts: Sequence[str], between: str, ending: str) -> str:
    """The parts with `between` between them, and the last, where there is an ending, by that."""
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
