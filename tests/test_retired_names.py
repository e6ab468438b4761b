"""Names that were given up do not come back as names of modules, functions or classes.

The words themselves are free in sentences. docs/developers/architecture.md has the names to use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.conftest import ROOT

MODULES = """
    admit again agents asking astray camera careers chance chores claims clash counted dealt deeds disk earned errands
    fewest finding forgetting gauges in_place in_words lettering making missing numbering occupied
    once_more opening operating others own_file packing paths people postgres_shelf postgres_wire postgres_words
    private pull reader refusal seal served sheets showing stages statics stored taking telling template_words
    timekeeper troubles unsaid visit whole wording words work worlds writing zones
"""
DEFINITIONS = """
    Appetite Attraction Believed Below Bringing Built Comer Counted Deed Discreet Ear Entering GaveWay InTitle Means
    Noted OnceMore OwnersFile SaidByItsPackage Sought Spoken Stay Taking Told Tongue Trouble Twin Unfit Visit Whole
    Wire World WrittenInEnglish _Taking _as_it_stands _chosen _count _deed _deeds _is_in_the_way _look _put_by _those
    _told _told_of_club _told_of_game _told_of_link _told_of_name _uncount _whatever_the_answers aliases among
    appetite argparse_speaking asked_of asks_for attract barely better_fed both_ways bought boxed brings called_apart
    called_since came_too_late can_be_had can_be_kept change_look chunks_of climb close_up come_into come_to converse
    depends_on_the_reader do_what_is_short doubt dress_templates eating first_words foremost forging gaps go_through
    greet hang_up have_met hear_body hear_head how_it_is hungry in_its_types in_titles insist is_in_the_way is_served
    keep_what_is_shared kept_in known_as last_deeds lay_for let_in lift line_of_all look_at look_at_copy
    look_at_the_clock look_into look_whether_they_meet looked_at looking looks_at_table looks_of made may_be_kept
    may_go_on meant mend news_or nothing_to_see noting of_newcomers only_looks place_of_birth playing praying
    put_as_it_was raising register_rooms register_troubles roll room_for rung_of_all said_by saw schooling secretly
    seeing selling sent settle_down shares_alike sheet_of_all sight silent_or_done slip smallest sought spoken stable
    surprising take_what_hangs_on tell_all tell_corrections tell_more tell_phones tells_password told_to_stop
    too_bright trouble try_luck twin understand way_label way_to_lie wear what_beat_me what_nobody_said whatever
    where_twice who_answers who_played wire worn
"""


def retired() -> Iterator[str]:
    """Yield each retired name that the product uses, with its file."""
    for package in ("scorer", "vision", "webapp"):
        for file in sorted((ROOT / package).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if file.stem in MODULES.split():
                yield path
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                    and node.name in DEFINITIONS.split()
                ):
                    yield f"{path}: {node.name}"


def test_retired_names_do_not_come_back() -> None:
    assert list(retired()) == []
