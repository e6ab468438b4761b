"""Rooms: who may do what (the table in SECURITY.md), how phones join, and what two of them do at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from scorer.contract import Game
from tests.conftest import GAMES, ROOT
from tests.webapp.conftest import Device, Laid, lay_towns
from tests.webapp.test_cardboxes import GULLS
from webapp.database import Database, ago
from webapp.table import acts, cardboxes, phones, rooms, seats, tables
from webapp.views import join

pytestmark = pytest.mark.either

Phones = Callable[[str], Device]
COLUMNS = ("member", "guest", "TV", "asking", "removed")


def news(device: Device, path: str) -> dict[str, Any]:
    answer = device.client.get(f"{path}/events")
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.data)
    return found


def mark_of(device: Device) -> str:
    """Return what pages call the phone by."""
    with device.client.session_transaction() as session:
        return phones.mark_of(session["device"])


def ask(laid: Laid, device: Device) -> None:
    """Ask to join by the code."""
    device.get("/join")
    device.post("/join", {"code": laid.room.code})


def shown_by(tv: Device) -> str:
    """Return the address in the QR code that a TV shows which is not in a room."""
    found = re.search(r'data-address="http://localhost([^"]+)"', tv.get("/tv"))
    assert found
    return found[1]


def accept(laid: Laid, device: Device) -> None:
    laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/accept/{mark_of(device)}")


def show_on(by: Device, laid: Laid, tv: Device) -> None:
    """Scan the TV with a phone and show the room there."""
    address = shown_by(tv)
    by.get(address)
    by.post(address, {"room": laid.around.removeprefix("/rooms/")})
    assert tv.client.get("/tv").location == f"{laid.around}/tv"


def remove(laid: Laid, by: Device, target: Device) -> None:
    by.get(laid.around)
    by.post(f"{laid.around}/remove/{mark_of(target)}")


def silence(laid: Laid, *devices: Device) -> None:
    """Nobody has heard of these phones for more than two minutes."""
    with laid.db.atomic():
        for device in devices:
            with device.client.session_transaction() as session:
                values = [ago(minutes(3)), session["device"]]
            laid.db.execute("UPDATE phones SET seen_at = ? WHERE device = ?", values)


def minutes(number: float) -> float:
    return number / (24 * 60)


# -- the table in SECURITY.md ---


def cells() -> list[tuple[str, str, str]]:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## In a room")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    assert tuple(rows[0][1:]) == COLUMNS
    return [(row[0], role, cell) for row in rows[2:] for role, cell in zip(COLUMNS, row[1:], strict=True)]


class Scene:
    """A room at a game: Ann is a member's phone, Bob a guest's, and nobody plays Cid; and the phone that tries."""

    def __init__(self, laid: Laid, device: Phones, role: str) -> None:
        self.laid, self.bob, self.other, self.newcomer = laid, device(""), device(""), device("")
        laid.play_as(laid.member, 0)
        laid.seat(self.bob, 1)
        self.other.get(laid.link())
        self.other.post(laid.link())
        self.who = self.other if role == "guest" else laid.member if role == "member" else device("")
        if role == "asking":
            ask(laid, self.who)
        if role == "TV":
            show_on(laid.member, laid, self.who)
        if role == "removed":
            self.who.get(laid.link())
            self.who.post(laid.link())
            remove(laid, laid.member, self.who)
        self.around, self.path = laid.around, laid.path
        self.who.get("/join")  # a page with a token

    def sees(self, path: str, text: str) -> bool:
        answer = self.who.client.get(path)
        return answer.status_code == 200 and text in answer.get_data(as_text=True)

    def post(self, path: str, **fields: str) -> int:
        return self.who.post(path, fields).status_code

    def finish(self) -> None:
        self.laid.enter_all(done=True)


def see_progress(scene: Scene) -> bool:
    return scene.sees(scene.around, "Cid") and scene.sees(f"{scene.path}/result", "Cid")


def see_result(scene: Scene) -> bool:
    scene.finish()
    scene.laid.member.get(scene.around)
    scene.laid.member.post(f"{scene.path}/reveal")
    return scene.sees(f"{scene.path}/result", "podium")


def show_on_tv(scene: Scene) -> bool:
    tv, around = scene.newcomer, scene.around
    address = shown_by(tv)
    scene.who.client.get(address)
    scene.post(address, room=around.removeprefix("/rooms/"))
    return tv.client.get("/tv").location == f"{around}/tv"


def predict(scene: Scene) -> bool:
    scene.post(f"{scene.path}/predict", seat="1")
    return scene.laid.db.row("SELECT 1 FROM phones WHERE prediction = 'Bob'") is not None


def see_ways_in(scene: Scene) -> bool:
    return scene.sees(scene.around, scene.laid.room.link)


def add_player(scene: Scene) -> bool:
    scene.post(f"{scene.path}/setup", add="Dee")
    return len(scene.laid.table().seats) == 4


def play_as(scene: Scene) -> bool:
    scene.post(f"{scene.path}/seats/2/play")
    return scene.laid.table().seats[2].holder is not None


def enter_free(scene: Scene) -> bool:
    scene.post(f"{scene.path}/seats/2", **{"grid/0/0": "cottage"})
    return scene.laid.cell(2) == "cottage"


def enter_anothers(scene: Scene) -> bool:
    scene.post(f"{scene.path}/seats/1", **{"grid/0/0": "cottage"})
    return scene.laid.cell(1) == "cottage"


def reveal(scene: Scene, done: bool = True) -> bool:
    scene.laid.enter_all(done=done)
    scene.post(f"{scene.path}/reveal")
    return scene.laid.table().revealed_at is not None


def reveal_early(scene: Scene) -> bool:
    return reveal(scene, done=False)


def choose_next(scene: Scene) -> bool:
    see_result(scene)
    return change(scene)


def change(scene: Scene) -> bool:
    scene.laid.tap(scene.bob, 1, **{"grid/0/0": "cottage"})
    scene.post(f"{scene.around}/next", game="tenby", after=scene.path.removeprefix("/tables/"))
    row = scene.laid.db.row("SELECT game FROM tables ORDER BY id DESC LIMIT 1")
    return row is not None and row["game"] == "tenby"


def take(scene: Scene) -> bool:
    before = scene.laid.table().seats[1].holder
    fields = {"table": scene.path.removeprefix("/tables/"), "seat": "1", "phone": mark_of(scene.bob)}
    scene.post(f"{scene.around}/take", **fields)
    return scene.laid.table().seats[1].holder != before


def accept_newcomer(scene: Scene) -> bool:
    ask(scene.laid, scene.newcomer)
    scene.post(f"{scene.around}/accept/{mark_of(scene.newcomer)}")
    return scene.newcomer.client.get(scene.around).status_code == 200


def remove_guest(scene: Scene) -> bool:
    scene.post(f"{scene.around}/remove/{mark_of(scene.bob)}")
    return scene.bob.client.get(scene.around).status_code == 404


def remove_member(scene: Scene) -> bool:
    mark, db = mark_of(scene.laid.member), scene.laid.db
    if scene.who is scene.laid.member:  # another member's phone
        device_row = db.row("SELECT * FROM devices LIMIT 1")
        assert device_row is not None
        values = {"role": "play", "sign": "", "since": "2026", "seen_at": ago(0)}
        with db.atomic():
            db.put("phones", room_id=scene.laid.room.id, device="another", **values)
            db.insert("devices", **{**device_row, "id": 99, "key": "other", "phone": "another"})
        mark = phones.mark_of("another")
    scene.post(f"{scene.around}/remove/{mark}")
    rows = db.query("SELECT device FROM phones WHERE role = 'out'")
    return mark in {phones.mark_of(row["device"]) for row in rows}


def undo_anothers(scene: Scene) -> bool:
    """Return what Bob did, with the consent of a member."""
    fields = {
        "table": scene.path.removeprefix("/tables/"),
        "seat": "0",
        "phone": mark_of(scene.laid.member),
    }
    scene.bob.get(scene.around)
    scene.bob.post(f"{scene.around}/take", fields)
    [act] = acts.waiting(scene.laid.db, scene.laid.room)
    scene.laid.member.get(scene.around)
    scene.laid.member.post(f"{scene.around}/acts/{act.id}", {"agree": "1"})
    holder = scene.laid.table().seats[0].holder
    scene.post(f"{scene.around}/acts/{act.id}", undo="1")
    return scene.laid.table().seats[0].holder != holder


def remove_player(scene: Scene) -> bool:
    scene.laid.tap(scene.bob, 1, **{"grid/0/0": "cottage"})
    scene.post(f"{scene.path}/setup", remove="1")
    return len(scene.laid.table().seats) == 2


def save_or_discard(scene: Scene) -> bool:
    scene.laid.enter_all()
    with scene.laid.db.atomic():
        scene.laid.db.execute("UPDATE tables SET revealed_at = 1, practice = 1")
    scene.post(f"{scene.path}/save")
    saved = scene.laid.db.row("SELECT 1 FROM plays") is not None
    second = Laid(scene.laid.member, scene.laid.db, lay_towns(scene.laid.member))
    scene.who.get("/join")
    scene.post(f"{second.path}/clear")
    return saved and tables.find(scene.laid.db, second.path.removeprefix("/tables/")) is None


def see_club(scene: Scene) -> bool:
    return scene.sees("/club", "Thursday")


TRIES: dict[str, Callable[[Scene], bool]] = {
    "see how far each player is": see_progress,
    "see the result once it is revealed": see_result,
    "see the link that phones show": see_ways_in,
    "show the room on a TV": show_on_tv,
    "predict who wins": predict,
    "add a player": add_player,
    "play as a name nobody plays": play_as,
    "enter a board that nobody plays": enter_free,
    "reveal when all boards are complete": reveal,
    "choose the next game after a result": choose_next,
    "take over a board": take,
    "reveal early": reveal_early,
    "change the game while boards are entered": change,
    "accept a newcomer": accept_newcomer,
    "remove a guest's phone": remove_guest,
    "remove a member's phone": remove_member,
    "enter a board that another phone plays": enter_anothers,
    "undo what another phone did": undo_anothers,
    "remove a player who has a board": remove_player,
    "save or discard the game": save_or_discard,
    "see the club": see_club,
}


@pytest.mark.parametrize(("action", "role", "cell"), cells())
def test_each_cell_of_the_table_of_roles(laid: Laid, device: Phones, action: str, role: str, cell: str) -> None:
    scene = Scene(laid, device, role)
    happened = TRIES[action](scene)
    asks = [act for act in acts.waiting(laid.db, laid.room)] if laid.table().room else []
    assert ("yes" if happened else "second phone" if asks else "no") == cell


# -- the second phone ---


def test_a_wish_is_granted_by_one_tap_on_a_phone_that_is_not_its_target(laid: Laid, device: Phones) -> None:
    scene = Scene(laid, device, "guest")
    assert not take(scene)  # Bob's board
    [act] = acts.waiting(laid.db, laid.room)
    tv = device("")
    show_on(laid.member, laid, tv)
    for nobody in (tv, scene.who):
        nobody.get("/join")
        nobody.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    assert [one.id for one in acts.waiting(laid.db, laid.room)] == [act.id]
    page = laid.member.get(laid.around)
    assert "Agree" in page and "wants to enter the scores for" in page
    laid.member.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    assert laid.tap(scene.who, 1, **{"grid/0/0": "farm"}) == 200
    assert laid.tap(scene.bob, 1, **{"grid/0/0": "well"}) == 403


def test_two_guests_who_wish_the_same_agree(laid: Laid, device: Phones) -> None:
    scene = Scene(laid, device, "guest")
    newcomer = scene.newcomer
    ask(laid, newcomer)
    for guest in (scene.bob, scene.other):
        newcomer.get(laid.around, 404)
        guest.get(laid.around)
        guest.post(f"{laid.around}/accept/{mark_of(newcomer)}")
    newcomer.get(laid.around)


def two_guests(laid: Laid, device: Phones) -> tuple[Device, Device]:
    """A room in which only two guests are left."""
    bob, cid = device(""), device("")
    laid.seat(bob, 1)
    laid.seat(cid, 2)
    laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/leave")
    return bob, cid


def test_of_two_phones_the_other_one_agrees_even_as_the_target(laid: Laid, device: Phones) -> None:
    bob, cid = two_guests(laid, device)
    remove(laid, bob, cid)
    [act] = acts.waiting(laid.db, laid.room)
    cid.get(laid.around)
    cid.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    cid.get(laid.around, 404)


def test_nobody_waits_for_a_phone_that_has_been_silent_for_two_minutes(laid: Laid, device: Phones) -> None:
    bob, cid = two_guests(laid, device)
    laid.enter_all()
    bob.get(f"{laid.path}/result")
    bob.post(f"{laid.path}/reveal")
    assert laid.table().revealed_at is None
    silence(laid, cid)
    assert "offline" in bob.get(laid.around)
    bob.post(f"{laid.path}/reveal")
    assert laid.table().revealed_at is not None


def test_who_does_anything_is_there_and_nothing_it_does_is_torn_apart(laid: Laid, device: Phones) -> None:
    """Being there is noted at most every 20 seconds, and never in the middle of something else."""
    bob = device("")
    laid.seat(bob, 1)
    silence(laid, bob)
    assert "offline" in laid.member.get(laid.around)
    laid.member.get(f"{laid.path}/setup")
    bob.get(f"{laid.path}/setup")
    silence(laid, bob)
    bob.post(f"{laid.path}/setup", {"add": "Dee"})  # in one transaction
    assert "offline" not in laid.member.get(laid.around)
    assert [seat.name for seat in laid.table().seats] == ["Ann", "Bob", "Cid", "Dee"]


def test_a_guest_alone_in_a_room_is_not_stuck(laid: Laid, device: Phones) -> None:
    bob, newcomer = device(""), device("")
    laid.seat(bob, 1)
    laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/leave")
    ask(laid, newcomer)
    bob.get(laid.around)
    bob.post(f"{laid.around}/accept/{mark_of(newcomer)}")
    newcomer.get(laid.around)


def test_a_guest_who_removes_everybody_removes_nobody(laid: Laid, device: Phones) -> None:
    scene = Scene(laid, device, "guest")
    for one in (laid.member, scene.bob, scene.who):
        remove(laid, scene.who, one)
    for one in (laid.member, scene.bob, scene.who):
        one.get(laid.around)
    [act] = acts.waiting(laid.db, laid.room)  # of Bob; a member's phone and one's own cannot even be wished away
    assert act.subject["phone"] == mark_of(scene.bob)
    scene.bob.get(laid.around)
    scene.bob.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    assert acts.waiting(laid.db, laid.room)
    laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/acts/{act.id}")
    assert not acts.waiting(laid.db, laid.room)


def test_a_wish_that_is_overtaken_does_nothing(laid: Laid, device: Phones) -> None:
    scene = Scene(laid, device, "guest")
    assert not take(scene)
    [act] = acts.waiting(laid.db, laid.room)
    scene.bob.get(laid.around)
    scene.bob.post(f"{laid.around}/leave")
    laid.play_as(laid.member, 1)
    laid.member.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    assert laid.tap(laid.member, 1, **{"grid/0/0": "farm"}) == 200
    assert not acts.waiting(laid.db, laid.room)


# -- undo ---


@pytest.mark.parametrize("attempt", [take, reveal_early, change, remove_guest], ids=lambda one: one.__name__)
def test_an_act_is_shown_with_a_name_and_undone_for_ten_seconds(
    laid: Laid, device: Phones, attempt: Callable[[Scene], bool]
) -> None:
    scene = Scene(laid, device, "member")
    before = [seat.holder for seat in laid.table().seats]
    assert attempt(scene)
    room = rooms.find(laid.db, key=scene.around.removeprefix("/rooms/"))
    assert room is not None
    [act] = acts.lately(laid.db, room)
    page = scene.other.get(scene.around)
    assert "Ann" in page.partition('data-part="acts"')[2].partition("</form>")[0] and 'name="undo"' not in page
    assert 'name="undo"' in laid.member.get(scene.around)
    laid.member.post(f"{scene.around}/acts/{act.id}", {"undo": "1"})
    assert [seat.holder for seat in laid.table().seats] == before
    assert laid.table().revealed_at is None and laid.around == scene.around
    scene.bob.get(scene.around)


@pytest.mark.parametrize("begun", [True, False])
def test_a_game_that_somebody_has_begun_is_not_undone(laid: Laid, device: Phones, begun: bool) -> None:
    laid.seat(device(""), 1)
    laid.enter_all(done=False)
    second = next_game(laid)
    if begun:
        assert second.tap(laid.member, 0, **{"grid/0/0": "farm"}) == 200
    [act] = acts.lately(laid.db, second.room)
    around = second.around
    laid.member.get(around)
    laid.member.post(f"{around}/acts/{act.id}", {"undo": "1"})
    assert (second if begun else laid).around == around
    assert laid.member.client.get(second.path + "/setup").status_code == (200 if begun else 404)


def test_after_ten_seconds_nothing_is_undone(laid: Laid, device: Phones) -> None:
    scene = Scene(laid, device, "member")
    take(scene)
    [act] = acts.lately(laid.db, laid.room)
    with laid.db.atomic():
        laid.db.execute("UPDATE acts SET done_at = done_at - ?", [acts.UNDO_MS])
    assert 'name="undo"' not in laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/acts/{act.id}", {"undo": "1"})
    assert "too late" in laid.member.get(laid.around)
    assert laid.tap(laid.member, 1, **{"grid/0/0": "farm"}) == 200


# -- two at once ---


def test_of_two_who_choose_the_same_game_the_second_comes_along(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all(done=True)
    laid.member.get(laid.around)
    laid.member.post(f"{laid.path}/reveal")
    key = laid.path.removeprefix("/tables/")
    for one in (laid.member, stranger):
        one.get(laid.around)
        one.post(f"{laid.around}/next", {"game": "tenby", "after": key})
    assert [row["game"] for row in laid.db.query("SELECT game FROM tables ORDER BY id")] == ["tiny_towns", "tenby"]


def test_of_two_who_choose_different_games_the_second_is_told_and_offered_hers(laid: Laid, device: Phones) -> None:
    bob, room = device(""), laid.around
    laid.play_as(laid.member, 0)
    laid.seat(bob, 1)
    key = laid.path.removeprefix("/tables/")
    laid.member.post(f"{room}/next", {"game": "tenby", "after": key})
    bob.get(room)
    page = bob.post(f"{room}/next", {"game": "pier_18", "after": key}).get_data(as_text=True)
    assert "Ann has started Tenby." in page and "Play Pier 18 instead" in page
    row = laid.db.row("SELECT key, game FROM tables ORDER BY id DESC LIMIT 1")
    assert row is not None and row["game"] == "tenby"
    bob.post(f"{room}/next", {"game": "pier_18", "after": row["key"]})  # nothing has been entered yet
    row = laid.db.row("SELECT game FROM tables ORDER BY id DESC LIMIT 1")
    assert row is not None and row["game"] == "pier_18"


@pytest.mark.parametrize("first", ["reveal", "next"])
def test_reveal_and_next_game_pressed_at_once(laid: Laid, device: Phones, first: str) -> None:
    """Whichever comes first is done, and nobody is pulled away from a reveal."""
    bob, room, key = device(""), laid.around, laid.path.removeprefix("/tables/")
    laid.seat(bob, 1)
    laid.enter_all(done=True)
    bob.get(room), laid.member.get(room)
    presses: list[Callable[[], Any]] = [
        lambda: bob.post(f"{laid.path}/reveal"),
        lambda: laid.member.post(f"{room}/next", {"game": "tenby", "after": key}),
    ]
    for press in presses if first == "reveal" else presses[::-1]:
        press()
    table = tables.find(laid.db, key)
    assert table is not None and (table.revealed_at is not None) == (first == "reveal")
    if first == "reveal":
        assert news(bob, laid.path)["next"] and "Go to the next game" in bob.get(f"{laid.path}/result")
    else:
        assert table.room is None and "Tiny Towns" in laid.member.get("/")


# -- joining ---


def test_a_qr_code_leads_in_while_a_player_has_no_phone(laid: Laid, device: Phones) -> None:
    guests = [device("") for _ in range(4)]
    for number in range(3):
        laid.seat(guests[number], number)
        assert laid.tap(guests[number], number, **{"grid/0/0": "cottage"}) == 200
    assert "Ask to join" in guests[3].get(laid.link())
    assert guests[3].post(laid.link(), {"seat": "0"}).location == "/join/waiting"
    guests[3].get(laid.around, 404)
    assert "wants to join" in guests[0].get(laid.around)
    accept(laid, guests[3])
    assert guests[3].client.get("/join/waiting").location == laid.around


def test_a_link_looked_at_by_a_messenger_lets_nobody_in(laid: Laid, stranger: Device) -> None:
    stranger.get(laid.link())
    stranger.get(laid.around, 404)
    assert laid.table().phones == 1


@pytest.mark.parametrize("typed", ["{code}", " {lower} ", "{half} {rest}"])
def test_who_types_the_code_is_accepted_by_a_phone_in_the_room(laid: Laid, stranger: Device, typed: str) -> None:
    code = laid.room.code
    stranger.get("/join")
    stranger.post("/join", {"code": typed.format(code=code, lower=code.lower(), half=code[:3], rest=code[3:])})
    sign = re.search(r'class="code sign">(\w+)<', stranger.get("/join/waiting"))
    assert sign and sign[1] in laid.member.get(laid.around)
    for path in (laid.around, f"{laid.path}/result", f"{laid.path}/seats/1", f"{laid.around}/tv"):
        stranger.get(path, 404)
    accept(laid, stranger)
    assert "Play as Bob" in stranger.get("/join/waiting")


@pytest.mark.parametrize("refused", [False, True])
def test_a_wrong_code_looks_like_a_right_one(laid: Laid, device: Phones, refused: bool) -> None:
    pages = []
    for code in (laid.room.code, "333333"):
        guest = device("")
        guest.get("/join")
        assert guest.post("/join", {"code": code}).location == "/join/waiting"
        if refused and code != "333333":
            laid.member.get(laid.around)
            laid.member.post(f"{laid.around}/accept/{mark_of(guest)}", {"not_now": "1"})
        pages.append(re.sub(r"sign\">\w+", "", guest.get("/join/waiting")))
        guest.get(laid.around, 404)
    assert pages[0] == pages[1]


def test_a_tvs_qr_code_is_good_for_two_minutes(laid: Laid, device: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    tv, early, late = device(""), device(""), device("")
    show_on(laid.member, laid, tv)
    with laid.member.client.application.app_context():
        code = rooms.tv_code(laid.room)
    moment = __import__("time").time()
    monkeypatch.setattr("webapp.table.rooms.time.time", lambda: moment + 60)
    early.get(f"/at/{code}")
    assert early.post(f"/at/{code}", {"seat": "1"}).location.endswith("/seats/1")
    monkeypatch.setattr("webapp.table.rooms.time.time", lambda: moment + 121)  # photographed, and kept
    late.get(f"/at/{code}", 404)
    late.get(f"/at/{code[:-1]}x", 404)
    assert laid.link() not in tv.get(f"{laid.around}/tv") and "Ann" in tv.page


def test_a_tv_shows_the_room_of_the_phone_that_scans_it(laid: Laid, device: Phones) -> None:
    tv, bob, stranger = device(""), device(""), device("")
    laid.seat(bob, 1)
    assert "not in a room" in stranger.get(shown_by(tv))
    assert "Show Tiny Towns: Ann, Bob, Cid" in bob.get(shown_by(tv))
    show_on(bob, laid, tv)
    tv.get(f"{laid.path}/seats/1", 403)  # it only watches
    assert "TV" in laid.member.get(laid.around)
    remove(laid, laid.member, tv)
    tv.get(f"{laid.around}/tv", 404)
    show_on(laid.member, laid, tv)  # it can be paired again


def test_a_tv_that_was_scanned_is_in_the_room_once_it_looks(laid: Laid, device: Phones) -> None:
    tv = device("")
    address, before = shown_by(tv), laid.room.phones
    laid.member.get(address)
    laid.member.post(address, {"room": laid.around.removeprefix("/rooms/")})
    assert laid.room.phones == before and not laid.table().hides_results
    assert "Remove TV" not in laid.member.get(laid.around)
    tv.client.get("/tv")
    assert laid.room.phones == before + 1 and laid.table().hides_results


def test_a_tv_leaves_one_room_for_another(laid: Laid, device: Phones) -> None:
    tv = device("")
    show_on(laid.member, laid, tv)
    second = Laid(laid.member, laid.db, lay_towns(laid.member))
    laid.member.get(f"{second.path}/seats")
    laid.member.post(f"{second.path}/open")
    with laid.member.client.application.test_request_context():
        code = rooms.minute_code("pair", mark_of(tv), "")
    laid.member.get(f"/tv/{code}")
    laid.member.post(f"/tv/{code}", {"room": second.around.removeprefix("/rooms/")})
    assert tv.client.get("/tv").location == f"{second.around}/tv"
    tv.get(f"{laid.around}/tv", 404)


def test_a_code_that_a_tv_showed_three_minutes_ago_pairs_nothing(
    laid: Laid, device: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    tv = device("")
    address, moment = shown_by(tv), __import__("time").time()
    monkeypatch.setattr("webapp.table.rooms.time.time", lambda: moment + 180)
    assert "no longer valid" in laid.member.get(address)
    laid.member.post(address, {"room": laid.around.removeprefix("/rooms/")})
    assert tv.client.get("/tv").status_code == 200  # it still shows a code, and another one
    assert shown_by(tv) != address


# -- what a TV shows ---


def test_a_tv_shows_towns_growing_and_never_what_stands_there(laid: Laid, device: Phones) -> None:
    tv = device("")
    show_on(laid.member, laid, tv)
    town = re.compile(r'<svg class="town".*?</svg>', re.DOTALL)
    empty = town.findall(tv.get(f"{laid.around}/tv"))[1]
    laid.tap(laid.member, 1, **{"grid/0/0": "cottage", "grid/0/1": "farm"})
    [_, bob, _] = town.findall(tv.get(f"{laid.around}/tv"))
    assert (empty.count("<circle"), bob.count("<circle")) == (16, 14)  # squares on which nothing stands
    assert "ottage" not in tv.page and "entering" in tv.page


def test_phones_predict_who_wins_and_the_tv_counts_them(laid: Laid, device: Phones) -> None:
    tv, bob = device(""), device("")
    show_on(laid.member, laid, tv)
    laid.seat(bob, 1)
    for phone, seat in ((laid.member, 0), (bob, 0), (bob, 2), (tv, 1)):  # Bob changes his mind; a TV has none
        phone.get(f"{laid.path}/result")
        phone.post(f"{laid.path}/predict", {"seat": str(seat)})
    found = [row["prediction"] for row in laid.db.query("SELECT prediction FROM phones ORDER BY prediction")]
    assert found == ["", "Ann", "Cid"]
    assert tv.get(f"{laid.around}/tv").count("1 prediction") == 2
    play_to_the_end(laid)
    next_game(laid)
    assert laid.db.row("SELECT 1 FROM phones WHERE prediction <> ''") is None


def test_between_games_a_tv_shows_tonights_results_and_the_next_game(laid: Laid, device: Phones) -> None:
    tv = device("")
    show_on(laid.member, laid, tv)
    play_to_the_end(laid)
    around = laid.around
    assert "1st" in tv.get(f"{around}/tv")  # the result, after its reveal
    with laid.db.atomic():
        laid.db.execute("UPDATE tables SET revealed_at = revealed_at - 600000")
    assert "Choose the next game on a phone" in tv.get(f"{around}/tv")
    second = next_game(laid, "pier_18")
    page = tv.get(f"{around}/tv")
    assert "Next game: Pier 18" in page and "<h1>Tiny Towns</h1>" in page
    assert second.tap(laid.member, 1, patrons="2") == 200
    assert "Next game" not in tv.get(f"{around}/tv")


def test_a_tv_names_everybody_who_played_tonight(laid: Laid, device: Phones) -> None:
    tv = device("")
    show_on(laid.member, laid, tv)
    play_to_the_end(laid)
    second = next_game(laid)
    laid.member.get(f"{second.path}/setup")
    laid.member.post(f"{second.path}/setup", {"add": "Dee"})
    names = dict(zip(("Ann", "Bob", "Cid", "Dee"), ("Eve", "Fay", "Gus", "Hal"), strict=True))
    with laid.db.atomic():
        for old, new in names.items():
            laid.db.execute("UPDATE seats SET name = ? WHERE name = ? AND table_id = ?", [new, old, second.table().id])
        seats.keep(laid.db, second.table(), 3, {"grid": [["empty"] * 4] * 4})
    second.enter_all(done=True)
    play_to_the_end(second)
    with laid.db.atomic():
        laid.db.execute("UPDATE tables SET revealed_at = revealed_at - 600000")
    tally = tv.get(f"{laid.around}/tv").partition("Tonight so far")[2].partition("</ol>")[0]
    assert sorted(re.findall("<strong>(.*?)</strong>", tally)) == ["Ann", "Bob", "Cid", *names.values()]


def test_a_removed_guest_who_scans_again_has_to_ask_and_is_known(laid: Laid, device: Phones) -> None:
    bob, friend = device(""), device("")
    laid.seat(bob, 1)
    link, code = laid.link(), laid.room.code
    remove(laid, laid.member, bob)
    assert (laid.link(), laid.room.code) != (link, code)
    bob.get(link, 404)
    bob.get(laid.link())
    assert bob.post(laid.link(), {"seat": "1"}).location == "/join/waiting"
    bob.get(laid.around, 404)
    assert "A phone that was removed wants to join." in laid.member.get(laid.around)
    friend.get(laid.link())  # or the same person with another browser
    assert friend.post(laid.link(), {"seat": "1"}).location == "/join/waiting"
    assert laid.table().seats[1].holder is None


def test_a_changed_phone_takes_its_board_along(laid: Laid, device: Phones) -> None:
    old, new = device(""), device("")
    laid.seat(old, 1)
    laid.tap(old, 1, **{"grid/0/0": "cottage"})
    new.get(laid.link())
    new.post(laid.link())
    assert "Move Bob to this phone" in new.get(laid.around)
    key = laid.path.removeprefix("/tables/")
    new.post(f"{laid.around}/take", {"table": key, "seat": "1", "phone": mark_of(old)})
    [act] = acts.waiting(laid.db, laid.room)
    old.get(f"{laid.path}/seats/1")
    assert "Agree" in old.page
    old.post(f"{laid.around}/acts/{act.id}", {"agree": "1"})
    assert laid.tap(new, 1, **{"grid/0/0": "farm"}) == 200 and laid.cell(1) == "farm"


def test_guests_learn_nothing_of_the_club(laid: Laid, stranger: Device, db: Database, club: int) -> None:
    laid.seat(stranger, 1)
    for path in ("/club", "/plays", "/players"):
        stranger.get(path, 404)
    for path in (laid.around, f"{laid.path}/seats/1", f"{laid.path}/setup", f"{laid.path}/result", "/"):
        assert "Thursday" not in stranger.get(path), path
    with db.atomic():
        db.insert("players", club_id=club, name="Zoe", created_at="2026")
    assert "Zoe" not in stranger.get(f"{laid.path}/setup") and "Zoe" in laid.member.get(f"{laid.path}/setup")


def test_a_guests_name_becomes_a_player_only_when_a_member_says_so(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    stranger.post(f"{laid.path}/setup", {"add": "Dee"})
    laid.enter_all()
    grid = [["empty"] * 4] * 4
    with laid.db.atomic():
        seats.keep(laid.db, laid.table(), 3, {"grid": grid})
        laid.db.execute("UPDATE seats SET done = 1")
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    assert laid.table().saved_at is not None
    second = next_game(laid)
    assert [seat.guest for seat in second.table().seats] == [False, False, False, True]
    players = laid.member.get("/players")
    assert players.index("Cid") < players.index("Guests") < players.index("Dee")
    [row] = laid.db.query("SELECT id FROM players WHERE name = 'Dee'")
    assert "played as a guest" in laid.member.get(f"/players/{row['id']}")
    laid.member.post(f"/players/{row['id']}/welcome")
    assert "Guests" not in laid.member.get("/players") and "Dee" in laid.member.page


def test_a_guests_name_that_an_edit_adds_stays_a_guest(laid: Laid, stranger: Device) -> None:
    laid.enter_all(done=True)
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    [row] = laid.db.query("SELECT key FROM plays")
    laid.member.get(f"/plays/{row['key']}")
    path = str(laid.member.post(f"/plays/{row['key']}/edit").location).partition("/seats")[0].removesuffix("/setup")
    laid.member.get(f"{path}/setup")
    laid.member.post(f"{path}/open")
    edited = Laid(laid.member, laid.db, path)
    edited.join(stranger)
    stranger.get(f"{path}/setup")
    stranger.post(f"{path}/setup", {"add": "Dee"})
    with laid.db.atomic():
        seats.keep(laid.db, edited.table(), 3, {"grid": [["empty"] * 4] * 4})
    laid.member.get(f"{path}/result")
    laid.member.post(f"{path}/reveal")
    laid.member.post(f"{path}/save")
    rows = laid.db.query("SELECT name, guest FROM players ORDER BY name")
    assert [(row["name"], row["guest"]) for row in rows] == [("Ann", 0), ("Bob", 0), ("Cid", 0), ("Dee", 1)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_guest_can_enter_every_game_without_a_look_into_the_clubs_card_box(
    member: Device, stranger: Device, db: Database, club: int, game: Game
) -> None:
    if game.cardbox is not None:
        cardboxes.describe(db, club, game, "town_cards", GULLS)
    key = tables.add(db, club, game, {}, ["Ann", "Bob"])
    member.get(f"/tables/{key}/seats")
    member.post(f"/tables/{key}/open")
    laid = Laid(member, db, f"/tables/{key}")
    laid.seat(stranger, 1)
    assert "Gull house" not in stranger.get(f"{laid.path}/seats/1")
    for button in ({"pick": "Gull house"}, {"keep": json.dumps(["town_cards", "streets/0/0"])}, {"open": "streets/0"}):
        assert laid.tap(stranger, 1, **button) == 200
        assert "Gull house" not in stranger.get(f"{laid.path}/seats/1")


# -- guessing (docs/developers/rooms-and-news.md tells the same arithmetic in words) ---

ROOMS, YEAR_S = 1000, 365 * 24 * 3600


def test_a_year_of_guessing_succeeds_less_than_once_in_a_million() -> None:
    links = (join.by_link.attempts / join.by_link.seconds) * YEAR_S * ROOMS / 2**128
    assert links < 1e-6
    tries = (join.CODES_PER_ADDRESS / join.CODE_SECONDS) * YEAR_S
    codes = len(rooms.ALPHABET) ** rooms.CODE_LENGTH
    assert codes == 64_000_000
    assert tries * ROOMS / codes < 3  # and a code that is hit by chance only asks
    assert len(set(rooms.ALPHABET)) == len(rooms.ALPHABET)
    assert not set("0OQ1IL2Z5SG8BUEA") & set(rooms.ALPHABET)


def test_an_address_tries_only_so_many_codes(stranger: Device) -> None:
    stranger.get("/join")
    answers = [stranger.post("/join", {"code": f"{n:06}"}).status_code for n in range(join.CODES_PER_ADDRESS + 1)]
    assert answers == [303] * join.CODES_PER_ADDRESS + [429]


def test_a_code_is_tried_only_so_often_from_anywhere(stranger: Device) -> None:
    stranger.get("/join")
    answers = [
        stranger.post("/join", {"code": "333333"}, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}).status_code
        for n in range(join.CODES_PER_CODE + 1)
    ]
    assert answers == [303] * join.CODES_PER_CODE + [429]


def test_a_house_with_many_new_addresses_counts_as_one(stranger: Device) -> None:
    stranger.get("/join")
    for n in range(join.CODES_PER_ADDRESS + 1):
        answer = stranger.post("/join", {"code": f"{n:06}"}, environ_base={"REMOTE_ADDR": f"2001:db8::{n:x}"})
    assert answer.status_code == 429


def test_ten_rooms_of_one_cafe_behind_one_address(owner: Device, device: Phones, db: Database) -> None:
    """Joins that succeed or are answered count against nobody."""
    for _ in range(10):
        laid = Laid(owner, db, lay_towns(owner))
        owner.get(f"{laid.path}/seats")
        owner.post(f"{laid.path}/open")
        for number in range(6):
            guest = device("")
            if number < 3:
                laid.seat(guest, number)
                continue
            guest.get("/join")
            assert guest.post("/join", {"code": laid.room.code}).status_code == 303
            answer = {"not_now": "1"} if number == 5 else {}
            owner.get(laid.around)
            owner.post(f"{laid.around}/accept/{mark_of(guest)}", answer)
            assert guest.client.get("/join/waiting").status_code == (200 if answer else 303)


# -- from game to game ---


def play_to_the_end(laid: Laid) -> None:
    laid.enter_all(done=True)
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    assert laid.table().saved_at is not None


def next_game(laid: Laid, game: str = "tiny_towns") -> Laid:
    answer = laid.member.post(f"{laid.around}/next", {"game": game, "after": laid.path.removeprefix("/tables/")})
    assert answer.location.endswith("/setup")
    return Laid(laid.member, laid.db, answer.location.removesuffix("/setup"))


def test_the_next_game_takes_everybody_along_to_the_same_names(laid: Laid, device: Phones) -> None:
    bob, cid = device(""), device("")
    laid.seat(bob, 1)
    laid.seat(cid, 2)
    link, code, around = laid.link(), laid.room.code, laid.around
    play_to_the_end(laid)
    assert not news(bob, laid.path)["next"]
    second = next_game(laid)
    assert (second.link(), second.room.code, second.around) == (link, code, around)
    assert news(bob, laid.path)["next"]
    assert [seat.name for seat in second.table().seats] == ["Ann", "Bob", "Cid"]
    assert bob.client.get(f"{around}/here").location == f"{second.path}/seats/1"
    assert second.tap(bob, 1, **{"grid/0/0": "farm"}) == 200
    assert second.tap(cid, 1, **{"grid/0/0": "well"}) == 403
    assert "Tiny Towns" in cid.get(f"{laid.path}/result")  # the game before can still be looked at


def test_what_was_entered_before_another_game_was_chosen_waits_on_the_home_page(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    other, path = next_game(laid, "pier_18"), laid.path
    assert [seat.name for seat in other.table().seats] == ["Ann", "Bob", "Cid"]
    assert stranger.client.get(f"{other.around}/here").location == f"{other.path}/seats/1"
    assert laid.cell(1) == "cottage" and path in laid.member.get("/")
    stranger.get(f"{path}/seats/1", 404)
    laid.member.get(f"{path}/seats/1")


def test_a_game_that_nobody_had_begun_goes(laid: Laid) -> None:
    other = next_game(laid, "pier_18")
    assert tables.find(laid.db, laid.path.removeprefix("/tables/")) is None
    assert other.table().game.id == "pier_18"


def test_tonights_games_are_shown_between_games(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    play_to_the_end(laid)
    page = stranger.get(laid.around)
    assert "Tonight’s first game" in page and "/plays/" not in page and "Tonight so far" not in page
    second = next_game(laid)
    second.enter_all(done=True)
    second.member.get(f"{second.path}/result")
    second.member.post(f"{second.path}/reveal")
    second.member.get(f"{second.path}/result")
    second.member.post(f"{second.path}/save", {"two": "1"})  # the same totals again
    page = stranger.get(laid.around)
    assert page.index("Tonight so far") < page.index("Tonight’s games")
    assert "/plays/" in laid.member.get(laid.around)


def test_a_room_is_called_by_its_game_and_names_or_a_label(laid: Laid, stranger: Device) -> None:
    assert "<h1>Tiny Towns: Ann, Bob, Cid</h1>" in laid.member.get(laid.around)
    laid.member.post(f"{laid.around}/name", {"name": "Table 4"})
    assert "<h1>Table 4</h1>" in stranger.get(laid.link())


def test_a_phone_that_closed_its_tab_finds_back(laid: Laid, device: Phones, owner: Device) -> None:
    bob, passer_by = device(""), device("")
    laid.seat(bob, 1)
    assert f"{laid.around}/here" in bob.get("/") and f"{laid.around}/here" in owner.get("/")
    assert f"{laid.path}/seats/1" in bob.client.get(f"{laid.around}/here").location
    assert "/rooms/" not in passer_by.get("/")
    passer_by.get(f"{laid.around}/here", 404)


@pytest.mark.parametrize(("hours", "over"), [(11, False), (13, True)])
def test_a_room_ends_twelve_hours_after_its_last_tap(laid: Laid, stranger: Device, hours: int, over: bool) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    link = laid.link()
    with laid.db.atomic():
        laid.db.execute("UPDATE rooms SET tapped_at = ?", [ago(hours / 24)])
    stranger.get(f"{laid.path}/seats/1", 404 if over else 200)
    stranger.get(link, 404 if over else 200)
    assert ("/rooms/" in stranger.get("/")) is not over
    assert (laid.table().room is None) is over
    assert laid.cell(1) == "cottage"
    laid.member.get(f"{laid.path}/seats/0")


def test_rooms_left_alone_are_swept_and_what_was_entered_stays(laid: Laid) -> None:
    laid.tap(laid.member, 1, **{"grid/0/0": "cottage"})
    with laid.db.atomic():
        laid.db.execute("UPDATE rooms SET tapped_at = ?", [ago(13 / 24)])
    rooms.end_old_ones(laid.db)
    assert laid.db.row("SELECT 1 FROM rooms") is None and laid.db.row("SELECT 1 FROM phones") is None
    assert laid.cell(1) == "cottage"
