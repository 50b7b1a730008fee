"""The sizes of tensors in a reference: numbers, or `a.shape[0]` where they are open."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.codegen.source.python_text import Expression, Literal, Name
from tilewright.codegen.standalone.reference.body import NoReference
from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.loops import Nest


class TensorSizes:
    """Reads open sizes from tensors that the reference has already computed."""

    def __init__(self, function: func.FuncOp, values: Mapping[SSAValue, Expression]):
        self._function = function
        self._values = values
        """The expressions so far; sizes are Python numbers."""

    def of(self, value: SSAValue) -> list[Expression]:
        """The extents of a tensor."""
        of = value.type
        assert isinstance(of, TensorType)
        return [
            Literal(str(size)) if size != DYNAMIC_INDEX else self._extent(value, dim)
            for dim, size in enumerate(of.get_shape())
        ]

    def asked(self, op: tensor.DimOp) -> Expression:
        """The extent that a `tensor.dim` reads."""
        index = op.index.owner
        if isinstance(index, arith.ConstantOp) and isinstance(index.value, IntegerAttr):
            sizes = self.of(op.source)
            if 0 <= index.value.value.data < len(sizes):
                return sizes[index.value.value.data]
        raise NoReference(op, "which extent it asks for is not known")

    def of_loops(self, op: StructuredOp, nest: Nest) -> list[Expression]:
        """The trip count of each loop, from an operand's extent where it is open."""
        found: list[Expression] = []
        for loop, size in enumerate(op.get_static_loop_ranges()):
            if size != DYNAMIC_INDEX:
                found.append(Literal(str(size)))
                continue
            value, dim = _of_loop(op, nest, loop)
            found.append(self._extent(value, dim))
        return found

    def _extent(self, value: SSAValue, dim: int) -> Expression:
        if value in self._values:
            return Name(f"{self._values[value]}.shape[{dim}]")
        match value.owner:
            case tensor.EmptyOp() as op:
                shape = op.tensor.type.get_shape()
                known = shape[:dim].count(DYNAMIC_INDEX)
                return self._values[op.dynamic_sizes[known]]
            case StructuredOp() as op:
                position = op.results.index(value)
                return self._extent(op.outputs[position], dim)
            case owner:
                op = self._function if isinstance(owner, Block) else owner
                raise NoReference(op, "its extents are not known before it runs")


def _of_loop(op: StructuredOp, nest: Nest, loop: int) -> tuple[SSAValue, int]:
    """An operand and its dimension that a loop runs over."""
    for operand, map in zip(op.operands, nest.maps, strict=True):
        for dim, expr in enumerate(map.results):
            if isinstance(expr, AffineDimExpr) and expr.position == loop:
                return operand, dim
    raise NoReference(op, f"how often its loop {loop} runs is not known")
