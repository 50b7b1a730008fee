"""What of a refused segment the compiler refuses: nodes by themselves, or together."""

from __future__ import annotations

import logging
from typing import Any

from torch.fx import Node

from tilewright.ir.errors import UserError
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.indexing.shapes import VIEWS
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.segments import Segment, segment_of
from tilewright.torch_backend.partition.support import Support, is_item, signature
from tilewright.torch_backend.report import Report
from tilewright.torch_backend.runtime.segment_call import SegmentCall

_log = logging.getLogger("tilewright.torch")


def culprits(
    segment: Segment, error: Exception, options: Options
) -> dict[Node, Support]:
    """The nodes that no kernel can be made for; none if each is fine alone.

    Equal calls are tried once.
    """
    known: dict[Any, str | None] = {}
    found: dict[Node, Support] = {}
    for node in segment.nodes:
        if is_item(node) or op_name(node) in VIEWS:
            continue
        key = signature(node)
        if key not in known:
            known[key] = _refusal(node, options)
        if (reason := known[key]) is not None:
            found[node] = Support(reason)
    return found


def beginnings(call: SegmentCall) -> set[Node]:
    """The nodes at which a refused segment is cut, so that the rest is kept.

    They are the node that the refusal is about and the one after it, or else the
    middle of the segment. A segment that computes one thing is not cut.
    """
    computed = [
        node
        for node in call.segment.nodes
        if not (is_item(node) or op_name(node) in VIEWS)
    ]
    count = len(computed)
    at = (count // 2,)
    if call.refused_at in computed:
        first = computed.index(call.refused_at)
        at = (first, first + 1)
    return {computed[place] for place in at if 0 < place < count}


def _refusal(node: Node, options: Options) -> str | None:
    items = [user for user in node.users if is_item(user)]
    alone = segment_of([node, *items])
    if not alone.outputs:
        return None
    try:
        call = SegmentCall(alone, "alone", options, Report("alone"))
        call.lower()
        call.prepare()
    except UserError as error:
        return f"no kernel: {error.fact}"
    except Exception as error:
        _log.warning("%s: %s: %s", op_name(node), type(error).__name__, error)
        return f"an error of tilewright: {error}"
    return None
