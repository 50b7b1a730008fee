"""What the clean-ups ask about an op: has it effects, is it dead, may it run early."""

from __future__ import annotations

from functools import cache

from xdsl.ir import Operation
from xdsl.traits import IsTerminator, SymbolOpInterface

from tilewright.ir.dialects.effects import only_results_matter


def is_dead(op: Operation) -> bool:
    """Whether erasing `op` changes nothing."""
    for result in op.results:
        if result.first_use is not None:
            return False
    return not _must_stay(type(op)) and only_results_matter(op)


@cache
def _must_stay(kind: type[Operation]) -> bool:
    """Whether a kind of op is needed without anyone reading its results."""
    return kind.has_trait(IsTerminator) or kind.has_trait(SymbolOpInterface)
