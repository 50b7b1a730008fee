"""The index dialect: arithmetic on indices, as arith has it."""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import I1, IndexType, IntegerAttr, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.str_enum import StrEnum

_BINARY = (
    *("add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs"),
    *("rems", "remu", "maxs", "maxu", "mins", "minu", "shl", "shrs", "shru"),
    *("and", "or", "xor"),
)


class Predicate(StrEnum):
    """The comparisons."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class PredicateAttr(EnumAttribute[Predicate], SpacedOpaqueSyntaxAttribute):
    """A comparison."""

    name = "index.cmp_predicate"


class _Binary(IRDLOperation, abc.ABC):
    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format: ClassVar[str | None] = "$lhs `,` $rhs attr-dict"


def _binary(mnemonic: str) -> type[IRDLOperation]:
    return irdl_op_definition(
        type(f"Index{mnemonic}", (_Binary,), {"name": f"index.{mnemonic}"})
    )


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A number."""

    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType())

    traits = traits_def(ConstantLike(), Pure())
    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = "attr-dict $value"


@irdl_op_definition
class BoolConstantOp(IRDLOperation):
    """A truth value."""

    name = "index.bool.constant"

    value = prop_def(IntegerAttr[I1])
    result = result_def(i1)

    traits = traits_def(ConstantLike(), Pure())

    assembly_format = "attr-dict $value"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """A comparison of two indices."""

    name = "index.cmp"

    pred = prop_def(PredicateAttr)
    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(i1)

    traits = traits_def(Pure())

    assembly_format = "$pred `(` $lhs `,` $rhs `)` attr-dict"


class _Cast(IRDLOperation, abc.ABC):
    input = operand_def()
    output = result_def()

    traits = traits_def(Pure())

    assembly_format: ClassVar[str | None] = (
        "$input attr-dict `:` type($input) `to` type($output)"
    )


@irdl_op_definition
class CastSOp(_Cast):
    """A signed cast from or to an index."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(_Cast):
    """An unsigned cast from or to an index."""

    name = "index.castu"


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """The number of bits of an index."""

    name = "index.sizeof"

    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "attr-dict"


OPS = [
    *map(_binary, _BINARY),
    *(ConstantOp, BoolConstantOp, CmpOp, CastSOp, CastUOp, SizeOfOp),
]
