"""scaled_dot_product_attention, kept whole: the planner streams it in one kernel.

torch has an op for each of its own kernels. Those for a GPU give random states and
lengths beside the result; if anybody reads these, the call stays in torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tilewright.frontend.builder.layers.attention import attention
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import broadcast, divides
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.matrices.repeats import unrepeated
from tilewright.torch_backend.ops.result import Result, refuse


def plain(
    out: Result,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(scale query key.T + mask) value; 0 for a query that sees no key."""
    if dropout_p:
        refuse("attention with dropout")
    if not query.dtype == key.dtype == value.dtype:
        refuse("attention of several types")
    rank = max(query.rank, key.rank, value.rank, 3)
    query, key, value = _aligned(*(_of_rank(x, rank) for x in (query, key, value)))
    key, value = _shared_heads(key, value)
    bias = None if mask is None else _bias(query, mask)
    unseen = "nan" if mask is None else "zero"
    made = attention(
        query, key, value, causal=is_causal, scale=scale, bias=bias, unseen=unseen
    )
    return made if made.rank == len(out.shape) else reshape(made, out.shape)


def _of_rank(x: Tensor, rank: int) -> Tensor:
    """A tensor with sizes of 1 in front."""
    return x[(*[None] * (rank - x.rank), ...)]


def _aligned(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
    """The tensors with equal batches; keys and values may have fewer heads."""
    batch = broadcast([x.shape[:-3] for x in (query, key, value)])
    heads = [x.shape[-3] for x in (query, key, value)]
    if batch is None:
        refuse("attention of batches that differ")
    if heads[1] != heads[2] or not divides(heads[1], heads[0]):
        # Of heads that broadcast, torch repeats those of size 1.
        every = broadcast([(one,) for one in heads])
        if every is None:
            refuse("attention whose keys and values have different heads")
        heads = list(every) * 3
    return tuple(
        x
        if x.shape[:-2] == (*batch, count)
        else broadcast_to(x, (*batch, count, *x.shape[-2:]))
        for x, count in zip((query, key, value), heads, strict=True)
    )


def _shared_heads(key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Keys and values before their heads were repeated, where both were alike."""
    found = unrepeated(key, -3), unrepeated(value, -3)
    if (
        found[0] is None
        or found[1] is None
        or found[0].shape[:-1] != found[1].shape[:-1]
    ):
        return key, value
    return found[0], found[1]


def _bias(query: Tensor, mask: Tensor) -> Tensor:
    """A mask of bools as numbers to add; 0 where a key is seen."""
    if mask.dtype != "i1":
        return mask

    def bias(seen: Scalar) -> ScalarLike:
        return where(seen, seen.body.constant(0.0, "f32"), -math.inf)

    return elementwise(bias, mask, dtype=query.dtype)


def on_cpu(
    out: Result,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor | None]:
    """Attention and the logarithms of its sums."""
    if not out.is_used(1):
        made = plain(
            out, query, key, value, attn_mask, dropout_p, is_causal, scale=scale
        )
        return made, None
    if attn_mask is not None or dropout_p:
        refuse("the sums of attention with a mask or dropout")
    both = attention(query, key, value, causal=is_causal, scale=scale, lse=True)
    return both


def flash(
    out: Result,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Tensor, ...]:
    """Attention alone."""
    _alone(out)
    return (plain(out, query, key, value, None, dropout_p, is_causal, scale=scale),)


def biased(
    out: Result,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | None,
    compute_log_sumexp: bool,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *_: object,
    scale: float | None = None,
) -> tuple[Tensor, ...]:
    """Attention with a bias, alone."""
    _alone(out)
    return (
        plain(out, query, key, value, attn_bias, dropout_p, is_causal, scale=scale),
    )


def by_math(
    out: Result,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Tensor | None = None,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, ...]:
    """Attention alone, without its weights."""
    _alone(out)
    if dropout_mask is not None:
        refuse("attention with dropout")
    return (plain(out, query, key, value, mask, dropout_p, is_causal, scale=scale),)


def _alone(out: Result) -> None:
    if any(out.is_used(place) for place in range(1, len(out.specs))):
        refuse("attention whose random state, sums or weights are read")


TABLE: dict[str, Callable[..., object]] = {
    "aten.scaled_dot_product_attention.default": plain,
    "aten._scaled_dot_product_attention_math.default": by_math,
    "aten._scaled_dot_product_flash_attention_for_cpu.default": on_cpu,
    "aten._scaled_dot_product_flash_attention.default": flash,
    "aten._scaled_dot_product_efficient_attention.default": biased,
    "aten._scaled_dot_product_cudnn_attention.default": biased,
}
"""Attention by name."""
