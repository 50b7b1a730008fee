"""An observer that keeps the payload after each step that rounds on purpose.

A kernel is checked against these copies: a schedule that rounds does not compute what
the original payload computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.transforms.core.run import Step

if TYPE_CHECKING:
    from tilewright.transforms.structured.quantize.rounding import RoundedProduct


@dataclass(frozen=True)
class Rounding:
    """The payload after a step that rounds, and its rounded products."""

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
        if not step.records:
            return
        # Imported here: most runs round nothing, and the module needs numpy.
        from tilewright.transforms.structured.quantize.rounding import rounded_products

        if rounded := rounded_products(step):
            copy = payload.clone()
            twins = dict(zip(payload.walk(), copy.walk(), strict=True))
            for old, new in twins.items():
                new.location = old.location
            products = [product.twin(twins) for product in rounded]
            self.roundings.append(Rounding(step.index, copy, products))
