"""Which extents of a function's arguments must be equal, told from its structured ops.

The rows of `a` and of a residual that is added to it are both `?` in their types; that
they are the same number is said by the op that adds them. A kernel then takes one `M`
for both, and the launcher checks that they agree.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.codegen.analysis.indices import Runtime
from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import mixed

Extent = tuple[int, int]
"""The position of an argument, and one of its dimensions."""

SameExtents = Sequence[Sequence[Extent | int]]
"""Groups of extents that are equal; a number in a group is what they are."""


@dataclass
class _Classes:
    parents: dict[Hashable, Hashable] = field(default_factory=dict[Hashable, Hashable])

    def find(self, node: Hashable) -> Hashable:
        while (parent := self.parents.setdefault(node, node)) != node:
            node = parent
        return node

    def join(self, first: Hashable, second: Hashable) -> None:
        root, other = self.find(first), self.find(second)
        if root != other:
            self.parents[other] = root


class Extents:
    """The extents of a payload's tensors: which are one and the same number."""

    def __init__(self, module: ModuleOp):
        self._classes = _Classes()
        self.block: Block | None = None
        """The body of the one function; None where there are several."""
        functions = [
            op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks
        ]
        if len(functions) == 1 and len(functions[0].body.blocks) == 1:
            self.block = functions[0].body.block
            for op in self.block.ops:
                _add(op, self._classes)

    def groups(self) -> list[list[Extent | int]]:
        """The open extents of the arguments, equal ones together, in their order.

        Where they equal a number that is known, that stands at the end of the group.
        """
        groups: dict[Hashable, list[Extent | int]] = {}
        for position, argument in enumerate(self.block.args if self.block else ()):
            for dim, size in enumerate(_shape(argument)):
                if size == DYNAMIC_INDEX:
                    root = self._classes.find((argument, dim))
                    groups.setdefault(root, []).append((position, dim))
        for node in list(self._classes.parents):
            root = self._classes.find(node)
            if isinstance(node, int) and root in groups:
                groups[root].append(node)
        return list(groups.values())

    def loops(self, op: StructuredOp) -> list[int | Extent | None]:
        """How often each loop of an op runs: a number, or an argument's extent."""
        first: dict[Hashable, int | Extent] = {}
        for group in self.groups():
            extents = [entry for entry in group if not isinstance(entry, int)]
            numbers = [entry for entry in group if isinstance(entry, int)]
            for position, dim in extents:
                assert self.block is not None
                root = self._classes.find((self.block.args[position], dim))
                first[root] = numbers[0] if numbers else extents[0]
        found: list[int | Extent | None] = [None] * op.maps[0].num_dims
        for map_, operand in zip(op.maps, op.operands, strict=True):
            for expr, node in zip(map_.results, _nodes(operand), strict=False):
                if not isinstance(expr, AffineDimExpr):
                    continue
                known = (
                    node
                    if isinstance(node, int)
                    else first.get(self._classes.find(node))
                )
                if found[expr.position] is None or isinstance(known, int):
                    found[expr.position] = known
        return found


def same_extents(module: ModuleOp) -> SameExtents:
    """The groups of the one function of a payload; none where it has several."""
    return [group for group in Extents(module).groups() if len(group) > 1]


def representatives(
    function: func.FuncOp, same: SameExtents
) -> Mapping[Runtime, Runtime | int]:
    """For each extent of a group, what stands for it: a number, or the first one."""
    arguments = function.body.block.args
    found: dict[Runtime, Runtime | int] = {}
    for group in same:
        keys = [
            Runtime(arguments[entry[0]], entry[1])
            for entry in group
            if not isinstance(entry, int)
        ]
        numbers = [entry for entry in group if isinstance(entry, int)]
        for key in keys:
            found[key] = numbers[0] if numbers else keys[0]
    return found


def _add(op: Operation, classes: _Classes) -> None:
    """Join what an op takes to be equal; extents known before it runs are numbers."""
    match op:
        case StructuredOp():
            loops: dict[int, Hashable] = {}
            for map_, operand in zip(op.maps, op.operands, strict=True):
                nodes = _nodes(operand)
                for dim, expr in enumerate(map_.results):
                    if isinstance(expr, AffineDimExpr) and nodes:
                        first = loops.setdefault(expr.position, nodes[dim])
                        classes.join(first, nodes[dim])
            for output, result in zip(op.outputs, op.results, strict=False):
                _join_values(output, result, classes)
        case SoftmaxOp():
            _join_values(op.input, op.output, classes)
            if op.result is not None:
                _join_values(op.output, op.result, classes)
        case tensor.DimOp():
            index = op.index.owner
            if isinstance(index, arith.ConstantOp) and isinstance(
                index.value, IntegerAttr
            ):
                nodes = _nodes(op.source)
                if 0 <= index.value.value.data < len(nodes):
                    classes.join(nodes[index.value.value.data], op.result)
        case tensor.EmptyOp():
            sizes = iter(op.dynamic_sizes)
            for node in _nodes(op.tensor):
                if not isinstance(node, int):
                    classes.join(next(sizes), node)
        case tensor.CastOp():
            _join_values(op.source, op.dest, classes)
        case tensor.ExtractSliceOp():
            sizes = mixed(op.static_sizes, op.sizes)
            nodes = _nodes(op.result)
            if len(sizes) == len(nodes):
                for size, node in zip(sizes, nodes, strict=True):
                    classes.join(size, node)
        case _:
            shaped = [v for v in (*op.operands, *op.results) if _nodes(v)]
            if op.dialect_name() in ("arith", "math"):
                for value in shaped[1:]:
                    _join_values(shaped[0], value, classes)


def _join_values(first: SSAValue, second: SSAValue, classes: _Classes) -> None:
    left, right = _nodes(first), _nodes(second)
    if len(left) == len(right):
        for one, other in zip(left, right, strict=True):
            classes.join(one, other)


def _nodes(value: SSAValue) -> list[Hashable]:
    """One for each dimension: the number itself where it is known."""
    return [
        (value, dim) if size == DYNAMIC_INDEX else size
        for dim, size in enumerate(_shape(value))
    ]


def _shape(value: SSAValue) -> tuple[int, ...]:
    of = value.type
    return tuple(of.get_shape()) if isinstance(of, TensorType | MemRefType) else ()
