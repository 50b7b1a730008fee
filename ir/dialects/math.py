"""math: xDSL's ops, and the ops of upstream that xDSL does not have."""

# pyright: reportUnusedImport=false
from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.math import (
    AbsFOp,
    AbsIOp,
    AcoshOp,
    AcosOp,
    AsinhOp,
    AsinOp,
    Atan2Op,
    AtanhOp,
    AtanOp,
    CbrtOp,
    CeilOp,
    CopySignOp,
    CoshOp,
    CosOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    ErfOp,
    Exp2Op,
    ExpM1Op,
    ExpOp,
    FloatingPointLikeUnaryMathOperation,
    FloorOp,
    FmaOp,
    FPowIOp,
    IPowIOp,
    Log1pOp,
    Log2Op,
    Log10Op,
    LogOp,
    PowFOp,
    RoundEvenOp,
    RoundOp,
    RsqrtOp,
    SinhOp,
    SinOp,
    SqrtOp,
    TanhOp,
    TanOp,
    TruncOp,
)
from xdsl.dialects.math import Math as XdslMath
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from tilewright.ir.dialects.elementwise import FLOATS, BoolsLike, Signless


@irdl_op_definition
class ErfcOp(FloatingPointLikeUnaryMathOperation):
    """The complementary error function, accurate also where it is close to zero."""

    name = "math.erfc"
    traits = traits_def(Pure())


@irdl_op_definition
class SincosOp(IRDLOperation):
    """Sine and cosine at once."""

    name = "math.sincos"

    T: ClassVar = VarConstraint("T", FLOATS)
    operand = operand_def(T)
    sin = result_def(T)
    cos = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    )

    def __init__(self, operand: Operation | SSAValue):
        type_ = SSAValue.get(operand).type
        super().__init__(operands=[operand], result_types=[type_, type_])


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """A value clamped between two others."""

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", FLOATS)
    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($result)"
    )

    def __init__(
        self,
        value: Operation | SSAValue,
        min: Operation | SSAValue,
        max: Operation | SSAValue,
    ):
        super().__init__(
            operands=[value, min, max], result_types=[SSAValue.get(value).type]
        )


class ClassificationOperation(IRDLOperation, abc.ABC):
    """A predicate on floats; it gives an i1 for each."""

    T: ClassVar = VarConstraint("T", FLOATS)
    operand = operand_def(T)
    result = result_def(BoolsLike("T"))
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    # Upstream has no keyword for the fast-math flags of these ops either.
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand)"


@irdl_op_definition
class IsNaNOp(ClassificationOperation):
    """Whether a float is a NaN."""

    name = "math.isnan"


@irdl_op_definition
class IsInfOp(ClassificationOperation):
    """Whether a float is infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsFiniteOp(ClassificationOperation):
    """Whether a float is neither infinite nor a NaN."""

    name = "math.isfinite"


@irdl_op_definition
class IsNormalOp(ClassificationOperation):
    """Whether a float is finite, not zero and not subnormal."""

    name = "math.isnormal"


for _op in (AbsIOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp, IPowIOp):
    if not _op.has_trait(Signless):
        _op.traits.add_trait(Signless())

Math = Dialect(
    "math",
    [
        *XdslMath.operations,
        ClampFOp,
        ErfcOp,
        IsFiniteOp,
        IsInfOp,
        IsNaNOp,
        IsNormalOp,
        SincosOp,
    ],
    [],
)
