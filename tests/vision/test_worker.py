"""Workers: the same answers as in this process, and what becomes of photos that cost too much."""

from __future__ import annotations

import json
import queue
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.conftest import file_of, photo
from tests.vision.test_cards import laid
from vision import Reading, games, memory, pictures, read, sandbox
from vision import decode as decoding
from vision.decode import decode
from vision.describe import describe
from vision.problems import SENTENCES, problem
from vision.reading import Look
from vision.worker import Limits, Pool


def made_pool() -> Iterator[Pool]:
    made = Pool(1, Limits(patience=0.2, seconds=200, processor=400))
    yield made
    made.close()


pool = pytest.fixture(scope="module")(made_pool)
own_pool = pytest.fixture(made_pool)  # whose process nobody has used


def test_a_worker_reads_what_this_process_reads(pool: Pool) -> None:
    ours, theirs = read(photo(), cards=False).to_json(), pool.read(photo(), file="a.jpg", cards=False)
    assert theirs["file"] == "a.jpg"
    assert theirs["boards"] == json.loads(json.dumps(ours["boards"]))
    assert theirs["size"] == ours["size"]


def test_a_worker_goes_on_after_a_file_that_is_no_photo(pool: Pool) -> None:
    assert pool.read(b"nothing")["problems"][0]["code"] == "not_a_photo"
    assert pool.read(photo(), cards=False)["ok"]


def test_a_dead_worker_costs_one_reading_and_is_replaced(pool: Pool) -> None:
    pool.read(photo(), cards=False)
    child = pool.workers[0].child
    assert child is not None
    child.kill()
    child.wait()
    assert pool.read(photo(), cards=False)["ok"]


def test_ctrl_c_in_the_terminal_of_the_server_does_not_stop_a_photo(pool: Pool) -> None:
    pool.read(b"nothing")
    child = pool.workers[0].child
    assert child is not None
    child.send_signal(signal.SIGINT)
    assert pool.read(photo(), cards=False)["ok"] and pool.workers[0].child is child


def test_a_photo_that_takes_too_long_is_given_up_with_a_sentence() -> None:
    pool = Pool(1, Limits(seconds=0.01))
    try:
        answer = pool.read(photo(), cards=False)
    finally:
        pool.close()
    assert not answer["ok"] and answer["problems"][0]["code"] == "too_hard"


def test_a_worker_without_enough_memory_gives_up_with_a_sentence() -> None:
    pool = Pool(1, Limits(memory=150_000_000))
    try:
        answer = pool.read(photo(), cards=False)
    finally:
        pool.close()
    assert answer["problems"][0]["code"] in ("too_hard", "too_large", "too_slow")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not say what a process holds")
def test_a_photo_that_takes_more_memory_than_it_may_is_given_up_with_a_sentence() -> None:
    pool = Pool(1, Limits(seconds=200, processor=400, resident=60_000_000))
    try:
        answer = pool.read(photo(), cards=False)
        assert pool.workers[0].child is None
    finally:
        pool.close()
    assert answer["problems"][0]["code"] == "too_hard"


def test_a_busy_pool_says_wait(pool: Pool) -> None:
    pool.read(photo(), cards=False)
    worker = pool.turns.take("somebody else", 1)
    assert worker is not None
    answer = pool.read(photo(), cards=False)
    pool.turns.give_back("somebody else", worker)
    assert answer["problems"][0]["code"] == "wait"
    assert pool.read(photo(), cards=False)["ok"]


def test_a_look_brings_the_reading_a_copy_and_every_board_straightened(pool: Pool) -> None:
    look, ours = pool.look(photo(), cards=False), read(photo(), cards=False)
    assert without_time(look.reading) == without_time(ours)
    assert look.picture is not None and decode(look.picture).size == ours.size
    assert [decode(board).size for board in look.boards] == [(pictures.SIDE, pictures.SIDE)] * len(ours.boards)


def without_time(reading: Reading) -> dict[str, Any]:
    return reading.to_json() | {"ms": 0}


def test_a_look_at_given_corners_needs_no_other_copy(pool: Pool) -> None:
    corners = read(photo(), cards=False).boards[0].corners
    look = pool.look(photo(), corners, cards=False, keep=False)
    assert look.picture is None and len(look.boards) == 1
    assert without_time(look.reading) == without_time(read(photo(), corners, cards=False))


def test_a_look_at_what_is_no_photo_says_so_and_has_no_pictures(pool: Pool) -> None:
    look = pool.look(b"nothing")
    assert [problem.code for problem in look.reading.problems] == ["not_a_photo"]
    assert look.picture is None and look.boards == ()


def table_of(cards: list[str]) -> np.ndarray:
    """A board above, these cards below."""
    board = decode(photo()).pixels
    below = laid(cards)
    across = below.shape[1] / board.shape[1]
    return np.vstack([cv2.resize(board, (below.shape[1], round(board.shape[0] * across))), below])


