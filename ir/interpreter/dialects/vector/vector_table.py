"""vector: the dialect's table, and `vector.print`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tilewright.ir.dialects import vector
from tilewright.ir.dialects.vector import Punctuation
from tilewright.ir.interpreter.core.elementwise import elementwise, in_f32
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Table, Value
from tilewright.ir.interpreter.dialects.math import fused_multiply_add
from tilewright.ir.interpreter.dialects.memref.memref_table import unchanged
from tilewright.ir.interpreter.dialects.tensor.tensor_table import yields
from tilewright.ir.interpreter.dialects.vector import lanes as vector_lanes
from tilewright.ir.interpreter.dialects.vector import masks, transfers
from tilewright.ir.interpreter.dialects.vector import memory as vector_memory
from tilewright.ir.interpreter.dialects.vector import reductions as vector_reductions

_MARKS = {
    Punctuation.NO_PUNCTUATION: "",
    Punctuation.NEWLINE: "\n",
    Punctuation.COMMA: ", ",
    Punctuation.OPEN: "( ",
    Punctuation.CLOSE: " )",
}


def show(
    interpreter: Interpreter, op: vector.PrintOp, value: Value | None = None
) -> Results:
    """Print to standard output as upstream's runner does: `( ( 1, 2 ), ( 3, 4 ) )`."""
    text = op.string_literal.data if op.string_literal is not None else ""
    if value is not None:
        text = _nested(np.asarray(value))
    sys.stdout.write(text + _MARKS[op.punctuation.data])
    return ()


def _nested(value: np.ndarray[Any, Any]) -> str:
    if value.ndim == 0:
        # An integer as such, a float in C's shortest form of six digits.
        is_integer = value.dtype.kind in "iub"
        return str(int(value)) if is_integer else f"{float(value):g}"
    return f"( {', '.join(_nested(part) for part in value)} )"


TABLE: Table = {
    vector.TransferReadOp: transfers.transfer_read,
    vector.TransferWriteOp: transfers.transfer_write,
    vector.LoadOp: vector_memory.load,
    vector.StoreOp: vector_memory.store,
    vector.MaskedLoadOp: vector_memory.masked_load,
    vector.MaskedStoreOp: vector_memory.masked_store,
    vector.TypeCastOp: unchanged,
    vector.GatherOp: vector_memory.gather,
    vector.ScatterOp: vector_memory.scatter,
    vector.ExpandLoadOp: vector_memory.expand_load,
    vector.CompressStoreOp: vector_memory.compress_store,
    vector.BroadcastOp: vector_lanes.broadcast,
    vector.TransposeOp: vector_lanes.transpose,
    vector.ShapeCastOp: vector_lanes.shape_cast,
    vector.BitcastOp: vector_lanes.bitcast,
    vector.ExtractOp: vector_lanes.extract,
    vector.InsertOp: vector_lanes.insert,
    vector.ExtractStridedSliceOp: vector_lanes.extract_strided_slice,
    vector.InsertStridedSliceOp: vector_lanes.insert_strided_slice,
    vector.FromElementsOp: vector_lanes.from_elements,
    vector.ToElementsOp: vector_lanes.to_elements,
    vector.ShuffleOp: vector_lanes.shuffle,
    vector.InterleaveOp: vector_lanes.interleave,
    vector.DeinterleaveOp: vector_lanes.deinterleave,
    vector.StepOp: vector_lanes.step,
    vector.FMAOp: elementwise(in_f32(fused_multiply_add)),
    vector.ContractOp: vector_reductions.contract,
    vector.OuterProductOp: vector_reductions.outer_product,
    vector.MultiReductionOp: vector_reductions.multi_reduction,
    vector.ReductionOp: vector_reductions.reduction,
    vector.ScanOp: vector_reductions.scan,
    vector.CreateMaskOp: masks.create_mask,
    vector.ConstantMaskOp: masks.constant_mask,
    vector.MaskOp: masks.mask,
    vector.YieldOp: yields,
    vector.PrintOp: show,
}
