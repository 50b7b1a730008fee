"""The rows of a group: how many, how long, what is held of them and what is moved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from xdsl.ir import Operation, SSAValue

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.linalg.generic import IndexOp
from tilewright.planning.analysis.facts import ALONE, Operand, OpFacts, Role
from tilewright.planning.grouping.group import Axis, Group, Place

MOST_AXES = 5
"""The axes of a grid: those of a batch of volumes, and one more."""
EXP, EXP2, QUOTIENT, FUNCTION = 5, 2, 4, 10
"""The machine instructions of an exponential, of one to the base 2, of a quotient and
of another function; other operations are one."""
CONVERSIONS = (
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.IndexCastOp,
)
"""Operations that are computed once for all their readers: what is loaded or stored is
converted there."""


@dataclass(frozen=True)
class RowShape:
    """A group that reduces along its innermost axes, which form a row."""

    group: Group
    count: int
    """The number of rows."""
    length: int
    """The elements of a row."""
    inner: tuple[Axis, ...]
    places: frozenset[Place]
    """The axes of a row."""
    accessed: tuple[Operand, ...]
    """The tensors with rows that the kernel reads or writes."""
    shared: tuple[Operand, ...]
    """The vectors along a row that all rows read, such as weights."""
    written: int
    """The bytes that are written."""

    @cached_property
    def outer(self) -> list[Axis]:
        """The axes that the grid cuts; one at the least."""
        axes = self.group.grid_axes()
        return [axis for axis in axes if axis.extent != 1 or axis.is_open] or axes[:1]

    @cached_property
    def moved(self) -> int:
        """The bytes that are read and written, each once."""
        inputs = sum(o.bytes for o in self.group.outside_inputs())
        return inputs + self.written

    def passes_by(self, target: Target) -> bool:
        """Whether rows larger than the L2 cache only pass by: little is written.

        No other kernel finds them there. Kernels that write rows as well were not
        measured with it.
        """
        return self.moved > target.l2_bytes and self.written <= self.moved // 16

    @cached_property
    def lanes(self) -> int:
        """The elements of the widest access, for the narrowest type."""
        widths = [operand.element.byte_width for operand in self.accessed]
        return max(1, WIDE_LOAD // min(widths, default=4))

    @cached_property
    def is_odd(self) -> bool:
        """Whether rows start at addresses that are no multiples of 16 bytes."""
        return any(
            self.length * operand.element.byte_width % WIDE_LOAD
            for operand in self.accessed
        )

    @cached_property
    def has_scan(self) -> bool:
        """Whether totals run along the row, so that it is whole or cut in order."""
        return any(facts.role == Role.SCAN for facts in self.group.ops)

    @property
    def can_align(self) -> bool:
        """Whether `triton.aligned_rows` applies: see `codegen/kernel/row_lanes.py`."""
        return (
            self.is_odd
            and not self.has_scan
            and self.count > 1
            and len(self.inner) == 1
            and self.length >= 2 * self.lanes
        )

    @cached_property
    def operations(self) -> float:
        """Arithmetic for each element."""
        return self.group.flops / max(self.count * self.length, 1)

    def instructions(self, exponential: int) -> float:
        """Machine instructions for each element, by the bodies of the ops."""
        counted = sum(
            _instructions(op, exponential)
            for facts in self.group.ops
            if self.has_row(facts)
            for op in facts.op.body.block.ops
            if op.operands and op.dialect_name() in ("arith", "math")
        )
        return counted + len(self.accessed) + len(self.shared)

    @cached_property
    def held(self) -> int:
        """The elements that stay in registers across a reduction, for each lane."""
        most = 1
        for reduction in self.group.reductions:
            alive = sum(
                first <= reduction.number < last for first, last in self._spans()
            )
            most = max(most, alive)
        most += any(map(self._counts_columns, self.group.ops))
        # A scan needs the elements and the totals at once.
        return most + self.has_scan

    def _counts_columns(self, facts: OpFacts) -> bool:
        """Whether an op along the row computes with indices, which take registers."""
        return self.has_row(facts) and any(
            isinstance(op, IndexOp) for op in facts.op.walk()
        )

    def _spans(self) -> list[tuple[int, int]]:
        """From where to where each row tensor is needed, in numbers of ops."""
        spans: dict[object, tuple[int, int]] = {}
        for facts in self.group.ops:
            for operand in facts.operands:
                if not operand.is_read or not self.runs_along(facts, operand):
                    continue
                first, last = spans.get(operand.value, (facts.number,) * 2)
                spans[operand.value] = (first, max(last, facts.number))
        return list(spans.values())

    def runs_along(self, facts: OpFacts, operand: Operand) -> bool:
        """Whether an operand has a dimension along the row."""
        return any(
            loop is not None and self.group.axis(facts, loop) in self.places
            for loop in operand.loops
        )

    def has_row(self, facts: OpFacts) -> bool:
        """Whether an op has a loop along the row."""
        axes = {self.group.axis(facts, loop) for loop in range(len(facts.extents))}
        return bool(axes & self.places)

    def reduces(self, facts: OpFacts) -> bool:
        """Whether an op reduces along the row."""
        return any(
            self.group.axis(facts, loop) in self.places for loop in facts.reduced
        )

    def producers(self, facts: OpFacts) -> list[tuple[int, OpFacts]]:
        """The ops of the group that make operands of an op, by position."""
        made: dict[SSAValue, OpFacts] = {
            result: f for f in self.group.ops for result in f.op.results
        }
        return [
            (position, made[operand.value])
            for position, operand in enumerate(facts.operands)
            if operand.value in made
        ]

    def levels(self) -> list[list[OpFacts]]:
        """The reductions along the row in the order that they depend on each other.

        Those of one level do not: one loop serves them all.
        """
        level: dict[OpFacts, int] = {}
        found: list[list[OpFacts]] = []
        for facts in self.group.ops:
            before = [level[p] + self.reduces(p) for _, p in self.producers(facts)]
            level[facts] = max(before, default=0)
            if self.reduces(facts):
                while len(found) <= level[facts]:
                    found.append([])
                found[level[facts]].append(facts)
        return [each for each in found if each]

    def leaves(self, facts: OpFacts) -> bool:
        """Whether a result is read outside the group."""
        return facts in self.group.leaving


def _instructions(op: Operation, exponential: int) -> int:
    if isinstance(op, CONVERSIONS):
        return 0
    if isinstance(op, math.ExpOp | math.Exp2Op):
        return exponential
    if op.dialect_name() == "math":
        return FUNCTION
    return QUOTIENT if isinstance(op, arith.DivfOp) else 1


def row_shape(group: Group) -> RowShape | None:
    """The rows of a group, if its reductions run along contiguous rows."""
    if group.contractions or not group.reductions or not group.grid_axes():
        return None
    if any(f.role in ALONE for f in group.ops):
        return None
    by_number = {f.number: f for f in group.ops}
    inner = tuple(group.inner_axes())
    if not inner or any(a.is_open for a in inner):
        return None
    places = frozenset(
        group.axis(by_number[number], loop)
        for axis in inner
        for number, loop in axis.loops.items()
    )
    shape = RowShape(
        group,
        prod(axis.extent for axis in group.grid_axes()),
        prod(axis.extent for axis in inner),
        inner,
        places,
        (),
        (),
        0,
    )
    accessed: list[Operand] = []
    shared: list[Operand] = []
    written = 0
    outside = {operand.value for operand in group.outside_inputs()}
    seen: set[object] = set()
    for facts in group.ops:
        is_left = facts is group.sink or shape.leaves(facts)
        for operand in facts.operands:
            is_input = operand.is_read and operand.value in outside
            is_output = operand.is_written and is_left
            if not (is_input or is_output) or (is_input and operand.value in seen):
                continue
            seen.add(operand.value)
            written += operand.bytes if is_output else 0
            if not shape.runs_along(facts, operand):
                continue
            last = operand.inner
            if last is None or group.axis(facts, last) not in places:
                return None
            whole = operand.elements >= shape.count * shape.length
            (accessed if whole else shared).append(operand)
    if not accessed:
        # All pairs of two sets of rows: each row is read many times, from a cache.
        accessed, shared = shared, []
    if not accessed or len(shape.outer) > MOST_AXES:
        return None
    return RowShape(
        group,
        shape.count,
        shape.length,
        inner,
        places,
        tuple(accessed),
        tuple(shared),
        written,
    )
