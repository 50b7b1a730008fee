"""What attention does to a score, in one op: scale, cap, bias, mask.

A mask is `select(condition, score, -inf)`. Its condition compares numbers of queries
and keys (`linalg.index`), so the keys that a tile sees follow from its bounds.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TypeAlias

from tilewright.frontend.builder.layers.head_groups import HeadGroups
from tilewright.frontend.builder.ops.functions import absolute, tanh, where
from tilewright.frontend.builder.scalar import (
    Scalar,
    ScalarLike,
    as_scalar,
    extent,
    index,
)
from tilewright.frontend.builder.user_lines import fail

Score: TypeAlias = Callable[..., ScalarLike]
"""A function of a score, and of those of b, h, q and k that it has as parameters."""


@dataclass(frozen=True)
class ScoreRule:
    """How a product of query and key becomes the score that softmax takes.

    A query has a position among the keys: its own number, or, with `bottom_right`,
    counted so that the last query is at the last key.
    """

    heads: HeadGroups
    scale: float
    soft_cap: float | None
    left: int | None
    """A query sees this many keys before its position; None for all."""
    right: int | None
    """A query sees this many keys after its position; None for all."""
    bottom_right: bool
    score: Score | None

    def __call__(self, given: Mapping[str, Scalar]) -> Scalar:
        """The score, from the elements of the operands by name."""
        return _Element(self, given).score()


@dataclass(frozen=True)
class _Element:
    """One score while it is traced."""

    rule: ScoreRule
    given: Mapping[str, Scalar]

    def score(self) -> Scalar:
        found = self._capped()
        if "bias" in self.given:
            found = found + self.given["bias"]
        if "alibi" in self.given:
            found = found + self.given["alibi"] * self._distance()
        if self.rule.score is not None:
            found = self._own(self.rule.score, found)
        seen = [*self._window(), *self._length(), *self._range(), *self._document()]
        return where(reduce(Scalar.__and__, seen), found, -math.inf) if seen else found

    def _capped(self) -> Scalar:
        acc, scale, cap = self.given["acc"], self.rule.scale, self.rule.soft_cap
        return acc * scale if cap is None else tanh(acc * (scale / cap)) * cap

    def _distance(self) -> Scalar:
        """From the query to the key, negative; in both directions if both are seen.

        Each index is converted by itself: a row and a column, not a whole tile.
        """
        away = index(-1).cast("f32") - _as_float(self._position)
        return away if self.rule.right == 0 else -absolute(away)

    @cached_property
    def _position(self) -> ScalarLike:
        """The number of the key that is level with the query."""
        query = self.rule.heads.query_index()
        queries, keys = self.rule.heads.scores[-2:]
        length = self.given.get("key_length")
        if not self.rule.bottom_right or (length is None and queries == keys):
            return query
        end = extent(keys) if length is None else length.cast("index")
        return query + (end - extent(queries))

    def _window(self) -> list[Scalar]:
        """The keys around the query; no condition if it always holds."""
        left, right = self.rule.left, self.rule.right
        if left is None and right is None:
            return []
        found: list[Scalar] = []
        keys = self.rule.heads.scores[-1]
        key = index(-1)
        if right is not None:
            last = self._position + right if right else self._position
            if isinstance(last, Scalar) or isinstance(keys, str) or last < keys - 1:
                found.append(key <= last)
        if left is not None:
            first = self._position - left if left else self._position
            if isinstance(first, Scalar) or first > 0:
                found.append(key >= first)
        return found

    def _length(self) -> list[Scalar]:
        # A causal query sees no key after its position, which is before the end.
        bounded = self.rule.bottom_right and self.rule.right == 0
        if "key_length" not in self.given or bounded:
            return []
        return [index(-1) < self.given["key_length"].cast("index")]

    def _range(self) -> list[Scalar]:
        """The keys between a query's first one and its end."""
        found: list[Scalar] = []
        if "first_key" in self.given:
            found.append(index(-1) >= self.given["first_key"].cast("index"))
        if "key_end" in self.given:
            found.append(index(-1) < self.given["key_end"].cast("index"))
        return found

    def _document(self) -> list[Scalar]:
        if "query_document" not in self.given:
            return []
        return [self.given["query_document"] == self.given["key_document"]]

    def _own(self, score: Score, found: Scalar) -> Scalar:
        """The score by the user's function."""
        heads = self.rule.heads
        indices: dict[str, Callable[[], ScalarLike]] = {
            "q": heads.query_index,
            "k": lambda: index(-1),
        }
        if len(heads.scores) >= 3:
            indices["h"] = heads.head_index
        if len(heads.scores) == 4:
            indices["b"] = lambda: index(0)
        names = list(inspect.signature(score).parameters)[1:]
        for name in names:
            if name not in indices:
                fail(
                    f"attention: the score function has a parameter '{name}'",
                    f"after the score it may have {', '.join(sorted(indices))}",
                )
        body = found.body
        chosen = {name: as_scalar(body, indices[name](), "index") for name in names}
        return as_scalar(body, score(found, **chosen), found.dtype)


def _as_float(number: ScalarLike) -> ScalarLike:
    return number.cast("f32") if isinstance(number, Scalar) else float(number)
