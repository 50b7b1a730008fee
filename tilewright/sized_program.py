"""A program with a kernel for each rule of a decision table, chosen at every call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.compiled_program import Program
from tilewright.schedules.size_table import Rule, SizeTable

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.runtime.graphs import CapturedProgram


@dataclass(frozen=True, repr=False)
class SizedProgram(Program):
    """Reads the sizes off the tensors of a call, and runs the program of their rule.

    A rule is compiled when a call first needs it. `built`, `source` and `steps` are
    those of the last rule (`else`); `for_sizes(M=64)` is the program of another.
    """

    table: SizeTable = field(kw_only=True)
    positions: Mapping[str, tuple[int, int]] = field(kw_only=True)
    """The argument and the dimension of each size."""
    compile_rule: Callable[[Rule], Program] = field(kw_only=True)
    compiled: dict[str, Program] = field(default_factory=dict, kw_only=True)
    """The programs that calls have needed so far, by rule."""

    def __call__(self, *tensors: torch.Tensor | float) -> Any:
        """Check the arguments and launch the program of their sizes."""
        return self.at(*tensors)(*tensors)

    def graph(self, *tensors: torch.Tensor | float) -> CapturedProgram:
        """Capture a call on these tensors as a CUDA graph."""
        return self.at(*tensors).graph(*tensors)

    def at(self, *tensors: torch.Tensor | float) -> Program:
        """The program for the sizes of these tensors."""
        sizes: dict[str, int] = {}
        for name, (position, dim) in self.positions.items():
            shape = (
                getattr(tensors[position], "shape", ())
                if (position < len(tensors))
                else ()
            )
            if dim >= len(shape):
                # Its check of the arguments says what is wrong with them.
                return self._program(self.table.rules[-1])
            sizes[name] = shape[dim]
        return self._program(self.table.rule_for(sizes))

    def for_sizes(self, **sizes: int) -> Program:
        """The program for these sizes, by their names in the table."""
        return self._program(self.table.rule_for(sizes))

    def members(self) -> list[tuple[Rule, Program]]:
        """Every rule with its program; compiles those that no call has needed."""
        return [(rule, self._program(rule)) for rule in self.table.rules]

    @property
    def report(self) -> str:
        """The rules, and the reports of those compiled so far."""
        head = ", ".join(map(str, self.table.sizes))
        lines = [f"{self.built.program.entry} for {self.target}, by {head}"]
        for rule in self.table.rules:
            done = "" if rule.title in self.compiled else " (not compiled yet)"
            pairs = ", ".join(f"{name}={value}" for name, value in rule.point.items())
            lines.append(f"  {rule.title}: {pairs}{done}")
        for title, program in self.compiled.items():
            lines += ["", f"{title}:", program.report]
        return "\n".join(lines)

    def _program(self, rule: Rule) -> Program:
        program = self.compiled.get(rule.title)
        if program is None:
            program = self.compiled[rule.title] = self.compile_rule(rule)
        return program
