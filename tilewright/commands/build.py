"""`tilewright build`: a folder with compiled kernels that run without the compiler."""

from __future__ import annotations

from pathlib import Path

from tilewright.artefact import write_program
from tilewright.codegen.artefact.loader import load
from tilewright.commands.inputs.programs import parse_settings, read_both, wanted_target
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.program import compile_read, find_target
from tilewright.tuning.workers.scratch import scratch_folder


@ended_by_sigterm()
@scratch_folder()
def build(
    file: Path,
    schedule: Path | None,
    settings: tuple[str, ...],
    target: str | None,
    output: Path,
    *,
    results: Path | None,
) -> None:
    """Build the artefact, and print what it holds and how to use it."""
    console = output_console()
    waiting = output_console(stderr=True)
    if target is not None:
        wanted_target(target)
    name = target or "auto"
    card, title = find_target(name)
    payload, loaded = read_both(file, schedule)
    with progress_bar(waiting, "transforming"):
        program = compile_read(payload, loaded, name, results, parse_settings(settings))
    warn(program.built.warnings)
    with progress_bar(waiting, f"compiling for {title}"):
        write_program(program, card, output)
    artefact = load(output)
    console.print(artefact.report, markup=False)
    arguments = ", ".join(spec.name for spec in program.built.program.arguments)
    folder = output.resolve().name
    console.print(
        f"wrote {output}; to see whether it runs on a machine: python {output}"
    )
    if folder.isidentifier():
        console.print(
            f"in Python: import {folder}; {folder}.program({arguments})", markup=False
        )
