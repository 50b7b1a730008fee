"""The payload after each step that rounds on purpose, kept while a schedule runs.

Who checks the numbers of a kernel asks these copies what it must give: the payload as
it was given is not what such a schedule computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.transforms.interpreter import Step

if TYPE_CHECKING:
    from tilewright.transforms.structured.quantize.rounding import RoundedProduct


@dataclass(frozen=True)
class Rounding:
    """A step that rounds: the payload after it, and the products in that payload."""

    index: int
    """The number of the step."""
    payload: ModuleOp
    products: Sequence[RoundedProduct]


@dataclass
class RoundingLog:
    """An observer that keeps the roundings that were not taken back."""

    roundings: list[Rounding] = field(default_factory=list[Rounding])

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Keep a copy where a step rounds; drop those of a failed attempt."""
        if step.undone_after is not None:
            standing = step.undone_after
            self.roundings = [kept for kept in self.roundings if kept.index <= standing]
        if step.rounded:
            copy = payload.clone()
            twins = dict(zip(payload.walk(), copy.walk(), strict=True))
            for old, new in twins.items():
                new.location = old.location
            products = [product.twin(twins) for product in step.rounded]
            self.roundings.append(Rounding(step.index, copy, products))
