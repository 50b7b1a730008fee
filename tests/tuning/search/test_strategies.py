"""Strategies: valid points only, none twice, all of them in the end."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest

from support.paths import ROOT
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.search.order import shuffled
from tilewright.tuning.search.strategies import STRATEGIES, make_strategy
from tilewright.tuning.space.choices import (
    Alternative,
    Constraint,
    Knob,
    Point,
    canonical,
)
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space, space_of

CONDITIONAL = Space(
    (
        Knob("BM", (32, 64, 128)),
        Knob("BN", (32, 64, 128)),
        Alternative(
            "loads",
            ("pointers", "descriptors"),
            ((Knob("hint", ("a", "b")),), (Knob("S", (2, 3, 4, 5)),)),
        ),
        Knob("fast", (True, False)),
        Constraint(("BM", "BN"), "BM * BN <= 8192", lambda v: v[0] * v[1] <= 8192),
        Constraint(("BM", "S"), "BM * S <= 256", lambda v: v[0] * v[1] <= 256),
    )
)


def cost(point: Point) -> float:
    """A smooth bowl with its minimum at BM=64, BN=128, descriptors, S=3, fast."""
    total = abs(point["BM"] - 64) / 32 + abs(point["BN"] - 128) / 32  # type: ignore[operator]
    total += abs(point.get("S", 9) - 3)  # type: ignore[operator]
    return 1.0 + total + (0 if point["fast"] else 2)


SLOW = ("tpe", "gp")
"""Strategies that import large packages, or are tested at length elsewhere."""
NAMES = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
    for name in STRATEGIES
]
_KNOBS = [f"K{place}" for place in range(12)]
HUGE = read_space(
    Schedule.from_text(
        "schedule huge(root) {\n"
        + "".join(f"{name} = knob [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n" for name in _KNOBS)
        + f"require {' + '.join(_KNOBS)} <= 50\n"
        + "choose kind { one { } two { flag = knob [0, 1] } }\n}\n"
    ).module
)


@pytest.mark.parametrize("name", NAMES)
def test_exhausts_a_constrained_conditional_space(name: str) -> None:
    strategy = make_strategy(name, CONDITIONAL, seed=3)
    asked: list[Point] = []
    while batch := strategy.ask(5):
        assert len(batch) <= 5
        asked += batch
        for number, point in enumerate(batch):
            strategy.tell(point, None if number == 2 else cost(point))
    assert len(asked) == CONDITIONAL.count_valid()
    assert len({canonical(point) for point in asked}) == len(asked)
    assert all(CONDITIONAL.contains(point) for point in asked)
    assert strategy.ask(1) == []


@pytest.mark.parametrize("name", STRATEGIES)
def test_asking_ahead_of_telling(name: str) -> None:
    strategy = make_strategy(name, CONDITIONAL, seed=1)
    first, second = strategy.ask(7), strategy.ask(7)
    assert len({canonical(point) for point in first + second}) == 14
    for point in second + first:
        strategy.tell(point, cost(point))
    assert len(strategy.ask(3)) == 3


@pytest.mark.parametrize("name", [n for n in NAMES if n.values[0] != "grid"])
def test_seed_decides(name: str) -> None:
    def draw(seed: int) -> list[Point]:
        strategy = make_strategy(name, CONDITIONAL, seed)
        points: list[Point] = []
        for _ in range(6):
            batch = strategy.ask(4)
            points += batch
            for point in batch:
                strategy.tell(point, cost(point))
        return points

    assert draw(1) == draw(1) != draw(2)


@pytest.mark.parametrize("name", NAMES)
def test_a_space_of_two_points(name: str) -> None:
    strategy = make_strategy(name, space_of({"A": [1, 2]}))
    points = strategy.ask(8)
    for point in points:
        strategy.tell(point, None)
    points += strategy.ask(8)
    assert sorted(point["A"] for point in points) == [1, 2]
    assert strategy.ask(1) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_huge_space_with_constraints_and_failures(name: str) -> None:
    strategy = make_strategy(name, HUGE, seed=2)
    asked: list[Point] = []
    for number in range(12):
        batch = strategy.ask(4)
        assert len(batch) == 4
        asked += batch
        for point in batch:
            works = number > 0 and point["K0"] != 1
            total = sum(int(point[f"K{place}"]) for place in range(12))
            strategy.tell(point, 1.0 + abs(total - 30) if works else None)
    assert all(HUGE.contains(point) for point in asked)
    assert len({canonical(point) for point in asked}) == len(asked)


def test_points_that_were_told_are_not_proposed() -> None:
    known = list(CONDITIONAL.points())[:-3]
    for name in ("guided", "evolution", "descent", "annealing", "halving"):
        strategy = make_strategy(name, CONDITIONAL, seed=0)
        for point in known:
            strategy.tell(point, cost(point))
        rest = strategy.ask(100)
        assert len(rest) == 3 and all(point not in known for point in rest), name


def bowl(names: list[str]) -> tuple[Space, dict[str, int]]:
    options = [16, 32, 64, 128, 256, 512]
    best = dict(zip(names, itertools.cycle([64, 256, 128]), strict=False))
    return space_of({name: options for name in names}), best


def search(name: str, seed: int, trials: int) -> float:
    space, best = bowl([f"K{i}" for i in range(6)])
    strategy = make_strategy(name, space, seed)
    lowest = float("inf")
    for _ in range(trials // 4):
        for point in strategy.ask(4):
            steps = (
                int(v).bit_length() - best[k].bit_length() for k, v in point.items()
            )
            found = 1.0 + sum(step * step for step in steps)
            lowest = min(lowest, found)
            strategy.tell(point, found)
    return lowest


@pytest.mark.slow
def test_tpe_beats_random_on_a_bowl() -> None:
    seeds = range(3)
    tpe = sum(search("tpe", seed, 80) for seed in seeds)
    drawn = sum(search("random", seed, 80) for seed in seeds)
    assert tpe < drawn


def test_tpe_takes_results_of_an_earlier_search() -> None:
    strategy = make_strategy("tpe", CONDITIONAL, seed=0)
    known = list(CONDITIONAL.points())[:-3]
    for point in known:
        strategy.tell(point, cost(point))
    rest = strategy.ask(100)
    assert len(rest) == 3
    assert all(point not in known for point in rest)


def test_shuffle_of_many_numbers_is_a_permutation() -> None:
    rng = random.Random(0)
    assert sorted(shuffled(500, rng)) == list(range(500))
    huge = list(itertools.islice(shuffled(10**15, rng), 1000))
    assert len(set(huge)) == 1000
    assert max(huge) > 10**14
    counts = [0] * 3
    for _ in range(3000):
        counts[next(shuffled(3, rng))] += 1
    assert min(counts) > 850


def test_unknown_names() -> None:
    with pytest.raises(UserError, match="unknown strategy 'tpee'; did you mean 'tpe'"):
        make_strategy("tpee", CONDITIONAL)
    with pytest.raises(UserError, match="no option 'startap'; did you mean 'startup'"):
        make_strategy("tpe", CONDITIONAL, options={"startap": 3})
    with pytest.raises(UserError, match="strategy 'grid' has no option 'x'"):
        make_strategy("grid", CONDITIONAL, options={"x": 3})


def test_empty_space_is_refused() -> None:
    never = Constraint(("A",), "A > 9", lambda values: False)
    with pytest.raises(UserError, match="no point of the space satisfies.*A > 9"):
        make_strategy("random", Space((Knob("A", (1, 2)), never)))


@pytest.mark.slow
def test_heavy_packages_load_late() -> None:
    """Importing tilewright.tuning must cost neither torch nor triton nor optuna."""
    root = ROOT
    modules = sorted(
        ".".join(("tilewright", *path.relative_to(root).with_suffix("").parts))
        for path in (root / "tuning").rglob("*.py")
        # A Triton kernel, which only processes that compile import.
        if path.name != "warm_kernel.py"
    )
    script = f"import sys, importlib\nfor m in {modules}: importlib.import_module(m)\n"
    script += "print([m for m in ('torch', 'triton', 'optuna') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout.strip() == "[]"
