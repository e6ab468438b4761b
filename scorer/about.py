"""Read the files that describe a game: `about.toml` for the box, `achievements.toml` for its achievements.

    publisher = "Alderac Entertainment Group"
    players = [1, 6]
    bgg = 265736                    # its number at BoardGameGeek
    [words.en]                      # by language, the words of the box
    built = "town"                  # what one player has built

Both files are optional. Pages read the tables `colours` and `picture` of `about.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from scorer.sentences import Sentence, printed, say

T = TypeVar("T")


class UnreadableFile(ValueError):
    """Report that a file of a game's folder has wrong content; `message` is for its author."""

    def __init__(self, message: Sentence) -> None:
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class About:
    """Describe the box: publisher, number of players, number at BoardGameGeek, and words by language."""

    publisher: str = ""
    players: range | None = None
    bgg: int | None = None
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Achievement:
    """Describe an achievement: reaching a `total`, `points` on a `line`, or a `count` of a `piece`.

    If the threshold changes, the achievement needs a new `id`, because saved games refer to the id.
    """

    id: str
    name: Sentence
    text: Sentence
    game: str = ""  # "" for every game
    total: int | None = None
    line: str = ""
    points: int = 0
    piece: str = ""
    count: int = 0


def about(folder: Path) -> About:
    """Return the content of `about.toml` in a game's folder, or an empty `About` if there is no such file. Raise
    UnreadableFile if its content is wrong."""
    return _text(folder / "about.toml", _about)


def achievements(folder: Path, game: str) -> tuple[Achievement, ...]:
    return _text(folder / "achievements.toml", lambda content: _achievements(content, game))


def _text(file: Path, read: Callable[[dict[str, Any]], T]) -> T:
    try:
        return read(tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {})
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as fault:
        message = say("We can’t read {file}: {fault}.", file=str(file), fault=f"{type(fault).__name__}: {fault}")
        raise UnreadableFile(message) from fault


def _about(content: dict[str, Any]) -> About:
    least, most = content.get("players", (0, 0))
    words = {language: {term: str(word) for term, word in known.items()} for language, known in _words(content)}
    bgg = content.get("bgg")
    return About(
        publisher=str(content.get("publisher", "")),
        players=range(int(least), int(most) + 1) if least else None,
        bgg=None if bgg is None else int(bgg),
        words=words,
    )


def _words(content: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(content.get("words", {}).items())


def _achievements(content: dict[str, Any], game: str) -> tuple[Achievement, ...]:
    return tuple(
        Achievement(
            **{
                **one,
                "id": f"{game}.{one['id']}",
                "name": printed(one["name"]),
                "text": printed(one["text"]),
                "game": game,
            }
        )
        for one in content.get("achievement", ())
    )
