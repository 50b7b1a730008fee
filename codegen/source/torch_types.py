"""Element types under torch's names."""

from __future__ import annotations

from tilewright.ir.element_types import ELEMENT_TYPES

TORCH_TYPES = {row.name: f"torch.{row.torch}" for row in ELEMENT_TYPES}
