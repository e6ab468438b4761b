"""Lay out charts: compute the positions of all parts of an SVG, which the template `_charts.html` draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from scorer.sentences import Sentence, say
from webapp.avatars import Avatar
from webapp.i18n import page_text
from webapp.statistics.measures import Rate
from webapp.template_filters import percent

WIDTH = 360
ROW = 42  # the height of a bar with its label above
BARS = 356  # how wide bars are, from x = 2
DAY = 13  # the distance of two days in a calendar


class Text(NamedTuple):
    """Hold a text and its position: `anchor` says whether `x` is its start, middle or end."""

    x: float
    anchor: str
    words: Any


class Bar(NamedTuple):
    label: Any
    words: Any
    y: int
    x: float
    width: float


class Bars(NamedTuple):
    bars: list[Bar]
    zero: float | None  # where the line of 0 lies, if bars go to both sides of it


class Column(NamedTuple):
    label: Any
    value: float
    x: float
    y: float
    width: float
    height: float
    number: Text | None
    below: Text | None


class Row(NamedTuple):
    """Hold where to draw a rate: its share at `x`, its likely range from `low` to `high`."""

    label: Any
    rate: Rate
    look: Avatar | None
    y: int
    low: float
    high: float
    x: float


class Track(NamedTuple):
    low: int
    high: int
    band: str
    line: str
    dots: list[tuple[float, float]]


class Half(NamedTuple):
    """Hold half a year as drawn: the months' names, and the days with games.

    `others` is an SVG path that draws all days without games.
    """

    top: int
    months: list[Text]
    days: list[tuple[int, int, float, str, int]]
    others: str


def bars(rows: Sequence[tuple[Any, float, Any]]) -> Bars:
    """Lay out horizontal bars for rows of label, value and text; values below 0 go to the left."""
    values = [value for _, value, _ in rows]
    low, high = min([*values, 0]), max([*values, 0])
    unit = BARS / (high - low or 1)
    zero = 2 - low * unit
    found = [
        Bar(label, words, number * ROW, round(zero + min(value, 0) * unit, 1), round(max(abs(value) * unit, 1), 1))
        for number, (label, value, words) in enumerate(rows)
    ]
    return Bars(found, round(zero, 1) if low < 0 else None)


def columns(rows: Sequence[tuple[Any, float]], labels: Sequence[Any]) -> list[Column]:
    """Lay out vertical columns for rows of label and value.

    `labels` are drawn below the columns; if there are many columns, only some have one.
    """
    high = max(value for _, value in rows) or 1
    step = 352 / len(rows)
    half = max(len(str(page_text(label))) for label in labels) * 3.8
    # The first label begins at the edge, so the second has to keep clear of it.
    every = math.ceil(max(2 * half + 8, 3 * half) / step) if 2 * half + 4 > step else 1
    found: list[Column] = []
    for number, (label, value) in enumerate(rows):
        middle, tall = 4 + (number + 0.5) * step, value / high * 105
        is_told = value == high and (step > 24 or not any(column.number for column in found))
        found.append(
            Column(
                label,
                value,
                x=round(4 + number * step + step * 0.08, 1),
                y=round(122 - tall, 1),
                width=round(step * 0.84, 1),
                height=round(tall, 1),
                number=_within(middle, 24, 4, value) if is_told else None,
                below=_within(middle, half, 2, labels[number]) if number % every == 0 else None,
            )
        )
    return found


def _within(middle: float, half: float, edge: float, words: Any) -> Text:
    """Return the text `words`, centred at `middle`, or moved to the chart's edge if it would reach beyond it. `half` is
    half its width; at the edge it keeps the distance `edge`."""
    if middle < half:
        return Text(edge, "start", words)
    return Text(WIDTH - edge, "end", words) if middle > WIDTH - half else Text(round(middle, 1), "middle", words)


def rates(rows: Sequence[tuple[Any, Rate] | tuple[Any, Rate, Avatar]]) -> list[Row]:
    """Lay out rates with their likely range, for rows of a label, a rate and perhaps an avatar."""
    return [
        Row(label, rate, look[0] if look else None, number * ROW, *map(_share, (rate.low, rate.high, rate.share)))
        for number, (label, rate, *look) in enumerate(rows)
    ]


def _share(share: float) -> float:
    return round(8 + share * 344, 1)


MARKS = [(mark / 4, _share(mark / 4), _within(_share(mark / 4), 24, 2, None)) for mark in range(5)]


def track(points: Sequence[tuple[Any, float, float, float]]) -> Track:
    """Return where to draw a line through the points, and the band of their likely range. Each point has a label (not
    used here), middle, low and high. Dots are added for at most twelve points."""
    low, high = min(point[2] for point in points), max(point[3] for point in points)
    step = 316 / max(len(points) - 1, 1)

    def line(column: int) -> list[tuple[float, float]]:
        return [
            (round(40 + number * step, 1), round(120 - (point[column] - low) / (high - low or 1) * 110, 1))
            for number, point in enumerate(points)
        ]

    middles = line(1)
    band = _points([*line(3), *reversed(line(2))])
    return Track(round(low), round(high), band, _points(middles), middles if len(points) <= 12 else [])


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def heat(rows: Sequence[Sequence[tuple[str, float]]]) -> list[list[tuple[str, int, int]]]:
    """Return for each square, row by row, its name, its shading (0 to 5), and its share in percent. `rows` has its name
    and its share from 0 to 1. The largest share has level 5."""
    most = max(share for row in rows for _, share in row) or 1
    return [[(cell, math.ceil(share / most * 5), round(share * 100)) for cell, share in row] for row in rows]


def calendar(weeks: Sequence[Sequence[tuple[str, int] | None]]) -> list[Half]:
    """Lay out the days of a year in two halves, one above the other, with a column for each week. `weeks` has for each
    day its date and number of games, or None outside the year."""
    most = max([2, *(day[1] for week in weeks for day in week if day)])
    return [_half(weeks[:27], 0, most), _half(weeks[27:], 112, most)]


def _half(weeks: Sequence[Sequence[tuple[str, int] | None]], top: int, most: int) -> Half:
    days = [(number * DAY + 4, day, plays) for number, week in enumerate(weeks) for day, plays in filter(None, week)]
    firsts = [next(filter(None, week), None) for week in weeks]
    months = [
        Text(number * DAY + 4, "start", day[0][:7])
        for number, (before, day) in enumerate(pairwise([None, *firsts]))
        if day and number < 25 and int(day[0][8:]) <= 7 and (before is None or before[0][:7] != day[0][:7])
    ]

    def y(day: str) -> int:
        return top + 15 + date.fromisoformat(day).weekday() * DAY

    shaded = [(x, y(day), round(0.25 + plays / most * 0.75, 2), day, plays) for x, day, plays in days if plays]
    return Half(top, months, shaded, "".join(f"M{x} {y(day)}h11v11h-11z" for x, day, plays in days if not plays))


def rate_in_short(rate: Rate) -> Sentence | str:
    """Return a rate as a share such as "45%". Below three games, return counts such as "1 of 2"; without games, return
    ""."""
    if not rate.of:
        return ""
    return say("{hits} of {n}", hits=rate.hits, n=rate.of) if rate.is_few else percent(rate.share)
