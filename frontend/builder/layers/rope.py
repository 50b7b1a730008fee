"""Rotary embedding."""

from __future__ import annotations

from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.views import concatenate
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.sizes import Shape, broadcast, shown
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def rope(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary embedding: rotates the two halves of each row by angles.

    x is (..., features); cosine and sine broadcast to (..., features / 2).
    """
    check_tensors("rope", x=x, cosine=cosine, sine=sine)
    size = x.shape[-1] if x.rank else 0
    if not isinstance(size, int) or size % 2 or not size:
        fail(f"rope: the last size of {listed([x])} is not an even number")
    half = size // 2
    angles: Shape = (*x.shape[:-1], half)
    if broadcast([angles, cosine.shape, sine.shape]) != angles:
        fail(
            f"rope: the angles do not fit: {listed([x, cosine, sine])}",
            f"they must broadcast to {shown(angles)}",
        )

    def rope(
        first: Scalar, second: Scalar, cosine: Scalar, sine: Scalar
    ) -> tuple[Scalar, Scalar]:
        return first * cosine - second * sine, second * cosine + first * sine

    parts = elementwise(rope, x[..., :half], x[..., half:], cosine, sine, dtype=x.dtype)
    return concatenate(parts, axis=-1)
