"""Random payloads through the builder, each with its own numpy evaluation.

    program = random_payload(Random(0))
    results = run(program.payload.module, program.inputs(seed=1))
    assert all(map(np.array_equal, results, program.evaluate(inputs)))

The numbers are small integers and no step leaves the range in which the element type
holds every integer, so results are exact: any order of summation, any fusion and any
tiling gives the same bits, and equality is the test. Give `random` from hypothesis
(`st.randoms(use_true_random=False)`) and failures shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

import numpy as np

from support.random_programs.expressions import Expression
from tilewright.frontend.builder import (
    Payload,
    Tensor,
    concatenate,
    elementwise,
    matmul,
    maximum,
    minimum,
    reduce,
    scan,
)
from tilewright.ir.dtypes import numpy_dtype

Array = np.ndarray[Any, Any]

EXACT = {
    "f64": 2**53,
    "f32": 2**24,
    "f16": 2**11,
    "bf16": 2**8,
    "f8E4M3FN": 2**4,
    "f8E5M2": 2**3,
    "i8": 2**7 - 1,
    "i32": 2**31 - 1,
}
"""For each type, the largest number up to which it holds every integer."""

KINDS = (
    "matmul",
    "matmul",
    "binary",
    "expression",
    "expression",
    "reduce",
    "scan",
    "spread",
    "shape",
    "cast",
    "join",
)


@dataclass(frozen=True)
class Recipe:
    """Ranges and probabilities of random choices."""

    steps: int = 5
    kinds: Sequence[str] = KINDS
    dtypes: Sequence[str] = ("f32", "f32", "f16", "bf16", "f8E4M3FN", "i32", "i8")
    sizes: Sequence[int] = (1, 2, 3, 7, 8, 16, 33)
    largest_rank: int = 4
    most_elements: int = 4096
    largest_input: int = 2


@dataclass(frozen=True)
class Known:
    """A tensor of the payload, its numpy evaluation, and the bound of its numbers."""

    tensor: Tensor
    value: Callable[[Sequence[Array]], Array]
    bound: int

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(size for size in self.tensor.shape if isinstance(size, int))

    @property
    def rank(self) -> int:
        return self.tensor.rank

    @property
    def dtype(self) -> str:
        return self.tensor.dtype


@dataclass(frozen=True)
class RandomPayload:
    """A payload and its evaluation by numpy."""

    payload: Payload
    returned: Sequence[Known]
    bounds: Sequence[int]
    """The largest number of each input."""

    def inputs(self, seed: int = 0) -> list[Array]:
        """Small integers in the inputs' types."""
        rng = np.random.default_rng(seed)
        arrays: list[Array] = []
        for given, bound in zip(self.payload.inputs, self.bounds, strict=True):
            shape = [size for size in given.shape if isinstance(size, int)]
            drawn = np.asarray(rng.integers(-bound, bound + 1, shape))
            arrays.append(drawn.astype(numpy_dtype(given.dtype)))
        return arrays

    def evaluate(self, inputs: Sequence[Array]) -> list[Array]:
        """The results, exactly, in the outputs' types."""
        wide = [array.astype(np.int64) for array in inputs]
        return [
            known.value(wide).astype(numpy_dtype(known.dtype))
            for known in self.returned
        ]


def random_payload(random: Random, recipe: Recipe = Recipe()) -> RandomPayload:  # noqa: B008
    """A payload of a few steps; it returns the last values and perhaps others."""
    maker = _Maker(random, recipe)
    maker.fresh(maker.shape())
    for _ in range(recipe.steps):
        maker.step(random.choice(recipe.kinds))
    returned = [maker.known[-1]]
    if random.random() < 0.3:
        returned.append(random.choice(maker.known))
    maker.payload.output(*(known.tensor for known in returned))
    return RandomPayload(maker.payload, returned, maker.bounds)


def is_float(dtype: str) -> bool:
    return "f" in dtype


def widened(dtype: str) -> str:
    """The type in which sums of this type are held."""
    if is_float(dtype):
        return dtype if dtype == "f64" else "f32"
    return "i32"


