"""Tables as other programs write them: what each must give is worked out by hand. No score that we can't read makes
somebody else win.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.webapp.bringing import as_of_07, bring, taken_out
from tests.webapp.conftest import Device
from tests.webapp.foreign_tables import CASES, PROGRAMS, Case
from tests.webapp.plays import club as home_of
from tests.webapp.plays import database, draft, towns, typed
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database
from webapp.exchange import file_formats
from webapp.exchange.foreign import summed, whole
from webapp.exchange.import_errors import Refused
from webapp.history import TOLD, Decision, SeatScore, archive, listing, rebuild, saved_plays
from webapp.history import player_profiles as people_of
from webapp.history import plays as history
from webapp.statistics import player as player_statistics
from webapp.statistics import results
from webapp.statistics.scope import Scope

pytestmark = pytest.mark.either

HEADINGS = ["date", "game", "player", "total"]
NAMES = ("Ann", "Bob", "Cid")
TWO = [("Ann", 28), ("Bob", 24)]
ANN = ["Ann"]


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "tables.db") as opened:
        yield opened


def outcomes(db: Database, home: int) -> list[tuple[list[tuple[str, int | None]], list[str]]]:
    """Of each game everybody's total, and who won."""
    return [
        ([(one.name, one.total) for one in scores], [one.name for one in scores if one.winner])
        for scores in archive.outcomes(db, home)
    ]


def rows(*totals: str, delimiter: str = ",") -> str:
    """A game of Tenby in which Ann, Bob and so on have these totals."""
    cells = [["2026-01-31", "Tenby", name, total] for name, total in zip(NAMES, totals, strict=False)]
    return "".join(delimiter.join(row) + "\n" for row in (HEADINGS, *cells))


# How a total is written, and what it is: None if it can't be read, so that nobody has won.
NUMBERS = [
    ("20", 20),
    ("20.0", 20),  # pandas, where a column has a gap
    ("20.00", 20),
    ("20.", 20),
    ("20.000000", 20),
    ("+5", 5),
    ("-3", -3),
    ("−3", -3),  # U+2212
    ("–3", -3),
    ("- 3", -3),
    ("－３", -3),
    ("２０", 20),
    ("\u00a020\u00a0", 20),
    ("20\u2009", 20),
    ("\u202f20", 20),
    ("−3.0", -3),
    ("1\u00a0024", 1024),
    ("1\u202f024", 1024),
    ("1’024", 1024),
    ("1'024", 1024),
    ("2\u00a03", None),
    ("12 15", None),
    ("20.5", None),
    ("20.000", None),  # in some countries twenty thousand
    ("1.024", None),
    ("20 VP", None),
    ("²", None),
    ("n/a", None),
    ("-", None),
    ("NaN", None),
    ("inf", None),
    ("12345", None),
    ("0x14", None),
    ("2e1", None),
]


WITH_COMMAS = [("20,0", 20), ("−3,0", -3), ("1,024", None), ("20,000", None), ("1,024.00", 1024), ("1.024,0", 1024)]


@pytest.mark.parametrize(("text", "number"), [*NUMBERS, *WITH_COMMAS, ("1.024,5", None), ("1,024,0", None)])
def test_what_a_number_is(text: str, number: int | None) -> None:
    assert whole(text) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [(42, 42), (42.0, 42), (-3.0, -3), (42.5, None), (True, None), (None, None), ([1], None), (1e300, None)],
)
def test_what_a_number_of_json_is(value: Any, number: int | None) -> None:
    assert whole(value) == number


