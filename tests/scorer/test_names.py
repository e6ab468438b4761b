"""Tell which spellings are one name, and which letters a name cannot have."""

from __future__ import annotations

import pytest

from scorer.core import score
from scorer.names import cleaned, folded, is_writable, tidied

PERSIAN = "نیم\u200cفاصله"
SINHALA = "ශ්\u200dරී"
MALAYALAM = "അവന്\u200d"
FAMILY = "👩\u200d❤\ufe0f\u200d👨"
JAPANESE = "葛\U000e0100城"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
NAMES = [
    PERSIAN,
    SINHALA,
    MALAYALAM,
    FAMILY,
    JAPANESE,
    SCOTLAND,
    "1\ufe0f\u20e3",
    "René",
    "Zoë O’Neill",
    "李小龙",
    "عائشة",
]
SAME = [
    ("Ann", "Ann "),
    ("Ann", "aNN"),
    ("Ren\u00e9", "Rene\u0301"),
    ("Ann", "A\u200bnn"),
    ("Ann", "\u202eAnn"),
    ("Ann Lee", "Ann\u00a0 Lee"),
    ("Straße", "STRASSE"),
    (PERSIAN, PERSIAN.replace("\u200c", "")),
    (FAMILY, FAMILY.replace("\ufe0f", "")),
]
HIDDEN = [
    "A\u200bnn",
    "A\u200dnn",
    "Ann\u202e",
    "\u2066Ann",
    "Ann\ufeff",
    "A\u00adnn",
    "Ann\ufe0f",
    "\u3164",
    "\u2800",
    "A\x07nn",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_script_can_be_taken(name: str) -> None:
    assert is_writable(name) and folded(name) and cleaned(name) == tidied(name)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_are_one_name(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Ann", "Änn"), ("Ann Lee", "AnnLee")])
def test_other_names_stay_others(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@pytest.mark.parametrize("name", HIDDEN)
def test_letters_that_nobody_sees_are_refused_in_names(name: str) -> None:
    record = {"game": "tiny_towns", "table": {}, "players": [{"name": name, "typed": {}}]}
    [problem] = score(record)["problems"]
    assert (problem["code"], problem["where"]) == ("bad_name", "/players/0/name")
    assert "again" in problem["message"] or "Enter a name" in problem["message"]
    assert is_writable(cleaned(name))


@pytest.mark.parametrize(("one", "other"), SAME[:3])
def test_two_spellings_of_a_name_cannot_sit_at_one_table(one: str, other: str) -> None:
    players = [{"name": name, "typed": {}} for name in (one, other)]
    [problem] = score({"game": "tiny_towns", "table": {}, "players": players})["problems"]
    assert (problem["code"], problem["where"]) == ("duplicate_name", "/players/1/name")
