"""Build Tenby records for tests, draw random tables, and score them slowly by brute force."""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise, product
from typing import Any

from hypothesis import strategies as st

from scorer.core import load
from scorer.games.tenby import GAME
from scorer.games.tenby.guide import guide

MOST = {
    "bench": 2,
    "bin": 2,
    "binoculars": 1,
    "chimney": 2,
    "cloud": 4,
    "flower_box": 3,
    "lamp_post": 2,
    "lobster_box": 3,
    "porch": 1,
    "seagull": 3,
    "shutters": 3,
}
ICONS = ("town", "terrace", "home", "business", "pier", "landmark")
COLOURS = ("red", "yellow", "green", "blue", "purple")
TARGETS = (*MOST, *ICONS, *COLOURS, "unique_colours", "completed_streets")
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve")
Json = Any


def terrace(left: str = "terrace", right: str = "terrace", **more: Json) -> Json:
    """Return a terrace card, by default with a terrace at both edges."""
    return {"deck": "terrace", "base": "terrace", "edges": [left, right], **more}


def pier(left: str = "pier", right: str = "pier", **more: Json) -> Json:
    return {"deck": "pier", "base": "pier", "edges": [left, right], **more}


def flat(points: int) -> Json:
    return {"type": "flat", "points": points}


def per(target: str | list[str], points: int = 1, range_: str = "white", **more: Json) -> Json:
    return {"type": "per", "target": target, "points": points, "range": range_, **more}


def each(target: str, at_least: int = 1, incomplete: int = 1, complete: int = 2, **more: Json) -> Json:
    tier = {"at_least": at_least, "incomplete": incomplete, "complete": complete}
    return {"name": "Resident", "type": "each", "target": target, **tier, **more}


def record(*streets: list[Json], residents: tuple[Json, ...] = (), **rulings: str) -> Json:
    """Return a record in which Ann alone has these streets."""
    table = {"rulings": rulings} if rulings else {}
    return {"game": "tenby", "table": table, "players": [player("Ann", *streets, residents=residents)]}


def player(name: str, *streets: list[Json], residents: tuple[Json, ...] = ()) -> Json:
    return {"name": name, "streets": list(streets), "residents": list(residents)}


def contest(mode: str, cards: list[Json], *players: Json, **rulings: str) -> Json:
    """Return a record with accolades."""
    table: Json = {"accolades": {"mode": mode, "cards": cards}}
    if rulings:
        table["rulings"] = rulings
    return {"game": "tenby", "table": table, "players": list(players)}


def questions(table: Json) -> list[Json]:
    """Return what the editor of these towns asks for, by player, street and card."""
    loaded = load(GAME, table)
    return [
        [[card["ask"] for card in street["cards"]] for street in guide(loaded, player)["streets"]]
        for player in range(len(loaded.state.players))
    ]


def counted(table: Json) -> Json:
    """Return the same record with 0 for everything that nobody has counted. The points stay the same."""
    answered: Json = deepcopy(table)
    for player_, streets_ in zip(answered["players"], questions(answered), strict=True):
        for street, cards in zip(player_.get("streets", []), streets_, strict=True):
            for card, facts in zip(street, cards, strict=True):
                answer_none(card, facts)
    return answered


def answer_none(card: Json, facts: list[str]) -> None:
    for fact in facts:
        if fact == "buildings":
            card["buildings"] = []
        elif fact == "subtype":
            card["subtype"] = "none"
        else:
            card.setdefault("icons" if fact == "landmark" else "features", {})[fact] = 0


# -- whole tables ----------------------------------------------------------------------------------------------

targets = st.one_of(
    st.sampled_from((*TARGETS, "completed_street")),
    st.lists(st.sampled_from((*MOST, *ICONS, "completed_street")), min_size=2, max_size=2, unique=True),
)