@pytest.mark.parametrize(("text", "points"), [("10−3", 7), ("10 + 3", 13), ("12 15", None), ("1 2+3", None)])
def test_a_sum_is_read_only_if_its_signs_are_there(text: str, points: int | None) -> None:
    assert summed(text) == points


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_a_total_is_read_or_left_open_and_named(alone: Database, text: str, number: int | None) -> None:
    home = home_of(alone)
    outcome = bring(alone, home, rows(text, "7"))
    winner = ["Ann"] if number is not None and number > 7 else ["Bob"]
    assert outcomes(alone, home) == [([("Ann", number), ("Bob", 7)], [] if number is None else winner)]
    if number is None:
        assert outcome.counts == {"unread": 1, "open": 1}
        assert outcome.examples["unread"] == f"2026-01-31 Tenby: Ann “{text}”".replace("\u00a0", " ")
    else:
        assert outcome.counts == {}


@pytest.mark.parametrize(("value", "number"), [(42.0, 42), ("42.0", 42), ("−3", -3), ("42,0", 42), (42.5, None)])
def test_a_score_of_bg_stats_is_read_or_left_open(alone: Database, value: Any, number: int | None) -> None:
    home = home_of(alone)
    outcome = bring(alone, home, bg_stats(value, 7))
    winner = ["Ann"] if number == 42 else ["Bob"]
    assert outcomes(alone, home) == [([("Ann", number), ("Bob", 7)], [] if number is None else winner)]
    assert ("unread" in outcome.counts) == (number is None)


def bg_stats(*scores: Any, **more: Any) -> str:
    return json.dumps(
        {
            "plays": [
                {
                    "uuid": "U1",
                    "gameRefId": 1.0,
                    "playDate": "2026-01-31 19:00:00",
                    "durationMin": 45.0,
                    "playerScores": [
                        {"playerRefId": float(seat), "score": score, **more} for seat, score in enumerate(scores, 1)
                    ],
                }
            ],
            "games": [{"id": 1, "uuid": "G1", "name": "Tenby", "bggId": 0.0}],
            "players": [{"id": seat, "uuid": f"P{seat}", "name": name} for seat, name in enumerate(NAMES, 1)],
            "locations": [],
        }
    )


def test_numbers_with_a_point_stand_for_what_they_would_without(alone: Database) -> None:
    home = home_of(alone)
    bring(alone, home, bg_stats(10.0, 12.0))
    assert list(alone.execute("SELECT minutes FROM all_plays")) == [(45,)]
    csv = "date,game,player,total,rank,winner,minutes\n"
    csv += "2026-02-01,Tenby,Ann,10.0,2.0,0.0,50.0\n2026-02-01,Tenby,Bob,10.0,1.0,1.0,50.0\n"
    bring(alone, home, csv)
    assert outcomes(alone, home)[1] == ([("Ann", 10), ("Bob", 10)], ["Bob"])
    assert list(alone.execute("SELECT minutes FROM all_plays ORDER BY id")) == [(45,), (50,)]


# -- shapes of tables ---

