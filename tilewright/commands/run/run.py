"""`tilewright run`: the schedule, its points and their programs, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.codegen.targets import Target, detect, target_named
from tilewright.commands.inherited import ChosenBuild, chosen_builds
from tilewright.commands.inputs.interpreter_check import CheckMode
from tilewright.commands.inputs.programs import parse_settings, read_both, wanted_target
from tilewright.commands.inputs.sizes import (
    Names,
    given_shapes,
    size_names,
    title_of,
)
from tilewright.commands.inputs.tune_sizes import names_of_sizes
from tilewright.commands.planned import Request, planned, planned_lines
from tilewright.commands.run.on_gpu import run_on_gpu
from tilewright.commands.run.without_gpu import run_without_gpu
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.known_points import RESULTS, existing_results
from tilewright.pipeline import Built, Point, build, defaults_line
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.workers.scratch import scratch_folder

_LISTED_AT_MOST = 8
"""Steps of the default that are printed one by one."""


@ended_by_sigterm()
@scratch_folder()
def run(
    file: Path,
    schedule: Path | None,
    settings: tuple[str, ...],
    target: str | None,
    seed: int,
    source: bool,
    sizes: tuple[str, ...] = (),
    plan: bool = True,
    results: Path | None = RESULTS,
    check: CheckMode = "auto",
) -> None:
    """Compile a program, check its results and time it.

    Without a schedule, one is planned; without `plan` too, the default schedules all.
    Without settings, points come from the schedule's table or from `results`. However
    the command ends, it leaves no temporary files.
    """
    console = output_console()
    payload, loaded = read_both(file, schedule)
    results = existing_results(results)
    here = detect()
    chosen = wanted_target(target) if target is not None else here
    point = parse_settings(settings)
    arguments = signature_of(find_function(payload, None)).arguments
    waiting = output_console(stderr=True)
    said: list[str] = []
    with progress_bar(waiting, "transforming"):
        if loaded is None and plan:
            request = Request(payload, file, target, sizes, point, results)
            runs = request.shapes() or given_shapes(payload, arguments, ())
            done = planned(
                request, lambda schedule: build(payload, schedule, point, shapes=runs)
            )
            parts = [ChosenBuild(done.built, point, runs)]
            loaded = done.plan.schedule
            said = planned_lines(request, done)
        else:
            runs = given_shapes(
                payload,
                arguments,
                sizes,
                lambda: _names_of_sizes(payload, loaded, point),
            )
            if point or loaded is None:
                built = build(payload, loaded, point, shapes=runs)
                parts = [ChosenBuild(built, point, runs)]
            else:
                parts = chosen_builds(
                    payload,
                    loaded,
                    runs,
                    lambda point, runs: build(payload, loaded, point, shapes=runs),
                    target=chosen or target_named("h200"),
                    measured=here is not None and target is None,
                    results=results,
                )
    for line in said:
        console.print(line, style="dim", markup=False)
    on_gpu = here is not None and target is None
    wanted = None if on_gpu else chosen or target_named("h200")
    for part in parts:
        _run_part(payload, part, loaded, seed, source, wanted, check, console)


def _names_of_sizes(payload: ModuleOp, loaded: Schedule | None, point: Point) -> Names:
    """The names of the open sizes; they are the same at every point."""
    if loaded is not None and not point and loaded.table is not None:
        point = loaded.table.rules[-1].point
    elif loaded is not None and not point and _has_no_default(loaded):
        return names_of_sizes(payload, loaded, read_space(loaded.module))
    return size_names(build(payload, loaded, point).program)


def _has_no_default(schedule: Schedule) -> bool:
    return any(choice.default is None for choice in schedule.open_choices())


def _run_part(
    payload: ModuleOp,
    part: ChosenBuild,
    schedule: Schedule | None,
    seed: int,
    source: bool,
    target: Target | None,
    check: CheckMode,
    console: Console,
) -> None:
    """Check and time one program at its sizes; `target` is None for the GPU here."""
    built, runs = part.built, part.runs
    warn(built.warnings)
    if part.line:
        console.print(part.line, style="dim", markup=False)
    if built.defaults:
        console.print(defaults_line(built.defaults), style="dim", markup=False)
    for line in _added_lines(built.added):
        console.print(f"default: {line}", style="dim", markup=False)
    if source:
        console.print(Syntax(built.program.text, "python", word_wrap=True))
    names = size_names(built.program)
    titles = [title_of(names, shapes) for shapes in runs]
    for shapes, title in zip(runs, titles, strict=True):
        if (reason := refused_sizes(built.program.launch_plan, shapes)) is not None:
            raise UserError(f"the program does not take {title}: {reason}")
    if target is None:
        run_on_gpu(payload, built, runs, titles, seed, console)
        return

    def rebuild(other: ModuleOp) -> Built:
        return build(other, schedule, part.point)

    run_without_gpu(payload, built, rebuild, runs, titles, seed, check, target, console)


def _added_lines(added: Sequence[str]) -> Sequence[str]:
    """What the default added: a line each if they are few, or else their number."""
    if len(added) <= _LISTED_AT_MOST:
        return added
    verbs = Counter(line.split(" ")[0].rstrip(":") for line in added)
    listed = ", ".join(f"{verb} {times}" for verb, times in verbs.items())
    return [f"{len(added)} steps ({listed}); 'opt --emit kernel' lists them"]
