"""Photos that are looked over: whose each board is, what stands on its squares, and what would follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import abort

from scorer.contract import BoardInput, Choice, Input, InputWithChoices, Json, Problem
from scorer.result import Fault, PlayerResult
from scorer.sentences import Sentence
from vision import games as readers
from vision.contract import GameReader
from vision.reading import Board as SeenBoard
from vision.reading import Reading
from webapp import clubs
from webapp.table import asking, kinds, pad, photos
from webapp.table.entries import Entries
from webapp.table.pad import Board
from webapp.table.photos import NOBODY, Photo
from webapp.table.tables import Seat, Table
from webapp.table.visit import Visit

NOBODYS = "nobody"  # in the place of a seat's number on a page
NEWCOMER = "+"  # before the name of somebody who does not sit at the table yet


@dataclass(frozen=True, slots=True)
class Seen:
    """A board on a photo as it stands now, by what was read and what somebody said of it."""

    photo: Photo
    number: int
    seat: int | None  # whose it is; None while that is asked
    looked: Mapping[str, str]
    as_read: tuple[tuple[str, ...], ...]
    choices: list[list[list[str]]]  # of each square, likeliest first
    state: Json  # what would be entered
    place: int = 0  # among all boards, from 1

    @property
    def name(self) -> str:
        """Return what its fields are called after."""
        return f"{self.photo.id}/{self.number}"

    @property
    def squares(self) -> list[list[str]]:
        return [
            [self.looked.get(f"{row}/{column}", read) for column, read in enumerate(pieces)]
            for row, pieces in enumerate(self.as_read)
        ]

    @property
    def doubts(self) -> list[list[bool]]:
        """The squares that were not read for sure and that nobody has looked at yet."""
        return [
            [square.is_doubtful and f"{i}/{j}" not in self.looked for j, square in enumerate(row)]
            for i, row in enumerate(self.photo.reading.boards[self.number].grid)
        ]

    @property
    def places(self) -> list[str]:
        return [f"{row}/{column}" for row, pieces in enumerate(self.as_read) for column in range(len(pieces))]

    @property
    def is_played(self) -> bool:
        return self.seat != NOBODY


class Review:
    """The photos of a table that this device may look over: a member all of them, a guest those it took."""

    def __init__(self, visit: Visit, reader: GameReader) -> None:
        self.visit, self.table, self.reader = visit, visit.table, reader
        there = photos.of_table(visit.db, visit.table)
        self.photos = [photo for photo in there if visit.may("member") or photo.device == visit.device]

    # -- cards ---

    @property
    def cards_follow(self) -> bool:
        return any(photo.cards_follow for photo in self.photos)

    @cached_property
    def all_cards(self) -> Reading:
        """The cards of all photos as if they were on one."""
        return Reading(cards=[card for photo in self.photos for card in photo.reading.cards])

    @cached_property
    def card_inputs(self) -> list[Input]:
        """Return what cards on a photo answer, for those who lay the table."""
        return [one for one in self.visit.entries.setup_inputs if one.name in self.reader.cards.fields]

    @cached_property
    def unread_cards(self) -> list[str]:
        """The fields that no card on the photos answers, if there are cards on them."""
        seen = self.reader.cards.seen(self.all_cards)
        told = {name for photo in self.photos for name in photo.told}
        asked = [one.name for one in self.card_inputs if one.name not in seen and one.name not in told]
        return asked if seen and not self.cards_follow else []

    @property
    def lacks_cards(self) -> bool:
        """Return whether those of the last table stand there, which nobody has looked at yet."""
        begun = any(seat.state is not None for seat in self.table.seats)
        return not (begun or self.cards_follow or self.reader.cards.seen(self.all_cards))

    @property
    def other_cards(self) -> tuple[Sentence, ...]:
        """Cards on the photos that the table does not play with."""
        return self.reader.cards.others(self.all_cards, self.table.setup)

    # -- boards ---

    @cached_property
    def asked(self) -> BoardInput:
        """The board that a photo fills, with the pieces of this table."""
        alone = replace(self.table, seats=(Seat(0, "A", None, 1),))
        return kinds.painted(Entries(alone).inputs(0))[0].asked

    @cached_property
    def boards(self) -> list[Seen]:
        """One photo after the other, each from left to right; they are called by this order."""
        found = [(photo, number) for photo in self.photos for number in _from_the_left(photo)]
        return [replace(self._seen(*one), place=place) for place, one in enumerate(found, 1)]

    def _seen(self, photo: Photo, number: int) -> Seen:
        given, board = photo.given[number], photo.reading.boards[number]
        seat = given.seat if given.seat is None or given.seat < len(self.table.seats) else None
        hers = self.table.seats[seat] if seat is not None and seat >= 0 else None
        read = self.part_of_record(board)
        as_read = self.pieces(read)
        looked = {place: self.called_now(value) for place, value in (given.looked or {}).items()}
        choices = self.reader.likeliest_first(board, self.table.setup, [choice.value for choice in self.asked.choices])
        seen = Seen(photo, number, seat, looked, as_read, choices, {})
        before = {key: value for key, value in ((hers.state if hers else None) or {}).items() if key != asking.TYPED}
        card = self.reader.cards.own
        own = {card: looked[card]} if card in looked else {}
        return replace(seen, state={**before, **read, **own, self.asked.name: seen.squares})

    def part_of_record(self, board: SeenBoard) -> Json:
        """Return what the board puts into the record of its player."""
        read = dict(self.reader.player(board, self.table.setup)) if self.reader.player else {}
        return {self.asked.name: [[square.label for square in row] for row in board.grid], **read}

    def pieces(self, read: Json) -> tuple[tuple[str, ...], ...]:
        """Return the squares of such a part, as they are called with the cards in play."""
        return tuple(tuple(map(self.called_now, row)) for row in read[self.asked.name])

    def called_now(self, piece: str) -> str:
        """A piece by the card in play: what was told while another card of its colour lay there stays right."""
        if piece in self._pieces or not self.asked.follows_cards:
            return piece
        known: dict[Any, Choice] = {one.value: one for one in kinds.painted(self.table.game.inputs)[0].asked.choices}
        tone = known[piece].tone if piece in known else ""
        return next((value for value, one in self._pieces.items() if tone and one.tone == tone), piece)

    @cached_property
    def _pieces(self) -> dict[Any, Choice]:
        return {choice.value: choice for choice in self.asked.choices}

    @property
    def unclaimed(self) -> list[Seen]:
        """The boards of which nobody has said whose they are."""
        return [seen for seen in self.boards if seen.seat is None]

    def rings(self, seen: Seen) -> list[list[bool]]:
        """Return which squares are still to be looked at: those in doubt, and those whose card is not known."""
        return [
            [doubt or self.wants_card(seen, piece) for doubt, piece in zip(doubts, pieces, strict=True)]
            for doubts, pieces in zip(seen.doubts, seen.squares, strict=True)
        ]

    def wants_card(self, seen: Seen, piece: str) -> bool:
        """Return True if the piece is the one that a card of her own describes, and nobody has said which card."""
        own = self.reader.cards.own
        return piece == own and self.own_card(seen) is not None and not seen.state.get(own)

    @property
    def doubtful(self) -> int:
        """Return how many squares are still to be looked at."""
        return sum(ring for seen in self.boards if seen.is_played for row in self.rings(seen) for ring in row)

    @cached_property
    def is_certain(self) -> bool:
        """Return True if nothing is left to ask: one look at the boards is enough."""
        asked = self.unclaimed or self.doubtful or self.unread_cards or self.lacks_cards or self.other_cards
        return not (asked or self.cards_follow) and not any(map(self.problems_of, self.given.values()))

    def drawn(self, seen: Seen) -> list[Board]:
        """Return the boards as the pages of a game show them."""
        return pad.boards(self.table.game, self.supposed.loaded, seen.seat) if seen.seat in self.given else []

    def advice(self, photo: Photo, seen: Seen | None) -> list[Problem]:
        """Return what was wrong with that board of the photo, or with no board of its own (None)."""
        return [one for one in photo.reading.problems if _is_about(photo, seen, one.code)]

    # -- what would follow ---

    @cached_property
    def given(self) -> dict[int, Seen]:
        return {seen.seat: seen for seen in self.boards if seen.seat is not None and seen.is_played}

    @cached_property
    def supposed(self) -> Entries:
        """The table with these boards entered."""
        there = tuple(
            replace(seat, state=self.given[seat.number].state) if seat.number in self.given else seat
            for seat in self.table.seats
        )
        return Entries(replace(self.table, seats=there))

    @cached_property
    def totals(self) -> list[PlayerResult | None]:
        """Everybody's points with these boards, but for those kept for the reveal."""
        return [
            total if self._may_see(seat) else None
            for seat, total in zip(self.table.seats, self.supposed.totals, strict=True)
        ]

    def _may_see(self, seat: Seat) -> bool:
        return self.visit.may_enter(seat) or not self.table.hides_results

    def problems_of(self, seen: Seen) -> list[Fault]:
        """Return what the rules say of the board, but for what is still to be entered."""
        if seen.seat not in self.given:
            return []
        found = self.supposed.preview(seen.seat).problems
        return [problem for problem in found if problem["code"] != "missing_field"]

    def own_card(self, seen: Seen) -> InputWithChoices | None:
        """Return what her own card is, if the board makes it matter; those on the photos come first."""
        if seen.seat not in self.given:
            return None
        asked = next((one for one in self.supposed.inputs(seen.seat) if one.name == self.reader.cards.own), None)
        if not isinstance(asked, InputWithChoices):
            return None
        shown = self.reader.cards.own_seen(self.all_cards)
        return replace(asked, choices=tuple(sorted(asked.choices, key=lambda one: _place(one.value, shown))))

    @property
    def waiting(self) -> list[Seat]:
        """Whose boards are neither entered nor on a photo."""
        return [seat for seat in self.table.seats if seat.state is None and seat.number not in self.given]

    @property
    def may_give_to(self) -> list[Seat]:
        return [seat for seat in self.table.seats if self.visit.may_enter(seat)]

    @property
    def newcomers(self) -> list[str]:
        """Names of the club that could sit down, those who played last first."""
        if not self.visit.membership or len(self.table.seats) >= self.table.game.players[-1]:
            return []
        there = {seat.name for seat in self.table.seats}
        return [name for name in clubs.roster(self.visit.db, self.table.club_id) if name not in there]


