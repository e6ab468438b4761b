"""Players' colours and tokens: told apart, the same for the same name, kept with the player, worn at tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations

import pytest

from scorer import games
from tests.webapp.bringing import bring
from tests.webapp.conftest import Device, Laid
from tests.webapp.plays import draft, towns
from webapp import avatars, clubs
from webapp.avatars import Avatar
from webapp.database import Database
from webapp.history import forget_player, player_profiles, plays
from webapp.table import Table, seats, tables

pytestmark = pytest.mark.either

GROUNDS = {"light": ("#f6f3ec", "#10252c"), "dark": ("#0a181e", "#e7f1f1")}  # a page and its text
EVERYBODY = [f"Player {number}" for number in range(120)]


def luminance(colour: str) -> float:
    """Of sRGB, as WCAG 2.1 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_figure_can_be_seen_on_its_disc() -> None:
    for colour in avatars.COLOURS.values():
        assert contrast(colour.disc, colour.figure) >= 4.5, colour.name


@pytest.mark.parametrize("scheme", GROUNDS)
def test_every_disc_is_told_from_the_page_by_itself_or_by_its_ring(scheme: str) -> None:
    ground, ring = GROUNDS[scheme]
    assert contrast(ring, ground) >= 3
    for colour in avatars.COLOURS.values():
        assert max(contrast(colour.disc, ring), contrast(colour.disc, ground)) >= 3, colour.name


def test_no_two_colours_and_no_two_tokens_are_drawn_alike() -> None:
    assert len({one.disc for one in avatars.COLOURS.values()}) == len(avatars.COLOURS) == 10
    assert len({(one.shapes, one.lines) for one in avatars.TOKENS.values()}) == len(avatars.TOKENS) == 12


def test_a_name_gets_the_same_look_however_it_is_spelt() -> None:
    assert avatars.free("Zoë", ()) == avatars.free(" ZOË ", ())


def test_ten_in_a_club_share_neither_colour_nor_token_and_a_hundred_and_twenty_no_look() -> None:
    given: list[Avatar] = []
    for name in EVERYBODY:
        given.append(avatars.free(name, given))
    assert len({one.colour for one in given[:10]}) == 10
    assert len({one.token for one in given[:12]}) == 12
    assert len(set(given)) == 120
    assert avatars.free("One more", given) in given  # every look there is has been given


@pytest.mark.parametrize("size", range(1, 7))
def test_at_one_table_no_two_share_a_colour_or_a_token_whatever_they_have_chosen(size: int) -> None:
    for chosen in ([Avatar("rope", "boat")] * size, [None] * size, [Avatar("rope", "boat"), *[None] * (size - 1)]):
        worn = avatars.distinct(EVERYBODY[:size], chosen)
        assert len(worn) == size
        for one, other in combinations(worn, 2):
            assert one.colour != other.colour and one.token != other.token


def test_whoever_comes_first_keeps_her_look_and_newcomers_come_last() -> None:
    boat = Avatar("rope", "boat")
    assert avatars.distinct(["New", "Ann", "Bob"], [None, boat, boat])[1] == boat
    unchosen = avatars.distinct(["New", "Ann"], [None, avatars.free("New", ())])
    assert unchosen[1] == avatars.free("New", ()) != unchosen[0]


def kept(db: Database, club: int) -> dict[str, Avatar]:
    rows = db.execute("SELECT name, colour, token FROM players WHERE club_id = ?", [club]).fetchall()
    return {name: Avatar(colour, token) for name, colour, token in rows}


def person(db: Database, club: int, name: str) -> player_profiles.Person:
    found = player_profiles.by_name(db, club, name)
    assert found is not None
    return found


def at(db: Database, key: str) -> Table:
    table = tables.find(db, key)
    assert table is not None
    return table


def lay(db: Database, club: int, *names: str) -> str:
    game = games.find("tiny_towns")
    assert game is not None
    return tables.add(db, club, game, {}, names)


def test_newcomers_keep_the_look_they_have_had_at_the_table(member: Device, db: Database, club: int) -> None:
    key = lay(db, club, "Ann", "Bob")
    assert seats.set_avatar(db, at(db, key), 1, Avatar("plum", "crab"))
    for number in range(2):
        member.get(f"/tables/{key}/seats/{number}")
        member.post(f"/tables/{key}/seats/{number}", {"put": f'["typed", {{"total": {number}}}]'})
    worn = {seat.name: seat.avatar for seat in at(db, key).seats}
    assert member.post(f"/tables/{key}/save?shared").status_code == 303
    assert kept(db, club) == worn
    assert worn["Bob"] == Avatar("plum", "crab")


