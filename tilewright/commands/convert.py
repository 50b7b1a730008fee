"""`tilewright convert`: a schedule in the other form, without loss."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import write_output
from tilewright.schedules.conversion import as_mlir, as_tw
from tilewright.schedules.schedule import Schedule

_FORMS = (".tw", ".mlir")


def convert(file: Path, output: Path | None) -> None:
    """Write the schedule of a file in the form that the file does not have."""
    is_mlir = file.suffix == ".mlir"
    wanted = ".tw" if is_mlir else ".mlir"
    if output is not None and output.suffix in _FORMS and output.suffix != wanted:
        raise UsageError(
            f"{file} and {output} have one form",
            remedy=f"name a {wanted} file; `tilewright fmt` formats .tw files",
        )
    schedule = Schedule.from_path(file)
    write_output(as_tw(schedule) if is_mlir else as_mlir(schedule), output)
