"""News of a table: everybody hears it, in order, and the number of those who listen has a limit."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.webapp.conftest import Device, Laid, heard, listen
from webapp.front import STREAM
from webapp.table import events
from webapp.table.events import Feed, Full, News

pytestmark = pytest.mark.either


def read(news: News) -> events.Read:
    return lambda: news


def test_who_comes_hears_how_the_table_looks() -> None:
    listener = Feed().listen("t", read((7, b"{}")), None)
    assert re.fullmatch(rb"retry: \d+\n\nid: 7\ndata: {}\n\n", heard(listener))


def test_who_has_seen_the_latest_hears_only_a_heartbeat() -> None:
    listener = Feed().listen("t", read((7, b"{}")), 7)
    assert heard(listener).endswith(b"\n\n: still here\n\n")


def test_a_heartbeat_finds_what_another_process_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.0)
    written = iter([(1, b"a"), (2, b"b"), (2, b"b")])
    listener = Feed().listen("t", lambda: next(written), None)
    assert heard(listener).endswith(b"id: 1\ndata: a\n\n")
    assert [heard(listener), heard(listener)] == [b"id: 2\ndata: b\n\n", b": still here\n\n"]


def test_news_is_for_those_at_the_table_and_nobody_else() -> None:
    feed = Feed()
    here, there = feed.listen("here", read((1, b"x")), None), feed.listen("there", read((1, b"x")), None)
    heard(here), heard(there)
    feed.publish("here", (2, b"y"))
    assert (heard(here), heard(there)) == (b"id: 2\ndata: y\n\n", b"")


def test_older_news_that_comes_later_is_dropped() -> None:
    feed = Feed()
    listener = feed.listen("t", read((5, b"five")), None)
    heard(listener)
    feed.publish("t", (4, b"four"))
    assert listener.latest == (5, b"five")


def test_the_number_of_listeners_is_capped_and_a_place_is_given_back() -> None:
    feed = Feed(most=3, most_at_one_place=2)
    at_a, also_at_a = feed.listen("a", read((1, b"")), None), feed.listen("a", read((1, b"")), None)
    with pytest.raises(Full):
        feed.listen("a", read((1, b"")), None)
    feed.listen("b", read((1, b"")), None)
    with pytest.raises(Full):
        feed.listen("c", read((1, b"")), None)
    also_at_a.close()  # never begun: its place is free all the same
    also_at_a.close()
    assert feed.listeners == 2
    feed.listen("c", read((1, b"")), None)
    at_a.close()
    assert not feed.listens("a")


def test_a_stream_ends_when_rights_have_changed() -> None:
    feed = Feed()
    listener = feed.listen("t", read((1, b"")), None)
    heard(listener)
    feed.dismiss("t")
    assert listener.is_over and heard(listener) == b""


def test_hundreds_of_phones_may_listen() -> None:
    assert len(crowd(Feed())) >= 300


def test_whoever_listens_for_many_is_called_when_there_is_news_and_waits_for_nothing() -> None:
    feed, calls = Feed(), []
    listener = feed.listen("t", read((1, b"a")), None)
    listener.wake(lambda: calls.append("called"))
    listener.look()
    assert re.fullmatch(rb"retry: \d+\n\nid: 1\ndata: a\n\n", listener.say()) and listener.say() == b""
    calls.clear()
    feed.publish("t", (2, b"b"))
    assert calls == ["called"] and listener.say() == b"id: 2\ndata: b\n\n"
    assert not listener.is_over
    feed.dismiss("t")
    assert len(calls) == 2 and listener.is_over
    listener.close()
    feed.publish("t", (3, b"c"))
    assert len(calls) == 2 and feed.listeners == 0


def test_who_may_no_longer_listen_hears_the_end_with_the_next_heartbeat() -> None:
    answers: list[tuple[int, bytes] | None] = [(1, b"a"), None]
    listener = Feed().listen("t", lambda: answers.pop(0), None)
    listener.look()
    assert listener.say().endswith(b"data: a\n\n") and not listener.is_over
    listener.look()
    assert listener.say() == b"" and listener.is_over


def crowd(feed: Feed) -> list[events.Listener]:
    """One phone at each of so many tables that no more are let in."""
    listeners: list[events.Listener] = []
    with contextlib.suppress(Full):
        for number in itertools.count():
            listeners.append(feed.listen(f"table {number}", read((1, b"")), None))
    return listeners


# -- over the web ---


@pytest.fixture
def stream(app: Flask, laid: Laid) -> Iterator[events.Listener]:
    listener = listen(laid.member, f"{laid.path}/events")
    heard(listener)
    yield listener
    listener.close()
    assert app.extensions["feed"].listeners == 0


def test_a_save_is_news_at_once(laid: Laid, stream: events.Listener) -> None:
    laid.tap(laid.member, 1, **{"grid/0/0": "cottage"})
    news = json.loads(heard(stream).split(b"data: ")[1])
    assert [seat["is"] for seat in news["seats"]] == ["free", "begun", "free"]
    assert "cottage" not in json.dumps(news)


def test_who_asks_again_and_again_gets_an_answer_only_if_there_is_news(laid: Laid) -> None:
    first = laid.member.client.get(f"{laid.path}/events")
    asked = {"If-None-Match": first.headers["ETag"]}
    assert laid.member.client.get(f"{laid.path}/events", headers=asked).status_code == 304
    laid.tap(laid.member, 0, **{"grid/0/0": "cottage"})
    assert laid.member.client.get(f"{laid.path}/events", headers=asked).status_code == 200


def test_one_phone_too_many_is_told_so(app: Flask, laid: Laid) -> None:
    app.extensions["feed"].most = 0
    asked = {"headers": {"Accept": "text/event-stream"}, "environ_overrides": {STREAM: print}}
    answer = laid.member.client.get(f"{laid.path}/events", **asked)
    assert answer.status_code == 503 and answer.headers["Retry-After"]
    assert "may update late" in answer.text


def test_a_server_that_takes_no_streams_lets_phones_ask(laid: Laid) -> None:
    answer = laid.member.client.get(f"{laid.path}/events", headers={"Accept": "text/event-stream"})
    assert answer.mimetype == "application/json"


def test_strangers_hear_nothing(laid: Laid, stranger: Device) -> None:
    for kind in ("text/event-stream", "application/json"):
        assert stranger.client.get(f"{laid.path}/events", headers={"Accept": kind}).status_code == 404


def test_when_the_table_is_gone_that_is_the_last_news(laid: Laid, stream: events.Listener) -> None:
    laid.member.post(f"{laid.path}/clear")
    assert b"gone" in heard(stream)
