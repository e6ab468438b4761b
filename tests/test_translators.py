"""Check that notes for translators say where each message stands and what its placeholders hold."""

from __future__ import annotations

from fnmatch import fnmatch
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.support import Translations

from scorer.sentences import ENGLISH, PLACE, printed, say, say_as
from tests.test_voice import collected, messages
from webapp.translations import comments


def test_every_file_and_every_placeholder_is_explained() -> None:
    unexplained = {
        f"{file}: {place}"
        for text, files in messages()
        for file in files
        for place in PLACE.findall(text)
        if not comments.holds(place, file)
    }
    assert unexplained == set()
    assert {file for _, files in messages() for file in files if not comments.where(file)} == set()


def test_the_tables_hold_nothing_that_is_not_needed() -> None:
    files = {file for _, files in messages() for file in files}
    assert [one for one in comments.TABLE["files"] if not any(fnmatch(file, one) for file in files)] == []
    used = {(place, file) for text, files in messages() for file in files for place in PLACE.findall(text)}
    idle = [
        name
        for table in comments.TABLE["placeholders"]
        for said, names in table.items()
        if said != "files"
        for name in names.split()
        if not any(place == name and comments.holds(place, file) == said for place, file in used)
    ]
    assert idle == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('<button name="go">{{ _("Save") }}</button>', "button"),
        ('<p><a href="{{ url_for("home") }}">{{ _("Save") }}</a></p>', "link"),
        ('<nav aria-label="{{ _("Save") }}">', "name for screen readers"),
        ('{{ ui.action(url_for("room.leave"), _("Leave"), ask=_("Save")) }}', "question before it is done"),
        ('{{ ui.action(url_for("room.leave"), _("Save")) }}', "button"),
        ('<p>{{ _("Save") }}</p>', ""),
        ("nothing is said here", ""),
    ],
)
def test_the_element_around_a_message_is_told(line: str, said: str) -> None:
    assert comments.element(line, "Save") == said


def test_a_comment_says_where_a_message_stands_and_what_it_holds() -> None:
    file = "templates/room/show.html"
    assert list(comments.of_message(("Play as {name}",), file, "button")) == [
        "Room: phones and TVs together at one game, button.",
        "{name}: the name of a player.",
    ]
    assert list(comments.of_message(("Everyone enters scores on their own phone.",), file)) == []


# -- one English word for two things ---


@pytest.fixture
def german() -> Translations:
    catalogue = Catalog("de")
    for context, english, told in (
        (None, "Game", "Partie"),
        ("title", "Game", "Spiel"),
        ("Old London Bridge", "Inn", "Wirtshaus"),
    ):
        catalogue.add(english, told, context=context)
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return Translations(file)


def test_a_word_is_told_by_its_context(german: Translations) -> None:
    title = say_as("title", "Game")
    assert (title, title.into(ENGLISH), title.into(german)) == ("Game", "Game", "Spiel")
    assert say("Game").into(german) == "Partie"
    of_data = printed("Old London Bridge|Inn")
    assert (of_data, of_data.into(german)) == ("Inn", "Wirtshaus")


def test_a_word_without_a_translation_is_english_without_its_context(german: Translations) -> None:
    assert say_as("symbol", "{n} characters", n=2).into(german) == "2 characters"


def test_the_chapels_of_two_games_are_two_messages() -> None:
    contexts = {message.context: dict(message.locations).keys() for message in collected() if message.id == "Chapel"}
    assert set(contexts) == {None, "Old London Bridge"}
    assert not any("old_london_bridge" in file for file in contexts[None])