ABOUT_LARGEST = frozenset({"small", "low", "covered"})  # what is told of the first board of a reading alone
BEYOND = 0.02  # of the picture's longer side: as far outside it a corner may lie


def _is_about(photo: Photo, seen: Seen | None, code: str) -> bool:
    """Return True if the problem concerns that board, or none alone if `seen` is None."""
    cut = [number for number in range(len(photo.reading.boards)) if _is_cut(photo, number)]
    concerned = (cut or [0]) if code == "cut" else [0] if code in ABOUT_LARGEST else []
    concerned = [number for number in concerned if number < len(photo.reading.boards)]
    return seen.number in concerned if seen is not None else not concerned


def _is_cut(photo: Photo, number: int) -> bool:
    """Return True if a corner of the board lies outside the picture."""
    beyond = BEYOND * max(photo.reading.size)
    wide, high = photo.reading.size
    corners = photo.reading.boards[number].corners
    return any(not (-beyond <= x <= wide + beyond and -beyond <= y <= high + beyond) for x, y in corners)


def _from_the_left(photo: Photo) -> list[int]:
    boards = list(enumerate(photo.reading.boards))
    return [number for number, board in sorted(boards, key=lambda one: sum(x for x, _ in one[1].corners))]


def _place(value: Any, shown: tuple[str, ...]) -> int:
    return shown.index(value) if value in shown else len(shown)


def reader_of(table: Table) -> GameReader:
    """Return what reads photos of the game; there is no such page if nothing does."""
    return readers.find(table.game.id) or abort(404)


def of_setup(visit: Visit) -> Review | None:
    """Return what photos tell those who lay the table, if there are any."""
    reader = readers.find(visit.table.game.id)
    found = Review(visit, reader) if reader is not None else None
    return found if found and found.photos else None
