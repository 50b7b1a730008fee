"""Convolutions with a filter for each channel, as windows: a weighted pooling.

Each element of the result reads the few places of its window and as many weights. That
is work for memory, not for matrix units; a library's kernels are made for the latter.
"""

from __future__ import annotations

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.images.windows import (
    Windows,
    window_element,
)
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result


def depthwise(
    out: Result, x: Tensor, weight: Tensor, bias: Tensor | None, moved: Windows
) -> Tensor:
    """The sum of each window by the weights of its channel."""
    whole, filters = whole_of(x), whole_of(weight)
    added = None if bias is None else whole_of(bias)
    kind = computed_in(x.dtype)
    features, channels = weight.shape[0], x.shape[1]
    assert isinstance(features, int) and isinstance(channels, int)
    of_channel = features // channels

    def element() -> Scalar:
        channel: ScalarLike = index(1)
        if of_channel > 1:
            channel = truncated_quotient(index(1).cast("i64"), of_channel)
        lead: list[ScalarLike] = [index(0), channel]
        total: Scalar | None = None
        for place in moved.places:
            value = window_element(whole, moved, place, 0.0, lead).cast(kind)
            one = value * gather(filters, index(1), 0, *place).cast(kind)
            total = one if total is None else total + one
        assert total is not None
        return total if added is None else total + gather(added, index(1)).cast(kind)

    return out.generate(element)
