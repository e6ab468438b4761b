"""Read the TIDEMARK_ variables of the environment, with a sentence for each invalid value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scorer.sentences import Sentence, in_a_row, say
from webapp.operator_errors import BadSetting

PREFIX = "TIDEMARK_"
SHORTEST_KEY = 16  # letters; 64 bits even where somebody types hexadecimal digits

Read = Callable[[str], Any]


class Unreadable(ValueError):
    """Signal an invalid value; the message says what it should be."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


def of(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings by their names without TIDEMARK_, such as "QUOTA_PLAYS", with their values parsed. Empty
    variables are left out. Raise BadSetting if a value is invalid."""
    found: dict[str, Any] = {}
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX)
        if name == variable or name not in KNOWN or not text.strip():
            continue
        try:
            found[name] = KNOWN[name](text.strip())
        except Unreadable as fault:
            raise BadSetting(say("{variable} is wrong: {why}", variable=variable, why=fault.message)) from None
    if "WEBHOOK" in found and "WEBHOOK_SECRET" not in found:
        raise BadSetting(say("TIDEMARK_WEBHOOK needs TIDEMARK_WEBHOOK_SECRET too."))
    return found


def unknown(environment: Mapping[str, str]) -> list[str]:
    """Return the names of TIDEMARK_ variables that we do not know, most likely because they are misspelled."""
    return sorted(name for name in environment if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in KNOWN)


def unknown_in_words(names: list[str]) -> Sentence:
    return say("Unknown settings: {names}. Check their spelling.", names=in_a_row(names))


# -- how each is read ---


def example(value: str) -> Sentence:
    return say("use a value such as {example}.", example=value)


def parsed(text: str) -> Any:
    """Return the value of JSON text, or None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def word(text: str) -> str:
    return text


def key(text: str) -> str:
    if len(text) < SHORTEST_KEY:
        raise Unreadable(say("use at least {n} letters and digits, without spaces.", n=SHORTEST_KEY))
    return text


def switch(text: str) -> int:
    if text.lower() not in SWITCH:
        raise Unreadable(example("1"))
    return SWITCH[text.lower()]


SWITCH = {"1": 1, "true": 1, "yes": 1, "on": 1, "0": 0, "false": 0, "no": 0, "off": 0}


def signup(text: str) -> str:
    if text not in {"open", "closed"}:
        raise Unreadable(example("closed"))
    return text


def address(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or parts.query or parts.fragment:
        raise Unreadable(example("https://scores.example"))
    if not PATH.fullmatch(parts.path) or {".", ".."} & set(parts.path.split("/")):
        raise Unreadable(example("https://home.example/tidemark"))
    return text


def receiver(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or parts.fragment or parts.username is not None or not (text.isascii() and text.isprintable()):
        raise Unreadable(example("http://hub.example:8123/api/webhook/games"))
    return text


PATH = re.compile(r"(/[A-Za-z0-9_.~-]+)*/?")


def several(text: str) -> list[str]:
    """Return the texts in a list written as JSON or with commas, such as "a.example, b.example"."""
    if not text.startswith("["):
        return [one.strip() for one in text.split(",") if one.strip()]
    found = parsed(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Unreadable(example('["scores.example"]'))
    return found


def hosts(text: str) -> list[str]:
    found = several(text)
    if not found or not all(HOST.fullmatch(one) for one in found):
        raise Unreadable(example('["scores.example"]'))
    return found


HOST = re.compile(r"\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


def networks(text: str) -> list[str]:
    found = several(text)
    try:
        for one in found:
            ip_network(one, strict=False)
    except ValueError:
        raise Unreadable(example("127.0.0.1, 10.0.0.0/8")) from None
    return found


def numbers(text: str) -> dict[str, int]:
    found = parsed(text)
    if not isinstance(found, dict) or not all(type(one) is int and 0 < one < 2**31 for one in found.values()):
        raise Unreadable(example('{"cascadia": 295947}'))
    return found


def amount(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise Unreadable(example("1000"))
    return int(text)


def folder(text: str) -> str:
    if not Path(text).is_dir():
        raise Unreadable(say("there is no folder {folder}. Create it first.", folder=text))
    return text


def token(text: str) -> str:
    if len(text) < SHORTEST_KEY or not text.isascii() or not text.isprintable() or " " in text:
        raise Unreadable(say("use at least {n} letters and digits, without spaces.", n=SHORTEST_KEY))
    return text


def seconds(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text[:9]) < 10**8:
        raise Unreadable(example("60"))
    return int(text)


def number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text[:9]) < 10**6:
        raise Unreadable(example("1000"))
    return int(text)


KNOWN: dict[str, Read] = {
    "DATABASE": word,
    "DATABASE_POOLED": word,
    "PUBLIC_URL": address,
    "TRUSTED_HOSTS": hosts,
    "PROXY": switch,
    "PROXY_FROM": networks,
    "SIGNUP": signup,
    "BGG": numbers,
    "LANGUAGE": word,
    "TRANSLATIONS": folder,
    "SECRET_KEY": key,
    **{f"QUOTA_{what}": amount for what in ("PLAYS", "CARDS", "PHOTOS", "MEGABYTES")},
    "ACCESS_LOG": word,
    "METRICS_TOKEN": token,
    "PHOTO_IDLE": seconds,
    "PHOTO_SAMPLES": switch,
    "LISTENERS": number,
    "WEBHOOK": receiver,
    "WEBHOOK_SECRET": token,
}
