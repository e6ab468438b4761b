"""Every sentence that people read keeps to docs/developers/voice.md, as far as a program can tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from webapp.translations import collect

ROOT = Path(__file__).parent.parent
LONGEST_SENTENCE, LONGEST_LABEL = 20, 15  # words

# Words that voice.md gives up, and a second word for a thing that its glossary names.
BANNED = re.compile(
    r"""\b(
      whoever | whatever | is\ that\ so | as\ far\ as\ we\ know | nobody\ remembers | go(es)?\ on | c(o|a)mes?\ in
    | let\ in | take(n)?\ out | put\ back | bring\ in | read\ in | shut\ out | sen[dt]\ away | take\ away | leave\ out
    | left\ out | call\ it | do\ as\ chosen | renew(s|ed)? | in\ doubt | unknown\ to | make\ (them|the\ two)\ one
    | mend(s|ed)? | stands?\ (here|there|twice) | door | evening | television | host | keeper | pad | seats?
    | sheet(?<!score\ sheet) | victor(y|ies) | share\ the | level\ with
    | in\ any\ case | as\ many\ players | need\ not | is\ there\ twice | small\ letters | worked\ out
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
VERB = re.compile(
    r"""(
      Accept|Add|Agree|Allow|Apply|Ask|Back|Cancel|Change|Check|Choose|Clear|Close|Compare|Confirm|Continue|Copy
    | Create|Delete|Discard|Don’t|Download|Draw|Edit|End|Enter|Export|Find|Forget|Go|Hide|Import|Insert|Invite
    | Install|Join|Leave|Look|Make|Mark|Merge|Move|Name|Open|Paste|Pick|Play|Print|Read|Reload|Remove|Rename|Repeat
    | Replace|Rescore|Restore|Retry|Reveal|Save|Search|Send|Share|Show|Shuffle|Skip|Start|Stop|Switch|Take|Tap|Trade
    | Try|Turn|Undo|Update|Upload|Use|Watch|Write
    )\b""",
    re.VERBOSE,
)
# A button with `aria-pressed` is a choice, which needs no verb.
BUTTON = re.compile(r"""<button\b(?![^>]*aria-pressed)[^>]*>\s*\{\{\s*_\("([^"]+)"\)\s*\}\}\s*</button>""")
CODE = "It quotes code."
STORED = "The name of a card is stored with saved games."
ALLOWED = {  # messages that break a rule, each with its reason
    'Each [[expect]] needs a player, a total and lines: [["{rule}", 2]].': CODE,
    'The scene needs a <symbol id="scene" viewBox="0 0 320 160">.': CODE,
    "The result must show typed points unchanged. Use Typed.sheet.": CODE,
    "PostgreSQL needs its client on this computer: pip install 'tidemark[postgres]'": CODE,
    "Architect's Guild": STORED,
    "Caterina's Grotto": STORED,
    "Gamblers' Den": STORED,
    "Gamblers' Dens": STORED,
    "Masons' Guild": STORED,
    "Opaleye's Watch": STORED,
    "Travelers' Center": STORED,
    "Travelers' Centers": STORED,
}
ANSWERS = {  # buttons without a verb, each with its reason
    "Yes, that is right": "It answers a question.",
    "Done": "It closes a panel.",
    "OK": "It closes a notice.",
    "Room": "It is a tab.",
    "All players": "It is a tab.",
    "Next: all players": "It is said like “Next: Bob”.",
    "Nobody": "It stands among names to choose from.",
}

Said = tuple[str, tuple[str, ...]]  # a message, and the files it is in

collected = cache(collect.collect)  # once for all tests of a process, which takes two seconds


@cache
def messages() -> tuple[Said, ...]:
    found = []
    for message in collected():
        for text in collect.forms(message.id):
            if text and text not in ALLOWED:
                found.append((text, tuple(file for file, _ in message.locations)))
    return tuple(found)


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s+", text)


def words(text: str) -> int:
    return len(re.findall(r"[\w{}’£%×÷−+-]+", re.sub(r"<[^>]*>", "", text)))


def banned(text: str) -> bool:
    return BANNED.search(re.sub(r"\{\w+\}", "", text)) is not None


def too_long(text: str) -> bool:
    if text.rstrip("”)").endswith((".", "?", "!", "…")) or len(sentences(text)) > 1:
        return any(words(sentence) > LONGEST_SENTENCE for sentence in sentences(text))
    return words(text) > LONGEST_LABEL


def badly_set(text: str) -> bool:
    """Return whether quotes are straight, a hyphen is a minus, or a space stands before a per cent sign."""
    plain = re.sub(r"<[^>]*>|&\w+;", "", text)
    return re.search(r"""['"]|(?<![\w-])-\d|[\d}]\ %""", plain) is not None


def badly_counted(one: str, many: str) -> bool:
    """Return whether the form for one thing names several, or says more or less than the form for several."""
    if one == many:
        return re.search(r"\{n\} (?!more\b)\w+s\b", one) is not None
    return re.findall(r"[.?:]", one) != re.findall(r"[.?:]", many)


CHECKS: dict[str, Callable[[str], bool]] = {
    "a word of docs/developers/voice.md’s right column": banned,
    "too many words": too_long,
    "straight quotes, a hyphen for minus, or a space before %": badly_set,
}


def findings() -> Iterator[tuple[str, str]]:
    """Yield what is found, each with its first file."""
    for text, files in messages():
        for name, check in CHECKS.items():
            if check(text):
                yield files[0], f"{name}: {text!r}"
    for message in collected():
        if len(forms := collect.forms(message.id)) == 2 and badly_counted(*forms):
            yield message.locations[0][0], f"the singular does not match the plural: {forms[0]!r}"
    spelled: dict[str, str] = {}
    for text, files in messages():
        other = (
            spelled.setdefault(text.lower(), text) if text[0].isupper() and not text.isupper() else text
        )  # others stand inside a sentence
        if other != text:
            yield files[0], f"two ways to write it: {text!r} and {other!r}"
    for path in sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("scorer/games/*/page/*.html")]):
        for label in BUTTON.findall(path.read_text(encoding="utf-8")):
            if label not in ANSWERS and not VERB.match(label):
                yield path.relative_to(ROOT).as_posix(), f"a button without a verb: {label!r}"


def test_every_message_keeps_to_the_voice() -> None:
    assert [f"{file}: {what}" for file, what in findings()] == []
