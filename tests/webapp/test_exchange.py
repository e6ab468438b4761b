"""Data that leaves and comes: round trips, files of other programs, and files that mean harm."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import games
from scorer.core import score
from tests.webapp.bringing import as_of_07, begun, bring, without_imports
from tests.webapp.plays import club, content, database, draft, towns, typed
from webapp import clubs
from webapp.cli import demo
from webapp.cli.open_database import opened
from webapp.database import Database, copying
from webapp.exchange import bgstats_out, club_sqlite, export_files, import_errors, imports, tables_out
from webapp.exchange.import_errors import Refused
from webapp.exchange.import_report import Outcome
from webapp.history import archive, listing, rebuild, saved_plays
from webapp.history import plays as history
from webapp.schema import migrations
from webapp.table import tables as laid

BGG = {"tiny_towns": 265736}

# As Tidemark 0.7 wrote it.
OF_07 = """{"format":"tidemark club","version":1,"club":"The club","players":[
{"name":"Ann","created_at":"2026-11-19T17:49:50Z","colour":"sand","token":"fish"},
{"name":"Bob","created_at":"2026-11-19T17:49:50Z","colour":"buoy","token":"bell"}
],"remembered":{},"cards":[],"matches":[],"deeds":[],"plays":[
{"key":"zt_pxGMuAH1z","played_at":"2026-01-01T20:00:00Z","saved_at":"2026-11-19T17:49:50Z","version":1,"notes":"fine",
"place":"","minutes":null,"source":"","source_id":"","deleted_at":null,"record":{"game":"tenby","table":{},"players":[
{"name":"Ann","typed":{"card":4},"completed_streets":1,"resident_cards":1},
{"name":"Bob","typed":{"card":2},"completed_streets":1,"resident_cards":1}
]},"result":{"game":"tenby","ok":true,"problems":[],"needs":[],"players":[
{"name":"Ann","total":4,"rank":1,"winner":true,"lines":[
{"rule":"card","label":"Town cards","points":4,"why":"typed","cells":[],"cite":""}
],"tiebreaks":[{"rule":"completed_streets","value":1},{"rule":"resident_cards","value":1}]},
{"name":"Bob","total":2,"rank":2,"winner":false,"lines":[
{"rule":"card","label":"Town cards","points":2,"why":"typed","cells":[],"cite":""}
],"tiebreaks":[{"rule":"completed_streets","value":1},{"rule":"resident_cards","value":1}]}
],"winners":["Ann"],"decided_by":"points","rules_version":"1","said":{
"/players/0/lines/0/label":["Town cards"],"/players/0/lines/0/why":["typed"],
"/players/1/lines/0/label":["Town cards"],"/players/1/lines/0/why":["typed"]}},"versions":[]}
]}"""


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "t.db") as opened:
        yield opened


# -- our own JSON ---


def test_a_club_goes_out_and_comes_into_an_empty_database_the_same(db: Database, tmp_path: Path) -> None:
    home = demo.seed(db, 15)
    db.execute("UPDATE players SET guest = 1 WHERE name = 'Hiro'")
    [first, second, *_] = listing.recent(db, home)
    play, deleted = saved_plays.find(db, first.key), saved_plays.find(db, second.key)
    assert play is not None and deleted is not None
    history.edit(db, play, play.record, play.decision)
    history.delete(db, deleted)
    laid.remember(db, home, "tenby", {"accolades": {"mode": "high_tide"}})
    bring(db, home, "play,date,game,player,total\n1,2026-01-01,Tenby,Ada,12\n")
    written = "".join(export_files.write(db, home, "json"))
    with database(tmp_path / "empty.db") as empty:
        there = clubs.create(empty, clubs.name_of(db, home))
        assert bring(empty, there, written) == Outcome(16)
        assert without_imports("".join(export_files.write(empty, there, "json"))) == without_imports(written)
        assert list(empty.query("SELECT name FROM players WHERE guest = 1")) == [{"name": "Hiro"}]
        assert rebuild.check(empty) == []
        assert bring(empty, there, written) == Outcome(0, 16)
        assert without_imports("".join(export_files.write(empty, there, "json"))) == without_imports(written)


def test_the_same_file_in_two_clubs_of_one_database(db: Database) -> None:
    home, other = club(db), clubs.create(db, "The others")
    history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}))])
    written = "".join(export_files.write(db, home, "json"))
    assert bring(db, other, written) == Outcome(1)
    assert bring(db, other, written) == Outcome(0, 1)
    assert bring(db, home, written) == Outcome(0, 1)


def exported(notes: str = "fine") -> str:
    with database(":memory:") as db:
        history.save_all(db, club(db), [draft(towns({"Ann": 4, "Bob": 2}), notes=notes, minutes=30)])
        return "".join(export_files.write(db, club(db), "json"))


def spoiled(change: str, of_07: bool = False) -> Any:
    value = as_of_07(exported()) if of_07 else json.loads(exported())
    play = value["plays"][0]
    exec(change, {"v": value, "play": play, "ann": play["result"]["players"][0] if of_07 else play["scores"][0]})
    return value


def is_refused(db: Database, value: Any) -> bool:
    home = club(db)
    before = content(db)
    with pytest.raises(Refused):
        bring(db, home, json.dumps(value))
    return content(db) == before


@pytest.mark.either
@pytest.mark.parametrize("of_07", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        "v['version'] = 3",
        "v['plays'] = {}",
        "v['plays'] = [1]",
        "v['players'][0]['name'] = ''",
        "v['players'][0]['name'] = 'x' * 41",
        "v['players'][0]['created_at'] = 'yesterday'",
        "v['matches'] = [{'source': 'a', 'kind': 'b', 'theirs': 'c', 'ours': 'd'}]",
        "play['played_at'] = '2026-01-01'",
        "play['played_at'] = '2026-02-31T00:00:00Z'",
        "play['minutes'] = -1",
        "play['minutes'] = True",
        "play['version'] = 0",
        "play['key'] = '../../etc'",
        "play['notes'] = 7",
        "play['record']['game'] = 'chess'",
        "play['record']['players'] = []",
        "play['versions'] = [{}]",
        "ann['total'] = 99",
        "ann['total'] = None",
        "ann['rank'] = 0",
        "ann['winner'] = 1",
    ],
)
def test_a_spoiled_file_is_refused_as_a_whole(db: Database, change: str, of_07: bool) -> None:
    assert is_refused(db, spoiled(change, of_07))


@pytest.mark.either
@pytest.mark.parametrize(
    "change",
    [
        "play['result']['game'] = 'tenby'",
        "play['result']['players'] = []",
        "play['result']['winners'] = ['Bob']",
        "play['result']['ok'] = 1",
        "play['result']['needs'] = [{}]",
        "play['result']['extra'] = 1",
        "ann['lines'][0]['points'] = 99",
        "ann['lines'][0]['points'] = True",
        "ann['lines'][0]['cells'] = [1]",
        "ann['lines'][0].pop('why')",
        "ann['tiebreaks'] = [1]",
        # A whole and coherent lie about what today's rules give is found out by scoring again.
        "ann['lines'][0]['points'] += 5; ann['total'] += 5",
        *(f"play['result']['said'] = {said}" for said in ("[]", "'said'", "7", "None", "[['a']]")),
    ],
)
def test_a_spoiled_result_of_07_is_refused(db: Database, change: str) -> None:
    assert is_refused(db, spoiled(change, of_07=True))


@pytest.mark.either
@pytest.mark.parametrize(
    "change",
    [
        "play.pop('scores')",
        "play['scores'] = []",
        "play['scores'].append(ann)",
        "play['scores'] = [[]]",
        "play['basis'] = 'dice'",
        "play['decided_by'] = ''",
        "play['decided_by'] = 'luck'",
        "play['rules_version'] = 'x' * 41",
        "ann['final'] = 1",
        "ann['final'] = False",
        "ann['winner'] = False",
        "ann['rank'] = None",
        "ann['lines'] = {}",
        "ann['lines'][0] = ['cottage', '']",
        "ann['lines'][0][0] = 'x' * 61",
        "ann['lines'][0][1] = 'x\\0'",
        "ann['lines'][0][2] = True",
        "ann['lines'][0][2] += 5",
        # A whole and coherent lie about what today's rules give is found out by scoring again.
        "ann['lines'][0][2] += 5; ann['total'] += 5",
    ],
)
def test_a_spoiled_decision_is_refused(db: Database, change: str) -> None:
    assert is_refused(db, spoiled(change))


@pytest.mark.either
@pytest.mark.parametrize(
    "said",
    [
        "{'/players/0/lines/0/why': 'x'}",
        "{'/players/0/lines/0/why': ['{a}' * 1000, {'a': ['{a}' * 1000, {'a': 'x'}]}]}",
        "{'/' + 'x' * 100_000: ['y'] * 10_000}",
    ],
)
def test_sentences_of_07_are_left_behind(db: Database, said: str) -> None:
    assert bring(db, club(db), json.dumps(spoiled(f"play['result']['said'] = {said}", of_07=True))) == Outcome(1)
    assert '"said"' not in "".join(export_files.write(db, club(db), "json"))


def test_a_file_of_07_comes_in_as_it_would_have_been_saved_today(db: Database, tmp_path: Path) -> None:
    home = demo.seed(db, 15)
    first, *_ = saved_plays.each(db, home)
    history.edit(db, first, first.record, first.decision)
    rows = "1,2026-01-01,Tenby,Ada,12,1\n1,2026-01-01,Tenby,Bob,,0\n1,2026-01-01,Tenby,Cid,9,0\n"
    bring(db, home, f"play,date,game,player,total,winner\n{rows}")
    written = "".join(export_files.write(db, home, "json"))
    with database(tmp_path / "other.db") as other:
        there = clubs.create(other, clubs.name_of(db, home))
        assert bring(other, there, json.dumps(as_of_07(written))) == Outcome(16)
        assert without_imports("".join(export_files.write(other, there, "json"))) == without_imports(written)
        assert rebuild.check(other) == []


def test_a_file_that_07_wrote_comes_in(db: Database) -> None:
    """Two people of Tenby, with all that such a file has."""
    assert bring(db, club(db), OF_07) == Outcome(1)
    [play] = saved_plays.each(db, club(db))
    assert [(seat.total, seat.rank, seat.winner, seat.lines) for seat in play.decision.seats] == [
        (4, 1, True, (("card", "", 4),)),
        (2, 2, False, (("card", "", 2),)),
    ]
    assert (play.decision.decided_by, play.decision.basis) == ("points", "rules")
    assert not play.outcome.differs


def test_what_is_refused_today_comes_in_as_it_was_saved(db: Database) -> None:
    """Before totals were checked, −4 points for town cards could be typed and saved."""
    history.save_all(db, club(db), [draft(typed({"Ann": 4, "Bob": 2}))])
    value = json.loads("".join(export_files.write(db, club(db), "json")))
    [play] = value["plays"]
    play["key"] = "of-old"
    play["record"]["players"][1]["typed"]["card"] = -4
    bob = play["scores"][1]
    bob["lines"][0][2] = bob["total"] = -4
    other = clubs.create(db, "The others")
    assert bring(db, other, json.dumps(value)) == Outcome(1)
    [kept] = saved_plays.each(db, other)
    assert [player["total"] for player in kept.result["players"]] == [4, -4]
    assert rebuild.check(db) == []


def test_a_game_of_when_the_score_pad_was_worded_otherwise_comes_in(db: Database) -> None:
    value = spoiled("ann['lines'][0]['why'] = 'in the words of last year'; play['result'].pop('said')", of_07=True)
    assert bring(db, club(db), json.dumps(value)) == Outcome(1)


def test_totals_of_another_program_need_no_line_of_ours(db: Database) -> None:
    text = "date,game,player,total\n2026-01-01,Tenby,Ann,-4\n2026-01-01,Tenby,Bob,2\n"
    assert bring(db, club(db), text) == Outcome(1)


CHAPEL = {"table": {"chapel_order": ["Bob", "Ann"]}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("tidemark club"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["format", "version", "plays", "games", "players", "record", "result", "name", "uuid", "id"]
            )
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.either
@given(st.one_of(JSON.map(json.dumps), st.text(), st.binary()))
def test_whatever_is_brought_is_read_or_refused(content: str | bytes) -> None:
    with database(":memory:") as db:
        content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        refusal = None
        try:
            bring(db, club(db), content)
        except Refused as fault:
            refusal = fault
        assert refusal is None or refusal.message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 100_000, "not from Tidemark or BG Stats"),
        (b'{"plays":[' + b"[" * 100_000, "damaged"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "damaged"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"{}", "not from Tidemark or BG Stats"),
        (b"", "first row"),
        (b"date,game\n", "player, total"),
        (b'date,game,player,total\n"unfinished', "CSV"),
    ],
)
def test_hostile_files_get_a_sentence(db: Database, content: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        bring(db, club(db), content)


# -- CSV ---


def below_zero(first: str, second: str) -> dict[str, Any]:
    """Two players with nothing but empty spaces, which cost 4 and 9."""
    order = {"table": {"chapel_order": [first, second]}}
    return typed({first: -4, second: -9}, "old_london_bridge", "empty") | order


def test_an_open_score_is_empty_in_files_and_they_say_so(db: Database) -> None:
    record = typed({"Ann": 5, "Bob": 3})
    record["players"][0]["typed"]["card"] = "unknown"
    home = club(db)
    history.save(db, home, record, score(record))
    history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 3}))])
    for kind in ("players", "lines"):
        rows = list(csv.DictReader(io.StringIO("".join(export_files.write(db, home, kind)))))
        assert [row["open"] for row in rows] == ["still to count", "", "", ""]
        assert [row["total"] for row in rows] == ["", "3", "5", "3"]
    first, second = json.loads("".join(export_files.write(db, home, "bgstats")))["plays"]
    assert (first["playerScores"][0]["score"], first["comments"]) == ("", "Bob: Town cards 3\nStill to count: Ann.")
    assert "Still to count" not in second["comments"]


def test_what_goes_out_as_csv_comes_in_elsewhere_once(db: Database) -> None:
    home, other = club(db), clubs.create(db, "The others")
    history.save_all(
        db,
        home,
        [
            draft(towns({"=Ann": 4, "-Bob": 2}), notes='@home, "really"\nyes', place="+Café", minutes=40),
            draft(below_zero("=Ann", "Cid")),
        ],
    )
    written = "".join(export_files.write(db, home, "players"))
    assert bring(db, home, written) == Outcome(0, 2)
    assert bring(db, other, written) == Outcome(2)
    assert bring(db, other, tables_out.BOM + written) == Outcome(0, 2)
    assert "".join(export_files.write(db, other, "players")).count("'=Ann") == 2
    plays = [saved_plays.find(db, one.key) for one in listing.recent(db, other)]
    by_game = {play.game: play for play in plays if play is not None}
    assert (by_game["tiny_towns"].notes, by_game["tiny_towns"].place, by_game["tiny_towns"].minutes) == (
        '@home, "really"\nyes',
        "+Café",
        40,
    )
    assert [player["total"] for player in by_game["old_london_bridge"].result["players"]] == [-4, -9]
    assert rebuild.check(db) == []


def test_no_cell_is_a_formula_and_numbers_stay_numbers(db: Database) -> None:
    history.save_all(db, club(db), [draft(below_zero("=1+1", "@x"), notes="\t=cmd", place="-1")])
    for kind in ("players", "lines"):
        text = "".join(export_files.write(db, club(db), kind, excel=True))
        assert text.startswith("\ufeff")
        for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))):
            for column, cell in row.items():
                numeric = column in {"total", "rank", "winner", "points", "position", "minutes"}
                assert numeric or not cell.startswith(("=", "+", "-", "@", "\t", "\0"))
                if numeric and cell:
                    int(cell)


def test_the_example_can_be_brought_in(db: Database) -> None:
    example = tables_out.example()
    assert bring(db, club(db), example).added >= 1
    assert bring(db, club(db), example).added == 0
    first = saved_plays.find(db, listing.page(db, club(db), listing.Filter(game=games.all_games()[0].id)).plays[0].key)
    assert first is not None
    assert (first.result["winners"], first.minutes, first.source) == (["Ann"], 45, "CSV")


def test_rows_that_tell_too_little_are_left_out(db: Database) -> None:
    text = "play,date,game,player,total\n1,2026-01-01,Tenby,Ann,=1+1\n2,someday,Tenby,Ann,3\n3,2026-01-01,Chess,Ann,3\n"
    outcome = bring(db, club(db), text)
    assert (outcome.added, outcome.counts) == (1, {"unread": 1, "no_date": 1, "other_game": 1})
    assert outcome.examples["unread"] == "2026-01-01 Tenby: Ann “=1+1”"


# -- BG Stats ---


def export() -> dict[str, Any]:
    """A small export in BG Stats' form."""
    score = {"winner": False, "startPlayer": False, "newPlayer": False, "rank": 0, "seatOrder": 0}
    play = {"playDateYmd": 20250301, "durationMin": 45, "ignored": False, "usesTeams": False, "locationRefId": 1}
    return {
        "games": [
            {"id": 1, "uuid": "G1", "name": "Tiny Towns: deluxe", "bggId": 265736},
            {"id": 2, "uuid": "G2", "name": "Chess", "bggId": 171},
            {"id": 3, "uuid": "G3", "name": "tenby", "bggId": 0},
        ],
        "players": [
            {"id": 1, "uuid": "P1", "name": "ann"},
            {"id": 2, "uuid": "P2", "name": "Robert", "isAnonymous": False},
        ],
        "locations": [{"id": 1, "uuid": "L1", "name": "Home"}],
        "plays": [
            {
                **play,
                "uuid": "A",
                "gameRefId": 1,
                "playDate": "2025-03-01 19:00:00",
                "playerScores": [
                    {**score, "playerRefId": 1, "score": "24"},
                    {**score, "playerRefId": 2, "score": "31", "winner": True},
                ],
            },
            {
                **play,
                "uuid": "B",
                "gameRefId": 2,
                "playDate": "2025-03-02 19:00:00",
                "playerScores": [{**score, "playerRefId": 1, "score": "1"}],
            },
            {
                **play,
                "uuid": "C",
                "gameRefId": 3,
                "playDate": "2025-03-03 19:00:00",
                "playerScores": [{**score, "playerRefId": 1, "score": "3*4"}],
            },
            {
                **play,
                "uuid": "D",
                "gameRefId": 3,
                "playDate": "2025-03-04 19:00:00",
                "playerScores": [{**score, "playerRefId": 1, "score": "12"}],
            },
        ],
        "userInfo": {"meRefId": 1},
    }


