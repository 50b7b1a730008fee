"""Runs programs on arrays: on the GPU, or else in an interpreter.

Without a GPU, Triton's interpreter runs the emitted source. It is wrong or slow for
some programs; the numpy interpreter runs their kernel IR instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from tilewright.codegen.runtime.interpret import Job, interpret_each
from tilewright.codegen.runtime.launch import load
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options as InterpreterOptions
from tilewright.ir.interpreter import run as interpret
from tilewright.numeric_check import suits_triton
from tilewright.pipeline import Built
from tilewright.tuning.measure.inputs import from_torch, to_torch


@dataclass(frozen=True)
class Task:
    """A program and the arrays to run it on."""

    built: Built
    inputs: Sequence[Array]


Outcome = list[Array] | str
"""The results, or why there are none."""


def run_all(tasks: Sequence[Task]) -> list[Outcome]:
    """The results of each program."""
    if torch.cuda.is_available():
        return [_guarded(_on_gpu, task) for task in tasks]
    by_triton = [task for task in tasks if suits_triton(task.built.program)]
    jobs = [Job(task.built.program, _copies(task)) for task in by_triton]
    found = dict(zip(map(id, by_triton), interpret_each(jobs), strict=True))
    return [
        found[id(task)] if id(task) in found else _guarded(_on_numpy, task)
        for task in tasks
    ]


def where_run(built: Built) -> str:
    """What runs a program here, in words."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    if suits_triton(built.program):
        return "Triton's interpreter"
    return "the kernel-level numpy interpreter"


def _guarded(run: Callable[[Task], list[Array]], task: Task) -> Outcome:
    try:
        return run(task)
    except UserError as error:
        return error.fact
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _on_gpu(task: Task) -> list[Array]:
    program = task.built.program
    tensors = [
        to_torch(array, spec.dtype, "cuda")
        for array, spec in zip(task.inputs, program.arguments, strict=True)
    ]
    made = load(program, source_directory())(*tensors)
    several = made if isinstance(made, tuple) else (made,)
    return [
        from_torch(tensor.cpu(), spec.dtype)
        for tensor, spec in zip(several, program.results, strict=True)
    ]


def _on_numpy(task: Task) -> list[Array]:
    options = InterpreterOptions(poison_uninitialized=True)
    return list(interpret(task.built.kernel, _copies(task), options=options))


def _copies(task: Task) -> list[Array]:
    return [array.copy() for array in task.inputs]