PLAIN = rows("28", "24")
SHAPES: dict[str, str | bytes] = {
    "commas": PLAIN,
    "semicolons": PLAIN.replace(",", ";"),
    "tabs": PLAIN.replace(",", "\t"),
    "bars": PLAIN.replace(",", "|"),
    "sep": "sep=;\n" + PLAIN.replace(",", ";"),
    "sep_windows": ("sep=;\n" + PLAIN.replace(",", ";")).replace("\n", "\r\n"),
    "sep_quoted": '"sep=;"\n' + PLAIN.replace(",", ";"),
    "sep_unusual": "SEP=^\n" + PLAIN.replace(",", "^"),
    "mark": codecs.BOM_UTF8 + PLAIN.encode(),
    "mark_and_semicolons": codecs.BOM_UTF8 + PLAIN.replace(",", ";").encode(),
    "mark_and_sep": codecs.BOM_UTF8 + b"sep=;\n" + PLAIN.replace(",", ";").encode(),
    "unicode_text_of_excel": PLAIN.replace(",", "\t").encode("utf-16"),
    "big_endian": codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"),
    "capitals": PLAIN.replace("date,game,player,total", "Date,Game,Player,Total"),
    "all_capitals": PLAIN.replace("date,game,player,total", "DATE,GAME,PLAYER,TOTAL"),
    "spaced_headings": PLAIN.replace("date,game,player,total", "Date , Game , Player , Total "),
    "another_order": "Total;Player;Game;Date\n28;Ann;Tenby;2026-01-31\n24;Bob;Tenby;2026-01-31\n",
    "quoted": "".join(f'"{line}"\n'.replace(",", '","') for line in PLAIN.splitlines()),
    "quoted_semicolons": "".join(f'"{line}"\n'.replace(",", '";"') for line in PLAIN.splitlines()),
    "decimal_commas": rows("28,0", "24,0", delimiter=";"),
    "decimal_commas_quoted": rows('"28,0"', '"24,0"'),
    "empty_cells_behind": PLAIN.replace("\n", ",,\n"),
    "unknown_columns": "Id;Date;Game;Player;Total;Mood, if any\n"
    "1;2026-01-31;Tenby;Ann;28;\n2;2026-01-31;Tenby;Bob;24;a,b\n",
    "windows": PLAIN.replace("\n", "\r\n"),
    "blank_lines": PLAIN.replace("\n", "\n\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_table_of_any_shape_is_read(alone: Database, shape: str) -> None:
    home = home_of(alone)
    assert bring(alone, home, SHAPES[shape]).added == 1
    assert outcomes(alone, home) == [(TWO, ANN)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "Missing: date, player, total."),
        ("hello", "Missing: date, player, total."),
        ("Date;Game;Player\n", "Missing: total."),
        ("date,game,player,total,Total\n", "Only one column can be “total”."),
        ("date," + "x," * 300 + "\n1,2\n", "more than 200 columns"),
        ("play,date,game,player,rule,points\n1,2026-01-31,Tenby,Ann,card,4\n", "Missing: total, winner."),
    ],
)
def test_what_is_missing_is_told_as_it_is(alone: Database, content: str, said: str) -> None:
    with pytest.raises(Refused, match="column") as refused:
        bring(alone, home_of(alone), content)
    assert said in str(refused.value)


@pytest.mark.parametrize("kind", ["players", "lines"])
def test_our_own_tables_come_in_elsewhere_as_they_went_out(alone: Database, kind: str) -> None:
    home, other = demo.seed(alone, 9), clubs.create(alone, "Another")
    bring(alone, home, OPEN)
    written = taken_out(alone, home, kind)
    assert bring(alone, other, written).added == 10
    assert outcomes(alone, other) == outcomes(alone, home)
    assert taken_out(alone, other, "lines" if kind == "lines" else "players") == written
    assert (bring(alone, home, written).known, bring(alone, other, written).differs) == (10, 0)
    assert bring(alone, clubs.create(alone, "A third"), taken_out(alone, other)).added == 10
    assert rebuild.check(alone) == []


def test_a_row_that_is_too_long_leaves_its_game_out(alone: Database) -> None:
    """A decimal comma between commas moves all that follows one column on."""
    outcome = bring(alone, home_of(alone), rows("28,5", "24"))
    assert (outcome.added, outcome.counts) == (0, {"shifted": 1})


def test_a_file_that_was_read_before_is_known_again_in_another_shape(alone: Database) -> None:
    home = home_of(alone)
    assert bring(alone, home, PLAIN).added == 1
    for shape in ("semicolons", "capitals", "unicode_text_of_excel"):
        again = bring(alone, home, SHAPES[shape])
        assert (again.added, again.known) == (0, 1), shape


# -- nobody has won ---

OPEN = rows("28", "abc", "24")


def test_a_word_about_the_winner_counts_though_a_score_cannot_be_read(alone: Database) -> None:
    home = home_of(alone)
    csv = "date,game,player,total,winner\n2026-01-31,Tenby,Ann,28,0\n2026-01-31,Tenby,Bob,?,yes\n"
    assert bring(alone, home, csv).counts == {"unread": 1}
    assert outcomes(alone, home) == [([("Ann", 28), ("Bob", None)], ["Bob"])]


