"""Check cases for tuning a program for any size: the given sizes, and odd ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.codegen.program import Shapes
from tilewright.commands.inputs.device_reference import (
    device_reference,
    open_reference,
)
from tilewright.commands.inputs.interpreter_check import reduced
from tilewright.commands.inputs.sizes import (
    Names,
    given_shapes,
    is_open,
    size_names,
    title_of,
)
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.structured.equal_extents import Extent, Extents
from tilewright.numeric_check import CheckCase, make_case
from tilewright.payload_work import reduction_length
from tilewright.pipeline import Built, build
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.device_reference import DeviceReference
from tilewright.tuning.options import ExpectedResults
from tilewright.tuning.space.space import Space

_ODD = (131, 97, 67, 37, 29, 23, 19, 17)
"""Different primes, which no tile divides: swapped extents give wrong results."""
_SIXTEENTHS = tuple(16 * number for number in (9, 7, 5, 3, 11, 13, 1, 2))
"""Multiples of 16, which tensor descriptors need of a row, but not of large tiles."""
CHECK_ALL_BELOW = 2e9
"""Floating-point operations up to which an interpreter checks every candidate; for
larger payloads it checks only the winner."""
_NAMED_AT_MOST = 20
"""Most points that are built to learn the names of the sizes."""


@dataclass(frozen=True)
class SizedCase:
    """A check case at some sizes."""

    payload: ModuleOp
    seed: int
    shapes: Shapes | None = None
    """The shapes of the arguments, where the payload leaves sizes open."""
    title: str = ""
    timed: bool = True
    on_device: DeviceReference | None = None
    """How a device computes the expected results; numpy does where it is None."""
    slack: float = 0.0
    """Error that deep payloads add to the tolerance, relative to the results."""
    small: ModuleOp | None = None
    """The payload at the sizes that an interpreter checks, if its own take too long."""

    @cached_property
    def case(self) -> CheckCase:
        """The inputs and the expected results, by the numpy interpreter."""
        made = make_case(self.small or self.payload, self.seed, self.shapes)
        return replace(made, slack=self.slack, device_slack=self.slack)

    def with_slack(self, slack: float) -> SizedCase:
        """The case with another tolerance; it is not computed again."""
        found = replace(self, slack=slack)
        vars(found)["case"] = replace(self.case, slack=slack, device_slack=slack)
        return found

    @property
    def is_quick(self) -> bool:
        """Whether an interpreter checks every candidate, not only the winner."""
        return self.small is None and self.case.work <= CHECK_ALL_BELOW

    def expected_results(self) -> ExpectedResults:
        """The expected results for the tuner; none where it measures nothing."""
        if self.on_device is None and self.small is None:
            return self.on_numpy()
        return ExpectedResults(
            (),
            self.seed,
            reduction_length(self.payload, self.shapes),
            shapes=self.shapes,
            timed=self.timed,
            title=self.title,
            slack=self.slack,
            on_device=self.on_device,
        )

    def on_numpy(self) -> ExpectedResults:
        """The expected results by the numpy interpreter."""
        case = self.case
        return ExpectedResults(
            case.expected,
            case.seed,
            case.reduction,
            shapes=case.shapes,
            timed=self.timed,
            title=self.title,
            slack=self.slack,
        )

    def fits(self, built: Built) -> bool:
        """Whether a program takes these sizes."""
        return (
            self.shapes is None
            or refused_sizes(built.program.launch_plan, self.shapes) is None
        )


def tune_cases(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    sizes: Sequence[str],
    seed: int,
    *,
    on_gpu: bool = False,
) -> list[SizedCase]:
    """The cases at the given sizes, and at two more sizes that are only checked.

    With a GPU, the device computes the expected results of a large payload. Tiles often
    divide the given sizes; an odd size and a multiple of 16 test the edges of a kernel.
    """
    arguments = signature_of(find_function(payload, None)).arguments
    if not is_open(arguments) and not sizes:
        return [_static(payload, seed, on_gpu)]
    names: list[Names] = []

    def learn() -> Names:
        if not names:
            names.append(names_of_sizes(payload, schedule, space))
        return names[0]

    runs = given_shapes(payload, arguments, sizes, learn)
    if not is_open(arguments):
        return [_static(payload, seed, on_gpu)]
    extents = Extents(payload)
    checked = [
        SizedCase(payload, seed, shapes, title_of(learn(), shapes), timed=False)
        for shapes in (
            _with(runs[0], extents.groups(), numbers) for numbers in (_ODD, _SIXTEENTHS)
        )
    ]
    timed = [SizedCase(payload, seed, run, title_of(learn(), run)) for run in runs]
    if on_gpu:
        timed = [_on_device(one, checked[0]) for one in timed]
    for one in timed:
        # A device is asked for large results only.
        if one.on_device is None and not all(a.size for a in one.case.expected):
            raise UsageError(
                f"--size: at {one.title} there is nothing to compute",
                remedy="tune at sizes that take time",
            )
    return timed + checked


def _on_device(one: SizedCase, small: SizedCase) -> SizedCase:
    """The case at open sizes, computed by the device where it is large."""
    assert one.shapes is not None
    found = open_reference(one.payload, one.shapes, one.seed, small.case)
    return one if found is None else replace(one, on_device=found)


def _static(payload: ModuleOp, seed: int, on_gpu: bool) -> SizedCase:
    """The case of a payload without open sizes."""
    if on_gpu and (given := device_reference(payload, seed)) is not None:
        return SizedCase(payload, seed, on_device=given)
    made = SizedCase(payload, seed, small=None if on_gpu else reduced(payload, "auto"))
    _ = made.case  # computed now, where its errors belong
    return made


def _with(
    shapes: Shapes, groups: Sequence[Sequence[Extent | int]], numbers: Sequence[int]
) -> Shapes:
    """Shapes with another number for every open size."""
    changed = [list(shape) for shape in shapes]
    free = [group for group in groups if not any(isinstance(e, int) for e in group)]
    for place, group in enumerate(free):
        for entry in group:
            assert not isinstance(entry, int)
            changed[entry[0]][entry[1]] = numbers[place % len(numbers)]
    return tuple(tuple(shape) for shape in changed)


def names_of_sizes(payload: ModuleOp, schedule: Schedule, space: Space) -> Names:
    """The names of the sizes in the programs of this schedule; builds one of them."""
    refusal: UserError | None = None
    drawn = random.Random(0)
    for _ in range(_NAMED_AT_MOST):
        point = space.sample(drawn)
        try:
            return size_names(build(payload, schedule, point).program)
        except SilenceableFailure as error:
            refusal = error
    assert refusal is not None
    raise refusal
