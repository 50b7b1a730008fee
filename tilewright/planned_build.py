"""Planning a payload and building it, without the kernels that turn out refused.

done = build_planned(payload, target, lambda schedule: build(payload, schedule))
done.plan, done.built, done.refusals

The planner does not run its schedule. Where a transformation or code generation
refuses a planned kernel, the kernel's next sketch takes its place, and at last the
default. Where that is refused too, or the planner itself refuses the payload, the last
resort is an empty schedule: the default then gives each op of the payload a kernel.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.ir.errors import Note, Place, SilenceableFailure, UserError
from tilewright.ir.text import place_of
from tilewright.planning.analysis.bounds import bound_of
from tilewright.planning.analysis.facts import Role
from tilewright.planning.grouping.changes import Changes
from tilewright.planning.plan import (
    NO_GROUPS,
    STREAM,
    Plan,
    PlannedKernel,
    plan,
)
from tilewright.planning.recorded import (
    History,
    KernelSignature,
    RecordedPoint,
    signature_of,
    signature_of_structure,
)
from tilewright.planning.sketches.library.calls import why_no_call
from tilewright.planning.structure import Cover, region_names
from tilewright.schedules.schedule import Schedule

T = TypeVar("T")

NEARLY = 1.1
"""A plan without what was refused is kept if it takes this many times as long as the
first one, however fast others are: cutting the payload would cost more."""


@dataclass(frozen=True)
class PlannedBuild(Generic[T]):
    """A plan, what was built under its schedule, and what had to be left out."""

    plan: Plan
    built: T
    refusals: tuple[str, ...]
    """What was planned first and refused, a line each."""


@dataclass(frozen=True)
class Limits:
    """When to give up after a refusal: others run the payload with no compiler."""

    seconds: float
    """No further plan is built after this time."""
    slowest: float
    """The most seconds that a plan may be estimated at, without what was refused.

    One that is nearly as fast as the first plan may take longer.
    """
    one_kernel_an_op: bool
    """Whether the last resort is allowed: the default gives each op a kernel."""


def build_planned(
    payload: ModuleOp,
    target: Target,
    build: Callable[[Schedule], T],
    *,
    shapes: Shapes | None = None,
    history: History | None = None,
    fall_back: bool = True,
    limits: Limits | None = None,
    is_open: bool = True,
    margin: float | None = None,
    builds_structures: bool = True,
) -> PlannedBuild[T]:
    """Plan, and build at the defaults; plan again without what is refused.

    `shapes` of the arguments give the sizes that the types leave open; `history` has
    measured points. The plan's text has its choices open, or made unless it `is_open`.
    Raises the last error if one kernel an op is refused, since the default then refuses
    the payload itself, or at once without `fall_back`, or if what is left is beyond
    the `limits`. With a `margin`, structures whose estimates are within it stay open;
    each is built once, and left out if it is refused, unless the caller builds them.
    """
    without: set[tuple[int, str]] = set()
    unusable: set[KernelSignature] = set()
    unstructured: set[Changes] = set()
    built_structures: set[Changes] = set()
    refusals: list[str] = []
    start, allowed = time.monotonic(), 0.0

    def usable(wanted: KernelSignature) -> RecordedPoint | None:
        """The recorded point of a kernel, unless it was refused."""
        return None if history is None or wanted in unusable else history(wanted)

    while True:
        try:
            found = plan(
                payload,
                target,
                shapes=shapes,
                without=without,
                history=usable,
                is_open=is_open,
                margin=margin,
                refused=unstructured,
            )
        except SilenceableFailure as error:
            if NO_GROUPS in without or not fall_back or not _may_be_plain(limits):
                raise
            without = {NO_GROUPS}
            refusals.append(f"planning was refused: {error.fact}")
            continue
        if limits is not None and not refusals:
            allowed = max(limits.slowest, NEARLY * _estimate(found))
        elif limits is not None:
            seconds = time.monotonic() - start
            _check_limits(found, limits, allowed, seconds, refusals[-1])
        try:
            built = build(found.schedule)
            refusal = None
            if builds_structures:
                refusal = _refused_structure(found, build, built_structures)
            if refusal is None:
                return PlannedBuild(found, built, tuple(refusals))
            cover, error = refusal
            others = _other_sketches(found, cover, error)
            without |= others
            if not others:
                unstructured.add(cover.changes)
            refusals.append(f"structure {cover.label} was refused: {error.fact}")
        except UserError as error:
            written = [kernel for kernel in found.kernels if kernel.candidates]
            if not fall_back:
                raise
            if found.structure_source:
                unusable.add(structure_of(found))
                refusals.append(f"the recorded structure was refused: {error.fact}")
                continue
            if not written:
                if found.is_empty or not _may_be_plain(limits):
                    error.notes.extend(_library_notes(found, error))
                    raise
                without = {NO_GROUPS}
                refusals.append(f"the schedule was refused: {error.fact}")
                continue
            about = _kernels_of(found, error, found.kernels)
            if len(about) == 1:
                (refused,) = about
                label = refused.candidates[0].sketch.label
                is_last = len(refused.candidates) + len(refused.slower) == 1
                if refused.candidates[0].source:
                    # Another version of the compiler has measured it.
                    unusable.add(signature_of(refused.group, target.name))
                    label = f"{label}, {refused.candidates[0].source}"
                elif refused.group.stream is not None and is_last:
                    # The chain is planned in parts; the kernels have other numbers.
                    without = {pair for pair in without if pair[1] == STREAM}
                    without |= {
                        (group.stream.matmul.number, STREAM)
                        for group in refused.groups
                        if group.stream is not None
                    }
                else:
                    without.add((refused.number, label))
                refusals.append(
                    f"kernel {refused.number} ({label}) was refused: {error.fact}"
                )
            elif about:
                # They compute one op each for themselves, or a part of it.
                without |= {(k.number, k.candidates[0].sketch.label) for k in about}
                numbers = ", ".join(str(kernel.number) for kernel in about)
                refusals.append(f"kernels {numbers} were refused: {error.fact}")
            elif recorded := [k for k in written if k.candidates[0].source]:
                unusable |= {signature_of(k.group, target.name) for k in recorded}
                refusals.append(f"recorded points were refused: {error.fact}")
            else:
                # It may be a branch that is no default; else nothing planned is left.
                others = _labels(written, first=1)
                if not others and not _may_be_plain(limits):
                    raise
                without |= others or _labels(written, first=0)
                what = "a branch of the schedule" if others else "the schedule"
                refusals.append(f"{what} was refused: {error.fact}")


def _refused_structure(
    found: Plan, build: Callable[[Schedule], T], known: set[Changes]
) -> tuple[Cover, UserError] | None:
    """The first structure that cannot be built; enters those that can as known."""
    for name, region in zip(region_names(found.regions), found.regions, strict=True):
        for cover in region.covers[1:]:
            if cover.changes in known:
                continue
            try:
                build(found.schedule.with_point({name: cover.label}))
            except UserError as error:
                return cover, error
            known.add(cover.changes)
    return None


def _other_sketches(
    found: Plan, cover: Cover, error: UserError
) -> set[tuple[int, str]]:
    """What `plan` leaves out so that a cover's kernels have other sketches.

    Kernels of the plan keep theirs: they are built. Nothing if the error is about no
    other kernel.
    """
    return {
        (kernel.number, kernel.candidates[0].sketch.label)
        for kernel in _kernels_of(found, error, cover.kernels)
        if kernel not in found.kernels
        and len(kernel.candidates) + len(kernel.slower) > 1
    }


def structure_of(found: Plan) -> KernelSignature:
    """The signature that a plan's structure is recorded under."""
    return signature_of_structure(found.analysis.plannable, found.target.name)