def test_without_any_score_nobody_has_won(alone: Database) -> None:
    home = home_of(alone)
    assert bring(alone, home, rows("", "")).counts == {"gaps": 1, "open": 1}
    assert outcomes(alone, home) == [([("Ann", None), ("Bob", None)], [])]


def test_a_game_that_nobody_is_known_to_have_won_counts_for_nobody(alone: Database) -> None:
    home = home_of(alone)
    bring(alone, home, rows("30", "20", "10").replace("01-31", "01-30"))
    rated = dict(alone.execute("SELECT name, skill FROM standings JOIN players ON players.id = player_id"))
    outcome = bring(alone, home, OPEN)
    assert outcome.counts == {"unread": 1, "open": 1}
    assert outcomes(alone, home)[1] == ([("Ann", 28), ("Bob", None), ("Cid", 24)], [])
    # One game could be won, and Ann has won it. Her streak is as long as before, and nobody's rating moves.
    rates = results.by_seat(alone, Scope(home))
    people = results.standings(results.people(alone, home), rates)
    assert [(one.name, one.plays, one.contests, one.wins) for one in people] == [
        ("Ann", 2, 1, 1),
        ("Bob", 2, 1, 0),
        ("Cid", 2, 1, 0),
    ]
    assert [(count, [(rate.hits, rate.of) for rate in seats]) for count, seats in results.seats(rates)] == [
        (3, [(1, 1), (0, 1), (0, 1)])
    ]
    found = [one for one in (people_of.by_name(alone, home, name) for name in NAMES) if one is not None]
    titles = [player_statistics.title_records(alone, one, player_statistics.results_of(alone, one)) for one in found]
    assert [(one.mean, one.streak, one.rating.skill) for [one] in titles] == [
        (29, 1, rated["Ann"]),
        (20, 0, rated["Bob"]),
        (17, 0, rated["Cid"]),
    ]
    assert alone.execute("SELECT rank FROM scores WHERE played_at LIKE '2026-01-31%'").fetchall() == [(None,)] * 3
    earned = alone.execute(
        "SELECT achievement FROM achievements JOIN plays ON plays.id = play_id WHERE played_at LIKE '2026-01-31%'"
    )
    assert list(earned) == []
    assert rebuild.check(alone) == []


def test_tables_with_a_card_count_such_a_game_for_nobody(alone: Database) -> None:
    home = home_of(alone)
    won = draft(towns({"Ann": 4, "Bob": 2}), "2026-01-30T20:00:00Z")
    unknown = draft(towns({"Ann": 4, "Bob": 2}), "2026-01-31T20:00:00Z")
    unknown.record["players"][1] = {"name": "Bob", "typed": {}}
    ann = replace(unknown.decision.seats[0], rank=None, winner=None)
    seats = (ann, SeatScore(None, None, None, (), final=False))
    history.save_all(alone, home, [won, replace(unknown, decision=Decision(seats, None, "", TOLD))])
    rates = results.by_seat(alone, Scope(home, "tiny_towns", cards=("tavern",)))
    people = results.standings(results.people(alone, home), rates)
    assert [(one.name, one.plays, one.contests, one.wins) for one in people] == [
        ("Ann", 2, 1, 1),
        ("Bob", 2, 1, 0),
    ]
    assert [[(rate.hits, rate.of) for rate in seats] for _, seats in results.seats(rates)] == [[(1, 1), (0, 1)]]


@pytest.mark.parametrize("kind", ["json", "players", "bgstats"])
def test_an_open_winner_stays_open_from_file_to_file(alone: Database, kind: str) -> None:
    home, other = home_of(alone), clubs.create(alone, "Another")
    bring(alone, home, OPEN)
    assert bring(alone, other, taken_out(alone, home, kind)).added == 1
    assert outcomes(alone, other) == [([("Ann", 28), ("Bob", None), ("Cid", 24)], [])]
    assert bring(alone, home, taken_out(alone, other, kind)).differs == 0


