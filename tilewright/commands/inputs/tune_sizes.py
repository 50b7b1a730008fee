"""The sizes that a program for any size is tuned at, and those it is checked at too."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.analysis.equal_extents import Extent, Extents
from tilewright.codegen.program import Shapes
from tilewright.codegen.runtime.size_checks import refused_sizes
from tilewright.commands.inputs.sizes import (
    Names,
    given_shapes,
    is_open,
    size_names,
    title_of,
)
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.interpreter.registry import find_function
from tilewright.ir.interpreter.signature import signature_of
from tilewright.numeric_check import Question, ask
from tilewright.pipeline import Built, build
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.options import ExpectedResults
from tilewright.tuning.space.space import Space

_ODD = (131, 97, 67, 37, 29, 23, 19, 17)
"""Of no use to any tile, prime and different: an extent taken for another shows."""
_SIXTEENTHS = tuple(16 * number for number in (9, 7, 5, 3, 11, 13, 1, 2))
"""No multiples of large tiles, but of what descriptors ask of a row."""
_NAMED_AT_MOST = 20
"""Points that are tried for one that builds, to learn what sizes are called."""


@dataclass(frozen=True)
class Sized:
    """A question at some sizes."""

    question: Question
    title: str = ""
    timed: bool = True

    @property
    def shapes(self) -> Shapes | None:
        """Of the arguments, where the payload leaves sizes open."""
        return self.question.shapes

    def expected_results(self) -> ExpectedResults:
        """What the tuner is told."""
        question = self.question
        return ExpectedResults(
            question.expected,
            question.seed,
            question.reduction,
            shapes=question.shapes,
            timed=self.timed,
            title=self.title,
        )

    def fits(self, built: Built) -> bool:
        """Whether a program takes these sizes."""
        return self.shapes is None or refused_sizes(built.kernel, self.shapes) is None


def questions(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    sizes: Sequence[str],
    seed: int,
) -> list[Sized]:
    """What programs are checked and timed on: the sizes given, then two more to check.

    The given sizes are often what tiles divide. One odd size and one that is a multiple
    of 16 show what a kernel does at its edges.
    """
    arguments = signature_of(find_function(payload, None)).arguments
    if not is_open(arguments) and not sizes:
        return [Sized(ask(payload, seed))]
    names: list[Names] = []

    def learn() -> Names:
        if not names:
            names.append(_names(payload, schedule, space))
        return names[0]

    runs = given_shapes(payload, arguments, sizes, learn)
    if not is_open(arguments):
        return [Sized(ask(payload, seed))]
    timed = [Sized(ask(payload, seed, run), title_of(learn(), run)) for run in runs]
    for one in timed:
        if not all(array.size for array in one.question.expected):
            raise UsageError(
                f"--size: at {one.title} there is nothing to compute",
                remedy="tune at sizes that take time",
            )
    extents = Extents(payload)
    return timed + [
        Sized(ask(payload, seed, shapes), title_of(learn(), shapes), timed=False)
        for shapes in (
            _with(runs[0], extents.groups(), numbers) for numbers in (_ODD, _SIXTEENTHS)
        )
    ]


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


def _names(payload: ModuleOp, schedule: Schedule, space: Space) -> Names:
    """What programs of this schedule call their sizes: the first that builds says."""
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
