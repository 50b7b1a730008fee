"""Which calls of a library fit a group.

One call computes a whole group where the library has it; else there is a call for each
matmul, before a kernel of the element-wise ops that follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.joining import as_one
from tilewright.planning.model.library import call_time
from tilewright.planning.sketches import elementwise
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.library.calls import (
    Call,
    is_zero,
    matmul_calls,
    why_no_call,
)
from tilewright.planning.sketches.library.sketches import (
    LibraryAndKernel,
    LibraryCall,
    LibraryCalls,
    PaddedCall,
)


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The call that computes a whole group; or its matmuls, before a kernel."""
    matmuls = [f for f in group.ops if f.role in (Role.CONTRACTION, Role.WINDOW)]
    if not matmuls or not all(map(is_zero, group.fills)):
        return ()
    rest = [f for f in group.ops if f not in matmuls and f not in group.fills]
    if len(matmuls) == 1:
        whole = _whole_calls(analysis, group, matmuls[0], rest, target)
        if whole:
            apart = _calls_and_kernel(analysis, group, matmuls, rest, target)
            return [*whole, *(s for s in apart if isinstance(s, LibraryAndKernel))]
    return _calls_and_kernel(analysis, group, matmuls, rest, target)


def why_no_sketch(analysis: Analysis, group: Group, matmul: OpFacts) -> str:
    """Why no call of a library is a sketch of the group that a matmul is in."""
    if (reason := why_no_call(matmul)) is not None:
        return reason
    starts = [value.owner for value in matmul.op.outputs]
    if any(fill.op in starts and not is_zero(fill) for fill in group.fills):
        return "its sum begins with other numbers than 0"
    if any(facts.role == Role.REDUCTION for facts in group.ops):
        return "its kernel has other reductions, too"
    made = {result for facts in group.ops for result in facts.op.results}
    if any(value in made for value in matmul.op.inputs):
        return "its kernel computes what it multiplies"
    if not group.fills:
        return "it adds to a tensor, which a library would have to copy"
    calls = matmul_calls(analysis, group, matmul)
    if all(call.info.bytes_copied for call in calls):
        return "it adds a matrix, which a library would have to copy"
    return "the ops behind it are no element-wise kernel"


def _whole_calls(
    analysis: Analysis,
    group: Group,
    matmul: OpFacts,
    rest: Sequence[OpFacts],
    target: Target,
) -> list[Sketch]:
    """The calls that compute a whole group: as it is, and on padded copies."""
    wanted = {matmul, *rest}
    found = _computing(matmul_calls(analysis, group, matmul), wanted)
    if found is None:
        return []
    made: list[Sketch] = [LibraryCall(group, target, found)]
    calls = matmul_calls(analysis, group, matmul, "cublas_padded")
    padded = _computing(calls, wanted)
    if found.info.alignment < WIDE_LOAD and padded is not None:
        made.append(PaddedCall(group, target, padded))
    return made


def _computing(calls: Sequence[Call], wanted: set[OpFacts]) -> Call | None:
    """The call that computes certain ops, and no others."""
    return next((call for call in calls if set(call.computes) == wanted), None)


def _calls_and_kernel(
    analysis: Analysis,
    group: Group,
    matmuls: Sequence[OpFacts],
    rest: Sequence[OpFacts],
    target: Target,
) -> Sequence[Sketch]:
    """A call for each matmul, and an element-wise kernel for what follows them."""
    made = {result for facts in rest for result in facts.op.results}
    if not group.fills or any(v in made for f in matmuls for v in f.op.inputs):
        return ()
    calls: list[Call] = []
    for matmul in matmuls:
        # A kernel adds a matrix in passing, which a library has to copy first.
        usual = [
            call
            for call in matmul_calls(analysis, group, matmul)
            if not call.info.bytes_copied
        ]
        if not usual:
            return ()
        # A bias may cost the library more than it costs a kernel.
        calls.append(min(usual, key=lambda c: call_time(c.info, target).seconds))
    called = {facts for call in calls for facts in call.computes}
    after = [facts for facts in rest if facts not in called]
    if not after:
        return [LibraryCalls(group, target, calls)]
    if any(sink not in called for sink in group.also_sinks) or group.sink in called:
        return ()
    kernel = _one_group(group, after)
    if kernel is None:
        return ()
    return [
        LibraryAndKernel(group, target, calls, each)
        for each in elementwise.sketches(analysis, kernel, target)
    ]


def _one_group(group: Group, ops: Sequence[OpFacts]) -> Group | None:
    """The ops of a group that the calls leave over, as a kernel of their own."""
    leaving = {facts for facts in ops if facts in group.leaving}
    after = as_one([Group([facts]) for facts in ops], leaving)
    return None if isinstance(after, str) or after.also_sinks else after
