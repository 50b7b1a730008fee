"""`tilewright space`: print the open choices of a schedule."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.files import Files, sort_files
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.messages import say
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
    payload = None if files.payload is None else read_payload(files.payload)
    read = _schedule(files, payload, entry)
    found = read_space(read.module, read.entry, payload)
    console().print(found.describe())
    if payload is None or not found.choices:
        return
    with progress_bar(console(stderr=True), "trying choices") as tell:
        probes = probe(
            found,
            lambda point: build(payload, read, point, verify_steps=False).program.key,
            tell=tell,
        )
    for one in probes:
        if one.tried == 0:
            say(f"{one.name}: could not be tried here; no two points can be built")
        elif one.unchanged is not None:
            say(f"{one.name}: {one.unchanged}")
    if all(one.tried and not one.changes_nothing for one in probes):
        say("every choice changes the kernels or their launches")


def _schedule(files: Files, payload: ModuleOp | None, entry: str | None) -> Schedule:
    """The schedule of the file, or one that is planned for the payload."""
    if files.schedule is not None:
        return Schedule.from_path(files.schedule, entry or ENTRY)
    from tilewright.commands.planned import Request, planned_schedule

    assert payload is not None
    assert files.payload is not None
    return planned_schedule(Request(payload, files.payload), say)
