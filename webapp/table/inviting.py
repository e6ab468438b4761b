"""The ways into a room, as its host shows them: links, QR codes, the six characters, and who waits at the door."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from webapp.database import Database
from webapp.qr import qr
from webapp.table import phones, rooms
from webapp.table.rooms import Room


@dataclass(frozen=True, slots=True)
class Ways:
    """What the host's page shows of them."""

    addresses: dict[str, str]  # the link of each right
    codes: dict[str, str]  # the same to be scanned
    tv: str
    door: list[dict[str, str]]  # who waits to be let in


def ways(db: Database, room: Room) -> Ways:
    tokens = rooms.links(db, room)
    addresses = {right: url_for("join.link", token=tokens[right], _external=True) for right in rooms.RIGHTS}
    return Ways(
        addresses,
        {right: qr(address) for right, address in addresses.items()},
        url_for("tv.show", code=room.code, _external=True),
        phones.at_the_door(db, room),
    )
