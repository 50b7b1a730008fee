"""Kernels whose warps get roles: specialized and written in Gluon, or left to Triton.

A schedule that asks for something impossible is refused. Where Gluon lacks what the
kernel needs, or the GPU or the version of Triton here is not one that it is written
for, the kernel stays as it is, Triton writes it, and a warning says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.emit.program import Emitted, emit_program
from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.passes.drop_unread import drop_unread
from tilewright.codegen.passes.lay_out_registers.lay_out_registers import (
    lay_out_registers,
)
from tilewright.codegen.passes.specialize.specialize import specialize
from tilewright.codegen.source.gluon_names import why_not_here
from tilewright.codegen.targets import written_for
from tilewright.ir.dialects.kernel import FuncOp
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.text import place_of

HOPPER = (9, 0)
"""The compute capability that has wgmma."""

RunPass = Callable[[str, Callable[[ModuleOp], ModuleOp], ModuleOp], ModuleOp]
"""Runs a pass of a name, and tells observers."""


@dataclass(frozen=True)
class Written:
    """The source of a module, and the module it was written from."""

    emitted: Emitted
    module: ModuleOp
    warnings: tuple[UserError, ...] = ()
    """Why warps have no roles that were asked for."""


def write_with_roles(module: ModuleOp, run: RunPass) -> Written:
    """Specialize the kernels that ask for it, and write all of them."""
    asking = [k for k in kernels_of(module).values() if k.consumers is not None]
    if not asking:
        return Written(emit_program(module), module)
    reason = _why_not()
    if reason is not None:
        return _by_triton(module, asking, reason)
    specialized = run("specialize", specialize, module.clone())
    try:
        specialized = run("lay-out-registers", lay_out_registers, specialized)
        specialized = run("drop-unread", drop_unread, specialized)
        return Written(emit_program(specialized), specialized)
    except SilenceableFailure as failure:
        return _by_triton(module, asking, failure.fact)


def _by_triton(module: ModuleOp, asking: list[FuncOp], reason: str) -> Written:
    warnings = [
        UserError(
            f"{kernel.sym_name.data} is written by Triton, its warps have no roles: "
            f"{reason}",
            place_of(kernel),
        )
        for kernel in asking
    ]
    return Written(emit_program(module), module, tuple(warnings))


def _why_not() -> str | None:
    """Why nothing is written in Gluon here."""
    target = written_for()
    if target is not None and target.capability != HOPPER:
        return f"{target.name} is not a Hopper GPU"
    return why_not_here()
