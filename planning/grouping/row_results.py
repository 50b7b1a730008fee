"""Results for each row, such as a logarithm of a sum, in the kernel with the rows.

A streamed chain leaves running values: a maximum and a sum for each row. Element-wise
ops that read them run along the kernel's rows, and become further sinks of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Decision, Group, Place
from tilewright.planning.grouping.tails import POINTWISE


def join_row_results(analysis: Analysis, groups: Sequence[Group]) -> list[Group]:
    """The groups, with those that compute results of rows merged into the streams."""
    found = list(groups)
    for stream in [group for group in groups if group.stream is not None]:
        for other in list(found):
            home = next(group for group in found if group.stream is stream.stream)
            joined = _joined(analysis, home, other)
            if joined is not None:
                found[found.index(home)] = joined
                found.remove(other)
    return found


def _joined(analysis: Analysis, home: Group, other: Group) -> Group | None:
    """A stream and a group that reads its running values, as one kernel."""
    stream = home.stream
    assert stream is not None
    if other is home or other.stream is not None or len(other.sinks) > 1:
        return None
    if any(facts.role not in (*POINTWISE, Role.FILL) for facts in other.ops):
        return None
    read = [
        (facts, position, made)
        for facts in other.ops
        for position, made in analysis.producers(facts)
        if not other.has(made)
    ]
    if not read or not all(made in stream.ops for _, _, made in read):
        return None
    members = sorted({*home.ops, *other.ops}, key=lambda facts: facts.number)
    sinks = [*home.sinks, other.sink]
    merged = Group(
        members,
        _places(home, other, read),
        [*home.decisions, *other.decisions],
        [sink for sink in sinks if sink is not members[-1]],
        home.leaving | other.leaving,
        home.prologues | other.prologues,
        stream,
    )
    merged.leaving -= {
        facts
        for facts in home.leaving
        if facts not in home.sinks
        and not analysis.escapes(facts)
        and all(map(merged.has, analysis.readers(facts)))
    }
    kept = {
        merged.axis(stream.product, loop)
        for loop in stream.product.parallel
        if loop not in stream.columns
    }
    axes = {merged.axis(other.sink, loop) for loop in range(len(other.sink.extents))}
    if axes != kept:
        return None
    words = f"runs along the rows of '{home.sink.name}', and reads their results"
    merged.decisions.append(Decision(other.sink, home.sink, True, words))
    return merged


def _places(
    home: Group, other: Group, read: Sequence[tuple[OpFacts, int, OpFacts]]
) -> DisjointSets[Place]:
    """The axes of both; loops that run along what one reads of the other are one."""
    places = DisjointSets[Place]()
    for group in (home, other):
        for place in group.places:
            places.union_left(group.places.find(place), place)
    for facts, position, made in read:
        operand = facts.operands[position]
        for own, loop in zip(
            made.result_loops(operand.value), operand.loops, strict=True
        ):
            if own is not None and loop is not None:
                places.union_left((made.number, own), (facts.number, loop))
    return places
