"""Load only the elements that are used, and store single elements as scalars.

Before:
    %v = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
    %x = vector.extract %v[1] : f32 from vector<4xf32>

After:
    %j = arith.addi %i, %c1 overflow<nsw> : index
    %x = memref.load %m[%j] : memref<?xf32>
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import BroadcastOp, ExtractOp, LoadOp, StoreOp
from tilewright.ir.types import buffer_type, is_vector, vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.rewriter import Rewriter


@pattern(ExtractOp)
def load_what_is_extracted(op: ExtractOp, rewriter: Rewriter) -> None:
    """Load a part of a vector, where nothing else of it is used."""
    load = op.vector.owner
    if not isinstance(load, LoadOp) or not load.result.has_one_use():
        return
    if is_vector(buffer_type(load.base).element_type):
        return
    steps, indices = Steps(), list(load.indices)
    first = len(indices) - len(vector_type(load.result).get_shape())
    for dim, place in enumerate(mixed(op.static_position, op.dynamic_position), first):
        if place == 0:
            continue
        offset = steps.constant(place, IndexType()) if isinstance(place, int) else place
        indices[dim] = steps.add(
            make(
                "arith.addi",
                [indices[dim], offset],
                [IndexType()],
                {"overflowFlags": IntegerOverflowAttr([IntegerOverflowFlag.NSW])},
            )
        )
    kind = op.result.type
    value: SSAValue = steps.add(
        LoadOp(load.base, indices, kind)
        if is_vector(kind)
        else memref.LoadOp(load.base, indices)
    )
    # What is written between the load and the extraction must not be seen.
    for step in steps.ops:
        step.location = op.location
    rewriter.insert_after(load, *steps.ops)
    rewriter.replace(op, [value])


@pattern(StoreOp)
def store_scalar(op: StoreOp, rewriter: Rewriter) -> None:
    """Store a broadcast scalar of one lane as a scalar."""
    spread = op.vector.owner
    if not isinstance(spread, BroadcastOp) or set(
        vector_type(op.vector).get_shape()
    ) - {1}:
        return
    if is_vector(spread.source.type):
        return
    rewriter.insert_before(op, memref.StoreOp(spread.source, op.base, list(op.indices)))
    rewriter.erase(op)


ACCESSES = (load_what_is_extracted, store_scalar)
