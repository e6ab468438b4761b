"""What translators are told: where each message stands, and what its placeholders hold."""

from __future__ import annotations

from fnmatch import fnmatch

import pytest

from scorer.sentences import PLACE
from tests.test_voice import messages
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
    assert list(comments.of_message(("You reveal the result together.",), file)) == []
