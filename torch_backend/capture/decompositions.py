"""Which ATen ops torch takes apart before we see them.

Core ATen, less the ops that the table has whole because the planner does better with
them or because their parts would round more often.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import torch
from torch._decomp import core_aten_decompositions, get_decompositions

from tilewright.torch_backend.capture.eager_layouts import (
    MOVED_OPS,
    with_eager_layouts,
)
from tilewright.torch_backend.capture.loops.recurrent_cells import RECURRENT_CELLS
from tilewright.torch_backend.capture.patterns.added_rows import ADDED_ROWS
from tilewright.torch_backend.capture.patterns.empty_parts import EMPTY_PARTS
from tilewright.torch_backend.capture.rare_ops import RARE_OPS
from tilewright.torch_backend.capture.resampling import RESAMPLING
from tilewright.torch_backend.capture.tensor_lists import TENSOR_LISTS
from tilewright.torch_backend.capture.whole_layers import WHOLE_LAYERS
from tilewright.torch_backend.ops.table import OPS

_RANDOM = ("aten.native_dropout.default",)
"""Ops that stay in torch whole, to draw the numbers that eager torch draws."""
_SCATTERS = (
    "aten.max_unpool2d.default",
    "aten.max_unpool3d.default",
    "aten.index_copy.default",
    "aten.index_fill.int_Scalar",
    "aten.index_fill.int_Tensor",
)
"""Ops that stay in torch whole: their parts are an `index_put`, which torch computes in
more kernels, and by sorting where it accumulates."""


@cache
def decompositions() -> dict[Any, Callable[..., Any]]:
    """The decomposition of each op that the table does not have."""
    table = dict(core_aten_decompositions())
    table.update(get_decompositions(list(_further())))
    table.update(WHOLE_LAYERS | RESAMPLING | RECURRENT_CELLS | RARE_OPS)
    whole = (*OPS, *_RANDOM, *_SCATTERS)
    kept = {op: how for op, how in table.items() if str(op) not in whole}
    # The table has other forms of these ops.
    kept |= ADDED_ROWS | EMPTY_PARTS | TENSOR_LISTS
    return {op: with_eager_layouts(op, how) for op, how in kept.items()} | MOVED_OPS


class Decompositions(UserDict[Any, Callable[..., Any]]):
    """The same table, made when it is first read: a graph that was kept needs none."""

    def __init__(self) -> None:
        """Make nothing yet."""

    @cached_property
    def data(self) -> dict[Any, Callable[..., Any]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What a `UserDict` reads from."""
        return dict(decompositions())


def _further() -> list[Any]:
    """Ops outside the core set that torch can take apart, and that models have."""
    aten = torch.ops.aten
    return [
        aten.native_batch_norm,
        aten._native_batch_norm_legit,
        aten._native_batch_norm_legit_no_training,
        aten._native_batch_norm_legit_functional,
        aten.native_group_norm,
        aten.nll_loss_forward,
        aten.native_layer_norm_backward,
        aten.native_group_norm_backward,
        aten.native_batch_norm_backward,
        aten._softmax_backward_data,
        aten._log_softmax_backward_data,
        aten.gelu_backward,
        aten.threshold_backward,
        aten.nll_loss_backward,
    ]
