"""Define the kinds of input: their fields, and how they are shown, read and drawn.

A kind is a class in a module of this folder and a template in `templates/kinds`. The modules are discovered like the
games, and each lists its kinds in KINDS.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any

from scorer.contract import Input
from webapp.table.kinds.kind import Kind, Painted

__all__ = ["KINDS", "Kind", "Painted", "has_fields", "is_board", "of", "painted"]


def _found() -> dict[type[Input], type[Kind[Any]]]:
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind.of: kind for module in modules for kind in getattr(module, "KINDS", ())}


KINDS = _found()


def of(asked: Input) -> Kind[Any]:
    """Return the input wrapped in the class of its kind."""
    return KINDS[type(asked)](asked)


def has_fields(asked: Input) -> bool:
    """Return whether the input has fields on a page; otherwise the game's own page edits its value."""
    return KINDS[type(asked)].has_fields


def is_board(asked: Input) -> bool:
    """Return whether the input is drawn as a board, above the fields of a page."""
    return KINDS[type(asked)].is_board


def painted(inputs: Iterable[Input]) -> list[Painted]:
    """Return those inputs that are boards painted square by square, each wrapped in its kind."""
    return [kind for kind in map(of, inputs) if isinstance(kind, Painted)]