def test_bg_stats_comes_in_by_number_then_by_name_and_only_once(db: Database) -> None:
    home = club(db)
    history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 2}))])
    content = json.dumps(export())
    outcome = bring(db, home, content)
    assert (outcome.added, outcome.known, outcome.others, outcome.left_out) == (3, 0, 1, 0)
    assert outcome.examples["other_game"] == "Chess"
    assert set(clubs.roster(db, home)) == {"Ann", "Bob", "Robert"}, "ann is known by her name"
    outcome = bring(db, home, content)
    assert (outcome.added, outcome.known, outcome.differs, outcome.others) == (0, 3, 0, 1)
    [town] = listing.page(db, home, listing.Filter(game="tiny_towns")).plays
    assert (town.winners, town.played_at, town.place, town.minutes) == (["Robert"], "2025-03-01T19:00:00Z", "Home", 45)
    assert rebuild.check(db) == []


def test_who_is_who_is_asked_once(db: Database) -> None:
    home = club(db)
    history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 2}))])
    content = json.dumps(export()).encode()
    key = begun(db, home, content)
    one = imports.find(db, key)
    assert one is not None
    matches = imports.guessed(db, one) | {("player", "P2"): "Bob", ("game", "G3"): ""}
    imports.answer(db, one, matches)
    imports.finish(db, key)
    assert set(clubs.roster(db, home)) == {"Ann", "Bob"}
    again = imports.find(db, begun(db, home, content))
    assert again is not None
    assert imports.guessed(db, again) == matches


