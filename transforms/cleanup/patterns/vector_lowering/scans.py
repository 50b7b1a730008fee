"""Lower `vector.scan` to arithmetic on slices of extent 1."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.ir.dialects.vector import ScanOp
from tilewright.ir.structured.combiners import combining_op
from tilewright.ir.types import element_type, vector_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps
from tilewright.transforms.core.rewriter import Rewriter


@pattern(ScanOp)
def lower_scan(op: ScanOp, rewriter: Rewriter) -> None:
    """Combine slice after slice, and insert each total."""
    kind, steps = op.kind.data, Steps()
    if combining_op(kind, element_type(op.source.type)) is None:
        return
    shape = vector_type(op.source).get_shape()
    dim = op.reduction_dim.value.data
    inclusive = bool(op.inclusive.value.data)
    sizes = [1 if at == dim else extent for at, extent in enumerate(shape)]
    before_shape = vector_type(op.initial_value).get_shape()
    result = steps.constant(0, op.source.type)
    total: SSAValue | None = None
    last: SSAValue | None = None
    for step in range(shape[dim]):
        offsets = [step if at == dim else 0 for at in range(len(shape))]
        part = steps.extract_box(op.source, offsets, sizes)
        if total is None or last is None:
            total = part
            if not inclusive:
                spread = steps.cast if before_shape else steps.broadcast
                total = spread(op.initial_value, sizes)
        else:
            total = steps.combine(kind, total, part if inclusive else last)
        result = steps.insert_box(total, result, offsets)
        last = part
    assert total is not None
    if before_shape:
        end = steps.cast(total, before_shape)
    else:
        end = steps.broadcast(steps.extract(total, 0), ())
    steps.replace(op, rewriter, result, end)


SCANS = (lower_scan,)
