"""Find the messages in templates: in our own, and in those of packages with games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import escape

from scorer import games

SAID = ["variable_begin", "name", "lparen", "string", "rparen", "variable_end"]
SAID_BY = ("name", "lparen", "string", "comma", "string", "rparen")
FUNCTIONS = frozenset({"_", "ngettext", "_html", "_html_count"})


class InlineEnglish(Extension):
    """Replace `{{ _("...") }}` by its text when a template is read, if only English is installed."""

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


class PackageMessages(Extension):
    """Translate messages in the templates of a game with the catalogue of the game's package."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        domain = domain_of(stream.name or "")
        tokens = list(stream)
        for token, following in zip_longest(tokens, tokens[1:]):
            calls = domain and token.type == "name" and following is not None and following.type == "lparen"
            if calls and token.value in FUNCTIONS:
                for kind, value in zip(SAID_BY, ("said_by", "(", token.value, ",", domain, ")"), strict=True):
                    yield Token(token.lineno, kind, value)
            else:
                yield token


def domain_of(template: str) -> str:
    """Return the name of the catalogue that translates a game's template, or "" for one of our own templates."""
    folder, _, rest = template.partition("/")
    game = games.find(rest.partition("/")[0]) if folder == "games" else None
    return game.name.domain if game is not None else ""
