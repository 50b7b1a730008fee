"""A payload at smaller sizes: the same ops on tensors of a few elements.

    linalg.matmul ins(%a, %b : tensor<4096x512xf16>, tensor<512x1024xf16>) ...

    linalg.matmul ins(%a, %b : tensor<13x8xf16>, tensor<8x5xf16>) ...

Two ways to compute a payload that agree at small sizes read its ops alike. Constants
keep their values: a mean still divides by 4096, in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import Rewriter

from tilewright.ir.dense_constants import dense_of, is_splat
from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.types import is_tensor

_SIZES = (13, 8, 5, 7, 11, 6, 9, 10, 3, 12)
"""Different, so that swapped dimensions show."""

_Extent = tuple[SSAValue | Operation, int]
"""A dimension of a tensor, or a loop of a structured op."""


def with_smaller_sizes(module: ModuleOp) -> ModuleOp | None:
    """A copy with smaller static sizes; None where an op depends on its sizes.

    Such ops take slices. A dimension that a reshape splits keeps its size.
    """
    small = module.clone()
    functions = [op for op in small.ops if isinstance(op, func.FuncOp)]
    if len(functions) != 1 or len(functions[0].body.blocks) != 1:
        return None
    sizes = _Sizes()
    for op in functions[0].body.block.ops:
        if not sizes.read(op):
            return None
    _resize(functions[0], sizes)
    return small


class _Sizes:
    """The extents that must be equal, and those that must stay as they are."""

    def __init__(self) -> None:
        self._classes = DisjointSets[_Extent]()
        self._fixed: list[_Extent] = []
        self._chosen: dict[_Extent, int] = {}

    def read(self, op: Operation) -> bool:
        """Note what an op needs; False where its sizes cannot be changed."""
        match op:
            case StructuredOp():
                self._read_structured(op)
            case SoftmaxOp():
                self._equal(*op.operands, *op.results)
            case tensor.ExpandShapeOp():
                self._read_groups(op.src, op.result, op.reassociation)
            case tensor.CollapseShapeOp():
                self._read_groups(op.result, op.src, op.reassociation)
            case tensor.EmptyOp() | func.ReturnOp():
                pass
            case arith.ConstantOp():
                value = op.value
                if isinstance(value, DenseIntOrFPElementsAttr) and not is_splat(value):
                    return False
            case _:
                if op.dialect_name() not in ("arith", "math") or op.regions:
                    return False
                values = (*op.operands, *op.results)
                self._equal(*(value for value in values if is_tensor(value.type)))
        shaped = (v for v in (*op.operands, *op.results) if is_tensor(v.type))
        return all(DYNAMIC_INDEX not in _shape(value) for value in shaped)

    def _read_structured(self, op: StructuredOp) -> None:
        for map_, operand in zip(op.maps, op.operands, strict=True):
            for dim, expr in enumerate(map_.results):
                if isinstance(expr, AffineDimExpr):
                    self._classes.union_left((op, expr.position), (operand, dim))
                    continue
                # A window, as of a convolution: its loops and extents belong together.
                self._fixed.append((operand, dim))
                for part in expr.dfs():
                    if isinstance(part, AffineDimExpr):
                        self._fixed.append((op, part.position))
        for output, result in zip(op.outputs, op.results, strict=False):
            self._equal(output, result)

    def _read_groups(
        self, few: SSAValue, many: SSAValue, groups: ArrayAttr[ArrayAttr[IntegerAttr]]
    ) -> None:
        """Note that each dimension of `few` is the product of a group of `many`."""
        for dim, group in enumerate(groups):
            parts = [one.value.data for one in group]
            real = [part for part in parts if _shape(many)[part] > 1] or parts[:1]
            if len(real) == 1:
                self._classes.union_left((few, dim), (many, real[0]))
            else:
                self._fixed += [(few, dim), *((many, part) for part in real)]

    def _equal(self, first: SSAValue, *others: SSAValue) -> None:
        for other in others:
            for dim in range(len(_shape(first))):
                self._classes.union_left((first, dim), (other, dim))

    def shape(self, value: SSAValue) -> list[int]:
        """The new shape of a tensor."""
        return [
            self._new_size((value, dim), size) for dim, size in enumerate(_shape(value))
        ]

    def _new_size(self, extent: _Extent, size: int) -> int:
        fixed = {self._classes.find(one) for one in self._fixed}
        root = self._classes.find(extent)
        if root in fixed:
            return size
        if root not in self._chosen:
            wanted = _SIZES[len(self._chosen) % len(_SIZES)]
            self._chosen[root] = min(size, wanted)
        return self._chosen[root]


def _shape(value: SSAValue) -> tuple[int, ...]:
    return value.type.get_shape() if is_tensor(value.type) else ()


def _resize(function: func.FuncOp, sizes: _Sizes) -> None:
    """Give every tensor of a function its new size."""
    block = function.body.block
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    new_types = {
        value: _resized(value.type, sizes.shape(value))
        for value in values
        if is_tensor(value.type)
    }
    for value, new in new_types.items():
        if new == value.type:
            continue
        constant = value.owner
        if isinstance(constant, arith.ConstantOp):
            dense = constant.value
            assert isinstance(dense, DenseIntOrFPElementsAttr)
            constant.value = dense_of(new, cast("Sequence[float]", dense.get_values()))
        Rewriter.replace_value_with_new_type(value, new)
    for op in block.ops:
        if isinstance(op, tensor.ExpandShapeOp):
            shape = _shape(op.result)
            op.static_output_shape = DenseArrayBase.from_list(i64, shape)
    returned = block.last_op
    assert returned is not None
    function.function_type = FunctionType.from_lists(
        [argument.type for argument in block.args],
        [value.type for value in returned.operands],
    )


def _resized(of: Attribute, shape: list[int]) -> TensorType[Attribute]:
    assert is_tensor(of)
    return TensorType(of.element_type, shape, of.encoding)
