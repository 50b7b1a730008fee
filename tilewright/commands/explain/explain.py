"""`tilewright explain`: what a tuning run taught, as text, JSON or a picture."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.explain.report import report
from tilewright.commands.explain.wrapped import say
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.tuning.explaining.explanation import explain as find
from tilewright.tuning.explaining.readers import pick_log, read_logs, with_schedule


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    run: str | None
    schedule: Path | None
    as_json: bool
    plot: str | None
    output: Path | None


def explain(options: Options) -> None:
    """Read a run and report on it."""
    if options.plot is not None and options.output is None:
        raise UserError(
            "a plot needs a file", remedy="add -o plot.svg, or a .png or .pdf"
        )
    logs = read_logs(options.file)
    log = pick_log(logs, options.run)
    if options.schedule is not None:
        log = with_schedule(log, options.schedule)
    if options.plot is not None and options.output is not None:
        from tilewright.tuning.explaining.plots import write_plot

        write_plot(options.plot, log, logs, options.output)
        say(console(stderr=True), f"wrote {options.output}")
        return
    found = find(log)
    if options.as_json:
        write_output(json.dumps(found.as_json(), indent=1) + "\n", options.output)
        return
    if options.output is not None:
        raise UserError("-o goes with --json or --plot", remedy="add one of them")
    out = console()
    report(out, found)
    others = [one.name for one in logs if one.name != log.name]
    if others and options.run is None:
        names = ", ".join(others[-8:])
        out.print()
        say(out, f"the newest of {len(logs)} runs; others: {names}")
