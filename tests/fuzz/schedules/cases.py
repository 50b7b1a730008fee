"""Payloads for random schedules, from all sources of random programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from fuzz.schedules.chains import random_attention, random_chain
from support.random_programs.linalg import random_linalg
from support.random_programs.made_tensors import random_tensors
from support.random_programs.payloads import Recipe, random_payload
from support.random_programs.tensor_programs import Program
from tilewright.frontend.builder import (
    Payload,
    argmax,
    cross_entropy,
    gated_mlp,
    layernorm,
    linear,
    log_softmax,
    logsumexp,
    mlp,
    reduce,
    rmsnorm,
    rope,
    softmax,
)
from tilewright.ir.dtypes import numpy_dtype

WITH_CHAINS = ("attention", "chain", "softmax", "norm", "rows", "statistics")
"""The layers with chains of reductions."""

Array = np.ndarray[Any, Any]
Layer = Callable[[Payload, Random, Sequence[int]], None]
Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Case:
    """A payload, and lists of shapes for its arguments, one list for each question."""

    name: str
    text: str
    dtypes: tuple[str, ...]
    """The arguments' element types."""
    questions: tuple[Shapes, ...]
    whole_numbers: bool
    """Whether inputs are small whole numbers: sums are then exact in any order."""

    def inputs(self, question: int) -> list[Array]:
        """The arguments of one question, always the same."""
        return [
            self._array(np.random.default_rng([question, position]), shape, dtype)
            for position, (shape, dtype) in enumerate(
                zip(self.questions[question], self.dtypes, strict=True)
            )
        ]

    def _array(
        self, rng: np.random.Generator, shape: Sequence[int], dtype: str
    ) -> Array:
        if self.whole_numbers or dtype.startswith("i"):
            drawn = np.asarray(rng.integers(-2, 3, shape))
        else:
            drawn = np.asarray(rng.standard_normal(shape))
        return drawn.astype(numpy_dtype(dtype))


def random_case(random: Random) -> Case:
    """One of the sources, and a payload of it."""
    sources: list[Callable[[Random], Case]] = [_linalg] * 5
    sources += [_built] * 3 + [_layer] * 3 + [_loops, _tensors]
    return random.choice(sources)(random)


def _linalg(random: Random) -> Case:
    """Named and generic ops written out, dynamic sizes and empty tensors too."""
    written = random_linalg(random)
    return Case("linalg", written.text, written.dtypes, written.shapes, True)


def _tensors(random: Random) -> Case:
    """Tensors made without a destination."""
    written = random_tensors(random)
    return Case("tensors", written.text, written.dtypes, written.shapes, True)


SMALL = Recipe(
    steps=3,
    dtypes=("f32", "f32", "f16", "bf16", "i32"),
    sizes=(1, 2, 3, 4, 7, 8, 16),
    largest_rank=3,
    most_elements=512,
)


def _built(random: Random) -> Case:
    """Steps of the builder at random."""
    return of_payload("built", random_payload(random, SMALL).payload, True)


def _loops(random: Random) -> Case:
    """A program that has its loops already: only the later steps apply."""
    text = Program(random.randrange(10**6)).text()
    shapes = ((8,), (8,), (), ())
    return Case("loops", text, ("f32", "f32", "i1", "index"), (shapes, shapes), True)


def _layer(random: Random) -> Case:
    """A layer of the builder at a small odd size."""
    return random_layer(random, (1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 17))


def random_chain_case(random: Random) -> Case:
    """A layer with a chain of reductions."""
    makes = [_attention, _attention, _chain, _chain, _softmax, _norm, _rows]
    return _made(random.choice(makes), random, (1, 3, 5, 8, 12, 16, 17, 24))


def random_layer(random: Random, sizes: Sequence[int]) -> Case:
    """A layer of the builder."""
    make = random.choice(
        [
            _softmax,
            _norm,
            _linear,
            _mlp,
            _gated,
            _attention,
            _attention,
            _chain,
            _chain,
            _rope,
            _rows,
            _statistics,
        ]
    )
    return _made(make, random, sizes)


