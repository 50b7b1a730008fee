"""The trials of a run as a table: rows, HTML for notebooks, a data frame of pandas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, overload

from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import table_html
from tilewright.ir.phrases import count
from tilewright.tuning.results.tuning_result import Trial, rank

_SHOWN = 12
"""The trials that a notebook shows."""


@dataclass(frozen=True, repr=False)
class TrialTable(Sequence[Trial]):
    """Trials in the order in which they were proposed."""

    trials: tuple[Trial, ...]
    measured: bool
    """False: the times are the cost model's."""

    def __len__(self) -> int:
        """The number of trials."""
        return len(self.trials)

    @overload
    def __getitem__(self, index: int) -> Trial: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Trial]: ...

    def __getitem__(self, index: int | slice) -> Trial | Sequence[Trial]:
        """A trial by its place, or several."""
        return self.trials[index]

    def __iter__(self) -> Iterator[Trial]:
        """The trials one by one."""
        return iter(self.trials)

    def __repr__(self) -> str:
        """`<12 trials, 10 ok>`."""
        worked = len(rank(self.trials))
        return f"<{count(len(self.trials), 'trial')}, {worked} ok>"

    @property
    def choices(self) -> list[str]:
        """The names of all choices that a trial made."""
        return list(dict.fromkeys(name for one in self.trials for name in one.point))

    def ranking(self) -> list[Trial]:
        """The trials that worked, fastest first."""
        return rank(self.trials)

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each trial: how it ended, then a key for each choice.

        Choices that a trial's branch does not open are None there.
        """
        return [
            {
                "trial": one.number,
                "outcome": one.outcome,
                "ms": one.milliseconds,
                "origin": one.origin,
                "error": one.record.error,
                **{name: one.point.get(name) for name in self.choices},
            }
            for one in self.trials
        ]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of `rows()`; needs pandas."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise UserError(
                "to_pandas needs pandas, which is not installed",
                remedy="pip install pandas, or use rows(), a list of dictionaries",
            ) from None
        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        """The fastest trials, for notebooks."""
        unit = "ms" if self.measured else "ms (estimated)"
        rows = [
            (
                one.number,
                f"{one.milliseconds:.4f}",
                *(one.point.get(name, "") for name in self.choices),
            )
            for one in self.ranking()[:_SHOWN]
        ]
        title = f"{repr(self)[1:-1]}; the fastest:"
        return table_html(title, ["trial", unit, *self.choices], rows)
