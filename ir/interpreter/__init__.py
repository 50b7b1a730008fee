"""The numpy reference interpreter: it executes every IR level.

    core/       registry, checked shapes, rounding, reductions
    dialects/   the semantics of each dialect, op by op
    pick_sizes  sizes for functions whose dimensions are dynamic

Imports `ir.dialects`, `ir.structured`, `ir.indexing` and what is below them. Code
generation does not import it; transformations may run it, but ask `ir.structured` what
an op computes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.interleaving import Interleaving
from tilewright.ir.interpreter.core.registry import Options, Table, run_with
from tilewright.ir.interpreter.dialects import (
    affine,
    affine_loops,
    bufferization,
    control,
    linalg,
    math,
    relayout,
)
from tilewright.ir.interpreter.dialects.arith import arith_table as arith
from tilewright.ir.interpreter.dialects.kernel import kernel_table as kernel
from tilewright.ir.interpreter.dialects.memref import memref_table as memref
from tilewright.ir.interpreter.dialects.tensor import regions
from tilewright.ir.interpreter.dialects.tensor import tensor_table as tensor
from tilewright.ir.interpreter.dialects.vector import products as vector_matmuls
from tilewright.ir.interpreter.dialects.vector import vector_table as vector
from tilewright.ir.interpreter.dialects.warps import warps_table as warps

TABLES: tuple[Table, ...] = (
    arith.TABLE,
    vector_matmuls.with_late_products(arith.TABLE),
    math.TABLE,
    control.TABLE,
    affine.TABLE,
    affine_loops.TABLE,
    tensor.TABLE,
    regions.TABLE,
    linalg.TABLE,
    relayout.TABLE,
    vector.TABLE,
    memref.TABLE,
    bufferization.TABLE,
    kernel.TABLE,
    warps.TABLE,
)
"""Every dialect's semantics; a later table wins over an earlier one."""


def run(
    module: ModuleOp,
    inputs: Sequence[Array],
    entry: str | None = None,
    options: Options = Options(),  # noqa: B008
) -> list[Array]:
    """Run a function of a module and return its results.

    Tensor arguments are never changed; memref arguments are written in place. Without
    `entry` the function that no other function calls is run.
    """
    return run_with(TABLES, module, inputs, entry, options)


__all__ = ["TABLES", "Interleaving", "Options", "run"]
