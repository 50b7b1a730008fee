"""`tilewright sweep`: the speed of a program over the values of one open size."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target, detect, target_named
from tilewright.commands.inputs.device_reference import closed_specs
from tilewright.commands.inputs.programs import (
    parse_settings,
    read_both,
    wanted_target,
)
from tilewright.commands.inputs.sizes import given_shapes, is_open
from tilewright.commands.inputs.tune_sizes import names_of_sizes, tune_cases
from tilewright.commands.planned import Request, planned_schedule
from tilewright.commands.sweep.candidates import candidates
from tilewright.commands.sweep.report import (
    SweepResult,
    as_data,
    picture,
    say_result,
)
from tilewright.commands.sweep.sampled_sizes import SAMPLES, swept
from tilewright.commands.sweep.timing import estimated, measured
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.output_files import write_output
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.ir.dtypes import byte_width
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.known_points import existing_results
from tilewright.payload_work import matmul_flops
from tilewright.pipeline import Built, Point, build
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.space.read import read_space
from tilewright.tuning.workers.scratch import scratch_folder

MOST = 4
"""Points that are compared, unless the command says otherwise."""


@dataclass(frozen=True)
class Arguments:
    """The arguments of the command."""

    file: Path
    schedule: Path | None
    settings: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    samples: int = SAMPLES
    points: tuple[str, ...] = ()
    most: int = MOST
    target: str | None = None
    results: Path | None = None
    rivals: bool = True
    seed: int = 0
    plot: Path | None = None
    as_json: bool = False
    output: Path | None = None


@ended_by_sigterm()
@scratch_folder()
def sweep(arguments: Arguments) -> None:
    """Compare some points over a range of one size, and print where each is good."""
    asked = swept(arguments.sizes, arguments.samples)
    log = console(stderr=True)

    def say(line: str) -> None:
        log.print(line, style="dim", markup=False)

    payload, schedule = read_both(arguments.file, arguments.schedule)
    specs = signature_of(find_function(payload, None)).arguments
    if not is_open(specs):
        raise UserError(
            "all sizes of this payload are known: there is nothing to sweep over",
            remedy="write ? for a size in the payload's types",
        )
    here = detect()
    measures = here is not None and arguments.target is None
    target = here if measures and here is not None else _named(arguments.target)
    fixed = parse_settings(arguments.settings)
    given = [
        fixed | parse_settings(tuple(one.split(","))) for one in arguments.points
    ] or ([fixed] if fixed else [])
    if schedule is None:
        request = Request(
            payload,
            arguments.file,
            arguments.target,
            asked.sizes,
            fixed,
            arguments.results,
        )
        schedule = planned_schedule(request, say)
    space = read_space(schedule.module, payload=payload)
    runs = given_shapes(
        payload,
        specs,
        asked.sizes,
        lambda: names_of_sizes(payload, schedule, space),
    )

    def built(point: Point) -> Built:
        return build(payload, schedule, point, verify_steps=False, shapes=runs)

    found = candidates(
        payload,
        schedule,
        given,
        runs,
        arguments.most,
        target,
        existing_results(arguments.results),
        measures,
        built,
        say,
    )
    with progress_bar(log, f"timing {len(runs)} sizes"):
        if measures:
            cases = tune_cases(
                payload, schedule, space, asked.sizes, arguments.seed, on_gpu=True
            )
            times = measured(
                payload,
                found,
                [one for one in cases if one.timed],
                arguments.rivals,
                TimingOptions.of_a_trial(),
                say,
            )
        else:
            times = estimated(found, runs, target)
    if not measures:
        say(f"no GPU: estimated for {target.name}; numbers are not checked, `run` does")
        say("plain torch is timed on a GPU only")
    work, unit = _work(payload, runs)
    result = SweepResult(
        asked.name, asked.values, tuple(found), times, work, unit, target.name, measures
    )
    if arguments.plot is not None:
        picture(result).save(arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.as_json or arguments.output is not None:
        write_output(json.dumps(as_data(result), indent=1) + "\n", arguments.output)
        return
    say_result(result, console())


def _named(name: str | None) -> Target:
    return wanted_target(name) if name is not None else target_named("h200")


def _work(payload: ModuleOp, runs: Sequence[Shapes]) -> tuple[tuple[float, ...], str]:
    """The operations of the products at each size, or else the bytes moved."""
    flops = tuple(float(matmul_flops(payload, run)) for run in runs)
    if all(flops):
        return flops, "TFLOP/s"
    return tuple(float(_bytes(payload, run)) for run in runs), "GB/s"


def _bytes(payload: ModuleOp, run: Shapes) -> int:
    """Of all arguments and results, each once; of the arguments where unknown."""
    closed = closed_specs(payload, run)
    specs = () if closed is None else (*closed[0], *closed[1])
    return sum(math.prod(spec.shape) * byte_width(spec.dtype) for spec in specs)
