"""Losses that pick an element of each row: the negative log likelihood of classes.

The loss and its mean are one reduction over the targets. The planner lets it compute
the element of the target's class, so that nobody stores the logarithms of all classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.reductions import reduce
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.promotion import compute, rounded
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result, refuse

_NONE, _MEAN = 0, 1
"""Numbers of torch's reductions; 2 is the sum."""


def negative_likelihood(
    out: Result,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignore_index: int,
) -> tuple[Tensor, Tensor]:
    """The loss, and the weights of the targets that count together.

    The loss of a target that is no class is NaN.
    """
    if x.rank < 2:
        refuse("the loss of a single sample")
    classes = x.shape[1]
    sizes = [size for size in target.shape if isinstance(size, int)]
    if not isinstance(classes, int) or len(sizes) < target.rank:
        refuse("classes or targets of a size that is known only at run time")
    if math.prod(sizes) >= 2**31:
        refuse("more targets than 32 bits can count")
    kind, whole = computed_in(x.dtype), whole_of(x)
    weights = None if weight is None else whole_of(weight)

    def weighed(target: Scalar) -> tuple[Scalar, Scalar | None]:
        inside = minimum(maximum(target, 0), classes - 1)
        if weights is None:
            return inside, None
        return inside, gather(weights, inside).cast(kind)

    def term(target: Scalar) -> ScalarLike:
        inside, factor = weighed(target)
        rest = [index(axis) for axis in range(1, x.rank - 1)]
        value = -gather(whole, index(0), inside, *rest).cast(kind)
        value = value if factor is None else value * factor
        # torch raises an error for such a target; a number would hide it.
        value = where(target == inside, value, value.body.constant(math.nan, kind))
        return where(target != ignore_index, value, value.body.constant(0.0, kind))

    def share(target: Scalar) -> ScalarLike:
        _, factor = weighed(target)
        counts = target != ignore_index
        if factor is None:
            return counts.cast("i32")
        return where(counts, factor, factor.body.constant(0.0, kind))

    if reduction == _NONE:
        made = elementwise(term, target, dtype=kind)
        return rounded(out, made), out.full(0.0, ())
    axes = range(target.rank)
    total = reduce("sum", target, axis=axes, of=term)
    shares = reduce("sum", target, axis=axes, of=share)
    shares = compute(out, lambda v: v.cast(kind), shares, kind=shares.dtype, dtype=kind)
    both = (lambda t, s: t / s) if reduction == _MEAN else (lambda t, s: t)
    made = compute(out, both, total, shares)
    return made, rounded(out, shares)


TABLE: dict[str, Callable[..., object]] = {
    "aten.nll_loss_forward.default": negative_likelihood,
    "aten.nll_loss2d_forward.default": negative_likelihood,
}
"""Losses by name."""