def _made(make: Layer, random: Random, sizes: Sequence[int]) -> Case:
    p = Payload("layer")
    make(p, random, sizes)
    return of_payload(make.__name__.strip("_"), p, False)


def of_payload(name: str, payload: Payload, whole_numbers: bool) -> Case:
    """A case of what the builder made."""
    shapes = tuple(
        tuple(size for size in given.shape if isinstance(size, int))
        for given in payload.inputs
    )
    dtypes = tuple(given.dtype for given in payload.inputs)
    return Case(name, payload.text(), dtypes, (shapes,), whole_numbers)


def _float(random: Random) -> str:
    return random.choice(["f32", "f32", "f16", "bf16"])


def _softmax(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    shape = [random.choice(sizes) for _ in range(random.randint(1, 3))]
    p.output(softmax(p.input("x", shape, _float(random))))


def _norm(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    rows, columns, dtype = random.choice(sizes), random.choice(sizes), _float(random)
    x = p.input("x", (rows, columns), dtype)
    weight = p.input("weight", (columns,), dtype)
    if random.random() < 0.5:
        p.output(rmsnorm(x, weight))
    else:
        p.output(layernorm(x, weight, p.input("bias", (columns,), dtype)))


def _linear(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    m, n, k, dtype = (
        random.choice(sizes),
        random.choice(sizes),
        random.choice(sizes),
        _float(random),
    )
    x, w = p.input("x", (m, k), dtype), p.input("w", (k, n), dtype)
    bias = p.input("b", (n,), dtype) if random.random() < 0.5 else None
    residual = p.input("r", (m, n), dtype) if random.random() < 0.3 else None
    activation = random.choice([None, "relu", "gelu", "silu"])
    p.output(linear(x, w, bias=bias, activation=activation, residual=residual))


def _mlp(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    m, k, hidden, n = (random.choice(sizes) for _ in range(4))
    dtype = _float(random)
    x = p.input("x", (m, k), dtype)
    first = p.input("w1", (k, hidden), dtype), p.input("b1", (hidden,), dtype)
    second = p.input("w2", (hidden, n), dtype), p.input("b2", (n,), dtype)
    p.output(mlp(x, [first, second], activation="relu"))


def _gated(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    m, k, hidden = (random.choice(sizes) for _ in range(3))
    dtype = _float(random)
    x = p.input("x", (m, k), dtype)
    gate, up = p.input("gate", (k, hidden), dtype), p.input("up", (k, hidden), dtype)
    p.output(gated_mlp(x, gate, up, p.input("down", (hidden, k), dtype)))


def _attention(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    random_attention(p, random, sizes, _float(random))


def _chain(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    random_chain(p, random, sizes, _float(random))


def _rows(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    x = p.input("x", (random.choice(sizes), random.choice(sizes)), _float(random))
    make = random.choice([logsumexp, log_softmax, argmax, cross_entropy])
    if make is cross_entropy:
        p.output(cross_entropy(x, p.input("targets", x.shape[:1], "i32")))
        return
    made: Any = make(x, axis=random.randrange(2))
    p.output(*(made if make is argmax else [made]))


def _rope(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    tokens, heads, features = random.choice(sizes), random.randint(1, 3), 4
    x = p.input("x", (tokens, heads, features), _float(random))
    cosine = p.input("cosine", (tokens, features // 2), "f32")
    sine = p.input("sine", (tokens, features // 2), "f32")
    p.output(rope(x, cosine[:, None], sine[:, None]))


def _statistics(p: Payload, random: Random, sizes: Sequence[int]) -> None:
    """Several results that share what they read."""
    x = p.input("x", (random.choice(sizes), random.choice(sizes)), _float(random))
    axis = random.randrange(2)
    kinds = random.sample(["sum", "max", "min"], random.randint(1, 3))
    p.output(*(reduce(kind, x, axis=axis) for kind in kinds))  # pyright: ignore[reportArgumentType]
