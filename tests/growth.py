"""What the pages of a club cost as its history grows: `python -m tests.growth 1000 10000 100000`.

Server time of a whole request, by Flask's test client: median and 95th percentile, and how the largest history compares
with the smallest.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask.testing import FlaskClient

from webapp import clubs, create_app, demo
from webapp.database import Database, connect

REPEATS = 40


def pages(db: Database, club_id: int) -> dict[str, str]:
    """Every page of a club's history that could grow with it."""
    ada = db.row("SELECT id FROM players WHERE club_id = ? AND name = 'Ada'", club_id)
    bob = db.row("SELECT id FROM players WHERE club_id = ? AND name = 'Chidi'", club_id)
    rows = db.execute(
        """SELECT key, played_at, id FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL AND game = 'tiny_towns'
        ORDER BY played_at""",
        [club_id],
    ).fetchall()
    assert ada is not None and bob is not None
    middle = rows[len(rows) // 2]
    return {
        "home": "/",
        "games": "/plays",
        "games, far down the list": f"/plays?after={middle[1]}.{middle[2]}",
        "games of a player": f"/plays?player={ada['id']}",
        "games by game, player, count": f"/plays?game=tiny_towns&player={ada['id']}&players=3",
        "games by way and days": "/plays?way=scoring%2Fchapel%3Dmost_chapels&since=2025-01-01",
        "games by words": "/plays?words=birthday",
        "a game": f"/plays/{rows[-1][0]}",
        "a game long ago": f"/plays/{middle[0]}",
        "statistics": "/stats",
        "statistics of a game": "/stats/games/tiny_towns",
        "the same for three players": "/stats/games/tiny_towns?players=3",
        "a year": "/stats/years/2025",
        "achievements": "/stats/achievements",
        "players": "/players",
        "a player": f"/players/{ada['id']}",
        "two players": f"/players/{ada['id']}/against/{bob['id']}",
        "data": "/data",
        "rescoring": "/data/rescore",
    }


@contextmanager
def visitor(path: Path, games: int) -> Iterator[tuple[FlaskClient, dict[str, str]]]:
    """Somebody in a club with so many games, and the addresses of its pages."""
    app = create_app({"DATABASE": str(path)})
    db = connect(path)
    try:
        row = db.row("SELECT id FROM clubs WHERE name = ?", demo.CLUB)
        club_id = row["id"] if row else demo.seed(db, games)
        client = app.test_client()
        client.get(f"/join/{clubs.links(db, club_id)['owner']}")
        yield client, pages(db, club_id)
    finally:
        db.close()


def times(client: FlaskClient, address: str) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    client.get(address)
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        answer = client.get(address)
        taken.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, address
    taken.sort()
    return taken[len(taken) // 2], taken[int(len(taken) * 0.95) - 1]


def main(sizes: list[int]) -> None:
    table: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            with visitor(Path(folder) / f"{size}.db", size) as (client, addresses):
                for name, address in addresses.items():
                    table.setdefault(name, []).append(times(client, address))
    print(f"{'median / p95 in ms':<32}" + "".join(f"{size:>16}" for size in sizes) + f"{'x':>8}")
    for name, found in table.items():
        cells = "".join(f"{f'{median:.1f} / {p95:.1f}':>16}" for median, p95 in found)
        print(f"{name:<32}{cells}{found[-1][0] / found[0][0]:>8.2f}")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1_000, 10_000, 100_000])
