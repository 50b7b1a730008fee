"""`vector.reduction`, `multi_reduction` and `scan`: combine along dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.arith import FastMathFlagsAttr
from tilewright.ir.dialects.vector.kinds import verify_combines
from tilewright.ir.types import element_type, vector_type


@irdl_op_definition
class ReductionOp(IRDLOperation):
    """Combine a one-dimensional vector into a scalar."""

    name = "vector.reduction"

    T: ClassVar = VarConstraint("T", AnyAttr())

    vector = operand_def(VectorType.constr(T))
    acc = opt_operand_def(T)
    dest = result_def(T)
    kind = prop_def(CombiningKindAttr)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    assembly_format = (
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($vector) `into` type($dest)"
    )

    def __init__(
        self,
        kind: CombiningKindAttr,
        vector: SSAValue,
        acc: SSAValue | None = None,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        super().__init__(
            operands=[vector, acc],
            result_types=[element_type(vector.type)],
            properties={"kind": kind, "fastmath": fastmath},
        )

    def verify_(self) -> None:
        """One dimension at most, of elements that combine."""
        rank = vector_type(self.vector).get_num_dims()
        if rank > 1:
            raise VerifyException(f"unsupported reduction rank: {rank}")
        verify_combines(self.kind, self.dest.type, "reduction")


@irdl_op_definition
class MultiReductionOp(IRDLOperation):
    """Combine some dimensions of a vector into an accumulator."""

    name = "vector.multi_reduction"

    T: ClassVar = VarConstraint("T", AnyAttr())

    source = operand_def(VectorType)
    acc = operand_def(T)
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict $reduction_dims "
        "`:` type($source) `to` type($dest)"
    )

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
        """The reduced dimensions, each once."""
        return tuple(dict.fromkeys(self.reduction_dims.get_values()))

    def verify_(self) -> None:
        """The accumulator has the dimensions that are kept, a scalar if none is."""
        source = vector_type(self.source)
        rank = source.get_num_dims()
        if rank == 0:
            raise VerifyException("expected a source of at least one dimension")
        for dim in self.dims:
            if not 0 <= dim < rank:
                raise VerifyException(
                    f"reduction dimension {dim} is not one of the source's {rank}"
                )
        kept = [s for d, s in enumerate(source.get_shape()) if d not in self.dims]
        element = source.element_type
        expected = VectorType(element, kept) if kept else element
        if self.dest.type != expected:
            raise VerifyException(
                f"destination type '{self.dest.type}' is incompatible with source type "
                f"'{source}', expected '{expected}'"
            )
        verify_combines(self.kind, element, "reduction")


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Running totals along a dimension, and the last of them."""

    name = "vector.scan"

    S: ClassVar = VarConstraint("S", base(VectorType[Attribute]))
    T: ClassVar = VarConstraint("T", base(VectorType[Attribute]))

    source = operand_def(S)
    initial_value = operand_def(T)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr[I64])
    inclusive = prop_def(BoolAttr)
    dest = result_def(S)
    accumulated_value = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict "
        "`:` type($source) `,` type($initial_value)"
    )

    @property
    def dim(self) -> int:
        """The dimension along which the totals run."""
        return self.reduction_dim.value.data

    def verify_(self) -> None:
        """The initial value has the source's shape without that dimension."""
        source = vector_type(self.source)
        initial = vector_type(self.initial_value)
        rank = source.get_num_dims()
        if not 0 <= self.dim < rank:
            raise VerifyException(
                f"reduction dimension {self.dim} has to be less than {rank}"
            )
        if initial.get_num_dims() != rank - 1:
            raise VerifyException(
                f"initial value rank {initial.get_num_dims()} has to be equal to "
                f"{rank - 1}"
            )
        kept = [s for d, s in enumerate(source.get_shape()) if d != self.dim]
        if initial != VectorType(source.element_type, kept):
            raise VerifyException("incompatible input/initial value shapes")
        verify_combines(self.kind, source.element_type, "reduction")
