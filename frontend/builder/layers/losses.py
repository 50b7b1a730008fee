"""Losses, one number for each row."""

from __future__ import annotations

from tilewright.frontend.builder.elements import elementwise
from tilewright.frontend.builder.functions import log, where
from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.layers.checks import check_float
from tilewright.frontend.builder.layers.softmax import exponentials
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.reductions import reduce
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.sizes import shown
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def cross_entropy(
    logits: Tensor, targets: Tensor, *, ignore_index: int | None = None
) -> Tensor:
    """-log(softmax(logits)[target]) of each row, in f32 for narrow types.

    logits is (..., classes), targets has the class of each row. The target's logit is
    picked by a sum over the row of which all other terms are 0: no gather is needed,
    and a target that is no class picks nothing. A row whose target is `ignore_index`
    has the loss 0.
    """
    check_float("cross_entropy", logits)
    check_tensors("cross_entropy", targets=targets)
    if targets.shape != logits.shape[:-1] or is_float(targets.dtype):
        fail(
            f"cross_entropy: no class for each row: {listed([logits, targets])}",
            f"the targets must be integers of shape {shown(logits.shape[:-1])}",
        )

    def pick(x: Scalar, target: Scalar) -> Scalar:
        return where(index(-1) == target.cast("index"), x, 0)

    parts = exponentials(logits, -1)
    picked = reduce("sum", logits, targets[..., None], axis=-1, of=pick)

    def loss(largest: Scalar, total: Scalar, picked: Scalar) -> Scalar:
        return log(total) - (picked - largest)

    def loss_unless(
        largest: Scalar, total: Scalar, picked: Scalar, target: Scalar
    ) -> Scalar:
        return where(target != ignore_index, loss(largest, total, picked), 0)

    rows = (parts.largest, parts.total, picked.named("picked"))
    if ignore_index is None:
        return elementwise(loss, *rows)
    return elementwise(loss_unless, *rows, targets)
