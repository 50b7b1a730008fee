"""A kernel under construction: its ops, its addresses, its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Block, SSAValue

from tilewright.codegen.kernel.accesses import AccessBuilder
from tilewright.codegen.kernel.axes import Axes
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.parameters import Parameters
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_attribute


@dataclass(frozen=True)
class KernelBuilder:
    """The builders of one kernel, which share its entry block."""

    entry: Block
    ops: Builder
    addresses: AccessBuilder
    parameters: Parameters

    @classmethod
    def begin(
        cls, grid: ForallOp, names: Mapping[SSAValue, str], axes: Axes, home: int
    ) -> KernelBuilder:
        """An empty kernel for a grid, whose tile is known at loop level `home`."""
        entry = Block()
        wide = bool(launch_attribute(grid, "triton.wide_offsets"))
        ops = Builder(axes, entry, home, wide=wide)
        parameters = Parameters(grid, entry, ops, axes, names)
        return cls(entry, ops, AccessBuilder(ops), parameters)
