"""An entry of the audit log: who did what and when, as a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.sentences import Sentence, Value, say, say_count
from webapp import template_filters
from webapp.clubs import user_agents

GUEST, COMMAND = "guest", "command"  # roles of those who are in no club


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Hold something that was done in a club. `about` has its objects: names, a role, a number of games."""

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
        """The device, by the name that people gave it, or what it seems to be."""
        if self.role == COMMAND:
            return say("the command line")
        return self.name or user_agents.in_words(self.kind)

    @property
    def sentence(self) -> Sentence:
        """ "Corrected by Ada’s phone, 3 May 21:40"."""
        when, (one, other, *_) = template_filters.moment(self.at, self.zone), (*self.about, "", "")
        if self.what in TO_GAMES:
            return _about_game(self.what, self.who, when)
        if self.what in TO_NAMES:
            return _about_name(self.what, self.who, when, one, other)
        return _about_club(self.what, self.who, when, one, other)

    @property
    def standing(self) -> Sentence:
        """Return the role of the device, in words."""
        return STANDINGS[self.role]


# The names are kept in files: new ones are added, none is changed.
TO_GAMES = frozenset({"saved", "corrected", "described", "deleted", "restored", "rescored"})
TO_CLUBS = frozenset(
    {"imported", "renewed", "removed", "left", "called", "renamed", "merged", "unlisted", "forgotten", "named"}
)
TO_NAMES = frozenset({"renamed", "merged", "unlisted", "forgotten"})  # of players
WHAT = TO_GAMES | TO_CLUBS


def _about_game(what: str, who: Value, when: str) -> Sentence:
    match what:
        case "saved":
            return say("Saved by {who}, {when}", who=who, when=when)
        case "corrected":
            return say("Edited by {who}, {when}", who=who, when=when)
        case "described":
            return say("Date, place or notes changed by {who}, {when}", who=who, when=when)
        case "deleted":
            return say("Deleted by {who}, {when}", who=who, when=when)
        case "restored":
            return say("Restored by {who}, {when}", who=who, when=when)
        case _:
            return say("Rescored by {who}, {when}", who=who, when=when)


def _about_club(what: str, who: Value, when: str, one: str, other: str) -> Sentence:
    match what:
        case "imported":
            n = int(one) if one.isdecimal() else 0
            return say_count(
                "{n} game imported by {who}, {when}", "{n} games imported by {who}, {when}", n, who=who, when=when
            )
        case "renewed":
            return _about_link(one, who, when)
        case "removed":
            return say("{device} removed by {who}, {when}", device=one, who=who, when=when)
        case "left":
            return say("{who} left, {when}", who=who, when=when)
        case "called":
            return say("“{before}” renamed “{after}” by {who}, {when}", before=one, after=other, who=who, when=when)
        case _:
            return say("Club renamed {name} by {who}, {when}", name=one, who=who, when=when)


def _about_name(what: str, who: Value, when: str, one: str, other: str) -> Sentence:
    match what:
        case "renamed":
            return say("Player {before} renamed {after} by {who}, {when}", before=one, after=other, who=who, when=when)
        case "merged":
            return say(
                "Player {before} merged into {after} by {who}, {when}", before=one, after=other, who=who, when=when
            )
        case "unlisted":
            return say("Player {name} removed by {who}, {when}", name=one, who=who, when=when)
        case _:
            return say(
                "A player’s name deleted by {who}, {when}. The player is now shown as {name}",
                name=one,
                who=who,
                when=when,
            )


def _about_link(role: str, who: Value, when: str) -> Sentence:
    match role:
        case "owner":
            return say("Owners’ link replaced by {who}, {when}", who=who, when=when)
        case "member":
            return say("Members’ link replaced by {who}, {when}", who=who, when=when)
        case _:
            return say("Viewers’ link replaced by {who}, {when}", who=who, when=when)


STANDINGS = {
    "owner": say("owner"),
    "member": say("member"),
    "viewer": say("viewer"),
    GUEST: say("guest"),
    COMMAND: say("on the server"),
}
