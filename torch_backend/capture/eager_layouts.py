"""Decompositions give results with the strides that the op has in eager torch.

A decomposition computes the numbers of an op. Its parts may lay them out otherwise: a
batch norm of a transposed matrix is contiguous in eager torch, and transposed if it is
computed by element-wise ops. What reads the result, and the user, sees the difference.

Before:

    y = aten.native_batch_norm(x, ...)      x: (1, 4)    y in eager torch: (6, 1)

After:

    y = (x - mean) * scale: (1, 4)
    y = aten.clone(y, memory_format=contiguous_format): (6, 1)

In a payload the copy is no op of its own: the kernel writes the order of the copy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils import _pytree as pytree

from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.torch_backend.lowering.layouts import Order, memory_order

Tensor = torch.Tensor
Decomposition = Callable[..., Any]
aten = torch.ops.aten

_IMAGE_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}
"""By the rank of images of two or three dimensions."""


def with_eager_layouts(op: Any, decomposition: Decomposition) -> Decomposition:
    """A decomposition whose results have the strides of the op's own results.

    torch infers these from the op's kernel, except where it has only the decomposition
    to infer from: `_LIKE_IMAGES` and `MOVED_OPS` have those ops.
    """

    @functools.wraps(decomposition)
    def decomposed(*args: Any, **kwargs: Any) -> Any:
        made = decomposition(*args, **kwargs)
        given = [x for x in pytree.tree_leaves((args, kwargs)) if _is_moved(x)]
        if made is NotImplemented or not given:
            return made
        if op in _LIKE_IMAGES:
            first, *rest = made
            return type(made)((_like_image(first, args[0]), *rest))
        expected = _inferred(op, args, kwargs)
        return _laid_out(made, expected)

    return decomposed


def _is_moved(value: Any) -> bool:
    """Whether a value is a tensor of known sizes that is not contiguous."""
    return (
        isinstance(value, FakeTensor)
        and value.layout is torch.strided
        and _is_known(value)
        and not value.is_contiguous()
    )


def _is_known(value: Tensor) -> bool:
    return all(isinstance(size, int) for size in (*value.shape, *value.stride()))


def _inferred(op: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The results of an op as torch infers them; None if it cannot."""
    try:
        with disable_proxy_modes_tracing():
            return op(*args, **kwargs)
    except Exception:  # each op has its own way to refuse
        return None


def _laid_out(made: Any, expected: Any) -> Any:
    """Results in the strides of others, where these leave no gaps."""
    if isinstance(made, Tensor) and isinstance(expected, Tensor):
        return in_strides_of(made, expected)
    if isinstance(made, tuple | list) and isinstance(expected, tuple | list):
        return type(made)(map(_laid_out, made, expected))
    return made


def in_strides_of(made: Tensor, expected: Tensor) -> Tensor:
    """A tensor in the strides of another of its shape, if these leave no gaps."""
    if made.shape != expected.shape or not (_is_known(made) and _is_known(expected)):
        return made
    if same_strides(made.shape, made.stride(), expected.stride()):
        return made
    order = memory_order(expected.shape, expected.stride())
    if order is None:
        return made
    return made.permute(order).contiguous().permute(inverse(order))


def same_strides(
    shape: Sequence[int], one: Sequence[int], other: Sequence[int]
) -> bool:
    """Whether strides are equal along dimensions of more than one element."""
    return 0 in shape or all(
        size == 1 or left == right
        for size, left, right in zip(shape, one, other, strict=True)
    )


def roll(x: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> Tensor:
    """The roll of a channels-last image is channels last; torch infers otherwise."""
    if not _is_moved(x) or not dims or (order := _image_order(x)) is None:
        return NotImplemented
    moved = [order.index(dim % x.dim()) for dim in dims]
    return torch.roll(x.permute(order), shifts, moved).permute(inverse(order))


def copysign(x: Tensor, sign: Tensor) -> Tensor:
    """The layout of the first operand decides; torch infers that of the second."""
    if x.shape != sign.shape or not (_is_moved(x) or _is_moved(sign)):
        return NotImplemented
    order = memory_order(x.shape, x.stride())
    if order is None:
        return NotImplemented
    signs = sign.permute(order).contiguous()
    return torch.copysign(x.permute(order), signs).permute(inverse(order))


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """Channels last as the image; torch's decomposition copies in another order."""
    if not _is_moved(x) or (order := _image_order(x)) is None:
        return _shuffled(x, groups, 1)
    return _shuffled(x.permute(order), groups, x.dim() - 1).permute(inverse(order))


def _shuffled(x: Tensor, groups: int, dim: int) -> Tensor:
    split = x.unflatten(dim, (groups, x.shape[dim] // groups))
    return split.transpose(dim, dim + 1).reshape(x.shape).contiguous()


def _image_order(x: Tensor) -> Order | None:
    """The memory order of a channels-last image; None of other tensors."""
    last = _IMAGE_FORMATS.get(x.dim())
    if last is None or not x.is_contiguous(memory_format=last):
        return None
    return (0, *range(2, x.dim()), 1)


def _like_image(made: Tensor, image: Tensor) -> Tensor:
    """The layout of eager torch's norms: channels last as the image, or contiguous."""
    is_last = _image_order(image) is not None
    wanted = _IMAGE_FORMATS[image.dim()] if is_last else torch.contiguous_format
    return made.contiguous(memory_format=wanted)


_LIKE_IMAGES = {
    aten.native_batch_norm.default,
    aten._native_batch_norm_legit.default,
    aten._native_batch_norm_legit.no_stats,
    aten._native_batch_norm_legit_no_training.default,
    aten._native_batch_norm_legit_functional.default,
}

MOVED_OPS: dict[Any, Decomposition] = {
    aten.roll.default: roll,
    aten.copysign.Tensor: copysign,
    aten.channel_shuffle.default: channel_shuffle,
}
"""Decompositions of ops whose strides torch infers wrongly; they keep the memory order
of their operand. Contiguous operands leave the op whole."""
