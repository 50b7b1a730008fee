"""arith: xDSL's ops where they agree with upstream, our own where they do not.

    casts       conversions; xDSL's take scalars only
    choices     comparisons and `select`; xDSL's take no lanes
    integers    divisions and right shifts; xDSL's have no `exact` and are speculatable

Imports `ir/dialects/elementwise.py` and `ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from xdsl.dialects.arith import (
    AddfOp,
    AddiOp,
    AndIOp,
    ConstantOp,
    DivfOp,
    FastMathFlagsAttr,
    FloatingPointLikeBinaryOperation,
    IntegerOverflowAttr,
    IntegerOverflowFlag,
    MaximumfOp,
    MaxnumfOp,
    MaxSIOp,
    MaxUIOp,
    MinimumfOp,
    MinnumfOp,
    MinSIOp,
    MinUIOp,
    MulfOp,
    MuliOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    NegfOp,
    OrIOp,
    ShLIOp,
    SubfOp,
    SubiOp,
    XOrIOp,
)
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Pure

from tilewright.ir.dialects.arith.casts import (
    BitcastOp,
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from tilewright.ir.dialects.arith.choices import CmpfOp, CmpiOp, SelectOp
from tilewright.ir.dialects.arith.integers import (
    AddUIExtendedOp,
    CeilDivSIOp,
    CeilDivUIOp,
    DivisionOperation,
    DivSIOp,
    DivUIOp,
    FloorDivSIOp,
    RemSIOp,
    RemUIOp,
    ShRSIOp,
    ShRUIOp,
    constant_integers,
)
from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.elementwise import Signless


@irdl_op_definition
class RemFOp(FloatingPointLikeBinaryOperation):
    """The remainder of division towards zero; it has the sign of `lhs`."""

    name = "arith.remf"
    traits = traits_def(Pure())


_INTEGERS = (
    AddiOp,
    AddUIExtendedOp,
    AndIOp,
    MaxSIOp,
    MaxUIOp,
    MinSIOp,
    MinUIOp,
    MuliOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    OrIOp,
    ShLIOp,
    SubiOp,
    XOrIOp,
)

for _op in _INTEGERS:
    if not _op.has_trait(Signless):
        _op.traits.add_trait(Signless())

Arith = collected("arith", vars())
