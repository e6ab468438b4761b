"""Let full tables of phones enter and listen at the same time, with a server of their own: `make bench-live`.

Every phone taps its own board and listens to its table. At the end the recorded history is checked against a simple
model. A seat's version counts its changes, its state is the last change, and listeners hear of every change. Sometimes
a phone sends a change twice, as after a lost answer. In another room a hundred phones go from game to game. Each phone
has its own address on the loopback device.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from webapp.database import connect

NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
GAME = "tiny_towns"  # the one that seats six, and whose page is the largest
TWICE = 0.05  # of all changes are sent again
WARM_UP_S = 5.0
RETRY_S = 1.0  # what a browser waits before it takes up a stream again
LIMITS = {"update": 1.0, "save": 0.1}


class Form(HTMLParser):
    """Hold the fields of a page's live form as a browser would post them, and the choices of each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        self.inside = self.select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            self.inside = ("data-live" in given and "live") or ""
        elif not self.inside:
            return
        elif tag == "select":
            self.select, self.choices[name] = name, []
        elif tag == "option":
            self.choices[self.select].append(value)
            if "selected" in given or self.select not in self.fields:
                self.fields[self.select] = value
        elif (
            tag == "input"
            and name
            and given.get("form") != "none"
            and (given.get("type") not in ("radio", "checkbox") or "checked" in given)
        ):
            self.fields[name] = value


@dataclass
class Answer:
    status: int
    location: str
    text: str


@dataclass
class Phone:
    """Act as a phone: hold its cookies and connection, and record what it did and heard."""

    port: int
    address: str
    seat: int = 0
    first: int = 0  # the version it found
    table: Table | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    form: Form | None = None
    changes: list[tuple[int, float, dict[str, str]]] = field(default_factory=list)  # version, sent at, what
    saves: list[float] = field(default_factory=list)
    heard: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    def head(self, method: str, path: str, more: str = "") -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {cookies}\r\n{more}\r\n".encode()

    async def ask(self, path: str, data: dict[str, str] | None = None, more: str = "") -> Answer:
        body = urlencode(data or {}).encode()
        if data is not None:
            more += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        request = self.head("GET" if data is None else "POST", path, more) + body
        for last in (False, True):  # a connection kept open may have been closed meanwhile
            reader, writer = self.connection or await self.open()
            try:
                writer.write(request)
                head, text = await read_answer(reader)
                break
            except (ConnectionError, asyncio.IncompleteReadError):
                self.connection = None
                if last:
                    raise
        self.connection = None if "connection: close" in head.lower() else (reader, writer)
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;\r]*)", head):
            self.cookies[name] = value
        location = re.search(r"(?im)^location: (\S+)", head)
        return Answer(int(head.split(" ", 2)[1]), location.group(1) if location else "", text)

    async def follow(self, path: str, data: dict[str, str] | None = None) -> Answer:
        answer = await self.ask(path, data)
        while answer.location:
            path = "/" + answer.location.removeprefix("http://").split("/", 1)[-1].lstrip("/")
            answer = await self.ask(path)
        assert answer.status == 200, f"{path} answered {answer.status}"
        return answer

    async def press(self, page: str, path: str, data: dict[str, str] | None = None) -> Answer:
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token, f"no form to press {path} in"
        return await self.follow(path, {**(data or {}), "csrf_token": token.group(1)})

    async def sit_down(self) -> None:
        assert self.table
        page = await self.follow(self.board)
        self.form = Form(page.text)
        self.first = int(self.form.fields["version"])

    def change(self) -> dict[str, str]:
        """Return the fields of a change of one square."""
        assert self.form
        squares = [name for name in self.form.choices if name.startswith("grid/")]
        square = random.choice(squares)
        others = [value for value in self.form.choices[square] if value != self.form.fields[square]]
        return {**self.form.fields, square: random.choice(others), "change": f"{random.getrandbits(128):x}"}

    @property
    def board(self) -> str:
        """Return the address of its board."""
        assert self.table
        return f"/tables/{self.table.key}/seats/{self.seat}"

    async def tap(self, again: bool) -> None:
        """Change one square, and record the outcome."""
        fields = self.change()
        for _ in range(1 + again):
            await self.send(fields)

    async def send(self, fields: dict[str, str]) -> None:
        """Send a change, and record the outcome."""
        assert self.form
        before, sent = int(fields["version"]), time.perf_counter()
        answer = await self.ask(self.board, fields, more="X-Tidemark: part\r\n")
        self.saves.append(time.perf_counter() - sent)
        if answer.status != 200:
            self.faults.append(f"a save was answered {answer.status}")
            return
        found = re.search(r'name="version" value="(\d+)"', answer.text)
        version = int(found.group(1)) if found else 0
        if version != before + 1:
            self.faults.append(f"version {before} became {version}")
        if not self.changes or self.changes[-1][0] != version:
            self.changes.append((version, sent, fields))
        self.form.fields = {**fields, "version": str(version)}

    async def live(self, until: float, every: float) -> None:
        await asyncio.sleep(random.uniform(0, every))
        while time.perf_counter() < until:
            await self.tap(again=random.random() < TWICE)
            await asyncio.sleep(min(random.expovariate(1 / every), max(0, until - time.perf_counter())))

    async def listen(self, until: float) -> None:
        """Listen to news as a browser does, and reconnect when the stream ends."""
        last = ""
        while time.perf_counter() < until:
            assert self.table is not None, "a phone listens at the table it sits at"
            reader, writer = await self.open()
            more = f"Accept: text/event-stream\r\n{f'Last-Event-ID: {last}' if last else 'X-First: 1'}\r\n"
            writer.write(self.head("GET", f"/tables/{self.table.key}/events", more))
            try:
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.perf_counter()):
                    head = (await reader.readuntil(b"\r\n\r\n")).decode()
                    if " 200 " not in head.split("\r\n")[0]:
                        self.faults.append(f"the stream was answered {head.split(chr(13))[0]}")
                        return
                    while (line := await reader.readline()) not in (b"", b"0\r\n"):  # the last chunk is empty
                        if line.startswith(b"id: "):
                            last = line[4:].decode().strip()
                        elif line.startswith(b"data: "):
                            self.heard.append((time.perf_counter(), json.loads(line[6:])))
            except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()
            await asyncio.sleep(min(RETRY_S, max(0, until - time.perf_counter())))


