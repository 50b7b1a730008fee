"""Masks: create_mask, constant_mask, and `vector.mask` around an op."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, VectorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.vector.contract import ContractOp, OuterProductOp, dims_of
from tilewright.ir.dialects.vector.indexed import GatherOp
from tilewright.ir.dialects.vector.reductions import MultiReductionOp, ReductionOp
from tilewright.ir.dialects.vector.transfers import TransferReadOp, TransferWriteOp
from tilewright.ir.types import lanes, vector_type


@irdl_op_definition
class CreateMaskOp(IRDLOperation):
    """A mask of the first lanes of each dimension; operands give their number."""

    name = "vector.create_mask"

    mask_dim_sizes = var_operand_def(IndexType)
    mask_vector = result_def(VectorType.constr(i1))

    traits = traits_def(Pure())

    assembly_format = "$mask_dim_sizes attr-dict `:` type($mask_vector)"

    def __init__(
        self, sizes: Sequence[SSAValue | Operation], result_type: VectorType[Attribute]
    ):
        super().__init__(operands=[sizes], result_types=[result_type])

    def verify_(self) -> None:
        """A size for each dimension; one for a vector without dimensions."""
        rank = vector_type(self.mask_vector).get_num_dims()
        if rank == 0 and len(self.mask_dim_sizes) != 1:
            raise VerifyException(
                "must specify exactly one operand for 0-D create_mask"
            )
        if rank and len(self.mask_dim_sizes) != rank:
            raise VerifyException(
                "must specify an operand for each result vector dimension"
            )


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask of the first lanes of each dimension; an attribute gives their number.

    The canonical form of `vector.create_mask` on constants.
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType.constr(i1))

    traits = traits_def(Pure())

    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[int], result_type: VectorType[Attribute]):
        super().__init__(
            result_types=[result_type],
            properties={"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)},
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of enabled lanes of each dimension."""
        return tuple(int(size) for size in self.mask_dim_sizes.get_values())

    def verify_(self) -> None:
        """Sizes are within the vector; if one is zero, all of them are."""
        shape = vector_type(self.result).get_shape()
        if not shape:
            if self.sizes not in ((0,), (1,)):
                raise VerifyException(
                    "mask dim size must be either 0 or 1 for 0-D vectors"
                )
            return
        if len(self.sizes) != len(shape):
            raise VerifyException(
                "must specify array attr of size equal vector result rank"
            )
        for size, extent in zip(self.sizes, shape, strict=True):
            if not 0 <= size <= extent:
                raise VerifyException(
                    f"mask dim size {size} is out of bounds of vector result dimension "
                    f"size {extent}"
                )
        if 0 in self.sizes and any(self.sizes):
            raise VerifyException(
                "expected all mask dim sizes to be zeros, as a result of conjunction "
                "with zero mask dim"
            )


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of `vector.mask`; upstream's printer leaves it out, and so do we."""

    name = "vector.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


MASKABLE = (
    TransferReadOp,
    TransferWriteOp,
    GatherOp,
    ContractOp,
    OuterProductOp,
    ReductionOp,
    MultiReductionOp,
)
"""The ops that can be masked."""


@irdl_op_definition
class MaskOp(IRDLOperation):
    """Execute a vector op under a mask; other lanes yield the pass-through value."""

    name = "vector.mask"

    mask = operand_def(VectorType.constr(i1))
    passthru = opt_operand_def(AnyAttr())
    body = region_def("single_block")
    res = var_result_def()

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self, mask: SSAValue, masked: Operation, passthru: SSAValue | None = None
    ):
        body = Region(Block([masked, YieldOp(*masked.results)]))
        super().__init__(
            operands=[mask, passthru],
            result_types=[[result.type for result in masked.results]],
            regions=[body],
        )

    @property
    def masked_op(self) -> Operation | None:
        """The op under the mask, if there is one."""
        first = self.body.block.first_op
        return None if first is None or isinstance(first, YieldOp) else first

    def verify_(self) -> None:
        """At most one op, which can be masked, then the yield."""
        ops = list(self.body.block.ops)
        if not ops or not isinstance(ops[-1], YieldOp):
            raise VerifyException("expects a terminator within the mask region")
        if len(ops) > 2:
            raise VerifyException("expects only one operation to mask")
        yielded = ops[-1].operands
        if len(self.res) != len(yielded):
            raise VerifyException(
                "expects number of results to match mask region yielded values"
            )
        if [r.type for r in self.res] != [value.type for value in yielded]:
            raise VerifyException(
                "expects result type to match maskable operation result type"
            )
        if self.masked_op is not None:
            self._verify_masked(self.masked_op)

    def _verify_masked(self, masked: Operation) -> None:
        if not isinstance(masked, MASKABLE):
            raise VerifyException(
                "expects an op that can be masked within the mask region; "
                f"'{masked.name}' cannot"
            )
        expected = VectorType(i1, lanes_masked(masked))
        if self.mask.type != expected:
            raise VerifyException(
                f"expects a '{expected}' mask for the maskable operation"
            )
        if self.passthru is None:
            return
        if not isinstance(masked, TransferReadOp):
            raise VerifyException(
                "doesn't expect a passthru argument for this maskable operation"
            )
        if self.passthru.type != self.res[0].type:
            raise VerifyException("expects passthru type to match result type")

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        """`%mask[, %passthru] { op } : mask type [-> type]`."""
        mask = parser.parse_unresolved_operand()
        passthru = None
        if parser.parse_optional_punctuation(","):
            passthru = parser.parse_unresolved_operand()
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        mask_type = parser.parse_type()
        types: list[Attribute] = []
        pos = parser.pos
        if parser.parse_optional_punctuation("->"):
            types = list(
                parser.parse_optional_comma_separated_list(
                    Parser.Delimiter.PAREN, parser.parse_type
                )
                or [parser.parse_type()]
            )
        if passthru is not None and not types:
            parser.raise_error("expects a result if passthru operand is provided", pos)
        if not region.blocks:
            region.add_block(Block())
        block = region.block
        if not isinstance(block.last_op, YieldOp):
            results = block.last_op.results if block.last_op is not None else ()
            block.add_op(YieldOp(*results))
        op = cls.build(
            operands=[
                parser.resolve_operand(mask, mask_type),
                parser.resolve_operand(passthru, types[0]) if passthru else None,
            ],
            result_types=[types],
            regions=[region],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%mask[, %passthru] { op } : mask type [-> type]`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.mask)
        if self.passthru is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.passthru)
        printer.print_string(" ")
        # If there is no op to mask, the terminator has the result and is printed.
        printer.print_region(
            self.body, print_block_terminators=self.masked_op is None and bool(self.res)
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)


def lanes_masked(op: Operation) -> tuple[int, ...]:
    """The shape of the mask that an op takes."""
    match op:
        case TransferReadOp() | TransferWriteOp():
            return op.mask_shape
        case ContractOp():
            extents: dict[int, int] = {}
            for map, value in zip(op.maps[:2], (op.lhs, op.rhs), strict=True):
                shape = vector_type(value).get_shape()
                extents |= dict(zip(dims_of(map), shape, strict=True))
            return tuple(extents[loop] for loop in sorted(extents))
        case ReductionOp():
            return vector_type(op.vector).get_shape()
        case MultiReductionOp():
            return vector_type(op.source).get_shape()
        case _:
            return lanes(op.results[0].type) or ()
