"""`linalg.broadcast` and `linalg.transpose`: ops that only move elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import SameVariadicOperandSize, irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr
from tilewright.ir.dialects.linalg.generic import YieldOp
from tilewright.ir.dialects.linalg.loops import iterators, maps_attribute, shape_of
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.ir.dialects.linalg.syntax import (
    parse_dimensions,
    parse_ins_outs,
    print_dimensions,
    print_ins_outs,
    size_text,
)
from tilewright.ir.types import element_type, is_tensor


class MovementOp(StructuredOp, ABC):
    """One input, one output, a list of dimensions, and a body that yields its input."""

    KEYWORD: ClassVar[str]
    """The name of the list of dimensions."""

    irdl_options = (SameVariadicOperandSize(),)

    def __init__(self, source: SSAValue, init: SSAValue, dimensions: Sequence[int]):
        body = Body([element_type(source.type), element_type(init.type)])
        body.append(YieldOp(body.args[0]))
        super().__init__(
            operands=[[source], [init]],
            result_types=[[init.type] if is_tensor(init.type) else []],
            properties={self.KEYWORD: DenseArrayBase.from_list(i64, dimensions)},
            regions=[body.region()],
        )

    @property
    @abstractmethod
    def dims(self) -> tuple[int, ...]:
        """The list of dimensions."""

    @abstractmethod
    def source_map(self) -> AffineMap:
        """The input's map; there is a loop for each dimension of the output."""

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The output has the identity map."""
        whole = AffineMap.identity(self.get_num_loops())
        return maps_attribute([self.source_map(), whole])

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """All parallel."""
        return iterators(len(shape_of(self.outputs[0].type)))

    def verify_(self) -> None:
        """There is one input and one output; then `verify_dimensions`."""
        if len(self.inputs) != 1:
            raise VerifyException("expected one input and one output")
        self.verify_dimensions(
            shape_of(self.inputs[0].type), shape_of(self.outputs[0].type)
        )
        super().verify_()

    @abstractmethod
    def verify_dimensions(self, source: Sequence[int], init: Sequence[int]) -> None:
        """Raise if the dimensions do not fit the shapes."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`ins(...) outs(...) keyword = [...] [{...}]`."""
        pos = parser.pos
        inputs, outputs = parse_ins_outs(parser)
        if len(inputs) != 1 or len(outputs) != 1:
            parser.raise_error("expected one input and one output", pos, parser.pos)
        dimensions = parse_dimensions(parser, cls.KEYWORD)
        op = cls(inputs[0], outputs[0], dimensions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """As parsed."""
        print_ins_outs(printer, self.inputs, self.outputs)
        print_dimensions(printer, self.KEYWORD, self.dims)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class BroadcastOp(MovementOp):
    """Repeat the input along new dimensions of the output."""

    name = "linalg.broadcast"
    KEYWORD: ClassVar[str] = "dimensions"

    dimensions = prop_def(DenseArrayBase.constr(i64))

    @property
    def dims(self) -> tuple[int, ...]:
        """The dimensions of the output that the input does not have."""
        return tuple(self.dimensions.get_values())

    def source_map(self) -> AffineMap:
        """The loops that are not new."""
        rank = self.get_num_loops()
        kept = [AffineExpr.dimension(d) for d in range(rank) if d not in self.dims]
        return AffineMap(rank, 0, tuple(kept))

    def verify_dimensions(self, source: Sequence[int], init: Sequence[int]) -> None:
        """The other dimensions of the output are the input's, in order."""
        if len(source) + len(self.dims) != len(init):
            raise VerifyException(
                "input rank plus added dimensions does not match init rank. "
                f"input rank: {len(source)}, dimensions size: {len(self.dims)}, "
                f"init rank: {len(init)}"
            )
        for index, dim in enumerate(self.dims):
            if not 0 <= dim < len(init):
                raise VerifyException(
                    f"dimension {index} is out of range. expected range: "
                    f"[0, {len(init) - 1}], got: {dim}"
                )
        if list(self.dims) != sorted(set(self.dims)):
            raise VerifyException("expected dimensions to be in increasing order")
        kept = [dim for dim in range(len(init)) if dim not in self.dims]
        for index, (dim, size) in enumerate(zip(kept, source, strict=True)):
            if size != init[dim]:
                raise VerifyException(
                    f"input dim {index} should match init dim {dim}. "
                    f"input: {size_text(size)}, init: {size_text(init[dim])}"
                )


@irdl_op_definition
class TransposeOp(MovementOp):
    """Dimension i of the output is dimension `permutation[i]` of the input."""

    name = "linalg.transpose"
    KEYWORD: ClassVar[str] = "permutation"

    permutation = prop_def(DenseArrayBase.constr(i64))

    @property
    def dims(self) -> tuple[int, ...]:
        """The permutation."""
        return tuple(self.permutation.get_values())

    def source_map(self) -> AffineMap:
        """The inverse of the permutation."""
        order = [
            AffineExpr.dimension(self.dims.index(d)) for d in range(len(self.dims))
        ]
        return AffineMap(len(self.dims), 0, tuple(order))

    def verify_dimensions(self, source: Sequence[int], init: Sequence[int]) -> None:
        """The list is a permutation, and the output has the permuted sizes."""
        if sorted(self.dims) != list(range(len(self.dims))):
            raise VerifyException("permutation is not valid")
        if len(source) != len(init):
            raise VerifyException(
                f"input rank {len(source)} does not match init rank {len(init)}"
            )
        if len(source) != len(self.dims):
            raise VerifyException(
                f"size of permutation {len(self.dims)} does not match the argument "
                f"rank {len(source)}"
            )
        for dim, origin in enumerate(self.dims):
            if init[dim] != source[origin]:
                raise VerifyException(
                    f"dim(result, {dim}) = {size_text(init[dim])} doesn't match "
                    f"dim(input, permutation[{dim}]) = {size_text(source[origin])}"
                )
