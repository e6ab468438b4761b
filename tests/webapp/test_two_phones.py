"""Two phones at one board, the reveal, and what is saved with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tests.webapp.conftest import Device, Laid, lay_towns
from webapp.database import ago
from webapp.table import tables


def test_the_later_of_two_is_told_and_both_versions_are_kept(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    assert laid.tap(laid.member, 1, version="1", **{"grid/0/0": "farm"}) == 409
    assert laid.cell(1) == "cottage"
    page = laid.member.get(f"{laid.path}/seats/1")
    assert "From the other phone" in page and "<h2>What you entered</h2>" in page
    assert "which one is right" not in stranger.get(f"{laid.path}/seats/1")
    laid.member.post(f"{laid.path}/seats/1/settle", {"keep": "mine", "version": "2"})
    assert laid.cell(1) == "farm"


def test_keeping_the_tables_version_drops_ones_own(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.member, 1, version="1", **{"grid/0/0": "farm"})
    laid.member.post(f"{laid.path}/seats/1/settle", {"keep": "theirs", "version": "2"})
    assert laid.cell(1) == "cottage"
    assert "which one is right" not in laid.member.get(f"{laid.path}/seats/1")


def test_a_choice_between_versions_that_have_changed_again_is_asked_again(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.member, 1, version="1", **{"grid/0/0": "farm"})
    laid.tap(stranger, 1, version="2", **{"grid/0/0": "well"})
    laid.member.post(f"{laid.path}/seats/1/settle", {"keep": "mine", "version": "2"})
    assert laid.cell(1) == "well"
    assert "which one is right" in laid.member.get(f"{laid.path}/seats/1")


def test_a_change_that_arrives_twice_is_made_once(laid: Laid) -> None:
    change = {"version": "1", "change": "same", "grid/0/0": "cottage"}
    assert [laid.tap(laid.member, 0, **change) for _ in range(3)] == [200, 200, 200]
    assert laid.table().seats[0].version == 2
    put = {"version": "2", "change": "other", "put": json.dumps(["notes/-", "x"])}
    assert [laid.tap(laid.member, 0, **put) for _ in range(3)] == [200, 200, 200]
    assert laid.table().seats[0].version == 3


def test_a_board_that_another_phone_plays_is_neither_seen_nor_changed(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert laid.member.client.get(f"{laid.path}/seats/1").location == f"{laid.path}/seats"
    laid.member.post(f"{laid.path}/seats/1", {"go": "0", "version": "1", "player": "Bob", "grid/0/0": "cottage"})
    assert laid.table().seats[1].state is None and not laid.table().seats[1].done


def test_the_way_leads_past_boards_that_other_phones_play(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert "Next: Cid" in laid.member.get(f"{laid.path}/seats/0") and "Next: Bob" not in laid.member.page
    stranger.get(laid.around)
    stranger.post(f"{laid.around}/leave")
    assert "Next: Bob" in laid.member.get(f"{laid.path}/seats/0")


def test_the_way_to_the_boards_leads_to_the_first_that_this_phone_enters(
    laid: Laid, device: Callable[[str], Device]
) -> None:
    guests = [device("") for _ in range(3)]
    laid.seat(guests[0], 0)
    assert "Tiny Towns: Bob" in laid.member.get(f"{laid.path}/boards")
    laid.seat(guests[1], 1)
    laid.seat(guests[2], 2)
    assert "In this room" in laid.member.get(f"{laid.path}/boards")
    assert "Tiny Towns: Cid" in guests[2].get(f"{laid.path}/boards")


def test_a_board_stays_with_its_player_when_the_seats_are_moved(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.member.post(f"{laid.path}/setup", {"up": "1"})
    assert laid.tap(stranger, 1, version="1", player="Bob", **{"grid/0/0": "cottage"}) == 200
    assert [seat.name for seat in laid.table().seats if seat.state] == ["Bob"]
    laid.member.post(f"{laid.path}/setup", {"remove": "0"})
    assert laid.tap(stranger, 1, version="2", player="Bob", **{"grid/0/0": "farm"}) == 404


# -- the reveal ---


def test_one_phone_goes_straight_to_the_result(laid: Laid) -> None:
    laid.enter_all()
    assert "podium" in laid.member.get(f"{laid.path}/result")


def test_with_two_phones_nobody_sees_the_result_before_the_reveal(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    for device in (laid.member, stranger):
        page = device.get(f"{laid.path}/result")
        assert "podium" not in page and "stage" not in page
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/save")
    assert laid.table().saved_at is None
    laid.member.post(f"{laid.path}/reveal")
    for device in (laid.member, stranger):
        page = device.get(f"{laid.path}/result")
        assert page.index("data-stage") < page.index("podium")


def test_what_decides_a_tie_is_asked_before_the_reveal(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.tap(laid.member, 0, **{"grid/0/0": "cottage", "grid/0/1": "cottage"})  # as many as Cid, and Bob has fewer
    page = laid.member.get(f"{laid.path}/result")
    fields = re.findall(r'<input name="([^"]+)"[^>]* type="number"', page)
    assert fields == ["/players/0/master_builder_turns", "/players/2/master_builder_turns"]
    assert "Reveal the result" not in page
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/answers", {fields[0]: "4", fields[1]: "6"})
    assert "Reveal the result" in laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    assert re.findall(r"<strong>(\w+)</strong><b>", stranger.get(f"{laid.path}/result")) == ["Ann", "Cid", "Bob"]


def test_nothing_is_revealed_while_a_board_is_missing(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.member.post(f"{laid.path}/reveal")
    assert laid.table().revealed_at is None


def test_complete_boards_are_saved_at_the_reveal_and_a_late_change_edits_the_game(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all(done=True)
    stranger.get(f"{laid.path}/result")
    stranger.post(f"{laid.path}/reveal")
    assert laid.table().saved_at is not None and laid.path not in laid.member.get("/")
    assert "podium" in stranger.get(f"{laid.path}/result") and "/plays/" not in stranger.page
    stranger.get("/join")
    assert (
        laid.tap(stranger, 1, **{"grid/0/0": "cottage", "grid/1/1": "cottage"}) == 200
    )  # from a phone without network
    [row] = laid.db.query("SELECT key, version FROM plays")
    assert row["version"] == 2
    assert f"/plays/{row['key']}" in laid.member.get(f"{laid.path}/result")
    assert laid.tap(stranger, 1, **{"grid/0/0": "cottage", "grid/1/1": "cottage"}) == 200  # nothing new
    [row] = laid.db.query("SELECT version FROM plays")
    assert row["version"] == 2
    assert "/plays/" in laid.member.post(f"{laid.path}/save").location


def test_what_was_not_looked_over_waits_for_a_member(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.member.get(f"{laid.path}/result")
    laid.member.post(f"{laid.path}/reveal")
    assert laid.table().saved_at is None
    assert "Finished, not saved" in stranger.get(f"{laid.path}/result")
    assert "Finished, not saved" in laid.member.get("/")
    assert "Save game" in laid.member.get(f"{laid.path}/result")
    assert laid.member.post(f"{laid.path}/save").location == laid.around
    assert laid.path not in laid.member.get("/")


def test_who_leaves_frees_the_seat(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    stranger.get(f"{laid.path}/seats")
    stranger.post(f"{laid.around}/leave")
    stranger.get(f"{laid.path}/seats", 404)
    assert laid.table().seats[1].holder is None and not laid.table().hides_results


def test_a_table_that_is_not_opened_belongs_to_every_member(member: Device, device: Callable[[str], Device]) -> None:
    path = lay_towns(member)
    other = device("member")
    other.get(f"{path}/seats/0")
    assert other.post(f"{path}/seats/0", {"grid/0/0": "cottage"}).location == f"{path}/seats/0"


def test_a_table_left_alone_is_kept_for_thirty_days(laid: Laid) -> None:
    assert tables.KEPT_DAYS == 30
    for days, left in ((29, True), (31, False)):
        with laid.db.atomic():
            laid.db.execute("UPDATE tables SET updated_at = ?", [ago(days)])
        tables.clear_forgotten(laid.db)
        assert (laid.db.row("SELECT 1 FROM tables") is not None) is left
