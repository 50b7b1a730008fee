"""Compiling generated programs in parallel processes, into Triton's own cache."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any


def compile_all(
    programs: Iterable[tuple[Hashable, Any]], directory: Path
) -> tuple[dict[Any, Any], dict[Any, str]]:
    """Compile programs as they come; all of them, and why some cannot be run, by key.

    A program that does not compile has `FAILED`, one that needs more than the card has
    `refused`. Generating the next program overlaps with compiling those before it.
    """
    from tilewright.codegen.targets import detect
    from tilewright.tuning.model.occupancy import prune_program
    from tilewright.tuning.workers.jobs import CompileJob
    from tilewright.tuning.workers.pools import wait
    from tilewright.tuning.workers.worker_pool import ProcessPool

    target = detect()
    known: dict[Any, Any] = {}
    failed: dict[Any, str] = {}
    tickets: dict[int, Any] = {}
    with ProcessPool(max(1, (os.cpu_count() or 2) - 1), "compile", limit=120.0) as pool:
        for key, program in programs:
            known[key] = program
            tickets[pool.submit(CompileJob(program, target, directory))] = key
        while pool.pending:
            for done in wait([pool], 120.0):
                key = tickets[done.ticket]
                if done.ending != "ok":
                    last = done.error.strip().splitlines()[-1:]
                    failed[key] = f"FAILED to compile: {done.ending}: {last}"
                elif reason := prune_program(known[key], done.value, target):
                    failed[key] = f"refused: {reason}"
    return known, failed
