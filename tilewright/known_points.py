"""The point of a schedule that nobody set: from its table, or from a results file.

    1. what the caller sets
    2. the rule of the schedule's table for these sizes
    3. the best measured point of this very payload on this card
    4. that of a near shape, or of a near card
    5. the schedule's defaults

A point of 3 and 4 is *inherited*: used without a trial, and named in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import Built, Point
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.codegen.program import Shapes
    from tilewright.codegen.targets import Target
    from tilewright.schedules.size_table import Rule
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.transfer.planned_kernels import PlannedKernels

RESULTS = Path("results.db")
"""The results file of `tune`, in the present folder."""

_PRIMES = (131, 97, 67, 37)


@dataclass(frozen=True)
class ChosenPoint:
    """A point, and where it comes from, in words; empty for the defaults."""

    point: Point
    origin: str = ""


def ruled_point(
    payload: ModuleOp, schedule: Schedule, shapes: Shapes | None = None
) -> ChosenPoint | None:
    """The point of the schedule's table; None without a table or for open sizes."""
    rule = rule_for(payload, schedule, shapes)
    return None if rule is None else chosen_by(rule)


def chosen_by(rule: Rule) -> ChosenPoint:
    """The point of a rule."""
    return ChosenPoint(rule.point, f"the schedule's table, rule '{rule.title}'")


def rule_for(
    payload: ModuleOp, schedule: Schedule, shapes: Shapes | None = None
) -> Rule | None:
    """The rule of the schedule's table; None without a table or for open sizes."""
    from tilewright.ir.interpreter.core.signature import DYNAMIC

    if schedule.table is None:
        return None
    given = argument_shapes(payload) if shapes is None else shapes
    sizes: dict[str, int] = {}
    for name, (position, dim) in size_positions(payload, schedule).items():
        if given[position][dim] == DYNAMIC:
            return None
        sizes[name] = given[position][dim]
    return schedule.table.rule_for(sizes)


def size_positions(payload: ModuleOp, schedule: Schedule) -> dict[str, tuple[int, int]]:
    """The argument and the dimension of each size of the schedule's table."""
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.interpreter.core.signature import signature_of

    assert schedule.table is not None
    arguments = signature_of(find_function(payload, None)).arguments
    names = [str(argument.name) for argument in arguments]
    found = schedule.table.positions(names)
    for name, (position, dim) in found.items():
        if dim >= len(arguments[position].shape):
            raise UserError(
                f"the schedule's table reads dimension {dim} of "
                f"{arguments[position]} as {name}, which it does not have",
                remedy="count dimensions from 0",
            )
    return found


def argument_shapes(payload: ModuleOp) -> Shapes:
    """The shapes of the arguments' types."""
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.interpreter.core.signature import signature_of

    arguments = signature_of(find_function(payload, None)).arguments
    return tuple(argument.shape for argument in arguments)


def inherited_points(
    payload: ModuleOp,
    schedule: Schedule,
    target: Target,
    results: Path,
    *,
    shapes: Shapes | None = None,
    measured: bool,
) -> list[ChosenPoint]:
    """The best known points for this payload and for near shapes, nearest first.

    `measured` says that programs run on a device, for which estimates are no guide.
    """
    if not results.exists() or not schedule.open_choices():
        return []
    from tilewright.tuning.results.records import text_hash
    from tilewright.tuning.space.read import read_space
    from tilewright.tuning.transfer.family import family_of
    from tilewright.tuning.transfer.known_points import (
        Wanted,
        inheritable,
        known_points,
    )

    family = family_of(payload, shapes)
    with open_results(results) as database:
        known = [] if database is None else known_points(database, family.key)
    if not known:
        return []
    wanted = Wanted(family, text_hash(to_text(schedule.module)), target, measured)
    try:
        space = read_space(schedule.module, payload=payload)
        found = inheritable(known, wanted, space)
    except UserError:
        return []  # a space without valid points; a run says so
    source = "" if results == RESULTS else f" ({results.name})"
    return [ChosenPoint(one.point, one.known.origin + source) for one in found[:4]]


def first_that_builds(
    choices: Iterable[ChosenPoint],
    build: Callable[[Point], Built],
    target: Target,
    runs: Sequence[Shapes],
) -> tuple[Built, ChosenPoint] | None:
    """The program of the first point that builds and fits; None if there is none.

    It fits if the target holds it and it takes the shapes of all runs.
    """
    for choice in choices:
        try:
            built = build(choice.point)
        except UserError:
            continue
        if why_unfit(built, target, runs) is None:
            return built, choice
    return None


def why_unfit(built: Built, target: Target, runs: Sequence[Shapes]) -> str | None:
    """Why a program cannot run on a card, or at some shapes; None if it can."""
    from tilewright.codegen.launches.size_checks import refused_sizes
    from tilewright.tuning.model.occupancy import prune_program

    reasons = [prune_program(built.program, None, target)]
    reasons += [refused_sizes(built.program.launch_plan, shapes) for shapes in runs]
    return next((reason for reason in reasons if reason is not None), None)


def any_shapes(payload: ModuleOp) -> Shapes:
    """Shapes of the arguments with a prime for every open size.

    A program that takes them has no requirement on the sizes, such as that rows are
    multiples of 16 bytes.
    """
    from tilewright.ir.structured.equal_extents import Extents

    shapes = [list(shape) for shape in argument_shapes(payload)]
    for place, group in enumerate(Extents(payload).groups()):
        known = [entry for entry in group if isinstance(entry, int)]
        number = known[0] if known else _PRIMES[place % len(_PRIMES)]
        for entry in group:
            if not isinstance(entry, int):
                shapes[entry[0]][entry[1]] = number
    return tuple(tuple(shape) for shape in shapes)


@contextmanager
def open_results(path: Path) -> Iterator[Database | None]:
    """A results file, or a file of winners, to read, if it exists.

    A file that nobody has named may be another program's, and is then left alone.
    """
    if not path.exists():
        yield None
        return
    from tilewright.tuning.transfer.winners import open_known

    try:
        database = open_known(path)
    except UserError:
        if path != RESULTS:
            raise
        yield None
        return
    with database:
        yield database


@contextmanager
def recorded_kernels(path: Path | None) -> Iterator[PlannedKernels | None]:
    """The recorded kernels of a results file, if it exists: defaults of a plan."""
    if path is None:
        yield None
        return
    with open_results(path) as database:
        if database is None:
            yield None
            return
        from tilewright.tuning.transfer.planned_kernels import PlannedKernels

        yield PlannedKernels(database, "" if path == RESULTS else path.name)


def existing_results(path: Path | None) -> Path | None:
    """The file that is read; one that somebody named must exist."""
    if path is not None and path != RESULTS and not path.exists():
        raise UserError(
            f"{path}: no such results file",
            remedy="name a results file of 'tilewright tune', or a file of winners",
        )
    return path


def no_known_point(schedule: Schedule, results: Path | None) -> str:
    """A line that a file which somebody named has no point here; empty otherwise."""
    if results is None or results == RESULTS or not schedule.open_choices():
        return ""
    return f"the defaults: {results} has no point for this payload and card"


def inherited_line(choice: ChosenPoint) -> str:
    """`point of gemm.mlir 4096x4096x512 on NVIDIA H200, tuned 2026-11-16: BM = 128`."""
    pairs = ", ".join(f"{name} = {value}" for name, value in choice.point.items())
    return f"point of {choice.origin}: {pairs}"
