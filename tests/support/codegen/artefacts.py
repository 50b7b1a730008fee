"""Artefacts of small programs, written with machine code of zeros: nothing compiles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tilewright.codegen.artefact.binaries import Binary
from tilewright.codegen.artefact.folder import Member, write_artefact
from tilewright.codegen.artefact.loader import Artefact, load
from tilewright.codegen.artefact.plan_metadata import PlanMetadata, number_type
from tilewright.codegen.emit.constants import constants_of
from tilewright.codegen.targets import target_named
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

ROWS = """
func.func @twice(%x: tensor<?x32xf32>, %y: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %0 = linalg.add ins(%x, %y : tensor<?x32xf32>, tensor<?x32xf32>)
                  outs(%x : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
"""


def built(payload: str = ROWS, schedule: str | None = None) -> Built:
    """A program under a schedule, or under the default."""
    loaded = None if schedule is None else Schedule.from_text(schedule)
    return build(parse_payload(payload), loaded)


def plan_of(program: Built) -> PlanMetadata:
    """The launch plan of a program, as metadata."""
    plan = program.program.launch_plan
    assert plan is not None
    return PlanMetadata(plan, program.program.arguments)


def member(program: Built, rule: str = "", *conditions: tuple[str, str, int]) -> Member:
    """A program with binaries that hold no code."""
    binaries: list[list[Binary]] = []
    for launch in plan_of(program).plan.launches:
        numbers = [number_type(number) for number in launch.numbers]
        packed = ["pointer"] * len(launch.buffers) + numbers + ["pointer"] * 2
        sizes = [n for n, number in enumerate(launch.numbers) if number.is_size]
        binaries.append(
            [
                Binary(
                    launch.kernel,
                    f"no code, {divisible}".encode(),
                    "sm_90a",
                    divisible,
                    warps=4,
                    stages=1,
                    shared_bytes=0,
                    registers=16,
                    spill_bytes=0,
                    packed=tuple(packed),
                    descriptors=(),
                )
                for divisible in dict.fromkeys([tuple(sizes), ()])
            ]
        )
    constants = constants_of(program.kernel)
    return Member(
        program.program,
        constants,
        binaries,
        "// a schedule\n",
        rule=rule,
        conditions=conditions,
    )


def artefact(
    folder: Path, *members: Member, table: Mapping[str, tuple[int, int]] | None = None
) -> Artefact:
    """Write an artefact for an H200, and load it."""
    write_artefact(folder, members, target_named("h200"), table)
    return load(folder)
