"""Several groups as one: the axes they share, the sinks and prologues they have.

Loops along one dimension of a tensor that two groups read, or that one reads of the
other, become one axis. The sinks must then have the same axes outside of reductions, in
the same order: one grid has a tile of each.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.facts import Operand, OpFacts
from tilewright.planning.grouping.group import (
    POINTWISE,
    Group,
    Place,
    is_consistent,
)

Axes = DisjointSets[Place]


def as_one(parts: Sequence[Group], leaving: set[OpFacts]) -> Group | str:
    """Some groups as one that stores the ops `leaving`, or why their loops differ."""
    joined = joined_ops(parts)
    if isinstance(joined, str):
        return joined
    members, places = joined.ops, joined.places
    read = frozenset[SSAValue]().union(*(group.read for group in parts))
    also_sinks = [f for f in members[:-1] if read.isdisjoint(f.op.results)]
    stream = next((group.stream for group in parts if group.stream), None)
    both = Group(members, places, [], also_sinks, leaving, set(), stream)
    both.prologues = _prologues(both)
    if also_sinks and any(facts.open_loops for facts in members):
        return "their sizes are known at run time: equal loops cannot be told"
    if also_sinks and not _have_one_grid(both):
        return "their results have different tiles"
    return both


def joined_ops(parts: Sequence[Group]) -> Group | str:
    """The ops of some groups along common axes, or why their loops differ.

    What the kernel stores, and what its sinks are, is not known yet.
    """
    places = parts[0].places.copy()
    for group in parts[1:]:
        for place in group.places:
            places.union_left(group.places.find(place), place)
    ops = {facts: None for group in parts for facts in group.ops}
    members = sorted(ops, key=lambda facts: facts.number)
    for made, reader in itertools.permutations(parts, 2):
        if (reason := _join_passed(places, made, reader)) is not None:
            return reason
    for member in members:
        if not is_consistent(places, member):
            return f"two loops of '{member.name}' would run along one axis"
    for first, second in itertools.combinations(parts, 2):
        places = _with_shared_reads(places, first, second, members)
    return Group(members, places)


def _join_passed(places: Axes, made: Group, reader: Group) -> str | None:
    """Join the loops along what one group reads of another."""
    if made.made.isdisjoint(reader.read):
        return None
    results: dict[SSAValue, OpFacts] = {
        result: facts for facts in made.ops for result in facts.op.results
    }
    for each in reader.ops:
        for operand in each.operands:
            facts = results.get(operand.value)
            if facts is None or reader.has(facts):
                continue
            loops = facts.result_loops(operand.value)
            for own, loop in zip(loops, operand.loops, strict=True):
                if own is None or loop is None:
                    return f"'{each.name}' reads it at indices that are no plain loops"
                places.union_left((each.number, loop), (facts.number, own))
    return None


def _with_shared_reads(
    places: Axes, first: Group, second: Group, members: Sequence[OpFacts]
) -> Axes:
    """The axes, with the loops joined along which both groups read one tensor.

    Where that would give an op two loops along one axis, they stay apart.
    """
    common = first.read & second.read
    if not common:
        return places
    reads: dict[SSAValue, list[tuple[OpFacts, Operand]]] = {}
    for facts in first.ops:
        for operand in facts.operands:
            if operand.is_read and operand.value in common:
                reads.setdefault(operand.value, []).append((facts, operand))
    for other in second.ops:
        for shared in other.operands:
            for facts, operand in reads.get(shared.value, ()):
                if not shared.is_read or facts is other:
                    continue
                pairs = [
                    ((facts.number, own), (other.number, loop))
                    for own, loop in zip(operand.loops, shared.loops, strict=True)
                    if own is not None and loop is not None
                ]
                if len(pairs) < len(operand.loops) or all(
                    places.find(left) == places.find(right) for left, right in pairs
                ):
                    continue
                trial = places.copy()
                for left, right in pairs:
                    trial.union_left(left, right)
                if all(is_consistent(trial, member) for member in members):
                    places = trial
    return places


def _prologues(group: Group) -> set[OpFacts]:
    """The element-wise ops that are computed in the inner loop of a matmul."""
    inner = {value for facts in group.contractions for value in facts.op.operands}
    streamed = group.stream.ops if group.stream is not None else frozenset[OpFacts]()
    found: set[OpFacts] = set()
    for facts in reversed(group.ops if inner else []):
        if facts.role not in POINTWISE or facts in streamed:
            continue
        if not inner.isdisjoint(facts.op.results):
            found.add(facts)
            inner.update(facts.op.operands)
    return found


def _have_one_grid(group: Group) -> bool:
    """Whether all sinks have the same grid; loops of equal extents become one axis.

    Further sinks of a stream run along its rows.
    """
    if group.stream is not None:
        return _run_along_rows(group)
    first, *others = group.grids()
    for grid in others:
        if _extents(grid) == _extents(first):
            for (own, left), (sink, right) in zip(first, grid, strict=True):
                group.places.union_left((own.number, left), (sink.number, right))
    grids = {tuple(group.axis(*loop) for loop in grid) for grid in group.grids()}
    return len(grids) == 1 and all(
        is_consistent(group.places, member) for member in group.ops
    )


def _extents(grid: Sequence[tuple[OpFacts, int]]) -> list[int]:
    """The extents of the loops of a grid."""
    return [sink.extents[loop] for sink, loop in grid]


def _run_along_rows(group: Group) -> bool:
    """Whether the further sinks of a stream have its rows, perhaps with the columns of
    one of its sums."""
    stream = group.stream
    assert stream is not None
    loops = stream.matmul.parallel
    rows = {group.axis(stream.matmul, i) for i in loops if i not in stream.columns}
    sums = [_axes(group, facts) for facts in (stream.matmul, *stream.others)]
    return all(
        sink in stream.ops or _axes(group, sink) in (rows, *sums)
        for sink in group.sinks
    )


def _axes(group: Group, facts: OpFacts) -> set[Place]:
    """The axes that an op does not reduce."""
    return {group.axis(facts, loop) for loop in facts.parallel}
