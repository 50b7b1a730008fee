"""Triton compiles the kernels of a graph in threads, while further ones are planned.

    with kernels_in_parallel() as compiling:
        program_for(lowered, options)      # starts to compile its kernels
    compiling.check(name, GPU)            # raises if one of them was refused

A program's launcher runs on tensors without storage, and each launch becomes a
compilation in a thread (`AsyncCompileMode` of Triton). Most of it runs in LLVM and
ptxas, outside of Python's lock, and threads take no time to start. The first call then
finds the kernels compiled. A kernel that Triton refuses, or that needs more shared
memory than the GPU has, is known before it.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.compile import (
    build_launcher,
    call_launcher,
    example,
    explained,
)
from tilewright.codegen.runtime.launch import LoadedProgram
from tilewright.codegen.targets import Target
from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.torch_backend.compiling import triton_key

_log = logging.getLogger("tilewright.torch")


REFUSED: dict[str, UserError] = {}
"""The texts of programs with a kernel that cannot be launched, and why."""

Launch = tuple[Any, Any]
"""A kernel of Triton, and what compiles it or has compiled it."""


class Compiling:
    """The kernels that are being compiled, by the payloads that need them."""

    def __init__(self) -> None:
        self._started: dict[str, tuple[Program, list[Launch]]] = {}

    def start(self, name: str, program: Program) -> None:
        """Start to compile the kernels of a payload's program."""
        kernels: list[Launch] = []
        try:
            _run_without_storage(program.loaded, kernels)
        except Exception as error:
            # The first call compiles them, and tells what is wrong.
            _log.info("%s: not compiled ahead: %r", name, error)
        self._started[name] = program, kernels

    def check(self, name: str, gpu: Target) -> None:
        """Raise the error of a payload's first kernel that cannot be launched."""
        if (error := self.refusal(name, gpu)) is not None:
            raise error

    def refusal(self, name: str, gpu: Target) -> UserError | None:
        """The error of a payload's first kernel that cannot be launched.

        Triton refused it, or the GPU cannot hold it: it is not planned again.
        """
        if name not in self._started:
            return None
        program, kernels = self._started[name]
        given = program.built.program
        for kernel, made in kernels:
            error = _refusal(given, kernel.__name__, made, gpu)
            if error is not None:
                REFUSED[given.text] = error
                return error
        return None

    @property
    def count(self) -> int:
        """The number of launches whose kernels were compiled."""
        return sum(len(kernels) for _, kernels in self._started.values())


def _refusal(
    program: GeneratedProgram, kernel: str, made: Any, gpu: Target
) -> UserError | None:
    """Why a kernel cannot be launched; None if it can."""
    from triton.runtime._async_compile import FutureKernel

    if isinstance(made, FutureKernel):
        error = made.future.exception()
        if error is not None:
            is_known = isinstance(error, Exception)
            return explained(error, program, kernel) if is_known else None
        made = made.future.result()
    needed, most = made.metadata.shared, gpu.shared_per_block
    if needed <= most:
        return None
    places = {name: place for name, line, place in program.places if line == 1}
    fact = f"{kernel} needs {needed} bytes of shared memory, of {most} that there are"
    return UserError(fact, places.get(kernel))


_active: ContextVar[Compiling | None] = ContextVar("compiling", default=None)


@contextmanager
def kernels_in_parallel(enabled: bool | None = None) -> Iterator[Compiling]:
    """Compile the kernels of programs made here in threads; waits for them at the end.

    Without a GPU nothing is compiled, unless it is `enabled`.
    """
    compiling = Compiling()
    is_on = torch.cuda.is_available() if enabled is None else enabled
    if not is_on or _is_in_a_mode():
        yield compiling
        return
    triton_key.wait()
    threads = min(os.cpu_count() or 1, 16)
    with (
        ThreadPoolExecutor(threads, "tilewright-compile") as executor,
        _mode(executor),
    ):
        token = _active.set(compiling)
        try:
            yield compiling
        finally:
            _active.reset(token)
            start = time.perf_counter()
    if compiling.count:
        waited = time.perf_counter() - start
        _log.info("%d launches compiled, %.2f s waited", compiling.count, waited)


def _mode(executor: ThreadPoolExecutor) -> AbstractContextManager[Any]:
    """Triton's mode, which also serves the second of two kernels with equal sources.

    Triton compiles them once and puts the result into the cache of the first only.
    """
    from triton.runtime._async_compile import AsyncCompileMode

    class Mode(AsyncCompileMode):
        def submit(self, key: Any, compile_fn: Any, finalize_fn: Any) -> Any:
            known = self.future_kernels.get(key)
            if known is None:
                return super().submit(key, compile_fn, finalize_fn)
            first = known.finalize_compile

            def finalize_both(kernel: Any) -> None:
                first(kernel)
                finalize_fn(kernel)

            known.finalize_compile = finalize_both
            return known

    return Mode(executor, ignore_errors=True)


def _is_in_a_mode() -> bool:
    """Whether kernels are compiled in parallel already; Triton has one mode."""
    from triton.runtime._async_compile import active_mode

    return active_mode.get() is not None


def start_kernels(name: str, program: Program) -> None:
    """Start to compile a program's kernels, inside `kernels_in_parallel`."""
    compiling = _active.get()
    if compiling is not None:
        compiling.start(name, program)


def _run_without_storage(loaded: LoadedProgram, made: list[Launch]) -> None:
    """Run the launcher with its kernels replaced; appends what they become."""

    def compile_only(kernel: Any, *given: Any, **options: Any) -> None:
        found = kernel.run(*given, warmup=True, **options)
        made.append((kernel, found))
        future = getattr(found, "future", None)
        if isinstance(future, Future):
            future.add_done_callback(_build_launcher)

    # AOTAutograd compiles in its mode of fake tensors, which have no address at all.
    with unset_fake_temporarily():
        given = [example(spec.sized({})) for spec in loaded.program.arguments]
        call_launcher(loaded.plain_launcher, loaded.program, given, compile_only)


def _build_launcher(future: Future[Any]) -> None:
    if future.exception() is None:
        build_launcher(future.result())
