"""The learned cost model: gradient boosting on the features of programs.

It predicts the logarithm of time over the cost model's estimate, so it need only learn
where the estimate is wrong, and what it learns holds at other sizes too. Each space has
an *offset*, the median of these logarithms: how far its estimates are off as a whole.
The trees predict the rest, which decides the ranking. Programs with dots and programs
without have trees of their own: what products teach does not hold for sums of rows.

The model is not stored. The results file has the features of every record, and a fit
takes less than a second; so there is no file that could be out of date, and none with
code inside, as a pickle has.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.tuning.learning.compiled_features import COMPILED_TABLE
from tilewright.tuning.learning.features import ESTIMATE, TABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.tuning.learning.dataset import Example, Origin
    from tilewright.tuning.space.choices import Point, Value

LEAST = 12
"""Examples that a model needs at least."""

_UNCERTAINTY = 2.0
"""With so many other spaces in its training, half of a prediction counts."""
_FEW_VALUES = 100
"""Columns with more different values are binned."""
_NOT_LEARNED = ("version", ESTIMATE)
_SAME_FAMILY, _SAME_DEVICE, _OTHER_DEVICE = 0.5, 0.1, 0.05
"""Weights of examples from other spaces; those of the same space weigh 1."""


class TimeModel:
    """Predicts the milliseconds of programs of one space."""

    def __init__(self, origin: Origin, *, compiled: bool = False) -> None:
        """A model for the programs of a space; `fit` trains it.

        With `compiled`, it reads the compiler's report too.
        """
        self._origin = origin
        self._names = [name for name in TABLE if name not in _NOT_LEARNED]
        if compiled:
            self._names += COMPILED_TABLE
        self._choices: dict[str, dict[Value, float]] = {}
        """Choices that are columns too, and the codes of their labels."""
        self._trees: dict[bool, tuple[_Trees, float]] = {}
        """The trees and the trust in them, by whether programs have dots; none where
        too few programs are known."""
        self._offset = 0.0

    def fit(self, examples: Sequence[Example], seed: int = 0) -> None:
        """Learn from examples of this space and of others."""
        points = [e.point if self._is_alike(e.origin) else {} for e in examples]
        self._choices = _codes(points)
        errors = np.array([_error(example) for example in examples])
        offsets = _offsets(examples, errors)
        self._offset = self._offset_of(offsets, examples)
        errors -= np.array([offsets[example.origin.space] for example in examples])
        table = self._table([e.features for e in examples], points)
        weights = np.array([self._weight(example.origin) for example in examples])
        kinds = np.array([_has_dots(example.features) for example in examples])
        self._trees = {}
        for kind in (False, True):
            rows = kinds == kind
            if rows.sum() >= LEAST:
                fitted = _Trees(table[rows], errors[rows], weights[rows], seed)
                origins = {
                    e.origin for e, row in zip(examples, rows, strict=True) if row
                }
                self._trees[kind] = fitted, self._trust(origins)

    def predict(
        self, features: Sequence[Mapping[str, float]], points: Sequence[Point]
    ) -> list[float]:
        """The milliseconds of programs of the space."""
        errors = np.zeros(len(features))
        kinds = np.array([_has_dots(one) for one in features], dtype=bool)
        table = self._table(features, points)
        for kind, (trees, trust) in self._trees.items():
            if (rows := kinds == kind).any():
                errors[rows] = trust * trees.predict(table[rows])
        return [
            one[ESTIMATE] * math.exp(error + self._offset)
            for one, error in zip(features, errors.tolist(), strict=True)
        ]

    def _is_alike(self, origin: Origin) -> bool:
        """Whether the choices of a space mean the same as those of this one."""
        schedule = self._origin.schedule
        same = schedule != "" and origin.schedule == schedule
        return same or origin.space == self._origin.space

    def _trust(self, origins: set[Origin]) -> float:
        """The share of a prediction that counts: less, if only few other spaces taught.

        Each space has errors of its own; what several have in common is likely to hold
        for one that is not known.
        """
        if any(
            origin.family == self._origin.family or self._is_alike(origin)
            for origin in origins
        ):
            return 1.0
        return len(origins) / (len(origins) + _UNCERTAINTY)

    def _weight(self, origin: Origin) -> float:
        if origin.space == self._origin.space:
            return 1.0
        if origin.device != self._origin.device:
            return _OTHER_DEVICE
        return _SAME_FAMILY if origin.family == self._origin.family else _SAME_DEVICE

    def _offset_of(
        self, offsets: Mapping[str, float], examples: Sequence[Example]
    ) -> float:
        """The offset of this space, else the mean of the others by their weights."""
        if self._origin.space in offsets:
            return offsets[self._origin.space]
        origins = {example.origin for example in examples}
        weights = {origin.space: self._weight(origin) for origin in origins}
        whole = sum(weights.values())
        return sum(offsets[space] * weights[space] for space in weights) / whole

    def _table(
        self, features: Sequence[Mapping[str, float]], points: Sequence[Point]
    ) -> NDArray[np.float64]:
        """A row for each program; NaN where a value is missing."""
        width = len(self._names) + len(self._choices)
        rows = [
            [one.get(name, math.nan) for name in self._names]
            + [
                codes.get(point[name], math.nan) if name in point else math.nan
                for name, codes in self._choices.items()
            ]
            for one, point in zip(features, points, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, width)


class _Trees:
    """Boosted trees on a table that may have empty, constant and continuous columns."""

    def __init__(
        self,
        table: NDArray[np.float64],
        errors: NDArray[np.float64],
        weights: NDArray[np.float64],
        seed: int,
    ) -> None:
        from sklearn.ensemble import HistGradientBoostingRegressor

        self._varied = np.array([_varies(column) for column in table.T])
        self._bins = [_bins(column) for column in table[:, self._varied].T]
        """The limits of bins of columns with many values; None for others."""
        self._regressor: Any = None
        if not self._varied.any():
            return
        self._regressor = HistGradientBoostingRegressor(
            learning_rate=0.1,
            max_iter=100,
            max_leaf_nodes=15,
            min_samples_leaf=max(2, min(10, len(table) // 20)),
            l2_regularization=1.0,
            max_features=0.5,
            random_state=seed,
        )
        with _one_thread():
            self._regressor.fit(self._binned(table), errors, weights)

    def predict(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._regressor is None:
            return np.zeros(len(table))
        with _one_thread():
            return self._regressor.predict(self._binned(table))

    def _binned(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """The columns that vary; those with many values as the numbers of bins.

        scikit-learn bins too, but with weights it takes seconds.
        """
        binned = table[:, self._varied]
        for place, limits in enumerate(self._bins):
            if limits is not None:
                column = binned[:, place]
                numbers = np.searchsorted(limits, column).astype(np.float64)
                binned[:, place] = np.where(np.isnan(column), math.nan, numbers)
        return binned


def _one_thread() -> AbstractContextManager[Any]:
    """More threads would wait for cores that compilers use, and take far longer."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def _has_dots(features: Mapping[str, float]) -> bool:
    return features.get("dot.count", 0.0) > 0


