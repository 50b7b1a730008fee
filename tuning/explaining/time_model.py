"""Log time as a function of the choices: Bayesian ridge regression on pairs of options.

Every option of a choice is a column of zeros and ones, and so is every pair of options
of two choices. The regression shrinks what few trials support, by as much as makes the
trials most likely. Pairs count half, so that they are shrunk more. Points with the same
program have the same time, so a program counts once, however many points have it.

On the spaces that were recorded on an H200, this predicts unseen trials better than a
random forest, and nearly as well as boosted trees (docs/explain.md). And it is a sum of
parts that belong to one choice or to two, which is what `effects` reports.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.tuning.search.encoding import Codes

Numbers: TypeAlias = NDArray[np.float64]

_PAIR_SCALE = 0.5
"""Of a column of a pair: a half is penalized four times as much as a whole."""
_MOST_COLUMNS = 700
_FOLDS = 5


@dataclass(frozen=True)
class Design:
    """The columns of the regression: the options of each choice, and pairs of them."""

    options: tuple[int, ...]
    """The number of options of each choice."""
    pairs: tuple[tuple[int, int], ...]
    """The choices whose pairs are columns, by their positions."""

    def matrix(self, codes: Codes) -> Numbers:
        """A row for each point."""
        single = [
            (codes[:, [place]] == np.arange(count)).astype(np.float64)
            for place, count in enumerate(self.options)
        ]
        double = [
            _PAIR_SCALE
            * (single[i][:, :, None] * single[j][:, None, :]).reshape(len(codes), -1)
            for i, j in self.pairs
        ]
        return np.concatenate([*single, *double], axis=1)


class TimeModel:
    """Predicts the logarithm of the time of points."""

    def __init__(self, codes: Codes, log_times: Numbers, programs: Sequence[str]):
        """Fit to points; those with the same program have the same time."""
        from sklearn.linear_model import BayesianRidge

        named = np.array(programs, dtype=object)
        _, self._groups, sizes = np.unique(
            named, return_inverse=True, return_counts=True
        )
        self._weights = 1.0 / sizes[self._groups]
        self._log_times = log_times
        self.design = _design(codes, log_times)
        self._matrix = self.design.matrix(codes)
        self._fitted: Any = BayesianRidge()
        self._fitted.fit(self._matrix, log_times, self._weights)

    def predict(self, codes: Codes) -> Numbers:
        """The predicted logarithms."""
        return self._fitted.predict(self.design.matrix(codes))

    def held_out_share(self) -> float | None:
        """The share of the variation between unseen programs that is predicted.

        At most 1; 0 or less if the mean of all would do as well. None where there are
        too few programs to leave some out.
        """
        if self._held_out is None:
            return None
        mean = np.average(self._log_times, weights=self._weights)
        whole = np.average((self._log_times - mean) ** 2, weights=self._weights)
        missed, _ = self._held_out
        return float(1.0 - np.average(missed**2, weights=self._weights) / whole)

    @cached_property
    def _held_out(self) -> tuple[Numbers, Numbers] | None:
        """The errors at programs that were left out of the fit, and those expected."""
        from sklearn.linear_model import BayesianRidge
        from sklearn.model_selection import GroupKFold

        if len(np.unique(self._groups)) < _FOLDS:
            return None
        missed = np.zeros_like(self._log_times)
        expected = np.ones_like(self._log_times)
        for seen, unseen in GroupKFold(_FOLDS).split(self._matrix, groups=self._groups):
            model: Any = BayesianRidge()
            model.fit(self._matrix[seen], self._log_times[seen], self._weights[seen])
            mean, deviation = model.predict(self._matrix[unseen], return_std=True)
            missed[unseen] = self._log_times[unseen] - mean
            expected[unseen] = deviation
        return missed, expected

    def _optimism(self) -> float:
        """How many times as large as expected the errors at unseen programs are.

        With more columns than trials, a regression may take its fit for perfect.
        """
        if self._held_out is None:
            return 1.0
        missed, expected = self._held_out
        ratios = (missed / np.maximum(expected, 1e-12)) ** 2
        return max(1.0, float(np.sqrt(np.average(ratios, weights=self._weights))))

    def draws(self, codes: Codes, count: int, seed: int) -> Numbers:
        """Predictions by models that are drawn from the posterior, one model a row.

        The posterior is widened by as much as it is wrong about unseen programs.
        """
        means = np.average(self._matrix, axis=0, weights=self._weights)
        random = np.random.default_rng(seed)
        values, vectors = np.linalg.eigh(self._fitted.sigma_)
        scaled = vectors * np.sqrt(np.maximum(values, 0.0))
        coefficients = scaled @ random.standard_normal((len(values), count))
        at = self.design.matrix(codes)
        return (
            self._fitted.predict(at)
            + self._optimism() * ((at - means) @ coefficients).T
        )


def _design(codes: Codes, log_times: Numbers) -> Design:
    """All pairs, or those of the choices that matter most, if columns are too many."""
    options = tuple(int(column.max(initial=0)) + 1 for column in codes.T)
    weight = [_spread(column, log_times) for column in codes.T]
    ranked = sorted(range(len(options)), key=lambda place: -weight[place])
    pairs: list[tuple[int, int]] = []
    columns = sum(options)
    for first, second in itertools.combinations(ranked, 2):
        size = options[first] * options[second]
        if columns + size <= _MOST_COLUMNS:
            columns += size
            pairs.append((min(first, second), max(first, second)))
    return Design(options, tuple(sorted(pairs)))


def _spread(column: NDArray[np.int64], log_times: Numbers) -> float:
    """The variance of the mean log times of the options."""
    known, counts = np.unique(column, return_counts=True)
    means = np.array([log_times[column == code].mean() for code in known])
    return float(np.average((means - log_times.mean()) ** 2, weights=counts))