@st.composite
def cards(draw: st.DrawFn, left: str, right: str, landmark: bool) -> Json:
    """Draw a town card between two edges, with landmarks only where one is allowed."""
    base = "terrace" if "terrace" in (left, right) else "pier"
    card: Json = {"deck": draw(st.sampled_from((base, "landmark") if landmark else (base,))), "base": base}
    card["edges"] = [left, right]
    if draw(st.booleans()):
        card["subtype"] = draw(st.sampled_from(("home", "business", "none")))
    card["features"] = {
        name: draw(st.integers(0, MOST[name])) for name in draw(st.sets(st.sampled_from(sorted(MOST)), max_size=6))
    }
    card["buildings"] = draw(st.lists(st.sampled_from((*COLOURS, "white", "white")), max_size=2))
    if draw(st.integers(0, 5)) == 0:
        card["icons"] = {draw(st.sampled_from(ICONS)): draw(st.integers(0, 3))}
    kind = draw(st.sampled_from(("none", "flat", "per", "per", "per")))
    if kind == "flat":
        card["score"] = flat(draw(st.integers(0, 9)))
    if kind == "per":
        range_ = draw(st.sampled_from(("white", "grey", "gold")))
        card["score"] = per(draw(targets), draw(st.integers(1, 5)), range_)
        if range_ == "grey":
            card["score"]["direction"] = draw(st.sampled_from(("both", "left", "right")))
        if "unique_colours" in card["score"]["target"] and not card["buildings"]:
            card["buildings"] = [draw(st.sampled_from(COLOURS))]
    return card


@st.composite
def streets(draw: st.DrawFn) -> Json:
    """Draw a street as the edges between its cards, with the sea only at its ends."""
    inner = draw(st.lists(st.sampled_from(("pier", "terrace")), min_size=0, max_size=4))
    ends = st.sampled_from(("sea", "pier", "terrace"))
    edges = [draw(ends), *inner, draw(ends)]
    if edges == ["sea", "sea"]:
        edges[1] = "pier"
    street: list[Json] = []
    for left, right in pairwise(edges):
        street.append(draw(cards(left, right, all(card["deck"] != "landmark" for card in street))))
    return street


@st.composite
def residents(draw: st.DrawFn) -> Json:
    target = draw(targets)
    steps = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    tiers, at_least, low, high = [], 0, 0, 0
    for step in steps:
        at_least, low = at_least + step, low + draw(st.integers(0, 2))
        high += draw(st.integers(0, 3))
        tiers.append({"at_least": at_least, "incomplete": low, "complete": high})
    if draw(st.booleans()):
        return {"name": "Every street", "type": "each", "target": target, **tiers[0]}
    if draw(st.integers(0, 5)) == 0:
        return {"name": "Neither", "type": "typed", "points": low}
    return {"name": "One street", "type": "single", "target": target, "tiers": draw(st.permutations(tiers))}


@st.composite
def tables(draw: st.DrawFn) -> Json:
    """Draw a legal record of one to three towns, with or without accolades and rulings."""
    players = [
        player(name, *draw(st.lists(streets(), max_size=3)), residents=tuple(draw(st.lists(residents(), max_size=2))))
        for name in NAMES[: draw(st.integers(1, 3))]
    ]
    rulings = {
        "gold_unique_own": draw(st.sampled_from(("exclude", "include"))),
        "secret_tie": draw(st.sampled_from(("full", "share"))),
        "zero_accolade": draw(st.sampled_from(("share", "nobody"))),
    }
    mode = draw(st.sampled_from(("", "open_sea", "ebb_flow", "high_tide")))
    if not mode:
        return {"game": "tenby", "table": {"rulings": rulings}, "players": players}
    modes = {mode, draw(st.sampled_from(("open_sea", "ebb_flow", "high_tide")))}
    goals = [goal for each_mode in sorted(modes) for goal in draw(accolades(each_mode, each_mode == mode, players))]
    return contest(mode, draw(st.permutations(goals)), *players, **rulings)


@st.composite
def accolades(draw: st.DrawFn, mode: str, is_main: bool, players: list[Json]) -> list[Json]:
    """Draw the accolades of one mode. Cards of the table's own mode may leave it out."""
    number = {"open_sea": 2, "ebb_flow": len(players), "high_tide": len(players) + 1}[mode]
    goals: list[Json] = [{"name": f"{mode} {index}", "target": draw(targets)} for index in range(number)]
    for index, goal in enumerate(goals):
        if mode == "ebb_flow":
            goal |= {"holder": players[index]["name"], "revealed": draw(st.booleans())}
        if mode == "high_tide":
            goal["active"] = draw(st.booleans())
        if not is_main:
            goal["mode"] = mode
    return goals


