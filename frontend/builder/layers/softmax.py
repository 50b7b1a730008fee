"""softmax and its relatives: exponentials, shifted by the maximum against overflow.

Narrow inputs are computed in f32.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.frontend.builder.layers.checks import check_float
from tilewright.frontend.builder.numerics import DtypeLike, computed_in
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import exp, log
from tilewright.frontend.builder.ops.reductions import normalized, with_units
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import SoftmaxOp


def softmax(
    x: Tensor, axis: int = -1, *, dtype: DtypeLike | None = None, named: bool = False
) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis, shifted by the maximum against overflow.

    There are four ops: the maximum, the exponentials, their sum, the quotient. With
    `named` it is one `linalg.softmax`, which a schedule decomposes and which computes
    in the input's type.
    """
    check_float("softmax", x)
    if named:
        return _named_softmax(x, axis, dtype)
    return exponentials(x, axis).quotient(x.dtype if dtype is None else dtype)


@dataclass(frozen=True)
class Exponentials:
    """exp(x - largest) along an axis: the parts of softmax and of log-sum-exp."""

    axes: tuple[int, ...]
    largest: Tensor
    """The maximum along the axis, without the axis."""
    powers: Tensor
    total: Tensor
    """The sum of the powers, without the axis."""

    @property
    def rows_largest(self) -> Tensor:
        """The maximum along the axis, with the axis as one of size 1."""
        return with_units(self.largest, self.axes)

    def quotient(self, dtype: DtypeLike) -> Tensor:
        """softmax: the powers divided by their sum."""

        def softmax(power: Scalar, total: Scalar) -> Scalar:
            return power / total

        total = with_units(self.total, self.axes)
        return elementwise(softmax, self.powers, total, dtype=dtype)

    def log_quotient(self, x: Tensor, dtype: DtypeLike) -> Tensor:
        """The logarithm of the softmax of `x`; the difference first, as it is small."""

        def log_total(total: Scalar) -> Scalar:
            return log(total)

        def log_softmax(x: Scalar, largest: Scalar, log_total: Scalar) -> Scalar:
            return (x - largest) - log_total

        rows = [self.largest, elementwise(log_total, self.total)]
        units = [with_units(row, self.axes) for row in rows]
        return elementwise(log_softmax, x, *units, dtype=dtype)

    def logarithm(self, name: str = "lse") -> Tensor:
        """largest + log(total): the logarithm of the sum of exp(x)."""

        def lse(largest: Scalar, total: Scalar) -> Scalar:
            return largest + log(total)

        made = elementwise(lse, self.largest, self.total, dtype=self.total.dtype)
        return made.named(name)


def exponentials(x: Tensor, axis: int) -> Exponentials:
    """The maximum, the exponentials and their sum, an op each."""
    axes = normalized("softmax", axis, x.shape, [x])
    largest = x.max(axes).named("largest")

    def exponential(x: Scalar, largest: Scalar) -> Scalar:
        return exp(x - largest)

    kind = computed_in(x.dtype)
    powers = elementwise(exponential, x, with_units(largest, axes), dtype=kind)
    return Exponentials(axes, largest, powers, powers.sum(axes).named("total"))


def log_softmax(x: Tensor, axis: int = -1, *, dtype: DtypeLike | None = None) -> Tensor:
    """log(softmax(x)) along an axis: (x - maximum) - log(sum of exponentials)."""
    check_float("log_softmax", x)
    return exponentials(x, axis).log_quotient(x, x.dtype if dtype is None else dtype)


def logsumexp(x: Tensor, axis: int = -1, *, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))) along an axis, in f32 for narrow types.

    A row of -inf alone gives NaN.
    """
    check_float("logsumexp", x)
    parts = exponentials(x, axis)
    made = parts.logarithm("logsumexp")
    return with_units(made, parts.axes) if keepdims else made


def _named_softmax(x: Tensor, axis: int, dtype: DtypeLike | None) -> Tensor:
    x = x.materialized()
    (at,) = normalized("softmax", axis, x.shape, [x])
    op = SoftmaxOp(x.value, x.builder.empty(x.shape, x.dtype), at)
    made = x.like(x.builder.add(op, "softmax"), x.shape, x.dtype)
    return made if dtype is None else made.cast(dtype)
