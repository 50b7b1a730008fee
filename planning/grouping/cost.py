"""What kernels cost: the estimates of their sketches, and what is computed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import SSAValue

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import Operand, OpFacts
from tilewright.planning.grouping.group import Group

Estimate = Callable[[Group], float]
"""The seconds of a group's fastest kernel; infinite if no kernel computes it."""


class Cost:
    """The seconds of groups on a target."""

    def __init__(self, target: Target, estimate: Estimate):
        self._target = target
        self._estimate = estimate
        self._known: dict[Group, float] = {}

    def seconds(self, groups: Sequence[Group]) -> float:
        """The time of some groups, one after the other."""
        return sum(map(self._seconds, groups))

    def _seconds(self, group: Group) -> float:
        """The estimate of a group, and the time of what is read again."""
        if (found := self._known.get(group)) is None:
            found = self._estimate(group) + self.read_again(group)
            self._known[group] = found
        return found

    def read_again(self, group: Group) -> float:
        """The seconds to read what several programs of a group compute."""
        again = _summed_again(group) + _multiplied_again(group)
        return again / self._target.l2_bandwidth

    def saved_at_most(self, before: Sequence[Group], after: Sequence[Group]) -> float:
        """The time that `after` can save over `before`: launches, and traffic.

        It is quick, and decides in which order merges are looked at.
        """
        moved = sum(group.moved_bytes for group in before)
        moved -= sum(group.moved_bytes for group in after)
        launches = (len(before) - len(after)) * self._target.calibration.launch
        return launches + moved / self._target.hbm_bandwidth


def _summed_again(group: Group) -> int:
    """The bytes that programs read for reductions which others compute too.

    Programs that differ only along an axis which a reduction does not have compute the
    same sums, from what the L2 cache has.
    """
    if group.stream is not None or not group.reductions:
        return 0
    grid, total = group.grid_axes(), 0
    for facts in group.reductions:
        again = math.prod(a.extent for a in grid if facts.number not in a.loops)
        total += (again - 1) * facts.read_bytes
    return total


def _multiplied_again(group: Group) -> int:
    """The bytes that tiles of a matmul read to compute its factors, beside these.

    Each tile along the loops that a factor lacks computes the factor again.
    """
    if not group.prologues:
        return 0
    made: dict[SSAValue, OpFacts] = {
        result: facts for facts in group.prologues for result in facts.op.results
    }
    total = 0
    for matmul in group.contractions:
        for factor in matmul.inputs:
            if factor.value not in made:
                continue
            # A usual tile of a matmul has 128 rows and columns.
            tiles = max(1, matmul.count(matmul.reuse(factor)) // 128)
            read = sum(each.bytes for each in _behind(made, factor))
            total += tiles * max(0, read - factor.bytes)
    return total


def _behind(made: Mapping[SSAValue, OpFacts], operand: Operand) -> list[Operand]:
    """The tensors in memory that an operand is computed from in a matmul's loop."""
    found: dict[SSAValue, Operand] = {}
    pending = [operand]
    while pending:
        for each in made[pending.pop().value].operands:
            if each.value in made:
                pending.append(each)
            elif each.is_read:
                found[each.value] = each
    return list(found.values())
