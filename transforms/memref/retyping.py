"""Replace a buffer by one of another layout; views of it get new types."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.ir.dialects.memref import SubviewOp
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.shapes import Slice, numbers_in
from tilewright.transforms.core.rewriter import Rewriter


def retype_uses(old: SSAValue, new: SSAValue, rewriter: Rewriter) -> None:
    """Let every use of a buffer use another; subviews are made anew."""
    for use in list(old.uses):
        user = use.operation
        if not isinstance(user, SubviewOp):
            rewriter.set_operand(user, use.index, new)
            continue
        place = Slice.of(user)
        shape = buffer_type(user.result).get_shape()
        left_out = dropped_dims(numbers_in(place.sizes), shape)
        assert left_out is not None, "the verifier has checked the shape"
        part = window(new, place, left_out)
        part.location = user.location
        rewriter.insert_before(user, part)
        retype_uses(user.result, part.results[0], rewriter)
        rewriter.replace(user, [part.results[0]], part)
