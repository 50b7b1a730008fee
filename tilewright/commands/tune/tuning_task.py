"""The tuning task of a schedule over a payload: how to build and check a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import Comparison
from tilewright.numeric_check import (
    check_kernel_ir,
    rounds_anew,
    slack_of_rounding_anew,
    with_rounding,
)
from tilewright.pipeline import Built, Point, build, sizes_of
from tilewright.schedules.closed_key import ClosedKeys
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.shared_prefixes import SharedPrefixes
from tilewright.tuning.options import ExpectedResults, TuningTask
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.space.space import Space
from tilewright.tuning.transfer.family import family_of


def what_is_checked(cases: Sequence[SizedCase]) -> str:
    """Which candidates an interpreter checks, in words."""
    quick = [one for one in cases if one.is_quick]
    if len(quick) == len(cases):
        return "each is checked by the kernel-level interpreter"
    if not quick:
        small = next((one.small for one in cases if one.small is not None), None)
        sizes = "" if small is None else f" at smaller sizes ({sizes_of(small)})"
        return (
            f"the winner alone is checked by an interpreter{sizes}: the payload is "
            "large"
        )
    return "each is checked by the kernel-level interpreter at the smaller sizes"


def tuning_task(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    cases: Sequence[SizedCase],
    on_gpu: bool,
    names: tuple[str, str],
) -> TuningTask:
    """The tuning task of a schedule over a payload."""
    expected = tuple(one.expected_results() for one in cases)
    timed = [one for one in cases if one.timed]
    shapes = [one.shapes for one in timed if one.shapes is not None]

    # Each build worker is a fork, and fills its own.
    prefixes = SharedPrefixes()

    def make(point: Point) -> Built:
        # Verifying after each step would take half of a schedule's time.
        built = build(
            payload,
            schedule,
            point,
            verify_steps=False,
            shapes=shapes,
            prefixes=prefixes,
        )
        for one in timed:
            if not one.fits(built):
                reason = refused_sizes(built.program.launch_plan, one.shapes or ())
                raise SilenceableFailure(f"not for {one.title}: {reason}")
        return built

    def check(built: Built) -> Comparison:
        return _first_wrong(
            (one.title, check_kernel_ir(built, one.case))
            for one in cases
            if one.is_quick and one.fits(built)
        )

    def accepts(built: Built, results: ExpectedResults) -> bool:
        return results.shapes is None or (
            refused_sizes(built.program.launch_plan, results.shapes) is None
        )

    case_of = {id(results): one for results, one in zip(expected, cases, strict=True)}

    def rounding(built: Built) -> str:
        if not built.roundings:
            return "at other sizes" if rounds_anew(built) else ""
        return text_hash(to_text(built.roundings[-1].payload))

    def expected_for(built: Built, results: ExpectedResults) -> ExpectedResults:
        """The results of the payload after the candidate's rounding."""
        if not built.roundings:
            slack = slack_of_rounding_anew(payload)
            return replace(results, slack=max(slack, results.slack))
        case = with_rounding(built, case_of[id(results)].case)
        return replace(
            results, arrays=case.expected, slack=case.device_slack, on_device=None
        )

    quick = not on_gpu and any(one.is_quick for one in cases)
    texts = [to_text(payload), to_text(schedule.module)]
    return TuningTask(
        build=make,
        space=space,
        payload=text_hash(texts[0]),
        schedule=text_hash(texts[1]),
        expected=expected,
        check=check if quick else None,
        sizes="; ".join(one.title for one in timed),
        accepts=accepts,
        expected_for=expected_for,
        on_numpy=lambda results: case_of[id(results)].on_numpy(),
        rounding=rounding,
        payload_name=names[0],
        schedule_name=names[1],
        family=family_of(payload).key,
        extents=tuple(family_of(payload, one.shapes).sizes for one in timed),
        closed=ClosedKeys(schedule.module, schedule.entry),
        texts={text_hash(text): text for text in texts},
    )


def _first_wrong(outcomes: Iterable[tuple[str, Comparison]]) -> Comparison:
    """The first comparison that fails, with its sizes; else the last comparison."""
    last: Comparison | None = None
    for title, last in outcomes:
        if not last.ok:
            where = f"at {title}: " if title else ""
            return replace(last, message=f"{where}{last.message}")
    return last or Comparison(True, 0.0, 0.0, "not checked")