def test_a_look_goes_with_the_player_to_every_table(db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    open_now = lay(db, club, "Bob", "Ann")
    player_profiles.change_avatar(db, person(db, club, "Ann"), Avatar("sky", "key"))
    assert at(db, open_now).seats[1].avatar == Avatar("sky", "key")
    assert at(db, lay(db, club, "Ann", "Cid")).seats[0].avatar == Avatar("sky", "key")
    assert player_profiles.rename(db, person(db, club, "Ann"), "Anna")
    assert person(db, club, "Anna").avatar == at(db, open_now).seats[1].avatar == Avatar("sky", "key")


def test_a_chosen_look_gives_way_at_a_table_where_it_is_worn_already(db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    key = lay(db, club, "Ann", "Bob")
    hers = at(db, key).seats[0].avatar
    player_profiles.change_avatar(db, person(db, club, "Bob"), hers)
    assert person(db, club, "Bob").avatar == hers  # it is hers to choose
    assert at(db, key).seats[0].avatar == hers
    assert at(db, key).seats[1].avatar.colour != hers.colour and at(db, key).seats[1].avatar.token != hers.token
    assert not seats.set_avatar(db, at(db, key), 1, hers)
    [(number,)] = db.execute("SELECT id FROM all_plays").fetchall()
    ann, bob = player_profiles.players_of(db, number)
    assert ann.avatar == hers and bob.avatar.token != hers.token  # they also differ on the pages of a game


def test_of_two_names_made_one_the_look_of_the_name_that_stays(db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2})), draft(towns({"Anna": 3, "Cid": 2}))])
    player_profiles.change_avatar(db, person(db, club, "Anna"), Avatar("sky", "key"))
    assert player_profiles.merge(db, person(db, club, "Ann"), person(db, club, "Anna"))
    assert set(kept(db, club)) == {"Anna", "Bob", "Cid"}
    assert kept(db, club)["Anna"] == Avatar("sky", "key")


