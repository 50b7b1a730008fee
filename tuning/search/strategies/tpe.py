"""Bayesian search with a tree-structured Parzen estimator, by Optuna.

The sampler is asked for one choice after another, so that choices in branches that are
not taken are left out. A proposal that violates a constraint is reported to the sampler
as bad and replaced; it never reaches the compiler and is not a trial. Numbers are
proposed by their rank among the options, so that 64 lies between 32 and 128; categories
would have no order.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

from tilewright.tuning.search.guide import Guide
from tilewright.tuning.search.strategies.base import (
    Option,
    OptionValue,
    StrategyKind,
    unseen,
)
from tilewright.tuning.space.choices import Choice, Knob, Point, Value, canonical
from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("startup", 16, "points drawn at random before the model is used"),
    Option("candidates", 32, "proposals the model weighs for each point"),
    Option("patience", 8, "unusable proposals in a row before one is drawn at random"),
)


class Tpe:
    """Optuna's sampler as a strategy."""

    def __init__(
        self, space: Space, seed: int, startup: int, candidates: int, patience: int
    ) -> None:
        self._space = space
        self._patience = patience
        self._study = _study(space, seed, startup, candidates)
        # An estimated count must not end the search; the fallback does at the end.
        self._total = self._left = space.count_valid() if space.is_exact() else None
        self._fallback = unseen(space, random.Random(seed))
        self._seen: set[str] = set()
        self._open: dict[str, Any] = {}

    def ask(self, count: int) -> list[Point]:
        """Proposals of the sampler; random points where it proposes nothing new."""
        points: list[Point] = []
        while len(points) < count and self._left != 0:
            point = self._next()
            if point is None:
                break
            points.append(point)
        return points

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Tell the sampler; a point that did not run ranks behind all that did."""
        key = canonical(point)
        if key not in self._open and key not in self._seen:
            self._enter(point)
        trial = self._open.pop(key, None)
        if trial is None:
            return
        if milliseconds is None:
            self._study.tell(trial, state=_states().PRUNED)
        else:
            self._study.tell(trial, milliseconds)

    def _next(self) -> Point | None:
        # When most points were proposed, nearly every new proposal is one of them.
        left, total = self._left, self._total
        nearly_done = left is not None and total is not None and left < total // 4
        for _ in range(0 if nearly_done else self._patience):
            trial = self._study.ask()
            point, violated = self._space.assemble(lambda c, t=trial: _suggest(t, c))
            if violated is not None:
                self._study.tell(trial, state=_states().PRUNED)
            elif canonical(point) in self._seen:
                # The sampler's model ignores failed trials.
                self._study.tell(trial, state=_states().FAIL)
            else:
                self._remember(point, trial)
                return point
        for point in self._fallback:
            if canonical(point) not in self._seen:
                self._enter(point)
                return point
        return None

    def _enter(self, point: Point) -> None:
        """Make an Optuna trial of a point that the sampler did not propose."""
        names = self._space.choices
        self._study.enqueue_trial(
            {name: _encode(names[name], value) for name, value in point.items()}
        )
        trial = self._study.ask()
        self._space.assemble(lambda c: _suggest(trial, c))
        self._remember(point, trial)

    def _remember(self, point: Point, trial: Any) -> None:
        self._seen.add(canonical(point))
        self._open[canonical(point)] = trial
        if self._left is not None:
            self._left -= 1


def _ranked(choice: Choice) -> list[Any] | None:
    """The options in ascending order, where they are three numbers or more."""
    options = choice.options
    numbers = isinstance(choice, Knob) and not any(
        isinstance(option, bool | str) for option in options
    )
    return sorted(options, key=float) if numbers and len(options) > 2 else None


def _suggest(trial: Any, choice: Choice) -> Value:
    ranked = _ranked(choice)
    if ranked is None:
        return trial.suggest_categorical(choice.name, list(choice.options))
    return ranked[trial.suggest_int(choice.name, 0, len(ranked) - 1)]


def _encode(choice: Choice, value: Value) -> Value:
    ranked = _ranked(choice)
    return value if ranked is None else ranked.index(value)


def _states() -> Any:
    from optuna.trial import TrialState

    return TrialState


def _study(space: Space, seed: int, startup: int, candidates: int) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        # Optuna marks some of these options as experimental.
        warnings.simplefilter("ignore")
        sampler = optuna.samplers.TPESampler(
            seed=seed,
            n_startup_trials=startup,
            n_ei_candidates=candidates,
            multivariate=True,
            group=bool(space.conditional),
            constant_liar=True,
            warn_independent_sampling=False,
        )
    return optuna.create_study(sampler=sampler, direction="minimize")


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Tpe:
    return Tpe(
        space,
        seed,
        int(options["startup"]),
        int(options["candidates"]),
        int(options["patience"]),
    )


TPE = StrategyKind(
    "tpe", "Bayesian search, a Parzen estimator", OPTIONS, _make, learns=True
)
