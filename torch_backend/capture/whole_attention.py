"""scaled_dot_product_attention stays one op where no gradient is asked for.

torch takes it apart while it traces: into the op of one of its kernels or, where no
kernel of its takes the operands (heads that broadcast, rows of a mask that are not
aligned), into matmuls of f32, a softmax and a dozen ops around it. The planner streams
all of them alike, so the choice is ours to make later, and the op is traced whole: as
an op of our own, since torch takes its own apart at several places.

    query, key, value -> tilewright.attention -> aten.scaled_dot_product_attention

Training keeps torch's choice, whose kernels have gradients.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import torch
from torch._C import DispatchKey
from torch._C._functorch import peek_interpreter_stack
from torch.fx import Graph
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

ATTENTION: Any = torch.ops.aten.scaled_dot_product_attention.default
_COMPOSITE = DispatchKey.CompositeImplicitAutograd

_library = torch.library.Library("tilewright", "DEF")  # noqa: TOR901
_library.define(
    "attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, "
    "bool enable_gqa=False) -> Tensor"
)


def _by_torch(*given: Any, **named: Any) -> torch.Tensor:
    """What torch makes of the op, without asking for a kernel in Python."""
    return ATTENTION._op_dk(_COMPOSITE, *given, **named)


_library.impl("attention", _by_torch, "CompositeExplicitAutograd")
torch.library.register_fake("tilewright::attention", _by_torch, lib=_library)
_WHOLE: Any = torch.ops.tilewright.attention.default


@contextmanager
def whole_attention() -> Generator[None]:
    """Attention without gradients is traced as one op meanwhile."""
    chosen = _choice()

    def attention(*given: Any, **named: Any) -> torch.Tensor:
        is_whole = _choice() == chosen and _is_plain(given, named)
        return (_WHOLE if is_whole else _by_torch)(*given, **named)

    kept = dict(ATTENTION.py_kernels)
    try:
        ATTENTION.py_kernels[_COMPOSITE] = attention
        ATTENTION._dispatch_cache.clear()
        yield
    finally:
        ATTENTION.py_kernels.clear()
        ATTENTION.py_kernels.update(kept)
        ATTENTION._dispatch_cache.clear()


def name_attention(graph: Graph) -> None:
    """Give traced attention the name that it has in torch."""
    for node in graph.find_nodes(op="call_function", target=_WHOLE):
        node.target = ATTENTION


def _choice() -> tuple[Any, ...]:
    """What a region of `sdpa_kernel` changes: it keeps the kernels that it asks for."""
    cuda = torch.backends.cuda
    return (
        cuda.flash_sdp_enabled(),
        cuda.mem_efficient_sdp_enabled(),
        cuda.math_sdp_enabled(),
        cuda.cudnn_sdp_enabled(),
        torch._C._get_sdp_priority_order(),
    )


def _is_plain(given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether a call draws no random numbers and nobody differentiates it."""
    dropout = given[4] if len(given) > 4 else named.get("dropout_p", 0.0)
    tensors = [
        one for one in (*given, *named.values()) if isinstance(one, torch.Tensor)
    ]
    if dropout or any(
        one.is_nested or is_traceable_wrapper_subclass(one) for one in tensors
    ):
        return False
    if peek_interpreter_stack() is not None:
        return False
    if torch.autograd.forward_ad._current_level >= 0:
        return False
    return not (torch.is_grad_enabled() and any(one.requires_grad for one in tensors))
