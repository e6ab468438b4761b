"""List the small changes that can be made to a module, and make one of them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TYPES = ("annotation", "returns")  # fields that the program doesn't run
PROMISES = ("frozen", "slots", "strict")  # arguments that change nothing unless another line is wrong


@dataclass(frozen=True, slots=True)
class Change:
    """Identify a change by the number of its node in the module, and by its index among the node's changes."""

    node: int
    which: int
    line: int
    function: str  # by its qualified name; "" outside of functions
    text: str


def compared(node: ast.Compare) -> Iterator[tuple[str, Callable[[ast.Compare], ast.AST]]]:
    def swap(number: int, to: type[ast.cmpop]) -> Callable[[ast.Compare], ast.AST]:
        def made(found: ast.Compare) -> ast.AST:
            found.ops[number] = to()
            return found

        return made

    for number, operator in enumerate(node.ops):
        if to := COMPARISONS.get(type(operator)):
            yield f"{type(operator).__name__} to {to.__name__}", swap(number, to)


def computed(node: ast.BinOp | ast.AugAssign) -> Iterator[tuple[str, Callable[[ast.AST], ast.AST]]]:
    text = isinstance(node, ast.BinOp) and any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )
    to = OPERATORS.get(type(node.op))
    if to and not text:

        def swap(found: ast.AST) -> ast.AST:
            found.op = to()  # type: ignore[attr-defined]
            return found

        yield f"{type(node.op).__name__} to {to.__name__}", swap


def constant(node: ast.Constant) -> Iterator[tuple[str, Callable[[ast.AST], ast.AST]]]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} to {not value}", lambda _: ast.Constant(not value)
    elif isinstance(value, int | float):
        yield f"{value} to {value + 1}", lambda _: ast.Constant(value + 1)


def changes_of(node: ast.AST) -> list[tuple[str, Callable[..., ast.AST]]]:
    """Return the possible changes of a node: a description, and a function that makes the change."""
    match node:
        case ast.Compare():
            return list(compared(node))
        case ast.BinOp() | ast.AugAssign():
            return list(computed(node))
        case ast.Constant():
            return list(constant(node))
        case ast.BoolOp():
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            return [(f"to {other.__name__}", lambda found: ast.BoolOp(other(), found.values))]
        case ast.UnaryOp(op=ast.Not()):
            return [("without not", lambda found: found.operand)]
        case ast.If() | ast.While():
            return [("never", lambda found: replaced(found, test=ast.Constant(False)))]
        case ast.IfExp():
            return [("always", lambda found: found.body), ("never", lambda found: found.orelse)]
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return [("return None", lambda _: ast.Return(ast.Constant(None)))]
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return [("left out", lambda _: ast.Pass())]
        case ast.Continue():
            return [("to break", lambda _: ast.Break())]
    return []


def replaced(node: ast.AST, **fields: ast.AST) -> ast.AST:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def nodes(tree: ast.AST, within: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield every node that runs, with the function that contains it, always in the same order."""
    yield tree, within
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        within = f"{within}.{tree.name}".lstrip(".")
    for field, value in ast.iter_fields(tree):
        if field not in TYPES:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and getattr(child, "arg", "") not in PROMISES:
                    yield from nodes(child, within)


def changes(source: str) -> Iterator[Change]:
    for number, (node, function) in enumerate(nodes(ast.parse(source))):
        for which, (text, _) in enumerate(changes_of(node)):
            yield Change(number, which, getattr(node, "lineno", 0), function, text)


def changed(source: str, change: Change) -> ast.Module:
    """Return the module with this change."""
    tree = ast.parse(source)
    wanted = [node for node, _ in nodes(tree)][change.node]
    made = changes_of(wanted)[change.which][1](copy.copy(wanted))

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(made, node) if node is wanted else self.generic_visit(node)

    exchanged = Exchange().visit(tree)
    assert isinstance(exchanged, ast.Module)
    return ast.fix_missing_locations(exchanged)
