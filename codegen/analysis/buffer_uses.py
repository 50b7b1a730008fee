"""The uses of a buffer by the launches of a function, at the buffer level."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.ir.dialects import func, memref, vector
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_attribute

_READS = (vector.TransferReadOp, vector.GatherOp, memref.LoadOp)
_WRITES = (vector.TransferWriteOp, memref.StoreOp)

Use = tuple[Operation, SSAValue]
"""An op, and the view outside of all grids that it goes through."""


class LaunchOrder:
    """The launches of a function: a grid that joins another's launch counts as it."""

    def __init__(self, block: Block):
        self.block = block
        self._launch: dict[Operation, int] = {}
        grid, joins = 0, False
        for position, op in enumerate(block.ops):
            if isinstance(op, ForallOp):
                may_join = launch_attribute(op, "triton.last_arriver") is not None
                joins = may_join and not joins  # a third grid has its own launch
                grid = grid if joins else position
                self._launch[op] = grid
            else:
                self._launch[op] = position

    def of(self, op: Operation) -> int:
        """The number of the launch that an op belongs to."""
        while op.parent is not self.block:
            around = op.parent_op()
            assert around is not None
            op = around
        return self._launch[op]


@dataclass
class BufferUses:
    """The accesses to a buffer, and its views."""

    reads: list[Use] = field(default_factory=list[Use])
    writes: list[Use] = field(default_factory=list[Use])
    reshapes: list[Reshape] = field(default_factory=list[Reshape])
    """Reshapes of the whole buffer outside of the grids."""
    is_known: bool = True
    """Whether all of its uses are of these kinds."""
    is_returned: bool = False
    is_called: bool = False
    """Whether a library reads or writes it, which takes whole buffers only."""


def uses_of(buffer: SSAValue, block: Block) -> BufferUses:
    """The uses of a buffer, directly and through views."""
    found = BufferUses()
    _add_uses(buffer, buffer, block, found, is_whole=True)
    return found


def _add_uses(
    value: SSAValue, outer: SSAValue, block: Block, found: BufferUses, *, is_whole: bool
) -> None:
    """Add the accesses through a view; `outer` is the last one outside of the grids."""
    for use in value.uses:
        op = use.operation
        is_outside = op.parent is block
        match op:
            case memref.ExpandShapeOp() | memref.CollapseShapeOp():
                if is_whole and is_outside:
                    found.reshapes.append(op)
                inner = op.result if is_outside else outer
                still = is_whole and is_outside
                _add_uses(op.result, inner, block, found, is_whole=still)
            case memref.SubviewOp():
                inner = op.result if is_outside else outer
                _add_uses(op.result, inner, block, found, is_whole=False)
            case CopyOp():
                target = found.writes if use.index == 1 else found.reads
                target.append((op, outer))
            case func.ReturnOp():
                found.is_returned = True
            case memref.DimOp():
                pass
            case StructuredOp() if is_outside:
                found.is_called = True
                is_output = use.index >= len(op.inputs)
                found.reads.append((op, outer))
                found.writes += [(op, outer)] if is_output else []
            case _ if is_outside:
                found.is_known = False
            case vector.GatherOp() if not is_whole:
                # It may read elements outside of the view that it goes through.
                found.is_known = False
            case _ if isinstance(op, _READS):
                found.reads.append((op, outer))
            case _ if isinstance(op, _WRITES):
                found.writes.append((op, outer))
            case _:
                found.is_known = False