def play_file(db: Database, play_id: int) -> str:
    [one] = archive.by_ids(db, [play_id])
    return bgstats_out.play_file(db, one, BGG)


def test_a_play_leaves_for_bg_stats_complete(db: Database) -> None:
    home = club(db)
    [play_id] = history.save_all(
        db,
        home,
        [draft(towns({"Ann": 4, "Bob": 2}, mode="town_hall"), "2026-11-18T20:15:00Z", place="Café", minutes=40)],
    )
    play = saved_plays.by_id(db, play_id)
    assert play is not None
    address = bgstats_out.create_play(db, play, BGG)
    link = json.loads(parse_qs(urlsplit(address).query)["data"][0])
    assert link["sourceName"] == "Tidemark" and link["sourcePlayId"] == play.key
    assert (link["playDate"], link["durationMin"], link["location"]) == ("2026-11-18 20:15:00", 40, "Café")
    assert link["board"] == "Town Hall"
    assert link["game"] == {
        "name": "Tiny Towns",
        "sourceGameId": "tiny_towns",
        "highestWins": True,
        "noPoints": False,
        "bggId": 265736,
    }
    assert [player["winner"] for player in link["players"]] == [True, False]
    assert all(player["startPlayer"] is False for player in link["players"])
    assert all(isinstance(player["score"], int) for player in link["players"])
    [file] = [json.loads(play_file(db, play.id))]
    [kept] = file["plays"]
    assert kept["uuid"] == kept["uuid"].upper() and kept["playImages"] == "[]"
    assert (kept["playDateYmd"], kept["manualWinner"], kept["ignored"], kept["usesTeams"]) == (
        20261118,
        False,
        False,
        False,
    )
    assert [score["score"] for score in kept["playerScores"]] == [
        str(player["total"]) for player in play.result["players"]
    ]
    assert {type(score[key]) for score in kept["playerScores"] for key in ("winner", "startPlayer", "newPlayer")} == {
        bool
    }
    assert "Ann: Cottages" in kept["comments"]
    assert json.loads(play_file(db, play.id)) == file, "a second file updates the first"


