"""`tilewright run`: compile one program, check its numbers, time it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.runtime.size_checks import refused_sizes
from tilewright.codegen.targets import Target, detect, target_named
from tilewright.commands.compile_for_target import (
    compile_for,
    fitting_remedy,
    in_worker,
    print_misfits,
    print_stats,
)
from tilewright.commands.inherited import ChosenBuild, chosen_builds
from tilewright.commands.inputs.programs import parse_settings, read_both, wanted_target
from tilewright.commands.inputs.sizes import (
    Names,
    given_shapes,
    size_names,
    title_of,
)
from tilewright.commands.inputs.tune_sizes import names_of_sizes
from tilewright.commands.planned import Request, planned, planned_lines
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.rates import dot_type, rates
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.known_points import RESULTS, existing_results
from tilewright.numeric_check import (
    CheckCase,
    check_without_gpu,
    make_case,
    with_rounding,
)
from tilewright.pipeline import Built, Point, build, defaults_line, product_flops
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.measurement import Measurement
from tilewright.tuning.measure.references import Reference, save_results, with_shapes
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.model.cost import estimate_each
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.space.read import read_space
from tilewright.tuning.workers.jobs import MeasureJob
from tilewright.tuning.workers.scratch import scratch_folder


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
            parts = [ChosenBuild(done.built, runs)]
            said = planned_lines(request, done)
        else:
            runs = given_shapes(
                payload,
                arguments,
                sizes,
                lambda: _names_of_sizes(payload, loaded, point),
            )
            if point or loaded is None:
                parts = [ChosenBuild(build(payload, loaded, point, shapes=runs), runs)]
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
    for part in parts:
        _run_part(payload, part, seed, source, chosen, on_gpu, console)


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
    seed: int,
    source: bool,
    chosen: Target | None,
    on_gpu: bool,
    console: Console,
) -> None:
    """Check and time one program at its sizes."""
    built, runs = part.built, part.runs
    waiting = output_console(stderr=True)
    warn(built.warnings)
    if part.line:
        console.print(part.line, style="dim", markup=False)
    if built.defaults:
        console.print(defaults_line(built.defaults), style="dim", markup=False)
    for line in built.added:
        console.print(f"default: {line}", style="dim", markup=False)
    if source:
        console.print(Syntax(built.program.text, "python", word_wrap=True))
    names = size_names(built.program)
    titles = [title_of(names, shapes) for shapes in runs]
    for shapes, title in zip(runs, titles, strict=True):
        if (reason := refused_sizes(built.kernel, shapes)) is not None:
            raise UserError(f"the program does not take {title}: {reason}")
    with progress_bar(waiting, "computing the reference on numpy"):
        cases = [
            with_rounding(built, make_case(payload, seed, shapes)) for shapes in runs
        ]
    for case, title in zip(cases, titles, strict=True):
        if case.rounding:
            console.print(f"{_at(title)}{case.rounding}", markup=False)
    if on_gpu:
        operations = [product_flops(payload, shapes) for shapes in runs]
        _on_gpu(built, cases, operations, titles, console)
    else:
        wanted = chosen or target_named("h200")
        _without_gpu(built, cases, titles, wanted, console)


def _on_gpu(
    built: Built,
    cases: Sequence[CheckCase],
    operations: Sequence[int],
    titles: Sequence[str],
    console: Console,
) -> None:
    with tempfile.TemporaryDirectory(prefix="tilewright-run-") as name:
        directory = Path(name)
        title = "compiling, checking and timing on the GPU"
        with progress_bar(output_console(stderr=True), title):
            job = MeasureJob(
                source_file(built.program, directory),
                built.program.entry,
                tuple(
                    _reference(built, case, title, directory / str(position))
                    for position, (case, title) in enumerate(
                        zip(cases, titles, strict=True)
                    )
                ),
                TimingOptions(repetition_ms=200.0),
                with_baselines=True,
                dot_type=dot_type(built.program),
            )
            done = in_worker("measure", job, limit=300.0)
    measurement = done.value
    assert isinstance(measurement, Measurement)
    if not measurement.comparison.ok:
        raise UserError(f"the result is wrong: {measurement.comparison.message}")
    console.print(f"correct: {measurement.comparison.message}")
    measured = iter(zip(measurement.each, measurement.baselines, strict=True))
    for case, flops, title in zip(cases, operations, titles, strict=True):
        at = _at(title)
        if not _is_timed(case):
            console.print(f"{at}not timed: there is nothing to compute")
            continue
        timing, baselines = next(measured)
        console.print(
            f"{at}time: p20 {timing.p20:.4f}  p50 {timing.p50:.4f}  "
            f"p80 {timing.p80:.4f} ms over {timing.repetitions} repetitions"
        )
        for line in rates(timing.p50, flops, baselines):
            console.print(f"{at}{line}")


def _reference(built: Built, case: CheckCase, title: str, directory: Path) -> Reference:
    directory.mkdir()
    program = built.program
    return Reference(
        with_shapes(program.arguments, [array.shape for array in case.inputs]),
        with_shapes(program.results, [array.shape for array in case.expected]),
        case.seed,
        save_results(case.expected, directory),
        case.reduction,
        program.precision,
        timed=_is_timed(case),
        title=title,
        slack=case.device_slack,
    )


def _is_timed(case: CheckCase) -> bool:
    """Whether there is anything to time: without elements nothing is launched."""
    return any(array.size for array in case.expected)


def _at(title: str) -> str:
    return f"at {title}: " if title else ""


def _without_gpu(
    built: Built,
    cases: Sequence[CheckCase],
    titles: Sequence[str],
    target: Target,
    console: Console,
) -> None:
    console.print(f"no GPU: checked by interpreters, estimated for {target.name}")
    waiting = output_console(stderr=True)
    with progress_bar(waiting, "running in an interpreter") as tell:
        comparisons, how = check_without_gpu(built, cases, tell)
    for comparison, title in zip(comparisons, titles, strict=True):
        if not comparison.ok:
            where = _at(title)
            raise UserError(
                f"{where}the result is wrong in {how}: {comparison.message}"
            )
        console.print(f"{_at(title)}correct in {how}: {comparison.message}")
    shapes = tuple(q.shapes for q in cases if q.shapes) if any(titles) else ()
    stats = compile_for(built.program, target, console, shapes)
    print_stats(stats, console)
    if (reason := prune_program(built.program, None, target)) is not None:
        raise UserError(
            f"it cannot run on {target.name}: {reason}",
            remedy=fitting_remedy(built.program, target),
        )
    print_misfits(built.program, stats, target, console)
    costs = estimate_each(built.program, stats, target)
    for cost, title in zip(costs, titles, strict=True):
        ms = cost.milliseconds
        console.print(f"{_at(title)}estimated, not measured: {ms:.4f} ms")
        console.print(cost.explain(), style="dim")
