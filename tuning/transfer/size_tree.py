"""Decision trees: which point to use at which sizes, learned from measured times.

A tree splits at a size (`M <= 64`), and each leaf has one of the candidates. Sizes are
few, so the best tree is found exactly: of all trees with so many leaves, the one whose
worst size loses least against the best candidate of that size. The smallest tree that
loses little is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

TOLERANCE = 0.02
"""How much slower than its own best candidate a size may be."""


@dataclass(frozen=True)
class TimedSize:
    """A size at which all candidates were timed."""

    sizes: Mapping[str, int]
    times: tuple[float | None, ...]
    """The milliseconds of each candidate; None if it did not run."""

    @property
    def best(self) -> int:
        """The fastest candidate."""
        return min(range(len(self.times)), key=self.time)

    def time(self, candidate: int) -> float:
        """The milliseconds of a candidate; infinite if it did not run."""
        found = self.times[candidate]
        return math.inf if found is None else found

    def regret(self, candidate: int) -> float:
        """How much slower than the best a candidate is: 0.1 is ten percent."""
        return self.time(candidate) / self.time(self.best) - 1.0


@dataclass(frozen=True)
class Leaf:
    """A candidate."""

    candidate: int


@dataclass(frozen=True)
class Split:
    """`size <= limit`: one part of the sizes to the left, the others to the right."""

    size: str
    limit: int
    left: Tree
    right: Tree


Tree = Leaf | Split

TreeRule = tuple[tuple[tuple[str, int], ...], int]
"""The limits (`size <= number`, all of them) of a leaf, and its candidate."""


def smallest_tree(timed: Sequence[TimedSize], tolerance: float = TOLERANCE) -> Tree:
    """The tree with the fewest leaves that loses at most `tolerance` at every size."""
    tree = best_tree(timed, 1)
    for leaves in range(2, len(timed) + 1):
        if worst_regret(tree, timed) <= tolerance:
            break
        tree = best_tree(timed, leaves)
    return tree


def best_tree(timed: Sequence[TimedSize], leaves: int) -> Tree:
    """The tree of at most so many leaves that loses least at the worst size.

    Among equal ones, that with the smallest sum of losses, then with fewer leaves.
    """
    candidates = range(len(timed[0].times))

    @cache
    def solve(
        places: tuple[int, ...], leaves: int
    ) -> tuple[tuple[float, float, int], Tree]:
        found: list[tuple[tuple[float, float, int], Tree]] = []
        for candidate in candidates:
            losses = [timed[place].regret(candidate) for place in places]
            found.append(((max(losses), sum(losses), 1), Leaf(candidate)))
        if leaves > 1:
            for size, limit, left, right in _splits(timed, places):
                for share in range(1, leaves):
                    one, first = solve(left, share)
                    two, second = solve(right, leaves - share)
                    cost = max(one[0], two[0]), one[1] + two[1], one[2] + two[2]
                    found.append((cost, Split(size, limit, first, second)))
        return min(found, key=lambda entry: entry[0])

    return solve(tuple(range(len(timed))), leaves)[1]


def pick(tree: Tree, sizes: Mapping[str, int]) -> int:
    """The candidate of the leaf that these sizes lead to."""
    while isinstance(tree, Split):
        tree = tree.left if sizes[tree.size] <= tree.limit else tree.right
    return tree.candidate


def worst_regret(tree: Tree, timed: Sequence[TimedSize]) -> float:
    """The largest loss over all sizes."""
    return max(one.regret(pick(tree, one.sizes)) for one in timed)


def rules(tree: Tree) -> list[TreeRule]:
    """The leaves in order; the first one whose limits hold is the tree's answer.

    Sizes that reach the right side of a split do not satisfy its condition, since the
    rules of the left side come first and are complete.
    """
    if isinstance(tree, Leaf):
        return [((), tree.candidate)]
    left = [
        (((tree.size, tree.limit), *limits), candidate)
        for limits, candidate in rules(tree.left)
    ]
    return [*left, *rules(tree.right)]


def _splits(
    timed: Sequence[TimedSize], places: tuple[int, ...]
) -> list[tuple[str, int, tuple[int, ...], tuple[int, ...]]]:
    """The ways to split some sizes in two: between neighbours, in the middle."""
    found: list[tuple[str, int, tuple[int, ...], tuple[int, ...]]] = []
    for size in timed[0].sizes:
        values = sorted({timed[place].sizes[size] for place in places})
        for low, high in zip(values, values[1:], strict=False):
            # Halfway on the scale of ratios: 64 between 16 and 256.
            limit = min(max(round(math.sqrt(low * high)), low), high - 1)
            left = tuple(p for p in places if timed[p].sizes[size] <= limit)
            right = tuple(p for p in places if timed[p].sizes[size] > limit)
            found.append((size, limit, left, right))
    return found
