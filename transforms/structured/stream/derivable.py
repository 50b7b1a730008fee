"""Whether a chain of reductions can be streamed: the derivation without the rewriting.

    chain = derivable_chain([product], [3], ops)        # raises SilenceableFailure

A planner asks this of payload that is not tiled yet. What it intends to fuse into the
tiles is `within`; every other op counts as computed before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import AnyOpType
from tilewright.transforms.structured.stream.chain import Chain, find_chain
from tilewright.transforms.structured.stream.derive import derive
from tilewright.transforms.structured.stream.stream import StreamOp


def derivable_chain(
    targets: Sequence[StructuredOp],
    loops: Sequence[int],
    within: Collection[StructuredOp],
) -> Chain:
    """The chain that `stream` would fuse; raises what it would raise."""
    asked = StreamOp.create(result_types=[AnyOpType(), AnyOpType()])
    chain = find_chain(asked, targets, loops, within)
    derive(asked, chain)
    return chain
