"""Days of the year, as records write them and as people write them."""

from __future__ import annotations

import pytest

from scorer.dates import LONGEST, day_named, day_numbered, in_words, is_day

LAST_DAYS = ("01-31", "02-29", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31")


@pytest.mark.parametrize("last", LAST_DAYS)
def test_a_month_ends_after_its_last_day(last: str) -> None:
    month, day = last.split("-")
    assert is_day(f"{month}-01") and is_day(last)
    assert not is_day(f"{month}-00") and not is_day(f"{month}-{int(day) + 1}")


@pytest.mark.parametrize("text", ["", "00-10", "13-10", "3-2", "03-2", "03-02 ", "03/02", "03-²2", "٠٣-٠٢", "0302-"])
def test_other_texts_are_no_day(text: str) -> None:
    assert not is_day(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *(("2 March", "03-02"), ("March 2nd", "03-02"), ("2. Mar", "03-02"), ("the 2nd of March", None)),
        *(("ju 4", None), ("Jun 4", "06-04"), ("jul 4", "07-04"), ("ma 1", None), ("mar 32", None), ("March", None)),
        *(("2 3 March", None), ("March April 2", None), ("Mxr 2", None)),
    ],
)
def test_a_day_is_read_by_the_name_of_its_month(text: str, day: str | None) -> None:
    assert day_named(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *(("3/2", "02-03"), ("3.2.", "02-03"), ("02-03", "02-03"), (" 02-03 ", "02-03")),
        *(("2/14", "02-14"), ("14/2", "02-14"), ("31/2", None), ("3", None), ("3/2/1", None), ("3/2 a", None)),
    ],
)
def test_in_two_numbers_the_day_comes_first_if_it_can(text: str, day: str | None) -> None:
    assert day_numbered(text) == day


@pytest.mark.parametrize("read", [day_named, day_numbered])
def test_a_long_text_is_no_day(read: object) -> None:
    assert callable(read)
    for text in ("2 March", "3/2"):
        assert read(text.rjust(LONGEST)) == read(text)
        assert read(text.rjust(LONGEST + 1)) is None


def test_a_day_is_written_as_people_write_it() -> None:
    assert str(in_words("03-02")) == "2 March"
    assert str(in_words("12-31")) == "31 December"
    assert str(in_words("13-31")) == "13-31"
