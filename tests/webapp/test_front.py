"""HTTP on the wire: what is answered, what is refused, and that nobody who is slow keeps others waiting."""

from __future__ import annotations

import contextlib
import hashlib
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask, request

from tests.webapp.conftest import Laid
from webapp.addresses import Proxies
from webapp.front import ASKED, Front, Limits, listening
from webapp.front.pages import Threads
from webapp.spool import Account, Accounts, CountedFile, NoRoom

pytestmark = pytest.mark.either

NO_PROXIES = Proxies()
PATIENT = Limits(head_s=60, body_s=60, answer_s=60, idle_s=60, grace_s=60)  # on the busiest of machines
HURRIED = Limits(head_s=0.6, body_s=0.8, answer_s=1.0, idle_s=0.6, linger_s=0.3, least_speed=10**6)


def echo(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Tells what it was told."""
    if ASKED in environ:
        start("100 Continue", [])
        return []
    body = environ["wsgi.input"].read()
    path = environ["PATH_INFO"]
    if path == "/fails":
        raise ValueError("a page that fails")
    if path == "/large":
        start("200 OK", [("Content-Length", str(4_000_000))])
        return [b"x" * 4_000_000]
    told = [environ["REQUEST_METHOD"], path, environ["QUERY_STRING"], environ.get("HTTP_HOST", "")]
    told += [environ["CONTENT_LENGTH"], hashlib.sha256(body).hexdigest()[:8], environ.get("HTTP_X_TOLD", "")]
    start("200 OK", [("Content-Type", "text/plain")])
    return ["|".join(told).encode()]


@contextmanager
def serving(
    app: Any, limits: Limits = PATIENT, proxies: Proxies = NO_PROXIES, accounts: Accounts | None = None
) -> Iterator[Front]:
    door = listening("127.0.0.1", 0)
    front = Front(app, proxies, limits, accounts)
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    while front.address == ("", 0):
        time.sleep(0.01)
    yield front
    front.stop()
    thread.join(60)
    assert not thread.is_alive()


@pytest.fixture
def front() -> Iterator[Front]:
    with serving(echo) as front:
        yield front


@pytest.fixture
def hurried() -> Iterator[Front]:
    with serving(echo, HURRIED) as front:
        yield front


def connect(front: Front) -> socket.socket:
    return socket.create_connection(front.address, timeout=60)


def told(front: Front, *parts: bytes, pause: float = 0.0) -> bytes:
    """All that is answered until the connection is closed."""
    with connect(front) as line:
        for part in parts:
            line.sendall(part)
            time.sleep(pause)
        return rest(line)


def rest(line: socket.socket) -> bytes:
    heard = b""
    with contextlib.suppress(ConnectionError):
        while piece := line.recv(65536):
            heard += piece
    return heard


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
NOTHING = hashlib.sha256(b"").hexdigest()[:8].encode()
HELLO = hashlib.sha256(b"hello").hexdigest()[:8].encode()

# -- what is answered ---


def test_a_connection_serves_one_request_after_another(front: Front) -> None:
    answer = told(front, b"POST /a%20b?c=d HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", LAST, pause=0.1)
    assert b"POST|/a b|c=d|a|5|" + HELLO + b"|" in answer
    assert b"GET|/||a|0|" + NOTHING in answer and answer.count(b"HTTP/1.1 200 OK") == 2
    assert b"\r\nDate: " in answer


def test_what_is_sent_ahead_is_answered_in_order(front: Front) -> None:
    requests = b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % number for number in range(20)) + LAST
    answer = told(front, requests)
    assert [answer.index(b"|/%d|" % number) for number in range(20)] == sorted(
        answer.index(b"|/%d|" % number) for number in range(20)
    )
    assert answer.count(b"HTTP/1.1 200 OK") == 21


def test_a_body_in_chunks_is_one_body(front: Front) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    answer = told(front, head, b"2\r\nhe\r\n", b"3;x=y\r\nllo\r\n0\r\n\r\n", pause=0.05)
    assert b"POST|/||a|5|" + HELLO in answer


def test_head_has_no_body(front: Front) -> None:
    first, second = told(front, b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + LAST).split(b"\r\n\r\n", 1)
    assert b" 200 OK" in first and second.startswith(b"HTTP/1.1 200 OK") and b"GET|" in second


def test_who_waits_for_a_word_before_sending_gets_it(front: Front) -> None:
    with connect(front) as line:
        line.sendall(
            b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"
        )
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(b"hello")
        assert HELLO in rest(line)


def test_older_programs_are_answered_too(front: Front) -> None:
    assert b"GET|/||" in told(front, b"GET / HTTP/1.0\r\n\r\n")


def test_a_whole_address_may_be_asked_for(front: Front) -> None:
    request = b"GET http://b/c?d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    assert b"GET|/c|d|b|" in told(front, request)


@pytest.mark.parametrize("parts", [(b"\r\n" + LAST,), (b"\r", b"\n", LAST), (b"\r\n" + LAST[:3], LAST[3:])])
def test_an_empty_line_before_a_request_is_skipped(front: Front, parts: tuple[bytes, ...]) -> None:
    assert b"GET|/||a|0|" in told(front, *parts, pause=0.05)


def test_an_empty_line_after_a_body_is_skipped(front: Front) -> None:
    """Some old programs send one."""
    form = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello\r\n"
    assert told(front, form + LAST).count(b"HTTP/1.1 200 OK") == 2


def test_a_header_with_an_underscore_does_not_pass_for_another(front: Front) -> None:
    answer = told(front, b"GET / HTTP/1.1\r\nHost: a\r\nX_Told: no\r\nX-Told: yes\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"|yes")


def test_a_page_that_fails_is_an_answer_and_names_nothing(front: Front, caplog: pytest.LogCaptureFixture) -> None:
    answer = told(front, b"GET /fails HTTP/1.1\r\nHost: a\r\n\r\n")
    assert status(answer) == 500 and b"a page that fails" not in answer
    assert "/fails" not in caplog.records[-1].getMessage()


# -- what is refused ---

CHUNKED = b"Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"1" * 5000 + b"\r\n\r\nhello", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nHost: a\r\n" + CHUNKED + b"\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\n" + CHUNKED + b"\r\nxyz\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\n" + CHUNKED + b"\r\n-1\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        (b"GET nowhere HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET https:///c HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b"Post / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 501),
        (b"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/3.7\r\nHost: a\r\n\r\n", 505),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 9_000 + b"\r\n", 431),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused_and_nothing_after_it_is_read(
    front: Front, request_: bytes, refused: int
) -> None:
    answer = told(front, request_ + LAST)
    assert status(answer) == refused and answer.count(b"HTTP/1.1 ") == 1, answer[:300]
    assert not kept(front)


def test_what_is_refused_before_it_comes_is_not_taken(app: Flask) -> None:
    """A large body that nobody may send costs no memory, and its sender hears why."""
    with serving(app.wsgi_app) as front:
        for path, wanted in (("/nowhere", 404), ("/api/v1/score", 413), ("/api/v1/games", 405), ("/data/import", 404)):
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 400000\r\n\r\n"
            answer = told(front, head.encode())
            assert status(answer) == wanted, path
            assert b"Connection: close" in answer and not kept(front)


def test_a_view_runs_once_for_an_upload_and_only_with_its_body(app: Flask) -> None:
    seen: list[int] = []

    @app.post("/api/v1/upload")
    def upload() -> str:
        seen.append(len(request.get_data()))
        return "taken"

    app.extensions["csrf"].exempt(upload)
    head = b"POST /api/v1/upload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    with serving(app.wsgi_app) as front:
        answer = told(front, head + b"Content-Length: 200000\r\n\r\n" + bytes(200_000))
    assert status(answer) == 200 and seen == [200_000]
    counted = "\n".join(app.extensions["requests"].lines())
    assert 'tidemark_requests_total{method="POST",route="/api/v1/upload",status="200"} 1' in counted
    assert 'status="100"' not in counted


def test_a_body_larger_than_the_route_takes_is_cut_off_in_the_middle(app: Flask) -> None:
    head = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serving(app.wsgi_app) as front, connect(front) as line:
        line.sendall(head)
        with contextlib.suppress(ConnectionError):
            for _ in range(1000):
                line.sendall(b"400\r\n" + b" " * 1024 + b"\r\n")
        assert status(rest(line)) == 413
        assert not kept(front)


def test_so_much_is_kept_for_a_household_and_so_much_for_all() -> None:
    account = Account(100, 60, 5)
    account.take("a", 60)
    for who, number in (("a", 1), ("b", 21), ("c", 41)):  # b and c would take the last fifth
        with pytest.raises(NoRoom):
            account.take(who, number)
    account.take("b", 20)
    account.take("c", 5)  # little
    with pytest.raises(NoRoom):
        account.take("c", 1)
    for who in "defx":
        account.take(who, 3 if who == "x" else 4)
    with pytest.raises(NoRoom):  # the total is hard: 60 + 20 + 5 + 3 x 4 + 3 = 100
        account.take("g", 1)
    for who, number in (("a", 60), ("b", 20), ("c", 5), ("d", 4), ("e", 4), ("f", 4), ("x", 3)):
        account.give_back(who, number)
    assert account.used == 0 and not account.of


def test_a_single_thing_may_be_larger_than_what_a_household_may_have() -> None:
    account = Account(100, 30, 5)
    account.take("a", 30)
    account.take("a", 40, own=30)
    with pytest.raises(NoRoom):
        account.take("a", 1)
    with pytest.raises(NoRoom):
        account.take("a", 11, own=70)


def test_a_file_counts_in_memory_then_on_the_disk_and_then_no_more() -> None:
    accounts = Accounts(files=Account(1, 1, 1))
    first, second = CountedFile(accounts, "a"), CountedFile(accounts, "a")
    first.write(bytes(256 * 1024))
    assert (accounts.memory.used, accounts.disk.used, accounts.files.used) == (256 * 1024, 0, 0)
    first.write(b"x")
    assert (accounts.memory.used, accounts.disk.used, accounts.files.used) == (0, 256 * 1024 + 1, 1)
    second.write(b"small")
    with pytest.raises(NoRoom):
        second.write(bytes(256 * 1024))
    first.close()
    second.close()
    second.close()
    assert (accounts.memory.used, accounts.disk.used, accounts.files.used) == (0, 0, 0)


def test_one_household_cannot_fill_the_disk() -> None:
    accounts = Accounts(disk=Account(3_000_000, 1_000_000, 0))
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n"
    with serving(echo, Limits(unasked=10**6), accounts=accounts) as front:
        with connect(front) as first, connect(front) as second:
            first.sendall(head + b"x" * 800_000)
            second.sendall(head + b"x" * 800_000)
            refused, *_ = select.select([first, second], [], [], 60)
            assert status(refused[0].recv(65536)) == 503
            assert accounts.disk.used <= 1_000_000
        wait_until(lambda: not kept(front))


def test_large_answers_are_counted_while_they_are_made() -> None:
    """39 addresses that ask for 413 MB of exports at once get no more than there is room for."""
    accounts = Accounts(disk=Account(10_000_000, 5_000_000, 0))
    with serving(echo, accounts=accounts) as front, contextlib.ExitStack() as stack:
        lines = []
        for number in range(8):
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.bind((f"127.0.0.{number + 10}", 0))
            line.connect(front.address)
            line.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            lines.append(line)
        told_first = [line.recv(12) for line in lines]
        assert told_first.count(b"HTTP/1.1 200") == 2, (
            told_first
        )  # 4 MB each, of the 8 that are not for those with little
        assert told_first.count(b"HTTP/1.1 503") == 6
        assert accounts.disk.used <= 10_000_000


def test_who_asks_much_keeps_others_waiting_for_one_request() -> None:
    threads, done, hold = Threads(1, 1, "test"), list[str](), threading.Event()
    threads.put("stranger", lambda: wait_for(hold))
    for _ in range(100):
        threads.put("stranger", lambda: spend(done, "stranger"))
    threads.put("guest", lambda: spend(done, "guest"))
    threads.put("guest", lambda: spend(done, "guest"))
    hold.set()
    wait_until(lambda: len(done) == 102)
    assert max(number for number, who in enumerate(done) if who == "guest") < 5
    wait_until(lambda: not threads.spent and not threads.busy)


def wait_for(hold: threading.Event) -> None:
    hold.wait()


def spend(done: list[str], who: str) -> None:
    end = time.thread_time() + 0.002
    while time.thread_time() < end:
        pass
    done.append(who)


def test_some_threads_are_left_for_others() -> None:
    threads, hold, served = Threads(2, 1, "test"), threading.Event(), threading.Event()
    for _ in range(5):
        threads.put("stranger", lambda: wait_for(hold))
    threads.put("guest", served.set)
    assert served.wait(60)
    hold.set()


def kept(front: Front) -> int:
    return front.accounts.memory.used + front.accounts.disk.used


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


# -- who is slow ---


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        (b"", 0),
        (b"GET / HT", 408),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: ", 408),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n", 408),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 408),
        (GET, 200),
    ],
)
def test_who_says_no_more_is_cut_off(hurried: Front, begun: bytes, said: int) -> None:
    started = time.monotonic()
    with connect(hurried) as line:
        line.sendall(begun)
        assert status(rest(line)) == said
    assert time.monotonic() - started > 0.5
    wait_until(lambda: not hurried.all and not hurried.of and not hurried.waiting and not kept(hurried))


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n"]
)
def test_a_letter_now_and_then_is_not_enough(hurried: Front, head: bytes) -> None:
    with connect(hurried) as line:
        line.sendall(head)
        wait_until(lambda: is_cut_off(line))


def is_cut_off(line: socket.socket) -> bool:
    try:
        line.sendall(b"x")
    except ConnectionError:
        return True
    return False


def test_who_does_not_take_the_answer_is_cut_off(hurried: Front) -> None:
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(hurried.address)
        line.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: kept(hurried) == 4_000_000)
        wait_until(lambda: not kept(hurried) and not hurried.all)


def test_five_hundred_slow_ones_keep_nobody_waiting_and_cost_no_thread(front: Front) -> None:
    threads = threading.active_count()
    lines = []
    with contextlib.ExitStack() as stack:
        for number in range(500):
            line = stack.enter_context(connect(front))
            body = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nx"
            line.sendall(b"GET / HTTP/1.1\r\nX: " if number % 2 else body)
            lines.append(line)
        assert threading.active_count() == threads
        for _ in range(40):
            assert status(told(front, LAST)) == 200
        assert len(front.waiting) == 500, "all of them are still at it"


def test_whoever_has_waited_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(connections=10, connections_of_a_household=5)
    with serving(echo, limits) as front, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(front)) for _ in range(5)]
        wait_until(lambda: len(front.waiting) == 5)
        sixth = stack.enter_context(connect(front))
        assert lines[0].recv(10) == b""
        sixth.sendall(LAST)
        assert status(rest(sixth)) == 200
        lines[1].sendall(LAST)
        assert status(rest(lines[1])) == 200


def test_a_proxy_may_open_as_many_connections_as_it_likes() -> None:
    limits = Limits(connections=10, connections_of_a_household=2)
    with serving(echo, limits, Proxies.parse("127.0.0.1")) as front, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(front)) for _ in range(6)]
        for line in lines:
            line.sendall(LAST)
            assert status(rest(line)) == 200


# -- streams ---


def listen(front: Front, laid: Laid) -> socket.socket:
    cookie = laid.member.client.get_cookie("tidemark")
    assert cookie is not None
    line = connect(front)
    head = f"GET {laid.path}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    line.sendall(f"{head}Cookie: tidemark={cookie.value}\r\n\r\n".encode())
    return line


def hear(line: socket.socket, wanted: bytes) -> bytes:
    heard = b""
    while wanted not in heard:
        piece = line.recv(65536)
        assert piece, heard
        heard += piece
    return heard


def test_news_reach_a_stream_that_holds_no_thread(app: Flask, laid: Laid) -> None:
    with serving(app.wsgi_app, Limits()) as front:
        threads = threading.active_count()
        lines = [listen(front, laid) for _ in range(20)]
        for line in lines:
            hear(line, b"data: ")
        assert threading.active_count() == threads and len(front.streaming) == 20
        laid.tap(laid.member, 1, **{"grid/0/0": "cottage"})
        for line in lines:
            assert b'"is":"begun"' in hear(line, b"data: ")
            line.close()
        wait_until(lambda: app.extensions["feed"].listeners == 0 and not front.all)


def test_who_stops_the_server_sends_the_listeners_home(app: Flask, laid: Laid) -> None:
    with serving(app.wsgi_app, Limits()) as front, listen(front, laid) as line:
        hear(line, b"data: ")
        front.stop()
        assert re.search(rb"retry: \d+\n\n\r\n0\r\n\r\n$", rest(line))
    assert app.extensions["feed"].listeners == 0


def test_whoever_sends_requests_has_time_to_notice_that_we_stop(app: Flask, laid: Laid) -> None:
    """A balancer has asked whether we are ready: it hears that we are not before anybody is turned away."""
    ready = LAST.replace(b"/", b"/readyz", 1).replace(b"Host: a", b"Host: localhost")
    with serving(app.wsgi_app, Limits(drain_s=4)) as front, connect(front) as line, listen(front, laid) as stream:
        assert told(front, ready).endswith(b"ready\n")
        hear(stream, b"data: ")
        front.stop()
        assert b"retry: " in rest(stream)
        assert status(told(front, ready)) == 503
        with listen(front, laid) as late:
            assert b"retry: " in rest(late), "who comes to listen now is sent on at once"
        line.sendall(GET.replace(b"Host: a", b"Host: localhost"))
        answer = rest(line)
        assert status(answer) == 200 and b"Connection: close" in answer
        wait_until(lambda: is_shut(front))


def test_who_has_begun_to_ask_is_answered_before_we_end(front: Front) -> None:
    with connect(front) as line, connect(front) as idle:
        line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        idle.sendall(GET)
        hear(idle, b"GET|")
        front.stop()
        assert rest(idle) == b"", "nothing was asked there"
        wait_until(lambda: is_shut(front))
        line.sendall(b"llo")
        answer = rest(line)
        assert status(answer) == 200 and HELLO in answer and b"Connection: close" in answer


def is_shut(front: Front) -> bool:
    try:
        connect(front).close()
    except ConnectionError:
        return True
    return False


def test_a_listening_socket_that_is_lost_is_replaced() -> None:
    """As on Windows, where asyncio closes it when somebody hangs up while being let in."""
    with serving(echo) as front:
        assert front.server is not None
        loop = front.server.get_loop()

        def lose() -> None:
            assert front.server is not None
            front.server.close()
            loop.call_exception_handler({"message": "Accept failed on a socket", "exception": OSError(64, "gone")})

        loop.call_soon_threadsafe(lose)
        wait_until(lambda: front.opening is not None and front.opening.done())
        assert status(told(front, LAST)) == 200