def test_every_page_says_that_nobody_knows_who_won(db: Database, club: int, owner: Device) -> None:
    bring(db, club, OPEN)
    [one] = listing.recent(db, club)
    page = owner.get(f"/plays/{one.key}")
    assert "A score is missing, so there is no winner yet." in page
    assert "?. Ann: 28" in page
    assert "A score is missing, so there is no winner yet." in owner.get(f"/plays/{one.key}/sheet")
    for address in ("/", "/plays"):
        assert "Ann, Bob and Cid: winner not known yet" in owner.get(address), address
    assert "1st" not in owner.get(f"/players/{people_id(db, 'Ann')}")
    for address in ("/stats", "/stats/games/tenby", "/stats/years/2026", "/stats/achievements", "/players"):
        assert owner.client.get(address).status_code == 200, address
    for part in ("wide.png", "tall.png", "bgstats", "play.bgsplay"):
        assert owner.client.get(f"/plays/{one.key}/{part}").status_code in {200, 302}, part


def people_id(db: Database, name: str) -> int:
    [(number,)] = db.execute("SELECT id FROM players WHERE name = ?", [name]).fetchall()
    return int(number)


@pytest.mark.parametrize("of_07", [False, True])
def test_a_forged_result_cannot_leave_out_its_winner(alone: Database, of_07: bool) -> None:
    home = home_of(alone)
    history.save_all(alone, home, [draft(typed({"Ann": 4, "Bob": 2}))])
    written = taken_out(alone, home)
    file = as_of_07(written) if of_07 else json.loads(written)
    [play] = file["plays"]
    if of_07:
        play["result"] |= {"winners": [], "decided_by": None}
        play["result"]["players"][0]["winner"] = False
    else:
        play["decided_by"] = None
        for seat in play["scores"]:
            seat["winner"] = None
    with pytest.raises(Refused):
        bring(alone, clubs.create(alone, "Another"), json.dumps(file))


def test_the_answer_names_every_score_that_cannot_be_read(db: Database, club: int, owner: Device) -> None:
    outcome = bring(db, club, rows("28", "abc") + "2026-02-07,Tenby,Ann,10\n2026-02-07,Tenby,Bob,<b>\n")
    assert outcome.examples["unread"] == "2026-01-31 Tenby: Bob “abc”; 2026-02-07 Tenby: Bob “<b>”"
    [(key,)] = db.execute("SELECT key FROM jobs").fetchall()
    page = owner.get(f"/data/import/{key}")
    assert "2 games with an unreadable score" in page
    assert "Bob “abc”; 2026-02-07 Tenby: Bob “&lt;b&gt;”" in page


def test_a_game_that_was_read_wrongly_before_is_offered_for_correction(alone: Database) -> None:
    """Until now 28.0 was a gap, and Bob the winner."""
    home = home_of(alone)
    csv = rows("28.0", "24")
    bring(alone, home, csv)
    [one] = listing.recent(alone, home)
    play = saved_plays.find(alone, one.key)
    assert play is not None
    record = json.loads(json.dumps(play.record))
    record["players"][0]["typed"] = {}
    bob = replace(play.decision.seats[1], rank=1, winner=True)
    seats = (SeatScore(None, None, False, (), final=False), bob)
    history.edit(alone, play, record, replace(play.decision, seats=seats))
    assert bring(alone, home, csv).differs == 1


# -- the page before anything is saved ---


def asked(owner: Device, text: str) -> tuple[str, str]:
    """Return where a pasted table is asked about, and the page."""
    address = owner.post("/data/import", {"text": text}).location
    return address, owner.get(address)


