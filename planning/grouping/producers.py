"""A kernel joins the one that reads its results, if both reduce or neither does.

An op that several kernels read is stored for them. Where siblings have become one
kernel since, such as the sums of a correlation, it is computed there: the means that
the sums wait for read the same rows. The steps of a recurrence without products each
store a result, perhaps a sum along rows, and a state; one kernel computes many steps,
and keeps the state in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.grouping.group import Decision, Group
from tilewright.planning.grouping.siblings import (
    MOST_OPS,
    SMALL,
    Homes,
    is_read_early,
    reaches,
    shared_bytes,
)
from tilewright.planning.grouping.tails import POINTWISE

MOST_SMALL = 192
"""The ops of kernels of small tensors that follow each other: a thread has few elements
of each, and each launch that is saved takes as long as many ops."""
MOST_LARGE = 16
"""The ops of large ones, whose threads hold up to 16 elements of each."""


def join_producers(
    analysis: Analysis,
    groups: Sequence[Group],
    seconds: Callable[[Group], float],
) -> list[Group]:
    """Merge kernels into their readers, where one kernel is estimated faster."""
    found = list(groups)
    while (merged := _merged_once(analysis, found, seconds)) is not None:
        found = merged
    return found


def _merged_once(
    analysis: Analysis, groups: list[Group], seconds: Callable[[Group], float]
) -> list[Group] | None:
    """The groups with one of them merged into a reader; None if none can be."""
    homes: Homes = {}
    for group in groups:
        for facts in group.ops:
            homes.setdefault(facts, []).append(group)
    for group in groups:
        for reader in _readers(analysis, homes, group):
            both = _joined(analysis, homes, group, reader)
            if both is None or seconds(both) >= seconds(group) + seconds(reader):
                continue
            rows = "the same rows" if group.reductions else "its results"
            words = f"computed with '{reader.sink.name}', which reads {rows}"
            both.decisions.append(Decision(group.sink, reader.sink, True, words))
            kept = [each for each in groups if each is not group]
            kept[kept.index(reader)] = both
            return kept
    return None


def _reduces(group: Group) -> bool:
    """Whether a group reduces, and does nothing that keeps a kernel to itself."""
    roles = {facts.role for facts in group.ops}
    other = {*ALONE, Role.CONTRACTION, Role.SCAN}
    return bool(group.reductions) and group.stream is None and not roles & other


def _is_pointwise(group: Group) -> bool:
    """Whether all ops of a group are element-wise in one order, fills aside.

    A kernel that turns its elements around has tiles for two orders of memory.
    """
    roles = (*POINTWISE, Role.FILL)
    return all(facts.role in roles and _is_in_order(facts) for facts in group.ops)


def _is_in_order(facts: OpFacts) -> bool:
    """Whether the dimensions of each operand follow the order of the loops."""
    loops = (operand.loops for operand in facts.operands)
    known = ([loop for loop in each if loop is not None] for each in loops)
    return all(each == sorted(each) for each in known)


def _readers(analysis: Analysis, homes: Homes, group: Group) -> list[Group]:
    """The other groups that read a group's results and reduce as it does."""
    is_alike = _is_pointwise if _is_pointwise(group) else _reduces
    if not is_alike(group):
        return []
    found = {
        home: None
        for facts in group.leaving
        for reader in analysis.readers(facts)
        for home in homes[reader]
    }
    return [home for home in found if home is not group and is_alike(home)]


def _joined(
    analysis: Analysis, homes: Homes, group: Group, reader: Group
) -> Group | None:
    """A group and one that reads it as one kernel, if nothing speaks against it."""
    if len(group.ops) + len(reader.ops) > _most_ops(group):
        return None
    if not _saves(group, reader):
        return None
    if any(facts.open_loops for facts in (group.sink, reader.sink)):
        return None
    readers = [one for facts in group.leaving for one in analysis.readers(facts)]
    if any(one.role == Role.SCATTER for one in readers):
        return None  # what a scatter adds to is stored before the first update
    gatherers = [one for facts in group.ops for one in analysis.gatherers(facts)]
    if any(reader.has(one) for one in gatherers):
        return None  # it reads elements that other programs compute
    between = {
        home
        for facts in group.ops
        for other in analysis.readers(facts)
        for home in homes[other]
        if home is not group and home is not reader and not home.has(facts)
    }
    if any(reaches(analysis, homes, each, reader) for each in between):
        return None
    both = group.with_sibling(reader)
    if both is None or both.sink is not reader.sink:
        return None
    shared = {
        facts
        for facts in both.ops
        if any(home not in (group, reader) for home in homes[facts])
    }
    alone = [facts for facts in group.ops if facts not in shared]
    if any(_is_behind(analysis, facts, both, shared) for facts in alone):
        return None
    both.leaving = {
        facts
        for facts in both.leaving
        if facts in both.sinks or _is_read_elsewhere(analysis, facts, both)
    }
    early = is_read_early(analysis, homes, both, (group, reader))
    return None if early else both


def _most_ops(group: Group) -> int:
    """The ops that one kernel may have, beside a group that joins it."""
    if all(operand.bytes < SMALL for facts in group.ops for operand in facts.operands):
        return MOST_SMALL
    return MOST_OPS if group.reductions else MOST_LARGE


def _saves(group: Group, reader: Group) -> bool:
    """Whether one kernel moves clearly fewer bytes, or is short and saves a launch."""
    if not group.reductions and any(
        facts.extents != reader.sink.extents for facts in group.leaving
    ):
        return False  # such as a table that many rows read
    if min(group.moved_bytes, reader.moved_bytes) < SMALL:
        return True
    made = {result for facts in group.leaving for result in facts.op.results}
    read = reader.outside_inputs()
    passed = sum(each.bytes for each in read if each.value in made)
    saved = shared_bytes(group, reader) + passed
    return 4 * saved > min(group.moved_bytes, reader.moved_bytes)


def _is_behind(
    analysis: Analysis, facts: OpFacts, group: Group, shared: set[OpFacts]
) -> bool:
    """Whether an op that other kernels compute too reads an op in its kernel.

    It is fused last, and what it reads must be stored by then.
    """
    readers = [each for each in analysis.readers(facts) if group.has(each)]
    return facts.role != Role.FILL and not shared.isdisjoint(readers)


def _is_read_elsewhere(analysis: Analysis, facts: OpFacts, group: Group) -> bool:
    """Whether an op's result is returned, or read outside of a group."""
    return analysis.escapes(facts) or not all(
        group.has(reader) for reader in analysis.readers(facts)
    )
