"""What a run over many tasks is given, whom it tells, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan
    from tilewright.tuning.options import TuningTask
    from tilewright.tuning.results.tuning_result import Trial, TuningResult
    from tilewright.tuning.tasks.structures import StructureOutcome
    from tilewright.tuning.tasks.task_search import TaskOutcome


class TasksProgress(Protocol):
    """Is called as a run proceeds."""

    def on_phase(self, name: str) -> None:
        """Called when a phase begins: a task's round, the whole."""
        ...

    def on_trial(self, trial: Trial) -> None:
        """Called when a trial has ended."""
        ...


@dataclass(frozen=True)
class WholePayload:
    """A payload whose kernels are tasks: its plan, and how to check and time it."""

    plan: Plan
    task: TuningTask[Any]

    @property
    def kernels(self) -> int:
        """Kernels that it runs."""
        return max(1, self.plan.kernel_count)

    @property
    def covers(self) -> int:
        """Covers beside the planned ones, where the structure is open."""
        return sum(len(region.covers) - 1 for region in self.plan.regions)

    @property
    def is_composed(self) -> bool:
        """Whether the whole is more than one kernel, or may be."""
        return self.kernels > 1 or self.covers > 0


@dataclass(frozen=True)
class TasksResult:
    """The outcome of tuning payloads kernel by kernel."""

    wholes: tuple[TuningResult | None, ...]
    """Of each whole program; its best point is the winner. None where none was needed:
    the payload is one kernel, or no kernel of it has a better point."""
    tasks: tuple[TaskOutcome, ...]
    """The longest task, as planned, first."""
    seconds: float
    """Wall time of the whole run."""
    interrupted: bool
    measured: bool
    """Whether times were measured; else the cost model estimated them."""
    structures: tuple[StructureOutcome, ...] = ()
    """The regions of all payloads whose structure was open."""

    @property
    def whole(self) -> TuningResult:
        """The whole program of the first payload."""
        assert self.wholes[0] is not None
        return self.wholes[0]

    @property
    def trials(self) -> int:
        """Trials of all tasks."""
        return sum(outcome.trials for outcome in self.tasks)
