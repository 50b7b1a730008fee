"""Every step of some kernels of a model, each as a program of its own.

A segment can have hundreds of kernels, whose steps all show the whole segment. Alone, a
kernel has its own ops and the statements of its own sketch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tilewright.explorer.page.html import embedded
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import remember_source
from tilewright.ir.text import to_text
from tilewright.pipeline import parse_payload
from tilewright.planning.alone import planned_alone
from tilewright.schedules.schedule import Schedule
from tilewright.torch_backend.diagnosis.explanation import ExplainedSegment
from tilewright.torch_backend.diagnosis.kernel_alone import rename
from tilewright.torch_backend.diagnosis.kernels import Kernel


def kernel_programs(
    different: Sequence[tuple[ExplainedSegment, Kernel]],
    order: Sequence[int],
    most_bytes: int,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[int, dict[str, Any]]:
    """The data of program pages by the sort of kernel, as many as there is room for.

    `order` has the sorts that are wanted, the most important first.
    """
    found: dict[int, dict[str, Any]] = {}
    room = most_bytes
    for sort in order:
        segment, kernel = different[sort]
        progress(f"the steps of {kernel.name}")
        data = _program(segment, kernel)
        if data is None:
            continue
        size = len(embedded(data))
        if size > room:
            continue
        room -= size
        found[sort] = data
    return found


def _program(segment: ExplainedSegment, kernel: Kernel) -> dict[str, Any] | None:
    """None if the kernel has no schedule of its own, or none that works alone."""
    plan = segment.program.plan
    if plan is None or kernel.planned is None or kernel.group is None:
        return None
    planned = replace(kernel.planned.at_defaults(), groups=(kernel.group,))
    try:
        alone = planned_alone(plan, planned, names=True)
        if alone is None:
            return None
        title = kernel.launches[0].name
        rename(alone.payload, title.removesuffix("_kernel"))
        payload = _file(f"{title}.mlir", to_text(alone.payload))
        schedule = _file(f"{title}.tw", alone.plan.text)
        request = ProgramRequest(
            parse_payload(payload.text, payload.name),
            payload,
            Schedule.from_text(schedule.text, schedule.name),
            schedule,
            is_planned=True,
            target=plan.target,
        )
        data = program_data(request)
    except UserError:
        return None
    return None if data["failure"] is not None else {**data, "title": title}


def _file(name: str, text: str) -> TextFile:
    remember_source(name, text)
    return TextFile(name, text)
