"""Payloads with chains of reductions, which `stream` and its companions are for.

Attention with options drawn at random, and two to four reductions along one axis whose
terms read the results before them: some by a rule of `stream`, some by no rule at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal

from tilewright.frontend.builder import (
    Payload,
    Tensor,
    argmax,
    attention,
    elementwise,
    exp,
    exp2,
    index,
    log,
    matmul,
    reduce,
    rsqrt,
    tanh,
    where,
)

Kind = Literal["sum", "max", "min"]
Terms = tuple[Kind, Callable[..., Any]]


# -- attention ------------------------------------------------------------------------


def random_attention(
    p: Payload, random: Random, sizes: Sequence[int], dtype: str
) -> None:
    """Attention with masks, biases, caps and shared heads.

    A log-sum-exp is drawn only if every query sees a key: of a row without any, it is
    NaN before `stream` and -inf after it.
    """
    queries = min(random.choice(sizes), 40)
    keys = queries if random.random() < 0.5 else min(random.choice(sizes), 48)
    size, batch = min(random.choice(sizes), 16), random.randint(1, 2)
    q_heads, heads = random.choice([((), ()), ((2,), (2,)), ((4,), (2,)), ((3,), (1,))])
    q = p.input("q", (batch, *q_heads, queries, size), dtype)
    k = p.input("k", (batch, *heads, keys, size), dtype)
    v = p.input("v", (batch, *heads, keys, random.choice([size, 5])), dtype)
    options: dict[str, Any] = {}
    if random.random() < 0.5:
        options["causal"] = random.choice([True, "bottom_right"])
    if random.random() < 0.3:
        options["window"] = random.choice([1, 3, 8, (4, 0), (2, 5), (None, 3)])
    if random.random() < 0.2:
        options["soft_cap"] = random.choice([0.5, 20.0])
    if random.random() < 0.2:
        options["scale"] = random.choice([1.0, 0.3])
    if random.random() < 0.2:
        shape = (*q_heads, queries, keys) if random.random() < 0.5 else (1, keys)
        options["bias"] = p.input("bias", shape, random.choice([dtype, "f32"]))
    if q_heads and random.random() < 0.2:
        options["alibi"] = p.input("slopes", q_heads, "f32")
    if random.random() < 0.15:
        of_keys = p.input("key_documents", (batch, keys), "i32")
        of_queries = p.input("documents", (batch, queries), "i32")
        options["documents"] = (of_queries, of_keys)
    elif random.random() < 0.15:
        options["key_lengths"] = p.input("lengths", (batch,), "i32")
    elif random.random() < 0.15:
        first = p.input("first_keys", (batch, queries), "i32")
        ends = p.input("key_ends", (batch, queries), "i32")
        options["key_range"] = random.choice([(first, None), (None, ends)])
    data = {"documents", "key_lengths", "key_range"}
    sees_one = not data & {*options} and queries <= keys
    if sees_one and random.random() < 0.3:
        p.output(*attention(q, k, v, lse=True, **options))
    else:
        p.output(attention(q, k, v, **options))


# -- chains ---------------------------------------------------------------------------


def random_chain(p: Payload, random: Random, sizes: Sequence[int], dtype: str) -> None:
    """Two to four reductions along one axis, and perhaps an op or a product after."""
    rank = random.choice([1, 2, 2, 2, 3])
    shape = [min(random.choice(sizes), 20) for _ in range(rank)]
    axis = rank - 1 if random.random() < 0.7 else random.randrange(rank)
    shape[axis] = random.choice(sizes)
    x, y = p.input("x", shape, dtype), p.input("y", shape, dtype)
    other = random.choice([None, None, None, 0.0, -math.inf])
    if other is not None:
        x = _masked(random, x, axis, other)
    chain = _Chain(random, x, y, axis, has_infinities=other == -math.inf)
    for _ in range(random.randint(2, 4)):
        chain.add()
    last = chain.found[-1]
    kind = random.random()
    if kind < 0.25:
        p.output(elementwise(_after(random), x, last))
    elif kind < 0.4 and rank == 2 and axis == 1:
        weights = elementwise(_after(random), x, last, dtype=dtype)
        columns = random.choice([1, 3, 8])
        p.output(matmul(weights, p.input("w", (shape[1], columns), dtype)))
    elif kind < 0.5:
        p.output(*chain.found[-2:])
    elif kind < 0.6:
        p.output(last, argmax(x, axis=axis)[1])
    else:
        p.output(last)


def _masked(random: Random, x: Tensor, axis: int, other: float) -> Tensor:
    """x with a number in its place where a condition on indices does not hold."""
    shift = random.choice([0, 0, 2, -3])
    first = random.randrange(x.rank)

    def keep(e: Any) -> Any:
        at, row = index(axis), index(first)
        # Element 0 is always kept: a row of -inf alone has no softmax.
        within = (at == 0) | (at <= row + shift)
        return where(within, e, other)

    return elementwise(keep, x)


EXPONENTIALS: list[Terms] = [
    ("sum", lambda x, y, r: exp(x - r)),
    ("sum", lambda x, y, r: exp(x - r) * y),
    ("sum", lambda x, y, r: exp2((x - r) * 1.5)),
    ("sum", lambda x, y, r: where(y > 0.0, exp(x - r), 0.0)),
    ("sum", lambda x, y, r: where(x == r, y, 0.0)),
]
"""What may be summed up below a maximum."""

ABOVE: list[Terms] = [
    ("sum", lambda x, y, r: exp(r - x) * y),
    ("max", lambda x, y, r: where(x == r, y, -math.inf)),
]
"""What may be combined above a minimum."""


class _Chain:
    """Reductions of x, y and earlier results, along one axis.

    Where x has infinities, only a maximum and exponentials below it are drawn: a sum
    does not commute with an infinite factor.
    """

    def __init__(
        self, random: Random, x: Tensor, y: Tensor, axis: int, *, has_infinities: bool
    ):
        self.random, self.x, self.y, self.axis = random, x, y, axis
        self.has_infinities = has_infinities
        self.length = float(x.shape[axis])
        self.found: list[Tensor] = []
        self.kinds: list[str] = []

    def add(self) -> None:
        """One more reduction, with its extent of 1 kept."""
        if not self.found:
            kinds: list[Kind] = ["sum", "max", "max", "min"]
            first = "max" if self.has_infinities else self.random.choice(kinds)
            self._reduce(first, lambda x, y: x)
            return
        if self.has_infinities:
            kind, term = self.random.choice(EXPONENTIALS)
            self._reduce(kind, term, self.found[0])
            return
        number = self.random.randrange(len(self.found))
        earlier = self.found[number]
        if self.random.random() < 0.25:
            earlier = elementwise(self._between(self.kinds[number]), earlier)
        kind, term = self.random.choice(self._terms(self.kinds[number]))
        self._reduce(kind, term, earlier)

    def _reduce(self, kind: Kind, term: Callable[..., Any], *earlier: Tensor) -> None:
        made = reduce(
            kind, self.x, self.y, *earlier, axis=self.axis, of=term, keepdims=True
        )
        self.found.append(made)
        self.kinds.append(kind)

    def _between(self, kind: str) -> Callable[..., Any]:
        """An element-wise function of a result."""
        if kind == "sum":
            return self.random.choice(
                [lambda r: r / self.length, lambda r: rsqrt(r * r + 1.0)]
            )
        return self.random.choice([lambda r: r * 0.5, lambda r: r + 1.0])

    def _terms(self, kind: str) -> list[Terms]:
        """What may be reduced next, given the kind of the result that it reads."""
        terms: list[Terms] = [
            ("sum", lambda x, y, r: x * r),
            ("sum", lambda x, y, r: y * x / (r * r + 1.0)),
            ("sum", lambda x, y, r: (x - r) * (x - r)),
            ("sum", lambda x, y, r: x - r),
            ("max", lambda x, y, r: y - r),
            ("min", lambda x, y, r: r + y),
            ("sum", lambda x, y, r: tanh(x - r)),  # no rule
            ("max", lambda x, y, r: x * r),  # no rule
        ]
        if kind == "max":
            terms += EXPONENTIALS
        if kind == "min":
            terms += ABOVE
        return terms


def _after(random: Random) -> Callable[..., Any]:
    """An element-wise function of x and the last result."""
    return random.choice(
        [
            lambda x, r: x * r,
            lambda x, r: x - r,
            lambda x, r: exp(x) / (r * r + 1.0),
            lambda x, r: x - log(r * r + 1.0),
        ]
    )