def test_a_play_without_a_number_or_a_place_is_handed_on_by_name(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(typed({"Ann": 4, "Bob": 4}))])
    play = saved_plays.by_id(db, play_id)
    assert play is not None
    link = json.loads(parse_qs(urlsplit(bgstats_out.create_play(db, play, BGG)).query)["data"][0])
    assert "bggId" not in link["game"] and link["location"] == "Tidemark" and "durationMin" not in link


@pytest.mark.either
def test_what_we_write_for_bg_stats_we_read_again(db: Database) -> None:
    home = demo.seed(db, 10)
    other = clubs.create(db, "The others")
    written = "".join(export_files.write(db, home, "bgstats"))
    assert bring(db, other, written) == Outcome(10)
    assert [play.best for play in listing.recent(db, other)] == [play.best for play in listing.recent(db, home)]
    assert [play.winners for play in listing.recent(db, other)] == [play.winners for play in listing.recent(db, home)]


# -- the SQLite file ---


def test_the_database_of_a_club_holds_nothing_of_others_and_no_secret(db: Database, tmp_path: Path) -> None:
    home, other = demo.seed(db, 8), clubs.create(db, "The others")
    history.save_all(db, other, [draft(towns({"Xerxes": 4, "Yvonne": 2}), notes="private")])
    db.upsert("settings", ("name",), name="secret_key", value="hush")
    path = tmp_path / "club.db"
    path.write_bytes(b"".join(club_sqlite.pieces(db, home)))
    content = path.read_bytes()
    for word in (b"Xerxes", b"private", b"hush", clubs.links(db, home)["owner"].encode()):
        assert word not in content
    copy = sqlite3.connect(path)
    assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert copy.execute("PRAGMA foreign_key_check").fetchall() == []
    assert copy.execute("SELECT count(*) FROM plays").fetchone() == (8,)
    copy.close()
    with opened(str(path)) as again:
        assert rebuild.check(again) == []


