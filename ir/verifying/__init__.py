"""Verify that IR is well-formed: structure first, then each op by its own rules.

`dominance.py`, `symbols.py`, `blocks.py` and `values.py` check the structure.
`constraints.py` and `reasons.py` reword the messages of xDSL for users. Imports
`ir/errors.py`, `ir/types.py` and, for places and remedies, `ir/parsing/`.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.remedies import remedy_for
from tilewright.ir.parsing.sources import place_of
from tilewright.ir.verifying.blocks import check_blocks
from tilewright.ir.verifying.dominance import check_dominance
from tilewright.ir.verifying.reasons import reason
from tilewright.ir.verifying.symbols import check_symbols
from tilewright.ir.verifying.values import check_values


def verify(op: Operation) -> None:
    """Verify `op` and the ops inside it; report the first violation at its place."""
    check_dominance(op)
    check_symbols(op)
    for nested in op.walk():
        verify_op(nested)


def verify_op(op: Operation) -> None:
    """Verify `op` alone; report a violation at its place."""
    check_blocks(op)
    check_values(op)
    try:
        # Not `op.verify()`, which prints the whole module into every error.
        op.verify_()
    except VerifyException as error:
        fact = f"'{op.name}' op {reason(op, error)}"
        raise UserError(fact, place_of(op), remedy_for(fact)) from error


__all__ = ["verify", "verify_op"]
