"""Windows that move along the last dimensions of a tensor, and how they are read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.indexing.reading import position
from tilewright.torch_backend.ops.result import Spec, refuse

MOST_PLACES = 64
"""Places of a window that a body may read one by one."""


@dataclass(frozen=True)
class Windows:
    """Windows along the last dimensions of a tensor."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    sizes: tuple[Size, ...]
    """Of the dimensions that the windows move along."""
    counts: tuple[Size, ...]
    """Of the result, along the same dimensions."""

    @property
    def is_large(self) -> bool:
        """Whether a body with all places would be too long."""
        return math.prod(self.kernel) > MOST_PLACES

    @property
    def is_whole(self) -> bool:
        """Whether one window covers the tensor."""
        alone = set(self.counts) == {1} and not any(self.padding)
        return alone and self.kernel == self.sizes and set(self.dilation) == {1}

    @property
    def places(self) -> list[tuple[int, ...]]:
        """The indices of a window, in order."""
        return list(itertools.product(*[range(k) for k in self.kernel]))

    def at(self, first: int, place: Sequence[int | Scalar]) -> list[Scalar]:
        """The indices of a place, which may lie in the padding."""
        found: list[Scalar] = []
        for axis, offset in enumerate(place):
            if self.is_still(axis):
                found.append(index(first + axis))
                continue
            start = position(first + axis, *self.sizes, *self.counts)
            by = offset * self.dilation[axis] - self.padding[axis]
            found.append(start * self.stride[axis] + by)
        return found

    def is_still(self, axis: int) -> bool:
        """Whether windows have one place along an axis, that of their result.

        Neighbouring results then read neighbouring elements, at once.
        """
        plan = (self.kernel[axis], self.stride[axis], self.padding[axis])
        return plan == (1, 1, 0)

    def leaves(self, axis: int, offset: int | Scalar) -> tuple[bool, bool]:
        """Whether a place lies before the tensor in some window, and behind it."""
        known = isinstance(offset, int)
        least, most = (offset, offset) if known else (0, self.kernel[axis] - 1)
        begin = least * self.dilation[axis] - self.padding[axis]
        count, size = self.counts[axis], self.sizes[axis]
        if not isinstance(count, int) or not isinstance(size, int):
            return begin < 0, True
        last = (count - 1) * self.stride[axis]
        end = last + most * self.dilation[axis] - self.padding[axis]
        return begin < 0, end >= size

    def inside(
        self, at: Sequence[Scalar], place: Sequence[int | Scalar]
    ) -> Scalar | None:
        """Whether the indices of a place lie inside the tensor; None if all do."""
        found: Scalar | None = None
        for axis, (here, offset) in enumerate(zip(at, place, strict=True)):
            before, behind = self.leaves(axis, offset)
            tests = [here >= 0] if before else []
            size = counted(self.sizes[axis], here.dtype)
            tests += [here < size] if behind else []
            for test in tests:
                found = test if found is None else found & test
        return found

    def nearest(
        self, at: Sequence[Scalar], place: Sequence[int | Scalar]
    ) -> list[Scalar]:
        """The indices of the elements nearest to a place."""
        found: list[Scalar] = []
        for axis, (here, offset) in enumerate(zip(at, place, strict=True)):
            before, behind = self.leaves(axis, offset)
            here = maximum(here, 0) if before else here
            last = counted(self.sizes[axis], here.dtype) - 1
            found.append(minimum(here, last) if behind else here)
        return found


def _many(value: int | Sequence[int], rank: int) -> tuple[int, ...]:
    given = [value] if isinstance(value, int) else list(value)
    return tuple(given * rank if len(given) == 1 else given)


def windows(
    spec: Spec,
    x: Tensor,
    rank: int,
    kernel: int | Sequence[int],
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
) -> Windows:
    """The windows of a pooling op along the last `rank` dimensions."""
    sizes, counts = x.shape[-rank:], spec.shape[-rank:]
    size = _many(kernel, rank)
    return Windows(
        size,
        _many(stride, rank) if stride else size,
        _many(padding, rank),
        _many(dilation, rank),
        sizes,
        counts,
    )


def known_sizes(
    spec: Spec, x: Tensor, rank: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The last `rank` sizes of a tensor, and of the result."""
    sizes, counts = x.shape[-rank:], spec.shape[-rank:]
    known = [s for s in (*sizes, *counts) if isinstance(s, int)]
    if len(known) != 2 * rank:
        refuse("windows along a size that is known only at run time")
    return tuple(known[:rank]), tuple(known[rank:])


def window_element(
    x: Tensor,
    moved: Windows,
    place: Sequence[int | Scalar],
    outside: float | None,
    lead: Sequence[ScalarLike] | None = None,
) -> Scalar:
    """The element of a window's place, or a number in the padding.

    Without a number it is the nearest element. `lead` are the indices in front of the
    window's, those of the result by default.
    """
    first = x.rank - len(moved.kernel)
    if lead is None:
        lead = [index(axis) for axis in range(first)]
    places = moved.at(first, place)
    inside = moved.inside(places, place)
    value = gather(x, *lead, *moved.nearest(places, place))
    if outside is None or inside is None:
        return value
    return where(inside, value, value.body.constant(outside, x.dtype))
