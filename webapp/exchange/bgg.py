"""Return the BoardGameGeek numbers of games: those in each `about.toml`, and those the server owner adds."""

from __future__ import annotations

from flask import current_app, has_app_context

from scorer import games


def bgg_ids() -> dict[str, int]:
    """Return the BoardGameGeek number of each game that has one, by the game's id."""
    added = current_app.config.get("BGG") if has_app_context() else None
    printed = {game.id: games.about_box(game.id).bgg for game in games.all_games()}
    known = {game: number for game, number in printed.items() if number is not None}
    return {**known, **(added if isinstance(added, dict) else {})}
