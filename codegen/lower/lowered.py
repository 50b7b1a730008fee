"""A program at kernel level, as lowering leaves it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Given, Linear
from tilewright.ir.dialects import func


@dataclass(frozen=True)
class Lowered:
    """A module at kernel level, with the sizes that its description needs."""

    module: ModuleOp
    notes: tuple[str, ...]
    tiles: dict[str, tuple[Linear, ...]]
    """Extents of each kernel's tile grid, in the numbers that the caller passes."""
    sizes: dict[SSAValue, tuple[Linear, ...]]
    """Extents of the launcher's buffers."""
    size_names: dict[Given, str]
    """The name of every open size of the arguments; no two sizes share one."""
    function: func.FuncOp
    """The function at the buffer level; the forms refer to its arguments."""
