"""The program of a lowered payload, for the card and by the winners of the options."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.compiled_program import Program
from tilewright.program import find_target
from tilewright.torch_backend.compiling.planned_program import planned_program
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import known_kernels


def compile_lowered(
    lowered: Lowered, options: Options, module: ModuleOp | None = None
) -> Program:
    """The planned kernels of a payload; raises `UserError` if there are none.

    `module` is the payload's module, if the caller has it already; it is changed.
    """
    module = lowered.payload.module if module is None else module
    card, title = find_target(options.target)
    with known_kernels(options) as history:
        return planned_program(
            module, as_torch_multiplies(card), title, lowered.shapes, history
        )
