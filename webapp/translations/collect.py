"""Collect every sentence that people read into `messages.pot`, and update the catalogues: `make words`.

`python -m webapp.translations.collect GAME` does this for the package of a game, in the game's own folder.
`messages.pot` names files, but no lines, dates or computers. So the same sentences make the same file everywhere.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from scorer import games, sentences
from webapp.language import DOMAIN
from webapp.translations import comments

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TEMPLATE = HERE / f"{DOMAIN}.pot"
SCRIPTS = HERE / "scripts.json"

HEADER = """\
# The sentences of Tidemark, collected by `make words`: change them where they are said, not here.
#"""

TAGS = ["For translators:"]  # comments with this beginning go into the catalogue
COUNTED = (1, 2)  # which arguments are the singular and the plural
IN_CONTEXT = ((1, "c"), 2)
KEYWORDS = {
    "say": None,
    "say_as": IN_CONTEXT,
    "say_count": COUNTED,
    "_": None,
    "_as": IN_CONTEXT,
    "ngettext": COUNTED,
    "_html": None,
    "_html_count": COUNTED,
}
# The keys of the games' data files whose values are words. The games turn these into sentences with `printed`.
PRINTED = comments.TABLE["keys"]

# Headers that depend on the date or the person.
PASSING = ('"POT-Creation-Date', '"PO-Revision-Date', '"Last-Translator', '"Language-Team', '"Generated-By')

Found = tuple[int, str, str | tuple[str, str], list[str]]  # line, keyword, message, comments


def printed_words(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Found]:  # noqa: ARG001  (Babel's)
    """Yield the texts in a game's TOML file that pages show, in the form that Babel wants from an extractor. The
    comment of each text is the key that it stands at. Babel passes the other parameters, which are not used."""
    words = dict.fromkeys(_printed(tomllib.load(file)))
    for key, text in words:
        if any(letter.isalpha() for letter in text):  # not "5 / 3 / 1"
            context, _, word = text.rpartition("|")
            yield (1, "say_as", (context, word), [key]) if context else (1, "say", word, [key])


