"""Names in saved games: kept as the seat they belong to, so that a name stands once in the file, with its person.

In the texts that are kept (a record, its result, the sentences in `said`) a letter that stands in no text takes the
place of a name: the first of Unicode's noncharacters for the first seat, the second for the second. `hidden` puts them
there, `told` puts names in their place again; whoever reads a saved game reads it through `webapp.history.kept`.

A word can be a name and something else too: somebody may be called "standard" or "A1". In a table only the places are
looked at where the game's own examples have names. In sentences a value that is exactly a name is one; of names that
the record also uses in another sense the rules are asked, by scoring the table with other names.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from scorer import games
from scorer.contract import Json
from scorer.core import score
from scorer.result import Result, texts
from scorer.sentences import Sentence
from scorer.sentences import revived as sentence
from webapp.database import pack

FIRST = "\ufdd0"
MARK = re.compile("[\ufdd0-\ufdef]")
SQUARE_OR_NUMBER = re.compile(r"\W*[A-Za-z]?[0-9]+([.:][0-9]+)?\W*")
STAND_IN = "Qx{}zq"  # nobody's name, nothing's code
Path = tuple[str, ...]


def mark(seat: int) -> str:
    """The letter that stands for the name of whoever sits there."""
    return chr(ord(FIRST) + seat)


def told(text: str, names: Sequence[str]) -> str:
    """A kept text with these names, by seat."""
    inside = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names]
    return MARK.sub(lambda found: inside[ord(found[0]) - ord(FIRST)], text)


def hidden(record: Json, result: Result) -> tuple[str, str]:
    """Record and result as they are kept. With the same names they read again as they were, to the letter."""
    whole = pack(result)
    if MARK.search(whole) or MARK.search(pack(record)):
        whole = MARK.sub("\ufffd", whole)
        record, result = json.loads(MARK.sub("\ufffd", pack(record))), json.loads(whole)
    names = [player["name"] for player in result["players"]]
    marks = {name: mark(seat) for seat, name in enumerate(names)}
    kept_record = pack(_record(record, marks))
    if any(_in_another_sense(kept_record, name) for name in names):
        proven = _as_scored(record, result, names)
        if proven is not None:
            return kept_record, proven
    kept_result = pack(_result(json.loads(whole), marks, in_sentences=True))
    if told(kept_result, names) != whole:  # a sentence that is not what its text says
        kept_result = pack(_result(json.loads(whole), marks, in_sentences=False))
    return kept_record, kept_result


def _record(record: Json, marks: Mapping[str, str]) -> Json:
    players = [{**player, "name": marks.get(player["name"], player["name"])} for player in record["players"]]
    hidden = {**record, "players": players}
    if "table" in record:
        hidden["table"] = in_table(record.get("game", ""), record["table"], marks)
    return hidden


def in_table(game: str, table: Json, instead: Mapping[str, str]) -> Json:
    """The facts of a table with something else in the places of these names."""
    places = places_of_names(game)
    return _table(table, instead, places) if places else table


def _table(value: Json, marks: Mapping[str, str], places: frozenset[Path], here: Path = ()) -> Json:
    if isinstance(value, dict):
        keyed = (*here, "key") in places and all(key in marks for key in value)
        return {
            marks[key] if keyed else key: _table(inner, marks, places, (*here, "*" if keyed else key))
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_table(inner, marks, places, (*here, "*")) for inner in value]
    return marks.get(value, value) if isinstance(value, str) and here in places else value


@functools.cache
def places_of_names(game: str) -> frozenset[Path]:
    """Where the game's examples have names in their tables: paths with * for any number, "key" at the end for keys."""
    found: set[Path] = set()
    folder = files("scorer.games") / game / "examples"
    for file in folder.iterdir() if game in games.names() and folder.is_dir() else ():
        record = tomllib.loads(file.read_text(encoding="utf-8"))["state"]
        names = {player["name"] for player in record["players"]}
        found.update(_places(record.get("table", {}), names))
    return frozenset(found)


def _places(value: Json, names: set[str], here: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        keyed = bool(value) and all(key in names for key in value)
        if keyed:
            yield (*here, "key")
        for key, inner in value.items():
            yield from _places(inner, names, (*here, "*" if keyed else key))
    elif isinstance(value, list):
        for inner in value:
            yield from _places(inner, names, (*here, "*"))
    elif isinstance(value, str) and value in names:
        yield here


def _result(result: Result, marks: Mapping[str, str], in_sentences: bool) -> Result:
    for player in result["players"]:
        player["name"] = marks[player["name"]]
    result["winners"] = [marks.get(winner, winner) for winner in result["winners"]]
    for need in result["needs"]:
        need["players"] = [marks.get(name, name) for name in need["players"]]
    if in_sentences:
        _sentences(result, marks)
    return result


def _sentences(result: Result, marks: Mapping[str, str]) -> None:
    """In reasons and messages: of a sentence the values that are a name, of a mere text its whole words."""
    word = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in sorted(marks, key=len, reverse=True))})(?!\w)")
    said = result.get("said")
    for pointer, holder, field in texts(result):
        text = holder.get(field)
        if field not in {"why", "message"} or not isinstance(text, str) or not word.search(text):
            continue
        read = sentence(text, said[pointer]) if isinstance(said, dict) and pointer in said else text
        if isinstance(read, Sentence) and isinstance(said, dict):
            holder[field] = read.reworded(lambda value: marks.get(value, value))
            said[pointer] = holder[field].to_json()
        else:
            holder[field] = word.sub(lambda found: marks[found[0]], text)


def _in_another_sense(kept_record: str, name: str) -> bool:
    """Whether sentences about this table may have the word where they do not mean the player."""
    return SQUARE_OR_NUMBER.fullmatch(name) is not None or pack(name) in kept_record


def _as_scored(record: Json, result: Result, names: Sequence[str]) -> str | None:
    """The result as the rules give it to players of other names; None if they do not give this result any more."""
    if games.find(record.get("game", "")) is None:
        return None
    others = {name: STAND_IN.format(seat) for seat, name in enumerate(names)}
    text = pack(score(_record(record, others)))
    for seat, stand_in in enumerate(others.values()):
        text = text.replace(stand_in, mark(seat))
    return text if json.loads(told(text, names)) == json.loads(pack(result)) else None
