"""Payloads with a schedule each: tests/data/scheduled, a .mlir and a .tw of one name.

The tests of code generation build them all; `benchmarks/golden.py` runs them on a GPU.
"""

from __future__ import annotations

import functools

from xdsl.dialects.builtin import ModuleOp

from support.paths import DATA
from tilewright.pipeline import Built, build, read_payload
from tilewright.schedules.schedule import Schedule

FOLDER = DATA / "scheduled"
NAMES = sorted(path.stem for path in FOLDER.glob("*.mlir"))


@functools.cache
def payload(name: str) -> ModuleOp:
    return read_payload(FOLDER / f"{name}.mlir")


@functools.cache
def built(name: str) -> Built:
    """The program; without a .tw, by the default."""
    schedule = FOLDER / f"{name}.tw"
    return build(
        payload(name), Schedule.from_path(schedule) if schedule.exists() else None
    )
