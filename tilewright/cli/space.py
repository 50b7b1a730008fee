"""The declaration of `tilewright space`."""

from __future__ import annotations

from tilewright.cli.options import (
    EntryOption,
    InspectedFile,
    OtherFile,
    ScheduleOption,
    entry_name,
    examples,
)

EXAMPLES = examples(
    "tilewright space tuned.tw                     (the choices and their number)",
    "tilewright space payload.mlir -s tuned.tw     (and which of them change nothing)",
    "tilewright space payload.mlir                 (the same of a planned schedule)",
)


def space(
    file: InspectedFile,
    other: OtherFile = None,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
) -> None:
    """Show a schedule's open choices, its constraints and the number of its points.

    With a payload, each choice is varied at a few points, and choices that change
    nothing in the kernels are named.
    """
    from tilewright.commands import space as command

    command.space(file, other, schedule, entry_name(entry))
