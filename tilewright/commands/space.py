"""`tilewright space`: print the open choices of a schedule."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.inputs.files import sort_files
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.messages import say
from tilewright.ir.phrases import count
from tilewright.pipeline import build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.redundant_choices import probe


def space(
    file: Path,
    other: Path | None = None,
    schedule: Path | None = None,
    entry: str | None = None,
) -> None:
    """Print a schedule's open choices; with a payload, also the redundant ones."""
    files = sort_files(file, other, schedule)
    read = Schedule.from_path(files.schedule, entry or ENTRY)
    found = read_space(read.module, read.entry)
    console().print(found.describe())
    if files.payload is None or not found.choices:
        return
    payload = read_payload(files.payload)
    with progress_bar(console(stderr=True), "trying choices") as tell:
        probes = probe(
            found,
            lambda point: build(payload, read, point, verify_steps=False).program.key,
            tell=tell,
        )
    for one in probes:
        if one.tried == 0:
            say(f"{one.name}: could not be tried here; no two points can be built")
        elif one.changes_nothing:
            say(
                f"{one.name}: changes nothing in the kernels or their launches "
                f"({count(one.tried, 'pair')} of points tried)"
            )
    if all(one.tried and not one.changes_nothing for one in probes):
        say("every choice changes the kernels or their launches")