def test_every_table_goes_into_a_clubs_database_or_stays_for_a_reason() -> None:
    goes = {*club_sqlite.OF_THE_CLUB, *club_sqlite.OF_ITS_PLAYS, *club_sqlite.OF_ITS_PHOTOS}
    goes |= set(club_sqlite.COPIED_SEPARATELY)
    assert not goes & club_sqlite.LEFT_OUT
    assert goes | club_sqlite.LEFT_OUT == set(copying.tables(migrations.steps))


def test_a_clubs_database_has_every_row_of_the_club(db: Database, tmp_path: Path) -> None:
    home = demo.seed(db, 8)
    [play] = db.execute("SELECT max(id) FROM all_plays").fetchone()
    for key, play_id in (("kept", play), ("under review", None)):
        photo = db.insert("photos", key=key, play_id=play_id, reading="{}", created_at="")
        db.put("pictures", photo_id=photo, number=0, jpeg=b"\0\xff")
        db.put("photo_boards", photo_id=photo, number=0)
    path = tmp_path / "club.db"
    path.write_bytes(b"".join(club_sqlite.pieces(db, home)))
    goes = [*club_sqlite.OF_THE_CLUB, *club_sqlite.OF_ITS_PLAYS, "all_plays"]
    with opened(str(path)) as copy:
        assert copying.digests(copy, goes, lambda _: None) == copying.digests(db, goes, lambda _: None)
        assert [key for (key,) in copy.execute("SELECT key FROM photos").fetchall()] == ["kept"]
        assert copy.execute("SELECT jpeg FROM pictures").fetchall() == [(b"\0\xff",)]
        assert [(play, 8)] == copy.execute("SELECT max(id), count(*) FROM all_plays").fetchall()
        assert "".join(export_files.write(copy, home, "json")) == "".join(export_files.write(db, home, "json"))


@pytest.mark.parametrize(
    "question",
    [
        "SELECT game, count(*), avg(minutes) FROM plays GROUP BY game",
        "SELECT player, game, avg(total), sum(winner) FROM scores GROUP BY player, game",
        "SELECT label, avg(points) FROM lines WHERE game = 'tiny_towns' GROUP BY label",
    ],
)
def test_the_views_answer_plain_questions(harbour: tuple[Database, int], question: str) -> None:
    db, _ = harbour
    assert db.execute(question).fetchall()


def test_every_refusal_has_a_code_with_a_sentence() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(import_errors.__file__).parent.glob("*.py")]
    codes = {code for source in sources for code in re.findall(r'refused\(\s*"(\w+)"', source)}
    assert len(codes) > 3
    assert codes <= import_errors.SENTENCES.keys()
