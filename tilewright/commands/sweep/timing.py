"""The times of a sweep: measured in turn with plain torch, or by the cost model."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.standalone.reference.function import NoReference
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.codegen.targets import Target
from tilewright.commands.compile_for_target import compile_for
from tilewright.commands.inputs.rounding_slack import program_case
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.run.on_gpu import saved_reference
from tilewright.commands.sweep.candidates import Candidate
from tilewright.commands.terminal.console import console
from tilewright.ir.errors import UserError
from tilewright.tuning.measure.device_reference import FUNCTION
from tilewright.tuning.measure.measurement import Contender
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.side_by_side import SideBySide
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.model.cost import estimate_each
from tilewright.tuning.workers.jobs import PrepareJob, SideBySideJob
from tilewright.tuning.workers.one_job import in_worker

ROUNDS = 8
LIMIT = 1200.0
"""Seconds of the whole measurement, `torch.compile` of each size among them."""


def measured(
    payload: ModuleOp,
    found: Sequence[Candidate],
    cases: Sequence[SizedCase],
    with_rivals: bool,
    timing: TimingOptions,
    say: Callable[[str], object],
) -> SideBySide:
    """Time all programs and the rivals at every size, each checked first."""
    source = ""
    if with_rivals:
        try:
            source = reference_source(payload, FUNCTION)
        except (NoReference, UserError) as error:
            say(f"no torch to compare with: {error}")
    with tempfile.TemporaryDirectory(prefix="tilewright-sweep-") as name:
        folder = Path(name)
        on_device = _device_agrees(cases, say)
        rows = tuple(
            tuple(
                None
                if candidate.refused[place] is not None
                else _reference(candidate, case, on_device, folder / f"{place}")
                for candidate in found
            )
            for place, case in enumerate(cases)
        )
        job = SideBySideJob(
            tuple(
                Contender(
                    one.name,
                    source_file(one.built.program, folder),
                    one.built.program.entry,
                )
                for one in found
            ),
            source,
            rows,
            timing,
            ROUNDS,
        )
        return in_worker("measure", job, limit=LIMIT).value


def estimated(
    found: Sequence[Candidate], runs: Sequence[Shapes], target: Target
) -> SideBySide:
    """The cost model's times of all programs, compiled for the target."""
    times: dict[str, list[float | None]] = {}
    for candidate in found:
        program = candidate.built.program
        stats = compile_for(program, target, console(stderr=True), tuple(runs))
        costs = estimate_each(program, stats, target)
        times[candidate.name] = [
            None if refused is not None else cost.milliseconds
            for cost, refused in zip(costs, candidate.refused, strict=True)
        ]
    return SideBySide(times)


def _device_agrees(cases: Sequence[SizedCase], say: Callable[[str], object]) -> bool:
    """Whether torch on the device computes what numpy does at small sizes."""
    given = next((one for one in cases if one.on_device is not None), None)
    if given is None or given.on_device is None:
        return False
    reference = _on_device(given, None)
    job = PrepareJob(reference, given.on_device.witness)
    reason = in_worker("measure", job, limit=300.0).value
    if reason is not None:
        say(f"the references are computed on numpy: {reason}")
    return reason is None


def _reference(
    candidate: Candidate, case: SizedCase, on_device: bool, folder: Path
) -> Reference:
    """What a program is checked against at a size."""
    built = candidate.built
    if on_device and case.on_device is not None and not built.roundings:
        return _on_device(case, built.program.precision)
    folder = folder / candidate.name
    folder.mkdir(parents=True)
    payload = case.small or case.payload
    given = program_case(payload, built, case.case)
    return saved_reference(built, given, case.title, folder)


def _on_device(case: SizedCase, precision: str | None) -> Reference:
    assert case.on_device is not None
    expected = case.expected_results()
    return Reference(
        case.on_device.arguments,
        case.on_device.results,
        case.seed,
        (),
        expected.reduction,
        precision,
        title=case.title,
        slack=case.slack,
        source=case.on_device.source,
    )
