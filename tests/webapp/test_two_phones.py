"""Two phones at one board, the reveal, and what a host may do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tests.webapp.conftest import Device, Laid, lay_towns
from webapp.database import ago
from webapp.table import tables


def test_the_later_of_two_is_told_and_both_versions_are_kept(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    assert laid.tap(laid.host, 1, version="1", **{"grid/0/0": "farm"}) == 409
    assert laid.cell(1) == "cottage"
    page = laid.host.get(f"{laid.path}/seats/1")
    assert "On the table now" in page and "<h2>What you entered</h2>" in page
    assert "which one is right" not in stranger.get(f"{laid.path}/seats/1")
    laid.host.post(f"{laid.path}/seats/1/settle", {"keep": "mine", "version": "2"})
    assert laid.cell(1) == "farm"


def test_keeping_the_tables_version_drops_ones_own(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.host, 1, version="1", **{"grid/0/0": "farm"})
    laid.host.post(f"{laid.path}/seats/1/settle", {"keep": "theirs", "version": "2"})
    assert laid.cell(1) == "cottage"
    assert "which one is right" not in laid.host.get(f"{laid.path}/seats/1")


def test_a_choice_between_versions_that_have_changed_again_is_asked_again(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.host, 1, version="1", **{"grid/0/0": "farm"})
    laid.tap(stranger, 1, version="2", **{"grid/0/0": "well"})
    laid.host.post(f"{laid.path}/seats/1/settle", {"keep": "mine", "version": "2"})
    assert laid.cell(1) == "well"
    assert "which one is right" in laid.host.get(f"{laid.path}/seats/1")


def test_a_change_that_arrives_twice_is_made_once(laid: Laid) -> None:
    change = {"version": "1", "change": "same", "grid/0/0": "cottage"}
    assert [laid.tap(laid.host, 0, **change) for _ in range(3)] == [200, 200, 200]
    assert laid.table().seats[0].version == 2
    put = {"version": "2", "change": "other", "put": json.dumps(["notes/-", "x"])}
    assert [laid.tap(laid.host, 0, **put) for _ in range(3)] == [200, 200, 200]
    assert laid.table().seats[0].version == 3


def test_looking_at_a_guests_board_changes_nothing(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.host.get(f"{laid.path}/seats/1")
    laid.host.post(f"{laid.path}/seats/1", {"go": "0", "version": "1", "player": "Bob", "grid/0/0": "empty"})
    assert laid.table().seats[1].state is None and not laid.table().seats[1].done


def test_the_hosts_way_leads_past_boards_that_other_phones_enter(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert "Next: Cid" in laid.host.get(f"{laid.path}/seats/0") and "Next: Bob" not in laid.host.page
    stranger.get(f"{laid.path}/seats")
    stranger.post(f"{laid.path}/seats/1/free")
    assert "Next: Bob" in laid.host.get(f"{laid.path}/seats/0")


def test_the_way_to_the_boards_leads_to_one_of_the_hosts_own(laid: Laid, device: Callable[[str], Device]) -> None:
    guests = [device("") for _ in range(3)]
    laid.seat(guests[0], 0)
    assert "Tiny Towns: Bob" in laid.host.get(f"{laid.path}/boards")
    laid.seat(guests[1], 1)
    laid.seat(guests[2], 2)
    assert "who enters what?" in laid.host.get(f"{laid.path}/boards")
    assert "Who won?" in laid.host.get(f"{laid.path}/seats/2")
    assert "Tiny Towns: Cid" in guests[2].get(f"{laid.path}/boards")


def test_after_the_reveal_the_host_looks_at_every_board(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/reveal")
    assert "Next: Bob" in laid.host.get(f"{laid.path}/seats/0")


def test_a_board_stays_with_its_player_when_the_seats_are_moved(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.host.post(f"{laid.path}/setup", {"up": "1"})
    assert laid.tap(stranger, 1, version="1", player="Bob", **{"grid/0/0": "cottage"}) == 200
    assert [seat.name for seat in laid.table().seats if seat.state] == ["Bob"]
    laid.host.post(f"{laid.path}/setup", {"remove": "0"})
    assert laid.tap(stranger, 1, version="2", player="Bob", **{"grid/0/0": "farm"}) == 404


# -- the reveal ---


def test_one_phone_goes_straight_to_the_result(laid: Laid) -> None:
    laid.enter_all()
    assert "podium" in laid.host.get(f"{laid.path}/result")


def test_with_two_phones_nobody_sees_the_result_before_the_reveal(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    for device in (laid.host, stranger):
        page = device.get(f"{laid.path}/result")
        assert "podium" not in page and "stage" not in page
        assert '<output aria-live="polite">' not in laid.host.get(f"{laid.path}/seats/1")
    stranger.get(f"{laid.path}/seats")
    assert stranger.post(f"{laid.path}/reveal").status_code == 403
    laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/save")
    assert laid.table().saved_at is None
    laid.host.post(f"{laid.path}/reveal")
    for device in (laid.host, stranger):
        page = device.get(f"{laid.path}/result")
        assert page.index("data-stage") < page.index("podium")


def test_what_decides_a_tie_is_asked_before_the_reveal(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.tap(laid.host, 0, **{"grid/0/0": "cottage", "grid/0/1": "cottage"})  # as many as Cid, and Bob has fewer
    page = laid.host.get(f"{laid.path}/result")
    fields = re.findall(r'<input name="([^"]+)"[^>]* type="number"', page)
    assert fields == ["/players/0/master_builder_turns", "/players/2/master_builder_turns"]
    assert "Reveal the result" not in page
    assert "master_builder_turns" not in stranger.get(f"{laid.path}/result")
    laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/answers", {fields[0]: "4", fields[1]: "6"})
    assert "Reveal the result" in laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/reveal")
    assert re.findall(r"<strong>(\w+)</strong><b>", stranger.get(f"{laid.path}/result")) == ["Ann", "Cid", "Bob"]


def test_nothing_is_revealed_while_a_board_is_missing(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.host.post(f"{laid.path}/reveal")
    assert laid.table().revealed_at is None


def test_a_saved_game_stays_with_the_guests_and_is_changed_no_more(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.enter_all()
    laid.host.post(f"{laid.path}/reveal")
    laid.host.get(f"{laid.path}/result")
    assert laid.host.post(f"{laid.path}/save").location == laid.around
    assert "podium" in stranger.get(f"{laid.path}/result")
    before = laid.table()
    laid.tap(stranger, 1, **{"grid/0/0": "farm"})
    assert laid.table() == before
    assert laid.path not in laid.host.get("/")
    assert "/plays/" in laid.host.post(f"{laid.path}/save").location


# -- the host ---


def test_the_table_is_handed_to_the_phone_at_a_seat(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.host.post(f"{laid.path}/hand/1")
    stranger.get(f"{laid.path}/setup")
    laid.host.get(f"{laid.path}/setup", 403)


def test_the_hosts_link_works_once(laid: Laid, device: Callable[[str], Device]) -> None:
    link, first, second = laid.link("host"), device(""), device("")
    first.get(link)
    second.get(link)
    first.post(link)
    assert second.post(link).status_code == 404
    first.get(f"{laid.path}/setup")
    laid.host.get(f"{laid.path}/setup", 403)


def test_a_member_takes_over_when_the_hosts_phone_is_out_of_reach(laid: Laid, device: Callable[[str], Device]) -> None:
    other = device("member")
    other.get(f"{laid.path}/setup", 403)
    other.get(f"{laid.path}/seats")
    other.post(f"{laid.around}/take")
    other.get(f"{laid.path}/setup")
    laid.host.get(f"{laid.path}/setup", 403)


def test_closing_sends_the_others_away_and_keeps_what_they_entered(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    old = laid.link()
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    laid.host.post(f"{laid.around}/end")
    stranger.get(f"{laid.path}/seats", 404)
    stranger.get(old, 404)
    assert laid.cell(1) == "cottage" and laid.table().code is None


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
