"""What `tilewright.tune` returns: the winner, the trials, and what they teach."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.api.trial_table import TrialTable
from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import table_html
from tilewright.ir.phrases import count
from tilewright.program import compile_program
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.tuning_result import TuningResult
from tilewright.tuning.space.choices import Point
from tilewright.tuning.tasks.structures import StructureOutcome
from tilewright.tuning.tasks.task_search import TaskOutcome

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from tilewright.tuning.explaining.plots import Picture
    from tilewright.tuning.explaining.tuning_log import TuningLog

_WIDTH = 100
"""Characters in a line of `explain()`."""


@dataclass(frozen=True)
class Best:
    """The winner of a run."""

    point: Point
    """The choices that won."""
    milliseconds: float
    """Its time: of the final round, of its trial, or the cost model's."""
    schedule: Schedule
    """The schedule with no choices left; `to_tw()` is its text."""
    payload: ModuleOp

    @cached_property
    def program(self) -> Program:
        """The program, compiled when it is asked for first."""
        return compile_program(self.payload, self.schedule, inherit=False)


@dataclass(frozen=True, repr=False)
class TuneResult:
    """The outcome of `tilewright.tune`."""

    best: Best
    trials: TrialTable
    """Of the whole payload, where its kernels were tuned one by one."""
    kernels: tuple[TaskOutcome, ...]
    """The kernels of a planned schedule that were tuned one by one; else empty."""
    seconds: float
    """Wall time of the call."""
    notes: tuple[str, ...]
    """What the command would say of the run."""
    database: Path
    result: TuningResult
    structures: tuple[StructureOutcome, ...] = ()
    """With an open structure: its regions, and what their covers take."""

    @property
    def measured(self) -> bool:
        """False: nothing ran on a GPU; the times are the cost model's."""
        return self.result.measured

    @property
    def device(self) -> str:
        """The device that the times are for."""
        return self.result.device

    @property
    def gain(self) -> float | None:
        """How many times as fast as the default point the best is, if known."""
        return self.result.gain()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C or a callback ended the search."""
        return self.result.interrupted

    @property
    def stopped(self) -> UserError | None:
        """Why the run ended before its time, such as a lost device; else None."""
        return self.result.stopped

    def explain(self) -> str:
        """What the run taught: the text of `tilewright explain`."""
        from rich.console import Console

        from tilewright.commands.explain.report import report
        from tilewright.tuning.explaining.explanation import explain

        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, color_system=None)
        report(console, explain(self._log()))
        return text.getvalue()

    def plot(self, kind: str = "convergence") -> Picture:
        """A picture of the run, which a notebook shows and `save(path)` writes.

        `convergence`, `frontier`, `heatmap:A,B` of two choices, or `parallel`.
        """
        from tilewright.tuning.explaining.plots import draw_plot
        from tilewright.tuning.explaining.readers import read_alike

        log = self._log()
        return draw_plot(kind, log, read_alike(self.database, log))

    def _log(self) -> TuningLog:
        from tilewright.tuning.explaining.readers import read_log

        number = self.result.run_number
        if number is None:
            raise UserError(
                "every trial was answered by the results file, so the run has none of "
                "its own",
                remedy=f"tilewright explain {self.database}",
            )
        return read_log(self.database, [f"#{number}"])

    def __repr__(self) -> str:
        """`<tuned: 0.0041 ms (estimated) on h200 (cost model), 9 trials, BM = 64>`."""
        unit = "ms" if self.measured else "ms (estimated)"
        point = ", ".join(
            f"{name} = {value}" for name, value in self.best.point.items()
        )
        return (
            f"<tuned: {self.best.milliseconds:.4f} {unit} on {self.device}, "
            f"{count(len(self.trials), 'trial')}{', ' if point else ''}{point}>"
        )

    def _repr_html_(self) -> str:
        """The winner, the notes, the kernels and the fastest trials, for notebooks."""
        rows = [("the winner", repr(self)[8:-1])]
        if self.gain is not None:
            rows.append(("gain over the default point", f"{self.gain:.2f}x"))
        rows += [("note", note) for note in self.notes]
        parts = [table_html("", ["", ""], rows)]
        if self.kernels:
            cells = [
                (one.task.name, one.default_ms or "", one.best_ms or "", one.trials)
                for one in self.kernels
            ]
            head = ["kernel", "default ms", "tuned ms", "trials"]
            parts.append(table_html("kernels", head, cells))
        return "".join([*parts, self.trials._repr_html_()])
