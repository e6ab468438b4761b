"""Names that were given up do not come back as names of modules, functions or classes.

The words themselves are free in sentences. docs/developers/architecture.md has the names to use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.conftest import ROOT

MODULES = """
    admit again agents astray camera careers chance chores claims clash counted dealt deeds disk earned errands
    fewest finding forgetting gauges in_place in_words lettering making missing numbering occupied
    once_more opening operating others own_file packing people postgres_shelf postgres_wire postgres_words
    private pull reader refusal seal served sheets showing stages statics stored taking telling template_words
    timekeeper troubles unsaid whole wording words work worlds writing zones
"""
DEFINITIONS = """
    Deed GaveWay OnceMore Sought Spoken Taking Told Tongue Trouble Unfit Whole Wire World _Taking _deed _deeds
    _is_in_the_way _told_of_club _told_of_game _told_of_link _told_of_name _whatever_the_answers
    argparse_speaking both_ways change_look do_what_is_short dress_templates hang_up hear_body hear_head
    how_it_is in_its_types insist is_in_the_way keep_what_is_shared kept_in last_deeds let_in look_at_copy
    look_at_the_clock look_whether_they_meet looked_at looking looks_at_table looks_of mend only_looks
    register_troubles said_by sought spoken take_what_hangs_on tell_all tell_corrections tell_more tell_phones
    tells_password told_to_stop trouble way_label way_to_lie what_beat_me what_nobody_said whatever where_twice
    who_answers who_played wire worn
    Appetite Attraction Means Noted appetite asked_of attract barely better_fed bought brings called_apart
    came_too_late can_be_had can_be_kept climb doubt eating forging gaps hungry is_served line_of_all playing praying
    rung_of_all schooling secretly seeing selling sheet_of_all sight slip smallest too_bright try_luck
    Ear boxed chunks_of converse go_through may_go_on news_or silent_or_done
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
