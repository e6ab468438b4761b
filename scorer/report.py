"""A result as text for a terminal: the score pad as a table, who won by what, and the reasons on request."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from scorer import games
from scorer.contract import UNKNOWN, Fact
from scorer.reading import words
from scorer.result import Fault, PlayerResult, Result, ResultLine
from scorer.sentences import ENGLISH, Language, Sentence, in_clauses, into, listed, printed, say


def as_text(result: Result, why: bool = False, language: Language = ENGLISH) -> str:
    """The whole report, without a final line break."""
    parts = [title(result).into(language)]
    problems = [problem_line(problem, language) for problem in result["problems"]]
    if not result["ok"]:
        return "\n".join([*parts, *problems])
    parts += [pad(result, language), verdict(result).into(language)]
    parts += [*(sentence.into(language) for sentence in forgotten(result)), *problems]
    if why:
        parts += ["", *(explain(player, language) for player in result["players"])]
    return "\n".join(parts)


def title(result: Result) -> Sentence:
    game = games.find(result["game"])
    return game.name if game else say("No result")


def pad(result: Result, language: Language = ENGLISH) -> str:
    """Players across, lines down, numbers under one another."""
    players = result["players"]
    table = [["", *(printable(player["name"]) for player in players)]]
    for label, points in rows(result):
        table.append([label.into(language), *("" if amount is None else str(amount) for amount in points)])
    table += [[say("Total").into(language), *(str(player["total"]) for player in players)]]
    table += [[say("Place").into(language), *(str(player["rank"]) for player in players)]]
    return "\n".join(aligned(table))


def rows(result: Result) -> list[tuple[Sentence, list[int | None]]]:
    """Each row of the score pad that anybody has: its label and the players' points, None where one has no line."""
    game = games.find(result["game"])
    sums = [totals(player["lines"]) for player in result["players"]]
    rules = game.rules if game else {}
    return [(label, [mine.get(rule) for mine in sums]) for rule, label in rules.items() if any(rule in s for s in sums)]


def totals(lines: Sequence[ResultLine]) -> dict[str, int]:
    """Points by rule: several lines of one rule, such as the cards of a street, make one row."""
    found: dict[str, int] = {}
    for line in lines:
        found[line["rule"]] = found.get(line["rule"], 0) + line["points"]
    return found


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(width(row[column]) for row in table) for column in range(len(table[0]))]
    lines = []
    for first, *others in table:
        cells = [first + " " * (widths[0] - width(first))]
        cells += [" " * (wide - width(cell)) + cell for cell, wide in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """How many columns a terminal gives the text: none to accents, two to wide letters."""
    wide = {"W": 2, "F": 2}
    return sum(0 if unicodedata.combining(c) else wide.get(unicodedata.east_asian_width(c), 1) for c in text)


def verdict(result: Result, unknown: Collection[int] = ()) -> Sentence:
    """Who won and what decided it, or what has to be asked first; `unknown` are the seats whose score nobody knows."""
    if result["needs"]:
        return open_question(result)
    winners, decided_by = result["winners"], result["decided_by"]
    if not winners:
        return say("A score is missing, so nobody knows who won.")
    name = printable(winners[0])
    seat = next(seat for seat, player in enumerate(result["players"]) if player["winner"])
    points = "?" if seat in unknown else result["players"][seat]["total"]
    if len(result["players"]) == 1:
        if "rating" in result:
            return say("{name} scores {points}. Skill: {rating}.", name=name, points=points, rating=result["rating"])
        return say("{name} scores {points}.", name=name, points=points)
    if decided_by in (None, "shared"):
        return say("{names} share the victory with {points}.", names=named(winners), points=points)
    if decided_by == "points":
        return say("{name} wins with {points}.", name=name, points=points)
    decider = rung(result["game"], decided_by)
    return say("{name} wins the tie at {points} by {decider}.", name=name, points=points, decider=decider)


def forgotten(result: Result) -> list[Sentence]:
    """What nobody remembers, where a tie at the top had to do without it."""
    if result["needs"] or result["decided_by"] in (None, "points"):
        return []
    most = max(player["total"] for player in result["players"])
    tied = [player for player in result["players"] if player["total"] == most]
    rungs = [rung["rule"] for player in tied for rung in player["tiebreaks"] if rung["value"] == UNKNOWN]
    return [
        say("Nobody remembers the {fact}, so the next tie-break was looked at.", fact=fact(result["game"], rule).within)
        for rule in dict.fromkeys(rungs)
    ]


def open_question(result: Result) -> Sentence:
    """What has to be entered before there is a winner."""
    facts = in_clauses(
        [
            say("{fact} of {names}", fact=fact(result["game"], need["input"]).within, names=named(need["players"]))
            for need in result["needs"]
        ]
    )
    if result["decided_by"]:
        return say(
            "{name} wins, whatever the answer. For the other points enter the {facts}.",
            name=printable(result["winners"][0]),
            facts=facts,
        )
    if result["winners"]:
        return say("{names} are tied: enter the {facts}.", names=named(result["winners"]), facts=facts)
    return say("Not decided yet: enter the {facts}.", facts=facts)


def rung(game_id: str, rule: str) -> Sentence:
    """A rung of the ladder in words; one that the game no longer has is called by its id."""
    game = games.find(game_id)
    ladder = game.ladder if game else ()
    return next((step.label for step in ladder if step.rule == rule), printed(words(rule)))


def fact(game_id: str, name: str) -> Fact:
    """What a result asks for, in words; what the game has no words for is called by its id."""
    game = games.find(game_id)
    known = game.facts.get(name) if game else None
    return known or Fact(printed(words(name).capitalize()), printed(words(name)))


def explain(player: PlayerResult, language: Language = ENGLISH) -> str:
    """One player's lines with their reasons; it only prints what the sheet says."""
    rows = [[printable(player["name"]), str(player["total"])]]
    rows += [[f"  {printable(into(line['label'], language))}", str(line["points"])] for line in player["lines"]]
    reasons = ["", *(reason(line, language) for line in player["lines"])]
    return "\n".join(f"{row}  {why}".rstrip() for row, why in zip(aligned(rows), reasons, strict=True))


def reason(line: ResultLine, language: Language = ENGLISH) -> str:
    where = f" [{' '.join(line['cells'])}]" if line["cells"] else ""
    cite = f" ({into(line['cite'], language)})" if line["cite"] else ""
    return f"{printable(into(line['why'], language))}{where}{cite}"


def problem_line(problem: Fault, language: Language = ENGLISH) -> str:
    return printable(problem_sentence(problem).into(language))


def problem_sentence(problem: Fault) -> Sentence:
    """What is wrong or worth a second look, and where."""
    where, message = problem["where"], problem["message"]
    if problem["level"] == "warning":
        if where:
            return say("Note at {where}: {message}", where=where, message=message)
        return say("Note: {message}", message=message)
    if where:
        return say("Problem at {where}: {message}", where=where, message=message)
    return say("Problem: {message}", message=message)


def named(players: Sequence[str]) -> Sentence:
    """Names in a row, as a terminal may show them."""
    return listed([printable(name) for name in players])


def printable(text: str) -> str:
    """Names and messages may hold what strangers typed: nothing of it may steer the terminal."""
    return "".join(c if unicodedata.category(c) not in {"Cc", "Cs"} else "\N{REPLACEMENT CHARACTER}" for c in text)
