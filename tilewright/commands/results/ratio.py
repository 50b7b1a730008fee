"""The ratio of two times with its interval, from the samples of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_samples
from tilewright.tuning.results.records import Record
from tilewright.tuning.results.runs import ALL_SIZES, Samples

Verdict: TypeAlias = Literal["faster", "slower", "equal", "unknown"]
"""B against A; `equal`: the interval contains 1; `unknown`: there is no interval."""

_DRAWS = 2000
_LEAST = 3
"""Samples that a median needs to have an interval."""


@dataclass(frozen=True)
class Ratio:
    """How many times as fast as A is B."""

    ratio: float
    interval: tuple[float, float] | None
    """The 95% interval; None where there are no samples. It has the noise of the
    repetitions, not the drift of a card between two runs."""
    measured: bool = True
    """False where one of the times is an estimate."""

    @property
    def verdict(self) -> Verdict:
        """B against A."""
        if self.interval is None:
            return "unknown"
        low, high = self.interval
        if low <= 1 <= high:
            return "equal"
        return "faster" if low > 1 else "slower"

    def words(self) -> str:
        """`B is 1.23x as fast as A (95% between 1.21 and 1.25)`."""
        text = f"B is {self.ratio:.3f}x as fast as A"
        if not self.measured:
            return f"{text}, by estimates"
        if self.interval is None:
            return f"{text}; there are no samples for an interval"
        low, high = self.interval
        equal = ": no difference beyond the noise" if self.verdict == "equal" else ""
        return f"{text}, 95% between {low:.3f} and {high:.3f}{equal}"


def ratio_of(a: tuple[Database, Record], b: tuple[Database, Record]) -> Ratio:
    """The ratio of the times of two records in their files."""
    one, two = a[1], b[1]
    first, second = one.milliseconds, two.milliseconds
    assert first is not None and second is not None
    ratio = first / second if second else float("inf")
    if not (one.measured and two.measured):
        return Ratio(ratio, None, measured=False)
    medians = [_medians(*side, seed) for seed, side in enumerate((a, b))]
    if medians[0] is not None and medians[1] is not None:
        low, high = np.percentile(medians[0] / medians[1], [2.5, 97.5])
        return Ratio(ratio, (float(low), float(high)))
    if one.final is not None and two.final is not None and two.final.low > 0:
        # Too wide, since both ends are rarely far off together.
        return Ratio(
            ratio, (one.final.low / two.final.high, one.final.high / two.final.low)
        )
    return Ratio(ratio, None)


def _medians(database: Database, record: Record, seed: int) -> np.ndarray | None:
    """Medians of samples drawn again, as many as `_DRAWS`; None without samples."""
    taken = _latest(read_samples(database, record), record.final is not None)
    if not taken or any(len(each) < _LEAST or min(each) <= 0 for each in taken):
        return None
    rng = np.random.default_rng(seed)
    logs = np.zeros(_DRAWS)
    for each in taken:
        values = np.asarray(each)
        drawn = rng.choice(values, size=(_DRAWS, values.size), replace=True)
        logs += np.log(np.median(drawn, axis=1))
    return np.exp(logs / len(taken))


def _latest(samples: Sequence[Samples], is_final: bool) -> list[tuple[float, ...]]:
    """The samples behind a record's time: those of its latest round, at each size."""
    kind = "final" if is_final else "trial"
    found = [one for one in samples if one.kind == kind]
    if not found:
        return []
    of_run = [one for one in found if one.run == found[-1].run]
    by_size = {one.size: one.milliseconds for one in of_run}
    if ALL_SIZES in by_size:
        return [by_size[ALL_SIZES]]
    return list(by_size.values())
