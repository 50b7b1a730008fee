"""The rules of fusion: what speaks against computing an op in its readers' kernel.

Each rule looks at roles, axes and bytes, never at names of ops. A rule answers with a
reason, which `--explain` prints, or with None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.product_tails import absorbed_product
from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.analysis.gathers import count_gathers
from tilewright.planning.grouping.fusion import Fusion, Uses
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.product_rules import (
    against_leaving_a_product,
    against_product,
    against_prologue,
)
from tilewright.planning.grouping.reduction_rules import (
    against_leaving_a_reduction,
    against_reduction,
    ends_rows,
)

MOST_OPS = 64
"""The ops of one kernel: Triton takes long over more, and registers spill."""
MOST_ARITHMETIC = 320
"""The scalar ops of one kernel, for an element, for the same reasons."""

_STORED_BY_ALL = "every program would store it, as it has fewer elements"


def against(fusion: Fusion) -> str | None:
    """The first rule that speaks against fusing an op into a group."""
    facts, uses = fusion.facts, fusion.uses
    group, stored = fusion.group, fusion.stored
    if facts.role == Role.WINDOW and not stored and _is_rounded(facts, uses):
        return None
    if facts.role in ALONE:
        return f"its role is '{facts.role}', which stays a kernel of its own"
    if any(reader.role in ALONE for reader, _ in uses):
        return "its reader is a kernel of its own"
    if len(group.ops) >= MOST_OPS:
        return f"the kernel has {MOST_OPS} ops already"
    if sum(member.body_size for member in group.ops) > MOST_ARITHMETIC:
        return f"the kernel computes {MOST_ARITHMETIC} numbers for an element already"
    readers = fusion.tails.analysis.readers(facts) if stored else ()
    if any(reader.role == Role.SCATTER for reader in readers):
        return "a scatter adds to it, and programs do not wait for each other's stores"
    if stored and not isinstance(facts.op, GenericOp) and facts.role != Role.FILL:
        return "it is a named op whose result is read elsewhere too"
    if stored and any(
        facts.op.results[0] is reader.op.operands[position]
        and reader.role == Role.CONTRACTION
        for reader, position in uses
    ):
        return "its result is stored anyway, and a product reads it many times"
    if stored and _is_repeated(facts, uses, group):
        if not ends_rows(fusion.tails.analysis, facts, group.sink):
            return _STORED_BY_ALL
    if facts.role == Role.CONTRACTION:
        return against_product(fusion)
    if group.reductions and count_gathers([facts]) > 1:
        return "it reads windows, for which kernels that reduce have no layout"
    if (reason := against_leaving_a_product(fusion)) is not None:
        return reason
    in_loop = [r.role == Role.CONTRACTION or r in group.prologues for r, _ in uses]
    if any(in_loop) and not all(in_loop):
        return "a product's loop reads it, and its tail too"
    if fusion.is_read_by_product:
        return against_prologue(fusion)
    if any(in_loop) and facts.reduced:
        return "a product would compute the reduction once for every tile"
    if facts.reduced:
        return against_reduction(fusion)
    return against_leaving_a_reduction(fusion)


def _is_repeated(facts: OpFacts, uses: Uses, group: Group) -> bool:
    """Whether programs of an element-wise kernel would compute the same elements."""
    if facts.reduced or group.reductions or group.contractions:
        return False
    covered = {
        group.axis(reader, loop)
        for reader, position in uses
        for loop in reader.operands[position].loops
        if loop is not None
    }
    sink = group.sink
    return any(
        sink.extents[loop] > 1 and group.axis(sink, loop) not in covered
        for loop in sink.parallel
    )


def _is_rounded(facts: OpFacts, uses: Uses) -> bool:
    """Whether a library computes a convolution together with the op that rounds it."""
    if len(uses) != 1:
        return False
    (reader, position) = uses[0]
    form = absorbed_product(reader.op, lambda value: value.owner)
    if form is None or form.product != position:
        return False
    try:
        library_call(facts.op, "cudnn", reader.op, form)
    except SilenceableFailure:
        return False
    return True


def repeated(group: Group, target: Target) -> Iterator[tuple[OpFacts, str]]:
    """The ops that a finished group would compute many times over, with the reason.

    A tile of the grid computes all that it reads. Tiles that differ only along an axis
    that an op does not have compute the op again. A tile of a streamed chain holds the
    columns of its product whole.
    """
    if group.stream is not None:
        return
    if not group.reductions and not group.contractions:
        elements = math.prod(group.sink.extents)
        for facts in group.leaving:
            if math.prod(facts.extents) < elements and facts not in group.sinks:
                yield facts, _STORED_BY_ALL
    for facts in [*group.contractions, *group.reductions]:
        again = math.prod(
            axis.extent for axis in group.grid_axes() if facts.number not in axis.loops
        )
        if again == 1:
            continue
        if facts.role == Role.CONTRACTION:
            yield facts, f"the kernel would compute the product up to {again} times"
        elif again * facts.read_bytes > target.l2_bytes:
            yield facts, f"the kernel would compute the sum up to {again} times"
