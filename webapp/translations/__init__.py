"""Hold the catalogues: `messages.pot` with every sentence that people read, and a folder for each language.

`make words` collects the sentences, updates the catalogues and compiles them. A new language begins with `pybabel init
-i webapp/translations/messages.pot -d webapp/translations -l <locale>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

__all__ = ["collected"]


def collected(game: str) -> Catalog:
    """Return the result of `collect_package`, a catalogue of all sentences of a package. Babel is imported only when
    this is called."""
    from webapp.translations.collect import collect_package

    return collect_package(game)
