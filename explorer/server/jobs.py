"""The jobs of the live page: a worker process runs them, never the server itself.

Results are plain data, ready for JSON. A mistake of the user is a diagnostic in the
result, not an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import tilewright.codegen.generate
import tilewright.explorer.program.program_data
import tilewright.planning.plain
from tilewright.codegen.targets import Target, target_named
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.explorer.server.diagnostics import Reading, read
from tilewright.explorer.server.texts import Texts
from tilewright.ir.errors import CompilerBug, Place, UserError
from tilewright.pipeline import Built, Point, build
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.model.cost import ProgramCost, estimate
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.space.read import read_space
from tilewright.tuning.workers.processes import limit_memory

# A fork server loads this module, so that its workers have these too.
_ = tilewright.codegen.generate, tilewright.planning.plain

MEMORY = 4 << 30
"""Bytes that a job may allocate."""
COMPILER_MEMORY = 16 << 30
"""Bytes of a job that compiles; torch and LLVM reserve much more than they use."""

_limited = False


def _begin(memory: int) -> None:
    """Limit the memory of this worker once."""
    global _limited
    if not _limited:
        limit_memory(memory)
        _limited = True


def empty_point() -> Point:
    """A point without choices."""
    return {}


@dataclass(frozen=True)
class CheckJob:
    """Find mistakes without running the schedule."""

    texts: Texts

    def run(self) -> dict[str, Any]:
        """The diagnostics."""
        _begin(MEMORY)
        return {"diagnostics": read(self.texts).found}


@dataclass(frozen=True)
class LookJob:
    """Run the schedule, and keep what the page shows of every step."""

    texts: Texts
    point: Point = field(default_factory=empty_point)
    target: str = "h200"

    def run(self) -> dict[str, Any]:
        """The data of the program page, the point it was run at, and diagnostics."""
        _begin(MEMORY)
        reading = read(self.texts)
        if reading.payload is None or reading.has_errors:
            return {"program": None, "point": None, "diagnostics": reading.found}
        try:
            point = completed(reading.schedule, self.point)
            data = program_data(_request(reading, point, target_named(self.target)))
        except UserError as error:
            reading.add("error", error)
            return {"program": None, "point": None, "diagnostics": reading.found}
        except CompilerBug as bug:
            reading.add("error", _bug(bug))
            return {"program": None, "point": None, "diagnostics": reading.found}
        _add_outcome(reading, data)
        return {"program": data, "point": point, "diagnostics": reading.found}


@dataclass(frozen=True)
class EstimateJob:
    """Estimate the time of the program at a point, compiled or not."""

    texts: Texts
    point: Point
    target: str
    compiled: bool
    """Whether Triton compiles it first, so that registers and shared memory are
    known."""

    def run(self) -> dict[str, Any]:
        """The estimate of each kernel, and the sum."""
        _begin(COMPILER_MEMORY if self.compiled else MEMORY)
        reading = read(self.texts)
        if reading.payload is None or reading.has_errors:
            return {"refused": "the program has errors"}
        target = target_named(self.target)
        try:
            point = completed(reading.schedule, self.point)
            built = build(reading.payload, reading.schedule, point, verify_steps=False)
            return self._estimate(built, target)
        except (UserError, CompilerBug) as error:
            return {
                "refused": error.fact if isinstance(error, UserError) else str(error)
            }

    def _estimate(self, built: Built, target: Target) -> dict[str, Any]:
        stats = None
        if self.compiled and built.program.kernels:
            from tilewright.codegen.runtime.compile import compile_program
            from tilewright.codegen.runtime.source_cache import source_directory

            stats = compile_program(built.program, target, source_directory())
        cost = estimate(built.program, stats, target)
        resources = {row.kernel: row for row in stats or ()}
        return {
            "target": target.name,
            "compiled": self.compiled,
            "seconds": cost.milliseconds / 1e3,
            "misfit": prune_program(built.program, stats, target),
            "kernels": _kernels(cost, resources),
        }


@dataclass(frozen=True)
class PlanJob:
    """Plan a schedule for the payload."""

    texts: Texts
    target: str = "h200"

    def run(self) -> dict[str, Any]:
        """The text of the schedule, or diagnostics."""
        from tilewright.planned_build import build_planned
        from tilewright.planned_estimate import with_estimate

        _begin(MEMORY)
        reading = read(Texts(self.texts.payload, "", self.texts.payload_name))
        payload = reading.payload
        if payload is None or reading.schedule is not None:
            # It does not parse, or its text has a schedule already.
            return {"schedule": None, "diagnostics": reading.found}
        try:
            done = with_estimate(
                build_planned(
                    payload,
                    target_named(self.target),
                    lambda schedule: build(payload, schedule, verify_steps=False),
                )
            )
        except UserError as error:
            reading.add("error", error)
            return {"schedule": None, "diagnostics": reading.found}
        return {"schedule": done.plan.text, "diagnostics": []}


def completed(schedule: Schedule | None, point: Point) -> Point:
    """A point with a value for each open choice.

    Values of choices that the schedule no longer has are left out: a page keeps what
    was chosen while the text is edited. Choices without a default get a valid point's.
    """
    if schedule is None:
        return {}
    space = read_space(schedule.module, schedule.entry)
    known = {
        name: value
        for name, value in point.items()
        if name in space.choices and value in space.choices[name].options
    }
    found = space.completed(known)
    if space.why_not(found) is None:
        return found
    # The defaults contradict what was chosen, or are no defaults at all.
    for valid in space.points(known):
        return valid
    return found


def _request(reading: Reading, point: Point, target: Target) -> ProgramRequest:
    texts = reading.texts
    assert reading.payload is not None
    return ProgramRequest(
        reading.payload,
        TextFile(texts.payload_name, texts.payload),
        reading.schedule,
        TextFile(texts.schedule_name, texts.schedule) if texts.has_schedule else None,
        point,
        target=target,
        # `EstimateJob` does, after the steps are shown.
        runs_compiler=False,
    )


def _add_outcome(reading: Reading, data: Mapping[str, Any]) -> None:
    """Add the failure, the warnings and the remarks of the run."""
    failure = data["failure"]
    if failure is not None:
        reading.add("error", _error(reading, data, failure))
    for warning in data["warnings"]:
        reading.add("warning", _error(reading, data, warning))
    for remark in data["remarks"]:
        reading.add("info", _error(reading, data, remark))


def _error(
    reading: Reading, data: Mapping[str, Any], said: Mapping[str, Any]
) -> UserError:
    place = None
    if said["place"] is not None:
        number, line, column = said["place"]
        texts = reading.texts
        names = {data["payload"]: texts.payload_name}
        if texts.has_schedule:
            names[data["schedule"]] = texts.schedule_name
        place = Place(names.get(number, ""), line, column)
    return UserError(said["fact"], place, said.get("remedy"))


def _bug(bug: CompilerBug) -> UserError:
    return UserError(
        f"a bug in tilewright: {bug}", remedy="please report it with both texts"
    )


def _kernels(cost: ProgramCost, resources: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The launches and the library calls, as far as the model tells them apart."""
    found: list[dict[str, Any]] = []
    for part in cost.kernels:
        row = resources.get(part.kernel)
        found.append(
            {
                "name": part.kernel,
                "seconds": part.seconds,
                "bound": part.limit,
                "waves": round(part.waves, 2),
                "resident": part.resident,
                "registers": None if row is None else row.registers,
                "spills": None if row is None else row.spill_bytes,
                "shared": None if row is None else row.shared_bytes,
                "warps": None if row is None else row.num_warps,
                "wgmma": None if row is None else row.wgmma,
                "tma": None if row is None else row.tma_loads,
            }
        )
    found += [
        {"name": call.function, "seconds": call.seconds, "bound": call.limit}
        for call in cost.calls
    ]
    return found
