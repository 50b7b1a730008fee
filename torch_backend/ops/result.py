"""What an op has to give: shapes and element types as torch has inferred them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from torch.fx import Node

from tilewright.frontend.builder.function_builder import FunctionBuilder, Number
from tilewright.frontend.builder.gathers import generated, generated_all
from tilewright.frontend.builder.generic import filled
from tilewright.frontend.builder.ops.loop_order import Order
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail

F = TypeVar("F", bound=Callable[..., Any])

BY_WINDOWS = "tilewright_by_windows"
"""The mark of a convolution, in a node's `meta`, that is read window by window."""
BY_MATMUL = "tilewright_by_matmul"
"""The mark of a convolution that is a matmul."""
BATCHES_APART = "tilewright_batches_apart"
"""The mark of a batched matmul whose joined batches are seen apart."""


def is_own(convolution: Node) -> bool:
    """Whether kernels of ours compute a convolution; all others stay in torch."""
    return BY_WINDOWS in convolution.meta or BY_MATMUL in convolution.meta


@dataclass(frozen=True)
class Spec:
    """The shape and the element type of a tensor."""

    shape: Shape
    dtype: str


@dataclass(frozen=True)
class Result:
    """The results of an op, and the payload that it is added to."""

    builder: FunctionBuilder
    specs: tuple[Spec | None, ...]
    """One for each result; None where torch gives no tensor."""
    used: tuple[bool, ...] = ()
    """Which results somebody reads; an op need not compute the others."""
    order: Order | None = None
    """The order in memory of the first operand, if it lies channels last."""
    placed: Order | None = None
    """The order in memory that the result leaves the payload in, if it is only that."""
    by_windows: bool = False
    """Whether a convolution is read window by window, instead of a named op."""
    batches_apart: bool = False
    """Whether a matmul that follows or precedes another sees joined batches apart."""

    @property
    def spec(self) -> Spec:
        """The first result."""
        spec = self.specs[0]
        assert spec is not None
        return spec

    @property
    def shape(self) -> Shape:
        """The shape of the first result."""
        return self.spec.shape

    @property
    def dtype(self) -> str:
        """The element type of the first result."""
        return self.spec.dtype

    def is_used(self, result: int) -> bool:
        """Whether somebody reads a result."""
        return not self.used or self.used[result]

    def full(
        self, value: Number, shape: Shape | None = None, dtype: str | None = None
    ) -> Tensor:
        """A tensor with one number everywhere; the result's shape and type."""
        sizes, kind = self.shape if shape is None else shape, dtype or self.dtype
        start = filled(self.builder, value, sizes, kind)
        return Tensor(self.builder, start, sizes, kind, tuple(range(len(sizes))))

    def generate(
        self,
        function: Callable[[], ScalarLike],
        shape: Shape | None = None,
        dtype: str | None = None,
        *,
        keeps_order: bool = False,
    ) -> Tensor:
        """A tensor whose elements are a function of `index(axis)` and `gather(...)`.

        One of the result's shape lies channels last if the first operand does, and one
        of another shape if it keeps the order.
        """
        sizes = self.shape if shape is None else shape

        def element(*places: Scalar) -> ScalarLike:
            return function()

        order = self._order(sizes) if shape is None or keeps_order else None
        return generated(self.builder, element, sizes, dtype or self.dtype, order)

    def generate_all(
        self, function: Callable[[], tuple[ScalarLike, ...]]
    ) -> list[Tensor]:
        """The same for all results of an op, which have the first one's shape."""
        dtypes = [spec.dtype for spec in self.specs if spec is not None]

        def element(*places: Scalar) -> tuple[ScalarLike, ...]:
            return function()

        order = self._order(self.shape)
        return generated_all(self.builder, element, self.shape, dtypes, order)

    def _order(self, sizes: Shape) -> Order | None:
        order = self.order
        return order if order is not None and len(order) == len(sizes) else None


def names_sizes(function: F) -> F:
    """Mark the function of an op that takes the names of open sizes for numbers."""
    _NAME_SIZES.add(function)
    return function


def takes_open_sizes(function: Callable[..., object]) -> bool:
    """Whether open sizes among an op's arguments may be passed by name."""
    return function in _NAME_SIZES


_NAME_SIZES: set[Callable[..., object]] = set()


def refuse(reason: str) -> NoReturn:
    """Leave this call of the op to torch; the reason is a clause about the op."""
    fail(reason)
