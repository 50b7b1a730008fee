"""Checking and timing a program on the GPU.

The device computes the expected results of a large payload, numpy those of others.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.runtime.compile import source_file
from tilewright.commands.inputs.device_reference import device_reference
from tilewright.commands.inputs.rounding_slack import (
    coarse_check,
    device_slack,
    program_case,
)
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.commands.terminal.rates import dot_type, rates
from tilewright.ir.errors import UserError
from tilewright.numeric_check import (
    CheckCase,
    make_case,
    rounds_anew,
    slack_of_rounding_anew,
)
from tilewright.payload_work import matmul_flops, reduction_length
from tilewright.pipeline import Built
from tilewright.tuning.measure.measurement import Measurement
from tilewright.tuning.measure.references import Reference, save_results, with_shapes
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.workers.jobs import MeasureJob, PrepareJob
from tilewright.tuning.workers.one_job import in_worker


def run_on_gpu(
    payload: ModuleOp,
    built: Built,
    runs: Sequence[Shapes],
    titles: Sequence[str],
    seed: int,
    console: Console,
) -> None:
    """Check a program at every run's sizes, time it and print both."""
    with tempfile.TemporaryDirectory(prefix="tilewright-run-") as name:
        directory = Path(name)
        references = _on_device(payload, built, seed)
        if references is None:
            references = _on_numpy(
                payload, built, runs, titles, seed, directory, console
            )
        title = "compiling, checking and timing on the GPU"
        with progress_bar(output_console(stderr=True), title):
            job = MeasureJob(
                source_file(built.program, directory),
                built.program.entry,
                tuple(references),
                TimingOptions(repetition_ms=200.0),
                with_baselines=True,
                dot_type=dot_type(built.program),
            )
            measurement = in_worker("measure", job, limit=300.0).value
    assert isinstance(measurement, Measurement)
    if not measurement.comparison.ok:
        raise UserError(f"the result is wrong: {measurement.comparison.message}")
    console.print(f"correct: {measurement.comparison.message}")
    if remark := coarse_check(max(one.slack for one in references)):
        console.print(remark, style="yellow")
    measured = iter(zip(measurement.each, measurement.baselines, strict=True))
    for reference, shapes, title in zip(references, runs, titles, strict=True):
        at = f"at {title}: " if title else ""
        if not reference.timed:
            console.print(f"{at}not timed: there is nothing to compute")
            continue
        timing, baselines = next(measured)
        console.print(
            f"{at}time: p20 {timing.p20:.4f}  p50 {timing.p50:.4f}  "
            f"p80 {timing.p80:.4f} ms over {timing.repetitions} repetitions"
        )
        for line in rates(timing.p50, matmul_flops(payload, shapes), baselines):
            console.print(f"{at}{line}")


def _on_device(payload: ModuleOp, built: Built, seed: int) -> list[Reference] | None:
    """The reference that torch computes on the device; None where numpy is better.

    That is: for small payloads, for programs that round on purpose, and where torch
    and numpy disagree at small sizes.
    """
    if built.roundings:
        return None
    waiting = output_console(stderr=True)
    with progress_bar(waiting, "computing the reference on the GPU"):
        given = device_reference(payload, seed)
        if given is None:
            return None
        slack = device_slack(payload, built, seed)
        if rounds_anew(built):
            slack = max(slack, slack_of_rounding_anew(payload))
        reference = Reference(
            given.arguments,
            given.results,
            seed,
            (),
            reduction_length(payload),
            built.program.precision,
            slack=slack,
            source=given.source,
        )
        try:
            job = PrepareJob(reference, given.witness)
            reason = in_worker("measure", job, limit=300.0).value
        except UserError as error:
            reason = error.fact
    if reason is None:
        return [reference]
    waiting.print(f"the reference is computed on numpy: {reason}", style="yellow")
    return None


def _on_numpy(
    payload: ModuleOp,
    built: Built,
    runs: Sequence[Shapes],
    titles: Sequence[str],
    seed: int,
    directory: Path,
    console: Console,
) -> list[Reference]:
    """The references that numpy computes, a folder for each."""
    references: list[Reference] = []
    with progress_bar(output_console(stderr=True), "computing the reference on numpy"):
        cases = [
            program_case(payload, built, make_case(payload, seed, shapes))
            for shapes in runs
        ]
    for position, (case, title) in enumerate(zip(cases, titles, strict=True)):
        if case.rounding:
            at = f"at {title}: " if title else ""
            console.print(f"{at}{case.rounding}", markup=False)
        folder = directory / str(position)
        folder.mkdir()
        references.append(saved_reference(built, case, title, folder))
    return references


def saved_reference(
    built: Built, case: CheckCase, title: str, folder: Path
) -> Reference:
    """The reference of a program, whose expected results are saved in a folder."""
    program = built.program
    return Reference(
        with_shapes(program.arguments, [array.shape for array in case.inputs]),
        with_shapes(program.results, [array.shape for array in case.expected]),
        case.seed,
        save_results(case.expected, folder),
        case.reduction,
        program.precision,
        # Without elements nothing is launched.
        timed=any(array.size for array in case.expected),
        title=title,
        slack=case.device_slack,
    )
