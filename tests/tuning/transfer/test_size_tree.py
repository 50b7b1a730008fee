"""Decision trees over sizes: exact, small, and equal to their rules."""

from __future__ import annotations

import itertools
import random

import pytest

from tilewright.tuning.transfer.size_tree import (
    Leaf,
    Split,
    TimedSize,
    Tree,
    best_tree,
    pick,
    rules,
    smallest_tree,
    worst_regret,
)


def rows(*timed: tuple[int, tuple[float | None, ...]]) -> list[TimedSize]:
    return [TimedSize({"M": m}, times) for m, times in timed]


def test_one_point_is_enough_where_it_loses_little() -> None:
    timed = rows((16, (1.0, 1.01)), (256, (2.0, 1.99)), (4096, (9.1, 9.0)))
    assert isinstance(smallest_tree(timed), Leaf)


def test_the_smallest_tree_within_the_tolerance() -> None:
    timed = rows(
        (16, (1.0, 2.0, 3.0)), (256, (2.0, 1.5, 1.51)), (4096, (9.0, 4.0, 2.0))
    )
    tree = smallest_tree(timed)
    # The third candidate is one percent from the best at 256: two leaves are enough.
    assert tree == Split("M", 64, Leaf(0), Leaf(2))
    assert worst_regret(tree, timed) == pytest.approx(1.51 / 1.5 - 1)
    assert smallest_tree(timed, 0.0) == Split(
        "M", 64, Leaf(0), Split("M", 1024, Leaf(1), Leaf(2))
    )


def test_candidates_that_failed_are_not_picked() -> None:
    timed = rows((16, (None, 2.0)), (256, (1.0, None)))
    assert smallest_tree(timed) == Split("M", 64, Leaf(1), Leaf(0))


def test_sizes_of_two_dimensions() -> None:
    timed = [
        TimedSize({"M": m, "N": n}, (1.0, 3.0) if m * n == 256 else (3.0, 1.0))
        for m, n in itertools.product((16, 4096), repeat=2)
    ]
    tree = smallest_tree(timed)
    assert worst_regret(tree, timed) == 0
    assert len(rules(tree)) == 3


def least(timed: list[TimedSize], leaves: int) -> float:
    """The smallest worst loss of any way to cut one dimension into ranges."""
    count = len(timed)
    best = float("inf")
    for used in range(1, leaves + 1):
        for cuts in itertools.combinations(range(1, count), used - 1):
            parts = itertools.pairwise((0, *cuts, count))
            worst = max(
                min(
                    max(timed[place].regret(c) for place in range(low, high))
                    for c in range(len(timed[0].times))
                )
                for low, high in parts
            )
            best = min(best, worst)
    return best


def test_trees_are_the_best_of_their_size() -> None:
    rng = random.Random(0)
    for _ in range(20):
        sizes = sorted(rng.sample(range(1, 10_000), 5))
        timed = rows(*((m, tuple(rng.uniform(1, 3) for _ in range(4))) for m in sizes))
        for leaves in range(1, 6):
            found = worst_regret(best_tree(timed, leaves), timed)
            assert found == pytest.approx(least(timed, leaves))


def test_rules_answer_as_the_tree_does() -> None:
    rng = random.Random(1)

    def grown(depth: int) -> Tree:
        if not depth or rng.random() < 0.2:
            return Leaf(rng.randrange(9))
        limit = rng.randrange(1, 20)
        return Split(rng.choice("MN"), limit, grown(depth - 1), grown(depth - 1))

    for _ in range(50):
        tree = grown(3)
        for m, n in itertools.product((1, 5, 10, 25), repeat=2):
            sizes = {"M": m, "N": n}
            first = next(
                candidate
                for limits, candidate in rules(tree)
                if all(sizes[name] <= number for name, number in limits)
            )
            assert first == pick(tree, sizes)
