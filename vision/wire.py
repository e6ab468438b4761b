"""Exchange messages between a worker and its process: a line of JSON, and as many bytes as its "size" says."""

from __future__ import annotations

import itertools
import json
from typing import IO, Any

from vision.reading import Look, Reading

Json = dict[str, Any]


def send(pipe: IO[bytes], head: Json, body: bytes = b"") -> None:
    pipe.write(json.dumps(head | {"size": len(body)}).encode() + b"\n")
    pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[Json, bytes]:
    """Return the next message: its JSON and the bytes after it. Raise ValueError if the other end closes in the middle
    of it."""
    head: Json = json.loads(pipe.readline())
    body = pipe.read(head["size"])
    if len(body) < head["size"]:
        raise ValueError("cut short")
    return head, body


def packed(made: Look) -> tuple[Json, bytes]:
    """Return a photo's reading and pictures as a message: JSON with the length of each picture, then all pictures'
    bytes."""
    pictures = [*made.boards, *([made.picture] if made.picture else [])]
    head = {
        "reading": made.reading.to_keep(),
        "boards": len(made.boards),
        "lengths": [len(one) for one in pictures],
        "cards_follow": made.cards_follow,
    }
    return head, b"".join(pictures)


def unpacked(head: Json, body: bytes) -> Look:
    ends = list(itertools.accumulate(head["lengths"], initial=0))
    pictures = [body[start:end] for start, end in itertools.pairwise(ends)]
    boards, copies = pictures[: head["boards"]], pictures[head["boards"] :]
    copy = copies[0] if copies else None
    return Look(Reading.from_json(head["reading"]), copy, tuple(boards), head["cards_follow"])