def _may_be_plain(limits: Limits | None) -> bool:
    """Whether each op of the payload may be a kernel of its own at last."""
    return limits is None or limits.one_kernel_an_op


def _check_limits(
    found: Plan, limits: Limits, allowed: float, seconds: float, refusal: str
) -> None:
    """Give up if a plan after a refusal took too long, or its kernels would."""
    if seconds > limits.seconds:
        raise UserError(
            f"planning stopped after {seconds:.0f} s, of at most "
            f"{limits.seconds:.0f} s: {refusal}"
        )
    estimate = _estimate(found)
    if estimate > allowed:
        raise UserError(
            f"what is left of the plan is estimated at {estimate * 1e6:.0f} us, "
            f"above {allowed * 1e6:.0f} us: {refusal}"
        )


def _estimate(found: Plan) -> float:
    """The seconds of a plan; an op without a sketch has a kernel of its own."""
    launch = found.target.calibration.launch
    return sum(
        sum(
            launch + bound_of(facts, found.target).seconds
            for group in kernel.groups
            for facts in group.ops
        )
        if kernel.seconds is None
        else kernel.seconds
        for kernel in found.kernels
    )


def _labels(kernels: Sequence[PlannedKernel], first: int) -> set[tuple[int, str]]:
    """The candidates of kernels from a place on, as `plan` leaves them out."""
    return {
        (kernel.number, candidate.sketch.label)
        for kernel in kernels
        for candidate in kernel.candidates[first:]
    }


def _kernels_of(
    found: Plan, error: UserError, among: Sequence[PlannedKernel]
) -> list[PlannedKernel]:
    """The planned kernels that an error is about.

    Places of its statements, and of ops in its grids, name a kernel. Another op of the
    payload may be part of several, unless the first place that is known tells one.
    """
    places = [error.place, *(note.place for note in error.notes)]
    for place in places:
        kernel = None if place is None else found.kernel_at(place)
        if kernel is not None and kernel.candidates:
            return [kernel]
    planned = [kernel for kernel in among if kernel.candidates]
    having = [[k for k in planned if _has_op_at(k, place)] for place in places]
    first = next((kernels for kernels in having if kernels), [])
    if len(first) == 1:
        return first
    return [k for k in planned if any(k in kernels for kernels in having)]


def _library_notes(found: Plan, error: UserError) -> Iterator[Note]:
    """Why no library takes the convolution that an error is about.

    There are no kernels of windows, so only a library computes them.
    """
    places = {str(place) for place in (error.place, *(n.place for n in error.notes))}
    for facts in found.analysis.ops:
        place = place_of(facts.op)
        if facts.role == Role.WINDOW and place is not None and str(place) in places:
            reason = why_no_call(facts)
            if reason is not None:
                yield Note(f"no library computes it either: {reason}")


def _has_op_at(kernel: PlannedKernel, place: Place | None) -> bool:
    """Whether an op of a kernel was written at a place of the payload."""
    return place is not None and any(
        place_of(facts.op) == place for group in kernel.groups for facts in group.ops
    )
