"""Tensors whose elements a region computes from their indices: pad, generate."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils import (
    AbstractYieldOperation,
    DynamicIndexList,
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoMemoryEffect,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.tensor.values import verify_dynamic_sizes
from tilewright.ir.types import tensor_type


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """The element that a region computes."""

    name = "tensor.yield"

    traits = lazy_traits_def(
        lambda: (IsTerminator(), HasParent(PadOp, GenerateOp), Pure())
    )


def _verify_body(region: Region, of: TensorType[Attribute]) -> None:
    rank = len(of.get_shape())
    if tuple(region.block.arg_types) != (IndexType(),) * rank:
        raise VerifyException(
            f"expected a region of {rank} index arguments, one a dimension of '{of}'"
        )
    last = region.block.last_op
    if not isinstance(last, YieldOp) or last.operand_types != (of.element_type,):
        raise VerifyException(
            f"expected the region to yield an element of type '{of.element_type}'"
        )


@irdl_op_definition
class PadOp(IRDLOperation):
    """A tensor with a border around it."""

    name = "tensor.pad"

    source = operand_def(TensorType)
    low = var_operand_def(IndexType)
    high = var_operand_def(IndexType)
    static_low = prop_def(DenseArrayBase.constr(i64))
    static_high = prop_def(DenseArrayBase.constr(i64))
    nofold = opt_prop_def(UnitAttr)
    region = region_def("single_block")
    result = result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    # Ops in the region have no effects: it may run in any order.
    traits = traits_def(NoMemoryEffect(), RecursivelySpeculatable())

    assembly_format = (
        "$source "
        "(`nofold` $nofold^)? "
        "`low` `` custom<DynamicIndexList>($low, $static_low) "
        "`high` `` custom<DynamicIndexList>($high, $static_high) "
        "$region attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        low: Sequence[SSAValue | int],
        high: Sequence[SSAValue | int],
        region: Region,
        result_type: Attribute,
        *,
        nofold: bool = False,
    ):
        static_low, dynamic_low = split_dynamic_index_list(low, DYNAMIC_INDEX)
        static_high, dynamic_high = split_dynamic_index_list(high, DYNAMIC_INDEX)
        super().__init__(
            operands=[source, dynamic_low, dynamic_high],
            result_types=[result_type],
            properties={
                "static_low": DenseArrayBase.from_list(i64, static_low),
                "static_high": DenseArrayBase.from_list(i64, static_high),
                "nofold": UnitAttr() if nofold else None,
            },
            regions=[region],
        )

    def verify_(self) -> None:
        """Each dimension has two amounts; static sizes add up to the result's."""
        source, made = tensor_type(self.source), tensor_type(self.result)
        low, high = self.static_low.get_values(), self.static_high.get_values()
        verify_dynamic_index_list(low, self.low, DYNAMIC_INDEX, " in `low`")
        verify_dynamic_index_list(high, self.high, DYNAMIC_INDEX, " in `high`")
        shape = source.get_shape()
        if len({len(low), len(high), len(shape), len(made.get_shape())}) != 1:
            raise VerifyException(
                f"expected {len(shape)} amounts in `low` and in `high` for '{source}'"
            )
        if source.element_type != made.element_type:
            raise VerifyException(f"expected elements of type '{source.element_type}'")
        sums = [
            DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
            for sizes in zip(low, shape, high, strict=True)
        ]
        # The result type may have a static size where the sum is dynamic.
        if any(
            expected not in (DYNAMIC_INDEX, size)
            for expected, size in zip(sums, made.get_shape(), strict=True)
        ):
            expected = TensorType(made.element_type, sums)
            raise VerifyException(f"expected '{expected}', got '{made}'")
        _verify_body(self.region, made)


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """A tensor computed element by element."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(TensorType)

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    def __init__(
        self, dynamic_extents: Sequence[SSAValue], body: Region, result_type: Attribute
    ):
        super().__init__(
            operands=[dynamic_extents], regions=[body], result_types=[result_type]
        )

    def verify_(self) -> None:
        """Each dynamic dimension has a size; the region yields an element."""
        made = tensor_type(self.result)
        verify_dynamic_sizes(made, self.dynamic_extents)
        _verify_body(self.body, made)
