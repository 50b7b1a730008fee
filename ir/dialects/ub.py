"""ub: xDSL's dialect, unchanged."""

from __future__ import annotations

from xdsl.dialects.ub import UB, PoisonAttr, PoisonOp, UnreachableOp

__all__ = ["UB", "PoisonAttr", "PoisonOp", "UnreachableOp"]
