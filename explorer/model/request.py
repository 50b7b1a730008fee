"""What the page of a model is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.torch_backend.diagnosis.capture import Model

DETAILS = 12
"""Different kernels whose steps a page has, the slowest first."""


@dataclass(frozen=True)
class ModelRequest:
    """A model and its arguments to look at."""

    title: str
    """`model.py:Model`."""
    model: Model
    args: tuple[Any, ...]
    backward: bool = False
    target: str | None = None
    """The GPU to compile for; None: the one here, else the default."""
    measure: bool | None = None
    """Whether to measure times; None: if there is a GPU."""
    details: int = DETAILS
    """Of how many different kernels the page has every step."""
    detail_bytes: int = 3_000_000
    """What these may take of the page."""
