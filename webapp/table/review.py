"""Describe photos under review: whose board each is, what is on its squares, and the scores that follow."""

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
from webapp.table import kinds, pad, photos, relevant_inputs
from webapp.table.context import TableContext
from webapp.table.entries import Entries
from webapp.table.pad import Board
from webapp.table.photos import NOBODY, Photo
from webapp.table.tables import Seat, Table

NOBODYS = "nobody"  # used on pages instead of a seat's number
NEWCOMER = "+"  # precedes the name of a player who is not at the table yet


@dataclass(frozen=True, slots=True)
class Seen:
    """Hold a board on a photo: as it was read, and as people have corrected it."""

    photo: Photo
    number: int
    seat: int | None  # the seat that it belongs to, or None while that is asked
    looked: Mapping[str, str]
    as_read: tuple[tuple[str, ...], ...]
    choices: list[list[list[str]]]  # the pieces of each square, likeliest first
    state: Json  # the state that would be entered
    place: int = 0  # its number among all boards, from 1

    @property
    def name(self) -> str:
        """Return the prefix of this board's fields in the review's form: the photo's id and a number, as in "7/0"."""
        return f"{self.photo.id}/{self.number}"

    @property
    def squares(self) -> list[list[str]]:
        return [
            [self.looked.get(f"{row}/{column}", read) for column, read in enumerate(pieces)]
            for row, pieces in enumerate(self.as_read)
        ]

    @property
    def doubts(self) -> list[list[bool]]:
        """Return for each square, row by row, whether it was read with doubt and nobody has checked it yet."""
        return [
            [square.is_doubtful and f"{i}/{j}" not in self.looked for j, square in enumerate(row)]
            for i, row in enumerate(self.photo.reading.boards[self.number].grid)
        ]

    @property
    def is_played(self) -> bool:
        return self.seat != NOBODY


