"""Find the installed languages, and the one to use on the command line.

English is built in, since the sentences are written in it. Any other language is a compiled catalogue,
`translations/<locale>/LC_MESSAGES/messages.mo`, made by `make words`. A package with a game brings catalogues of its
own, `translations/<locale>/LC_MESSAGES/<id>.mo` in the game's folder. Nothing heavy is imported here, because the
command line has to start quickly; `webapp.i18n` translates pages.
"""

from __future__ import annotations

import functools
import gettext
import logging
import os
from pathlib import Path

from scorer import games
from scorer.sentences import ENGLISH, Language

log = logging.getLogger("tidemark.games")

BUILT_IN = "en"
DOMAIN = "messages"
FOLDER = Path(__file__).parent / "translations"

NO_LANGUAGE = ("C", "POSIX")  # set by scripts that parse our output


def catalogues(folder: Path = FOLDER) -> list[str]:
    """Return the locales of the folder's compiled catalogues."""
    return sorted(found.parent.parent.name for found in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))


def closest(wanted: str, known: list[str]) -> str:
    """Return the known locale for a tag such as "de-AT" or "de_AT.UTF-8", or "".

    If the country is unknown, the language alone counts.
    """
    tag = wanted.partition(".")[0].partition("@")[0].replace("-", "_").lower()
    by_tag = {locale.lower(): locale for locale in (BUILT_IN, *known)}
    return by_tag.get(tag) or by_tag.get(tag.partition("_")[0]) or ""


@functools.cache
def of_package(game: str, locale: str) -> Language | None:
    """Return the catalogue of a game's package for this locale, or None if it is missing or unreadable."""
    if game not in games.ids():
        return None
    try:
        return gettext.translation(game, games.folder(game) / "translations", [locale])
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as fault:
        log.warning("Ignoring the catalogue of %s for %s: %s", game, locale, fault)
        return None


class SupportedLanguage:
    """Combine Tidemark's own catalogue of a language with those that packages of games bring."""

    def __init__(self, ours: Language, locale: str, without: Language = ENGLISH) -> None:
        """Take Tidemark's own catalogue (`ours`), and the language for packages without a catalogue (`without`)."""
        self.ours, self.locale, self.without = ours, locale, without
        self.gettext, self.ngettext = ours.gettext, ours.ngettext

    def of_domain(self, domain: str) -> Language:
        """Return the catalogue of the package `domain`, or the language for packages without one."""
        return of_package(domain, self.locale) or self.without


def of_environment() -> Language:
    """Return the language of the command line: that of TIDEMARK_LANGUAGE, else of LANGUAGE, LC_ALL, LC_MESSAGES or
    LANG. If none of these is installed, it is English."""
    folder = Path(os.environ.get("TIDEMARK_TRANSLATIONS") or FOLDER)
    known = catalogues(folder)
    for wanted in _wanted() if known else ():
        locale = closest(wanted, known)
        if locale == BUILT_IN:
            break
        if locale:
            return SupportedLanguage(gettext.translation(DOMAIN, folder, [locale]), locale)
    return ENGLISH


def _wanted() -> list[str]:
    """Return the languages that the environment asks for, best first."""
    pinned = os.environ.get("TIDEMARK_LANGUAGE")
    if pinned:
        return [pinned]
    chosen = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if chosen in NO_LANGUAGE:
        return []
    return [*os.environ.get("LANGUAGE", "").split(":"), chosen]