def test_a_pasted_table_is_shown_with_its_columns_and_doubts(db: Database, club: int, owner: Device) -> None:
    text = "Datum\tSpiel\tSpieler\tPunkte\n2026-01-31\tTenby\tAnn\t28\n2026-01-31\tTenby\tBob\t24 VP\n"
    address, page = asked(owner, text)
    for column, role in enumerate(("date", "game", "player", "total")):
        select = page.split(f'<select id="column.{column}"')[1].split("</select>")[0]
        assert f'<option value="{role}" selected>' in select
    assert re.search(r'<td class="doubtful">24 VP<br><small>We’ll import this game without this score', page)
    assert outcomes(db, club) == []
    owner.post(address)
    assert outcomes(db, club) == [([("Ann", 28), ("Bob", None)], [])]


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n"])
def test_a_table_that_takes_long_to_read_is_refused_before_it_is_read(
    db: Database, club: int, owner: Device, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(file_formats, "MOST_LINES", 3)
    fits, too_long = (rows(*totals).replace("\n", ending) for totals in (("28", "24"), ("28", "24", "20")))
    answer = owner.post("/data/import", {"text": too_long})
    assert answer.status_code == 422
    assert "The table has more than 3 rows. Split it." in answer.text
    assert list(db.query("SELECT * FROM import_pieces")) == []
    assert owner.post("/data/import", {"text": fits}).status_code == 303
    assert bring(db, club, too_long).added == 1, "on the command line it may have any length"


def test_dates_are_asked_about_only_where_no_date_settles_it(db: Database, club: int, owner: Device) -> None:
    text = "date;game;player;total\n3/4/2026;Tenby;Ann;28\n3/4/2026;Tenby;Bob;24\n"
    address, page = asked(owner, text)
    assert 'name="dates"' in page
    owner.post(address)
    assert outcomes(db, club) == [], "without an answer the question stands"
    owner.post(address, {"dates": "month"})
    assert [one.played_at[:10] for one in listing.recent(db, club)] == ["2026-03-04"]
    _, page = asked(owner, text + "14/4/2026;Tenby;Ann;20\n")
    assert 'name="dates"' not in page


def test_a_column_that_was_taken_wrongly_can_be_chosen(db: Database, club: int, owner: Device) -> None:
    text = "date;game;Pelaaja;Pisteet;Kierros\n2026-01-31;Tenby;Ann;28;3\n2026-01-31;Tenby;Bob;24;4\n"
    address, _ = asked(owner, text)
    columns = {"column.2": "player", "column.3": "total", "column.4": ""}
    owner.post(address, {**columns, "column.3": "player"})
    assert "Choose a column for each of these: Total." in owner.get(address)
    owner.post(address, columns)
    assert "New: Ann" in owner.get(address) and outcomes(db, club) == [], "the players are shown first"
    owner.post(address, columns)
    assert outcomes(db, club) == [(TWO, ANN)]


# -- sixty tables ---

ASKED = {"dates": "Choose day first", "columns": "Missing: date", "players": "each of these: Mood"}
WISHES: dict[str, dict[str, Any]] = {
    "": {},
    "dates": {"dates": "day"},
    "columns": {"roles": ["date", "game", "player", "total"]},
    "players": {"roles": ["date", "game", "named", "named", "named"]},
}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_table_of_another_program_is_read_right_or_asked_about(alone: Database, case: Case) -> None:
    home = home_of(alone)
    content = case.content.encode() if isinstance(case.content, str) else case.content
    if case.asked:
        with pytest.raises(Refused, match=ASKED[case.asked]):
            bring(alone, home, content)
    outcome = bring(alone, home, content, WISHES[case.asked])
    totals = [(dict(seats), ", ".join(won)) for seats, won in outcomes(alone, home)]
    about = [(day, game) for day, game in alone.execute("SELECT day, game FROM plays ORDER BY id").fetchall()]
    assert [(*one, *two) for one, two in zip(about, totals, strict=True)] == list(case.games)
    assert set(outcome.counts) == set(case.counts)


def test_there_are_sixty_tables_of_ten_programs() -> None:
    assert len(CASES) >= 60
    assert len(PROGRAMS) >= 10
