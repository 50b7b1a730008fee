"""Drop parameters and named sizes that a kernel does not read.

**Before**

    kernel.func @f(%a_desc: ..., %whole: ..., %part: ...) constants {M = 4, N = 8} ... {
      (nothing reads %whole, and nothing M)
    }
    kernel.launch @f(%a, %out, %out) ...

**After**: `@f` takes `%a_desc` and `%part`, has the constant `N`, and is launched on
`%a` and `%out`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

from tilewright.codegen.kernel.modules import (
    kernels_of,
    launches_by_kernel,
    set_arguments,
)
from tilewright.ir.dialects.kernel import FuncOp, LaunchOp, named_sizes


def drop_unread(module: ModuleOp) -> ModuleOp:
    """Drop unused parameters and sizes, in kernels and in their launches."""
    launched = launches_by_kernel(module)
    for name, kernel in kernels_of(module).items():
        _drop_parameters(kernel, launched[name])
        _drop_constants(kernel)
    return module


def _drop_parameters(kernel: FuncOp, launches: Sequence[LaunchOp]) -> None:
    parameters = kernel.body.block.args
    kept = [bool(parameter.uses) for parameter in parameters]
    if all(kept):
        return
    for launch in launches:
        count = len(launch.buffers)
        set_arguments(
            launch,
            [v for v, keep in zip(launch.buffers, kept, strict=False) if keep],
            [v for v, keep in zip(launch.scalars, kept[count:], strict=True) if keep],
        )
    for parameter, keep in zip(list(parameters), kept, strict=True):
        if not keep:
            kernel.body.block.erase_arg(parameter)


def _drop_constants(kernel: FuncOp) -> None:
    read = {name for op in kernel.body.walk() for name, _ in named_sizes(op)}
    kernel.properties["constants"] = DictionaryAttr(
        {key: value for key, value in kernel.constants.data.items() if key in read}
    )
