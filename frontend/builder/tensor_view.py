"""A value of a payload seen through a view.

Dimension i of the view is dimension `axes[i]` of the value, or a new one of size 1
where `axes[i]` is None. Transposes and new axes change the view only; they end up in
the indexing maps of the ops that read it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, TypeVar

from xdsl.ir import SSAValue

from tilewright.frontend.builder.function_builder import FunctionBuilder
from tilewright.frontend.builder.sizes import Shape, shown


@dataclass(frozen=True, eq=False, repr=False)
class TensorView:
    """The data of a symbolic tensor; `Tensor` adds the operators."""

    builder: FunctionBuilder
    value: SSAValue
    sizes: Shape
    """Of the value; `shape` has those of the view."""
    dtype: str
    axes: tuple[int | None, ...]

    def __post_init__(self) -> None:
        """Note the shape, which a type does not tell where sizes are open."""
        self.builder.shapes[self.value] = self.sizes

    @property
    def shape(self) -> Shape:
        """Numbers, and names of sizes known only when the program runs."""
        return tuple(1 if axis is None else self.sizes[axis] for axis in self.axes)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.axes)

    @property
    def name(self) -> str:
        """The name of the value in the text."""
        return self.value.name_hint or "a value"

    @property
    def described(self) -> str:
        """`(512, N) f16`."""
        return f"{shown(self.shape)} {self.dtype}"

    def __repr__(self) -> str:
        """`Tensor x (512, N) f16`."""
        return f"{type(self).__name__} {self.name} {self.described}"

    def like(self, value: SSAValue, sizes: Shape, dtype: str) -> Self:
        """A tensor of the same payload for another value."""
        axes = tuple(range(len(sizes)))
        return replace(self, value=value, sizes=sizes, dtype=dtype, axes=axes)


T = TypeVar("T", bound=TensorView)
"""Functions give the class of tensor that they are given."""
