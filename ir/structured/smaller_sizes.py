"""A payload at smaller sizes: the same ops on smaller tensors.

    linalg.matmul ins(%a, %b : tensor<4096x512xf16>, tensor<512x1024xf16>) ...

    linalg.matmul ins(%a, %b : tensor<13x8xf16>, tensor<8x5xf16>) ...
    linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) ...

`with_smaller_sizes` takes a few elements: two ways to compute a payload that agree
there read its ops alike. `with_halved_sizes` halves the largest extents, so that a
schedule for the payload still applies. Constants keep their values: a mean still
divides by 4096, in both.
"""

from __future__ import annotations

import math
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
from tilewright.ir.dialects.linalg import IndexOp, SoftmaxOp, StructuredOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.indexing.index_ops import values_behind
from tilewright.ir.types import is_tensor

_SIZES = (13, 8, 5, 7, 11, 6, 9, 10, 3, 12)
"""Different, so that swapped dimensions show."""

_FEWEST = 256
"""Extents up to this are halved last: a tile along them may be as large."""

_Extent = tuple[SSAValue | Operation, int]
"""A dimension of a tensor, or a loop of a structured op."""


def with_smaller_sizes(module: ModuleOp) -> ModuleOp | None:
    """A copy with smaller static sizes; None where an op depends on its sizes.

    Such ops take slices. A dimension that a reshape splits keeps its size.
    """
    small = module.clone()
    found = _read(small)
    if found is None:
        return None
    function, sizes = found
    sizes.choose_few(_tensors(function))
    _resize(function, sizes)
    return small


def with_halved_sizes(module: ModuleOp, most_iterations: float) -> ModuleOp | None:
    """A copy whose ops have at most so many iterations together; None if there is none.

    The largest extent is halved until they fit, those above 256 first.
    """
    small = module.clone()
    found = _read(small)
    if found is None:
        return None
    function, sizes = found
    while sizes.iterations() > most_iterations:
        if not sizes.halve_largest():
            return None
    _resize(function, sizes)
    return small


def _read(module: ModuleOp) -> tuple[func.FuncOp, _Sizes] | None:
    """The function of a module and its sizes; None where they cannot be changed."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    if len(functions) != 1 or len(functions[0].body.blocks) != 1:
        return None
    sizes = _Sizes()
    for op in functions[0].body.block.ops:
        if not sizes.read(op):
            return None
    return functions[0], sizes


class _Sizes:
    """The extents that must be equal, and those that must stay as they are."""

    def __init__(self) -> None:
        self._classes = DisjointSets[_Extent]()
        self._fixed: list[_Extent] = []
        self._chosen: dict[_Extent, int] = {}
        self._ops: list[StructuredOp] = []

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

    def iterations(self) -> int:
        """The iterations of all structured ops, at the extents chosen so far."""
        return sum(
            math.prod(size for _, size in self._loops(op).values()) for op in self._ops
        )

    def halve_largest(self) -> bool:
        """Halve the largest extent that can be halved; False if there is none."""
        fixed = {self._classes.find(one) for one in self._fixed}
        free = {
            root: size
            for op in self._ops
            for root, size in self._loops(op).values()
            if root not in fixed and size % 2 == 0 and size > 2
        }
        if not free:
            return False
        large = {root: size for root, size in free.items() if size > _FEWEST}
        root, size = max((large or free).items(), key=lambda item: item[1])
        self._chosen[root] = size // 2
        return True

    def _loops(self, op: StructuredOp) -> dict[int, tuple[_Extent, int]]:
        """The loops of an op that index a dimension: their class, and its extent."""
        found: dict[int, tuple[_Extent, int]] = {}
        for map_, operand in zip(op.maps, op.operands, strict=True):
            for dim, expr in enumerate(map_.results):
                if isinstance(expr, AffineDimExpr):
                    root = self._classes.find((op, expr.position))
                    size = self._chosen.get(root, _shape(operand)[dim])
                    found[expr.position] = root, size
        return found

    def _read_structured(self, op: StructuredOp) -> None:
        self._ops.append(op)
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
        for inside in op.walk():
            if isinstance(inside, tensor.ExtractOp):
                self._read_extract(op, inside)

    def _read_extract(self, op: StructuredOp, extract: tensor.ExtractOp) -> None:
        """Note where a body reads a tensor: at its loops, or at computed indices.

        Such an index may hold constants that are right for these sizes alone, as the
        last row of an image that is padded by itself. What it depends on stays.
        """
        for dim, index in enumerate(extract.indices):
            if isinstance(index.owner, IndexOp):
                loop = op, index.owner.dim.value.data
                self._classes.union_left(loop, (extract.tensor, dim))
                continue
            self._fixed.append((extract.tensor, dim))
            for value in values_behind(index):
                if isinstance(value.owner, IndexOp):
                    self._fixed.append((op, value.owner.dim.value.data))

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
        return self._chosen.get(self._classes.find(extent), size)

    def choose_few(self, values: Sequence[SSAValue]) -> None:
        """Choose a few elements for every extent of some tensors that may change."""
        fixed = {self._classes.find(one) for one in self._fixed}
        for value in values:
            for dim, size in enumerate(_shape(value)):
                root = self._classes.find((value, dim))
                if root not in fixed and root not in self._chosen:
                    wanted = _SIZES[len(self._chosen) % len(_SIZES)]
                    self._chosen[root] = min(size, wanted)


def _shape(value: SSAValue) -> tuple[int, ...]:
    return value.type.get_shape() if is_tensor(value.type) else ()


def _tensors(function: func.FuncOp) -> list[SSAValue]:
    block = function.body.block
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    return [value for value in values if is_tensor(value.type)]


def _resize(function: func.FuncOp, sizes: _Sizes) -> None:
    """Give every tensor of a function its new size."""
    block = function.body.block
    new_types = {
        value: _resized(value.type, sizes.shape(value)) for value in _tensors(function)
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
