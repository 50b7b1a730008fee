"""Maxima of windows that cover a tensor evenly: adaptive max pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.frontend.builder.reductions import reduce
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.views import reshape
from tilewright.torch_backend.ops.elements.promotion import compute
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.result import Result, refuse


def adaptive_max_pool(rank: int) -> Callable[..., tuple[Tensor, None]]:
    """The largest element of each part; parts have equal sizes."""

    def op(out: Result, x: Tensor, output_size: Sequence[int]) -> tuple[Tensor, None]:
        if out.is_used(1):
            refuse("the indices of adaptive maxima")
        sizes, counts = known(x.shape[-rank:]), known(out.shape[-rank:])
        split: list[Size] = list(x.shape[:-rank])
        for size, count in zip(sizes, counts, strict=True):
            if size % count:
                refuse(f"{count} parts of {size} elements, which differ in size")
            split += [count, size // count]
        lead = x.rank - rank
        axes = [lead + 2 * axis + 1 for axis in range(rank)]
        found = reduce("max", reshape(x, split), axis=axes)
        return compute(out, lambda x: x, found), None

    return op


TABLE: dict[str, Callable[..., object]] = {
    "aten.adaptive_max_pool2d.default": adaptive_max_pool(2),
    "aten.adaptive_max_pool3d.default": adaptive_max_pool(3),
}
"""Adaptive maxima by name."""
