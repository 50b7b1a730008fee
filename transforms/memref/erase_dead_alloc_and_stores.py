"""`memref.erase_dead_alloc_and_stores`: forward stores to loads, drop dead buffers.

Before:
    %a = memref.alloc() : memref<4xf32>
    vector.transfer_write %v, %a[%c0] : vector<4xf32>, memref<4xf32>
    %w = vector.transfer_read %a[%c0], %pad : memref<4xf32>, vector<4xf32>

After:
    (every use of %w reads %v)

Transfers are forwarded, and writes that are overwritten are dropped. Then every
allocation goes that nothing reads, with its stores, subviews and deallocations.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryEffectKind

from tilewright.ir.dialects.memref import AllocaOp, AllocOp, DeallocOp, SubviewOp
from tilewright.transforms.cleanup.effects import kinds_of_effects
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import InPlaceOp
from tilewright.transforms.core.walking import walked
from tilewright.transforms.memref.transfer_flow import forward_transfers


@irdl_op_definition
class EraseDeadAllocAndStoresOp(InPlaceOp):
    """Clean up memory inside the target; the handle stays valid."""

    name = "transform.memref.erase_dead_alloc_and_stores"

    @classmethod
    def parse(cls, parser: Parser) -> EraseDeadAllocAndStoresOp:
        """`%target : (type) -> ()`."""
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        operands, _ = parse_signature(parser, [target])
        op = cls(operands[0])
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%target : (type) -> ()`."""
        print_signature(printer, self)

    def rewrite(self, root: Operation, rewriter: Rewriter) -> None:
        """Forward transfers, then erase what nothing reads."""
        forward_transfers(root, rewriter)
        for op in walked(root):
            if isinstance(op, AllocOp | AllocaOp) and op.parent is not None:
                users = _unread_users(op)
                for user in users or ():
                    rewriter.erase(user)
                if users is not None:
                    rewriter.erase(op)


def _unread_users(op: Operation) -> list[Operation] | None:
    """The users of a buffer, the last to be erased last; None if one of them reads."""
    found: list[Operation] = []
    for use in op.results[0].uses:
        user = use.operation
        if isinstance(user, SubviewOp):
            inner = _unread_users(user)
            if inner is None:
                return None
            found += inner
        elif not isinstance(user, DeallocOp) and not _only_writes(user):
            return None
        found.append(user)
    return list(dict.fromkeys(found))


def _only_writes(op: Operation) -> bool:
    if op.results or op.regions:
        return False
    kinds = kinds_of_effects(op)
    return kinds is not None and MemoryEffectKind.READ not in kinds
