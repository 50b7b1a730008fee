"""Launch one kernel where several are equal: layers of a network repeat.

**Before**

    kernel.func @f(%a_ptr: ..., %out_ptr: ...) ... { ... }
    kernel.func @f2(%b_ptr: ..., %c_ptr: ...) ... { (the same) }
    kernel.launch @f(%a, %out) ...
    kernel.launch @f2(%b, %c) ...

**After**: `@f` is launched twice, and there is no `@f2`. Triton then compiles it once.

Names of values and places do not count. Kernels with sizes that are known only at run
time stay apart: their grids depend on the launch.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, SymbolRefAttr
from xdsl.ir import SSAValue

from tilewright.codegen.kernel.modules import kernels_of, launches_by_kernel
from tilewright.codegen.kernel.structure import structure
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.kernel import FuncOp


def share_kernels(module: ModuleOp) -> ModuleOp:
    """Replace kernels by equal ones that stand before them."""
    kernels = list(kernels_of(module).values())
    if len(kernels) < 2:
        return module
    first: dict[Hashable, FuncOp] = {}
    launched = launches_by_kernel(module)
    for kernel in kernels:
        launches = launched[kernel.sym_name.data]
        if DYNAMIC_INDEX in kernel.tile_grid or any(
            launch.counts or not all(_is_constant(value) for value in launch.scalars)
            for launch in launches
        ):
            continue
        equal = first.setdefault(structure(kernel), kernel)
        if equal is not kernel:
            for launch in launches:
                launch.properties["kernel"] = SymbolRefAttr(equal.sym_name.data)
            kernel.detach()
            kernel.erase()
    return module


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp)
