"""The program of a payload, which is compiled once.

Equal payloads of a process share a program; other processes find it on disk.
"""

from __future__ import annotations

import logging
import time
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import ModuleOp

from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.program import find_target
from tilewright.torch_backend.compiling import stored_programs
from tilewright.torch_backend.compiling.compile import compile_lowered
from tilewright.torch_backend.compiling.keys import program_key
from tilewright.torch_backend.compiling.parallel import start_kernels
from tilewright.torch_backend.logs import log_program
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options

_log = logging.getLogger("tilewright.torch")

_here: WeakValueDictionary[str, Program] = WeakValueDictionary()
"""The programs that are in use in this process."""


def program_for(lowered: Lowered, options: Options) -> Program:
    """The kernels of a payload; raises `UserError` if there are none.

    A program from disk has no plan; `compile_lowered` always gives one that has.
    """
    start = time.perf_counter()
    _, card = find_target(options.target)
    module = lowered.payload.module
    key = program_key(f"{to_text(module)}{lowered.shapes or ''}", card, options)
    origin, program = "shared with an equal payload", _here.get(key)
    if program is None:
        origin, program = "from the cache", stored_programs.load(key)
    if program is None:
        origin, program = "compiled", _compiled(key, lowered, options, module)
    _here[key] = program
    _log.info(
        "%s: %s in %.2f s", lowered.payload.name, origin, time.perf_counter() - start
    )
    if program.origin:
        _log.info("%s: points of %s", lowered.payload.name, program.origin)
    log_program(lowered.payload.name, program)
    start_kernels(lowered.payload.name, program)
    return program


def _compiled(
    key: str, lowered: Lowered, options: Options, module: ModuleOp
) -> Program:
    try:
        program = compile_lowered(lowered, options, module)
    except UserError as error:
        stored_programs.save_refusal(key, error)
        raise
    stored_programs.save(key, program)
    return program
