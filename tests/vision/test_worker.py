"""Workers: the same answers as in this process, and what becomes of photos that cost too much."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.vision.conftest import photo
from vision import Problem, Reading, pictures, read
from vision.decode import decode
from vision.describe import describe
from vision.worker import Limits, Pool


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(1, Limits(patience=0.2))
    yield made
    made.close()


def test_a_worker_reads_what_this_process_reads(pool: Pool) -> None:
    ours, theirs = read(photo()).to_json(), pool.read(photo(), file="a.jpg")
    assert theirs["file"] == "a.jpg"
    assert theirs["boards"] == json.loads(json.dumps(ours["boards"]))
    assert theirs["size"] == ours["size"]


def test_a_worker_goes_on_after_a_file_that_is_no_photo(pool: Pool) -> None:
    assert pool.read(b"nothing")["problems"][0]["code"] == "not_a_photo"
    assert pool.read(photo())["ok"]


def test_a_dead_worker_costs_one_reading_and_is_replaced(pool: Pool) -> None:
    pool.warm()
    child = pool.workers[0].child
    assert child is not None
    child.kill()
    child.wait()
    assert pool.read(photo())["ok"]


def test_a_photo_that_takes_too_long_is_given_up_with_a_sentence() -> None:
    pool = Pool(1, Limits(seconds=0.01))
    try:
        answer = pool.read(photo())
    finally:
        pool.close()
    assert not answer["ok"] and answer["problems"][0]["code"] == "too_hard"


def test_a_worker_without_enough_memory_gives_up_with_a_sentence() -> None:
    pool = Pool(1, Limits(memory=150_000_000))
    try:
        answer = pool.read(photo())
    finally:
        pool.close()
    assert answer["problems"][0]["code"] in ("too_hard", "too_large")


def test_a_busy_pool_says_wait(pool: Pool) -> None:
    pool.warm()
    worker = pool.free.get()  # somebody else's photo is being read
    answer = pool.read(photo())
    pool.free.put(worker)
    assert answer["problems"][0]["code"] == "wait"
    assert pool.read(photo())["ok"]


def test_pictures_for_the_pages_come_from_the_worker_too(pool: Pool) -> None:
    board = pool.read(photo())["boards"][0]
    flat = pool.straightened(photo(), board["corners"])
    assert isinstance(flat, bytes) and decode(flat).size == (pictures.SIDE, pictures.SIDE)
    copy = pool.kept(photo())
    assert isinstance(copy, bytes) and decode(copy).size == tuple(read(photo()).size)
    refused = pool.kept(b"nothing")
    assert isinstance(refused, Problem) and refused.code == "not_a_photo"


def test_a_reading_survives_the_way_through_json() -> None:
    told = read(photo()).to_json()
    assert Reading.from_json(json.loads(json.dumps(told))).to_json() == told


def test_a_reading_is_told_in_words() -> None:
    words = describe(read(photo()))
    assert words.startswith("photo: 1 board") and len(words.splitlines()) >= 6
    assert "no photo" not in words
    assert "error: " in describe(read(b"nothing"))
