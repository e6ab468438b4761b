"""The pages around the history: who may see and do what, and that each shows what it is about."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer import games
from tests.webapp.bringing import bring
from tests.webapp.conftest import Device
from tests.webapp.plays import draft, towns, typed
from tests.webapp.test_exchange import export
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database
from webapp.history import listing, saved_plays
from webapp.history import plays as history


@pytest.fixture
def harbour(db: Database, club: int) -> int:
    """The club with some games."""
    history.save_all(
        db,
        club,
        [
            draft(towns({"Ann": 4, "Bob": 2}), f"2025-0{month}-01T20:00:00Z", notes="<b>bold</b>", minutes=40)
            for month in range(1, 7)
        ]
        + [draft(towns({"Ann": 4}, mode="solo")), draft(typed({"Ann": 9, "Bob": 4, "Cid": 4}))],
    )
    return club


def newest(db: Database, club: int) -> str:
    return listing.page(db, club, listing.Filter(game="tiny_towns", players=2)).plays[0].key


def pages(db: Database, club: int) -> list[str]:
    key = newest(db, club)
    return [
        "/plays",
        "/plays?game=tiny_towns&words=bold",
        f"/plays/{key}",
        f"/plays/{key}/sheet",
        "/stats",
        *(f"/stats/games/{game.id}" for game in games.all_games()),
        "/stats/games/tiny_towns?players=2&variant=",
        "/stats/games/tiny_towns?players=99&variant=x&piece.grid=empty",
        "/stats/games/tiny_towns?variant=mode%3Dsolo",
        "/stats/years/2025",
        "/stats/achievements",
        "/stats/how",
        "/players",
        "/players/1",
        "/players/3",
        "/players/1/against/2",
        "/data",
    ]


def test_a_viewer_sees_every_page_and_strangers_none(
    harbour: int, db: Database, viewer: Device, stranger: Device
) -> None:
    for page in pages(db, harbour):
        text = viewer.get(page)
        assert "<b>bold</b>" not in text
        assert "style=" not in text and "<script>" not in text
        stranger.get(page, 404)


def test_pages_of_an_empty_club_open(viewer: Device) -> None:
    for page in ("/plays", "/stats", "/stats/achievements", "/stats/how", "/players", "/data"):
        viewer.get(page)
    for game in games.all_games():
        viewer.get(f"/stats/games/{game.id}")
    for page in ("/stats/games/chess", "/stats/years/2025", "/stats/years/zz", "/players/1", "/players/1/against/2"):
        viewer.get(page, 404)


def test_another_clubs_players_and_plays_are_strangers(harbour: int, db: Database, app: Any) -> None:
    other = Device(app.test_client())
    other.get(f"/join/{clubs.links(db, clubs.create(db, 'The others'))['owner']}")
    for page in ("/players/1", f"/plays/{newest(db, harbour)}", "/players/1/against/2"):
        other.get(page, 404)


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        ("viewer", "/data/export/json", 403),
        ("member", "/data/export/json", 200),
        ("member", "/data/export/players", 200),
        ("member", "/data/export/lines", 200),
        ("member", "/data/export/bgstats", 200),
        ("member", "/data/export/nonsense", 404),
        ("member", "/data/export/sqlite", 403),
        ("owner", "/data/export/sqlite", 200),
        ("member", "/data/rescore", 403),
        ("owner", "/data/rescore", 200),
        ("viewer", "/data/example.csv", 200),
        ("owner", "/data/import/unknown", 404),
    ],
)
def test_who_may_take_what(harbour: int, device: Callable[[str], Device], role: str, path: str, status: int) -> None:
    with device(role).client.get(path) as answer:  # an export ends while its database is still there
        assert answer.status_code == status
        if status == 200 and path != "/data/rescore":
            assert answer.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "path", ["/players/1/name", "/players/1/merge", "/data/import", "/data/rescore", "/data/import/x"]
)
def test_viewers_change_nothing(harbour: int, viewer: Device, path: str) -> None:
    assert viewer.post(path, {"name": "Eve"}).status_code == 403


def test_renaming_and_making_one_on_the_page(harbour: int, db: Database, owner: Device) -> None:
    owner.get("/players/3")
    owner.post("/players/3/name", {"name": "Sid"})
    assert "Sid" in owner.get("/players/3")
    owner.post("/players/3/name", {"name": "Ann"})
    assert "That name is taken" in owner.get("/players/3")
    owner.post("/players/3/name", {"name": "x" * 41})
    assert "1 to 40" in owner.get("/players/3")
    owner.post("/players/3/merge", {"into": 1})
    assert "played in the same game" in owner.get("/players/3")


def test_what_is_told_about_a_game_is_kept(harbour: int, db: Database, member: Device) -> None:
    key = newest(db, harbour)
    member.get(f"/plays/{key}")
    fields = {"notes": " A fine evening ", "place": "Pier", "minutes": "75", "day": "2024-02-29"}
    assert member.post(f"/plays/{key}/notes", fields).status_code == 303
    play = saved_plays.find(db, key)
    assert play is not None
    assert (play.notes, play.place, play.minutes) == ("A fine evening", "Pier", 75)
    assert play.played_at.startswith("2024-02-29T")
    member.post(f"/plays/{key}/notes", {"day": "2024-02-29"})  # by Enter, before the rest of the page had come
    assert saved_plays.find(db, key) == play
    member.post(f"/plays/{key}/notes", {**fields, "minutes": "-3", "day": "2024-02-30"})
    play = saved_plays.find(db, key)
    assert play is not None
    assert (play.minutes, play.played_at[:10]) == (None, "2024-02-29")


def test_a_game_goes_to_bg_stats_by_a_short_link(harbour: int, db: Database, viewer: Device) -> None:
    key = newest(db, harbour)
    answer = viewer.client.get(f"/plays/{key}/bgstats")
    assert answer.location.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    file = viewer.client.get(f"/plays/{key}/play.bgsplay")
    assert file.json is not None and len(file.json["plays"]) == 1


def send(owner: Device, content: bytes, name: str = "file.json") -> Any:
    owner.get("/data")
    return owner.post("/data/import", {"file": (io.BytesIO(content), name)}, content_type="multipart/form-data")


def when_done(owner: Device, status: str) -> str:
    """The page of what came of it, once the games have come in beside the pages."""
    for _ in range(200):
        page = owner.get(status)
        if "data-progress" not in page and "<progress" not in page:
            return page
        time.sleep(0.1)
    raise AssertionError("it never ends")


def test_bringing_in_a_file_of_another_program_asks_who_is_who(harbour: int, db: Database, owner: Device) -> None:
    import json

    answer = send(owner, json.dumps(export()).encode())
    assert answer.status_code == 303
    asked = owner.get(answer.location)
    assert "4 games from BG Stats. Tidemark can score 3." in asked  # Chess is none of ours
    assert asked.index("Tiny Towns: deluxe") < asked.index("Games we don’t know") < asked.index("Chess")
    players = re.findall(r'<label for="(player\.\d+)">([^<]+)', asked)
    answers = {field: {"ann": "Ann", "Robert": "Bob"}[name] for field, name in players}
    assert "3 games added" in when_done(owner, owner.post(answer.location, answers).location)
    assert set(clubs.roster(db, harbour)) == {"Ann", "Bob", "Cid"}
    owner.get("/data")  # a page with a token
    assert owner.post(answer.location, answers).status_code in {303, 404}
    assert len(listing.recent(db, harbour)) == 11  # answered once: eight that were there, and three
    again = owner.get(send(owner, json.dumps(export()).encode()).location)
    assert re.search(r'value="Bob" selected', again)


def test_a_history_larger_than_a_form_comes_in(harbour: int, owner: Device) -> None:
    rows = (f"{n},2026-01-01,Tenby,Ann,{n % 90},{'x' * 900}\n" for n in range(700))
    content = "play,date,game,player,total,notes\n" + "".join(rows)
    assert len(content) > 600_000
    # Written by hand: the test client would leave a file of its own open.
    token = re.search(r'name="csrf_token" value="([^"]+)"', owner.get("/data"))
    assert token is not None
    parts = [f'name="csrf_token"\r\n\r\n{token[1]}', f'name="file"; filename="large.csv"\r\n\r\n{content}']
    body = "".join(f"--edge\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + "--edge--\r\n"
    answer = owner.client.post("/data/import", data=body.encode(), content_type="multipart/form-data; boundary=edge")
    assert answer.status_code == 303


def test_our_own_file_comes_in_at_once(harbour: int, owner: Device) -> None:
    content = owner.client.get("/data/export/json").data
    assert "8 were already here" in when_done(owner, send(owner, content).location)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[" * 9999, b"date,game\n"])
def test_a_file_that_is_refused_is_told_at_its_field(owner: Device, content: bytes) -> None:
    answer = send(owner, content)
    assert answer.status_code == 422
    assert 'id="file-errors"' in answer.get_data(as_text=True)


def test_scoring_again_on_the_page(db: Database, club: int, owner: Device) -> None:
    wrong = draft(towns({"Ann": 3, "Bob": 4}))
    ann, bob = wrong.decision.seats
    (rule, item, points), *others = ann.lines
    ann = replace(ann, total=(ann.total or 0) + 1, lines=((rule, item, points + 1), *others))
    decision = replace(wrong.decision, seats=(ann, bob), rules_version="0")
    [play_id] = history.save_all(db, club, [replace(wrong, decision=decision)])
    page = owner.get(f"/plays/{saved_plays.key_of(db, play_id)}")
    assert "Today’s rules would score this game differently." in page and "/data/rescore" in page
    page = owner.get("/data/rescore")
    assert "would change" in page
    owner.post("/data/rescore", {"play": str(play_id), "after": "0"})
    play = saved_plays.by_id(db, play_id)
    assert play is not None and play.version == 2
    assert "Today’s rules" not in owner.get(f"/plays/{play.key}")
    assert "All games follow" in owner.get("/data/rescore")


ODD = st.text(max_size=6) | st.sampled_from(
    ["9" * 30, "-1", "_", '"', "'", "0001-01-01", "9999-12-31", "\0", "*", "AND"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.sampled_from(["/plays", "/stats/games/tiny_towns", "/data/rescore"]),
    st.dictionaries(
        st.sampled_from(
            ["game", "player", "players", "since", "until", "way", "words", "after", "variant", "piece.grid"]
        ),
        ODD,
    ),
)
def test_no_address_breaks_a_page(owner: Device, path: str, asked: dict[str, str]) -> None:
    assert owner.client.get(path, query_string=asked).status_code == 200


@pytest.mark.parametrize("number", ["0", "999999999", "9" * 30])
def test_numbers_of_nobody_lead_nowhere(viewer: Device, number: str) -> None:
    viewer.get(f"/players/{number}", 404)


def test_odd_days_and_minutes_are_not_taken(harbour: int, db: Database, member: Device) -> None:
    key = newest(db, harbour)
    member.get(f"/plays/{key}")
    for day in ("0001-01-01", "9999-12-31", "x", ""):
        assert member.post(f"/plays/{key}/notes", {"notes": "n", "day": day, "minutes": "9" * 20}).status_code == 303
    play = saved_plays.find(db, key)
    assert play is not None
    assert (play.played_at[:4], play.minutes) == ("2025", None)


def test_imported_totals_can_be_looked_at_and_corrected(db: Database, club: int, owner: Device) -> None:
    rows = [
        f"{game.id},2026-01-01,{game.name},{name},{total}"
        for game in games.all_games()
        for name, total in (("Ann", 9), ("Bob", 9), ("Cid", 4))
        if len(game.players) > 2
    ]
    bring(db, club, "\n".join(["play,date,game,player,total", *rows]))
    plays = listing.recent(db, club)
    assert len(plays) >= 3
    for play in plays:
        owner.get(f"/plays/{play.key}/sheet")
        assert "from CSV" in owner.get(f"/plays/{play.key}")
        assert owner.client.get(f"/plays/{play.key}/bgstats").status_code == 302
        owner.get(owner.post(f"/plays/{play.key}/edit").location)


@pytest.mark.either
def test_every_demo_page_opens(db: Database, app: Any) -> None:
    club_id = demo.seed(db, 60)
    visitor = Device(app.test_client())
    visitor.get(f"/join/{clubs.links(db, club_id)['viewer']}")
    for page in [*pages(db, club_id), *(f"/plays/{play.key}" for play in listing.recent(db, club_id, 60))]:
        visitor.get(page)


def test_whoever_may_take_data_out_finds_everything_about_a_person(
    harbour: int, db: Database, member: Device, viewer: Device
) -> None:
    [(ann,)] = db.execute("SELECT id FROM players WHERE name = 'Ann'").fetchall()
    address = f"/data/person/{ann}"
    assert f'href="{address}"' in member.get(f"/players/{ann}")
    assert f'href="{address}"' not in viewer.get(f"/players/{ann}")
    found = json.loads(member.get(address))
    assert (found["name"], len(found["plays"])) == ("Ann", 8)
    viewer.get(address, status=403)
