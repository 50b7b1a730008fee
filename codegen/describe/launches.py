"""The launches and library calls of a program in order, with what each computes.

The ops of a payload have places, which every transformation keeps: they lead from a
launch back to the payload's ops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.kernel.modules import launcher_of
from tilewright.codegen.program import CallInfo, GeneratedProgram, KernelInfo
from tilewright.ir.dialects.kernel import LaunchOp, LibraryOp
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of


@dataclass(frozen=True)
class Launched:
    """One launch of a kernel, or one library call."""

    position: int
    """Its place among the launches and calls."""
    op: LaunchOp | LibraryOp
    info: KernelInfo | CallInfo
    computes: tuple[Place, ...]
    """The places of the kernel's lines, in the payload or the schedule; of a call,
    those of the ops that it computes."""
    place: Place | None
    """The place of the grid: the statement of the schedule that made it."""

    @property
    def name(self) -> str:
        """The kernel, or the function of the library."""
        info = self.info
        return info.name if isinstance(info, KernelInfo) else info.function


def launches(module: ModuleOp, program: GeneratedProgram) -> Iterator[Launched]:
    """The launches of a program; `module` is its IR at the kernel level."""
    kernels, calls = iter(program.kernels), iter(program.calls)
    places: dict[str, list[Place]] = {}
    for name, _, place in program.places:
        places.setdefault(name, []).append(place)
    ops = (op for op in launcher_of(module).body.block.ops)
    found = (op for op in ops if isinstance(op, LaunchOp | LibraryOp))
    for position, op in enumerate(found):
        if isinstance(op, LaunchOp):
            info = next(kernels)
            computes = tuple(places.get(info.name, ()))
        else:
            info = next(calls)
            inner = (place_of(one) for one in op.called)
            computes = tuple(place for place in inner if place is not None)
        yield Launched(position, op, info, computes, place_of(op))
