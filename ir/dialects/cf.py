"""cf: only `cf.assert`, which checks a fact at run time; control flow is structured."""

from __future__ import annotations

from xdsl.dialects.cf import AssertOp
from xdsl.ir import Dialect

Cf = Dialect("cf", [AssertOp], [])

__all__ = ["AssertOp", "Cf"]
