"""Siblings: independent groups with equal tiles become one kernel.

Two groups that read one tensor read it once if they share a kernel. Small groups share
a launch even if they read nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import ALONE, Operand, OpFacts
from tilewright.planning.grouping.group import Decision, Group

Homes = dict[OpFacts, list[Group]]
"""The groups that compute each op."""

SMALL = 2_000_000
"""A kernel that moves fewer bytes takes about as long as its launch."""
MOST_OPS = 48
"""Siblings with more ops than this together would spill registers."""
NEAR = 8
"""How many groups further on a sibling may be, so that the search stays linear."""


def merge_siblings(
    analysis: Analysis,
    groups: Sequence[Group],
    has_sketch: Callable[[Group], bool],
) -> list[Group]:
    """Merge groups that read the same tensor, or that are small, where tiles agree."""
    homes: Homes = {}
    for group in groups:
        for facts in group.ops:
            homes.setdefault(facts, []).append(group)
    merged: list[Group] = []
    for group in groups:
        for place in range(len(merged) - 1, max(-1, len(merged) - 1 - NEAR), -1):
            earlier = merged[place]
            reason = _reason(earlier, group)
            if reason is None or _is_reached(analysis, homes, earlier, group):
                continue
            both = earlier.with_sibling(group)
            if both is None or is_read_early(analysis, homes, both, (earlier, group)):
                continue
            if not has_sketch(both):
                continue
            words = f"a sibling of '{earlier.sink.name}': {reason}"
            both.decisions.append(Decision(group.sink, earlier.sink, True, words))
            merged[place] = both
            for facts in both.ops:
                others = (g for g in homes[facts] if g not in (earlier, group))
                homes[facts] = [both, *others]
            break
        else:
            merged.append(group)
    return sorted(merged, key=lambda group: group.sink.number)


def is_read_early(
    analysis: Analysis, homes: Homes, both: Group, parts: Sequence[Group]
) -> bool:
    """Whether an op of other kernels reads what is fused and stored, before the sink.

    The grid stands at the sink: such a reader would keep the op behind, as a kernel of
    its own.
    """
    return any(
        reader.number < both.sink.number
        and any(home not in parts for home in homes[reader])
        for facts in both.leaving - set(both.sinks)
        for reader in analysis.readers(facts)
    )


def _reason(first: Group, second: Group) -> str | None:
    """What two groups gain from being one kernel."""
    if first.contractions or second.contractions:
        return None
    if first.sink.op.parent is not second.sink.op.parent:
        return None
    if first.sink.open_loops or second.sink.open_loops:
        return None  # equal extents cannot be told
    roles = {facts.role for group in (first, second) for facts in group.ops}
    if roles & {*ALONE} or len(first.ops) + len(second.ops) > MOST_OPS:
        return None
    if 4 * shared_bytes(first, second) > min(first.moved_bytes, second.moved_bytes):
        both = _shared(first, second)
        names = [f"'{o.value.name_hint}'" for o in both if o.value.name_hint]
        return f"both read {', '.join(names) or 'one tensor'}"
    if first.moved_bytes < SMALL and second.moved_bytes < SMALL:
        return "both are as short as a launch"
    return None


def shared_bytes(first: Group, second: Group) -> int:
    """The bytes that two groups both read."""
    return sum(operand.bytes for operand in _shared(first, second))


def _shared(first: Group, second: Group) -> list[Operand]:
    read = {operand.value for operand in second.outside_inputs()}
    return [operand for operand in first.outside_inputs() if operand.value in read]


def _is_reached(analysis: Analysis, homes: Homes, first: Group, second: Group) -> bool:
    """Whether the second group depends on the first, or the first on the second."""
    return reaches(analysis, homes, first, second) or reaches(
        analysis, homes, second, first
    )


def reaches(analysis: Analysis, homes: Homes, first: Group, second: Group) -> bool:
    """Whether the second group depends on the first, perhaps through others."""
    last = second.ops[-1].number
    pending, seen = [first], {first}
    while pending:
        group = pending.pop()
        for facts in group.ops:
            for reader in analysis.readers(facts):
                for home in homes[reader]:
                    if home in homes[facts]:
                        continue  # it computes the op by itself
                    if home is second:
                        return True
                    if home not in seen and home.ops[0].number <= last:
                        seen.add(home)
                        pending.append(home)
    return False
