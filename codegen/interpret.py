"""Running generated programs in Triton's interpreter: no GPU, the real source text.

Triton decides at import whether it interprets or compiles, so this takes a process of
its own. Programs of the grid run one after another there: races do not show.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.codegen.compile import source_file
from tilewright.codegen.program import GeneratedProgram
from tilewright.ir.errors import UserError

_RIGHT_TYPES = {"f64", "f32", "f16", "i1", "i8", "i16", "i32", "i64", "index"}
"""Element types Triton's interpreter computes correctly."""


@dataclass(frozen=True)
class Job:
    """A program and the arrays to run it on."""

    program: GeneratedProgram
    inputs: Sequence[NDArray[Any]]


def interpret(
    program: GeneratedProgram, inputs: Sequence[NDArray[Any]], timeout: float = 600.0
) -> list[NDArray[Any]]:
    """Run a program on numpy arrays and return its results."""
    return interpret_all([Job(program, inputs)], timeout)[0]


def interpret_all(
    jobs: Sequence[Job], timeout: float = 600.0
) -> list[list[NDArray[Any]]]:
    """Run several programs in one process, which saves importing torch for each."""
    for job in jobs:
        _check(job)
    child = Path(__file__).with_name("interpret_child.py")
    with tempfile.TemporaryDirectory(prefix="tilewright-") as name:
        folders = [Path(name) / str(position) for position in range(len(jobs))]
        for job, folder in zip(jobs, folders, strict=True):
            source = source_file(job.program, folder)
            for position, array in enumerate(job.inputs):
                np.save(folder / f"in{position}.npy", array)
            call = {
                "source": source.name,
                "entry": job.program.entry,
                "numbers": [spec.is_scalar for spec in job.program.arguments],
            }
            (folder / "call.json").write_text(json.dumps(call), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(child), *map(str, folders)],
            env={**os.environ, "TRITON_INTERPRET": "1"},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"Triton's interpreter failed:\n{done.stderr[-4000:]}")
        return [
            [
                np.load(folder / f"out{position}.npy")
                for position in range(len(job.program.results))
            ]
            for job, folder in zip(jobs, folders, strict=True)
        ]


def _check(job: Job) -> None:
    program = job.program
    for spec in (*program.arguments, *program.results):
        if spec.dtype not in _RIGHT_TYPES:
            raise UserError(
                f"Triton's interpreter computes {spec.dtype} wrongly "
                f"('{spec.name}' is {spec.dtype})",
                remedy="interpret the kernel IR instead, which has the right rounding",
            )
    if len(job.inputs) != len(program.arguments):
        raise UserError(
            f"{program.entry} takes {len(program.arguments)} arrays, "
            f"got {len(job.inputs)}"
        )
    for spec, array in zip(program.arguments, job.inputs, strict=True):
        if not spec.fits(array.shape):
            raise UserError(
                f"{program.entry}: argument '{spec.name}' has shape "
                f"{list(array.shape)}, the program was compiled for {spec.text()}"
            )