async def read_answer(reader: asyncio.StreamReader) -> tuple[str, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = re.search(r"(?im)^content-length: (\d+)", head)
    return head, (await reader.readexactly(int(length.group(1)))).decode() if length else ""


@dataclass
class Table:
    key: str
    phones: list[Phone]


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, f"nothing like {pattern} on the page"
    return match[1]


async def lay_table(port: int, number: int, invitation: str, size: int) -> Table:
    """Let one phone create a table and open a room, and the others join by its link."""
    phones = [Phone(port, f"127.{1 + number}.0.{1 + seat}", seat) for seat in range(size)]
    host = phones[0]
    home = await host.press((await host.follow(invitation)).text, invitation)
    laid = await host.press(home.text, "/tables", {"game": GAME})
    key = found(r"/tables/([\w-]+)/setup", laid.text)
    seated = re.findall(r'data-seat="\d+"><span class="name">([^<]+)', laid.text)
    for name in NAMES[:size]:
        if name not in seated:
            laid = await host.press(laid.text, f"/tables/{key}/setup", {**Form(laid.text).fields, "add": name})
    opened = await host.press(laid.text, f"/tables/{key}/open")
    link = found(r'href="http://[^/]+(/at/[\w-]+)"', opened.text)
    await host.press(opened.text, f"/tables/{key}/seats/0/play")
    table = Table(key, phones)
    for phone in phones:
        phone.table = table
        if phone is not host:
            page = await phone.follow(link)
            await phone.press(page.text, link, {"seat": str(phone.seat)})
        await phone.sit_down()
    return table


@dataclass
class Evening:
    """Run a crowded room whose host goes from game to game. Every phone must follow each time."""

    host: Phone
    crowd: list[Phone]
    room: str
    table: str
    went_on: dict[str, float] = field(default_factory=dict)  # by the table that was left, when
    came_along: dict[str, list[float]] = field(default_factory=dict)  # how long it took to be told, by the same

    async def go_on(self, until: float, every: float) -> None:
        page = await self.host.follow(f"/rooms/{self.room}")
        while time.perf_counter() + every < until:
            await asyncio.sleep(every)
            left, self.went_on[self.table] = self.table, time.perf_counter()
            laid = await self.host.press(page.text, f"/rooms/{self.room}/next", {"game": GAME, "after": left})
            self.table = found(r"/tables/([\w-]+)/setup", laid.text)

    async def follow(self, phone: Phone, until: float) -> None:
        """Stay at the room's table, and go to the next one as soon as the news says so."""
        while time.perf_counter() < until:
            place = await phone.ask(f"/rooms/{self.room}/here")
            here = found(r"/tables/([\w-]+)", place.location)
            reader, writer = await phone.open()
            writer.write(phone.head("GET", f"/tables/{here}/events", "Accept: text/event-stream\r\n"))
            try:
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.perf_counter()):
                    while (line := await reader.readline()) not in (b"", b"0\r\n"):
                        if line.startswith(b"data: ") and json.loads(line[6:]).get("next"):
                            self.came_along.setdefault(here, []).append(time.perf_counter() - self.went_on[here])
                            break
            except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

    def faults(self) -> list[str]:
        told = {key: len(self.came_along.get(key, [])) for key in self.went_on}
        return [f"{n} of {len(self.crowd)} came along from {key}" for key, n in told.items() if n != len(self.crowd)]


