"""Grouped heads of attention: several heads of queries share a head of keys.

The query's heads are seen as (key heads, group). The group is a loop of its own, so
keys and values are read where they are: nothing is repeated in memory. A single query
is dropped as a dimension, and the heads of a group are the rows of the products.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.frontend.builder.ops.reshapes import drop_axis, reshape, split_axis
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor


@dataclass(frozen=True)
class HeadGroups:
    """The axes of the scores: (..., heads, queries, keys) outside, grouped inside."""

    scores: Shape
    """As the user sees them."""
    key_heads: int | None
    """None if every head has its own keys: nothing changes then."""

    @property
    def group(self) -> int:
        """How many heads of queries share a head of keys."""
        heads = self.scores[-3] if self.key_heads is not None else 1
        assert isinstance(heads, int)
        return heads // (self.key_heads or 1)

    @property
    def single_query(self) -> bool:
        """Whether the heads of a group are rows, in place of the queries."""
        return self.key_heads is not None and self.scores[-2] == 1

    def inside(self, x: Tensor) -> Tensor:
        """A tensor that is aligned with (..., heads, queries, anything)."""
        if self.key_heads is None or x.rank < 2:
            return x
        at = -3
        if self.single_query:
            x, at = drop_axis(x, -2), -2
        if x.rank < -at:
            return x
        if x.shape[at] == self.scores[-3] and x.axes[at] is not None:
            return split_axis(x, at, (self.key_heads, self.group))
        rest = (slice(None),) * (-at - 1)
        return x[(..., None, *rest)]

    def shared(self, x: Tensor) -> Tensor:
        """Keys or values: each head serves the whole group."""
        one_row_axis = self.key_heads is not None and not self.single_query
        return x[..., None, :, :] if one_row_axis else x

    def outside(self, x: Tensor, shape: Shape) -> Tensor:
        """A result in the user's shape."""
        return x if self.key_heads is None else reshape(x, shape)

    def query_index(self) -> ScalarLike:
        """The number of the query, in a function of scores."""
        return 0 if self.single_query else index(-2)

    def head_index(self) -> Scalar:
        """The number of the query's head, in a function of scores."""
        if self.key_heads is None:
            return index(-3)
        at = -2 if self.single_query else -3
        return index(at - 1) * self.group + index(at)
