"""The page of a payload and a schedule."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.programs import parse_settings, read_both
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.view.arguments import Options
from tilewright.explorer.page.html import page
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.ir.parsing.sources import known_source
from tilewright.ir.text import source_name
from tilewright.pipeline import Point
from tilewright.schedules.schedule import Schedule


def program_page(options: Options) -> str:
    """Run the schedule, planned if none was given, and make the page."""
    log = console(stderr=True)
    with progress_bar(log, "looking") as tell:
        return page("program", program_data(program_request(options), tell))


def program_request(options: Options) -> ProgramRequest:
    """What the files and the settings say."""
    file = Path(options.file)
    payload, schedule = read_both(file, options.schedule, options.entry)
    point = parse_settings(options.settings)
    schedule_file = _known(options.schedule)
    is_planned = schedule is None
    if is_planned:
        schedule, schedule_file = _planned(options, payload, point)
    assert schedule is not None
    payload_file = _known(file)
    assert payload_file is not None
    return ProgramRequest(
        payload,
        payload_file,
        schedule,
        schedule_file,
        schedule.full_point(point),
        is_planned,
        options.verify,
        None,
        options.compiled,
        options.seed,
    )


def _known(path: Path | None) -> TextFile | None:
    """A file that was read in this process."""
    if path is None:
        return None
    name = source_name(path)
    return TextFile(name, known_source(name) or "")


def _planned(
    options: Options, payload: ModuleOp, point: Point
) -> tuple[Schedule, TextFile]:
    from tilewright.commands.planned import Request, planned_schedule

    log = console(stderr=True)
    schedule = planned_schedule(
        Request(
            payload,
            Path(options.file),
            options.target,
            point=point,
            database=options.results,
        ),
        lambda line: log.print(line, style="dim", markup=False),
    )
    from tilewright.planning.plan import PLANNED

    return schedule, TextFile(PLANNED, schedule.source)
