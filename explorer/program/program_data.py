"""The data of a program page: every step of a run, down to the source.

A run that fails has a page as well: the steps up to the failure, and the failure.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from tilewright.explorer.program.recording import Handle, Recording, ShownStep
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.parsing.sources import known_source
from tilewright.ir.text import place_of
from tilewright.pipeline import open_run
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.interpreter import ENTRY, ScheduleRun


def program_data(
    request: ProgramRequest, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Run a schedule over a payload to the end, and keep what the page shows."""
    run = open_run(request.payload, request.schedule, request.point)
    recording = Recording(run)
    failure: UserError | None = None
    try:
        _run(request, run, recording, progress)
    except UserError as error:
        failure = error
    files = _Files(request)
    return {
        "title": _title(request),
        "subtitle": "" if failure is None else "the schedule does not apply",
        "payload": files.number(request.payload_file.name),
        "schedule": files.number(_schedule_name(request)),
        "planned": request.is_planned,
        "choices": _choices(request, files),
        "text": recording.table.lines,
        "steps": [_step(step, files) for step in recording.steps],
        "remarks": [_note(note, files) for note in run.remarks],
        "warnings": [_error(error, files) for error in run.warnings],
        "failure": None if failure is None else _error(failure, files),
        "files": files.listed(),
    }


def _run(
    request: ProgramRequest,
    run: ScheduleRun,
    recording: Recording,
    progress: Callable[[str], None],
) -> None:
    """The schedule, the default, code generation."""
    from tilewright.codegen.generate import generate
    from tilewright.inspect.passes import Passes
    from tilewright.ir.structured.equal_extents import same_extents
    from tilewright.schedules.default.finish import finish

    progress("running the schedule")
    run.start(request.schedule.entry if request.schedule is not None else ENTRY)
    finish(run)
    progress("generating code")
    passes = Passes(run.payload, len(run.steps), [recording.after_pass])
    generated = generate(run.payload, same_extents(request.payload), observe=passes)
    recording.add_text("Triton", "source", generated.program.text)


# -- plain data ------------------------------------------------------------------------


class _Files:
    """The files that places name, numbered as they are met."""

    def __init__(self, request: ProgramRequest):
        self._numbers: dict[str, int] = {}
        self._texts = {request.payload_file.name: request.payload_file.text}
        if (schedule := request.schedule_file) is not None:
            self._texts[schedule.name] = schedule.text

    def number(self, name: str | None) -> int | None:
        """The number of a file; None for no file, or one whose text is not known."""
        if name is None or self._text(name) is None:
            return None
        return self._numbers.setdefault(name, len(self._numbers))

    def listed(self) -> list[dict[str, Any]]:
        """Name and lines of every file, in the order of the numbers."""
        return [
            {"name": PurePath(name).name, "lines": (self._text(name) or "").split("\n")}
            for name in self._numbers
        ]

    def _text(self, name: str) -> str | None:
        return self._texts.get(name) or known_source(name)


def _title(request: ProgramRequest) -> str:
    payload = PurePath(request.payload_file.name).name
    if request.is_planned:
        return f"{payload} under a planned schedule"
    if request.schedule_file is not None:
        return f"{payload} under {PurePath(request.schedule_file.name).name}"
    return payload


def _schedule_name(request: ProgramRequest) -> str | None:
    if request.schedule_file is not None:
        return request.schedule_file.name
    return None if request.schedule is None else request.payload_file.name


def _choices(request: ProgramRequest, files: _Files) -> list[dict[str, Any]]:
    """The open choices of the schedule; `value` is None in a branch not taken."""
    if request.schedule is None:
        return []
    schedule = request.schedule
    taken = {**schedule.defaults(request.point), **schedule.full_point(request.point)}
    return [
        {
            "name": choice.name,
            "structure": isinstance(choice.op, AlternativesOp),
            "options": list(choice.options),
            "value": taken.get(choice.name),
            "place": _place(place_of(choice.op), files),
        }
        for choice in schedule.open_choices()
    ]


def _step(step: ShownStep, files: _Files) -> dict[str, Any]:
    return {
        "title": step.title,
        "origin": step.origin,
        "op": step.op,
        "place": _place(step.place, files),
        "ms": round(step.seconds * 1e3, 3),
        "took_back": step.took_back,
        "lines": step.lines,
        "ops": [[span.op, span.first, span.last] for span in step.spans],
        "diff": None if step.diff is None else [list(hunk) for hunk in step.diff],
        "handles": [_handle(handle, files) for handle in step.handles],
        **step.facts,
    }


def _handle(handle: Handle, files: _Files) -> list[Any]:
    return [handle.name, _place(handle.place, files), handle.ops]


def _place(place: Place | None, files: _Files) -> list[int] | None:
    """`[file, line, column]`, both counted from 1, or None."""
    if place is None or (number := files.number(place.file)) is None:
        return None
    return [number, place.line, place.column]


def _note(note: Note, files: _Files) -> dict[str, Any]:
    return {"fact": note.fact, "place": _place(note.place, files)}


def _error(error: UserError, files: _Files) -> dict[str, Any]:
    return {
        "fact": error.fact,
        "remedy": error.remedy,
        "place": _place(error.place, files),
        "notes": [_note(note, files) for note in error.notes],
        "message": str(error),
    }


__all__ = ["ProgramRequest", "TextFile", "program_data"]
