"""Bayesian search with a Gaussian process, by scikit-learn.

The process knows the points and their times, not the guide. Its parameters are fitted
anew when the number of results has grown by half; in between, only the results change.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.tuning.search.encoding import Encoding
from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("startup", 10, "points drawn at random before the model is used"),
    Option("candidates", 300, "valid points that the model compares"),
    Option("known", 250, "most results that the model learns from"),
)


class GaussianProcess:
    """Expected improvement over sampled points and neighbours of the best."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue]
    ) -> None:
        self._left = Unproposed(space, seed)
        self._encoding = Encoding(space)
        self._startup = int(options["startup"])
        self._candidates = int(options["candidates"])
        self._most_known = int(options["known"])
        self._seed = seed
        self._times: dict[str, tuple[Point, float | None]] = {}
        self._kernel: Any = None
        self._fitted_to = 0

    def ask(self, count: int) -> list[Point]:
        """Random points at first; then those with the largest expected gains."""
        worked = [t for _, t in self._times.values() if t is not None]
        if len(worked) < min(self._startup, 2) or len(self._times) < self._startup:
            return self._left.fill([], count)
        candidates = self._left.sample(self._candidates)
        best = min(self._times.values(), key=lambda one: one[1] or math.inf)[0]
        candidates = self._left.fresh([*candidates, *self._left.neighbours(best)])
        if not candidates:
            return self._left.fill([], count)
        gains = self._gains(candidates, math.log(min(worked)))
        order = np.argsort(-gains, kind="stable")[:count]
        points = [candidates[int(place)] for place in order]
        for point in points:
            self._left.take(point)
        return self._left.fill(points, count)

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Learn a time."""
        self._left.take(point)
        self._times[canonical(point)] = (point, milliseconds)

    def _gains(self, candidates: list[Point], best: float) -> np.ndarray:
        from scipy.stats import norm

        model = self._fitted()
        means, spreads = model.predict(
            self._encoding.vectors(candidates), return_std=True
        )
        spreads = np.maximum(spreads, 1e-9)
        steps = (best - means) / spreads
        return spreads * (norm.pdf(steps) + steps * norm.cdf(steps))

    def _fitted(self) -> Any:
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

        known = list(self._times.values())[-self._most_known :]
        worst = max(time for _, time in known if time is not None) if known else 1.0
        vectors = self._encoding.vectors([point for point, _ in known])
        # A point that fails is as bad as the slowest that works.
        times = np.log([worst if time is None else time for _, time in known])
        refit = len(self._times) >= 1.5 * self._fitted_to
        if refit:
            self._fitted_to = len(self._times)
        start = self._kernel
        if start is None:
            start = ConstantKernel(1.0, (1e-2, 1e2)) * Matern(
                1.0, (0.1, 20.0), nu=2.5
            ) + WhiteKernel(1e-3, (1e-6, 1e-1))
        # None keeps the parameters; the annotation of scikit-learn has only names.
        optimizer: Any = "fmin_l_bfgs_b" if refit else None
        model = GaussianProcessRegressor(
            start,
            optimizer=optimizer,
            normalize_y=True,
            random_state=self._seed,
        )
        with warnings.catch_warnings():
            # Parameters at their bounds are fine here.
            warnings.simplefilter("ignore")
            model.fit(vectors, times)
        self._kernel = model.kernel_
        return model


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> GaussianProcess:
    return GaussianProcess(space, seed, options)


GP = StrategyKind("gp", "Bayesian search, a Gaussian process", OPTIONS, _make)
