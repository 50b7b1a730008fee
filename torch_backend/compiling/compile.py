"""The program of a lowered payload, for the GPU and by the winners of the options."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

from tilewright.compiled_program import Program
from tilewright.program import find_target
from tilewright.torch_backend.compiling.limits import limits_of
from tilewright.torch_backend.compiling.parallel import REFUSED
from tilewright.torch_backend.compiling.planned_program import planned_program
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import known_kernels

T = TypeVar("T")


def compile_lowered(lowered: Lowered, options: Options) -> Program:
    """The planned kernels of a payload; raises `UserError` if there are none.

    None of them is known to be refused by Triton or by the GPU.
    """
    gpu, title = find_target(options.target)
    gpu = as_torch_multiplies(gpu, options)

    def planned() -> Program:
        with known_kernels(options) as history:
            return planned_program(
                lowered.payload.module,
                gpu,
                title,
                lowered.shapes,
                history,
                REFUSED,
                limits_of(lowered, gpu),
            )

    return in_own_thread(planned)


def in_own_thread(function: Callable[..., T], *args: Any) -> T:
    """Call a function where the stack of Python is empty, and wait for it.

    CPython keeps frames in chunks of 16 KiB, and a call that crosses the end of a chunk
    maps and unmaps memory. Dynamo calls a backend so deep that the loops of the planner
    cross one: a quarter to a third of the time to compile a model was the kernel's.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(function(*args))
        except BaseException as error:
            done.set_exception(error)

    # An interrupt of the user does not wait for the thread.
    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return done.result()
