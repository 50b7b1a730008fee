"""Sizes that must be equal in a function, derived from its structured ops.

The rows of `a` and of a residual that is added to it are both `?` in their types. The
op that adds them needs them to be equal. A kernel then takes one `M` for both, and the
launcher checks that they agree.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.types import is_buffer, is_tensor

Term: TypeAlias = "int | SSAValue | tuple[SSAValue, int] | tuple[StructuredOp, int]"
"""A size: a number, an index, a dimension of a value, or the extent of a loop."""

Extent = tuple[int, int]
"""The position of an argument, and one of its dimensions."""

SameExtents = Sequence[Sequence[Extent | int]]
"""Groups of equal extents; a number in a group is their value."""


def equal_terms(op: Operation) -> Iterator[tuple[Term, Term]]:
    """The pairs of sizes that an op needs to be equal."""
    match op:
        case StructuredOp():
            for map_, operand in zip(op.maps, op.operands, strict=True):
                for term, expr in zip(terms_of(operand), map_.results, strict=False):
                    if isinstance(expr, AffineDimExpr):
                        yield (op, expr.position), term
            for output, result in zip(op.outputs, op.results, strict=False):
                yield from equal_shapes(output, result)
        case SoftmaxOp():
            yield from equal_shapes(op.input, op.output)
            if op.result is not None:
                yield from equal_shapes(op.output, op.result)
        case tensor.DimOp():
            index = op.index.owner
            if isinstance(index, arith.ConstantOp) and isinstance(
                index.value, IntegerAttr
            ):
                terms = terms_of(op.source)
                if 0 <= index.value.value.data < len(terms):
                    yield terms[index.value.value.data], op.result
        case tensor.EmptyOp():
            sizes = iter(op.dynamic_sizes)
            for term in terms_of(op.tensor):
                if not isinstance(term, int):
                    yield next(sizes), term
        case tensor.CastOp():
            yield from equal_shapes(op.source, op.dest)
        case tensor.ExtractSliceOp():
            sizes = mixed(op.static_sizes, op.sizes)
            terms = terms_of(op.result)
            if len(sizes) == len(terms):
                yield from zip(sizes, terms, strict=True)
        case _:
            if op.dialect_name() in ("arith", "math"):
                shaped = [v for v in (*op.operands, *op.results) if terms_of(v)]
                for value in shaped[1:]:
                    yield from equal_shapes(shaped[0], value)


def equal_shapes(first: SSAValue, second: SSAValue) -> Iterator[tuple[Term, Term]]:
    """The pairs of dimensions of two values of one shape."""
    left, right = terms_of(first), terms_of(second)
    if len(left) == len(right):
        yield from zip(left, right, strict=True)


def terms_of(value: SSAValue) -> list[Term]:
    """The sizes of a value's dimensions, as numbers where the type has them."""
    of = value.type
    shape = of.get_shape() if is_tensor(of) or is_buffer(of) else ()
    return [
        (value, dim) if size == DYNAMIC_INDEX else size
        for dim, size in enumerate(shape)
    ]


class Extents:
    """The extents of a payload's tensors, equal ones in one class."""

    def __init__(self, module: ModuleOp):
        self._classes = DisjointSets[Term]()
        self.block: Block | None = None
        """The body of the one function; None if there are several."""
        functions = [
            op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks
        ]
        if len(functions) == 1 and len(functions[0].body.blocks) == 1:
            self.block = functions[0].body.block
            for op in self.block.ops:
                for first, second in equal_terms(op):
                    self._classes.union_left(first, second)

    def groups(self) -> list[list[Extent | int]]:
        """The dynamic extents of the arguments, equal ones together, in their order.

        If they equal a known number, it stands at the end of the group.
        """
        groups: dict[Hashable, list[Extent | int]] = {}
        for position, argument in enumerate(self.block.args if self.block else ()):
            for dim, term in enumerate(terms_of(argument)):
                if not isinstance(term, int):
                    root = self._classes.find(term)
                    groups.setdefault(root, []).append((position, dim))
        for term in self._classes:
            root = self._classes.find(term)
            if isinstance(term, int) and root in groups:
                groups[root].append(term)
        return list(groups.values())

    def dims(self, value: SSAValue) -> list[int | Extent | None]:
        """The extent of each dimension of a value, as those of `loops`."""
        first = self._first()
        return [
            term if isinstance(term, int) else first.get(self._classes.find(term))
            for term in terms_of(value)
        ]

    def _first(self) -> dict[Hashable, int | Extent]:
        """A number, or the first extent of an argument, for each class with one."""
        first: dict[Hashable, int | Extent] = {}
        for group in self.groups():
            extents = [entry for entry in group if not isinstance(entry, int)]
            numbers = [entry for entry in group if isinstance(entry, int)]
            for position, dim in extents:
                assert self.block is not None
                root = self._classes.find((self.block.args[position], dim))
                first[root] = numbers[0] if numbers else extents[0]
        return first

    def loops(self, op: StructuredOp) -> list[int | Extent | None]:
        """The extent of each loop of an op: a number, or an extent of an argument."""
        first = self._first()
        found: list[int | Extent | None] = [None] * op.maps[0].num_dims
        for map_, operand in zip(op.maps, op.operands, strict=True):
            for expr, term in zip(map_.results, terms_of(operand), strict=False):
                if not isinstance(expr, AffineDimExpr):
                    continue
                known = (
                    term
                    if isinstance(term, int)
                    else first.get(self._classes.find(term))
                )
                if found[expr.position] is None or isinstance(known, int):
                    found[expr.position] = known
        return found


def same_extents(module: ModuleOp) -> SameExtents:
    """The groups of equal extents of the one function; none if there are several."""
    return [group for group in Extents(module).groups() if len(group) > 1]
