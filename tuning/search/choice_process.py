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
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.search.encoding import Codes, Encoding, Vectors, is_ordered

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
            length: [_table(choice, length) for choice in encoding.choices]
            for length in _LENGTHS
        }
        self._settings = _Settings(_LENGTHS[1], _SUMS[1], _NOISES[0])
        self._fitted_to = 0

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
            self._settings = max(
                (
                    _Settings(*one)
                    for one in itertools.product(_LENGTHS, _SUMS, _NOISES)
                ),
                key=self._likelihood,
            )
        self._root = self._root_of(self._settings, self._codes, self._z)
        self._weights = np.linalg.solve(
            self._root.T, np.linalg.solve(self._root, self._y)
        )

    def predict(
        self, codes: Codes, estimates: Vectors, pending: tuple[Codes, Vectors]
    ) -> Prediction:
        """Means and variances of points; `pending` points lower those near them."""
        settings = self._settings
        z = estimates - self._z0
        all_codes = np.concatenate([self._codes, pending[0]])
        all_z = np.concatenate([self._z, pending[1] - self._z0])
        known = self._covariance(settings, codes, all_codes, z, all_z)
        means = known[:, : len(self._codes)] @ self._weights
        root = self._root
        if len(pending[0]):
            root = self._root_of(settings, all_codes, all_z)
        projected = np.linalg.solve(root, known.T)
        own = 1.0 + (_ESTIMATE * z / self._scale) ** 2
        variances = np.maximum(own - np.sum(projected**2, axis=0), 1e-6)
        return Prediction(
            self, codes, z, means, variances, projected, estimates, self._mean
        )

    def _likelihood(self, settings: _Settings) -> float:
        root = self._root_of(settings, self._codes, self._z)
        half = np.linalg.solve(root, self._y)
        return float(-0.5 * half @ half - np.sum(np.log(np.diag(root))))

    def _root_of(self, settings: _Settings, codes: Codes, z: Vectors) -> Vectors:
        matrix = self._covariance(settings, codes, codes, z, z)
        matrix[np.diag_indices_from(matrix)] += settings.noise**2 + 1e-8
        return np.linalg.cholesky(matrix)

    def _covariance(
        self, settings: _Settings, left: Codes, right: Codes, z: Vectors, w: Vectors
    ) -> Vectors:
        total = np.zeros((len(left), len(right)))
        product = np.ones_like(total)
        tables = self._tables[settings.length]
        for place, table in enumerate(tables):
            part = table.take(left[:, place], 0).take(right[:, place], 1)
            total += part
            product *= part
        share = settings.sum_share
        linear = (_ESTIMATE / self._scale) ** 2 * np.outer(z, w)
        return share / max(1, len(tables)) * total + (1 - share) * product + linear


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
    return 0.5 * (1 + np.array([math.erf(step / math.sqrt(2)) for step in steps]))
