"""The order in which the ops of a function run, and which run more than once."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, Operation, Region, SSAValue

RegionTest = Callable[[Region], bool]


class Program:
    """The order of a function's ops; every region has one block."""

    def __init__(self, root: Operation, repeats: RegionTest, in_parallel: RegionTest):
        self._repeats, self._in_parallel = repeats, in_parallel
        self._first: dict[Operation, int] = {}
        self._last: dict[Operation, int] = {}
        self._root = root
        self._step: dict[Operation, int] = {}
        self._closest_found: dict[tuple[Region, RegionTest], Region | None] = {}
        self.post_order: list[Operation] = []
        self._number(root)

    def _number(self, op: Operation) -> None:
        self._first[op] = len(self._first)
        for region in op.regions:
            for block in region.blocks:
                for nested in block.ops:
                    self._number(nested)
        self._last[op] = len(self._first) - 1
        self.post_order.append(op)

    def is_inside(self, op: Operation, outer: Operation) -> bool:
        """Whether an op is inside another, or is that op."""
        return self._first[outer] <= self._first[op] <= self._last[outer]

    def step(self, op: Operation) -> int:
        """The position, in the outermost block, of the op that contains this one.

        An earlier step ends before a later one starts, even with loops.
        """
        found = self._step.get(op)
        if found is None:
            outer = op
            while (parent := outer.parent_op()) is not self._root:
                if parent is None or parent not in self._first:
                    break
                outer = parent
            found = self._step[op] = self._first[outer]
        return found

    def is_defined_in(self, value: SSAValue, op: Operation) -> bool:
        """Whether a value is defined by an op of another's region, or deeper."""
        owner = value.owner
        inner = owner.parent_op() if isinstance(owner, Block) else owner
        return inner is not None and inner is not op and self.is_inside(inner, op)

    def happens_before(self, one: Operation, other: Operation) -> bool:
        """Whether `one` ends before `other` starts, each time their block runs."""
        if self.is_inside(other, one):
            return False
        while (parent := one.parent_op()) is not None and parent in self._first:
            if other is parent:
                return False
            if self.is_inside(other, parent):
                return (
                    self._ancestor(other, parent).parent_block() is one.parent_block()
                    and self._last[one] < self._first[other]
                )
            one = parent
        return False

    def _ancestor(self, op: Operation, child_of: Operation) -> Operation:
        while (parent := op.parent_op()) is not child_of:
            assert parent is not None
            op = parent
        return op

    def fork(self, one: Operation, other: Operation) -> Operation | None:
        """The op that contains two ops in different regions, if there is one."""
        while not self.is_inside(other, one):
            parent = one.parent_op()
            if parent is None or parent not in self._first:
                return None
            if self.is_inside(other, parent) and other is not parent:
                apart = one.parent_region() is not (
                    self._ancestor(other, parent).parent_region()
                )
                return parent if apart else None
            one = parent
        return None

    def repetitive_region(self, region: Region | None) -> Region | None:
        """The closest region around, or this one, that may run more than once."""
        return self._closest(region, self._repeats)

    def parallel_region(self, region: Region | None) -> Region | None:
        """The closest region around, or this one, that runs many times at once."""
        return self._closest(region, self._in_parallel)

    def _closest(self, region: Region | None, test: RegionTest) -> Region | None:
        if region is None:
            return None
        key = region, test
        if key not in self._closest_found:
            found: Region | None = region
            while found is not None and not test(found):
                found = outer_region(found)
            self._closest_found[key] = found
        return self._closest_found[key]


def outer_region(region: Region) -> Region | None:
    """The region around the op that a region belongs to."""
    parent = region.parent_op()
    return None if parent is None else parent.parent_region()


def region_of(value: SSAValue) -> Region | None:
    """The region that a value is defined in."""
    owner = value.owner
    return owner.parent_region() if isinstance(owner, Operation) else owner.parent


def block_of(value: SSAValue) -> Block | None:
    """The block that a value is defined in."""
    owner = value.owner
    return owner.parent_block() if isinstance(owner, Operation) else owner