@dataclass
class _Maker:
    random: Random
    recipe: Recipe
    payload: Payload = field(default_factory=lambda: Payload("random"))
    known: list[Known] = field(default_factory=list[Known])
    bounds: list[int] = field(default_factory=list[int])

    # Drawing.

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        rank = self.random.randint(1, 3) if rank is None else rank
        sizes = [self.random.choice(self.recipe.sizes) for _ in range(rank)]
        while prod(sizes) > self.recipe.most_elements:
            sizes[sizes.index(max(sizes))] = 2
        return tuple(sizes)

    def fresh(self, shape: Sequence[int], dtype: str | None = None) -> Known:
        """A new input."""
        position = len(self.bounds)
        dtype = dtype or self.random.choice(self.recipe.dtypes)
        tensor = self.payload.input(f"x{position}", shape, dtype)
        self.bounds.append(self.recipe.largest_input)
        return self.keep(
            Known(tensor, lambda inputs: inputs[position], self.bounds[-1])
        )

    def keep(self, known: Known) -> Known:
        self.known.append(known)
        return known

    def pick(self, least_rank: int = 0) -> Known:
        """A value, a recent one more often."""
        fitting = [known for known in self.known if known.rank >= least_rank]
        if not fitting:
            return self.fresh(self.shape(max(least_rank, 1)))
        recent = fitting[-2:] if self.random.random() < 0.7 else fitting
        return self.random.choice(recent)

    def output_dtype(self, computed: str, bound: int) -> str | None:
        """A type of the same kind that holds the result; None if there is none."""
        fitting = [
            dtype
            for dtype in {*self.recipe.dtypes, computed}
            if is_float(dtype) == is_float(computed) and bound <= EXACT[dtype]
        ]
        if bound > EXACT[computed] or not fitting:
            return None
        return self.random.choice(sorted(fitting))

    def partner(self, known: Known) -> Known:
        """Something of the same kind that broadcasts against a value."""
        for other in self.random.sample(self.known, len(self.known)):
            if is_float(other.dtype) != is_float(known.dtype):
                continue
            try:
                joint = np.broadcast_shapes(known.shape, other.shape)
            except ValueError:
                continue
            if prod(joint) <= self.recipe.most_elements and self.random.random() < 0.5:
                return other
        shape = [size if self.random.random() < 0.7 else 1 for size in known.shape][
            self.random.randint(0, known.rank) :
        ]
        same_kind = [
            d for d in self.recipe.dtypes if is_float(d) == is_float(known.dtype)
        ]
        return self.fresh(shape, self.random.choice(same_kind or [known.dtype]))

    # Steps.

    def step(self, kind: str) -> None:
        getattr(self, f"make_{kind}")()

    def make_matmul(self) -> None:
        """A product with a new or an old value, either side perhaps transposed."""
        a = self.pick(least_rank=1)
        if a.rank > self.recipe.largest_rank:
            return
        n = self.random.choice(self.recipe.sizes)
        batch = a.shape[:-2] if self.random.random() < 0.5 else ()
        transposed = self.random.random() < 0.5
        k = a.shape[-1]
        bound = k * a.bound * self.recipe.largest_input
        made = self.output_dtype(widened(a.dtype), bound)
        if made is None or prod((*a.shape[:-1], n)) > self.recipe.most_elements:
            return
        b = self.fresh((*batch, n, k) if transposed else (*batch, k, n), a.dtype)
        right = b.tensor.T if transposed else b.tensor

        def value(inputs: Sequence[Array]) -> Array:
            other = b.value(inputs)
            return a.value(inputs) @ (other.swapaxes(-1, -2) if transposed else other)

        self.keep(Known(matmul(a.tensor, right, dtype=made), value, bound))

    def make_binary(self) -> None:
        """One operator on two tensors."""
        a = self.pick()
        b = self.partner(a)
        sums: list[tuple[Any, Any, int]] = [
            (lambda x, y: x + y, np.add, a.bound + b.bound),
            (lambda x, y: x - y, np.subtract, a.bound + b.bound),
            (lambda x, y: x * y, np.multiply, a.bound * b.bound),
            (maximum, np.maximum, max(a.bound, b.bound)),
            (minimum, np.minimum, max(a.bound, b.bound)),
        ]
        ours, numpys, bound = self.random.choice(sums)
        result = ours(a.tensor, b.tensor) if bound <= self.common_limit(a, b) else None
        if result is None:
            return
        self.keep(
            Known(result, lambda given: numpys(a.value(given), b.value(given)), bound)
        )

    def common_limit(self, a: Known, b: Known) -> int:
        """The range of the operators' result type, which is the wider one."""
        return max(EXACT[a.dtype], EXACT[b.dtype])

    def make_expression(self) -> None:
        """Several operators in one op, over one to three tensors and numbers."""
        first = self.pick()
        operands = [first]
        for _ in range(self.random.randint(0, 2)):
            other = self.partner(first)
            try:
                shape = np.broadcast_shapes(*(o.shape for o in [*operands, other]))
            except ValueError:
                continue
            if prod(shape) <= self.recipe.most_elements:
                operands.append(other)
        plan = Expression(self.random, [o.bound for o in operands])
        widest = max((o.dtype for o in operands), key=EXACT.__getitem__)
        # Integers wrap in their own type; only their sums are held in i32.
        computed = widened(widest) if is_float(widest) else widest
        made = self.output_dtype(computed, plan.largest)
        if made is None:
            return
        made = made if EXACT[made] >= plan.bound else computed
        result = elementwise(plan.traced, *(o.tensor for o in operands), dtype=made)

        def value(inputs: Sequence[Array]) -> Array:
            arrays = [o.value(inputs) for o in operands]
            shape = np.broadcast_shapes(*(array.shape for array in arrays))
            # An operand that does not affect the result's values still broadcasts it.
            return np.broadcast_to(plan.computed(arrays), shape)

        self.keep(Known(result, value, plan.bound))

    def make_reduce(self) -> None:
        """A sum, maximum or minimum along some axes."""
        a = self.pick(least_rank=1)
        axes = self.random.sample(range(a.rank), self.random.randint(1, a.rank))
        kind = self.random.choice(["sum", "max", "min"])
        keep = self.random.random() < 0.4
        squared = kind == "sum" and self.random.random() < 0.3
        each = a.bound * a.bound if squared else a.bound
        length = prod(a.shape[axis] for axis in axes)
        bound = each * length if kind == "sum" else each
        wraps = not is_float(a.dtype) and each > EXACT[a.dtype]
        if wraps or bound > EXACT[widened(a.dtype)]:
            return
        of = (lambda x: x * x) if squared else None
        result = reduce(kind, a.tensor, axis=axes, of=of, keepdims=keep)  # pyright: ignore[reportArgumentType]
        numpys = {"sum": np.sum, "max": np.max, "min": np.min}[kind]

        def value(inputs: Sequence[Array]) -> Array:
            whole = a.value(inputs)
            whole = whole * whole if squared else whole
            return np.asarray(numpys(whole, axis=tuple(axes), keepdims=keep))

        self.keep(Known(result, value, bound))

    def make_scan(self) -> None:
        """Totals or extrema along an axis, up to each element."""
        a = self.pick(least_rank=1)
        axis = self.random.randrange(a.rank)
        kind = self.random.choice(["sum", "max", "min"])
        bound = a.bound * (a.shape[axis] if kind == "sum" else 1)
        if bound > EXACT[widened(a.dtype)]:
            return
        numpys = {"sum": np.add, "max": np.maximum, "min": np.minimum}[kind]

        def value(inputs: Sequence[Array]) -> Array:
            return np.asarray(numpys.accumulate(a.value(inputs), axis=axis))

        result = scan(kind, a.tensor, axis=axis)  # pyright: ignore[reportArgumentType]
        self.keep(Known(result, value, bound))

    def make_spread(self) -> None:
        """A row's statistic against the row, as a softmax or a norm has it."""
        a = self.pick(least_rank=1)
        if 2 * a.bound > EXACT[a.dtype]:
            return
        axis = self.random.randrange(a.rank)
        largest = a.tensor.max(axis, keepdims=True)

        def value(inputs: Sequence[Array]) -> Array:
            whole = a.value(inputs)
            return whole - whole.max(axis, keepdims=True)

        # The tiny types give their maximum in f32, and the difference too.
        self.keep(Known(a.tensor - largest, value, 2 * a.bound))

    def make_shape(self) -> None:
        """A transpose, a new axis, a part or another shape."""
        a = self.pick(least_rank=1)
        match self.random.choice(["transpose", "axis", "part", "reshape"]):
            case "transpose":
                order = self.random.sample(range(a.rank), a.rank)
                made = a.tensor.transpose(*order)
                change: Callable[[Array], Array] = lambda x: x.transpose(order)  # noqa: E731
            case "axis" if a.rank < self.recipe.largest_rank:
                made = a.tensor[:, None]
                change = lambda x: x[:, None]  # noqa: E731
            case "part" if a.shape[-1] > 1:
                start = self.random.randrange(a.shape[-1] - 1)
                made = a.tensor[..., start:]
                change = lambda x: x[..., start:]  # noqa: E731
            case _:
                made = a.tensor.reshape(-1)
                change = lambda x: x.reshape(-1)  # noqa: E731
        self.keep(Known(made, lambda given: change(a.value(given)), a.bound))

    def make_cast(self) -> None:
        """Another type that holds the numbers, floats and integers alike."""
        a = self.pick()
        fitting = [d for d in self.recipe.dtypes if EXACT[d] >= a.bound]
        if fitting:
            made = a.tensor.cast(self.random.choice(fitting))
            self.keep(Known(made, a.value, a.bound))

    def make_join(self) -> None:
        """Two values of one shape, one after the other."""
        a = self.pick(least_rank=1)
        alike = [k for k in self.known if k.shape == a.shape and k.dtype == a.dtype]
        b = self.random.choice(alike)
        if 2 * prod(a.shape) > self.recipe.most_elements:
            return
        axis = self.random.randrange(a.rank)

        def value(inputs: Sequence[Array]) -> Array:
            return np.concatenate([a.value(inputs), b.value(inputs)], axis)

        joined = concatenate([a.tensor, b.tensor], axis)
        self.keep(Known(joined, value, max(a.bound, b.bound)))