class Review:
    """Hold the photos of a table that this device may review: for members all, for guests only their own."""

    def __init__(self, context: TableContext, reader: GameReader) -> None:
        self.context, self.table, self.reader = context, context.table, reader
        there = photos.of_table(context.db, context.table)
        self.photos = [photo for photo in there if context.may("member") or photo.device == context.device]

    # -- cards ---

    @property
    def cards_follow(self) -> bool:
        return any(photo.cards_follow for photo in self.photos)

    @cached_property
    def all_cards(self) -> Reading:
        """Return a reading with the cards of all photos."""
        return Reading(cards=[card for photo in self.photos for card in photo.reading.cards])

    @cached_property
    def card_inputs(self) -> list[Input]:
        """Return the inputs of the set-up that cards on a photo can answer."""
        return [one for one in self.context.entries.setup_inputs if one.name in self.reader.cards.fields]

    @cached_property
    def unread_cards(self) -> list[str]:
        """Return the names of card inputs that no card on the photos answers; none if they show no cards."""
        seen = self.reader.cards.seen(self.all_cards)
        told = {name for photo in self.photos for name in photo.told}
        asked = [one.name for one in self.card_inputs if one.name not in seen and one.name not in told]
        return asked if seen and not self.cards_follow else []

    @property
    def lacks_cards(self) -> bool:
        """Return whether the cards in play are still those of the last table, and nobody has checked them."""
        begun = any(seat.state is not None for seat in self.table.seats)
        return not (begun or self.cards_follow or self.reader.cards.seen(self.all_cards))

    @property
    def other_cards(self) -> tuple[Sentence, ...]:
        """Return the cards on the photos that are not in play at this table."""
        return self.reader.cards.others(self.all_cards, self.table.setup)

    # -- boards ---

    @cached_property
    def asked(self) -> BoardInput:
        """Return the board input that a photo fills, with the pieces in play at this table."""
        alone = replace(self.table, seats=(Seat(0, "A", None, 1),))
        return kinds.painted(Entries(alone).inputs(0))[0].asked

    @cached_property
    def boards(self) -> list[Seen]:
        """Return the boards in their numbered order: photo by photo, each from left to right."""
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
        before = {
            key: value for key, value in ((hers.state if hers else None) or {}).items() if key != relevant_inputs.TYPED
        }
        card = self.reader.cards.own
        own = {card: looked[card]} if card in looked else {}
        return replace(seen, state={**before, **read, **own, self.asked.name: seen.squares})

    def part_of_record(self, board: SeenBoard) -> Json:
        """Return what the board, as read from a photo, adds to its player's record."""
        read = dict(self.reader.player(board, self.table.setup)) if self.reader.player else {}
        return {self.asked.name: [[square.label for square in row] for row in board.grid], **read}

    def pieces(self, read: Json) -> tuple[tuple[str, ...], ...]:
        """Return the rows of the board in `read`, a part of a record, with each piece as `called_now` returns it."""
        return tuple(tuple(map(self.called_now, row)) for row in read[self.asked.name])

    def called_now(self, piece: str) -> str:
        """Return the piece. If its card is not in play, return the first piece in play of the same colour, if any."""
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
        """Return the boards that have not been assigned to anybody."""
        return [seen for seen in self.boards if seen.seat is None]

    def rings(self, seen: Seen) -> list[list[bool]]:
        """Return for each square, row by row, whether it still needs a check: doubtful, or its card is unknown."""
        return [
            [doubt or self.wants_card(seen, piece) for doubt, piece in zip(doubts, pieces, strict=True)]
            for doubts, pieces in zip(seen.doubts, seen.squares, strict=True)
        ]

    def wants_card(self, seen: Seen, piece: str) -> bool:
        """Return True if the piece belongs to the player's own card, and nobody has said which card that is."""
        own = self.reader.cards.own
        return piece == own and self.own_card(seen) is not None and not seen.state.get(own)

    @property
    def doubtful(self) -> int:
        """Return the number of squares that still need a check."""
        return sum(ring for seen in self.boards if seen.is_played for row in self.rings(seen) for ring in row)

    @cached_property
    def is_certain(self) -> bool:
        """Return True if the photos leave nothing to ask or to check."""
        asked = self.unclaimed or self.doubtful or self.unread_cards or self.lacks_cards or self.other_cards
        return not (asked or self.cards_follow) and not any(map(self.problems_of, self.given.values()))

    def drawn(self, seen: Seen) -> list[Board]:
        """Return the boards of the player who has the board `seen`, for drawing; none if nobody has it."""
        return pad.boards(self.table.game, self.supposed.loaded, seen.seat) if seen.seat in self.given else []

    def advice(self, photo: Photo, seen: Seen | None) -> list[Problem]:
        """Return the photo's problems that concern the board `seen`, or with None, those about no single board."""
        return [one for one in photo.reading.problems if _is_about(photo, seen, one.code)]

    # -- scores that follow ---

    @cached_property
    def given(self) -> dict[int, Seen]:
        return {seen.seat: seen for seen in self.boards if seen.seat is not None and seen.is_played}

    @cached_property
    def supposed(self) -> Entries:
        """Return the entries of the table as they would be with the boards on the photos entered."""
        there = tuple(
            replace(seat, state=self.given[seat.number].state) if seat.number in self.given else seat
            for seat in self.table.seats
        )
        return Entries(replace(self.table, seats=there))

    @cached_property
    def totals(self) -> list[PlayerResult | None]:
        """Return everybody's points with the boards on the photos, or None for points hidden until the reveal."""
        return [
            total if self._may_see(seat) else None
            for seat, total in zip(self.table.seats, self.supposed.totals, strict=True)
        ]

    def _may_see(self, seat: Seat) -> bool:
        return self.context.may_enter(seat) or not self.table.hides_results

    def problems_of(self, seen: Seen) -> list[Fault]:
        """Return the problems of a board, except for missing entries."""
        if seen.seat not in self.given:
            return []
        found = self.supposed.preview(seen.seat).problems
        return [problem for problem in found if problem["code"] != "missing_field"]

    def own_card(self, seen: Seen) -> InputWithChoices | None:
        """Return the input for the player's own card if the board needs it. Cards on the photos are offered first."""
        if seen.seat not in self.given:
            return None
        asked = next((one for one in self.supposed.inputs(seen.seat) if one.name == self.reader.cards.own), None)
        if not isinstance(asked, InputWithChoices):
            return None
        shown = self.reader.cards.own_seen(self.all_cards)
        return replace(asked, choices=tuple(sorted(asked.choices, key=lambda one: _place(one.value, shown))))

    @property
    def waiting(self) -> list[Seat]:
        """Return the seats whose boards are neither entered nor on a photo."""
        return [seat for seat in self.table.seats if seat.state is None and seat.number not in self.given]

    @property
    def may_give_to(self) -> list[Seat]:
        return [seat for seat in self.table.seats if self.context.may_enter(seat)]

    @property
    def newcomers(self) -> list[str]:
        """Return the names of the club's players who could still be added to the table, latest players first."""
        if not self.context.membership or len(self.table.seats) >= self.table.game.players[-1]:
            return []
        there = {seat.name for seat in self.table.seats}
        return [name for name in clubs.roster(self.context.db, self.table.club_id) if name not in there]


ABOUT_LARGEST = frozenset({"small", "low", "covered"})  # codes of problems that are about the first board only
BEYOND = 0.02  # a corner may be so far outside, as a share of the longer side


def _is_about(photo: Photo, seen: Seen | None, code: str) -> bool:
    """Return True if a problem (`code`) concerns this board, or with `seen` None, if it concerns no single board."""
    cut = [number for number in range(len(photo.reading.boards)) if _is_cut(photo, number)]
    concerned = (cut or [0]) if code == "cut" else [0] if code in ABOUT_LARGEST else []
    concerned = [number for number in concerned if number < len(photo.reading.boards)]
    return seen.number in concerned if seen is not None else not concerned


def _is_cut(photo: Photo, number: int) -> bool:
    """Return True if a corner of the board is outside the picture."""
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
    """Return the photo reader of the table's game, or answer 404."""
    return readers.find(table.game.id) or abort(404)


def of_setup(context: TableContext) -> Review | None:
    """Return the review of the table's photos for the set-up page; None without photos or without a reader."""
    reader = readers.find(context.table.game.id)
    found = Review(context, reader) if reader is not None else None
    return found if found and found.photos else None
