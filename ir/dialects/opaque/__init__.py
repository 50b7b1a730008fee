"""Ops that `tilewright opt` reads, moves and prints, and that nothing else knows.

A script for upstream may have them around what it rewrites. They have no numpy
semantics, and no kernel is generated from them, so only the context of `opt` offers
them (`ir/context.py`); every other command refuses them by name.

    control       scf.while, branches of cf, indirect calls
    indices       the index dialect
    launches      gpu.launch, gpu.module, gpu.func and the positions of a thread

The ops of `complex` and `cf`, and the cast between any types, are xDSL's.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.dialects.complex import Complex
from xdsl.ir import Operation

from tilewright.ir.dialects.opaque import control, indices, launches

OPAQUE: Mapping[str, type[Operation]] = {
    op.name: op
    for op in (
        UnrealizedConversionCastOp,
        BranchOp,
        ConditionalBranchOp,
        SwitchOp,
        *Complex.operations,
        *control.OPS,
        *indices.OPS,
        *launches.OPS,
    )
}
"""The ops by their names."""
