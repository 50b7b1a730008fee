"""`tilewright run`: compile one program, check its numbers, time it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax

from tilewright.checking import Question, ask, check_without_gpu
from tilewright.codegen.compile import source_file
from tilewright.codegen.program import TensorSpec
from tilewright.codegen.targets import Target, detect, target_named
from tilewright.commands.arguments import given_shapes
from tilewright.commands.compiled import compile_for, in_worker, print_stats
from tilewright.commands.inputs import parse_settings, read_both, wanted_target, warn
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.registry import find_function
from tilewright.ir.interpreter.signature import signature_of
from tilewright.pipeline import Built, build
from tilewright.tuning.conveyor import write_answer
from tilewright.tuning.cost import estimate
from tilewright.tuning.jobs import MeasureJob, Reference
from tilewright.tuning.measure import Measurement
from tilewright.tuning.occupancy import prune_program
from tilewright.tuning.timing import TimingOptions


def run(
    file: Path,
    schedule: Path | None,
    settings: tuple[str, ...],
    target: str | None,
    seed: int,
    source: bool,
    sizes: tuple[str, ...] = (),
) -> None:
    """Compile, run, compare, time."""
    console = Console(highlight=False, soft_wrap=True)
    payload, loaded = read_both(file, schedule)
    here = detect()
    chosen = wanted_target(target) if target is not None else here
    signature = signature_of(find_function(payload, None))
    shapes = given_shapes(signature.arguments, sizes)
    with console.status("transforming"):
        built = build(payload, loaded, parse_settings(settings), shapes=[tuple(shapes)])
    warn(built.warnings)
    for line in built.added:
        console.print(f"default: {line}", style="dim", markup=False)
    if source:
        console.print(Syntax(built.program.text, "python", word_wrap=True))
    with console.status("computing the reference on numpy"):
        question = ask(payload, seed, shapes)
    if here is not None and target is None:
        _on_gpu(built, question, console)
    else:
        _without_gpu(built, question, chosen or target_named("h200"), console)


def _on_gpu(built: Built, question: Question, console: Console) -> None:
    with tempfile.TemporaryDirectory(prefix="tilewright-run-") as name:
        directory = Path(name)
        with console.status("compiling, checking and timing on the GPU"):
            reference = Reference(
                _of_shapes(built.program.arguments, question.inputs),
                _of_shapes(built.program.results, question.expected),
                question.seed,
                write_answer(question.expected, directory),
                question.reduction,
            )
            job = MeasureJob(
                source_file(built.program, directory),
                built.program.entry,
                reference,
                TimingOptions(repetition_ms=200.0),
            )
            done = in_worker("measure", job, limit=300.0)
    measurement = done.value
    assert isinstance(measurement, Measurement)
    if not measurement.comparison.ok:
        raise UserError(f"the result is wrong: {measurement.comparison.message}")
    console.print(f"correct: {measurement.comparison.message}")
    timing = measurement.timing
    assert timing is not None
    flops = sum(
        2 * d.m * d.n * d.k * d.count * k.programs
        for k in built.program.kernels
        for d in k.dots
    )
    rate = f", {flops / timing.p50 * 1e-9:.0f} TFLOP/s" if flops else ""
    console.print(
        f"time: p20 {timing.p20:.4f}  p50 {timing.p50:.4f}  p80 {timing.p80:.4f} ms "
        f"over {timing.repetitions} repetitions{rate}"
    )


def _of_shapes(
    specs: Sequence[TensorSpec], arrays: Sequence[Array]
) -> tuple[TensorSpec, ...]:
    """Specs with the shapes that arrays have."""
    return tuple(
        replace(spec, shape=tuple(array.shape))
        for spec, array in zip(specs, arrays, strict=True)
    )


def _without_gpu(
    built: Built, question: Question, target: Target, console: Console
) -> None:
    console.print(f"no GPU: checked by interpreters, estimated for {target.name}")
    with console.status("running in an interpreter"):
        comparison, how = check_without_gpu(built, question)
    if not comparison.ok:
        raise UserError(f"the result is wrong in {how}: {comparison.message}")
    console.print(f"correct in {how}: {comparison.message}")
    stats = compile_for(built.program, target, console)
    print_stats(stats, console)
    if (reason := prune_program(built.program, None, target)) is not None:
        raise UserError(
            f"it cannot run on {target.name}: {reason}",
            remedy="use smaller tiles or fewer stages",
        )
    if (reason := prune_program(built.program, stats, target)) is not None:
        console.print(
            f"note: it will run badly or not at all: {reason}; smaller tiles, fewer "
            "stages or more warps help",
            style="yellow",
        )
    cost = estimate(built.program, stats, target)
    console.print(f"estimated, not measured: {cost.milliseconds:.4f} ms")
    console.print(cost.explain(), style="dim")
