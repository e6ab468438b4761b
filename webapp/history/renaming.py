"""Another name for a player in a record and in its result, sentences included."""

from __future__ import annotations

import re
from collections.abc import Callable

from scorer.contract import Json
from scorer.core import score
from scorer.result import Result, texts
from scorer.sentences import Sentence


def renamed_record(record: Json, old: str, new: str) -> Json:
    """The record with the new name for the player, and for the table if the table speaks of players.

    A table may hold the same word in another sense (a player may be called "standard"): then the record is no longer
    legal with all of them replaced, and only the player's own name is.
    """
    players = [{**player, "name": new} if player["name"] == old else player for player in record["players"]]
    renamed = {**record, "players": players}
    table = replaced(record.get("table", {}), old, new)
    if table != record.get("table", {}) and score({**renamed, "table": table})["ok"]:
        return {**renamed, "table": table}
    return renamed


def replaced(value: Json, old: str, new: str) -> Json:
    if isinstance(value, dict):
        return {new if key == old else key: replaced(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [replaced(inner, old, new) for inner in value]
    return new if value == old else value


def renamed_result(result: Result, old: str, new: str) -> Result:
    """The result, its sentences revived, with the new name.

    In reasons and messages it stands as a whole word: "Ann" stays in "Anniversary". Of a sentence only the values are
    looked at, so that a player called "Cottage" takes no Cottage with her.
    """
    for player in result["players"]:
        player["name"] = new if player["name"] == old else player["name"]
    result["winners"] = [new if winner == old else winner for winner in result["winners"]]
    change = _by_whole_words(old, new)
    said = result.get("said")
    for pointer, holder, field in texts(result):
        text = holder.get(field)
        if field not in {"why", "message"} or not isinstance(text, str):
            continue
        if isinstance(text, Sentence) and isinstance(said, dict):
            holder[field] = text.reworded(change)
            said[pointer] = holder[field].to_json()
        else:
            holder[field] = change(text)
    return result


def _by_whole_words(old: str, new: str) -> Callable[[str], str]:
    word = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    return lambda text: word.sub(lambda _: new, text)
