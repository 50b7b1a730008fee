"""Windows as dimensions of their own, and their sum back in an image.

`unfold` and `im2col` read the elements of windows. `col2im` is a read too: every pixel
sums what the windows that cover it have there, so that nothing is added in memory.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.ops.views import materialized
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.indexing.reading import position, whole_of
from tilewright.torch_backend.ops.result import Result, refuse


def unfold(out: Result, x: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension: their number in its place, their elements at the end."""
    if x.rank == 0:
        refuse("windows of a single number")
    axis, whole = axis_of(x, dimension), materialized(x)
    if size == step and x.shape[axis] == size * _number(out.shape[axis]):
        split = (*x.shape[:axis], out.shape[axis], size, *x.shape[axis + 1 :])
        rest = [at for at in range(x.rank + 1) if at != axis + 1]
        return reshape(x, split).transpose(*rest, axis + 1)

    def element() -> ScalarLike:
        indices: list[ScalarLike] = [index(at) for at in range(x.rank)]
        sizes = (x.shape[axis], size)
        indices[axis] = position(axis, *sizes) * step + position(x.rank, *sizes)
        return gather(whole, *indices)

    return out.generate(element)


_MOST_WINDOWS = 64
"""The windows over a pixel that a body reads."""


def image_to_columns(
    out: Result,
    x: Tensor,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Tensor:
    """A column for each window of an image: channels, then rows and columns of it."""
    sizes = _known(x.shape[-2:])
    counts = [
        (size + 2 * pad - by * (kernel - 1) - 1) // step + 1
        for size, kernel, by, pad, step in zip(
            sizes, kernel_size, dilation, padding, stride, strict=True
        )
    ]
    whole, lead = whole_of(x), x.rank - 2
    # Dimensions: those before the image, the place in the window, the window.
    shape = (*x.shape[:-2], *kernel_size, *counts)

    def element() -> ScalarLike:
        indices: list[Scalar] = []
        inside: Scalar | None = None
        for axis, size in enumerate(sizes):
            at = position(lead + axis, size) * dilation[axis]
            at = at + (position(lead + 2 + axis, size) * stride[axis] - padding[axis])
            if padding[axis]:
                test = (at >= 0) & (at < size)
                inside = test if inside is None else inside & test
                at = minimum(maximum(at, 0), size - 1)
            indices.append(at)
        value = gather(whole, *[index(axis) for axis in range(lead)], *indices)
        if inside is None:
            return value
        zero = value.body.constant(0 if x.dtype[0] == "i" else 0.0, x.dtype)
        return where(inside, value, zero)

    return reshape(out.generate(element, shape), out.shape)


def columns_to_image(
    out: Result,
    x: Tensor,
    output_size: Sequence[int],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Tensor:
    """The sum of the windows that cover a pixel, each at its place in the window."""
    sizes = _known(out.shape[-2:])
    axes = [
        _Covering(*each)
        for each in zip(sizes, kernel_size, dilation, padding, stride, strict=True)
    ]
    if math.prod(axis.most for axis in axes) > _MOST_WINDOWS:
        refuse(f"more than {_MOST_WINDOWS} windows that cover one pixel")
    lead = len(out.shape) - 2
    counts = [axis.count for axis in axes]
    columns = whole_of(reshape(x, (*out.shape[:-2], *kernel_size, *counts)))
    kind = computed_in(x.dtype)

    def element() -> ScalarLike:
        front = [index(axis) for axis in range(lead)]
        found = [axis.windows(lead + at) for at, axis in enumerate(axes)]
        total: Scalar | None = None
        for row, column in itertools.product(*found):
            place = (row.place, column.place, row.window, column.window)
            value = gather(columns, *front, *place).cast(kind)
            tests = [test for test in (row.test, column.test) if test is not None]
            if tests:
                covers = tests[0] if len(tests) == 1 else tests[0] & tests[1]
                value = where(covers, value, value.body.constant(0.0, kind))
            total = value if total is None else total + value
        assert total is not None
        return total

    return out.generate(element)


@dataclass(frozen=True)
class _Cover:
    """A window that may cover a pixel along one dimension."""

    place: ScalarLike
    """The pixel's place in the window, or some place inside it."""
    window: ScalarLike
    """The number of the window, or of some window."""
    test: Scalar | None
    """Whether it covers the pixel; None if it always does."""


@dataclass(frozen=True)
class _Covering:
    """The windows that may cover a pixel along one dimension."""

    size: int
    kernel: int
    dilation: int
    padding: int
    stride: int

    @property
    def count(self) -> int:
        """The number of windows."""
        reach = self.dilation * (self.kernel - 1) + 1
        return (self.size + 2 * self.padding - reach) // self.stride + 1

    @property
    def most(self) -> int:
        """How many windows a body has to look at."""
        return -(-self.kernel // self.stride) if self.dilation == 1 else self.kernel

    def windows(self, loop: int) -> list[_Cover]:
        """The windows for the pixel at the index of a loop."""
        at = position(loop, self.size) + self.padding
        if self.dilation == 1:
            return self._by_windows(at)
        return [self._by_place(at, place) for place in range(self.kernel)]

    def _by_windows(self, at: Scalar) -> list[_Cover]:
        """The last window that begins before the pixel, and those before it."""
        last = truncated_quotient(at, self.stride) if self.stride > 1 else at
        fits = self.kernel == self.stride and self.count * self.stride == self.size
        found: list[_Cover] = []
        for back in reversed(range(self.most)):
            window = last - back if back else last
            place = at - window * self.stride
            if fits and not self.padding:
                found.append(_Cover(place, window, None))
                continue
            test = (window >= 0) & (window < self.count)
            test = test & (place < self.kernel)
            inside = minimum(maximum(window, 0), self.count - 1)
            found.append(_Cover(minimum(place, self.kernel - 1), inside, test))
        return found

    def _by_place(self, at: Scalar, place: int) -> _Cover:
        """The window that has the pixel at a place, if there is one."""
        begin = at - place * self.dilation
        window = truncated_quotient(maximum(begin, 0), self.stride)
        test = (begin >= 0) & (window * self.stride == begin) & (window < self.count)
        return _Cover(place, minimum(window, self.count - 1), test)


def _known(sizes: Sequence[object]) -> list[int]:
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes):
        refuse("windows along a size that is known only at run time")
    return known


def _number(size: object) -> int:
    return size if isinstance(size, int) else -1


TABLE: dict[str, Callable[..., object]] = {
    "aten.unfold.default": unfold,
    "aten.im2col.default": image_to_columns,
    "aten.col2im.default": columns_to_image,
}
"""Windows by name."""
