"""The data of a program page: every step of a run, down to the source.

A run that fails has a page as well: the steps up to the failure, and the failure.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from tilewright.codegen.generate import Generated, generate
from tilewright.explorer.program.compiled import add_code
from tilewright.explorer.program.kernels import compiled_stats, program_picture
from tilewright.explorer.program.nest import nest_data, share_parts
from tilewright.explorer.program.origins import source_origins
from tilewright.explorer.program.payload_graph import PayloadGraph, payload_graph
from tilewright.explorer.program.places import Files
from tilewright.explorer.program.recording import Handle, Recording, ShownStep
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.inspect.passes import Passes
from tilewright.ir.errors import Note, UserError
from tilewright.ir.nest.tree import Nest
from tilewright.ir.structured.equal_extents import same_extents
from tilewright.ir.text import place_of
from tilewright.pipeline import open_run
from tilewright.planning.plain import finish
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.interpreter import ENTRY, ScheduleRun

if TYPE_CHECKING:
    from tilewright.inspect.verify_each import WrongResult


def program_data(
    request: ProgramRequest, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Run a schedule over a payload to the end, and keep what the page shows."""
    run = open_run(request.payload, request.schedule, request.point)
    recording = Recording(run)
    graph = payload_graph(run.payload, recording.lister.number)
    files = Files(request)
    picture: dict[str, Any] = {}
    failure: UserError | WrongResult | None = None
    try:
        generated = _run(request, run, recording, progress)
        picture = _after_run(request, recording, graph, generated, files, progress)
    except UserError as error:
        failure = error
    if request.verify:
        failure = _verify(request, recording, progress) or failure
    first = recording.steps[0].nest
    steps = [_step(step, first, files) for step in recording.steps]
    return {
        "title": _title(request),
        "subtitle": _subtitle(failure),
        "payload": files.number(request.payload_file.name),
        "schedule": files.number(_schedule_name(request)),
        "planned": request.is_planned,
        "choices": _choices(request, files),
        "text": recording.table.lines,
        "nests": share_parts(steps),
        "steps": steps,
        **picture,
        "remarks": [_note(note, files) for note in run.remarks],
        "warnings": [_error(error, files) for error in run.warnings],
        "failure": None if failure is None else _failure(failure, files),
        "files": files.listed(),
    }


def _run(
    request: ProgramRequest,
    run: ScheduleRun,
    recording: Recording,
    progress: Callable[[str], None],
) -> Generated:
    """The schedule, the default, code generation."""
    progress("running the schedule")
    run.start(request.schedule.entry if request.schedule is not None else ENTRY)
    finish(run)
    progress("generating code")
    passes = Passes(run.payload, len(run.steps), [recording.after_pass])
    return generate(run.payload, same_extents(request.payload), observe=passes)


def _after_run(
    request: ProgramRequest,
    recording: Recording,
    graph: PayloadGraph,
    generated: Generated,
    files: Files,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Add the source and what Triton makes of it; return the picture of the program."""
    program, payload = generated.program, request.payload_file.name
    source = recording.add_text("Triton", "source", program.text)
    source.facts["origins"] = source_origins(
        generated.origins, len(source.lines), payload, files
    )
    target, stats, note = request.target, {}, ""
    if target is None:
        note = "no estimate was asked for"
    else:
        if program.is_dynamic:
            note = "sizes known only at run time have no estimate"
        if request.runs_compiler:
            stats, refused = compiled_stats(program, target, progress)
            note = refused or note
        if request.compiled:
            note = add_code(request, program, recording, progress) or note
    picture = program_picture(graph, program, target, stats, files, payload)
    name = None if target is None else target.name
    return {**picture, "estimate": {"target": name, "note": note}}


def _verify(
    request: ProgramRequest, recording: Recording, progress: Callable[[str], None]
) -> WrongResult | None:
    """Say of each step whether it keeps the numbers; returns the error of one that
    does not."""
    from tilewright.explorer.program.verifying import verify_steps

    found = verify_steps(request, progress)
    steps = [s for s in recording.steps if s.origin in ("schedule", "default")]
    outcomes = found.of_steps([(step.op, step.place) for step in steps])
    for step, (status, text) in zip(steps, outcomes, strict=True):
        step.facts["verified"] = {"status": status, "text": text}
    return found.wrong


# -- plain data ------------------------------------------------------------------------


def _title(request: ProgramRequest) -> str:
    payload = PurePath(request.payload_file.name).name
    if request.is_planned:
        return f"{payload} under a planned schedule"
    if request.schedule_file is None:
        return payload
    return f"{payload} under {PurePath(request.schedule_file.name).name}"


def _subtitle(failure: UserError | WrongResult | None) -> str:
    if failure is None:
        return ""
    is_wrong = not isinstance(failure, UserError)
    return "a step changes the results" if is_wrong else "the schedule does not apply"


def _schedule_name(request: ProgramRequest) -> str | None:
    if request.schedule_file is not None:
        return request.schedule_file.name
    return None if request.schedule is None else request.payload_file.name


def _choices(request: ProgramRequest, files: Files) -> list[dict[str, Any]]:
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
            "place": files.place(place_of(choice.op)),
            "branches": _branches(choice.op, files),
        }
        for choice in schedule.open_choices()
    ]


def _branches(choice: Operation, files: Files) -> dict[str, list[list[int]]]:
    """The lines of each branch that has any: `[file, first, last]`."""
    if not isinstance(choice, AlternativesOp):
        return {}
    branches: dict[str, list[list[int]]] = {}
    for label, region in zip(choice.labels, choice.alternatives, strict=True):
        places = [files.place(place_of(op)) for op in region.walk()]
        lines: dict[int, list[int]] = {}
        for file, line, _ in filter(None, places):
            lines.setdefault(file, []).append(line)
        branches[label] = [[file, min(at), max(at)] for file, at in lines.items()]
    return branches


def _step(step: ShownStep, first: Nest | None, files: Files) -> dict[str, Any]:
    return {
        "title": step.title,
        "origin": step.origin,
        "op": step.op,
        "place": files.place(step.place),
        "ms": round(step.seconds * 1e3, 3),
        "took_back": step.took_back,
        "lines": step.lines,
        "ops": [[span.op, span.first, span.last] for span in step.spans],
        "diff": None if step.diff is None else [list(hunk) for hunk in step.diff],
        "handles": [_handle(handle, files) for handle in step.handles],
        "level": step.level,
        "nest": None if step.nest is None else nest_data(step.nest, first, files.place),
        **step.facts,
    }


def _handle(handle: Handle, files: Files) -> list[Any]:
    return [handle.name, files.place(handle.place), handle.ops]


def _note(note: Note, files: Files) -> dict[str, Any]:
    return {"fact": note.fact, "place": files.place(note.place)}


def _failure(error: UserError | WrongResult, files: Files) -> dict[str, Any]:
    if isinstance(error, UserError):
        return _error(error, files)
    fact = str(error).splitlines()[0].partition("error: ")[2]
    return {
        "fact": fact,
        "remedy": "this is a bug of the compiler; please report it with the files "
        "that 'tilewright opt --verify-each' writes",
        "place": files.place(error.step.place),
        "notes": [],
        "message": str(error),
    }


def _error(error: UserError, files: Files) -> dict[str, Any]:
    return {
        "fact": error.fact,
        "remedy": error.remedy,
        "place": files.place(error.place),
        "notes": [_note(note, files) for note in error.notes],
        "message": str(error),
    }


__all__ = ["ProgramRequest", "TextFile", "program_data"]
