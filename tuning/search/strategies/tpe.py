"""Bayesian search with a tree-structured Parzen estimator, by Optuna.

The sampler knows no constraints. Its proposal is replaced by the most similar of some
valid points that were not proposed before: a sample, and the neighbours of the best
point. Numbers are proposed by their rank among the options, so that 64 lies between 32
and 128; categories would have no order.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.tuning.search.encoding import Encoding, is_ordered, ranked_options
from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Choice, Point, Value
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("startup", 16, "points drawn at random before the model is used"),
    Option("candidates", 32, "proposals the model weighs for each point"),
    Option("valid", 128, "valid points, of which the most similar is proposed"),
)


class Tpe:
    """Optuna's sampler as a strategy."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue]
    ) -> None:
        self._space = space
        self._left = Unproposed(space, seed)
        self._encoding = Encoding(space)
        self._startup = int(options["startup"])
        self._valid = int(options["valid"])
        self._study = _study(space, seed, int(options["candidates"]))
        self._best: tuple[float, Point] | None = None
        self._told = 0

    def ask(self, count: int) -> list[Point]:
        """Random points at first; then valid points like the sampler's proposals."""
        if self._told < self._startup:
            return self._left.fill([], count)
        candidates = self._left.sample(self._valid)
        if self._best is not None:
            candidates += self._left.neighbours(self._best[1])
        candidates = self._left.fresh(candidates)
        points: list[Point] = []
        codes = self._encoding.codes(candidates)
        for _ in range(min(count, len(candidates))):
            wanted = self._encoding.codes([self._proposal()])[0]
            place = int(np.argmin(self._distances(codes, wanted)))
            points.append(candidates.pop(place))
            codes = np.delete(codes, place, axis=0)
            self._left.take(points[-1])
        return self._left.fill(points, count)

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Tell the sampler; a point that did not run ranks behind all that did."""
        from optuna.trial import TrialState, create_trial

        self._left.take(point)
        self._told += 1
        if milliseconds is not None and (
            self._best is None or milliseconds < self._best[0]
        ):
            self._best = (milliseconds, point)
        choices = self._space.choices
        self._study.add_trial(
            create_trial(
                state=TrialState.PRUNED
                if milliseconds is None
                else TrialState.COMPLETE,
                value=milliseconds,
                params={n: _encoded(choices[n], value) for n, value in point.items()},
                distributions={name: _distribution(choices[name]) for name in point},
            )
        )

    def _proposal(self) -> Point:
        """A point by the sampler; it may break constraints."""
        from optuna.trial import TrialState

        trial = self._study.ask()
        point, _ = self._space.assemble(
            lambda choice: _suggested(trial, choice), constrained=False
        )
        # The sampler's model ignores failed trials.
        self._study.tell(trial, state=TrialState.FAIL)
        return point

    def _distances(self, codes: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """How different the points are: ranks apart, or 1 for each unordered choice."""
        total = np.zeros(len(codes))
        for place, choice in enumerate(self._encoding.choices):
            column, value = codes[:, place], wanted[place]
            if is_ordered(choice):
                last = max(1, len(choice.options) - 1)
                steps = np.minimum(1.0, 0.3 + np.abs(column - value) / last)
                apart = np.where((column < 0) != (value < 0), 1.0, steps)
                total += np.where(column == value, 0.0, apart)
            else:
                total += column != value
        return total


def _suggested(trial: Any, choice: Choice) -> Value:
    if not is_ordered(choice):
        return trial.suggest_categorical(choice.name, list(choice.options))
    ranked = ranked_options(choice)
    return ranked[trial.suggest_int(choice.name, 0, len(ranked) - 1)]


def _distribution(choice: Choice) -> Any:
    from optuna.distributions import CategoricalDistribution, IntDistribution

    if not is_ordered(choice):
        return CategoricalDistribution(list(choice.options))
    return IntDistribution(0, len(choice.options) - 1)


def _encoded(choice: Choice, value: Value) -> Value:
    return ranked_options(choice).index(value) if is_ordered(choice) else value


def _study(space: Space, seed: int, candidates: int) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        # Optuna marks some of these options as experimental.
        warnings.simplefilter("ignore")
        sampler = optuna.samplers.TPESampler(
            seed=seed,
            n_startup_trials=0,
            n_ei_candidates=candidates,
            multivariate=True,
            group=bool(space.conditional),
            warn_independent_sampling=False,
        )
    return optuna.create_study(sampler=sampler, direction="minimize")


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Tpe:
    return Tpe(space, seed, options)


TPE = StrategyKind("tpe", "Bayesian search, a Parzen estimator", OPTIONS, _make)
