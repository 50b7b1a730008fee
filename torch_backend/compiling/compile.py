"""The program of a lowered payload, for the card and by the winners of the options."""

from __future__ import annotations

from tilewright.compiled_program import Program
from tilewright.program import find_target
from tilewright.torch_backend.compiling.parallel import REFUSED
from tilewright.torch_backend.compiling.planned_program import planned_program
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import known_kernels


def compile_lowered(lowered: Lowered, options: Options) -> Program:
    """The planned kernels of a payload; raises `UserError` if there are none.

    None of them is known to be refused by Triton or by the card.
    """
    card, title = find_target(options.target)
    with known_kernels(options) as history:
        card = as_torch_multiplies(card, options)
        return planned_program(
            lowered.payload.module, card, title, lowered.shapes, history, REFUSED
        )
