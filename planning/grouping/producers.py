"""A kernel of reductions joins the one that reads its results and the same rows.

An op that several kernels read is stored for them. Where siblings have become one
kernel since, such as the sums of a correlation, it is computed there: the means that
the sums wait for read the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Decision, Group
from tilewright.planning.grouping.siblings import MOST_OPS, Homes, reaches, shared_bytes


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
    for group in filter(_reduces, groups):
        for reader in _readers(analysis, homes, group):
            both = _joined(analysis, homes, group, reader)
            if both is None or seconds(both) >= seconds(group) + seconds(reader):
                continue
            words = f"computed with '{reader.sink.name}', which reads the same rows"
            both.decisions.append(Decision(group.sink, reader.sink, True, words))
            kept = [each for each in groups if each is not group]
            kept[kept.index(reader)] = both
            return kept
    return None


def _reduces(group: Group) -> bool:
    """Whether a group reduces, and does nothing that keeps a kernel to itself."""
    roles = {facts.role for facts in group.ops}
    other = {Role.OTHER, Role.WINDOW, Role.CONTRACTION, Role.SCAN}
    return bool(group.reductions) and group.stream is None and not roles & other


def _readers(analysis: Analysis, homes: Homes, group: Group) -> list[Group]:
    """The other groups that read a group's results and reduce."""
    found = {
        home: None
        for facts in group.leaving
        for reader in analysis.readers(facts)
        for home in homes[reader]
    }
    return [home for home in found if home is not group and _reduces(home)]


def _joined(
    analysis: Analysis, homes: Homes, group: Group, reader: Group
) -> Group | None:
    """A group and one that reads it as one kernel, if nothing speaks against it."""
    if len(group.ops) + len(reader.ops) > MOST_OPS:
        return None
    if 4 * shared_bytes(group, reader) <= min(group.moved_bytes, reader.moved_bytes):
        return None
    if any(facts.open_loops for facts in (group.sink, reader.sink)):
        return None
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
    if any(_is_behind(analysis, facts, both, shared) for facts in group.ops):
        return None
    both.leaving = {
        facts
        for facts in both.leaving
        if facts in both.sinks or _is_read_elsewhere(analysis, facts, both)
    }
    # What is fused and stored is there for what comes after the sink.
    early = [
        other
        for facts in both.leaving - set(both.sinks)
        for other in analysis.readers(facts)
        if other.number < both.sink.number and not both.has(other)
    ]
    return None if early else both


def _is_behind(
    analysis: Analysis, facts: OpFacts, group: Group, shared: set[OpFacts]
) -> bool:
    """Whether only ops that other kernels compute too read an op in its kernel.

    They are fused last, and nothing can be fused behind them.
    """
    readers = [each for each in analysis.readers(facts) if group.has(each)]
    return facts.role != Role.FILL and bool(readers) and shared.issuperset(readers)


def _is_read_elsewhere(analysis: Analysis, facts: OpFacts, group: Group) -> bool:
    """Whether an op's result is returned, or read outside of a group."""
    return analysis.escapes(facts) or not all(
        group.has(reader) for reader in analysis.readers(facts)
    )
