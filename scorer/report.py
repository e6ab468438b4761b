"""Format a result as text for a terminal: the score sheet as a table, the winner, and optionally the reasons."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from scorer.contract import UNKNOWN, Fact, Game
from scorer.record import words
from scorer.result import Fault, Need, PlayerResult, Result, ResultLine, certain_places, is_decided, is_final
from scorer.sentences import ENGLISH, Language, Sentence, in_a_row, into, listed, printed, say, say_count

MOST_NAMED = 3  # open facts listed by name; nobody reads more in one sentence


def as_text(game: Game | None, result: Result, why: bool = False, language: Language = ENGLISH) -> str:
    """Return the report on a result, without a final line break; `why` adds the reason for each line."""
    parts = [title(game).into(language)]
    problems = [problem_line(problem, language) for problem in result["problems"]]
    if not result["ok"]:
        return "\n".join([*parts, *problems])
    parts += [pad(game, result, language), verdict(game, result).into(language)]
    parts += [*(sentence.into(language) for sentence in forgotten(game, result)), *problems]
    if why:
        parts += ["", *(explain(player, language) for player in result["players"])]
    return "\n".join(parts)


def title(game: Game | None) -> Sentence:
    return game.name if game else say("No result")


def pad(game: Game | None, result: Result, language: Language = ENGLISH) -> str:
    """Return the score sheet as a table in text, with a column for each player and a row for each rule."""
    players = result["players"]
    table = [["", *(printable(player["name"]) for player in players)]]
    for label, points in rows(game, result):
        table.append([label.into(language), *("" if amount is None else amount.into(language) for amount in points)])
    table += [[say("Total").into(language), *(score_of(player).into(language) for player in players)]]
    places = certain_places(result)
    table += [[say("Rank").into(language), *("?" if place is None else str(place) for place in places)]]
    return "\n".join(aligned(table))


def rows(game: Game | None, result: Result) -> list[tuple[Sentence, list[Sentence | None]]]:
    """Return each rule that any player has a line for, as its label and the points of each player. Points are None for
    a player without such a line."""
    rules = game.rules if game else {}
    lines = [player["lines"] for player in result["players"]]
    there = {line["rule"] for mine in lines for line in mine}
    return [(rules[rule], [row_of(mine, rule) for mine in lines]) for rule in rules if rule in there]


def row_of(lines: Sequence[ResultLine], rule: str) -> Sentence | None:
    several = [line for line in lines if line["rule"] == rule]
    return points_of(several) if several else None


def totals(lines: Sequence[ResultLine]) -> dict[str, int]:
    """Return the points of these lines by rule; lines of one rule, such as the cards of a street, are added up."""
    found: dict[str, int] = {}
    for line in lines:
        found[line["rule"]] = found.get(line["rule"], 0) + line["points"]
    return found


def points_of(lines: Sequence[ResultLine]) -> Sentence:
    """Return the sum of the points of these lines, followed by a question mark if one of them is open."""
    points = sum(line["points"] for line in lines)
    if not any(line.get("open") for line in lines):
        return printed(str(points))
    return say("{points} + ?", points=points) if points else printed("?")


def score_of(player: PlayerResult) -> Sentence:
    """Return a total, or its range while facts are open: "12", "at least 12", "at most 12", "12 to 18"."""
    if is_final(player):
        return printed(str(player["total"]))
    low, high = player["range"]
    if low is None:
        return say("still to count") if high is None else say("at most {points}", points=high)
    if high is None:
        return say("at least {points}", points=low)
    return printed(str(low)) if low == high else say("{least} to {most}", least=low, most=high)


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Return each row of the table as one line of text. The first column is left-aligned, and the others are
    right-aligned."""
    widths = [max(width(row[column]) for row in table) for column in range(len(table[0]))]
    lines = []
    for first, *others in table:
        cells = [first + " " * (widths[0] - width(first))]
        cells += [" " * (wide - width(cell)) + cell for cell, wide in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """Return how many terminal columns a text takes: accents take none, wide letters take two."""
    wide = {"W": 2, "F": 2}
    return sum(0 if unicodedata.combining(c) else wide.get(unicodedata.east_asian_width(c), 1) for c in text)


def verdict(game: Game | None, result: Result, unknown: Collection[int] = ()) -> Sentence:
    """Return a sentence that says who won and how, or what to enter first. A question mark replaces the score of each
    seat in `unknown`."""
    if result["needs"]:
        return open_question(game, result)
    winners, decided_by = result["winners"], result["decided_by"]
    if not winners:
        return say("A score is missing, so there is no winner yet.")
    name = printable(winners[0])
    seat = next(seat for seat, player in enumerate(result["players"]) if player["winner"])
    points = "?" if seat in unknown else result["players"][seat]["total"]
    if len(result["players"]) == 1:
        if "rating" in result:
            return say("{name} scores {points}. Skill: {rating}.", name=name, points=points, rating=result["rating"])
        return say("{name} scores {points}.", name=name, points=points)
    if not is_decided(result):
        return say("{names} are tied. The tie-break is still to count.", names=named(winners))
    if decided_by == "shared":
        return say("{names} tie with {points}.", names=named(winners), points=points)
    if decided_by in (None, "points"):
        return say("{name} wins with {points}.", name=name, points=points)
    decider = rung(game, decided_by)
    return say("{name} wins the tie at {points}. Tie-break: {decider}.", name=name, points=points, decider=decider)


def forgotten(game: Game | None, result: Result) -> list[Sentence]:
    """Return a sentence for each tie-break between the leaders that was skipped because nobody knows its value."""
    if result["needs"] or result["decided_by"] in (None, "points"):
        return []
    most = max(player["total"] for player in result["players"])
    tied = [player for player in result["players"] if player["total"] == most]
    rungs = [rung["rule"] for player in tied for rung in player["tiebreaks"] if rung["value"] == UNKNOWN]
    return [
        say("Nobody counted the {fact}, so the next tie-break decided.", fact=fact(game, rule).within)
        for rule in dict.fromkeys(rungs)
    ]


def open_question(game: Game | None, result: Result) -> Sentence:
    """Return a sentence that says what to enter before there is a winner."""
    facts = open_facts(game, result)
    is_counted = all(is_count(game, need) for need in result["needs"])
    if is_decided(result):
        name = named(result["winners"])
        if is_counted:
            return say("{name} wins either way. Still to count: {facts}.", name=name, facts=facts)
        return say("{name} wins either way. Still to enter: {facts}.", name=name, facts=facts)
    if result["winners"]:
        return say("{names} are tied. To break the tie, enter: {facts}.", names=named(result["winners"]), facts=facts)
    if is_counted:
        return say("There is no winner yet. Still to count: {facts}.", facts=facts)
    return say("There is no winner yet. Enter: {facts}.", facts=facts)


def is_count(game: Game | None, need: Need) -> bool:
    """Return whether `need`, a fact that a result asks for, is a count. Then it has its own label, and `game.facts` has
    no words for it."""
    return "label" in need and (game is None or need["input"] not in game.facts)


def open_facts(game: Game | None, result: Result) -> Sentence:
    """Return the first three facts that a result asks for, in words, and the number of others, as one list."""
    found = [clause(game, need) for need in result["needs"]]
    more = len(found) - MOST_NAMED
    if more <= 0:
        return in_a_row(found)
    return in_a_row([*found[:MOST_NAMED], say_count("{n} more", "{n} more", more)])


def clause(game: Game | None, need: Need) -> Sentence:
    """Return one fact that a result asks for, in words, with the names of its players."""
    names = named(need["players"])
    if is_count(game, need):
        return say("{fact} ({names})", fact=need["label"], names=names)
    return say("{fact} for {names}", fact=fact(game, need["input"]).within, names=names)


def rung(game: Game | None, rule: str) -> Sentence:
    """Return the label of the tie-break `rule`, or its id in words if the game no longer has it."""
    ladder = game.ladder if game else ()
    return next((step.label for step in ladder if step.rule == rule), printed(words(rule)))


def fact(game: Game | None, name: str) -> Fact:
    """Return the words for the fact `name` that a result asks for, or its id if the game has no words."""
    known = game.facts.get(name) if game else None
    return known or Fact(printed(words(name).capitalize()), printed(words(name)))


def explain(player: PlayerResult, language: Language) -> str:
    """Return one player's lines as text, with points and reasons, in the order of the score sheet."""
    rows = [[printable(player["name"]), score_of(player).into(language)]]
    rows += [
        [f"  {printable(into(line['label'], language))}", points_of([line]).into(language)] for line in player["lines"]
    ]
    reasons = ["", *(reason(line, language) for line in player["lines"])]
    return "\n".join(f"{row}  {why}".rstrip() for row, why in zip(aligned(rows), reasons, strict=True))


def reason(line: ResultLine, language: Language) -> str:
    where = f" [{' '.join(line['cells'])}]" if line["cells"] else ""
    cite = f" ({into(line['cite'], language)})" if line["cite"] else ""
    return f"{printable(into(line['why'], language))}{where}{cite}"


def problem_line(problem: Fault, language: Language) -> str:
    return printable(problem_sentence(problem).into(language))


def problem_sentence(problem: Fault) -> Sentence:
    """Return a problem as one sentence, with its place in the record and whether it is only a note."""
    where, message = problem["where"], problem["message"]
    if problem["level"] == "warning":
        if where:
            return say("Note at {where}: {message}", where=where, message=message)
        return say("Note: {message}", message=message)
    if where:
        return say("Problem at {where}: {message}", where=where, message=message)
    return say("Problem: {message}", message=message)


def named(players: Sequence[str]) -> Sentence:
    """Return the names of players as a list in words, without control characters that could steer a terminal."""
    return listed([printable(name) for name in players])


def printable(text: str) -> str:
    """Return a text with U+FFFD instead of control characters, which could steer a terminal."""
    return "".join(c if unicodedata.category(c) not in {"Cc", "Cs"} else "\N{REPLACEMENT CHARACTER}" for c in text)