def test_the_boards_are_told_before_the_cards(pool: Pool) -> None:
    names, later = ["granary", "feast_hall", "well", "chapel"], queue.SimpleQueue[Look]()
    data = file_of(table_of(names))
    first = pool.look(data, later=later.put)
    assert first.cards_follow and first.reading.cards == [] and len(first.reading.boards) == 1
    assert first.picture is not None and len(first.boards) == 1
    last = later.get(timeout=200)
    assert not last.cards_follow and {card.id for card in last.reading.cards} == set(names)
    assert (last.picture, last.boards) == (first.picture, first.boards)
    assert last.reading.boards == first.reading.boards
    assert without_time(pool.look(data).reading) == without_time(last.reading), "asked for all at once it is the same"
    assert later.empty(), "the cards are told once"


def test_a_photo_without_boards_is_not_called_empty_before_its_cards_are_read(pool: Pool) -> None:
    later = queue.SimpleQueue[Look]()
    first = pool.look(file_of(laid(["orchard"])), later=later.put)
    assert first.cards_follow and first.reading.ok and first.reading.problems == []
    assert [card.id for card in later.get(timeout=200).reading.cards] == ["orchard"]
    assert pool.look(file_of(np.full((600, 800, 3), 90, np.uint8)), later=later.put).cards_follow
    assert [problem.code for problem in later.get(timeout=200).reading.problems] == ["no_board"]


@pytest.mark.parametrize("data", [b"nothing", b""])
def test_no_cards_follow_what_is_no_photo(pool: Pool, data: bytes) -> None:
    later = queue.SimpleQueue[Look]()
    assert not pool.look(data, later=later.put).cards_follow
    assert not pool.look(photo(), cards=False, later=later.put).cards_follow
    assert later.empty()


def test_a_worker_that_dies_over_the_cards_has_told_its_boards(pool: Pool) -> None:
    later = queue.SimpleQueue[Look]()
    first = pool.look(file_of(table_of(["granary", "well"])), later=later.put)
    child = pool.workers[0].child
    assert child is not None
    child.kill()
    last = later.get(timeout=200)
    assert last.reading.boards == first.reading.boards and last.boards == first.boards
    assert [problem.code for problem in last.reading.problems][-1:] == ["no_cards"] and last.reading.ok
    assert pool.read(photo(), cards=False)["ok"]


