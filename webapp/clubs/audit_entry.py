"""Show an entry of the audit log as a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.sentences import Sentence, say, say_count
from webapp import template_filters
from webapp.clubs import user_agents

GUEST, COMMAND = "guest", "command"  # roles besides those of a club


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Hold one action in a club. `about` says whom or what it concerned: names, a role or a number of games."""

    at: str
    what: str
    role: str
    name: str
    kind: str
    about: tuple[str, ...]
    brought: bool
    zone: str
    play_key: str | None = None

    @property
    def who(self) -> str | Sentence:
        """Return the name of the device, or its kind if it has no name."""
        if self.role == COMMAND:
            return say("the command line")
        return self.name or user_agents.in_words(self.kind)

    @property
    def when(self) -> str:
        return template_filters.moment(self.at, self.zone)

    @property
    def sentence(self) -> Sentence:
        """Return what was done, such as "Player Ann renamed Anna"."""
        one, other, *_ = (*self.about, "", "")
        if self.what in TO_GAMES:
            return _about_game(self.what)
        if self.what in TO_NAMES:
            return _about_name(self.what, one, other)
        return _about_club(self.what, one, other)

    @property
    def standing(self) -> Sentence:
        """Return the role of the device, in words."""
        return STANDINGS[self.role]


# Exported files contain these names, so none may change.
TO_GAMES = frozenset({"saved", "corrected", "described", "deleted", "restored", "rescored"})
TO_CLUBS = frozenset(
    {"imported", "renewed", "removed", "left", "called", "renamed", "merged", "unlisted", "forgotten", "named"}
)
TO_NAMES = frozenset({"renamed", "merged", "unlisted", "forgotten"})  # of players
WHAT = TO_GAMES | TO_CLUBS


def _about_game(what: str) -> Sentence:
    match what:
        case "saved":
            return say("Saved")
        case "corrected":
            return say("Edited")
        case "described":
            return say("Date, place or notes changed")
        case "deleted":
            return say("Deleted")
        case "restored":
            return say("Restored")
        case _:
            return say("Rescored")


def _about_club(what: str, one: str, other: str) -> Sentence:
    match what:
        case "imported":
            n = int(one) if one.isdecimal() else 0
            return say_count("{n} game imported", "{n} games imported", n)
        case "renewed":
            return _about_link(one)
        case "removed":
            return say("{device} removed", device=one)
        case "left":
            return say("Left the club")
        case "called":
            return say("“{before}” renamed “{after}”", before=one, after=other)
        case _:
            return say("Club renamed {name}", name=one)


def _about_name(what: str, one: str, other: str) -> Sentence:
    match what:
        case "renamed":
            return say("Player {before} renamed {after}", before=one, after=other)
        case "merged":
            return say("Player {before} merged into {after}", before=one, after=other)
        case "unlisted":
            return say("Player {name} removed", name=one)
        case _:
            return say("Player’s name deleted. The player is now shown as {name}", name=one)


def _about_link(role: str) -> Sentence:
    match role:
        case "owner":
            return say("Owners’ link replaced")
        case "member":
            return say("Members’ link replaced")
        case _:
            return say("Viewers’ link replaced")


STANDINGS = {
    "owner": say("owner"),
    "member": say("member"),
    "viewer": say("viewer"),
    GUEST: say("guest"),
    COMMAND: say("on the server"),
}
