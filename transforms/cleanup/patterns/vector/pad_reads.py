"""Read the source of a pad instead of the padded tensor."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, BoolAttr
from xdsl.ir import Block
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import TransferReadOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import is_in_bounds
from tilewright.transforms.core.rewriter import Rewriter


@pattern(TransferReadOp)
def read_before_padding(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read the source; lanes past its end get the padding value."""
    pad = op.source.owner
    if not isinstance(pad, tensor.PadOp) or op.mask is not None:
        return
    if not is_in_bounds(op) or any(
        constant_int(low) != 0 for low in mixed(pad.static_low, pad.low)
    ):
        return
    last = pad.region.block.last_op
    assert isinstance(last, tensor.YieldOp)
    value = last.operands[0]
    inside = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
    if inside is None or pad.is_ancestor(inside):
        return
    # Folding infers which lanes are in bounds; a broadcast dimension always is.
    dims = op.permutation_map.data.results
    inner = [BoolAttr.from_bool(not isinstance(e, AffineDimExpr)) for e in dims]
    new = TransferReadOp(
        pad.source,
        list(op.indices),
        value,
        op.result.type,
        ArrayAttr(inner),
        op.permutation_map,
    )
    rewriter.replace_with(op, new)


PATTERNS = (read_before_padding,)
