"""vector: contract, multi_reduction, transpose, mask, and effects for the transfers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    Operation,
    Region,
    SSAValue,
)
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
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
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.effects import BufferEffect, BufferReadEffect
from tilewright.ir.dialects.enums import Bracketed
from tilewright.ir.types import is_array, is_vector, lanes, vector_type


class IteratorType(StrEnum):
    """What a loop of a contraction does."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(Bracketed, EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"


@irdl_op_definition
class ContractOp(IRDLOperation):
    """A tensor contraction with an accumulator."""

    name = "vector.contract"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(AnyAttr())
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    kind = prop_def(
        CombiningKindAttr, default_value=CombiningKindAttr(CombiningKindFlag.ADD)
    )
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue,
        indexing_maps: ArrayAttr[AffineMapAttr],
        iterator_types: ArrayAttr[IteratorTypeAttr],
        kind: CombiningKindAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            result_types=[acc.type],
            properties={
                "indexing_maps": indexing_maps,
                "iterator_types": iterator_types,
                "kind": kind or CombiningKindAttr(CombiningKindFlag.ADD),
            },
        )

    def verify_(self) -> None:
        """Three maps over the same loops; the result is the accumulator's type."""
        if len(self.indexing_maps) != 3:
            raise VerifyException("expected an indexing map for each vector operand")
        for attribute in self.indexing_maps:
            if attribute.data.num_dims != len(self.iterator_types):
                raise VerifyException("expected indexing maps over the iterator types")
        if self.result.type != self.acc.type:
            raise VerifyException("expected the result to have the accumulator's type")
        extents: dict[int, int] = {}
        for attribute, operand in zip(self.indexing_maps, self.operands, strict=True):
            if (shape := lanes(operand.type)) is None:
                continue
            dims = attribute.data.results
            if len(dims) != len(shape):
                raise VerifyException("expected the map's results to match the rank")
            for dim, size in zip(dims, shape, strict=True):
                if not isinstance(dim, AffineDimExpr):
                    raise VerifyException("expected indexing maps that pick loops")
                if extents.setdefault(dim.position, size) != size:
                    raise VerifyException("invalid contracting dimension map")

    @classmethod
    def parse(cls, parser: Parser) -> ContractOp:
        """`{maps, types, kind} %lhs, %rhs, %acc : type, type into type`."""
        attributes = dict(parser.parse_optional_attr_dict())
        maps = attributes.pop("indexing_maps", None)
        types = attributes.pop("iterator_types", None)
        kind = attributes.pop("kind", None)
        if not is_array(maps) or not is_array(types):
            parser.raise_error("expected indexing_maps and iterator_types")
        iterators = [
            IteratorTypeAttr(IteratorType(entry.data))
            for entry in types
            if isinstance(entry, StringAttr | IteratorTypeAttr)
        ]
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        lhs_type = parser.parse_type()
        parser.parse_punctuation(",")
        rhs_type = parser.parse_type()
        parser.parse_keyword("into")
        acc_type = parser.parse_type()
        op = cls(
            parser.resolve_operand(lhs, lhs_type),
            parser.resolve_operand(rhs, rhs_type),
            parser.resolve_operand(acc, acc_type),
            ArrayAttr([entry for entry in maps if isinstance(entry, AffineMapAttr)]),
            ArrayAttr(iterators),
            kind if isinstance(kind, CombiningKindAttr) else None,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        strings = ArrayAttr([StringAttr(entry.data) for entry in self.iterator_types])
        printer.print_op_attributes(
            {
                "indexing_maps": self.indexing_maps,
                "iterator_types": strings,
                "kind": self.kind,
                **self.attributes,
            }
        )
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(", ")
        printer.print_attribute(self.rhs.type)
        printer.print_string(" into ")
        printer.print_attribute(self.acc.type)


@irdl_op_definition
class MultiReductionOp(IRDLOperation):
    """Reduce some dimensions of a vector into an accumulator."""

    name = "vector.multi_reduction"

    source = operand_def(VectorType)
    acc = operand_def(AnyAttr())
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(
        self,
        kind: CombiningKindAttr,
        source: SSAValue,
        acc: SSAValue,
        reduction_dims: Sequence[int],
    ):
        super().__init__(
            operands=[source, acc],
            result_types=[acc.type],
            properties={
                "kind": kind,
                "reduction_dims": DenseArrayBase.from_list(i64, reduction_dims),
            },
        )

    @property
    def dims(self) -> tuple[int, ...]:
        """The reduced dimensions."""
        return tuple(int(dim) for dim in self.reduction_dims.get_values())

    def verify_(self) -> None:
        """The accumulator has the dimensions that are kept."""
        kept = tuple(
            size
            for dim, size in enumerate(vector_type(self.source).get_shape())
            if dim not in self.dims
        )
        shape = lanes(self.acc.type) or ()
        if shape != kept:
            raise VerifyException(
                f"destination type of shape {shape} is incompatible with source type "
                f"reduced to {kept}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> MultiReductionOp:
        """`<add>, %source, %acc [2] : type to type`."""
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        dims = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("to")
        acc_type = parser.parse_type()
        op = cls(
            kind,
            parser.resolve_operand(source, source_type),
            parser.resolve_operand(acc, acc_type),
            dims,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`<add>, %source, %acc [2] : type to type`."""
        printer.print_string(f" <{self.kind.data}>, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" [")
        printer.print_list(self.dims, lambda dim: printer.print_string(str(dim)))
        printer.print_string("] : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.dest.type)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Permute the dimensions of a vector."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue, permutation: Sequence[int]):
        type_ = vector_type(source)
        shape = [type_.get_shape()[p] for p in permutation]
        super().__init__(
            operands=[source],
            result_types=[VectorType(type_.element_type, shape)],
            properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        )

    @property
    def order(self) -> tuple[int, ...]:
        """Result dimension i is source dimension `order[i]`."""
        return tuple(int(p) for p in self.permutation.get_values())

    def verify_(self) -> None:
        """The result's shape is the permuted source's."""
        shape = vector_type(self.vector).get_shape()
        if sorted(self.order) != list(range(len(shape))):
            raise VerifyException("expected a permutation of the vector's dimensions")
        if tuple(shape[p] for p in self.order) != lanes(self.result.type):
            raise VerifyException("dimension size mismatch")

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """`%v, [1, 0] : type to type`."""
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        order = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("to")
        parser.parse_type()
        op = cls(parser.resolve_operand(source, source_type), order)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%v, [1, 0] : type to type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(", [")
        printer.print_list(self.order, lambda p: printer.print_string(str(p)))
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of `vector.mask`; upstream's printer leaves it out, and so do we."""

    name = "vector.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class MaskOp(IRDLOperation):
    """Execute one vector op under a mask; lanes off yield the pass-through value."""

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
        """At most one op, then the yield."""
        ops = list(self.body.block.ops)
        if not ops or not isinstance(ops[-1], YieldOp):
            raise VerifyException("expects a terminator within the mask region")
        if len(ops) > 2:
            raise VerifyException("expects only one operation to mask")

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        """`%mask[, %passthru] { op } : mask type [-> type]`."""
        mask = parser.parse_unresolved_operand()
        passthru = None
        if parser.parse_optional_punctuation(","):
            passthru = parser.parse_unresolved_operand()
        region = parser.parse_region()
        parser.parse_punctuation(":")
        mask_type = parser.parse_type()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            types = list(
                parser.parse_optional_comma_separated_list(
                    Parser.Delimiter.PAREN, parser.parse_type
                )
                or [parser.parse_type()]
            )
        if not region.blocks:
            region.add_block(Block())
        block = region.block
        if not isinstance(block.last_op, YieldOp):
            results = block.last_op.results if block.last_op is not None else ()
            block.add_op(YieldOp(*results))
        return cls.build(
            operands=[
                parser.resolve_operand(mask, mask_type),
                parser.resolve_operand(passthru, types[0]) if passthru else None,
            ],
            result_types=[types],
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        """`%mask[, %passthru] { op } : mask type [-> type]`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.mask)
        if self.passthru is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.passthru)
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=False)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """Reinterpret a vector's shape, elements in row-major order."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, result_type: VectorType[Attribute]):
        super().__init__(operands=[source], result_types=[result_type])


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask over the first lanes of each dimension, as many as the numbers say.

    Real MLIR's canonical form of `vector.create_mask` on constants; ours is that one.
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType.constr(i1))

    traits = traits_def(Pure())

    def __init__(self, sizes: Sequence[int], result_type: VectorType[Attribute]):
        super().__init__(
            result_types=[result_type],
            properties={"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)},
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many lanes are on, for each dimension."""
        return tuple(int(size) for size in self.mask_dim_sizes.get_values())

    @classmethod
    def parse(cls, parser: Parser) -> ConstantMaskOp:
        """`[3, 2] : type`."""
        sizes = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        result_type = parser.parse_type()
        if not is_vector(result_type):
            parser.raise_error("expected a vector type", pos)
        op = cls(sizes, result_type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`[3, 2] : type`."""
        printer.print_string(" [")
        printer.print_list(self.sizes, lambda size: printer.print_string(str(size)))
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


if not vector.CreateMaskOp.has_trait(Pure):
    vector.CreateMaskOp.traits.add_trait(Pure())
if not vector.TransferReadOp.has_trait(BufferReadEffect):
    vector.TransferReadOp.traits.add_trait(BufferReadEffect())
    vector.TransferWriteOp.traits.add_trait(BufferEffect())

Vector = Dialect(
    "vector",
    [
        *vector.Vector.operations,
        ContractOp,
        MultiReductionOp,
        TransposeOp,
        MaskOp,
        YieldOp,
        ShapeCastOp,
        ConstantMaskOp,
    ],
    [*vector.Vector.attributes, IteratorTypeAttr],
)