async def lay_evening(port: int, invitation: str, size: int) -> Evening:
    table = await lay_table(port, 200, invitation, 3)
    host = table.phones[0]
    page = await host.follow(f"/tables/{table.key}/seats")
    room = found(r"/rooms/([\w-]+)", page.text)
    link = found(r'href="http://[^/]+(/at/[\w-]+)"', page.text)
    crowd = [Phone(port, f"127.201.0.{1 + number}") for number in range(size)]
    for phone in crowd:
        await phone.press((await phone.follow(link)).text, link)
    return Evening(host, crowd, room, table.key)


def lost(phone: Phone, row: dict[str, Any]) -> list[str]:
    """Return which changes the stored row of the phone's seat has lost or doubled."""
    made, faults = phone.changes, []
    versions = [phone.first + number for number in range(1, len(made) + 1)]
    if [version for version, _, _ in made] != versions or row["version"] != phone.first + len(made):
        faults.append(f"{len(made)} changes made version {row['version']}")
    if made:
        grid = json.loads(row["state"])["grid"]
        if any(made[-1][2][f"grid/{r}/{c}"] != grid[r][c] for r in range(4) for c in range(4)):
            faults.append("the last change is not what is kept")
    return faults


def check(tables: list[Table], database: str | Path) -> tuple[list[str], list[float]]:
    """Return where the history contradicts the model, and how long each piece of news took."""
    faults, delays = [], []
    db = connect(database)
    for table in tables:
        rows = db.query(
            "SELECT seat, seats.version, state FROM seats JOIN tables ON tables.id = table_id WHERE key = ?",
            [table.key],
        )
        stored = {row["seat"]: row for row in rows}
        for phone in table.phones:
            faults += phone.faults
            seen = [news["version"] for _, news in phone.heard]
            if seen != sorted(set(seen)):
                faults.append(f"{table.key}: news came twice or out of order")
        for phone in table.phones:
            made = phone.changes
            faults += [f"{table.key}/{phone.seat}: {fault}" for fault in lost(phone, stored[phone.seat])]
            for listener in table.phones:
                heard = iter([(at, news["seats"][phone.seat]["version"]) for at, news in listener.heard])
                at, version = next(heard, (0.0, 0))
                for wanted, sent, _ in made:
                    while version < wanted:
                        at, version = next(heard, (0.0, 2**31))
                    if version == 2**31:
                        faults.append(f"{table.key}/{phone.seat}: {listener.seat} never heard of version {wanted}")
                        break
                    delays.append(at - sent)
    db.close()
    return faults, delays