# -- a second scorer that tries everything ---------------------------------------------------------------------


def brute_totals(table: Json) -> list[int]:
    """Return the totals of all towns, trying every colour for each white building, every street and every tier."""
    rulings = table["table"].get("rulings", {})
    totals = [sum(brute_street(street, rulings) for street in each["streets"]) for each in table["players"]]
    for index, each_player in enumerate(table["players"]):
        totals[index] += sum(brute_resident(resident, each_player["streets"]) for resident in each_player["residents"])
    played = table["table"].get("accolades", {"mode": "", "cards": []})
    for card in played["cards"]:
        mode = card.get("mode", played["mode"])
        for index, points in enumerate(brute_accolade(card, mode, table["players"], rulings)):
            totals[index] += points
    return totals


def brute_street(street: list[Json], rulings: Json) -> int:
    points = 0
    for own, card in enumerate(street):
        score = card.get("score", {"type": "none"})
        if score["type"] == "flat":
            points += score["points"]
        if score["type"] == "per":
            seen = [c for at, c in enumerate(street) if is_seen(at - own, score)]
            if score["target"] == "unique_colours" and rulings.get("gold_unique_own", "exclude") == "exclude":
                seen = [c for c in seen if c is not card]
            whole = [street] if score["range"] == "gold" else []
            points += brute_count(seen, score["target"], whole) * score["points"]
    return points


def is_seen(distance: int, score: Json) -> bool:
    if score["range"] == "gold":
        return True
    sides = {"both": (-1, 1), "left": (-1,), "right": (1,)}[score.get("direction", "both")]
    return any(distance == side * steps for side in sides for steps in range(1, 2 + (score["range"] == "grey")))


def brute_count(group: list[Json], target: str | list[str], streets: list[list[Json]]) -> int:
    """Return the most matches that any colours of the white buildings give. Complete ones count in `streets`."""
    if isinstance(target, list):
        return sum(brute_count(group, one, streets) for one in target)
    if target in ("completed_street", "completed_streets"):
        return sum(is_complete(street) for street in streets)
    if target in MOST:
        return sum(card["features"].get(target, 0) for card in group)
    if target in ICONS:
        return sum(brute_icon(card, target) for card in group)
    painted = [building for card in group for building in card["buildings"]]
    options = [COLOURS if building == "white" else (building,) for building in painted]
    choices = product(*options)
    if target == "unique_colours":
        return max(len(set(choice)) for choice in choices)
    return max(choice.count(target) for choice in choices)


def brute_icon(card: Json, name: str) -> int:
    usual = {"town", card["base"], card.get("subtype")} | ({"landmark"} if card["deck"] == "landmark" else set())
    return int(card.get("icons", {}).get(name, name in usual))


def brute_resident(resident: Json, town: list[list[Json]]) -> int:
    if resident["type"] == "typed":
        return int(resident["points"])
    tiers = resident.get("tiers") or [resident]
    paid = []
    for street in town:
        row = "complete" if is_complete(street) else "incomplete"
        reached = [t[row] for t in tiers if brute_count(street, resident["target"], [street]) >= t["at_least"]]
        paid.append(max(reached, default=0))
    return sum(paid) if resident["type"] == "each" else max(paid, default=0)


def is_complete(street: list[Json]) -> bool:
    return [street[0]["edges"][0], street[-1]["edges"][1]] == ["sea", "sea"]


def brute_accolade(card: Json, mode: str, players: list[Json], rulings: Json) -> list[int]:
    def amount(each_player: Json) -> int:
        town = each_player["streets"]
        return brute_count([c for street in town for c in street], card["target"], town)

    amounts = [amount(each_player) for each_player in players]
    most = max(amounts)
    best = [index for index, has in enumerate(amounts) if has == most]
    paid = [0] * len(players)
    if (mode == "high_tide" and not card["active"]) or (most == 0 and rulings.get("zero_accolade") == "nobody"):
        return paid
    if mode == "ebb_flow" and not card["revealed"]:
        holder = [each_player["name"] for each_player in players].index(card["holder"])
        if holder in best:
            paid[holder] = 5 // len(best) if rulings.get("secret_tie") == "share" else 5
        return paid
    for index in best:
        paid[index] = (15 if mode == "ebb_flow" else 10) // len(best)
    return paid
