"""Whether a chain of reductions can be streamed: the derivation without the rewriting.

    chain = derivable_chain([product], [3], ops)        # raises SilenceableFailure

A planner asks this of payload that is not tiled yet. What it intends to fuse into the
tiles is `within`; every other op counts as computed before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import AnyOpType
from tilewright.transforms.structured.stream.analysis.chain import Chain
from tilewright.transforms.structured.stream.analysis.derive import derive
from tilewright.transforms.structured.stream.analysis.find_chain import find_chain
from tilewright.transforms.structured.stream.stream import StreamOp


def derivable_chain(
    targets: Sequence[StructuredOp],
    loops: Sequence[int],
    within: Collection[StructuredOp],
) -> Chain:
    """The chain that `stream` would fuse; raises what it would raise."""
    asked = _asked()
    chain = find_chain(asked, targets, loops, frozenset(within))
    derive(asked, chain)
    return chain


def counts_elements(chain: Chain) -> bool:
    """Whether a correction needs the number of elements seen so far, as a mean does."""
    return any(each.correction.powers for each in derive(_asked(), chain))


def _asked() -> StreamOp:
    """The op in whose name is asked."""
    return StreamOp.create(result_types=[AnyOpType(), AnyOpType()])
