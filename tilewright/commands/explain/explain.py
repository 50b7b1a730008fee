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
from tilewright.tuning.explaining.readers import (
    count_runs,
    read_alike,
    read_log,
    with_schedule,
)


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    words: tuple[str, ...]
    """Words that name a run; none for the newest."""
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
    log = read_log(options.file, options.words)
    if log.damaged:
        note = f"note: {log.damaged} results of {options.file} cannot be read"
        say(console(stderr=True), note, style="yellow")
    if options.schedule is not None:
        log = with_schedule(log, options.schedule)
    if options.plot is not None and options.output is not None:
        from tilewright.tuning.explaining.plots import write_plot

        write_plot(options.plot, log, read_alike(options.file, log), options.output)
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
    runs = count_runs(options.file)
    if runs > 1 and not options.words:
        out.print()
        say(out, f"This is the newest of {runs} runs: `tilewright results list`.")
