"""The launches and library calls of a program in order, with what each computes.

The ops of a payload have places, which every transformation keeps: they lead from a
launch back to the payload's ops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.codegen.launches.plan import CallLibrary, Launch
from tilewright.codegen.program import CallInfo, GeneratedProgram, KernelInfo
from tilewright.ir.errors import Place


@dataclass(frozen=True)
class Launched:
    """One launch of a kernel, or one library call."""

    position: int
    """Its place among the launches and calls."""
    info: KernelInfo | CallInfo
    computes: tuple[Place, ...]
    """The places of the kernel's lines, in the payload or the schedule; of a call,
    those of the ops that it computes."""
    place: Place | None
    """The place of the grid: the statement of the schedule that made it."""

    @property
    def is_call(self) -> bool:
        """Whether a library computes it."""
        return isinstance(self.info, CallInfo)

    @property
    def name(self) -> str:
        """The kernel, or the function of the library."""
        info = self.info
        return info.name if isinstance(info, KernelInfo) else info.function


def launches(program: GeneratedProgram) -> Iterator[Launched]:
    """The launches of a generated program."""
    assert program.launch_plan is not None
    kernels, calls = iter(program.kernels), iter(program.calls)
    places: dict[str, list[Place]] = {}
    for name, _, place in program.places:
        places.setdefault(name, []).append(place)
    steps = program.launch_plan.steps
    found = (step for step in steps if isinstance(step, Launch | CallLibrary))
    for position, step in enumerate(found):
        if isinstance(step, Launch):
            info, computes = next(kernels), tuple(places.get(step.kernel, ()))
        else:
            info, computes = next(calls), step.computes
        yield Launched(position, info, computes, step.place)
