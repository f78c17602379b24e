"""Small faults in a module's source, one at a time: a bound moved by one place, a sign, a forgotten + 1."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
RENAMED = {
    one: other
    for pair in (("min", "max"), ("minimum", "maximum"), ("any", "all"), ("floor", "ceil"), ("low", "high"))
    for one, other in (pair, pair[::-1])
}
WIDE = 100
"""Characters that are still read at a glance."""
WORDS = (ast.JoinedStr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)
"""What tells people something, or names what is used, is left as it is."""
SHOWN = (ast.expr, ast.operator, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
"""What a fault is shown in."""
TYPES = ("annotation", "returns", "decorator_list", "bases", "type_params")


@dataclass(frozen=True)
class Mutant:
    """A fault.

    Attributes:
        module: The file, relative to the repository.
        function: Where it is, such as ``ResampledEstimate.p_value``; empty at the top of the module.
        before: What is around it, as it is.
        after: The same with the fault.
        place: Which of the module's faults it is.
    """

    module: str
    function: str
    before: str
    after: str
    place: int

    def __str__(self) -> str:
        return f"{self.module} {self.function or '(top)'}: {self.before}  ->  {self.after}"


def mutants(repository: Path, module: str) -> list[Mutant]:
    """Every fault of a module, in the order of its source."""
    tree = ast.parse((repository / module).read_text(encoding="utf-8"))
    found = []
    for place, fault in enumerate(list(_faults(tree))):
        before, kept = fault.around.text, fault.slot.node
        fault.slot.put(fault.node)
        found.append(Mutant(module, fault.function, before, fault.around.text, place))
        fault.slot.put(kept)
    return found


def mutated(repository: Path, mutant: Mutant) -> ast.Module:
    """The module with the fault."""
    tree = ast.parse((repository / mutant.module).read_text(encoding="utf-8"))
    fault = list(_faults(tree))[mutant.place]
    fault.slot.put(fault.node)
    return ast.fix_missing_locations(tree)


@dataclass(frozen=True)
class _Slot:
    """Where a node stands in the one above it."""

    above: ast.AST
    name: str
    index: int | None

    @property
    def node(self) -> ast.AST:
        found = getattr(self.above, self.name)
        return cast(ast.AST, found if self.index is None else found[self.index])

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.above, self.name, node)
        else:
            getattr(self.above, self.name)[self.index] = node

    @cached_property
    def is_wide(self) -> bool:
        return len(self.text) > WIDE

    @property
    def text(self) -> str:
        return ast.unparse(self.above if isinstance(self.node, ast.operator) else self.node)


@dataclass(frozen=True)
class _Fault:
    function: str
    around: _Slot
    slot: _Slot
    node: ast.AST


def _faults(above: ast.AST, function: str = "", around: _Slot | None = None) -> Iterator[_Fault]:
    """Every fault below a node; ``around`` is the largest piece it is in that is not too wide to be read."""
    for name, value in ast.iter_fields(above):
        nodes = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, node in nodes if name not in TYPES else ():
            if not isinstance(node, ast.AST) or isinstance(node, WORDS) or _is_words(node) or _is_promise(node):
                continue
            slot = _Slot(above, name, index)
            named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            inside = f"{function}.{node.name}".lstrip(".") if named else function
            widest = slot if around is None or around.is_wide else around
            largest = widest if isinstance(node, SHOWN) else around
            if largest is not None:
                yield from (_Fault(inside, largest, slot, other) for other in _others(node))
            yield from _faults(node, inside, largest)


def _is_words(node: ast.AST) -> bool:
    """A docstring, what a caveat says, or types: no arithmetic."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Caveat", "isinstance")


def _is_promise(node: ast.AST) -> bool:
    """``strict=True`` of a zip computes nothing, ``repr`` and ``compare`` of a field neither; any seed is as good."""
    return isinstance(node, ast.keyword) and node.arg in ("strict", "repr", "compare", "seed")


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may become by a slip."""
    if type(node) in SWAPPED:
        yield SWAPPED[type(node)]()
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        yield ast.Constant(_another(node.value))
    elif isinstance(node, ast.Name) and node.id in RENAMED:
        yield ast.Name(RENAMED[node.id], node.ctx)
    elif isinstance(node, ast.Attribute) and node.attr in RENAMED:
        yield ast.Attribute(node.value, RENAMED[node.attr], node.ctx)


def _another(value: float) -> float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) or value == 0 else 2 * value
