"""A Gaussian process over choices: predicts the times of points from those of others.

The covariance of two points is the sum of two parts. In one the effects of choices add
up, so that it learns from few points; in the other they are multiplied, so that it
learns interactions (`choice_correlations.py`). The sizes of the parts are those under
which the known times are the most likely, of a few.

The process predicts logarithms of times. Where a cost model gives estimates, it
predicts the deviation from them.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from tilewright.tuning.search.choice_correlations import ChoiceCorrelations
from tilewright.tuning.search.encoding import Codes, Encoding, Vectors
from tilewright.tuning.search.one_thread import on_one_thread

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
_ESTIMATE = 1.0
"""By how much the slope of the times over the estimates may differ from 1."""
_CERTAIN = 1e-5
"""The smallest variance, above the rounding of single precision."""


@dataclass(frozen=True)
class _Settings:
    length: float
    sum_share: float
    noise: float


@dataclass(frozen=True)
class _Points:
    """Points as the process sees them."""

    options: Vectors
    """Of `ChoiceCorrelations.options`."""
    z: Vectors
    """The logarithms of their estimates, less the mean of the known ones."""

    def __len__(self) -> int:
        return len(self.z)

    def __getitem__(self, places: slice) -> _Points:
        return _Points(self.options[places], self.z[places])


class ChoiceProcess:
    """Fitted to known points; predicts others."""

    def __init__(self, encoding: Encoding) -> None:
        self._correlations = {
            length: ChoiceCorrelations(encoding.choices, length) for length in _LENGTHS
        }
        self._settings = _Settings(_LENGTHS[1], _SUMS[1], _NOISES[0])
        self._fitted_to = 0

    @on_one_thread
    def fit(
        self,
        codes: Codes,
        estimates: Vectors,
        times: Vectors,
        mean: float | None = None,
    ) -> None:
        """Learn from the logarithms of times; `estimates` are logarithms too, or 0.

        `mean` is the expected difference between them; None: the median of those known.
        """
        count = len(codes)
        self._z0 = float(np.mean(estimates)) if count else 0.0
        self._known = self._points(codes, estimates)
        deviations = times - estimates
        median = float(np.median(deviations)) if count else 0.0
        self._mean = median if mean is None else mean
        variance = float(np.mean((deviations - self._mean) ** 2)) if count else 0.0
        # Few results say little about how far times deviate from estimates.
        total = _PRIOR_WEIGHT * _PRIOR**2 + count * variance
        self._scale = max(math.sqrt(total / (_PRIOR_WEIGHT + count)), 0.02)
        self._y = (deviations - self._mean) / self._scale
        if count >= max(_FEWEST, 1.5 * self._fitted_to):
            self._fitted_to = count
            self._settings = self._most_likely()
        root = _root(self._covariance(self._known, self._known), self._settings.noise)
        inverse = np.linalg.inv(root)
        self._weights = _single(inverse.T @ (inverse @ self._y))
        self._inverse = _single(inverse)

    @on_one_thread
    def predict(
        self, codes: Codes, estimates: Vectors, pending: tuple[Codes, Vectors]
    ) -> Prediction:
        """Means and variances of points; `pending` points lower those near them."""
        count = len(codes)
        points = self._points(
            np.concatenate([codes, pending[0]]), np.concatenate([estimates, pending[1]])
        )
        known = self._covariance(self._known, points)
        means = self._weights @ known[:, :count]
        projected = self._inverse @ known
        if len(pending[0]):
            # Pending points are known except for their times: rows of the root below
            # those of the known points.
            near = self._covariance(points[count:], points)
            near -= projected[:, count:].T @ projected
            root = _root(near[:, count:], self._settings.noise)
            below = _single(np.linalg.inv(root)) @ near[:, :count]
            projected = np.concatenate([projected[:, :count], below])
        own = 1.0 + (_ESTIMATE * points.z[:count] / self._scale) ** 2
        variances = own - np.einsum("ij,ij->j", projected, projected)
        return Prediction(
            self,
            points[:count],
            means,
            np.maximum(variances, _CERTAIN),
            projected,
            estimates,
            self._mean,
        )

    @on_one_thread
    def means(self, codes: Codes, estimates: Vectors) -> Vectors:
        """The expected logarithms of times, without their deviations."""
        known = self._covariance(self._known, self._points(codes, estimates))
        return estimates + self._mean + self._scale * (self._weights @ known)

    def _points(self, codes: Codes, estimates: Vectors) -> _Points:
        # The rows of options are the same for all lengths.
        correlations = self._correlations[_LENGTHS[0]]
        return _Points(correlations.options(codes), _single(estimates - self._z0))

    def _most_likely(self) -> _Settings:
        """The settings under which the known times are the most likely."""
        found: dict[_Settings, float] = {}
        for length in _LENGTHS:
            options = self._known.options
            parts = self._correlations[length].of(options, options)
            for share, noise in itertools.product(_SUMS, _NOISES):
                own = self._sum(share, *parts, self._known.z, self._known.z)
                root = _root(own, noise)
                half = np.linalg.solve(root, self._y)
                likelihood = -0.5 * half @ half - np.sum(np.log(np.diag(root)))
                found[_Settings(length, share, noise)] = float(likelihood)
        return max(found, key=lambda settings: found[settings])

    def _covariance(self, left: _Points, right: _Points) -> Vectors:
        settings = self._settings
        parts = self._correlations[settings.length].of(left.options, right.options)
        return self._sum(settings.sum_share, *parts, left.z, right.z)

    def _sum(
        self, share: float, total: Vectors, product: Vectors, z: Vectors, w: Vectors
    ) -> Vectors:
        slope = (_ESTIMATE / self._scale) ** 2
        return share * total + (1 - share) * product + np.outer(slope * z, w)


def _root(matrix: Vectors, noise: float) -> Vectors:
    """The lower root of a covariance of results, which have noise."""
    matrix = matrix.astype(np.float64)
    matrix[np.diag_indices_from(matrix)] += noise**2 + 1e-6
    return np.linalg.cholesky(matrix)


def _single(values: Vectors) -> Vectors:
    """In single precision, which is enough to compare points, and quicker."""
    return np.asarray(values, dtype=np.float32)


@dataclass
class Prediction:
    """Predicted times; can be told that one of the points will be measured."""

    _process: ChoiceProcess
    _points: _Points
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
        process, noise = self._process, self._process._settings.noise
        one = self._points[place : place + 1]
        covariance = process._covariance(one, self._points)[0]
        covariance = covariance - self._projected[:, place] @ self._projected
        total = float(self._variances[place]) + noise**2
        self._variances = np.maximum(self._variances - covariance**2 / total, _CERTAIN)
        row = covariance / math.sqrt(total)
        self._projected = np.concatenate([self._projected, row[None]])


def _normal(steps: Vectors) -> Vectors:
    """The distribution function of the normal distribution."""
    return 0.5 * (1 + np.array([math.erf(x) for x in (steps / math.sqrt(2)).tolist()]))
