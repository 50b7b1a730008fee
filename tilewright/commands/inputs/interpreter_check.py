"""What an interpreter checks where there is no GPU: the program, or one at small sizes.

Interpreters take minutes for a payload that a GPU computes in a millisecond. The same
schedule is then applied to the payload at smaller sizes, and that program is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import DYNAMIC, Shapes
from tilewright.commands.inputs.rounding_slack import program_case
from tilewright.ir.errors import UserError
from tilewright.ir.structured.smaller_sizes import with_halved_sizes
from tilewright.ir.text import verify
from tilewright.numeric_check import CheckCase, make_case
from tilewright.payload_work import iterations
from tilewright.pipeline import Built, argument_specs, sizes_of

CheckMode = Literal["auto", "whole", "small", "none"]

WHOLE_AT_MOST = 1e10
"""Iterations of a payload's ops up to which it is checked at its own sizes. An
interpreter takes about a minute for them, on two cores of a Xeon at 2.5 GHz."""

SMALL_AT_MOST = 1e9
"""Iterations of a payload at small sizes: a few seconds."""


@dataclass(frozen=True)
class InterpreterCheck:
    """A program to run in an interpreter, and its cases."""

    built: Built
    cases: Sequence[CheckCase]
    remark: str = ""
    """Why it is not the program itself, in words."""


def reduced(payload: ModuleOp, mode: CheckMode) -> ModuleOp | None:
    """The payload at the sizes to check it at; None for its own sizes.

    Open sizes are the user's to choose, so they are never reduced.
    """
    arguments, results = argument_specs(payload)
    if mode == "whole" or any(DYNAMIC in s.shape for s in (*arguments, *results)):
        return None
    if mode == "auto" and iterations(payload) <= WHOLE_AT_MOST:
        return None
    small = with_halved_sizes(payload, SMALL_AT_MOST)
    if small is not None:
        verify(small)
    return small


def interpreter_check(
    payload: ModuleOp,
    built: Built,
    build: Callable[[ModuleOp], Built],
    runs: Sequence[Shapes],
    seed: int,
    mode: CheckMode,
) -> InterpreterCheck | str:
    """What to check; a reason where nothing can be.

    `build` makes the program of another payload under the same schedule and point.
    """
    if mode == "none":
        return "--check none"
    small = reduced(payload, mode)
    if small is None:
        cases = [
            program_case(payload, built, make_case(payload, seed, run)) for run in runs
        ]
        return InterpreterCheck(built, cases)
    try:
        program = build(small)
    except UserError as error:
        return (
            f"the payload is too large for an interpreter, and the schedule does not "
            f"apply at smaller sizes ({sizes_of(small)}): {error.fact}; "
            "--check whole takes the time"
        )
    cases = [program_case(small, program, make_case(small, seed))]
    remark = f"at smaller sizes ({sizes_of(small)}; --check whole takes minutes)"
    return InterpreterCheck(program, cases, remark)
