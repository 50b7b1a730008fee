"""`tilewright replay --study`: a recording answers what the published study asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from tilewright.commands.replay.study_figures import write_figures
from tilewright.commands.replay.study_tables import heading, study_tables
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.console import heading as print_heading
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.tuning.replay.study.recording import StudyRecording
from tilewright.tuning.replay.study.report import study_of


@dataclass(frozen=True)
class StudyArguments:
    """The arguments of the command."""

    recordings: Sequence[Path]
    plots: Path | None = None
    as_json: bool = False
    output: Path | None = None


def study(arguments: StudyArguments) -> None:
    """Simulate the published study on a recording, and print both."""
    if len(arguments.recordings) != 1:
        raise UsageError(
            "--study reads one recording", remedy="run the command for each of them"
        )
    (path,) = arguments.recordings
    recording = StudyRecording.load(path)
    if not recording.study or not any(recording.study.values()):
        raise UserError(
            f"{path}: no configuration was timed in this recording",
            remedy="record it again with benchmarks/tuning_cost/record.py",
        )
    found = study_of(recording)
    if arguments.plots is not None:
        for written in write_figures(found, arguments.plots):
            say(f"wrote {written}")
    if arguments.as_json:
        write_output(json.dumps(found, indent=1) + "\n", arguments.output)
        return
    tables = study_tables(found)
    if arguments.output is not None:
        parts = [". ".join(heading(found)) + ".", *(one.markdown() for one in tables)]
        write_output("\n\n".join(parts) + "\n", arguments.output)
        return
    out = console()
    for line in heading(found):
        say(line)
    for one in tables:
        print_heading(out, one.title)
        table = Table(*one.header, box=None)
        for row in one.rows:
            table.add_row(*row)
        out.print(table)
        if one.note:
            out.print(one.note, style="dim", highlight=False)
