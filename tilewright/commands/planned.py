"""A planned schedule for a command that was given none, and the line that says so."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target, detect, target_named
from tilewright.commands.inputs.programs import wanted_target
from tilewright.ir.phrases import count
from tilewright.known_points import RESULTS, recorded_kernels
from tilewright.pipeline import Built, Point, build
from tilewright.planned_build import PlannedBuild, build_planned
from tilewright.planned_estimate import with_estimate
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.commands.inputs.sizes import Names
    from tilewright.planning.plan import Plan


@dataclass(frozen=True)
class Request:
    """What a schedule is planned for."""

    payload: ModuleOp
    file: Path
    target_name: str | None = None
    """What --target says."""
    sizes: tuple[str, ...] = ()
    """What --size says."""
    point: Point | None = None
    """What --set says; without it, a kernel that is refused goes to the default."""
    database: Path | None = RESULTS
    """A results file, whose recorded points become defaults; it need not exist. None:
    no recorded points."""
    margin: float | None = None
    """What --structure and --margin say: how near the structures are that stay open;
    None: the planner decides."""

    @property
    def target(self) -> Target:
        """The GPU to plan for: the one named, this machine's, or else an H200."""
        if self.target_name is not None:
            return wanted_target(self.target_name)
        return detect() or target_named("h200")

    @property
    def command(self) -> str:
        """The command that prints the schedule."""
        words = ["tilewright", "plan", str(self.file)]
        if self.target_name is not None:
            words += ["--target", self.target_name]
        for size in self.sizes:
            words += ["--size", size]
        if self.database is not None and self.database != RESULTS:
            words += ["--db", str(self.database)]
        if self.margin is not None:
            words += ["--structure", "--margin", f"{self.margin:g}"]
        return shlex.join(words)

    def shapes(self) -> list[Shapes]:
        """The shapes of the arguments at the sizes of --size, one for each run."""
        return self._shapes

    @cached_property
    def _shapes(self) -> list[Shapes]:
        if not self.sizes:
            return []
        from tilewright.commands.inputs.sizes import given_shapes
        from tilewright.ir.interpreter.core.registry import find_function
        from tilewright.ir.interpreter.core.signature import signature_of

        arguments = signature_of(find_function(self.payload, None)).arguments
        return given_shapes(self.payload, arguments, self.sizes, self._names)

    def largest(self) -> Shapes | None:
        """The shapes at the largest of the sizes of --size."""
        return max(self.shapes(), key=_elements, default=None)

    def _names(self) -> Names:
        """The names of the sizes in the program that is planned without them."""
        from tilewright.commands.inputs.sizes import size_names

        unsized = replace(self, sizes=(), point=None, margin=None)
        return size_names(planned(unsized, unsized.build).built.program)

    def build(self, schedule: Schedule) -> Built:
        """Build the payload under a schedule at the point of --set.

        The program's work is that at the largest of the sizes.
        """
        largest = self.largest()
        shapes = [] if largest is None else [largest]
        return build(
            self.payload, schedule, self.point, verify_steps=False, shapes=shapes
        )


def planned(
    request: Request, build: Callable[[Schedule], Built]
) -> PlannedBuild[Built]:
    """Plan for the largest of the sizes that --size gives, build, and estimate."""
    with recorded_kernels(request.database) as history:
        done = build_planned(
            request.payload,
            request.target,
            build,
            shapes=request.largest(),
            history=history,
            fall_back=not request.point,
            margin=request.margin,
        )
    return with_estimate(done)


def _elements(shapes: Shapes) -> int:
    """The elements of all arguments together."""
    return sum(math.prod(shape) for shape in shapes)


def planned_schedule(request: Request, say: Callable[[str], object]) -> Schedule:
    """A planned schedule that builds at its defaults; says that it was planned."""
    return told_plan(request, say).schedule


def told_plan(request: Request, say: Callable[[str], object]) -> Plan:
    """A plan whose schedule builds at its defaults; says that it was planned."""
    done = planned(request, request.build)
    for line in planned_lines(request, done):
        say(line)
    return done.plan


def planned_lines(request: Request, done: PlannedBuild[Built]) -> list[str]:
    """A line that the schedule was planned, and one for each refusal."""
    written = done.plan.kernel_count
    kernels = count(written, "kernel") if written else "all left to the default"
    head = f"schedule: planned for {done.plan.target.name}, {kernels}; to see it: "
    recorded = [f"point of {line}" for line in done.plan.recorded]
    refused = [f"plan: {line}" for line in done.refusals]
    return [head + request.command, *recorded, *refused]
