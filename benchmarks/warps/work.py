"""The form of a work whose warps have roles: points of ours, and functions of torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from contenders.ours import Ours

ROLES = Path(__file__).parents[2] / "examples" / "specialized"
Point = dict[str, int | str]
Tensors = tuple[torch.Tensor, ...]
PLANNED = Ours("planned", None)
TOKENS = 32768
"""Rows of queries of a head, over all sequences of a batch."""

HEADS = 32


@dataclass(frozen=True)
class Work:
    """Something to compute, by points of ours and by functions of torch."""

    name: str
    payload: Callable[[], str]
    inputs: Callable[[str], Tensors]
    reference: Callable[..., Any]
    rivals: Callable[[Tensors], Mapping[str, Callable[..., Any]]]
    flops: float
    tolerance: float
    ours: tuple[Ours, ...]
    """`roles ...` are written in Gluon, `triton ...` by Triton, `planned` by either."""
