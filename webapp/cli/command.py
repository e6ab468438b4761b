"""Define the `tidemark` command. Each subcommand imports what it needs when it runs, so that small ones start fast."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from scorer.sentences import Sentence, in_a_row, say
from webapp.cli.develop import add as add_making_commands
from webapp.cli.history import A_FILE, Run, add_club, add_database
from webapp.cli.history import add as add_history_commands
from webapp.cli.maintenance import add as add_operating_commands
from webapp.cli.moving import add as add_move
from webapp.cli.scoring import run_score
from webapp.cli.terminal import (
    FAILED,
    USAGE_ERROR,
    Unusable,
    cannot_read,
    complain,
    help_text,
    language,
    localized,
    localized_argparse,
)
from webapp.operator_errors import Refusal

PRINT_JSON = say("print JSON")
SAMPLES = "samples"  # given instead of a photo, before the folder to export to
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones at the table have to reach the server


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    language.cache_clear()
    with localized_argparse():
        options = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # names may have letters that a terminal cannot show
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
    if any(map(has_password, arguments if arguments is not None else sys.argv[1:])):
        complain(say("other users can see this password. Use TIDEMARK_DATABASE instead."))
    run: Run = options.run
    try:
        return run(options)
    except BrokenPipeError:  # the reader, `head` for example, has stopped reading
        sys.stderr.close()
        return 0
    except Refusal as fault:
        complain(fault.message)
    except _expected() as fault:
        complain(why(fault, getattr(options, "db", "")))
    return FAILED


def has_password(argument: str) -> bool:
    """Return whether this argument is an address with a password, such as "postgresql://ann:secret@host/db"."""
    try:
        return "://" in argument and bool(urlsplit(argument.removeprefix("--db=")).password)
    except ValueError:
        return False


def _expected() -> tuple[type[Exception], ...]:
    """Return the exceptions for which commands print a sentence. Engines that are not in use are not imported."""
    from webapp.database import errors

    return errors(OSError)


def why(fault: Exception, database: str) -> Sentence:
    """Return the message for an error that stopped a command: one of the database at `database`, or an OSError."""
    if not isinstance(fault, OSError):
        from webapp.database import engine_of

        return engine_of(database).refusal_of(database, fault)
    reason = fault.strerror or str(fault)
    if fault.filename is None:
        return say("the command failed: {reason}.", reason=reason)
    return say("can’t use {file}: {fault}.", file=str(fault.filename), fault=reason)


class Version(argparse.Action):
    """Print the installed version, which only pyproject.toml defines."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(version("tidemark"))
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands and their options, as shown by `tidemark --help`."""
    description = say("Score board games about towns by the water.")
    top = argparse.ArgumentParser(prog="tidemark", description=localized(description))
    top.add_argument("--version", action=Version, nargs=0, help=help_text(say("print the version")))
    commands = top.add_subparsers(metavar=localized(say("COMMAND")), required=True)

    score = commands.add_parser("score", help=help_text(say("score records, one per line")))
    score.add_argument("file", nargs="?", default="-", help=help_text(A_FILE))
    score.add_argument("--json", action="store_true", help=help_text(PRINT_JSON))
    reasons = score.add_mutually_exclusive_group()
    reasons.add_argument("--why", action="store_true", help=help_text(say("print reasons too")))
    reasons.add_argument("--totals", action="store_true", help=help_text(say("points without reasons (with --json)")))
    score.set_defaults(run=run_score)

    listing = commands.add_parser("games", help=help_text(say("list the games")))
    listing.add_argument("--json", action="store_true", help=help_text(PRINT_JSON))
    listing.set_defaults(run=run_games)

    add_cards(commands)
    add_photo(commands)
    serve = commands.add_parser("serve", help=help_text(say("start the server for your phones")))
    listen = say("address to listen on (default: all)")
    serve.add_argument("--host", default=EVERY_ADDRESS, help=help_text(listen))
    serve.add_argument("--port", type=port, default=8000)
    add_database(serve)
    serve.set_defaults(run=run_serve)
    add_history_commands(commands)
    add_move(commands)
    add_operating_commands(commands)
    add_making_commands(commands)
    return top


def add_photo(commands: Any) -> None:
    photo = commands.add_parser("photo", help=help_text(say("read boards from photos")))
    photo.add_argument("files", nargs="+", metavar=localized(say("FILE")))
    photo.add_argument("--json", action="store_true", help=help_text(PRINT_JSON))
    photo.add_argument("--game", metavar=localized(say("GAME")), help=help_text(say("the game in the photos")))
    photo.add_argument("--no-cards", action="store_true", help=help_text(say("don’t read cards")))
    add_database(photo)
    photo.epilog = localized(
        say("“tidemark photo samples FOLDER” exports sample photos and tests how well we read them.")
    )
    photo.set_defaults(run=run_photo)


def add_cards(commands: Any) -> None:
    """Add the commands `tidemark cards export` and `tidemark cards import`."""
    cards = commands.add_parser("cards", help=help_text(say("export or import a club’s cards")))
    actions = cards.add_subparsers(metavar=localized(say("ACTION")), required=True)
    for action, words in (
        ("export", say("print the card box")),
        ("import", say("import a card box")),
    ):
        box = actions.add_parser(action, help=help_text(words))
        box.add_argument("game", help=help_text(say("the game’s id")))
        if action == "import":
            box.add_argument("file", nargs="?", default="-", help=help_text(A_FILE))
            theirs = say("replace cards that differ")
            box.add_argument("--theirs", action="store_true", help=help_text(theirs))
        add_database(box)
        add_club(box)
        box.set_defaults(run=run_cards, way=action)


def port(text: str) -> int:
    """Return the port number in the text, from 1 to 65535. Argparse names this function in its error message."""
    if not 0 < int(text) < 65536:
        raise ValueError
    return int(text)


def read(file: str) -> str:
    if file == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    with open(file, encoding="utf-8-sig", errors="replace", newline="") as lines:  # only line feeds end a line
        return lines.read()


def run_games(options: argparse.Namespace) -> int:
    from scorer import games

    found = games.all_games()
    if options.json:
        rows = [
            {"id": game.id, "name": game.name, "players": [game.players[0], game.players[-1]], "version": game.version}
            for game in found
        ]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        from scorer.report import aligned

        table = [
            (
                localized(game.name),
                game.id,
                localized(say("{fewest} to {most} players", fewest=game.players[0], most=game.players[-1])),
            )
            for game in found
        ]
        print("\n".join(aligned(table)))
    for refused in games.refused():
        complain(refused.message)
    return 0


def run_cards(options: argparse.Namespace) -> int:
    from scorer.jsontext import NotJson, read_json
    from webapp.cli.cards import export_box, import_box

    try:
        if options.way == "export":
            return export_box(options.db, options.game, options.club)
        return import_box(options.db, options.game, options.club, read_json(read(options.file)), options.theirs)
    except OSError as fault:
        complain(cannot_read(options.file, fault))
    except NotJson as fault:
        complain(fault.message)
    except Unusable as fault:
        complain(fault.message)
    return USAGE_ERROR


def run_photo(options: argparse.Namespace) -> int:
    if options.files[0] == SAMPLES and len(options.files) == 2:
        from webapp.cli.samples import run_samples

        return run_samples(options.db, options.files[1])
    from vision import games as readers
    from vision import read as read_photo
    from vision.describe import describe

    reader = readers.find(options.game) if options.game else readers.only()
    if reader is None:
        complain(
            say("Choose one of {options}. You entered {value}.", options=in_a_row(readers.names()), value=options.game)
        )
        return USAGE_ERROR
    readings = (read_photo(file, cards=not options.no_cards, reader=reader) for file in options.files)
    all_read = True
    for reading in readings:
        all_read = all_read and reading.ok
        print(json.dumps(reading.to_json(), ensure_ascii=False) if options.json else describe(reading, language()))
    return 0 if all_read else 1


def run_serve(options: argparse.Namespace) -> int:
    from webapp.cli.open_database import convert
    from webapp.schema import upgrade
    from webapp.server import serve

    upgrade.check_path(options.db)
    convert(options.db)
    return serve(options.db, options.host, options.port)
