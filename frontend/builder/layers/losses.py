"""Losses, one number for each row."""

from __future__ import annotations

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.layers.checks import check_float
from tilewright.frontend.builder.layers.softmax import exponentials
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import log, where
from tilewright.frontend.builder.scalar import Scalar, extent, index
from tilewright.frontend.builder.sizes import shown
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def cross_entropy(
    logits: Tensor, targets: Tensor, *, ignore_index: int | None = None
) -> Tensor:
    """-log(softmax(logits)[target]) of each row, in f32 for narrow types.

    logits is (..., classes), targets has the class of each row. The target's logit is
    gathered; a target that is no class counts as a logit of 0. A row whose target is
    `ignore_index` has the loss 0.
    """
    check_float("cross_entropy", logits)
    check_tensors("cross_entropy", targets=targets)
    if targets.shape != logits.shape[:-1] or is_float(targets.dtype):
        fail(
            f"cross_entropy: no class for each row: {listed([logits, targets])}",
            f"the targets must be integers of shape {shown(logits.shape[:-1])}",
        )

    parts = exponentials(logits, -1)

    def loss(largest: Scalar, total: Scalar, target: Scalar) -> Scalar:
        classes = extent(logits.shape[-1])
        at = target.cast("index")
        inside = (at >= 0) & (at < classes)
        row = [index(axis) for axis in range(len(targets.shape))]
        picked = gather(logits, *row, where(inside, at, 0)).cast(largest.dtype)
        of_row = log(total) - (where(inside, picked, 0) - largest)
        if ignore_index is None:
            return of_row
        return where(target != ignore_index, of_row, 0)

    return elementwise(loss, parts.largest, parts.total, targets)
