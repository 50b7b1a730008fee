"""A compiled payload: a callable on torch tensors, with its source and its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.pipeline import Built, Point, defaults_line
from tilewright.schedules.schedule import Schedule
from tilewright.snapshots import Snapshot

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.runtime.graphs import CapturedProgram
    from tilewright.codegen.runtime.launch import LoadedProgram
    from tilewright.interpreted_program import InterpretedProgram
    from tilewright.planning.plan import Plan
    from tilewright.tuning.model.cost import ProgramCost


@dataclass(frozen=True)
class Program:
    """A compiled payload: a callable on tensors, with its source and its steps."""

    built: Built
    steps: Sequence[Snapshot]
    """The payload before the schedule, then after each step."""
    point: Point
    target: str
    schedule: Schedule | None = None
    """The schedule with its choices open, given or planned."""
    plan: Plan | None = None
    """Where no schedule was given: how the schedule was planned."""
    refusals: tuple[str, ...] = ()
    """What was planned first and refused, a line each."""
    origin: str = ""
    """Where the point comes from, if the caller did not set it."""

    def __repr__(self) -> str:
        """A short text; `source` and `steps` have the rest."""
        return f"<tilewright.Program {self.built.program.entry} for {self.target}>"

    def _repr_html_(self) -> str:
        """The explorer's page of the program, for notebooks."""
        # The explorer is above this module: by its name, as the package finds it.
        view = import_module("tilewright.explorer.notebook.view").view
        return view(self)._repr_html_()

    def __call__(self, *tensors: torch.Tensor | float) -> Any:
        """Check the arguments, torch tensors and numbers, and launch.

        Without a GPU, tensors are on the CPU and the kernels run in an interpreter.
        """
        return self._runner(*tensors)

    def graph(self, *tensors: torch.Tensor | float) -> CapturedProgram:
        """Capture a call on these tensors as a CUDA graph; call that to replay.

        The whole program is then one launch, which may pay where kernels are short.
        """
        import torch

        if not torch.cuda.is_available():
            raise UserError(
                f"{self.built.program.entry}: a CUDA graph needs a GPU",
                remedy="call the program itself: it runs in an interpreter here",
            )
        return self.loaded.graph(*tensors)

    @cached_property
    def loaded(self) -> LoadedProgram:
        """The imported source, with its launcher."""
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        return load(self.built.program, source_directory())

    @cached_property
    def interpreted(self) -> InterpretedProgram:
        """The kernels in an interpreter, for tensors on the CPU."""
        from tilewright.interpreted_program import InterpretedProgram

        return InterpretedProgram(self.built)

    @cached_property
    def _runner(self) -> LoadedProgram | InterpretedProgram:
        """The callable for this machine: with or without a GPU."""
        import torch

        return self.loaded if torch.cuda.is_available() else self.interpreted

    def estimate(self, target: str | None = None) -> ProgramCost:
        """The cost model's estimate on a GPU, by default the one compiled for.

        Compiles the kernels, for which no GPU is needed. `.milliseconds` is the time,
        `.explain()` has a line for each kernel. Sizes must be known.
        """
        from tilewright.codegen.program import DYNAMIC
        from tilewright.codegen.runtime.compile import compile_program
        from tilewright.codegen.runtime.source_cache import source_directory
        from tilewright.codegen.targets import detect, target_named
        from tilewright.tuning.model.cost import estimate

        program = self.built.program
        if any(DYNAMIC in spec.shape for spec in program.arguments):
            raise UserError(
                f"{program.entry}: sizes known only when it runs have no estimate",
                remedy="give the payload static shapes, or use "
                "'tilewright run --size NAME=N'",
            )
        wanted = target or self.target.split(" ")[0]
        here = detect()
        card = here if here and here.name == wanted else target_named(wanted)
        stats = compile_program(program, card, source_directory())
        return estimate(program, stats, card)

    @property
    def source(self) -> str:
        """The Triton source, a stand-alone file that needs only torch and triton."""
        return self.built.program.text

    @property
    def report(self) -> str:
        """Kernels, point, steps, what the default added, and times, as text."""
        lines = [f"{self.built.program.entry} for {self.target}"]
        for kernel in self.built.program.kernels:
            grid = "x".join(str(extent) for extent in kernel.grid)
            lines.append(
                f"  kernel {kernel.name}: grid {grid}, {kernel.num_warps} warps, "
                f"{kernel.num_stages} stages, group {kernel.group}"
            )
        for call in self.built.program.calls:
            lines.append(f"  library call {call.function}")
        if self.plan is not None:
            lines.append("  schedule: planned; print(program.plan.text) shows it")
        lines += [f"  plan: {line}" for line in self.refusals]
        if self.point:
            pairs = ", ".join(f"{name}={value}" for name, value in self.point.items())
            lines.append(f"  point: {pairs}")
        if self.origin:
            lines.append(f"  point of {self.origin}")
        if self.built.defaults:
            lines.append(f"  {defaults_line(self.built.defaults)}")
        lines.append(f"  steps: {len(self.steps) - 1}")
        lines += [f"  default: {line}" for line in self.built.added]
        total = ", ".join(f"{k} {v:.3f} s" for k, v in self.built.seconds.items())
        lines.append(f"  time: {total}")
        return "\n".join(lines)