def _varies(column: NDArray[np.float64]) -> bool:
    known = column[~np.isnan(column)]
    return known.size > 0 and bool(np.ptp(known) > 0)


def _bins(column: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Limits between bins of about equally many values; None for few values."""
    known = column[~np.isnan(column)]
    if np.unique(known).size <= _FEW_VALUES:
        return None
    return np.unique(np.quantile(known, np.linspace(0, 1, _FEW_VALUES + 1)[1:-1]))


def _error(example: Example) -> float:
    """The logarithm of the time over the estimate."""
    return math.log(example.milliseconds / example.features[ESTIMATE])


def _offsets(
    examples: Sequence[Example], errors: NDArray[np.float64]
) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for example, error in zip(examples, errors.tolist(), strict=True):
        found[example.origin.space].append(error)
    return {space: float(np.median(values)) for space, values in found.items()}


def _codes(points: Sequence[Point]) -> dict[str, dict[Value, float]]:
    """A number for every option that points have: its own, or its place in order."""
    options: dict[str, set[Value]] = defaultdict(set)
    for point in points:
        for name, value in point.items():
            options[name].add(value)
    return {
        name: {
            value: float(value) if isinstance(value, int | float) else float(place)
            for place, value in enumerate(sorted(values, key=str))
        }
        for name, values in options.items()
    }
