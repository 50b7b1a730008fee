"""`tilewright check` and `space`: look at a schedule without running it."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from tilewright.commands.inputs import warn
from tilewright.ir.text import read_text
from tilewright.ir.warnings import payload_warnings
from tilewright.pipeline import read_payload
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.tuning.read_space import read_space


def check(schedule: Path, file: Path | None) -> None:
    """Check a schedule statically, and that the payload reads, if there is one."""
    errors = check_text(read_text(schedule), str(schedule))
    if errors:
        for error in errors[:-1]:
            print(error, file=sys.stderr)
        raise errors[-1]
    if file is not None:
        warn(payload_warnings(read_payload(file)))
    found = read_space(Schedule.from_path(schedule).module)
    if found.count_valid() == 0:
        raise found.nothing_valid()
    print(f"{schedule}: ok; {found.count_valid()} valid points")


def space(schedule: Path) -> None:
    """Show a schedule's open choices."""
    console = Console(highlight=False)
    found = read_space(Schedule.from_path(schedule).module)
    console.print(found.describe())
