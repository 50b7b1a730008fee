"""Points that were measured before: what they are kept for, and what the planner asks.

The planner does not read results. It asks a `History` for the best known point of a
kernel; `tuning/transfer/planned_kernels.py` answers from a results file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.ir import SSAValue

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.changes import NO_CHANGES, Change, Changes, Kind
from tilewright.planning.grouping.group import Group


@dataclass(frozen=True)
class KernelSignature:
    """What makes the points of two kernels comparable: all but the extents is equal."""

    target: str
    structure: str
    """A hash of the ops, their maps, element types, bodies and dependences."""
    extents: tuple[int, ...]
    """The extents of the loops of all ops, in order."""


@dataclass(frozen=True)
class RecordedPoint:
    """The best point that was measured for a kernel."""

    sketch: str
    """The label of the sketch."""
    point: Mapping[str, int]
    """Its knobs, by their plain names."""
    source: str
    """Where it was measured, in words."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """The branches of its choices, by the choices' plain names."""
    is_of_this_shape: bool = False
    """Whether it was measured at these very extents, so that it is known to work."""


History = Callable[[KernelSignature], RecordedPoint | None]
"""The recorded point of the nearest shape, if one is near enough."""


def signature_of(group: Group, target: str) -> KernelSignature:
    """The signature of a group's kernel."""
    numbers: dict[SSAValue, int] = {}
    parts = [_described(facts, numbers) for facts in group.ops]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
    extents = tuple(extent for facts in group.ops for extent in facts.extents)
    return KernelSignature(target, digest, extents)


STRUCTURE = "structure"
"""In place of a sketch: the recorded words are changes of a whole payload."""


def signature_of_structure(ops: Sequence[OpFacts], target: str) -> KernelSignature:
    """The signature of a payload's structure: all its ops, and no kernel."""
    found = signature_of(Group(list(ops)), target)
    return replace(found, structure=f"{STRUCTURE} {found.structure}")


def words_of(changes: Changes) -> dict[str, str]:
    """Changes as words to record: the numbers of their ops, by kind."""
    found: dict[str, list[str]] = {}
    for change in sorted(changes):
        found.setdefault(change.kind, []).append("+".join(map(str, change.ops)))
    return {kind: " ".join(each) for kind, each in found.items()}


def changes_of(recorded: RecordedPoint | None) -> Changes:
    """The changes that were recorded; none if the words are not understood."""
    if recorded is None or recorded.sketch != STRUCTURE:
        return NO_CHANGES
    try:
        found = frozenset(
            Change(Kind(kind), tuple(map(int, ops.split("+"))))
            for kind, each in recorded.words.items()
            for ops in each.split()
        )
    except ValueError:
        return NO_CHANGES
    is_damaged = any(c.kind == Kind.APART and len(c.ops) != 2 for c in found)
    return NO_CHANGES if is_damaged else found


def _described(facts: OpFacts, numbers: dict[SSAValue, int]) -> str:
    """An op without its sizes: role, loops, operands, body."""
    operands = [
        f"{numbers.setdefault(operand.value, len(numbers))}:{operand.element}"
        for operand in facts.operands
    ]
    for result in facts.op.results:
        numbers.setdefault(result, len(numbers))
    maps = [str(map_) for map_ in facts.op.maps]
    body = [op.name for op in facts.op.body.block.ops]
    words = (facts.role, facts.reduced, facts.open_loops, operands, maps, body)
    return "; ".join(map(str, words))
