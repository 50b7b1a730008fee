"""Programs whose kernels can be launched.

The planner estimates what a kernel needs; Triton knows it once the kernel is compiled.
A kernel that Triton refuses, or that needs more shared memory than the GPU has, is
replaced by its next candidate.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from tilewright.program import find_target
from tilewright.torch_backend.compiling.parallel import kernels_in_parallel
from tilewright.torch_backend.options import Options

_log = logging.getLogger("tilewright.torch")
_MOST_TRIES = 4
"""How often a payload is compiled before torch runs it."""

T = TypeVar("T")


def launchable(make: Callable[[], T], payload: str, options: Options) -> T:
    """What `make` makes of a payload by `program_for`; raises the last refusal."""
    gpu, _ = find_target(options.target)
    tries = 1
    while True:
        with kernels_in_parallel() as compiling:
            made = make()
        error = compiling.refusal(payload, gpu)
        if error is None:
            return made
        if tries == _MOST_TRIES:
            raise error
        _log.info("%s is planned again: %s", payload, error.fact)
        tries += 1