def p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)] if values else 0.0


def usage(pid: int) -> tuple[float, int, float]:
    """Return the resident memory in MB, the threads and the CPU seconds of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields["VmRSS"].split()[0]) / 1024, int(fields["Threads"]), (int(ticks[11]) + int(ticks[12])) / 100


async def watch_memory(pid: int) -> None:
    """Print the memory every minute, because its first and last value may be low by chance."""
    while True:
        print(f"{usage(pid)[0]:.1f} MB", flush=True)
        await asyncio.sleep(60)


async def bench(options: argparse.Namespace, port: int, invitation: str, pid: int, database: Path) -> list[str]:
    tables = [await lay_table(port, number, invitation, options.phones) for number in range(options.tables)]
    phones = [phone for table in tables for phone in table.phones]
    evening = await lay_evening(port, invitation, options.crowd)
    before = usage(pid)
    end = time.perf_counter() + WARM_UP_S + options.seconds
    listening = [asyncio.create_task(phone.listen(end + 3)) for phone in phones]
    listening += [asyncio.create_task(evening.follow(phone, end + 3)) for phone in evening.crowd]
    await asyncio.sleep(WARM_UP_S)
    start, began = usage(pid), time.perf_counter()
    watching = asyncio.create_task(watch_memory(pid))
    going_on = asyncio.create_task(evening.go_on(end, options.next))
    await asyncio.gather(*(phone.live(end, options.every) for phone in phones))
    await going_on
    watching.cancel()
    finish, took = usage(pid), time.perf_counter() - began
    await asyncio.gather(*listening)
    faults, delays = check(tables, database)
    faults += evening.faults()
    along = [delay for delays in evening.came_along.values() for delay in delays]
    saves = [save for phone in phones for save in phone.saves]
    changes = sum(len(phone.changes) for phone in phones)
    each = (start[0] - before[0]) * 1024 / (len(phones) + len(evening.crowd))
    print(f"{len(tables)} tables x {options.phones} phones, {took:.0f} s, {changes / took:.1f} changes a second")
    print(f"a room of {len(evening.crowd)} phones more, which went on to {len(evening.went_on)} games")
    for what, times in (("update to every phone", delays), ("save of a tap", saves), ("along to a game", along)):
        print(f"{what:<24}p95 {p95(times) * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms, of {len(times)}")
    print(f"{'memory of the server':<24}{start[0]:.1f} MB at the start, {finish[0]:.1f} MB at the end")
    print(f"{'a phone that listens':<24}{each:.0f} kB ({before[1]} threads before, {start[1]} listening)")
    print(f"{'processor':<24}{(finish[2] - start[2]) / took * 100:.0f}% of one core")
    print(f"{'lost or doubled':<24}{len(faults)}")
    late = {"update": p95(delays), "save": p95(saves)}
    return faults + [f"p95 of an {what} is {value:.3f} s" for what, value in late.items() if value > LIMITS[what]]


def start_server(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """Start the server. Return it and the path of its owner's invitation."""
    command = [sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    server = subprocess.Popen(
        [*command, "--db", str(folder / "bench.db")], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout
    invitation = next(line for line in server.stdout if line.startswith("http") and "/join/" in line).strip()
    time.sleep(1)
    return server, invitation.split(str(port), 1)[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=38)
    parser.add_argument("--phones", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two taps of a phone, on average")
    parser.add_argument("--crowd", type=int, default=100, help="phones in one room")
    parser.add_argument("--next", type=float, default=10.0, help="seconds between two games in that room")
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, invitation = start_server(Path(folder), options.port)
        try:
            faults = asyncio.run(bench(options, options.port, invitation, server.pid, Path(folder) / "bench.db"))
        finally:
            server.terminate()
            server.wait()
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
