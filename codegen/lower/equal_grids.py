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
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.codegen.analysis.spare_elements import used_extents
from tilewright.codegen.lower.kernel import LoweredKernel
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_words


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
        read = _Structure()
        read.add_op(grid)
        key = tuple(read.found)
        if (known := self._known.get(key)) is not None:
            kernel, outside = known
            own = dict(zip(outside, read.outside, strict=True))
            return replace(kernel, buffers=tuple(own[b] for b in kernel.buffers))
        kernel = lower()
        if not kernel.scalars and not kernel.requirements:
            self._known[key] = kernel, read.outside
        return kernel


@dataclass(frozen=True)
class _Structure:
    """What tells a grid apart, collected op by op."""

    found: list[Hashable] = field(default_factory=list[Hashable])
    numbers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    outside: list[SSAValue] = field(default_factory=list[SSAValue])
    """The values from outside of the grid, in the order in which it reads them."""

    def add_op(self, op: Operation) -> None:
        """An op with all ops inside, and those outside whose results it reads."""
        for value in op.operands:
            if value not in self.numbers:
                self._add_outside(value)
        self.found.append(op.name)
        self.found.append(tuple([self.numbers[value] for value in op.operands]))
        self.found.append(frozenset(op.properties.items()))
        self.found.append(frozenset(op.attributes.items()))
        for result in op.results:
            self._number(result)
        for region in op.regions:
            self._add_region(region)

    def _add_region(self, region: Region) -> None:
        for block in region.blocks:
            self.found.append("block")
            for argument in block.args:
                self._number(argument)
            for op in block.ops:
                self.add_op(op)
        self.found.append("end")

    def _add_outside(self, value: SSAValue) -> None:
        if isinstance(value.owner, Block):
            self.found.append("argument")
            self._number(value)
            self.outside.append(value)
            return
        self.add_op(value.owner)
        self.outside.extend(value.owner.results)
        if isinstance(value.type, MemRefType):
            # Lowering asks which of a buffer's elements other grids read.
            self.found.append(used_extents(value))

    def _number(self, value: SSAValue) -> None:
        self.numbers[value] = len(self.numbers)
        self.found.append(value.type)
