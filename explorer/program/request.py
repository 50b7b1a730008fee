"""What a page is made of: payload, schedule, choices, and how far to go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.pipeline import Point
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target


@dataclass(frozen=True)
class TextFile:
    """A text and the name that places in it have."""

    name: str
    text: str


@dataclass(frozen=True)
class ProgramRequest:
    """A payload and a schedule to look at."""

    payload: ModuleOp
    payload_file: TextFile
    schedule: Schedule | None
    schedule_file: TextFile | None
    """None if the schedule is in the payload's file, or if there is none."""
    point: Point = field(default_factory=dict[str, int | float | bool | str])
    is_planned: bool = False
    """Whether the schedule was planned, not given."""
    verify: bool = False
    """Whether to run the payload on numpy after each step, and compare."""
    target: Target | None = None
    """The GPU of estimates and of compiled code; None: neither."""
    compiled: tuple[str, ...] = ()
    """The levels of compiled code to show: ttir, ttgir, llir, ptx, sass."""
    seed: int = 0
    runs_compiler: bool = True
    """Whether Triton compiles the kernels for the target: its statistics make the
    estimates better, and take seconds."""
