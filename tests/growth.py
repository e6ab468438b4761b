"""Measure what the pages of a club cost as its history grows: `python -m tests.growth 1000 10000 100000`.

It times whole requests with Flask's test client. It prints the median processor time, the 95th percentile of the clock
time, and the ratio of the largest to the smallest history.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flask.testing import FlaskClient

from tests.webapp.conftest import Device
from webapp import clubs, create_app
from webapp.cli import demo
from webapp.database import Database, connect

REPEATS = 40


# Pages that read all games of a club, a title or a player: they may cost more, but no more than in proportion.
STATISTICS = {
    "statistics": "/stats",
    "statistics of a game": "/stats/games/tiny_towns",
    "the same for three players": "/stats/games/tiny_towns?players=3",
    "the same of a place and a year": "/stats/games/tiny_towns?period=2025&place=The+Anchor",
    "the same of 22 months": "/stats/games/tiny_towns?period=range&since=2024-02&until=2025-11&players=3",
    "the same with a card": "/stats/games/tiny_towns?card=tavern",
    "the same with two cards and 12 months": "/stats/games/tiny_towns?period=12&card=tavern&card=chapel",
    "statistics of a place and 12 months": "/stats?period=12&place=The+Anchor&players=3",
    "who plays with whom": "/stats/company",
    "cards": "/stats/games/tiny_towns/cards",
    "boards": "/stats/games/tiny_towns/boards",
    "a year": "/stats/years/2025",
    "a year as a picture": "/stats/years/2025/tidemark.png",
    "achievements": "/stats/achievements",
    "players": "/players",
    "a player": "/players/{ada}",
    "more of a player": "/players/{ada}/games/tiny_towns",
    "two players": "/players/{ada}/against/{chidi}",
}


def pages(db: Database, club_id: int) -> dict[str, str]:
    """Return the pages of a club's history that must not cost more as it grows."""
    ada = db.row("SELECT id FROM players WHERE club_id = ? AND name = 'Ada'", club_id)
    # The same board in histories of all sizes, which draw their tables from one pool.
    rows = db.execute(
        """SELECT key, scores.played_at, play_id FROM scores JOIN plays ON plays.id = play_id
        WHERE scores.club_id = ?1 AND scores.game = 'tiny_towns' AND total = (
            SELECT max(total) FROM scores WHERE club_id = ?1 AND game = 'tiny_towns' AND player_count = 3
        ) ORDER BY scores.played_at""",
        [club_id],
    ).fetchall()
    assert ada is not None
    first, middle, last = rows[0], rows[len(rows) // 2], rows[-1]
    return {
        "home": "/",
        "games": "/plays",
        "games, far down the list": f"/plays?after={middle[1]}.{middle[2]}",
        "games of a player": f"/plays?player={ada['id']}",
        "games by game, player, count": f"/plays?game=tiny_towns&player={ada['id']}&players=3",
        "games by way and days": "/plays?way=scoring%2Fchapel%3Dmost_chapels&since=2025-01-01",
        "games by words": "/plays?words=birthday",
        "a game": f"/plays/{last[0]}",
        "a game long ago": f"/plays/{first[0]}",
        "how we count": "/stats/how",
        "the bin": "/plays/bin",
        "data": "/data",
        "rescoring": "/data/rescore",
    }


@contextmanager
def visitor(path: Path, games: int) -> Iterator[tuple[FlaskClient, dict[str, str]]]:
    """Yield a client in a club with so many games, and the addresses of its pages."""
    app = create_app({"DATABASE": str(path)})
    db = connect(path)
    try:
        row = db.row("SELECT id FROM clubs WHERE name = ?", demo.CLUB)
        club_id = row["id"] if row else demo.seed(db, games)
        client = app.test_client()
        Device(client).get(f"/join/{clubs.links(db, club_id)['owner']}")
        people = dict(db.execute("SELECT name, id FROM players WHERE club_id = ?", [club_id]).fetchall())
        reading = {name: page.format(ada=people["Ada"], chidi=people["Chidi"]) for name, page in STATISTICS.items()}
        yield client, {**pages(db, club_id), **reading}
    finally:
        db.close()


def times(visits: Sequence[tuple[FlaskClient, str]]) -> list[tuple[float, float]]:
    """Return the median processor time and the 95th percentile of the clock time in ms, for each size."""
    taken: list[list[tuple[float, float]]] = [[] for _ in visits]
    for _ in range(REPEATS + 1):
        for (client, address), found in zip(visits, taken, strict=True):
            start, work = time.perf_counter(), time.thread_time()
            answer = client.get(address)
            found.append(((time.thread_time() - work) * 1000, (time.perf_counter() - start) * 1000))
            assert answer.status_code == 200, address
    figures = []
    for found in taken:
        work_ms, clock_ms = (sorted(column) for column in zip(*found[1:], strict=True))  # templates are compiled first
        figures.append((work_ms[len(work_ms) // 2], clock_ms[int(len(clock_ms) * 0.95) - 1]))
    return figures


def main(sizes: list[int], folder: Path) -> None:
    with ExitStack() as stack:
        visitors = [stack.enter_context(visitor(folder / f"{size}.db", size)) for size in sizes]
        print(f"{'work, median / p95 in ms':<40}" + "".join(f"{size:>16}" for size in sizes) + f"{'x':>8}")
        for name in visitors[0][1]:
            found = times([(client, addresses[name]) for client, addresses in visitors])
            cells = "".join(f"{f'{median:.1f} / {p95:.1f}':>16}" for median, p95 in found)
            print(f"{name:<40}{cells}{found[-1][0] / found[0][0]:>8.2f}", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main([int(size) for size in sys.argv[1:]] or [1_000, 10_000, 100_000], Path(folder))
