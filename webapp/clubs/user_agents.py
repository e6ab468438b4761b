"""Recognise kinds of devices by what their browsers send, such as "Phone, Chrome on Android"."""

from __future__ import annotations

from scorer.sentences import Sentence, say

# The first that matches counts: newer browsers also send the names of those they descend from.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("FxiOS", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
TELEVISIONS = ("SmartTV", "SMART-TV", "Android TV", "GoogleTV", "BRAVIA", "AFT", "Web0S", "HbbTV")


def kind_of(agent: str) -> str:
    """Return the kind of a device from its header User-Agent, such as "phone|Chrome|Android", or "" if unknown."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    return f"{_hardware(agent)}|{browser}|{system}" if browser and system else ""


def _hardware(agent: str) -> str:
    if any(mark in agent for mark in TELEVISIONS):
        return "television"
    if "iPad" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobile" in agent else "computer"


def in_words(kind: str) -> Sentence:
    """Return a stored kind such as "phone|Chrome|Android" as people read it: "Phone, Chrome on Android"."""
    hardware, browser, system = (*kind.split("|"), "", "")[:3]
    match hardware:
        case "television":
            return say("TV, {browser} on {system}", browser=browser, system=system)
        case "tablet":
            return say("Tablet, {browser} on {system}", browser=browser, system=system)
        case "phone":
            return say("Phone, {browser} on {system}", browser=browser, system=system)
        case "computer":
            return say("Computer, {browser} on {system}", browser=browser, system=system)
        case _:
            return say("A device")
