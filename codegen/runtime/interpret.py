"""Running the source of generated programs in Triton's interpreter, without a GPU.

Triton decides at import whether it interprets or compiles, so this needs a process of
its own. That process fixes the interpreter's errors, for example in bf16 and fp8
(`interpreter_fixes.py`). Programs of a grid run one after another, so races do not
show.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.dtypes import element
from tilewright.ir.errors import UserError

CHILD = Path(__file__).with_name("interpret_child.py")
"""The script that runs in the process of its own."""


@dataclass(frozen=True)
class Job:
    """A program and the arrays to run it on."""

    program: GeneratedProgram
    inputs: Sequence[NDArray[Any]]


def interpret(
    program: GeneratedProgram, inputs: Sequence[NDArray[Any]], timeout: float = 600.0
) -> list[NDArray[Any]]:
    """Run a program on numpy arrays and return its results.

    Arguments that the program writes are changed in place.
    """
    return interpret_all([Job(program, inputs)], timeout)[0]


def interpret_all(
    jobs: Sequence[Job],
    timeout: float = 600.0,
    progress: Callable[[str], None] | None = None,
) -> list[list[NDArray[Any]]]:
    """Run several programs in one process, to import torch only once.

    `progress` is called now and then with the progress of the run.
    """
    results: list[list[NDArray[Any]]] = []
    for outcome in interpret_each(jobs, timeout, progress):
        if isinstance(outcome, str):
            raise RuntimeError(f"Triton's interpreter failed:\n{outcome[-4000:]}")
        results.append(outcome)
    return results


def interpret_each(
    jobs: Sequence[Job],
    timeout: float = 600.0,
    progress: Callable[[str], None] | None = None,
) -> list[list[NDArray[Any]] | str]:
    """Run several programs; a failed job has an error text in place of its results."""
    for job in jobs:
        _check(job)
    with tempfile.TemporaryDirectory(prefix="tilewright-") as name:
        folders = [Path(name) / str(position) for position in range(len(jobs))]
        for job, folder in zip(jobs, folders, strict=True):
            _write_job(job, folder)
        _run_child(folders, timeout, progress)
        return [
            _read_outcome(job, folder)
            for job, folder in zip(jobs, folders, strict=True)
        ]


def _write_job(job: Job, folder: Path) -> None:
    source = source_file(job.program, folder)
    specs = job.program.arguments
    for position, (spec, array) in enumerate(zip(specs, job.inputs, strict=True)):
        array = np.asarray(array)
        if (carrier := element(spec.dtype).carrier) is not None:
            array = array.astype(float) if spec.is_scalar else array.view(carrier)
        np.save(folder / f"in{position}.npy", array)
    call = {
        "source": source.name,
        "entry": job.program.entry,
        "numbers": [spec.is_scalar for spec in specs],
        "written": [at for at, spec in enumerate(specs) if spec.is_written],
        "types": [
            TORCH_TYPES[spec.dtype].removeprefix("torch.")
            if element(spec.dtype).carrier
            else None
            for spec in specs
        ],
    }
    (folder / "call.json").write_text(json.dumps(call), encoding="utf-8")


class Child(Protocol):
    """A process that can be waited for."""

    returncode: int | None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, or `subprocess.TimeoutExpired`."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


def start_child(folders: Sequence[Path], errors: IO[str]) -> Child:
    """Start the process that runs the jobs in these folders."""
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(os.getpid()), *map(str, folders)],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        stdout=subprocess.DEVNULL,
        stderr=errors,
    )


def _run_child(
    folders: Sequence[Path],
    timeout: float,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Run all jobs; where one ends the process, the others run in a new process."""
    left = list(folders)
    while left:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            process = start_child(left, errors)
            try:
                _wait(process, left, timeout, progress)
                errors.seek(0)
                why = f"the process ended with {process.returncode}\n"
                why += errors.read()[-2000:]
            except subprocess.TimeoutExpired:
                why = f"not done after {timeout:.0f} s"
            finally:
                process.kill()
                process.wait()
        left = [folder for folder in left if not _is_done(folder)]
        if left:
            (left.pop(0) / "error.txt").write_text(why, encoding="utf-8")


def _wait(
    process: Child,
    folders: Sequence[Path],
    timeout: float,
    progress: Callable[[str], None] | None,
) -> None:
    """Wait for the process to end, and report its progress."""
    deadline = time.monotonic() + timeout
    while True:
        left = deadline - time.monotonic()
        try:
            process.wait(max(0.0, left if progress is None else min(left, 0.5)))
            return
        except subprocess.TimeoutExpired:
            if progress is None or time.monotonic() >= deadline:
                raise
        here = next((each for each in folders if not _is_done(each)), None)
        if here is not None and (here / "progress.txt").exists():
            told = (here / "progress.txt").read_text(encoding="utf-8")
            if told:  # The child may be writing the file right now.
                progress(told)


def _is_done(folder: Path) -> bool:
    return (folder / "done").exists() or (folder / "error.txt").exists()


def _read_outcome(job: Job, folder: Path) -> list[NDArray[Any]] | str:
    error = folder / "error.txt"
    if error.exists():
        return error.read_text(encoding="utf-8")
    for position, spec in enumerate(job.program.arguments):
        if spec.is_written:
            written = np.load(folder / f"in{position}.npy")
            np.copyto(job.inputs[position], _typed(written, spec.dtype))
    return [
        _typed(np.load(folder / f"out{position}.npy"), spec.dtype)
        for position, spec in enumerate(job.program.results)
    ]


def _typed(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    kind = element(dtype)
    return array.view(kind.numpy) if kind.carrier else array


def _check(job: Job) -> None:
    program = job.program
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
