"""Chains of reductions that one loop can compute, each ending in a matmul.

Attention is such a chain: a matmul makes the scores, reductions run along its columns,
and a second matmul sums over them. Stored in between, the scores are the largest
tensors by far. The rules look at axes and sizes; `stream` itself says whether the
reductions can be corrected.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import POINTWISE, Group, Place, Stream
from tilewright.planning.grouping.joining import joined_ops
from tilewright.transforms.cleanup.patterns.linalg.sums_order import WIDEST_HELD
from tilewright.transforms.structured.stream.derivable import derivable_chain


@dataclass(frozen=True)
class Streams:
    """The chains of a payload that can be streamed, and why others cannot.

    Two chains may have an op in common; only one of them is streamed then.
    """

    chains: tuple[Stream, ...]
    """Those that end last come first."""
    resisting: dict[OpFacts, str]
    """The reason against the chain that ends in a matmul."""

    def without(self, refused: Mapping[Stream, str]) -> Streams:
        """The other chains; those that are refused resist for the given reason."""
        kept = tuple(stream for stream in self.chains if stream not in refused)
        reasons = {stream.matmul: reason for stream, reason in refused.items()}
        return Streams(kept, self.resisting | reasons)


NO_CHAINS = Streams((), {})


class _Unfit(Exception):
    """A chain is found, and cannot be one loop for this reason."""


def find_streams(analysis: Analysis) -> Streams:
    """The chains that end in the matmuls of a payload."""
    chains: list[Stream] = []
    resisting: dict[OpFacts, str] = {}
    for facts in reversed(analysis.plannable):
        if facts.role != Role.CONTRACTION:
            continue
        try:
            stream = _stream_at(analysis, facts)
        except _Unfit as unfit:
            resisting[facts] = str(unfit)
            continue
        if stream is not None:
            chains.append(stream)
    return Streams(tuple(chains), resisting)


def _stream_at(analysis: Analysis, matmul: OpFacts) -> Stream | None:
    """The chain that ends in a matmul; None if nothing is worth streaming."""
    dims = matmul.contraction
    assert dims is not None
    if len(dims.k) != 1 or len(matmul.inputs) != 2:
        return None
    (loop,) = dims.k
    for operand in matmul.inputs:
        made = analysis.producer(operand.value)
        if made is None or loop not in operand.loops:
            continue
        rows = [i for i in operand.loops if i in (*dims.m, *dims.n)]
        walk = _Walk(analysis, matmul, loop, rows)
        walk.run()
        if walk.makes_or_reduces:
            return walk.stream()
    return None


class _Walk:
    """The ops behind a matmul that run along its rows and its sum."""

    def __init__(
        self, analysis: Analysis, matmul: OpFacts, loop: int, rows: Sequence[int]
    ):
        self.analysis = analysis
        self.matmul = matmul
        self.loop = loop
        self.rows = tuple(rows)
        self.group = Group([matmul])
        self.members: dict[OpFacts, None] = {matmul: None}
        self.unfit: str | None = None

    @property
    def axis(self) -> Place:
        """The dimension that the chain runs along."""
        return self.group.axis(self.matmul, self.loop)

    def axes(self, facts: OpFacts) -> list[Place]:
        """The axis of each loop of an op."""
        return [self.group.axis(facts, loop) for loop in range(len(facts.extents))]

    def along(self, facts: OpFacts) -> int | None:
        """An op's loop along the dimension."""
        axes = self.axes(facts)
        return axes.index(self.axis) if self.axis in axes else None

    def run(self) -> None:
        """Collect what the matmul is made of."""
        self._collect([self.matmul])

    def _collect(self, readers: Iterable[OpFacts]) -> None:
        """Add the producers of members, from the last one to the first, as far as a
        matmul or a reduction makes them."""
        found = {made.number: made for one in readers for made in self._producers(one)}
        waiting = [-number for number in found]
        heapq.heapify(waiting)
        while waiting:
            facts = found[-heapq.heappop(waiting)]
            if facts in self.members:
                continue
            if not self._take(facts, self.belongs) or facts.role == Role.CONTRACTION:
                continue
            for made in self._producers(facts):
                if made.number not in found:
                    found[made.number] = made
                    heapq.heappush(waiting, -made.number)
        self._keep_core()

    def _keep_core(self) -> None:
        """Leave out what no matmul and no reduction of the chain makes.

        Whether the loop computes such an op, or reads its stored result, is a matter
        of cost, which the search decides.
        """
        core: set[OpFacts] = set()
        for facts in sorted(self.members, key=lambda facts: facts.number):
            made = (made for _, made in self.analysis.producers(facts))
            if facts.reduced or not core.isdisjoint(made):
                core.add(facts)
        self.members = {facts: None for facts in self.members if facts in core}
        ops = [facts for facts in self.group.ops if facts in core]
        self.group = Group(ops, self.group.places)

    def _producers(self, facts: OpFacts) -> Iterator[OpFacts]:
        for _, made in self.analysis.producers(facts):
            if made.role != Role.FILL and made.op.parent is self.matmul.op.parent:
                yield made

    def _take(self, facts: OpFacts, fits: Callable[[OpFacts], bool]) -> bool:
        """Add an op whose loops run along those of the group, if it fits there."""
        before = self.group
        joined = joined_ops((before, Group([facts])))
        if isinstance(joined, str):
            return False
        self.group = joined
        if not fits(facts):
            self.group = before
            return False
        self.members[facts] = None
        return True

    def belongs(self, facts: OpFacts) -> bool:
        """Whether an op runs along the rows, so that no tile computes it again."""
        axes = self.axes(facts)
        rows = {self.group.axis(self.matmul, loop) for loop in self.rows}
        loop = self.along(facts)
        if facts.role in POINTWISE:
            return not rows or bool(rows & set(axes))
        if not rows <= set(axes):
            return False
        if facts.role == Role.REDUCTION:
            # Along what it reduces is known when its producers are; `stream` finds out.
            return len(facts.reduced) == 1
        if facts.role != Role.CONTRACTION or loop is None or loop in facts.reduced:
            return False
        held = facts.count(facts.reduced)
        if held > WIDEST_HELD:
            self.unfit = (
                f"a tile cannot hold whole rows of the factors of '{facts.name}': "
                f"they have {held} elements"
            )
            return False
        return True

    @property
    def makes_or_reduces(self) -> bool:
        """Whether a matmul makes the elements, or a reduction needs whole rows."""
        return any(f.reduced for f in self.members if f is not self.matmul) or (
            self.unfit is not None
        )

    def stream(self) -> Stream:
        """The chain, if `stream` accepts it and a tile holds what it must."""
        if self.unfit is not None:
            raise _Unfit(self.unfit)
        columns = math.prod(
            self.matmul.extents[loop]
            for loop in self.matmul.parallel
            if loop not in self.rows and loop not in self._batch()
        )
        if columns > WIDEST_HELD:
            raise _Unfit(
                f"a tile cannot hold whole rows of '{self.matmul.name}': they have "
                f"{columns} elements"
            )
        chain = self._derived([self.matmul])
        others = self._also_reduced(chain)
        if others:
            chain = self._derived([self.matmul, *others])
        if not any(facts.reduced for facts in chain if facts is not self.matmul):
            raise _Unfit("its ops do not run along one dimension")
        self._check_readers(chain)
        return Stream(
            self.matmul, tuple(others), frozenset(chain), self.loop, self.rows
        )

    def _batch(self) -> tuple[int, ...]:
        assert self.matmul.contraction is not None
        return tuple(self.matmul.contraction.batch)

    def _derived(self, targets: Sequence[OpFacts]) -> list[OpFacts]:
        """The members that `stream` fuses into one loop."""
        loops = [self.along(facts) for facts in targets]
        within: list[StructuredOp] = [facts.op for facts in self.members]
        try:
            chain = derivable_chain(
                [facts.op for facts in targets],
                [loop for loop in loops if loop is not None],
                within,
            )
        except SilenceableFailure as failure:
            raise _Unfit(failure.fact.removeprefix("stream: ")) from None
        return [self.analysis.by_op[op] for op in chain.ops]

    def _also_reduced(self, chain: Sequence[OpFacts]) -> list[OpFacts]:
        """Reductions and matmuls that sum the chain up, and are not read by it.

        A sum of exponentials is one, if only the tail divides by it; the gradients of
        keys and of values are two matmuls.
        """
        found: list[OpFacts] = []
        before = set(self.members)
        pending = [f for f in chain if f is not self.matmul and self._has_axis(f)]
        while pending:
            facts = pending.pop()
            for use in self.analysis.uses(facts):
                reader = use.reader
                if reader in self.members or not self._take(reader, self._goes_on):
                    continue
                if reader.role in POINTWISE:
                    pending.append(reader)
                else:
                    found.append(reader)
        self._collect(self.members.keys() - before)
        return found

    def _has_axis(self, facts: OpFacts) -> bool:
        return self.along(facts) is not None

    def _goes_on(self, facts: OpFacts) -> bool:
        """Whether a reader of members is element-wise or reduces the dimension."""
        along = self.along(facts)
        if along is None or facts.role not in POINTWISE and along not in facts.reduced:
            return False
        return self._sums_too(facts) or self.belongs(facts)

    def _sums_too(self, facts: OpFacts) -> bool:
        """Whether an op is a matmul that sums the same rows up as the last one."""
        if facts.role != Role.CONTRACTION or facts.reduced != (self.along(facts),):
            return False
        own = self.axes(facts)
        outer = [
            self.group.axis(self.matmul, loop) for loop in (*self.rows, *self._batch())
        ]
        columns = [loop for loop in facts.parallel if own[loop] not in outer]
        return set(outer) <= set(own) and facts.count(columns) <= WIDEST_HELD

    def _check_readers(self, chain: Sequence[OpFacts]) -> None:
        """What has the dimension is never whole, so nobody else may read it."""
        for facts in chain:
            loop = self.along(facts)
            if loop is None or loop in facts.reduced:
                continue
            if self.analysis.escapes(facts):
                raise _Unfit(f"'{facts.name}' is stored as well")
            for use in self.analysis.uses(facts):
                if use.reader not in chain:
                    raise _Unfit(f"'{use.reader.name}' reads '{facts.name}' as well")
