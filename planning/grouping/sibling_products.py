"""Sibling kernels: products of one tensor with several others, in one kernel.

The projections of a layer (q, k and v) read the same rows. Kernels that compute one
product each, with equal loops, become one kernel with several sinks: it loads a tile of
the common factor once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Decision, Group, Place

MOST_SINKS = 3
"""The products of one kernel with a sink each: registers hold a tile of every one."""


def join_siblings(
    groups: Sequence[Group],
    shared: Sequence[OpFacts],
    has_sketch: Callable[[Group], bool],
) -> tuple[Group, ...]:
    """The groups, with neighbouring siblings as one group that `has_sketch`.

    `shared` ops are computed in several groups, so theirs stay as they are.
    """
    found: list[Group] = []
    waiting: list[Group] = []
    for group in groups:
        if waiting and not _may_join(waiting, group):
            found += _joined(waiting, has_sketch)
            waiting = []
        if waiting or _is_simple(group, shared):
            waiting.append(group)
        else:
            found.append(group)
    found += _joined(waiting, has_sketch)
    return tuple(sorted(found, key=lambda group: group.sink.number))


def _is_simple(group: Group, shared: Sequence[OpFacts]) -> bool:
    """Whether a group is one product and what follows it, of known sizes."""
    return (
        len(group.contractions) == 1
        and not group.reductions
        and not group.prologues
        and not any(facts.open_loops for facts in group.ops)
        and not any(facts in shared for facts in group.ops)
    )


def _may_join(others: Sequence[Group], group: Group) -> bool:
    """Whether a group's product is a sibling of the others', and depends on none."""
    if len(others) >= MOST_SINKS or not _is_simple(group, ()):
        return False
    (mine,) = group.contractions
    (first,) = others[0].contractions
    if mine.contraction != first.contraction or mine.extents != first.extents:
        return False
    if [o.loops for o in mine.inputs] != [o.loops for o in first.inputs]:
        return False
    if mine.inputs[0].value is not first.inputs[0].value:
        return False
    if group.sink.extents != others[0].sink.extents:
        return False
    return all(_is_read_after(other.sink, group.sink.op) for other in others)


def _is_read_after(facts: OpFacts, last: Operation) -> bool:
    """Whether everything that reads an op's results comes after another op."""
    block = last.parent_block()
    assert block is not None
    for result in facts.op.results:
        for use in result.uses:
            reader = block.find_ancestor_op_in_block(use.operation)
            if reader is None or not last.is_before_in_block(reader):
                return False
    return True


def _joined(
    groups: Sequence[Group], has_sketch: Callable[[Group], bool]
) -> Sequence[Group]:
    """Siblings as one group, or as they are if no sketch computes them together."""
    if len(groups) < 2:
        return groups
    joined = _one_group(groups)
    return [joined] if has_sketch(joined) else groups


def _one_group(groups: Sequence[Group]) -> Group:
    """One group with the ops and axes of all; the last sink is its sink."""
    places = DisjointSets[Place]()
    for group in groups:
        for place in group.places:
            places.union_left(group.places.find(place), place)
    (first,) = groups[0].contractions
    for group in groups[1:]:
        (other,) = group.contractions
        for loop in range(len(first.extents)):
            places.union_left((first.number, loop), (other.number, loop))
    ops = sorted((f for group in groups for f in group.ops), key=lambda f: f.number)
    joined = Group(ops, places)
    joined.also_sinks = [group.sink for group in groups[:-1]]
    joined.leaving = {facts for group in groups for facts in group.leaving}
    for group in groups:
        joined.decisions += group.decisions
        if group is not groups[0]:
            (other,) = group.contractions
            words = f"reads the same factor as '{first.name}', in equal loops"
            joined.decisions.append(Decision(other, first, True, words))
    return joined
