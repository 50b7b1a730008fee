"""`tilewright plan`: write a schedule for a payload, with its choices open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.inputs.files import check_payload
from tilewright.commands.planned import Request, planned
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.warnings import payload_warnings
from tilewright.known_points import RESULTS, existing_results
from tilewright.pipeline import read_payload


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    target: str | None = None
    sizes: tuple[str, ...] = ()
    explain: bool = False
    output: Path | None = None
    database: Path = RESULTS
    margin: float | None = None
    """How near the structures are that stay open; None: the planner decides."""


def plan(options: Options) -> None:
    """Plan, check that the defaults build, and print the schedule."""
    check_payload(options.file, "give the payload that it is for")
    payload = read_payload(options.file)
    warn(payload_warnings(payload))
    request = Request(
        payload,
        options.file,
        options.target,
        options.sizes,
        database=existing_results(options.database),
        margin=options.margin,
    )
    done = planned(request, request.build)
    log = console(stderr=True)
    for line in done.refusals:
        log.print(f"note: {line}", style="yellow", markup=False)
    if options.explain:
        from tilewright.planning.explain import explain

        log.print(explain(done.plan), markup=False)
    write_output(done.plan.text, options.output)
