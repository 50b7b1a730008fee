"""A symbolic tensor: shape and element type are known, the numbers are not.

Methods and operators are short for functions of the other files: `a @ b` is
`matmul(a, b)`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, NoReturn

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import DtypeLike
from tilewright.frontend.builder.ops import (
    elements,
    functions,
    products,
    reductions,
    reshapes,
    views,
)
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor_view import TensorView
from tilewright.frontend.builder.user_lines import check_name, fail
from tilewright.ir.name_hints import name_hint


@dataclass(frozen=True, eq=False, repr=False)
class Tensor(TensorView):
    """A tensor of a payload; functions and operators on it append ops."""

    __array_ufunc__ = None
    """numpy's numbers leave arithmetic with tensors to this class."""

    def named(self, name: str) -> Tensor:
        """Give the value a name in the text."""
        check_name("a value", name)
        self.value.name_hint = name_hint(name)
        return self

    def materialized(self) -> Tensor:
        """The same tensor in memory, without a view."""
        return views.materialized(self)

    def cast(self, dtype: DtypeLike) -> Tensor:
        """Convert to another element type."""
        return elements.cast(self, dtype)

    # Views.

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The last two dimensions exchanged."""
        if self.rank < 2:
            fail(f"'{self.name}' {self.described} has no two dimensions to exchange")
        return self.transpose(*range(self.rank - 2), self.rank - 1, self.rank - 2)

    def transpose(self, *order: int) -> Tensor:
        """The dimensions in another order: `x.transpose(0, 2, 1)`."""
        return views.transpose(self, order)

    def __getitem__(
        self,
        key: slice | None | EllipsisType | tuple[slice | None | EllipsisType, ...],
    ) -> Tensor:
        """`x[:, None]` adds a dimension, `x[..., :32]` takes a part."""
        return views.subscript(self, key if isinstance(key, tuple) else (key,))

    def reshape(self, *shape: int | Sequence[int]) -> Tensor:
        """The same numbers in the same order under another shape: sizes, or a tuple."""
        first = shape[0] if len(shape) == 1 else None
        given = first if isinstance(first, tuple | list) else shape
        return reshapes.reshape(self, tuple(map(_size, given)))

    # Reductions.

    def sum(
        self,
        axis: int | Sequence[int],
        *,
        keepdims: bool = False,
        dtype: DtypeLike | None = None,
    ) -> Tensor:
        """The sum along axes; sums of narrow types have a wider type."""
        return reductions.reduce("sum", self, axis=axis, keepdims=keepdims, dtype=dtype)

    def prod(
        self,
        axis: int | Sequence[int],
        *,
        keepdims: bool = False,
        dtype: DtypeLike | None = None,
    ) -> Tensor:
        """The product along axes."""
        return reductions.reduce(
            "prod", self, axis=axis, keepdims=keepdims, dtype=dtype
        )

    def max(self, axis: int | Sequence[int], *, keepdims: bool = False) -> Tensor:
        """The maximum along axes; NaN if there is one."""
        return reductions.reduce("max", self, axis=axis, keepdims=keepdims)

    def min(self, axis: int | Sequence[int], *, keepdims: bool = False) -> Tensor:
        """The minimum along axes; NaN if there is one."""
        return reductions.reduce("min", self, axis=axis, keepdims=keepdims)

    def mean(
        self,
        axis: int | Sequence[int],
        *,
        keepdims: bool = False,
        dtype: DtypeLike | None = None,
    ) -> Tensor:
        """The mean along axes."""
        return reductions.mean(self, axis=axis, keepdims=keepdims, dtype=dtype)

    # Arithmetic: each operator is one op; `elementwise` makes one op of an expression.

    def __add__(self, other: Tensor | Number) -> Tensor:
        """The sum, element by element."""
        return functions.add(self, other)

    def __radd__(self, other: Number) -> Tensor:
        """The sum, element by element."""
        return functions.add(other, self)

    def __sub__(self, other: Tensor | Number) -> Tensor:
        """The difference, element by element."""
        return functions.sub(self, other)

    def __rsub__(self, other: Number) -> Tensor:
        """The difference, element by element."""
        return functions.sub(other, self)

    def __mul__(self, other: Tensor | Number) -> Tensor:
        """The product, element by element."""
        return functions.mul(self, other)

    def __rmul__(self, other: Number) -> Tensor:
        """The product, element by element."""
        return functions.mul(other, self)

    def __truediv__(self, other: Tensor | Number) -> Tensor:
        """The quotient, element by element."""
        return functions.div(self, other)

    def __rtruediv__(self, other: Number) -> Tensor:
        """The quotient, element by element."""
        return functions.div(other, self)

    def __neg__(self) -> Tensor:
        """The negative."""
        return functions.neg(self)

    def __pow__(self, exponent: Tensor | Number) -> Tensor:
        """The power, element by element."""
        return functions.power(self, exponent)

    def __lt__(self, other: Tensor | Number) -> Tensor:
        """A condition for each element, an i1."""
        return functions.less(self, other)

    def __le__(self, other: Tensor | Number) -> Tensor:
        """A condition for each element, an i1."""
        return functions.less_equal(self, other)

    def __gt__(self, other: Tensor | Number) -> Tensor:
        """A condition for each element, an i1."""
        return functions.greater(self, other)

    def __ge__(self, other: Tensor | Number) -> Tensor:
        """A condition for each element, an i1."""
        return functions.greater_equal(self, other)

    def __matmul__(self, other: Tensor) -> Tensor:
        """The matrix product, in the accumulator's type."""
        return products.matmul(self, other)

    def __bool__(self) -> NoReturn:
        """The numbers are not known."""
        fail(
            "a tensor is neither true nor false while the payload is built",
            "choose element by element with where(condition, a, b)",
        )


def _size(size: Any) -> Size:
    """A size as a user gives it: a number, or the name of an open one."""
    if isinstance(size, str):
        return size
    try:
        return operator.index(size)
    except TypeError:
        fail(
            f"reshape: {size!r} is not a size",
            "write whole numbers, one by one or as a tuple; one may be -1",
        )
