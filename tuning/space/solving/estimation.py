"""Estimating the size of a component whose diagram is too large, and sampling from it.

Where enough random values are valid, their share is the estimate, and a valid one is a
uniform sample. Otherwise the states of the diagram are followed layer by layer, each
with the number of paths that lead to it. When a layer has too many states, some of them
are drawn in proportion to these numbers and represent the others. The mean of the final
numbers over several runs is an unbiased estimate of the count (sequential Monte Carlo;
with one state per layer it is Knuth's estimator of the size of a search tree). The
spread of the runs gives the error.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import exp, inf, log, log10, sqrt

from tilewright.tuning.space.solving.components import Component, State
from tilewright.tuning.space.solving.domains import bits

_BLIND = 4_000
"""Random values for an estimate."""
_ENOUGH = 40
"""Valid values among them that suffice: a standard error of at most 16%."""
_RUNS = 8
"""Runs of an estimate by layers; 3 where a run is long."""
_WORK_OF_ESTIMATE = 8_000
"""Options that are tried for an estimate, in all runs."""
_WORK_OF_DRAW = 2_000
"""Options that are tried for one sample by layers."""


@dataclass(frozen=True)
class Estimate:
    """An estimated number of values."""

    logarithm: float
    """The natural logarithm of the number; -inf where no value was found."""
    error: float
    """The relative standard error of the number."""

    def whole(self) -> int:
        """The number, rounded to its significant digits."""
        if self.logarithm == -inf:
            return 0
        exponent = int(self.logarithm / log(10))
        digits = round(exp(self.logarithm - exponent * log(10)) * 1000)
        return max(1, digits * 10**exponent // 1000)


@dataclass
class _Way:
    """How often a state was reached, and from which states."""

    weight: float
    sources: list[tuple[float, State, int]]
    """Weight, state of the layer before, and the options that lead here."""


_Layer = dict[State, _Way]


def estimate(component: Component, seed: int = 0) -> Estimate:
    """Estimate the number of values of a component."""
    rng = random.Random(seed)
    options = [list(bits(component.options[c])) for c in component.choices]
    tries = max(200, min(_BLIND, _BLIND * 25 // len(options)))
    valid = sum(component.holds([*map(rng.choice, options)]) for _ in range(tries))
    if valid >= _ENOUGH:
        share = valid / tries
        everything = sum(log(len(one)) for one in options)
        error = sqrt((1 - share) / valid)
        return Estimate(everything + log(share), max(error, 1 / tries))
    width = _width(component, _WORK_OF_ESTIMATE // _RUNS)
    runs = _RUNS if width > 2 else 3
    found = [_run(component, width, rng)[0] for _ in range(runs)]
    largest = max(found)
    if largest == -inf:
        return Estimate(-inf, inf)
    scaled = [exp(one - largest) for one in found]
    mean = sum(scaled) / runs
    variance = sum((one - mean) ** 2 for one in scaled) / (runs - 1)
    return Estimate(largest + log(mean), sqrt(variance / runs) / mean)


def draw(component: Component, rng: random.Random) -> list[int] | None:
    """Sample the options of a component's choices, in order.

    Every value is equally likely where one of the random values is valid; otherwise
    nearly so. None where no valid value was found.
    """
    options = [list(bits(component.options[c])) for c in component.choices]
    for _ in range(max(20, min(2_000, 40_000 // len(options)))):
        blind = [*map(rng.choice, options)]
        if component.holds(blind):
            return blind
    width = _width(component, _WORK_OF_DRAW)
    for attempt in range(4):
        total, layers = _run(component, width << attempt, rng)
        if total > -inf:
            return _traced(layers, rng)
    return None


def _options(mask: int) -> list[int]:
    return list(bits(mask))


def _width(component: Component, work: int) -> int:
    """The number of states of a layer that `work` allows to follow."""
    options = sum(component.options[c].bit_count() for c in component.choices)
    return max(2, work // max(1, options))


def _run(
    component: Component, width: int, rng: random.Random
) -> tuple[float, list[_Layer]]:
    """The logarithm of the number of values by one run, and the layers of the run."""
    scale = 0.0
    layers: list[_Layer] = [{component.start: _Way(1.0, [])}]
    for _ in component.choices:
        following: _Layer = {}
        for state, way in layers[-1].items():
            for mask, child in component.edges(state):
                weight = way.weight * mask.bit_count()
                entry = following.setdefault(child, _Way(0.0, []))
                entry.weight += weight
                entry.sources.append((weight, state, mask))
        if not following:
            return -inf, layers
        if len(following) > width:
            following = _thinned(following, width, rng)
        total = sum(way.weight for way in following.values())
        for way in following.values():
            way.weight /= total
        scale += log(total)
        layers.append(following)
    return scale, layers


def _thinned(layer: _Layer, width: int, rng: random.Random) -> _Layer:
    """A sample of states that represents all: systematic sampling by weight."""
    step = sum(way.weight for way in layer.values()) / width
    mark = rng.random() * step
    kept: _Layer = {}
    reached = 0.0
    for state, way in layer.items():
        reached += way.weight
        times = 0
        while mark < reached:
            times += 1
            mark += step
        if times:
            kept[state] = _Way(times * step, way.sources)
    return kept


def _traced(layers: list[_Layer], rng: random.Random) -> list[int]:
    """Sample a path through the layers, from the end to the start."""
    (state,) = layers[-1]
    chosen: list[int] = []
    for layer in reversed(layers[1:]):
        sources = layer[state].sources
        weights = [weight for weight, _, _ in sources]
        ((_, state, mask),) = rng.choices(sources, weights)
        chosen.append(rng.choice(_options(mask)))
    return chosen[::-1]


def magnitude(number: int) -> str:
    """`3.2e+11`, also for numbers that no float can hold."""
    exponent = len(str(number)) - 1 if number < 10**400 else int(_log10(number))
    digits = number // 10 ** max(0, exponent - 1)
    return f"{digits / 10:.1f}e+{exponent:02d}"


def _log10(number: int) -> float:
    shift = max(0, number.bit_length() - 1000)
    return log10(number >> shift) + shift * log10(2)