def _printed(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _printed(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _printed(inner, key)
    elif isinstance(value, str) and key in PRINTED:
        yield key, value


JINJA = {"extensions": "jinja2.ext.do", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
SCRIPT = {"template_string": "false"}
Method = str | Callable[..., Iterator[Any]]
WHERE: list[tuple[str, Method, dict[str, str]]] = [
    ("scorer/**/*.py", "python", {}),
    ("vision/**/*.py", "python", {}),
    ("webapp/**/*.py", "python", {}),
    ("templates/**/*.*", "jinja2", JINJA),
    ("scorer/games/*/page/*.html", "jinja2", JINJA),
    ("webapp/static/js/*.js", "javascript", SCRIPT),
    ("scorer/games/*/page/*.js", "javascript", SCRIPT),
    ("scorer/games/*/*.toml", printed_words, {}),
]
# The files of a game's package. Its script gets its words from the pages.
IN_PACKAGE: list[tuple[str, Method, dict[str, str]]] = [
    ("**/*.py", "python", {}),
    ("page/*.html", "jinja2", JINJA),
    ("*.toml", printed_words, {}),
]


def collect() -> Catalog:
    """Return a catalogue with every sentence of Tidemark, in the order of the files."""
    catalog = Catalog(project="Tidemark", charset="utf-8", header_comment=HEADER, fuzzy=False)
    for template in dict.fromkeys(
        template for templates in sentences.LISTS.values() for template in templates if template
    ):
        catalog.add(template, locations=[("scorer/sentences.py", 1)])
    return _gathered(catalog, ROOT, WHERE)


def collect_package(game: str) -> Catalog:
    """Return a catalogue of all sentences in the files of a game that is installed as a package."""
    catalog = Catalog(project=game, charset="utf-8", header_comment=f"# The sentences of {game}.\n#", fuzzy=False)
    return _gathered(catalog, games.folder(game), IN_PACKAGE)


def _gathered(catalog: Catalog, root: Path, where: list[tuple[str, Method, dict[str, str]]]) -> Catalog:
    counted: dict[str, str] = {}
    for pattern, method, options in where:
        for path in sorted(root.glob(pattern)):
            file = path.relative_to(root).as_posix()
            for message, notes, context in _messages(path, file, method, options):
                one, many = message if isinstance(message, tuple) else (message, "")
                if many and counted.setdefault(one, many) != many:
                    raise ValueError(f"{path}: {one!r} counts to {many!r} here and to {counted[one]!r} elsewhere")
                catalog.add(message, locations=[(file, 1)], auto_comments=notes, context=context)
    for found in catalog:
        found.flags.discard("python-format")  # a % in our sentences is just a per cent sign
    return catalog


def _messages(
    path: Path, name: str, method: Method, options: dict[str, str]
) -> Iterator[tuple[str | tuple[str, ...], list[str], str | None]]:
    """Yield each message of the file `path`, its notes for translators, and its context (None without one). `method` is
    Babel's name for the kind of file, or an extractor; `options` are those of the method. `name` is the name of the
    file in comments."""
    lines = path.read_text(encoding="utf-8").splitlines() if method == "jinja2" else []
    with path.open("rb") as file:
        for line, message, written, context in extract(method, file, KEYWORDS, TAGS, options, strip_comment_tags=True):
            if method is printed_words:
                what, written = comments.TABLE["keys"][written[0]], []
            else:
                what = comments.element("\n".join(lines[max(0, line - 5) : line]), forms(message)[0]) if lines else ""
            yield message, [*written, *comments.of_message(forms(message), name, what)], context


def scripts() -> list[str]:
    """Return the messages in JavaScript files, whose translations pages have to contain."""
    wanted = [where for where in WHERE if where[1] == "javascript"]
    found = [
        message
        for pattern, method, options in wanted
        for path in sorted(ROOT.glob(pattern))
        for message, *_ in _messages(path, path.name, method, options)
    ]
    return sorted({message for message in found if isinstance(message, str)})


def template(catalog: Catalog | None = None) -> bytes:
    """Return the text of the template `messages.pot`, or with `catalog` the text of a package's template."""
    text = BytesIO()
    write_po(text, catalog or collect(), width=120, omit_header=False, include_lineno=False, sort_by_file=False)
    lines = text.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(PASSING)).encode()


def scripts_file() -> bytes:
    """Return the content of `scripts.json`, the list of messages in scripts."""
    return (json.dumps(scripts(), ensure_ascii=False, indent=1) + "\n").encode()


def update(catalogue: Path, template: Catalog) -> int:
    """Update a language's catalogue from `template`, compile it, and return how many sentences it lacks. Raise
    ValueError, and write nothing, if a translation has wrong placeholders."""
    locale = catalogue.parent.parent.name
    with catalogue.open("rb") as file:
        found = read_po(file, locale=locale)
    found.update(template)
    faults = [f"{locale}: {fault}" for message in found if not message.fuzzy for fault in misplaced(message)]
    if faults:
        raise ValueError("\n".join(faults))
    with catalogue.open("wb") as file:
        write_po(file, found, width=120, include_lineno=False)
    with catalogue.with_suffix(".mo").open("wb") as file:
        write_mo(file, found)
    return sum(1 for message in found if message.id and (message.fuzzy or not all(message.string or ("",))))


def forms(text: Any) -> tuple[str, ...]:
    """Return the forms of a message or translation: singular and plural if it has both, none if it is missing."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def misplaced(message: Message) -> Iterator[str]:
    """Yield an error message for each placeholder that a translation misspells or lacks."""
    one, many = (*forms(message.id), "")[:2]
    for text in forms(message.string):
        if not one or not text:
            continue
        extra, missing = sentences.wrong_places(text, one, many)
        yield from (f"{text!r} has a placeholder {{{place}}}, but {one!r} has none." for place in extra)
        yield from (f"{text!r} lacks the placeholder {{{place}}} of {one!r}." for place in missing)


def main(folder: Path = HERE) -> int:
    """Collect all sentences and update every catalogue in the folder. Return 1 if a catalogue has errors, else 0."""
    TEMPLATE.write_bytes(template())
    SCRIPTS.write_bytes(scripts_file())
    return _brought_up_to_date(folder, TEMPLATE, collect())


def of_package(game: str) -> int:
    """Collect the sentences of a package, and update the catalogues in its folder `translations`.

    Return 1 if a catalogue has errors, else 0.
    """
    folder = games.folder(game) / "translations"
    folder.mkdir(exist_ok=True)
    target, known = folder / f"{game}.pot", collect_package(game)
    target.write_bytes(template(known))
    return _brought_up_to_date(folder, target, known)


def _brought_up_to_date(folder: Path, target: Path, known: Catalog) -> int:
    refused = 0
    print(f"{target.relative_to(ROOT) if target.is_relative_to(ROOT) else target} has {len(known)} sentences.")
    for catalogue in sorted(folder.glob(f"*/LC_MESSAGES/{target.stem}.po")):
        try:
            print(f"{catalogue.parent.parent.name} lacks {update(catalogue, known)} of them.")
        except ValueError as fault:
            print(fault, file=sys.stderr)
            refused = 1
    return refused


if __name__ == "__main__":
    sys.exit(of_package(sys.argv[1]) if sys.argv[1:] else main())
