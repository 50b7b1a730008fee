"""Maxima of parts that cover a tensor evenly: adaptive max pooling."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.reductions import reduce
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.elements.promotion import rounded
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.indexing.reading import position, whole_of
from tilewright.torch_backend.ops.result import Result, refuse

_MOST_PLACES = 64
"""The elements of a part, each of which is a read in the body of a kernel."""


def adaptive_max_pool(rank: int) -> Callable[..., tuple[Tensor, Tensor | None]]:
    """The largest element of each part, and its index in the plane."""

    def op(
        out: Result, x: Tensor, output_size: Sequence[int]
    ) -> tuple[Tensor, Tensor | None]:
        sizes, counts = known(x.shape[-rank:]), known(out.shape[-rank:])
        pairs = list(zip(sizes, counts, strict=True))
        if not out.is_used(1) and not any(size % count for size, count in pairs):
            return _of_equal_parts(out, x, pairs), None
        longest = [_longest(size, count) for size, count in pairs]
        if math.prod(longest) > _MOST_PLACES:
            refuse(f"parts of more than {_MOST_PLACES} elements that differ in size")
        whole, lead = whole_of(x), x.rank - rank

        def indices() -> list[list[Scalar]]:
            """The elements of a part. A shorter one has its last element repeatedly."""
            along: list[list[Scalar]] = []
            for axis, (size, count) in enumerate(pairs):
                at = position(lead + axis, size * count)
                first = truncated_quotient(at * size, count)
                last = truncated_quotient(at * size + (size + count - 1), count) - 1
                steps = range(longest[axis])
                along.append([minimum(first + step, last) for step in steps])
            return [list(place) for place in itertools.product(*along)]

        def read(place: list[Scalar]) -> Scalar:
            front: list[ScalarLike] = [index(axis) for axis in range(lead)]
            return gather(whole, *front, *place)

        def largest() -> Scalar:
            best, *others = map(read, indices())
            for one in others:
                best = maximum(best, one)
            return best

        def place_of_largest() -> Scalar:
            """The first of equal ones, the last NaN."""
            first, *others = indices()
            best, found = read(first), _flat(first, sizes)
            for place in others:
                one = read(place)
                better = one > best
                better = better | (one != one) if is_float(x.dtype) else better
                best = where(better, one, best)
                found = where(better, _flat(place, sizes), found)
            return found

        made = out.generate(largest)
        if not out.is_used(1):
            return made, None
        return made, out.generate(place_of_largest, dtype="i64")

    return op


def _of_equal_parts(out: Result, x: Tensor, pairs: list[tuple[int, int]]) -> Tensor:
    """Maxima over dimensions of their own."""
    lead = x.rank - len(pairs)
    split: list[Size] = list(x.shape[:lead])
    for size, count in pairs:
        split += [count, size // count]
    axes = [lead + 2 * axis + 1 for axis in range(len(pairs))]
    found = reduce("max", reshape(x, split), axis=axes)
    return rounded(out, found)


def _longest(size: int, count: int) -> int:
    """The elements of the longest part: from i * size / count to the next one's start,
    rounded down and up."""
    return max(-(-(i + 1) * size // count) - i * size // count for i in range(count))


def _flat(place: Sequence[Scalar], sizes: Sequence[int]) -> Scalar:
    """The index of a place in its plane."""
    found = place[0].cast("i64")
    for at, size in zip(place[1:], sizes[1:], strict=True):
        found = found * size + at.cast("i64")
    return found


TABLE: dict[str, Callable[..., object]] = {
    "aten.adaptive_max_pool2d.default": adaptive_max_pool(2),
    "aten.adaptive_max_pool3d.default": adaptive_max_pool(3),
}
"""Adaptive maxima by name."""