def test_with_a_forgotten_name_its_look_goes_too(db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    key = lay(db, club, "Ann", "Cid")
    player_profiles.change_avatar(db, person(db, club, "Ann"), Avatar("sky", "key"))
    assert forget_player.forget(db, person(db, club, "Ann"), "Somebody") == "Somebody"
    assert kept(db, club)["Somebody"].token != "key" and kept(db, club)["Somebody"].colour != "sky"
    assert at(db, key).seats[0].avatar.token != "key"


def test_looks_travel_with_the_clubs_file_and_an_older_file_gets_some(owner: Device, db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    player_profiles.change_avatar(db, person(db, club, "Ann"), Avatar("sky", "key"))
    [own] = [json.loads(owner.get(f"/data/person/{person(db, club, 'Ann').id}"))]
    assert (own["colour"], own["token"]) == ("sky", "key")
    whole = json.loads(owner.get("/data/export/json"))
    assert whole["players"][0] | {"created_at": ""} == {
        "name": "Ann", "created_at": "", "guest": False, "colour": "sky", "token": "key"
    }  # fmt: skip
    elsewhere = clubs.create(db, "Elsewhere")
    bring(db, elsewhere, json.dumps(whole).encode())
    assert kept(db, elsewhere) == kept(db, club)
    older = clubs.create(db, "Older")
    whole["players"] = [{"name": one["name"], "created_at": one["created_at"]} for one in whole["players"]]
    bring(db, older, json.dumps(whole).encode())
    assert len({look.token for look in kept(db, older).values()}) == 2
    odd = clubs.create(db, "Odd")
    whole["players"][0] |= {"colour": "sky", "token": "of another program"}
    bring(db, odd, json.dumps(whole).encode())
    assert kept(db, odd)["Ann"].token in avatars.TOKENS


def test_somebody_whom_only_a_guest_has_named_looks_as_if_the_club_did_not_know_her(db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    player_profiles.change_avatar(db, person(db, club, "Ann"), Avatar("sky", "key"))
    key = lay(db, club, "Cid")
    unknown = avatars.distinct(["Cid", "Ann"], [at(db, key).seats[0].avatar, None])
    assert unknown[1] != Avatar("sky", "key")
    seats.reseat(db, at(db, key), [("Cid", 0), ("Ann", None)], knows_club=False)
    assert [seat.avatar for seat in at(db, key).seats] == unknown
    seats.reseat(db, at(db, key), [("Cid", 0)], knows_club=False)
    seats.reseat(db, at(db, key), [("Cid", 0), ("Ann", None)], knows_club=True)
    assert at(db, key).seats[1].avatar == Avatar("sky", "key")
    assert clubs.avatars_of(db, club)  # what the club knows has not changed


def test_at_set_up_two_taps_change_a_figure_for_the_table_and_for_the_club(
    member: Device, db: Database, club: int
) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    key = lay(db, club, "Ann", "New")
    assert 'value="look/1"' in member.get(f"/tables/{key}/setup")
    for number, name in enumerate(("Ann", "New")):
        look = at(db, key).seats[number].avatar
        free = next(one for one in avatars.TOKENS if one not in {seat.avatar.token for seat in at(db, key).seats})
        led = member.post(f"/tables/{key}/setup", {"go": f"look/{number}"}).location
        assert led.endswith(f"/tables/{key}/setup/look/{number}") and f'value="{free}"' in member.get(led)
        assert member.post(led, {"token": free}).location.endswith(f"/tables/{key}/setup")
        assert at(db, key).seats[number].avatar == Avatar(look.colour, free), name
    assert person(db, club, "Ann").avatar == at(db, key).seats[0].avatar
    assert player_profiles.by_name(db, club, "New") is None


def test_what_somebody_else_at_the_table_has_cannot_be_taken(member: Device, db: Database, club: int) -> None:
    key = lay(db, club, "Ann", "Bob")
    hers, his = (seat.avatar for seat in at(db, key).seats)
    page = member.get(f"/tables/{key}/setup/look/0")
    assert page.count("disabled") == 2 and page.count("taken by Bob") == 2
    answer = member.post(f"/tables/{key}/setup/look/0", {"colour": his.colour}).get_data(as_text=True)
    assert "Another player just chose that" in answer
    assert at(db, key).seats[0].avatar == hers


@pytest.mark.parametrize("given", [{"token": "of another program"}, {"colour": "#ff0000"}, {"token": ""}])
def test_what_nobody_has_drawn_cannot_be_worn(member: Device, db: Database, club: int, given: dict[str, str]) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    key, ann = lay(db, club, "Ann", "Bob"), person(db, club, "Ann")
    member.get(f"/tables/{key}/setup")
    assert member.post(f"/tables/{key}/setup/look/0", given).status_code == 404
    assert member.post(f"/players/{ann.id}/look", given).status_code == 404
    assert member.post(f"/tables/{key}/setup/look/7", {"token": "boat"}).status_code == 404
    assert person(db, club, "Ann").avatar == ann.avatar


def test_on_her_page_a_member_changes_a_players_colour_and_a_viewer_does_not(
    member: Device, viewer: Device, db: Database, club: int
) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    ann = person(db, club, "Ann")
    assert f"/players/{ann.id}/look" in member.get(f"/players/{ann.id}")
    assert 'value="plum"' in member.get(f"/players/{ann.id}/look")
    assert member.post(f"/players/{ann.id}/look", {"colour": "plum"}).location.endswith(f"/players/{ann.id}")
    assert person(db, club, "Ann").avatar == Avatar("plum", ann.avatar.token)
    assert f"/players/{ann.id}/look" not in viewer.get(f"/players/{ann.id}")
    viewer.get(f"/players/{ann.id}/look", status=403)
    viewer.get("/club")  # it has a form, and so what is to be sent with one
    assert viewer.post(f"/players/{ann.id}/look", {"colour": "sky"}).status_code == 403
    assert person(db, club, "Ann").avatar.colour == "plum"


def test_a_player_chooses_her_own_on_her_own_phone_and_nobody_else_s(
    laid: Laid, device: Callable[[str], Device], db: Database, club: int
) -> None:
    plays.save_all(db, club, [draft(towns({"Bob": 3, "Dan": 2}))])
    before, guest = person(db, club, "Bob").avatar, device("")
    laid.seat(guest, 1)
    page = guest.get(f"{laid.path}/seats/1")
    assert f"{laid.path}/setup/look/1" in page
    taken = {seat.avatar.token for seat in laid.table().seats}
    free = next(one for one in avatars.TOKENS if one not in taken)
    guest.get(f"{laid.path}/setup/look/1")
    assert guest.post(f"{laid.path}/setup/look/1", {"token": free}).location.endswith(f"{laid.path}/seats/1")
    assert laid.table().seats[1].avatar.token == free
    assert person(db, club, "Bob").avatar == before  # a guest changes nothing for the club
    laid.play_as(laid.member, 0)
    hers = laid.table().seats[0].avatar
    assert guest.post(f"{laid.path}/setup/look/0", {"token": "star"}).status_code == 403
    guest.get(f"{laid.path}/setup/look/0", status=403)
    assert laid.table().seats[0].avatar == hers
