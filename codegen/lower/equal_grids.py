"""Equal grids become one kernel: the steps of a recurrent network repeat.

    equal = EqualGrids()
    equal.kernel_of(first, lower_first)     # lowers it
    equal.kernel_of(second, lower_second)   # its kernel, on the buffers of `second`

Lowering reads a grid, and outside of it the views, numbers and buffers that the grid
uses. Grids for which all of these are equal have equal kernels. Names and places do not
count, nor does which buffers they are, as long as the same ones recur. Kernels with
sizes known only at run time stay apart, and so do grids that call buffers by name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.spare_elements import used_extents
from tilewright.codegen.lower.kernel import LoweredKernel
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_words
from tilewright.ir.op_structure import OpStructure


class EqualGrids:
    """The kernels of a function by the structure of their grids."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[LoweredKernel, list[SSAValue]]] = {}

    def kernel_of(
        self, grid: ForallOp, lower: Callable[[], LoweredKernel]
    ) -> LoweredKernel:
        """The kernel of an equal grid on the buffers of this one, or a new kernel."""
        if launch_words(grid, "triton.eviction") or launch_words(grid, "triton.cache"):
            return lower()
        read = _Structure(grid)
        key = read.key
        if (known := self._known.get(key)) is not None:
            kernel, outside = known
            own = dict(zip(outside, read.outside, strict=True))
            return replace(kernel, buffers=tuple(own[b] for b in kernel.buffers))
        kernel = lower()
        if not kernel.scalars and not kernel.requirements:
            self._known[key] = kernel, read.outside
        return kernel


class _Structure(OpStructure):
    """What tells a grid apart, with the ops outside whose results it reads."""

    def __init__(self, grid: ForallOp) -> None:
        super().__init__()
        self.outside: list[SSAValue] = []
        """The values from outside of the grid, in the order in which it reads them."""
        self.add_op(grid)

    def add_outside(self, op: Operation, index: int) -> None:
        """The op that defines a value, and what lowering asks of its buffer."""
        value = op.operands[index]
        if isinstance(value.owner, Block):
            self.found.append("argument")
            self.number(value)
            self.outside.append(value)
            return
        self.add_op(value.owner)
        self.outside.extend(value.owner.results)
        if isinstance(value.type, MemRefType):
            # Lowering asks which of a buffer's elements other grids read.
            self.found.append(used_extents(value))
