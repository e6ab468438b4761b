"""Drive WebKit by WebDriver over HTTP, and Firefox by Marionette over a socket.

Half of the phones at a table are iPhones, whose browsers are all WebKit. Both protocols have the same few commands that
the tests need. So both share one `Visitor`, and Firefox needs no separate driver.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any, Protocol

WAIT_S = 60.0
LOOK_EVERY_S = 0.05
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # how the W3C's WebDriver names a reference to an element
PREFERENCES = {
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.enabled": False,
}


class Failed(Exception):
    """Raised when the browser could not do something."""


class Wire(Protocol):
    def run(self, script: str, *given: Any) -> Any: ...
    def go(self, address: str) -> None: ...
    def click(self, element: str) -> None: ...
    def type(self, element: str, text: str) -> None: ...
    def resize(self, width: int, height: int) -> None: ...


class WebDriver:
    """Control MiniBrowser by the W3C's WebDriver."""

    def __init__(self, port: int, binary: str) -> None:
        self.base = f"http://127.0.0.1:{port}"
        options = {"binary": binary, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.base += f"/session/{self.post('/session', wanted)['sessionId']}"

    def post(self, path: str, body: dict[str, Any], method: str = "POST") -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        asked = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise Failed(json.load(fault)["value"]["message"]) from None

    def run(self, script: str, *given: Any) -> Any:
        return self.post("/execute/sync", {"script": script, "args": list(given)})

    def go(self, address: str) -> None:
        self.post("/url", {"url": address})

    def click(self, element: str) -> None:
        self.post(f"/element/{element}/click", {})

    def type(self, element: str, text: str) -> None:
        self.post(f"/element/{element}/value", {"text": text})

    def resize(self, width: int, height: int) -> None:
        self.post("/window/rect", {"width": width, "height": height})

    def close(self) -> None:
        self.post("", {}, "DELETE")


class Marionette:
    """Control Firefox by Marionette: the length, then [0, number, command, parameters]."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.number = 0
        self._read()  # its greeting
        self.send("WebDriver:NewSession", {})

    def send(self, command: str, given: dict[str, Any]) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, command, given]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, fault, value = self._read()
        if fault:
            raise Failed(fault["message"])
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def _read(self) -> Any:
        length = b""
        while (byte := self._some(1)) != b":":
            length += byte
        content = b""
        while len(content) < int(length):
            content += self._some(int(length) - len(content))
        return json.loads(content)

    def _some(self, most: int) -> bytes:
        came = self.socket.recv(most)
        assert came, "Firefox has gone"
        return came

    def run(self, script: str, *given: Any) -> Any:
        return self.send("WebDriver:ExecuteScript", {"script": script, "args": list(given)})

    def go(self, address: str) -> None:
        self.send("WebDriver:Navigate", {"url": address})

    def click(self, element: str) -> None:
        self.send("WebDriver:ElementClick", {"id": element})

    def type(self, element: str, text: str) -> None:
        self.send("WebDriver:ElementSendKeys", {"id": element, "text": text})

    def resize(self, width: int, height: int) -> None:
        self.send("WebDriver:SetWindowRect", {"width": width, "height": height})

    def close(self) -> None:
        self.socket.close()


# Finds the first element that is shown, by selector and by the words it holds; whole words when `exact`.
FIND = """
const [selector, words, exact] = arguments;
const text = (one) => (one.innerText || one.value || "").replace(/\\s+/g, " ").trim();
return [...document.querySelectorAll(selector)].find((one) =>
  (one.getClientRects().length || one.closest("label")) &&
  (!words || (exact ? text(one) === words : text(one).includes(words)))) || null;
"""

ANOTHER = "return !window.isLeft && document.readyState === 'complete'"
# Of an error page of the browser's own, `documentURI` says which error it was.
PLACE = "return [document.documentURI, document.title, document.body.innerText.slice(0, 600)].join(' | ')"
IN_VIEW = "arguments[0].scrollIntoView({block: 'center'})"


class Visitor:
    """Use such a browser. Each action waits until its element appears."""

    def __init__(self, wire: Wire, site: str) -> None:
        self.wire, self.site = wire, site

    def go(self, path: str) -> None:
        self.wire.go(self.site + path)

    def find(self, selector: str, words: str = "", exact: bool = False) -> str:
        found = self.until(lambda: self.wire.run(FIND, selector, words, exact), f"{selector} {words!r}")
        return str(found[ELEMENT])

    def tap(self, selector: str, words: str = "", exact: bool = False) -> None:
        """Click an element once it does not move and nothing covers it."""

        def tapped() -> bool:
            self.wire.run(IN_VIEW, {ELEMENT: self.find(selector, words, exact)})
            self.wire.click(self.find(selector, words, exact))
            return True

        self.until(tapped, f"{selector} {words!r}")

    def follow(self, selector: str, words: str = "") -> None:
        """Tap what leads to another page, and wait for that page."""
        self.until(lambda: self.wire.run("return window.isLeft = true"), "the page that is left")
        self.tap(selector, words)
        self.until(lambda: self.wire.run(ANOTHER), f"where {selector} {words!r} leads")

    def type(self, selector: str, text: str) -> None:
        def typed() -> bool:
            element = self.find(selector)
            self.wire.run("arguments[0].value = ''", {ELEMENT: element})
            self.wire.type(element, text)
            return True

        self.until(typed, selector)

    def send(self, selector: str, path: str) -> None:
        """Choose this file in a file input."""
        self.wire.type(self.find(selector), path)

    def sees(self, selector: str, words: str) -> None:
        self.find(selector, words)

    def until(self, look: Callable[[], Any], what: str) -> Any:
        end, fault = time.monotonic() + WAIT_S, ""
        while time.monotonic() < end:
            try:
                if found := look():
                    return found
            except Failed as failed:  # a page that is being exchanged, or something above it
                fault = str(failed)
            time.sleep(LOOK_EVERY_S)
        raise AssertionError(f"never came: {what} ({fault}) on {self.wire.run(PLACE)}")


@contextmanager
def webkit(folder: Path) -> Iterator[Callable[[], Wire]]:
    """Yield a function that opens MiniBrowser on a virtual screen."""
    [binary, *_] = glob("/usr/lib/*/webkit2gtk-4*/MiniBrowser")
    reading, writing = os.pipe()
    with running("Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", pass_fds=(writing,)):
        display = os.read(reading, 20).decode().strip()
        port = free_port()
        home = {"DISPLAY": f":{display}", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
        plain = {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "NO_AT_BRIDGE": "1"}
        with running("WebKitWebDriver", f"--port={port}", env={**os.environ, **home, **plain}):
            reached(port)
            opened: list[WebDriver] = []

            def begin() -> Wire:
                while opened:
                    opened.pop().close()
                opened.append(WebDriver(port, binary))
                return opened[0]

            yield begin
            while opened:
                opened.pop().close()


@contextmanager
def firefox(folder: Path) -> Iterator[Callable[[], Wire]]:
    """Yield a function that returns the same Firefox without a window, with its cookies deleted."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")
    given = ("--marionette", "--headless", "--no-remote", "--profile", str(folder))
    with running("firefox-esr", *given, env={**os.environ, "HOME": str(folder), "MOZ_DISABLE_CONTENT_SANDBOX": "1"}):
        told = folder / "MarionetteActivePort"
        end = time.monotonic() + 2 * WAIT_S
        while not (told.exists() and told.read_text()):
            assert time.monotonic() < end, "Firefox did not start"
            time.sleep(LOOK_EVERY_S)
        wire = Marionette(int(told.read_text()))

        def begin() -> Wire:
            wire.send("WebDriver:DeleteAllCookies", {})
            return wire

        yield begin
        wire.close()


@contextmanager
def running(*command: str, **how: Any) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        yield
    finally:
        process.terminate()
        process.wait(WAIT_S)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def reached(port: int) -> None:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(LOOK_EVERY_S)
    raise AssertionError("the driver did not start")
