"""A library call as data: the function, views of buffers, and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import SSAValue


@dataclass(frozen=True)
class CallOperand:
    """A view of a whole buffer: dimensions merged, exchanged or added."""

    value: SSAValue
    dims: tuple[tuple[int, ...], ...]
    """For each dimension of the view, the neighbouring dimensions of the buffer that it
    merges; for a new dimension of size 1, none."""

    @property
    def swapped(self) -> bool:
        """Whether the last two dimensions lie in memory the other way round."""
        last = [group for group in self.dims[-2:] if group]
        return len(last) == 2 and last[0] > last[1]

    def shape(self, extents: Sequence[int]) -> tuple[int, ...]:
        """The view's extents, for those of the buffer."""
        return tuple(prod(extents[dim] for dim in group) for group in self.dims)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The extents of a buffer, or of the tensor that becomes one."""
    of = value.type
    assert isinstance(of, MemRefType | TensorType)
    return of.get_shape()


def whole(value: SSAValue, rank: int) -> CallOperand:
    """A buffer as it is."""
    return CallOperand(value, tuple((dim,) for dim in range(rank)))


@dataclass(frozen=True)
class LibraryCall:
    """A call `function(operands, out=output)`.

    A product is `activation(alpha * left @ right + beta * added)`, rounded once.
    """

    function: str
    """`mm`, `padded_mm`, `bmm`, `mv`, `scaled_mm` or `softmax`."""
    operands: tuple[CallOperand, ...]
    output: CallOperand
    wide: bool = False
    """Whether the output is wider than the operands."""
    dimension: int | None = None
    """Of a softmax."""
    added: CallOperand | None = None
    alpha: float = 1.0
    beta: float = 1.0
    scales: tuple[CallOperand | None, ...] = ()
    """Of `scaled_mm`: what the rows and the columns are multiplied by; None for 1."""
    activation: str | None = None
    """"relu", "gelu_tanh", or None."""

    @property
    def buffers(self) -> tuple[CallOperand, ...]:
        """All that the call reads, without an output that it adds to."""
        rest = (self.added, *self.scales)
        return (*self.operands, *(each for each in rest if each is not None))

    @property
    def copies_first(self) -> bool:
        """Whether torch copies what is added to the output, before it multiplies.

        cuBLAS adds one row to all rows by itself.
        """
        if self.added is None or self.added.value is self.output.value:
            return False
        is_row = self.function == "mm" and len(self.added.dims) == 1
        return not is_row or (self.alpha, self.beta) != (1.0, 1.0) or self.wide
