"""`tilewright opt`: run a schedule, look at the IR between the steps."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from tilewright.codegen.generate import generate
from tilewright.commands.inputs import (
    need_schedule,
    parse_settings,
    read_both,
    warn,
    writing,
)
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import (
    Applied,
    Recorder,
    VerifyEach,
    apply_schedule,
    argument_specs,
)
from tilewright.transforms.interpreter import Observer
from tilewright.tuning.inputs import random_inputs

FORMS = ("mlir", "mlir-schedule", "tw-schedule", "buffer", "kernel", "triton")


@dataclass(frozen=True)
class Options:
    """What the command was given."""

    file: Path
    schedule: Path | None
    settings: tuple[str, ...]
    emit: str
    print_after_each: bool
    dump: Path | None
    verify_each: bool
    seed: int
    output: Path | None


def opt(options: Options) -> None:
    """Run it."""
    if options.emit not in FORMS:
        near = get_close_matches(options.emit, FORMS, 1)
        hint = f"did you mean {near[0]}?" if near else f"one of: {', '.join(FORMS)}"
        raise UserError(f"--emit {options.emit}: no such form", remedy=hint)
    log = Console(stderr=True, highlight=False)
    payload, schedule = read_both(options.file, options.schedule)
    point = parse_settings(options.settings)
    if options.emit.endswith("-schedule"):
        bound = need_schedule(schedule, options.file).with_point(point)
        text = bound.to_tw() if options.emit == "tw-schedule" else bound.to_mlir()
        write(text, options.output)
        return
    recorder = Recorder(payload)
    observers: list[Observer] = []
    if options.print_after_each or options.dump is not None:
        observers.append(recorder)
    verifier = None
    if options.verify_each:
        arguments, _ = argument_specs(payload)
        verifier = VerifyEach(payload, random_inputs(arguments, options.seed))
        observers.append(verifier)
    complete = options.emit in ("buffer", "kernel", "triton")
    try:
        applied = apply_schedule(
            payload, schedule, point, complete=complete, observers=observers
        )
    finally:
        # What was done before a failure is what one wants to look at.
        show_steps(recorder, options, log)
    if verifier is not None:
        log.print(f"verified: {verifier.checked} steps give the payload's numbers")
    warn(applied.warnings)
    for line in applied.added:
        log.print(f"default: {line}", style="dim", markup=False)
    write(_emitted(applied, options.emit), options.output)


def _emitted(applied: Applied, form: str) -> str:
    if form == "triton":
        return generate(applied.payload).program.text
    if form == "kernel":
        return to_text(generate(applied.payload).kernel_module)
    return to_text(applied.payload)


def show_steps(recorder: Recorder, options: Options, log: Console) -> None:
    """Print the snapshots, or write each to a file."""
    if options.print_after_each:
        for snapshot in recorder.snapshots:
            place = snapshot.step.place if snapshot.step is not None else None
            log.rule(f"{snapshot.title}  {place or ''}", align="left")
            log.out(snapshot.text(), highlight=False)
    if options.dump is not None:
        with writing(options.dump):
            options.dump.mkdir(parents=True, exist_ok=True)
            for snapshot in recorder.snapshots:
                name = snapshot.title.replace(" ", "_").replace(".", "_") + ".mlir"
                (options.dump / name).write_text(snapshot.text())
        log.print(f"{len(recorder.snapshots)} dumps in {options.dump}")


def write(text: str, output: Path | None) -> None:
    """To a file, or to stdout."""
    if output is None:
        sys.stdout.write(text)
        return
    with writing(output):
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text)