@pytest.mark.parametrize("cards", [True, False])
def test_a_look_decodes_a_photo_once(cards: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(data: bytes, enough: int = decoding.ENOUGH) -> decoding.Photo:
        sizes.append(enough)
        return decode(data, enough)

    monkeypatch.setattr(decoding, "decode", counted)
    large = cv2.resize(decode(photo()).pixels, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    look = pictures.look(file_of(large), games.only(), cards=cards)
    assert look.reading.boards and len(sizes) == 1


def test_a_reading_survives_the_way_through_json() -> None:
    plain = read(photo(), cards=False)
    assert Reading.from_json(json.loads(json.dumps(plain.to_keep()))).to_json() == plain.to_json()


class Shouting:
    """A language for the test: English in capitals."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(?<!{)\b[a-z]+\b(?!})", lambda word: word[0].upper(), message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


def test_what_was_kept_of_a_reading_can_be_told_in_another_language() -> None:
    small = file_of(np.zeros((30, 30, 3), np.uint8))
    reading = Reading.from_json(json.loads(json.dumps(read(small).to_keep())))
    [problem] = reading.problems
    assert problem == read(small).problems[0]
    assert problem.message.into(Shouting()).startswith("This PHOTO HAS ONLY 30 × 30 PIXELS")
    assert describe(reading, Shouting()).startswith("PHOTO: 0 BOARDS\n  ERROR: This PHOTO HAS ONLY")


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_no_sentence_of_a_problem_is_stored(code: str) -> None:
    values: dict[str, dict[str, Any]] = {
        "too_small": {"wide": 3, "high": 4},
        "too_large": {"megabytes": 5},
        "unreadable": {"reason": "gone"},
        "more_boards": {"row": 2, "column": 0},
        "glare": {"x": 7, "y": 8},
    }
    reading = Reading(problems=[problem(code, **values.get(code, {}))])
    assert reading.problems[0].message == SENTENCES[code](**values.get(code, {}))
    stored = json.dumps(reading.to_keep())
    assert reading.problems[0].message not in stored and "{" not in reading.problems[0].message
    assert Reading.from_json(json.loads(stored)).problems == reading.problems


def test_a_problem_of_another_version_is_told_all_the_same() -> None:
    kept = {**Reading().to_json(), "problems": [{"code": "too_dark"}, {"code": "too_small", "message": "Too small."}]}
    [unknown, bare] = Reading.from_json(kept).problems
    assert (unknown.code, unknown.message) == ("too_dark", "We couldn’t read this photo. Send another one.")
    assert (bare.code, bare.message) == ("too_small", unknown.message)


def test_a_reading_is_told_in_words() -> None:
    words = describe(read(photo(), cards=False))
    assert words.startswith("photo: 1 board") and len(words.splitlines()) >= 6
    assert "no photo" not in words
    assert "error: " in describe(read(b"nothing"))


# -- what it holds on to ---


def ended(pool: Pool, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while pool.workers[0].child is not None and time.monotonic() < until:
        time.sleep(0.02)
    return pool.workers[0].child is None


def test_a_worker_ends_when_it_has_been_idle_and_comes_back() -> None:
    pool = Pool(1, Limits(idle=1.0))
    try:
        assert pool.read(photo(), cards=False)["ok"]
        child = pool.workers[0].child
        assert child is not None and ended(pool, 60)
        assert child.poll() is not None, "the process is gone, and was waited for"
        assert pool.read(photo(), cards=False)["ok"]
    finally:
        pool.close()


def test_a_worker_does_not_end_between_two_photos_in_time() -> None:
    pool = Pool(1, Limits(idle=2.0))
    try:
        pool.read(photo(), cards=False)
        child = pool.workers[0].child
        for _ in range(4):
            time.sleep(0.6)
            pool.read(b"nothing")
        assert pool.workers[0].child is child
    finally:
        pool.close()


def test_no_worker_idles_with_more_memory_than_it_may() -> None:
    pool = Pool(1, Limits(idle_memory=1_000_000))
    try:
        assert pool.read(photo(), cards=False)["ok"]
        assert pool.workers[0].child is None
    finally:
        pool.close()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not say what a process holds")
@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_after_a_large_photo_the_worker_and_we_hold_little(own_pool: Pool, suffix: str) -> None:
    large = cv2.resize(decode(photo()).pixels, (4000, 3000))
    data = cv2.imencode(f".{suffix}", large)[1].tobytes()
    del large
    own_pool.read(photo(), cards=False)
    memory.give_back()
    before = memory.held()
    for _ in range(2):
        assert own_pool.look(data, cards=False).reading.boards
    assert memory.held() < before + 10_000_000
    child = own_pool.workers[0].child
    if child is not None:
        assert held_by(child.pid) < 200_000_000


def held_by(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


# -- what it gives up ---


@pytest.mark.skipif(not sandbox.available().network, reason="no seccomp here")
def test_a_worker_has_given_up_what_it_can_before_any_thread_began(pool: Pool) -> None:
    pool.read(photo(), cards=False)
    child = pool.workers[0].child
    assert child is not None
    tasks = list(Path(f"/proc/{child.pid}/task").iterdir())
    for task in tasks:
        status = (task / "status").read_text()
        assert "Seccomp:\t2" in status and "NoNewPrivs:\t1" in status
    assert pool.workers[0].guards == sandbox.available()


def test_a_worker_that_has_given_up_so_much_reads_cards_all_the_same(pool: Pool) -> None:
    greys = {"well", "fountain", "shed", "millstone"}  # told apart by their titles, which tesseract reads
    answer = pool.read(file_of(laid(sorted(greys))), cards=True)
    assert {card["id"] for card in answer["cards"]} == greys


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
def test_and_every_kind_of_picture(pool: Pool, kind: str) -> None:
    assert pool.read(file_of(decode(photo()).pixels, kind), cards=False)["ok"]


def test_a_worker_is_told_no_secrets(own_pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEMARK_SECRET_KEY", "0123456789abcdef")
    own_pool.read(photo(), cards=False)
    child = own_pool.workers[0].child
    assert child is not None
    told = Path(f"/proc/{child.pid}/environ")
    assert not told.exists() or b"TIDEMARK" not in told.read_bytes()


def test_what_a_system_cannot_guard_is_logged_once(own_pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    worker = own_pool.workers[0]
    worker._tell_guards(sandbox.Guards())
    worker._tell_guards(sandbox.Guards())
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "network" in caplog.text and "files" in caplog.text


def test_a_worker_leaves_no_folder_behind(own_pool: Pool) -> None:
    own_pool.read(photo(), cards=False)
    folder = own_pool.workers[0]._folder
    assert folder is not None and Path(folder.name).is_dir()
    own_pool.close()
    assert not Path(folder.name).exists()


def test_a_photo_is_fetched_only_when_it_is_its_turn(pool: Pool) -> None:
    worker = pool.turns.take("somebody else", 1)
    assert worker is not None
    fetched: list[bool] = []

    def fetch() -> bytes:
        fetched.append(True)
        return photo()

    answer = pool.read(fetch)
    assert answer["problems"][0]["code"] == "wait" and not fetched
    pool.turns.give_back("somebody else", worker)
