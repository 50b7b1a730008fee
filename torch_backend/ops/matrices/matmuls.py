"""Matrix matmuls: mm, bmm, addmm and relatives."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.ops.reductions import reduce
from tilewright.frontend.builder.ops.reshapes import drop_axis, reshape
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.promotion import compute, rounded
from tilewright.torch_backend.ops.matrices.batches import (
    separate_batches,
    separate_rows,
)
from tilewright.torch_backend.ops.matrices.filled import product_of_filled
from tilewright.torch_backend.ops.matrices.repeats import shared_matrix
from tilewright.torch_backend.ops.result import Result


def product(out: Result, x: Tensor, y: Tensor) -> Tensor:
    """The matrix matmul, rounded once.

    A vector meets each row once: rows that torch copies to join them are read apart.
    """
    is_vector = y.rank == 1 or y.shape[-1] == 1
    rows = separate_rows(x) if is_vector and x.rank == 2 else None
    if rows is None:
        return rounded(out, _accumulated(out, x, y))
    return reshape(rounded(out, _accumulated(out, rows, y)), out.shape)


def batched(out: Result, x: Tensor, y: Tensor) -> Tensor:
    """The matmul of each pair of matrices, rounded once.

    Where all batches share the right matrix, their rows are those of one matmul. A
    matrix times a vector reads each number once: a reduction, which memory limits.
    """
    shared = shared_matrix(y)
    if shared is not None:
        return product(out, x, shared)
    batches, rows, terms = x.shape
    if rows == 1:
        x = reshape(x, (batches, terms, 1))
        return _sum_of_products(out, x, y, axis=1, keepdims=True)
    if y.shape[-1] == 1:
        y = reshape(y, (batches, 1, terms))
        return _sum_of_products(out, x, y, axis=2, keepdims=True)
    if batches == 1:  # as einsum has it: its views are no copies without the batch
        made = matmul(drop_axis(x, 0), drop_axis(y, 0))
        return reshape(rounded(out, made), out.shape)
    apart = separate_batches(x, y, always=out.batches_apart)
    if apart is None:
        return product(out, x, y)
    made = rounded(out, matmul(*apart))
    return reshape(made, out.shape)


def _accumulated(out: Result, x: Tensor, y: Tensor) -> Tensor:
    """The sums of products in the accumulator's type, wrapped to narrow integers."""
    made = product_of_filled(x, y)
    return matmul(x, y) if made is None else made


def dot(out: Result, x: Tensor, y: Tensor) -> Tensor:
    """The sum of products of two vectors."""
    return _sum_of_products(out, x, y, axis=0)


def _sum_of_products(
    out: Result, x: Tensor, y: Tensor, axis: int, keepdims: bool = False
) -> Tensor:
    kind = computed_in(out.dtype)

    def term(x: Scalar, y: Scalar) -> Scalar:
        return x.cast(kind) * y.cast(kind)

    made = reduce("sum", x, y, axis=axis, of=term, keepdims=keepdims)
    return rounded(out, made)


def added(
    out: Result,
    bias: Tensor,
    x: Tensor,
    y: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
) -> Tensor:
    """beta bias + alpha x y, rounded once."""
    made = _accumulated(out, x, y)
    if beta == 0:
        return compute(out, lambda p: _times(p, alpha), made)

    def addmm(product: Scalar, bias: Scalar) -> Scalar:
        return _times(product, alpha) + _times(bias, beta)

    return compute(out, addmm, made, bias)


def _times(x: Scalar, by: Number) -> Scalar:
    return x if by == 1 else x * by


TABLE: dict[str, Callable[..., object]] = {
    "aten.mm.default": product,
    "aten.bmm.default": batched,
    "aten.mv.default": product,
    "aten.dot.default": dot,
    "aten.addmm.default": added,
    "aten.addmv.default": added,
    "aten.baddbmm.default": added,
}
"""Matrix matmuls by name."""
