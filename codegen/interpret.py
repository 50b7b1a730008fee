"""Running a generated program in Triton's interpreter: no GPU, the real source text.

Triton decides at import whether it interprets or compiles, so this takes a process of
its own. Programs of the grid run one after another there: races do not show.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.codegen.compile import source_file
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram

_RIGHT_TYPES = {"f64", "f32", "f16", "i1", "i8", "i16", "i32", "i64"}
"""Element types Triton's interpreter computes correctly."""


def interpret(
    program: GeneratedProgram, inputs: Sequence[NDArray[Any]], timeout: float = 600.0
) -> list[NDArray[Any]]:
    """Run a program on numpy arrays and return its results."""
    _check(program, inputs)
    child = Path(__file__).with_name("interpret_child.py")
    with tempfile.TemporaryDirectory(prefix="tilewright-") as name:
        directory = Path(name)
        source = source_file(program, directory)
        for position, array in enumerate(inputs):
            np.save(directory / f"in{position}.npy", array)
        done = subprocess.run(
            [
                sys.executable,
                str(child),
                str(source),
                program.entry,
                str(len(inputs)),
            ],
            env={**os.environ, "TRITON_INTERPRET": "1"},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(
                f"Triton's interpreter failed on {program.entry}:\n"
                f"{done.stderr[-4000:]}"
            )
        return [
            np.load(directory / f"out{position}.npy")
            for position in range(len(program.results))
        ]


def _check(program: GeneratedProgram, inputs: Sequence[NDArray[Any]]) -> None:
    for spec in (*program.arguments, *program.results):
        if spec.dtype not in _RIGHT_TYPES:
            raise UserError(
                f"Triton's interpreter computes {spec.dtype} wrongly "
                f"('{spec.name}' is {spec.dtype})",
                remedy="interpret the kernel IR instead, which has the right rounding",
            )
    if len(inputs) != len(program.arguments):
        raise UserError(
            f"{program.entry} takes {len(program.arguments)} arrays, got {len(inputs)}"
        )
    for spec, array in zip(program.arguments, inputs, strict=True):
        if array.shape != spec.shape:
            raise UserError(
                f"{program.entry}: argument '{spec.name}' has shape "
                f"{list(array.shape)}, the program was compiled for {list(spec.shape)}"
            )
