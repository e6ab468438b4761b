"""Other languages: every word that a person reads can be told in one, and none is forgotten.

The language here is made up and has no Latin letters. Whatever Latin letter is left was said past the catalogue, unless
it is in no language.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from babel import UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from flask import Flask
from jinja2.runtime import Context

from scorer import games
from scorer.contract import choices_of
from scorer.core import score
from scorer.sentences import PLACE, Language, Sentence, Words, into, listed, say, say_count, wrong_places
from tests.conftest import EXAMPLES, ROOT, Example
from tests.documents import DOCS, commands
from tests.packages import PEBBLES, install, installed
from tests.test_voice import collected
from tests.webapp import made_up, walk
from tests.webapp.engines import copied, place
from tests.webapp.made_up import LOCALE, told
from tests.webapp.plays import database
from webapp import create_app, i18n, language, untranslated
from webapp.cli import demo, terminal
from webapp.cli.command import main
from webapp.exchange import tables_out
from webapp.table import example as at_the_example
from webapp.translations import collect

pytestmark = pytest.mark.either

LETTERS = re.compile(r"[A-Za-z]+")

# -- the language ---


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the catalogue of the language, compiled."""
    return made_up.compiled(tmp_path_factory.mktemp("translations"))


@pytest.fixture
def abroad(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """The language of a command line that asks for it, which the next test must not speak."""
    monkeypatch.setenv("TIDEMARK_TRANSLATIONS", str(folder))
    monkeypatch.setenv("LANGUAGE", LOCALE)
    monkeypatch.setenv("LANG", f"{LOCALE}_GR.UTF-8")
    for name in ("LC_ALL", "LC_MESSAGES", "TIDEMARK_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    terminal.language.cache_clear()
    yield language.of_environment()
    terminal.language.cache_clear()


def built(tmp_path: Path, **config: Any) -> Flask:
    return create_app({"DATABASE": place(tmp_path / "there.db"), "TESTING": True, "SECRET_KEY": "x", **config})


# -- what has no language ---

NO_WORDS = re.compile(
    r"""https?://\S+                 # addresses
    | /[a-z_0-9]+(/[a-z_0-9]+)*      # where in a record something lies
    | \b[A-Z]\d{0,2}\b              # squares and columns
    | \b[A-Z0-9]{6}\b               # the code of a table
    | \b(Tidemark|BG\ Stats|CSV|UTC)\b  # what programs, files and the time of no zone are called
    | \b(true|false|null)\b         # values as JSON has them
    | \b(Tiny\ Towns|Old\ London\ Bridge|Copenhagen|Tenby|Pier\ 18):  # whose board it is
    """,
    re.VERBOSE,
)
# Names that records and files have for what is in them, where a page says what is missing or unknown there.
GAMES = "|".join(["Tiny Towns", "Old London Bridge", "Copenhagen", "Tenby", "Pier 18"])
OF_FILES = {
    "/tables/": re.compile(told("Enter “") + r"[a-z ]+" + told("”.")),
    "/data/import": re.compile(rf"\b({'|'.join(tables_out.PLAYERS)}|s first|{GAMES})\b"),
    "/cards/tenby/file": re.compile(r"“[^”]*”|\b(tidemark-cards|terrace|pier|landmark|plain_end)\b"),
}
READ_OUT = ("title", "aria-label", "aria-valuetext", "alt", "placeholder", "label")
SAID_BY_SCRIPTS = ("data-ask", "data-share", "data-sending", "data-reading")


class Texts(HTMLParser):
    """Every text of a page that a person reads, sees or hears."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent: list[str] = []  # elements around this place whose text is no word
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.found += [values[name] for name in (*READ_OUT, *SAID_BY_SCRIPTS) if values.get(name)]
        if values.get("name") == "description":
            self.found.append(values["content"])
        mark = tag == "b" and values.get("aria-hidden") == "true"  # the letter on a piece
        code = "code" in values.get("class", "").split() or tag in {"script", "style"}
        if self.silent and tag == self.silent[0]:
            self.silent.append(tag)
        elif not self.silent and (mark or code):
            self.silent = [tag]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and tag == self.silent[0]:
            self.silent.pop()

    def handle_data(self, text: str) -> None:
        if not self.silent:
            self.found.append(text)


def named(value: Any) -> Iterator[str]:
    """Yield what people have called the things of a record: residents, goals, cards that nobody has published."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if key in {"name", "monument_name"} and isinstance(inner, str):
            yield inner
        elif key == "card_names":
            yield from inner.values()
        elif isinstance(inner, dict | list):
            yield from named(inner)


# The games of a demo club are varied from the examples.
OF_EXAMPLES = re.compile("|".join(sorted({re.escape(name) for example in EXAMPLES for name in named(example.record)})))


AT_THE_EXAMPLE = re.compile("|".join(rf"\b{seat.name}\b" for seat in at_the_example.laid().seats))


def in_no_language(page: str, text: str) -> str:
    """The text without the names that a record or a file has for its parts, or that people gave them."""
    for path, names in {
        **OF_FILES,
        **dict.fromkeys(("/plays/", "/tables", "/stats", "/players/"), OF_EXAMPLES),
    }.items():
        if f" {path}" in page:
            text = names.sub("", text)
    return text if not page.endswith((" /", " /try")) else AT_THE_EXAMPLE.sub("", text)


def untold(text: str) -> str:
    """The text, if it has words that are still in English."""
    return text.strip() if LETTERS.search(NO_WORDS.sub("", text)) else ""


def in_english(texts: Iterator[tuple[str, str]]) -> dict[str, str]:
    """The texts that are still in English, each with where it was found first."""
    found: dict[str, str] = {}
    for where, text in texts:
        if untold(text):
            found.setdefault(untold(text), where)
    return found


def listing(found: dict[str, str]) -> str:
    return "\n".join(f"{text!r}  ({where})" for text, where in found.items())


# -- pages ---

PEOPLE = {"Άδα": 6, "Ёлка": 4, "Дора": 3, "Χρ": 3, "Éß": 2, "Фарид": 2, "Ġř": 1, "ひろ": 1}


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The database of a club with a history, whose people have no letter that a sentence has."""
    path = tmp_path_factory.mktemp("letters") / "club.db"
    with pytest.MonkeyPatch.context() as patch, database(path) as db:
        patch.setattr(demo, "PEOPLE", PEOPLE)
        patch.setattr(demo, "GUESTS", {"Жю": 2})
        patch.setattr(demo, "CLUB", "Ως")
        patch.setattr(demo, "PLACES", ("", "Ö"))
        patch.setattr(demo, "NOTES", ("", "!"))
        demo.seed(db, 15)
    return place(path)


@pytest.fixture
def there(tmp_path: Path, letters: str, folder: Path) -> Flask:
    """That club in the made-up language."""
    config = {"DATABASE": copied(letters, tmp_path / "there.db"), "TESTING": True, "SECRET_KEY": "x"}
    return create_app({**config, "TRANSLATIONS": str(folder), "LANGUAGE": LOCALE})


def test_every_page_can_be_told_in_another_language(there: Flask) -> None:
    def texts() -> Iterator[tuple[str, str]]:
        for page in walk.walk(there, 1):
            assert page.status < 500, page.name
            if page.kind == "text/html":
                assert f'<html lang="{LOCALE}">' in page.text or "<html" not in page.text, page.name
                for text in Texts(page.text).found:
                    yield page.name, in_no_language(page.name, text)
            elif page.kind == "text/plain":
                yield page.name, page.text
            elif page.kind == "application/manifest+json":
                manifest = json.loads(page.text)
                yield page.name, manifest["description"]
                yield page.name, manifest["shortcuts"][0]["name"]

    try:
        found = in_english(texts())
    finally:
        if "photos" in there.extensions:
            there.extensions["photos"].close()
    assert not found, listing(found)


# -- which language ---


def test_the_language_is_the_best_that_the_device_asks_for(tmp_path: Path, folder: Path) -> None:
    client = built(tmp_path, TRANSLATIONS=str(folder)).test_client()

    def lang(asked: str) -> str:
        answer = client.get("/", headers={"Accept-Language": asked})
        assert "Accept-Language" in answer.headers["Vary"]
        found = re.search(r'<html lang="([^"]+)"', answer.get_data(as_text=True))
        assert found is not None
        return found[1]

    assert [lang(asked) for asked in ("", "de", "el", "el-CY", "de, el;q=0.5", "el;q=0, fr")] == [
        "en",
        "en",
        "el",
        "el",
        "el",
        "en",
    ]
    assert lang("en-US, el;q=0.9") == "en"
    assert lang("el, en;q=0.9") == "el"


@pytest.mark.parametrize(("pinned", "asked", "chosen"), [("el", "en", "el"), ("en", "el", "en"), ("de", "el", "el")])
def test_a_setting_pins_it(tmp_path: Path, folder: Path, pinned: str, asked: str, chosen: str) -> None:
    client = built(tmp_path, TRANSLATIONS=str(folder), LANGUAGE=pinned).test_client()
    page = client.get("/offline", headers={"Accept-Language": asked}).get_data(as_text=True)
    assert f'<html lang="{chosen}">' in page


def test_english_pages_are_the_same_with_and_without_other_languages(tmp_path: Path, folder: Path) -> None:
    pages = []
    for config in ({}, {"TRANSLATIONS": str(folder)}):
        app = built(tmp_path, **config)
        pages.append([app.test_client().get(path).get_data(as_text=True) for path in ("/", "/join", "/offline")])
        assert 'id="words-of-scripts"' not in pages[-1][0]
    assert without_tokens(pages[0]) == without_tokens(pages[1])


def without_tokens(pages: list[str]) -> list[str]:
    return [re.sub(r'name="csrf_token" value="[^"]+"', "", page) for page in pages]


def test_scripts_get_their_words(tmp_path: Path, folder: Path) -> None:
    page = built(tmp_path, TRANSLATIONS=str(folder), LANGUAGE=LOCALE).test_client().get("/").get_data(as_text=True)
    found = re.search(r'<script type="application/json" id="words-of-scripts">(.*?)</script>', page)
    assert found is not None
    words = json.loads(found[1])
    assert words["{label}: less"] == "{label}: ｌｅｓｓ"
    assert list(words) == collect.scripts()


@pytest.mark.parametrize(
    ("variables", "total"),
    [
        ({"LANG": "el_GR.UTF-8"}, "Ｔｏｔａｌ"),
        ({"LANG": "de_DE.UTF-8"}, "Total"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:el"}, "Ｔｏｔａｌ"),
        ({"LANG": "el_GR.UTF-8", "LANGUAGE": "en:el"}, "Total"),
        ({"LANG": "el_GR.UTF-8", "LC_ALL": "C"}, "Total"),
        ({"LANG": "C", "LANGUAGE": "el"}, "Total"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "el"}, "Ｔｏｔａｌ"),
        ({"LC_MESSAGES": "el", "LANG": "en_GB"}, "Ｔｏｔａｌ"),
        ({"TIDEMARK_LANGUAGE": "el", "LC_ALL": "C"}, "Ｔｏｔａｌ"),
        ({}, "Total"),
    ],
)
def test_the_command_line_goes_by_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], total: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "TIDEMARK_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TIDEMARK_TRANSLATIONS", str(folder))
    assert language.of_environment().gettext("Total") == total


# -- results ---

AS_IT_WAS = re.compile("“[^”]*”")  # what stands in the record is shown as it is
IDS = re.compile(r"\b[a-z]+(_[a-z0-9]+)*\b")
# Problems that name the ids which a record may have in that place.
OF_IDS = {"unknown_game", "unknown_option", "unknown_colour", "wrong_card", "bad_range"}
OF_IDS |= {"unknown_expansion", "unknown_monument", "unknown_resource", "unknown_target"}


def said(result: Any, tongue: Language) -> Iterator[tuple[str, str]]:
    """Yield every text of a result in this language, and where it stands."""
    for player in result["players"]:
        for line in player["lines"]:
            for field in ("label", "why", "cite"):
                yield f"{line['rule']} {field}", into(line[field], tongue)
        for rung in player["tiebreaks"]:
            yield f"{rung['rule']}", into(rung.get("why", ""), tongue)
    for fault in result["problems"]:
        text = into(fault["message"], tongue)
        yield fault["code"], AS_IT_WAS.sub("", IDS.sub("", text) if fault["code"] in OF_IDS else text)
    for need in result["needs"]:
        yield need["input"], into(need.get("label", ""), tongue)
    yield "rating", into(result.get("rating", ""), tongue)


def nameless(record: Any) -> Any:
    """The record with names in no Latin letters, of the players and of all that people named."""
    people = iter(PEOPLE)
    names = {player["name"]: next(people) for player in record["players"]}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {names.get(key, key): renamed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [renamed(inner) for inner in value]
        return names.get(value, value) if isinstance(value, str) else value

    for name in named(record):
        names.setdefault(name, f"№ {len(names)}")
    return renamed(record)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_reason_can_be_told_in_another_language(example: Example, abroad: Language) -> None:
    found = in_english(said(score(nameless(example.record)), abroad))
    assert not found, listing(found)


STRANGE: tuple[object, ...] = (None, "?", -1, 99, [], {}, True)


def spoiled(record: Any) -> Iterator[Any]:
    """The record with one value after another exchanged for something else, or taken away."""

    def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        if path:
            yield path
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, found in inner:
            yield from places(found, (*path, key))

    for number, path in enumerate(places(record)):
        for strange in (*STRANGE, *STRANGE)[number % len(STRANGE) :][:3]:
            changed = copy.deepcopy(record)
            around = changed
            for key in path[:-1]:
                around = around[key]
            if strange is None:
                del around[path[-1]]
            else:
                around[path[-1]] = strange
            yield changed


@pytest.mark.parametrize("game", games.all_games(), ids=lambda game: game.id)
def test_every_problem_can_be_told_in_another_language(game: Any, abroad: Language) -> None:
    def texts() -> Iterator[tuple[str, str]]:
        for example in [example for example in EXAMPLES if example.game is game][:8]:
            for record in spoiled(nameless(example.record)):
                yield from said(score(record), abroad)

    found = in_english(texts())
    assert not found, listing(found)


def test_a_catalogue_of_pieces_and_all_that_a_form_asks_can_be_told(abroad: Language) -> None:
    def texts() -> Iterator[tuple[str, str]]:
        for game in games.all_games():
            labels = [*game.rules.values(), *(step.label for step in game.ladder), game.name]
            labels += [text for asked in game.inputs for text in (asked.label, asked.help)]
            labels += [choice.label for asked in game.inputs for choice in choices_of(asked)]
            labels += [
                text
                for entry in game.cards.catalogue
                for text in (entry.name, entry.group, entry.text, entry.points, entry.expansion)
            ]
            labels += [game.companion.name, game.companion.text] if game.companion else []
            for label in labels:
                assert isinstance(label, Sentence), f"{game.id}: {label!r} is no sentence"
                yield game.id, label.into(abroad)

    found = in_english(texts())
    assert not found, listing(found)


# -- the command line ---

WITHOUT_WORDS = re.compile(r"\b(new|check)-game\b|\{[^}]*\}|--?[a-z]+|\b[A-Z]{2,}\b|[a-z_]+\.db|\b(tidemark|usage)\b")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):  # after --help
        main(arguments)
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.mark.usefixtures("abroad")
def test_the_command_line_scores_in_another_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [nameless(example.record) for example in EXAMPLES] + [{"game": "tenby"}, []]
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("\n".join(map(json.dumps, records)).encode())))
    shown = printed(capsys, "score", "--why").splitlines()
    assert len(shown) > len(records)
    found = in_english(("score", AS_IT_WAS.sub("", line)) for line in shown)
    assert not found, listing(found)


@pytest.mark.usefixtures("abroad")
def test_the_command_line_lists_games_and_reads_photos_in_another_language(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    nothing = tmp_path / "0.jpg"
    nothing.write_bytes(b"")
    lines = printed(capsys, "photo", str(walk.PHOTO), str(nothing)).splitlines()
    lines = [line.replace(walk.PHOTO.name, "").replace(nothing.name, "") for line in lines]
    lines += printed(capsys, "games").splitlines()
    ids = {"empty", "monument", *(game.id for game in games.all_games())}
    ids |= {entry.id for game in games.all_games() for entry in game.cards.catalogue}
    labels = re.compile(rf"\b(cube_[a-z]+|{'|'.join(ids)})\b")
    found = in_english(("games or photo", labels.sub("", line)) for line in lines)
    assert not found, listing(found)


COMMANDS = (
    "",
    "score",
    "games",
    "cards",
    "photo",
    "serve",
    "demo",
    "recount",
    "rescore",
    "backup",
    "restore",
    "export",
    "clock",
    "link",
    "move",
    "doctor",
)


@pytest.mark.usefixtures("abroad")
@pytest.mark.parametrize("command", [*COMMANDS, "import", "cards export", "cards import"])
def test_the_command_line_helps_in_another_language(capsys: pytest.CaptureFixture[str], command: str) -> None:
    shown = printed(capsys, *command.split(), "--help")
    assert "ｈｅｌｐ" in shown
    names = "|".join(
        {
            *" ".join(COMMANDS).split(),
            "import",
            "json",
            "players",
            "lines",
            "owner",
            "member",
            "viewer",
            "bgstats",
            "file",
            "game",
            "tenby",
        }
    )
    lines = [re.sub(rf"\b({names})\b", "", WITHOUT_WORDS.sub("", line)) for line in shown.splitlines()]
    found = in_english((command, line) for line in lines)
    assert not found, listing(found)


# -- the catalogue ---


def test_the_template_of_catalogues_is_up_to_date() -> None:
    assert collect.TEMPLATE.read_bytes() == collect.template(collected()), "run `make words`"
    assert collect.SCRIPTS.read_bytes() == collect.scripts_file(), "run `make words`"


def test_a_catalogue_is_brought_up_to_date_and_compiled(tmp_path: Path) -> None:
    catalogue = tmp_path / "de" / "LC_MESSAGES" / "messages.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text('msgid ""\nmsgstr ""\n"Language: de\\n"\n\nmsgid "Total"\nmsgstr "Summe"\n', encoding="utf-8")
    assert collect.update(catalogue, collected()) == len(collected()) - 1
    assert language.catalogues(tmp_path) == ["de"]
    assert 'msgid "Show result"' in catalogue.read_text(encoding="utf-8")


def test_the_documented_command_begins_a_catalogue(tmp_path: Path) -> None:
    [command] = commands(DOCS / "developers" / "translating.md")
    program, *options = command.replace("-d webapp/translations", f"-d {tmp_path}").split()
    subprocess.run([Path(sys.executable).with_name(Path(program).name), *options], cwd=ROOT, check=True)
    assert collect.update(tmp_path / "cy" / "LC_MESSAGES" / "messages.po", collected()) > 1000
    assert language.catalogues(tmp_path) == ["cy"]


# -- translations with wrong placeholders ---

PAIRS = [  # an English sentence, perhaps with its plural, and translations of it; what is wrong with them
    (("Hello {name}", ""), ["Hallo {nmae}"], (["nmae"], ["name"])),
    (("Hello {name}", ""), ["Hallo { name }"], ([], ["name"])),
    (("Hello {name}", ""), ["{name}, hallo {name}"], ([], [])),
    (("{n} game of {name}", "{n} games of {name}"), ["Ein Spiel von {name}"], ([], [])),
    (("{n} game of {name}", "{n} games of {name}"), ["{n} Spiele"], ([], ["name"])),
    (("{n} game of {name}", "{n} games of {name}"), ["{N} Spiele von {name}"], (["N"], [])),
    (("one game", "{n} games"), ["ein Spiel"], ([], [])),
    (("one game", "{n} games"), ["{n} Spiele"], ([], [])),
]


@pytest.mark.parametrize(("english", "texts", "wrong"), PAIRS)
def test_wrong_placeholders_are_found(
    english: tuple[str, str], texts: list[str], wrong: tuple[list[str], list[str]]
) -> None:
    assert [wrong_places(text, *english) for text in texts] == [wrong]


MISTYPED = (
    ("Tidemark is at {address}", ["Tidemark ist bei {adress}"]),
    (("{n} square of {town}", "{n} squares of {town}"), ["{n} Feld in {town}", "{n} Felder in {stadt}"]),
    ("{label}: less", ["{lable}: weniger"]),  # said by a script
    ("{before} and {last}", ["{before} und"]),
)


def catalogue_of(folder: Path, messages: Any, locale: str = "de") -> Path:
    """Write a catalogue of these messages, and return its path."""
    catalogue = Catalog(locale=locale)
    for english, texts in messages:
        catalogue.add(english, texts[0] if isinstance(english, str) else tuple(texts))
    path = folder / locale / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalogue)
    return path


def compiled_as_it_is(path: Path) -> Path:
    """Compile a catalogue as other programs do, which look for no placeholders; return the folder of all languages."""
    with path.open("rb") as file, path.with_suffix(".mo").open("wb") as target:
        write_mo(target, read_po(file))
    return path.parent.parent.parent


def test_make_words_refuses_wrong_placeholders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collect, "ROOT", tmp_path)  # nothing in the project is written
    monkeypatch.setattr(collect, "TEMPLATE", tmp_path / "messages.pot")
    monkeypatch.setattr(collect, "SCRIPTS", tmp_path / "scripts.json")
    template = Catalog()
    for english, _ in MISTYPED:
        template.add(english)
    monkeypatch.setattr(collect, "collect", lambda: template)
    path = catalogue_of(tmp_path, MISTYPED)
    catalogue_of(tmp_path, [("{label}: less", ["{label}: moins"])], "fr")
    before = path.read_bytes()
    assert collect.main(tmp_path) == 1
    said = capsys.readouterr()
    assert "fr lacks 3 of them." in said.out
    assert said.err.splitlines() == [
        "de: 'Tidemark ist bei {adress}' has a placeholder {adress}, but 'Tidemark is at {address}' has none.",
        "de: 'Tidemark ist bei {adress}' lacks the placeholder {address} of 'Tidemark is at {address}'.",
        "de: '{n} Felder in {stadt}' has a placeholder {stadt}, but '{n} square of {town}' has none.",
        "de: '{n} Felder in {stadt}' lacks the placeholder {town} of '{n} square of {town}'.",
        "de: '{lable}: weniger' has a placeholder {lable}, but '{label}: less' has none.",
        "de: '{lable}: weniger' lacks the placeholder {label} of '{label}: less'.",
        "de: '{before} und' lacks the placeholder {last} of '{before} and {last}'.",
    ]
    assert path.read_bytes() == before and not path.with_suffix(".mo").exists()


def test_a_translation_with_a_wrong_placeholder_is_told_in_english(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = compiled_as_it_is(catalogue_of(tmp_path, MISTYPED))
    app = built(tmp_path, TRANSLATIONS=str(folder), LANGUAGE="de")
    with app.test_request_context():
        i18n.begin()
        assert i18n.translate(say("Tidemark is at {address}", address="home")) == "Tidemark is at home"
        assert i18n.sentence_html("Tidemark is at {address}", address="<b>") == "Tidemark is at &lt;b&gt;"
        squares = [("{n} square of {town}", "{n} squares of {town}", n) for n in (1, 2)]
        assert [i18n.translate(say_count(*each, town="A")) for each in squares] == ["1 Feld in A", "2 squares of A"]
        assert i18n.sentence_html_count(*squares[1], town="A") == "2 squares of A"
        assert i18n.translate(listed(["A", "B"])) == "A and B"
        assert "{label}: less" not in i18n.words_of_scripts()
    named = [record.getMessage() for record in caplog.records if "placeholder" in record.getMessage()]
    assert len(named) == 3 and "{adress}" in named[0]  # each of them once


def test_every_page_opens_though_all_its_placeholders_are_mistyped(
    tmp_path: Path, there: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A catalogue that spells every placeholder wrong costs its translations, and no page."""
    with collect.TEMPLATE.open("rb") as file:
        catalogue = read_po(file, locale="de")
    wrong = [
        (
            message.id,
            [PLACE.sub(r"{\1x}", text) for text in ([message.id] if isinstance(message.id, str) else message.id)],
        )
        for message in catalogue
        if message.id
    ]
    folder = compiled_as_it_is(catalogue_of(tmp_path / "wrong", wrong))
    app = create_app({**there.config, "TRANSLATIONS": str(folder), "LANGUAGE": "de"})
    monkeypatch.setattr(walk, "PRESSES", 1)
    pages = [(page.name, page.status) for page in walk.walk(app, 1, without={"photos", "phones", "exchange"})]
    assert len(pages) > 50 and [page for page in pages if page[1] >= 500] == []
    assert any("placeholder" in record.getMessage() for record in caplog.records)


def test_a_folder_that_is_no_language_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "chess" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "chess" / "LC_MESSAGES" / "messages.mo").touch()
    with pytest.raises(UnknownLocaleError, match="chess"):
        built(tmp_path, TRANSLATIONS=str(tmp_path))


# -- a game from a package of its own ---


@pytest.fixture
def lagoon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game that comes with a package: its sentences are in a domain of its own."""
    tenby = games.find("tenby")
    assert tenby is not None
    game = replace(tenby, id="lagoon", name=Words("lagoon").say("The Lagoon"))
    find, everything, names, at = games.find, games.all_games(), games.ids(), games.folder
    monkeypatch.setattr(games, "find", lambda name: game if name == "lagoon" else find(name))
    monkeypatch.setattr(games, "all_games", lambda: (*everything, game))
    monkeypatch.setattr(games, "ids", lambda: (*names, "lagoon"))
    monkeypatch.setattr(games, "folder", lambda name: tmp_path / "lagoon" if name == "lagoon" else at(name))
    page = tmp_path / "lagoon" / "page"
    page.mkdir(parents=True)
    (page / "setup.html").write_text(
        '{% extends "table/setup.html" %}{% block title %}{{ _("High tide") }}{% endblock %}'
    )
    (page / "_reef.html").write_text(
        '<p title="{{ _("Coral") }}">{{ _("Coral") }}</p>{{ _html("<b>{n}</b> fish", n=2) }}'
        '{% macro pearls(n) %}<i>{{ ngettext("{n} pearl", "{n} pearls", n) }}</i>{% endmacro %}{{ pearls(3) }}'
        "<option>{{ _('Coral') }}</option><svg><svg></svg><text>{{ _('Coral') }}</text></svg>"
    )
    language.of_package.cache_clear()
    yield tmp_path / "lagoon"
    language.of_package.cache_clear()


REEF = "games/lagoon/_reef.html"


def test_a_package_without_a_catalogue_is_told_in_english_and_marked(
    lagoon: Path, folder: Path, tmp_path: Path
) -> None:
    app = built(tmp_path, TRANSLATIONS=str(folder), LANGUAGE=LOCALE, SIGNUP="open")
    page = app.test_client().get("/").get_data(as_text=True)
    assert '<strong><span lang="en">The Lagoon</span></strong>' in page and untranslated.BEGINS not in page
    assert f"<strong>{told('Tenby')}</strong>" in page
    with app.test_request_context():
        i18n.begin()
        printed = app.jinja_env.get_template(REEF).render()
        assert untranslated.marked(printed) == (
            '<p title="Coral"><span lang="en">Coral</span></p><span lang="en"><b>2</b> fish</span>'
            '<i><span lang="en">3 pearls</span></i><option>Coral</option><svg><svg></svg><text>Coral</text></svg>'
        )
        assert i18n.translate(Words("lagoon").say("Coral")) == "Coral", "marks are for pages only"
        ours = listed([Words("lagoon").say("Coral"), "7"])
        assert untranslated.marked(i18n.page_text(ours)) == f'<span lang="en">Coral</span> {told("and")} 7'


def test_a_package_is_told_by_its_own_catalogue_and_its_pages_by_both(
    lagoon: Path, folder: Path, tmp_path: Path
) -> None:
    catalogue = Catalog(locale=LOCALE)
    for message in ("The Lagoon", "Coral", "<b>{n}</b> fish", "High tide", "Save game"):
        catalogue.add(message, f"({message})")
    catalogue.add(("{n} pearl", "{n} pearls"), ("({n} pearl)", "({n} pearls)"))
    target = lagoon / "translations" / LOCALE / "LC_MESSAGES" / "lagoon.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, catalogue)
    app = built(tmp_path, TRANSLATIONS=str(folder), LANGUAGE=LOCALE)
    page = app.test_client().get("/").get_data(as_text=True)
    assert "<strong>(The Lagoon)</strong>" in page and 'lang="en"' not in page
    with app.test_request_context():
        i18n.begin()
        assert (
            app.jinja_env.get_template(REEF)
            .render()
            .startswith('<p title="(Coral)">(Coral)</p>(<b>2</b> fish)<i>(3 pearls)</i>')
        )
        title = "".join(app.jinja_env.get_template("games/lagoon/setup.html").blocks["title"](context_of(app)))
        assert title == "(High tide)"
        assert i18n.translate(say("Save game")) == told("Save game"), "what is ours stays ours"


def context_of(app: Flask) -> Context:
    return app.jinja_env.get_template("games/lagoon/setup.html").new_context({})


def test_a_package_without_a_catalogue_is_told_in_english_on_the_command_line(lagoon: Path, abroad: Language) -> None:
    assert into(listed([Words("lagoon").say("Coral"), "7"]), abroad) == f"Coral {told('and')} 7"


def test_the_sentences_of_a_package_are_collected_and_compiled_in_its_own_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "pebbles", PEBBLES, cards='[[card]]\nname = "Agate"')
    folder = tmp_path / "tidemark_pebbles"
    (folder / "page").mkdir()
    (folder / "page" / "editor.html").write_text('{{ ngettext("{n} stone", "{n} stones", 2) }}')
    with installed(tmp_path):
        assert collect.of_package("pebbles") == 0
        found = {message.id for message in collect.collect_package("pebbles") if message.id}
        assert found == {"Pebbles", "Count the pebbles.", "2 for each", ("{n} stone", "{n} stones"), "Agate"}
        path = folder / "translations" / LOCALE / "LC_MESSAGES" / "pebbles.po"
        path.parent.mkdir(parents=True)
        path.write_text(
            'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Agate"\nmsgstr "Αχάτης"\n'
        )
        assert collect.of_package("pebbles") == 0
        language.of_package.cache_clear()
        spoken = language.of_package("pebbles", LOCALE)
        assert spoken is not None and spoken.gettext("Agate") == "Αχάτης"
    language.of_package.cache_clear()
    sys.modules.pop("tidemark_pebbles", None)
    assert f"{LOCALE} lacks 4 of them." in capsys.readouterr().out
