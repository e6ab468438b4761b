"""Data that leaves and comes: round trips, files of other programs, and files that mean harm."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.bringing import bring, without_imports
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.cli import demo
from webapp.cli.opening import opened
from webapp.database import Database, copying
from webapp.exchange import bgstats_out, imports, own_file, reading, tables, writing
from webapp.exchange.outcome import Outcome
from webapp.exchange.refusal import Refused
from webapp.history import archive, listing, people, recount
from webapp.history import plays as history
from webapp.schema import migrations
from webapp.table import tables as laid

BGG = {"tiny_towns": 265736}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "t.db") as opened:
        yield opened


# -- our own JSON ---


def test_a_club_goes_out_and_comes_into_an_empty_database_the_same(db: Database, tmp_path: Path) -> None:
    home = demo.seed(db, 40)
    [first, second, *_] = listing.recent(db, home)
    play, deleted = history.find(db, first.key), history.find(db, second.key)
    assert play is not None and deleted is not None
    history.correct(db, play, play.record, play.result)
    history.delete(db, deleted)
    laid.remember(db, home, "tenby", {"accolades": {"mode": "high_tide"}})
    bring(db, home, "play,date,game,player,total\n1,2026-01-01,Tenby,Ada,12\n")
    written = "".join(writing.write(db, home, "json"))
    with database(tmp_path / "empty.db") as empty:
        there = clubs.found(empty, clubs.name_of(db, home))
        assert bring(empty, there, written) == Outcome(41)
        assert without_imports("".join(writing.write(empty, there, "json"))) == without_imports(written)
        assert recount.recount(empty, repair=False) == []
        assert bring(empty, there, written) == Outcome(0, 41)
        assert without_imports("".join(writing.write(empty, there, "json"))) == without_imports(written)


def test_the_same_file_in_two_clubs_of_one_database(db: Database) -> None:
    home, other = club(db), clubs.found(db, "The others")
    history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}))])
    written = "".join(writing.write(db, home, "json"))
    assert bring(db, other, written) == Outcome(1)
    assert bring(db, other, written) == Outcome(0, 1)
    assert bring(db, home, written) == Outcome(0, 1)


def spoiled(change: str) -> Any:
    with database(":memory:") as db:
        history.save_all(db, club(db), [draft(towns({"Ann": 4, "Bob": 2}), notes="fine", minutes=30)])
        value = json.loads("".join(writing.write(db, club(db), "json")))
    exec(change, {"v": value, "play": value["plays"][0], "ann": value["plays"][0]["result"]["players"][0]})
    return value


@pytest.mark.parametrize(
    "change",
    [
        "v['version'] = 2",
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
        "play['result']['game'] = 'tenby'",
        "play['record']['players'] = []",
        "play['result']['players'] = []",
        "play['result']['winners'] = ['Bob']",
        "play['result']['ok'] = 1",
        "play['result']['needs'] = [{}]",
        "play['result']['extra'] = 1",
        "play['versions'] = [{}]",
        "ann['total'] = 99",
        "ann['lines'][0]['points'] = 99",
        "ann['lines'][0]['points'] = True",
        "ann['lines'][0]['cells'] = [1]",
        "ann['lines'][0].pop('why')",
        "ann['rank'] = 0",
        "ann['winner'] = 1",
        "ann['tiebreaks'] = [1]",
        # A whole and coherent lie about what today's rules give is found out by scoring again.
        "ann['lines'][0]['points'] += 5; ann['total'] += 5",
    ],
)
def test_a_spoiled_file_is_refused_as_a_whole(db: Database, change: str) -> None:
    home = club(db)
    before = recount.fingerprints(db)
    with pytest.raises(Refused):
        bring(db, home, json.dumps(spoiled(change)))
    assert recount.fingerprints(db) == before


@pytest.mark.parametrize(
    "said",
    [
        "{}",
        "{'/players/0/lines/0/why': why}",
        "{pointer: ['{a}' * 1000, {'a': ['{a}' * 1000, {'a': ['{a}' * 1000, {'a': ['{a}' * 1000, {'a': 'x'}]}]}]}]}",
        "{pointer: []}",
        "{pointer: ''}",
        "{pointer: None}",
        "{pointer: [None, {'n': 1}]}",
        "{pointer: ['{n} cat', '{n} cats', {'n': 'many'}]}",
        "{pointer: ['{n} cat', '{n} cats']}",
        "{pointer: ['{name}', {'other': 1}]}",
        "{pointer: {'and': 'abc'}}",
        "{pointer: {'nor': []}}",
        "{pointer: {}}",
        "{pointer: ['{x}', {'x': {'y': {'z': 1.5}}}]}",
        "{'/' + 'x' * 100_000: ['y'] * 10_000}",
        "{'/nowhere': [1], '': [], '/players/9/lines/9/why': ['{name}']}",
    ],
)
def test_sentences_of_strangers_are_carried_along_and_do_no_harm(db: Database, said: str) -> None:
    names = {"pointer": "/players/0/lines/0/why", "why": ["fed by {name}", {"name": "Eve"}]}
    value = spoiled("play['result'].pop('said', None)")
    value["plays"][0]["result"]["said"] = eval(said, names)
    home = club(db)
    assert bring(db, home, json.dumps(value)) == Outcome(1)
    [one] = listing.recent(db, home)
    play = history.find(db, one.key)
    assert play is not None
    assert play.result["said"] == eval(said, names)
    assert type(play.result["players"][0]["lines"][0]["why"]) is str, "what does not fit its text stays a text"
    [again] = json.loads("".join(writing.write(db, home, "json")))["plays"]
    assert again == value["plays"][0]
    ann = people.find(db, clubs.player_id(db, home, "Ann"))
    assert ann is not None
    assert people.rename(db, ann, "Anna")


@pytest.mark.parametrize("said", [[], "said", 7, None, [["a"]]])
def test_sentences_that_are_no_object_are_refused(db: Database, said: Any) -> None:
    value = spoiled("play['result'].pop('said', None)")
    value["plays"][0]["result"]["said"] = said
    with pytest.raises(Refused):
        bring(db, club(db), json.dumps(value))


def test_sentences_go_out_and_come_in(db: Database, tmp_path: Path) -> None:
    home = club(db)
    history.save_all(db, home, [draft(typed({"Ann": 4, "Bob": 4}, "old_london_bridge") | CHAPEL)])
    written = "".join(writing.write(db, home, "json"))
    assert '"said":{"' in written
    with database(tmp_path / "other.db") as other:
        assert bring(other, club(other), written) == Outcome(1)
        assert without_imports("".join(writing.write(other, club(other), "json"))) == without_imports(written)
        # A file of before results carried sentences comes in as well.
        value = json.loads(written)
        del value["plays"][0]["result"]["said"]
        value["plays"][0]["key"] = "another"
        assert bring(other, club(other), json.dumps(value)) == Outcome(1)


def test_what_is_refused_today_comes_in_as_it_was_saved(db: Database) -> None:
    """Before totals were checked, −4 points for town cards could be typed and saved."""
    history.save_all(db, club(db), [draft(typed({"Ann": 4, "Bob": 2}))])
    value = json.loads("".join(writing.write(db, club(db), "json")))
    [play] = value["plays"]
    play["key"] = "of-old"
    play["record"]["players"][1]["typed"]["card"] = -4
    bob = play["result"]["players"][1]
    bob["lines"][0]["points"] = bob["total"] = -4
    del play["result"]["said"]
    other = clubs.found(db, "The others")
    assert bring(db, other, json.dumps(value)) == Outcome(1)
    [one] = listing.recent(db, other)
    kept = history.find(db, one.key)
    assert kept is not None
    assert [player["total"] for player in kept.result["players"]] == [4, -4]
    assert recount.recount(db, repair=False) == []


def test_a_game_of_when_the_score_pad_was_worded_otherwise_comes_in(db: Database) -> None:
    value = spoiled("ann['lines'][0]['why'] = 'in the words of last year'; play['result'].pop('said')")
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
        (b"[" * 100_000, "neither"),
        (b'{"plays":[' + b"[" * 100_000, "nested"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "nested"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"{}", "neither"),
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


def test_what_goes_out_as_csv_comes_in_elsewhere_once(db: Database) -> None:
    home, other = club(db), clubs.found(db, "The others")
    history.save_all(
        db,
        home,
        [
            draft(towns({"=Ann": 4, "-Bob": 2}), notes='@home, "really"\nyes', place="+Café", minutes=40),
            draft(below_zero("=Ann", "Cid")),
        ],
    )
    written = "".join(writing.write(db, home, "players"))
    assert bring(db, home, written) == Outcome(0, 2)
    assert bring(db, other, written) == Outcome(2)
    assert bring(db, other, tables.BOM + written) == Outcome(0, 2)
    assert "".join(writing.write(db, other, "players")).count("'=Ann") == 2
    plays = [history.find(db, one.key) for one in listing.recent(db, other)]
    by_game = {play.game: play for play in plays if play is not None}
    assert (by_game["tiny_towns"].notes, by_game["tiny_towns"].place, by_game["tiny_towns"].minutes) == (
        '@home, "really"\nyes',
        "+Café",
        40,
    )
    assert [player["total"] for player in by_game["old_london_bridge"].result["players"]] == [-4, -9]
    assert recount.recount(db, repair=False) == []


def test_no_cell_is_a_formula_and_numbers_stay_numbers(db: Database) -> None:
    history.save_all(db, club(db), [draft(below_zero("=1+1", "@x"), notes="\t=cmd", place="-1")])
    for kind in ("players", "lines"):
        text = "".join(writing.write(db, club(db), kind, excel=True))
        assert text.startswith("\ufeff")
        for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))):
            for column, cell in row.items():
                numeric = column in {"total", "rank", "winner", "points", "position", "minutes"}
                assert numeric or not cell.startswith(("=", "+", "-", "@", "\t", "\0"))
                if numeric and cell:
                    int(cell)


def test_the_example_can_be_brought_in(db: Database) -> None:
    example = tables.example()
    assert bring(db, club(db), example).added >= 1
    assert bring(db, club(db), example).added == 0
    first = history.find(db, listing.page(db, club(db), listing.Filter(game="tiny_towns")).plays[0].key)
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
    assert recount.recount(db, repair=False) == []


def test_who_is_who_is_asked_once(db: Database) -> None:
    home = club(db)
    history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 2}))])
    content = json.dumps(export()).encode()
    opened, key = reading.in_memory(content), imports.begin(db, home)
    one = imports.look(db, key, opened, len(content))
    matches = imports.guessed(db, one) | {("player", "P2"): "Bob", ("game", "G3"): ""}
    imports.answer(db, one, matches)
    imports.go_on(db, key, opened, lambda *_: None)
    assert set(clubs.roster(db, home)) == {"Ann", "Bob"}
    again = imports.look(db, imports.begin(db, home), opened, len(content))
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
    play = history.by_id(db, play_id)
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
    play = history.by_id(db, play_id)
    assert play is not None
    link = json.loads(parse_qs(urlsplit(bgstats_out.create_play(db, play, BGG)).query)["data"][0])
    assert "bggId" not in link["game"] and link["location"] == "Tidemark" and "durationMin" not in link


def test_what_we_write_for_bg_stats_we_read_again(db: Database) -> None:
    home = demo.seed(db, 10)
    other = clubs.found(db, "The others")
    written = "".join(writing.write(db, home, "bgstats"))
    assert bring(db, other, written) == Outcome(10)
    assert [play.best for play in listing.recent(db, other)] == [play.best for play in listing.recent(db, home)]
    assert [play.winners for play in listing.recent(db, other)] == [play.winners for play in listing.recent(db, home)]


# -- the SQLite file ---


def test_the_database_of_a_club_holds_nothing_of_others_and_no_secret(db: Database, tmp_path: Path) -> None:
    home, other = demo.seed(db, 8), clubs.found(db, "The others")
    history.save_all(db, other, [draft(towns({"Xerxes": 4, "Yvonne": 2}), notes="private")])
    db.upsert("settings", ("name",), name="secret_key", value="hush")
    path = tmp_path / "club.db"
    path.write_bytes(b"".join(own_file.pieces(db, home)))
    content = path.read_bytes()
    for word in (b"Xerxes", b"private", b"hush", clubs.links(db, home)["owner"].encode()):
        assert word not in content
    copy = sqlite3.connect(path)
    assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert copy.execute("PRAGMA foreign_key_check").fetchall() == []
    assert copy.execute("SELECT count(*) FROM plays").fetchone() == (8,)
    copy.close()
    with opened(str(path)) as again:
        assert recount.recount(again, repair=False) == []


def test_every_table_goes_into_a_clubs_database_or_stays_for_a_reason() -> None:
    goes = {*own_file.OF_THE_CLUB, *own_file.OF_ITS_PEOPLE, *own_file.OF_ITS_PLAYS, *own_file.OF_ITS_PHOTOS}
    goes |= set(own_file.BESIDES)
    assert not goes & own_file.STAYS
    assert goes | own_file.STAYS == set(copying.tables(migrations.steps))


def test_a_clubs_database_has_every_row_of_the_club(db: Database, tmp_path: Path) -> None:
    home = demo.seed(db, 8)
    [play] = db.execute("SELECT max(id) FROM kept_plays").fetchone()
    for key, play_id in (("kept", play), ("under review", None)):
        photo = db.insert("photos", key=key, play_id=play_id, reading="{}", created_at="")
        db.put("pictures", photo_id=photo, number=0, jpeg=b"\0\xff")
        db.put("photo_boards", photo_id=photo, number=0)
    path = tmp_path / "club.db"
    path.write_bytes(b"".join(own_file.pieces(db, home)))
    goes = [*own_file.OF_THE_CLUB, *own_file.OF_ITS_PEOPLE, *own_file.OF_ITS_PLAYS, "kept_plays"]
    with opened(str(path)) as copy:
        assert copying.digests(copy, goes, lambda _: None) == copying.digests(db, goes, lambda _: None)
        assert [key for (key,) in copy.execute("SELECT key FROM photos").fetchall()] == ["kept"]
        assert copy.execute("SELECT jpeg FROM pictures").fetchall() == [(b"\0\xff",)]
        assert [(play, 8)] == copy.execute("SELECT max(id), count(*) FROM kept_plays").fetchall()
        assert "".join(writing.write(copy, home, "json")) == "".join(writing.write(db, home, "json"))


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
