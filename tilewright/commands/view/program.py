"""The page of a payload and a schedule."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.programs import (
    parse_settings,
    read_both,
    wanted_target,
)
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.view.arguments import Options
from tilewright.explorer.page.html import page
from tilewright.explorer.program.compiled import TITLES
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.ir.parsing.sources import known_source
from tilewright.ir.text import source_name
from tilewright.known_points import existing_results
from tilewright.pipeline import Point
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target

_NOT_FOR_PAYLOADS = ("--input", "--backward", "--details", "words after the file")


def program_page(options: Options) -> str:
    """Run the schedule, planned if none was given, and make the page."""
    log = console(stderr=True)
    with progress_bar(log, "looking") as tell:
        return page("program", program_data(program_request(options), tell))


def program_request(options: Options) -> ProgramRequest:
    """What the files and the settings say."""
    _check_options(options)
    _check_levels(options.compiled)
    existing_results(options.results)
    file = Path(options.file)
    payload, schedule = read_both(file, options.schedule, options.entry)
    point = parse_settings(options.settings)
    schedule_file = _known(options.schedule)
    is_planned = schedule is None
    if schedule is None:
        schedule, schedule_file = _planned(options, payload, point)
    elif not point:
        point = _chosen(options, payload, schedule)
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
        _target(options),
        options.compiled,
        options.seed,
    )


def _target(options: Options) -> Target | None:
    """The GPU of estimates: --target, this machine's, or else an H200."""
    if not options.estimate and not options.compiled:
        return None
    from tilewright.codegen.targets import detect

    here = None if options.target is not None else detect()
    return here or wanted_target(options.target or "h200")


def _chosen(options: Options, payload: ModuleOp, schedule: Schedule) -> Point:
    """The point of the schedule's table or of the results file, as for `opt`."""
    from tilewright.commands.inherited import chosen_point

    log = console(stderr=True)
    return chosen_point(
        payload,
        schedule,
        options.target,
        options.results,
        lambda line: log.print(line, style="dim", markup=False),
    )


def _check_options(options: Options) -> None:
    """Refuse what a payload has no use for, such as a schedule without -s."""
    remedy = "leave it out"
    if options.words and options.schedule is None:
        remedy = f"a schedule follows -s: -s {options.words[0]}"
    options.refuse(_NOT_FOR_PAYLOADS, "a payload", remedy)


def _check_levels(levels: tuple[str, ...]) -> None:
    for level in levels:
        if level not in TITLES:
            near = get_close_matches(level, TITLES, 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"one of: {', '.join(TITLES)}"
            )
            raise UsageError(f"--emit {level}: no such level", remedy=hint)


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
