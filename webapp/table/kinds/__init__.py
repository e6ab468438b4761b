"""The kinds of input: what each asks, shows, reads, draws, counts and varies.

A kind is a class in a module of this folder and a template in `templates/kinds`. Nothing lists them: the modules are
found like the games, and each names its kinds in KINDS.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any

from scorer.contract import Input
from webapp.table.kinds.kind import Kind, Painted

__all__ = ["KINDS", "Kind", "Painted", "is_board", "of", "painted"]


def _found() -> dict[type[Input], type[Kind[Any]]]:
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind.of: kind for module in modules for kind in getattr(module, "KINDS", ())}


KINDS = _found()


def of(asked: Input) -> Kind[Any]:
    """The input as one of its kind."""
    return KINDS[type(asked)](asked)


def is_board(asked: Input) -> bool:
    """Return whether it is drawn as a board, above the fields of a page."""
    return of(asked).is_board


def painted(inputs: Iterable[Input]) -> list[Painted]:
    """The boards among the inputs that are painted square by square."""
    return [kind for kind in map(of, inputs) if isinstance(kind, Painted)]
