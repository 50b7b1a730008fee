"""A Gaussian process over choices: predicts the times of points from those of others.

The covariance of two points is that of their options, choice by choice: high for equal
options, lower for ranks that are further apart, low for different branches. It is the
sum of two parts. In one the effects of choices add up, so that it learns from few
points; in the other they are multiplied, so that it learns interactions. The sizes of
the parts are those under which the known times are the most likely, of a few.

The process predicts logarithms of times. Where a cost model gives estimates, it
predicts the deviation from them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.search.encoding import Codes, Encoding, Vectors, is_ordered
from tilewright.tuning.search.one_thread import on_one_thread

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Choice

_LENGTHS = (1.0, 3.0)
"""Ranks after which the correlation of numbers has fallen to 1/e."""
_SUMS = (0.2, 0.5, 0.8)
"""Shares of the variance that the additive part has."""
_NOISES = (0.05, 0.2)
"""Standard deviations of the noise, relative to the deviations."""
_PRIOR = 0.3
_PRIOR_WEIGHT = 3.0
"""The deviation of times from estimates that is expected, and the number of results
that weigh as much as this expectation."""
_FEWEST = 5
"""Results from which the sizes of the parts are fitted."""
_OTHER = 0.4
"""The correlation of options without an order."""
_CLOSED = 0.2
"""The correlation of any option and a choice that is not open."""
_ESTIMATE = 0.5
"""By how much the slope of the times over the estimates may differ from 1."""


@dataclass(frozen=True)
class _Settings:
    length: float
    sum_share: float
    noise: float


class ChoiceProcess:
    """Fitted to known points; predicts others."""

    def __init__(self, encoding: Encoding) -> None:
        self._tables = {
            length: _Tables([_table(choice, length) for choice in encoding.choices])
            for length in _LENGTHS
        }
        self._settings = _Settings(_LENGTHS[1], _SUMS[1], _NOISES[0])
        self._fitted_to = 0

    @on_one_thread
    def fit(self, codes: Codes, estimates: Vectors, times: Vectors) -> None:
        """Learn from the logarithms of times; `estimates` are logarithms too, or 0."""
        count = len(codes)
        self._codes, self._z0 = codes, float(np.mean(estimates)) if count else 0.0
        self._z = estimates - self._z0
        deviations = times - estimates
        self._mean = float(np.median(deviations)) if count else 0.0
        variance = float(np.var(deviations)) if count else 0.0
        # Few results say little about how far times deviate from estimates.
        total = _PRIOR_WEIGHT * _PRIOR**2 + count * variance
        self._scale = max(math.sqrt(total / (_PRIOR_WEIGHT + count)), 0.02)
        self._y = (deviations - self._mean) / self._scale
        if count >= max(_FEWEST, 1.5 * self._fitted_to):
            self._fitted_to = count
            self._settings = self._most_likely()
        own = self._covariance(
            self._settings, self._codes, self._codes, self._z, self._z
        )
        self._inverse = np.linalg.inv(_root(own, self._settings.noise))
        self._weights = self._inverse.T @ (self._inverse @ self._y)

    @on_one_thread
    def predict(
        self, codes: Codes, estimates: Vectors, pending: tuple[Codes, Vectors]
    ) -> Prediction:
        """Means and variances of points; `pending` points lower those near them."""
        settings = self._settings
        z = estimates - self._z0
        both = np.concatenate([codes, pending[0]])
        all_z = np.concatenate([z, pending[1] - self._z0])
        known = self._covariance(settings, both, self._codes, all_z, self._z)
        count = len(codes)
        means = known[:count] @ self._weights
        projected = self._inverse @ known.T
        if len(pending[0]):
            # Pending points are known except for their times: rows of the root below
            # those of the known points.
            near = self._covariance(settings, both, pending[0], all_z, all_z[count:])
            left = near.T - projected[:, count:].T @ projected
            root = _root(left[:, count:], settings.noise)
            projected = np.concatenate([projected, np.linalg.inv(root) @ left])
        projected = projected[:, :count]
        own = 1.0 + (_ESTIMATE * z / self._scale) ** 2
        variances = np.maximum(own - np.einsum("ij,ij->j", projected, projected), 1e-6)
        return Prediction(
            self, codes, z, means, variances, projected, estimates, self._mean
        )

    @on_one_thread
    def means(self, codes: Codes, estimates: Vectors) -> Vectors:
        """The expected logarithms of times, without their deviations."""
        z = estimates - self._z0
        known = self._covariance(self._settings, codes, self._codes, z, self._z)
        return estimates + self._mean + self._scale * (known @ self._weights)

    def _most_likely(self) -> _Settings:
        """The settings under which the known times are the most likely."""
        found: dict[_Settings, float] = {}
        for length in _LENGTHS:
            parts = self._tables[length].correlations(self._codes, self._codes)
            for share, noise in itertools.product(_SUMS, _NOISES):
                own = self._sum_of(share, *parts, self._z, self._z)
                root = _root(own, noise)
                half = np.linalg.solve(root, self._y)
                likelihood = -0.5 * half @ half - np.sum(np.log(np.diag(root)))
                found[_Settings(length, share, noise)] = float(likelihood)
        return max(found, key=lambda settings: found[settings])

    def _covariance(
        self, settings: _Settings, left: Codes, right: Codes, z: Vectors, w: Vectors
    ) -> Vectors:
        parts = self._tables[settings.length].correlations(left, right)
        return self._sum_of(settings.sum_share, *parts, z, w)

    def _sum_of(
        self, share: float, total: Vectors, product: Vectors, z: Vectors, w: Vectors
    ) -> Vectors:
        linear = (_ESTIMATE / self._scale) ** 2 * np.outer(z, w)
        return share * total + (1 - share) * product + linear


class _Tables:
    """The correlations of the options of every choice."""

    def __init__(self, tables: Sequence[Vectors]) -> None:
        self._tables = [table / len(tables) for table in tables]
        self._logarithms = [np.log(table) for table in tables]
        self._sizes = [len(table) for table in tables]

    def correlations(self, left: Codes, right: Codes) -> tuple[Vectors, Vectors]:
        """The means and the products of the choices' correlations, for each pair.

        Both are products of matrices: one has the rows of the tables, the other a 1 for
        each option that a point has.
        """
        if not self._tables:
            shape = len(left), len(right)
            return np.ones(shape), np.ones(shape)
        has = np.hstack(
            [
                np.arange(size) == (right[:, [place]] % size)
                for place, size in enumerate(self._sizes)
            ]
        ).astype(np.float64)
        places = range(len(self._sizes))
        sums = np.hstack([self._tables[n].take(left[:, n], 0) for n in places])
        logs = np.hstack([self._logarithms[n].take(left[:, n], 0) for n in places])
        return sums @ has.T, np.exp(logs @ has.T)


def _root(matrix: Vectors, noise: float) -> Vectors:
    """The lower root of a covariance of results, which have noise."""
    matrix = matrix.copy()
    matrix[np.diag_indices_from(matrix)] += noise**2 + 1e-8
    return np.linalg.cholesky(matrix)


@dataclass
class Prediction:
    """Predicted times; can be told that one of the points will be measured."""

    _process: ChoiceProcess
    _codes: Codes
    _z: Vectors
    _means: Vectors
    _variances: Vectors
    _projected: Vectors
    _estimates: Vectors
    _mean: float

    @property
    def times(self) -> Vectors:
        """The expected logarithms of times."""
        scale = self._process._scale
        return self._estimates + self._mean + scale * self._means

    @property
    def deviations(self) -> Vectors:
        """Their standard deviations."""
        return self._process._scale * np.sqrt(self._variances)

    def gains(self, best: float) -> Vectors:
        """The expected improvements over the best known logarithm of a time."""
        spread = self.deviations
        steps = (best - self.times) / spread
        density = np.exp(-0.5 * steps**2) / math.sqrt(2 * math.pi)
        return spread * (density + steps * _normal(steps))

    @on_one_thread
    def assume(self, place: int) -> None:
        """Take a point as measured, with the time that is expected of it."""
        process, settings = self._process, self._process._settings
        covariance = process._covariance(
            settings, self._codes, self._codes[[place]], self._z, self._z[[place]]
        )[:, 0]
        covariance = covariance - self._projected.T @ self._projected[:, place]
        total = self._variances[place] + settings.noise**2
        self._variances = np.maximum(self._variances - covariance**2 / total, 1e-6)
        row = covariance / math.sqrt(total)
        self._projected = np.concatenate([self._projected, row[None]])


def _table(choice: Choice, length: float) -> Vectors:
    """The correlations of the options; the last row is for a choice that is closed."""
    count = len(choice.options)
    steps = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    inner = np.exp(-steps / length) if is_ordered(choice) else _others(count)
    table = np.full((count + 1, count + 1), _CLOSED)
    table[:count, :count] = inner
    table[count, count] = 1.0
    return table


def _others(count: int) -> Vectors:
    return np.where(np.eye(count) > 0, 1.0, _OTHER)


def _normal(steps: Vectors) -> Vectors:
    """The distribution function of the normal distribution."""
    return 0.5 * (1 + np.array([math.erf(x) for x in (steps / math.sqrt(2)).tolist()]))
