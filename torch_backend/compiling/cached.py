"""The program of a payload, which is compiled once.

Equal payloads of a process share a program; other processes find it on disk. Payloads
of a graph that neither has are planned by several processes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from weakref import WeakValueDictionary

from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.program import find_target
from tilewright.torch_backend.compiling import stored_programs
from tilewright.torch_backend.compiling.compile import compile_lowered
from tilewright.torch_backend.compiling.keys import program_key
from tilewright.torch_backend.compiling.limits import limits_of
from tilewright.torch_backend.compiling.parallel import REFUSED, start_kernels
from tilewright.torch_backend.compiling.planner_process import Job
from tilewright.torch_backend.compiling.planners import (
    answer_for,
    planned_ahead,
    processes_for,
)
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.compiling.stored_programs import (
    StoredProgram,
    StoredRefusal,
)
from tilewright.torch_backend.logs import log_program, logs_plans
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options

_log = logging.getLogger("tilewright.torch")

_here: WeakValueDictionary[str, Program] = WeakValueDictionary()
"""The programs that are in use in this process."""


def program_for(lowered: Lowered, options: Options) -> Program:
    """The kernels of a payload; raises `UserError` if there are none.

    A program from disk or of another process has no plan; `compile_lowered` always
    gives one that has.
    """
    start = time.perf_counter()
    key = key_of(lowered, options)
    origin, program = _found(key)
    if program is None:
        origin, program = "compiled", _compiled(key, lowered, options)
    _here[key] = program
    _log.info(
        "%s: %s in %.2f s", lowered.payload.name, origin, time.perf_counter() - start
    )
    if program.origin:
        _log.info("%s: points of %s", lowered.payload.name, program.origin)
    log_program(lowered.payload.name, program)
    start_kernels(lowered.payload.name, program)
    return program


def kept_program(key: str, name: str) -> Program | None:
    """The program of a payload that this or another process compiled, by its key."""
    _, program = _found(key)
    if program is not None:
        _here[key] = program
        start_kernels(name, program)
    return program


def _found(key: str) -> tuple[str, Program | None]:
    """Where a program was found, and the program; raises a refusal that was kept."""
    origin, program = "shared with an equal payload", _here.get(key)
    if program is None:
        origin, program = "from the cache", stored_programs.load(key)
    if program is not None and program.built.program.text in REFUSED:
        program = None
    return origin, program


def several_programs(
    several: Iterable[Lowered], options: Options
) -> AbstractContextManager[None]:
    """Let other processes plan what `program_for` will be asked for in this block.

    Winners, logged plans and the places of errors stay in the process that plans, so
    those who ask for them wait for this one.
    """
    jobs: dict[str, Job] = {}
    if options.tunes or options.results or logs_plans() or options.fallback == "error":
        several = ()
    for lowered in several:
        with suppress(Exception):  # `program_for` meets the error again
            gpu, title = find_target(options.target)
            key = key_of(lowered, options)
            if not (key in jobs or key in _here or stored_programs.has(key)):
                gpu = as_torch_multiplies(gpu, options)
                limits = limits_of(lowered, gpu)
                jobs[key] = Job(lowered.text, lowered.shapes, gpu, title, limits)
    return planned_ahead(jobs, processes_for(len(jobs)))


def key_of(lowered: Lowered, options: Options) -> str:
    """The key of a payload's program."""
    _, gpu = find_target(options.target)
    return program_key(f"{lowered.text}{lowered.shapes or ''}", gpu, options)


def _compiled(key: str, lowered: Lowered, options: Options) -> Program:
    answer = answer_for(key)
    if answer is None:
        try:
            program = compile_lowered(lowered, options)
        except UserError as error:
            stored_programs.save(key, StoredRefusal(error.fact, error.remedy))
            raise
        stored_programs.save(key, StoredProgram.of(program))
        return program
    stored_programs.save(key, answer)
    if isinstance(answer, StoredRefusal):
        raise answer.error()
    return answer.restored()
