"""What a kernel was tuned to, and how that was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.ir.notebook_html import table_html
from tilewright.tuning.own_kernels.callable_tuner import config_text
from tilewright.tuning.own_kernels.configurations import Config
from tilewright.tuning.own_kernels.engine_run import INTERPRETER, KernelTask
from tilewright.tuning.results.tuning_result import SHOWN, count_reasons

if TYPE_CHECKING:
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.tuning_result import TuningResult


@dataclass(frozen=True)
class TunedConfig:
    """The fastest configuration of a call."""

    kernel: str
    config: Config
    milliseconds: float
    key: str
    """The arguments that it was tuned for, in words."""
    device: str
    file: Path | None
    """The results file."""
    outputs: tuple[str, ...]
    checked: str
    """What the outputs were compared with; empty for an answer of the file."""
    run: TuningResult | None = field(default=None, repr=False)
    """The run that found it; None for an answer of the file."""

    @staticmethod
    def of_run(
        task: KernelTask, run: TuningResult, file: Path | None, *, checked: bool
    ) -> TunedConfig:
        """The outcome of a run."""
        milliseconds = run.best.record.milliseconds
        assert milliseconds is not None
        against = "the reference" if checked else "the default configuration"
        return TunedConfig(
            task.call.source.name,
            dict(run.best.point),
            milliseconds,
            task.sizes,
            run.device,
            file,
            tuple(tensor.name for tensor in task.call.outputs),
            against,
            run,
        )

    @property
    def gain(self) -> float | None:
        """How many times as fast as the default configuration it is, if known."""
        return None if self.run is None else self.run.gain()

    def _repr_html_(self) -> str:
        """The fastest configurations as a table, for notebooks."""
        trials = [] if self.run is None else self.run.ranking()[:SHOWN]
        timed = [(trial.milliseconds, trial.point) for trial in trials]
        names = list(self.config)
        rows = [
            (f"{milliseconds:.4f}", *(config.get(name, "") for name in names))
            for milliseconds, config in timed or [(self.milliseconds, self.config)]
        ]
        title = f"{self.kernel} ({self.key}) on {self.device}"
        return table_html(title, ["ms", *names], rows)

    def report(self) -> str:
        """Some lines for a person."""
        lines = [
            f"{self.kernel} ({self.key}) on {self.device}: {self.milliseconds:.4g} ms",
            f"  configuration: {config_text(self.config)}",
        ]
        if self.device == INTERPRETER:
            lines.append(
                "  there is no GPU: the numbers are right, the time is that of an "
                "interpreter and says nothing about a GPU"
            )
        if self.run is None:
            lines.append(f"  from {self.file}; nothing was measured")
            return "\n".join(lines)
        lines.append(f"  outputs {', '.join(self.outputs)} agree with {self.checked}")
        counted = ", ".join(f"{n} {name}" for name, n in self.run.counts().items())
        lines.append(
            f"  {len(self.run.trials)} of {self.run.space_valid} configurations in "
            f"{self.run.wall_seconds:.1f} s: {counted}"
        )
        if self.gain is not None:
            lines.append(f"  {self.gain:.2f} times as fast as the default")
        on_gpu = self.device != INTERPRETER
        if on_gpu and (line := self.run.payback(self.run.wall_seconds)) is not None:
            lines.append(f"  {line}")
        reasons = count_reasons(self.run.trials)[:5]
        lines += [f"  {count} x {reason}" for reason, count in reasons]
        if self.file is not None:
            lines.append(f"  results: {self.file} (tilewright explain {self.file})")
        return "\n".join(lines)


def winner_of(
    database: Database, task: KernelTask, file: Path | None
) -> TunedConfig | None:
    """The winner of an earlier run of the same kernel, space, key and device.

    One that was interrupted has no final round on a card: the search goes on instead.
    """
    best = database.best(
        task.payload, task.schedule, task.device_name, measured=True, sizes=task.sizes
    )
    if best is None or best.milliseconds is None or not task.space.contains(best.point):
        return None
    if task.is_on_card and best.final is None:
        return None
    ordered = {name: best.point[name] for name in task.space.choices}
    return TunedConfig(
        task.call.source.name,
        ordered,
        best.milliseconds,
        task.sizes,
        task.device_name,
        file,
        tuple(tensor.name for tensor in task.call.outputs),
        "",
    )
