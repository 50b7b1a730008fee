"""Rules of fusion for reductions and scans along rows and columns."""

from __future__ import annotations

import math

from xdsl.ir import SSAValue

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.fusion import Fusion
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.tails import POINTWISE, depends_on, element_chain

FEW_ROWS = 64
"""With fewer rows than this, a kernel of whole rows leaves most of a card idle."""
LONG_ROW = 65536
"""A row of this length is worth splitting over several programs."""
LONG_COLUMN = 512
"""A column of this length is worth splitting over several programs."""
LONGEST_SCAN = 16384
"""A row of this many totals, and the elements they are made of, fits into registers."""

LONGEST_COLUMN = 256
"""A column of this many totals fits into registers, with its neighbours."""


def against_reduction(fusion: Fusion) -> str | None:
    """A reduction joins readers that run along its own parallel axes."""
    tails, facts, group = fusion.tails, fusion.facts, fusion.group
    if group.contractions:
        return "its reader computes a product in tiles that cut the reduction"
    joined = dict(fusion.joined_loops())
    reduced = group.reduced_axes()
    is_scan = facts.role == Role.SCAN
    if is_scan and (reason := _against_scan(facts)) is not None:
        return reason
    if not is_scan and any(axis in reduced for axis in joined.values()):
        return "its reader reduces along what it keeps: two stages of a sum"
    rows = facts.count(facts.parallel)
    length = facts.count(facts.reduced)
    reads_rows = any(math.prod(member.extents) > rows for member in group.ops)
    if rows < FEW_ROWS and length >= LONG_ROW and reads_rows:
        return f"{rows} rows of {length}: each is split over several programs"
    if _is_shared(facts, rows, length):
        if group.reductions:
            return "programs share each of the kernel's sums, one sum a kernel"
        if (other := _in_one_pass(tails.analysis, facts, group)) is not None:
            return f"without its reader it is computed in one pass with '{other.name}'"
    if not group.reductions:
        cost = tails.passed(facts) + _read_by_both(facts, group)
        for member in group.ops:
            above = tails.cut_above(member)
            if above is None or cost > above:
                continue
            for product in tails.products(member):
                if not depends_on(tails.analysis, facts, product):
                    return f"its readers are the tail of the product '{product.name}'"
    return None


def against_leaving_a_reduction(fusion: Fusion) -> str | None:
    """An op after a reduction stays with it where its reader reduces the other way.

    The logarithm of the sums of columns that a kernel of rows reads is one. In that
    kernel, it would keep the reductions before it from sharing a kernel. Reductions
    that others read besides are stored anyway, and it may leave them.
    """
    facts, group = fusion.facts, fusion.group
    if facts.role not in POINTWISE or not group.reductions:
        return None
    reduced = group.reduced_axes()
    if not any(axis in reduced for _, axis in fusion.joined_loops()):
        return None
    analysis = fusion.tails.analysis
    before = [
        made for made in element_chain(analysis, facts) if made.role == Role.REDUCTION
    ]
    for made in before:
        rows, length = made.count(made.parallel), made.count(made.reduced)
        if rows != math.prod(facts.extents) or _is_shared(made, rows, length):
            return None
        others = [one for one in analysis.readers(made) if one is not facts]
        if not all(depends_on(analysis, facts, other) for other in others):
            return None
    if not before:
        return None
    return f"it ends the reduction '{before[0].name}', which its reader cannot join"


def ends_rows(analysis: Analysis, facts: OpFacts, sink: OpFacts) -> bool:
    """Whether an op has a number for each row of a sink, by a reduction of the rows.

    Once the reduction joins the kernel, a program holds whole rows, and stores each
    number once: the mean and the deviation of a norm that trains are such results.
    """
    if facts.role not in POINTWISE:
        return False
    rows = math.prod(facts.extents)
    return any(
        made.role == Role.REDUCTION
        and made.count(made.parallel) == rows
        and rows * made.count(made.reduced) == math.prod(sink.extents)
        and not _is_shared(made, rows, made.count(made.reduced))
        for made in element_chain(analysis, facts)
    )


def _against_scan(facts: OpFacts) -> str | None:
    """A scan joins its readers where registers hold whole rows of totals."""
    (loop,) = facts.reduced
    if facts.outputs[0].loops[-1] != loop and facts.extents[loop] > LONGEST_COLUMN:
        return "its totals run across rows: a kernel of its own carries them"
    if facts.extents[loop] > LONGEST_SCAN:
        return f"no program holds {facts.extents[loop]} totals: a loop carries them"
    return None


def _is_shared(facts: OpFacts, rows: int, length: int) -> bool:
    """Whether several programs share a reduction: few results, or one across rows."""
    if rows < FEW_ROWS and length >= LONG_ROW:
        return True
    widest = max(facts.inputs, key=lambda operand: operand.elements)
    inner = next((loop for loop in reversed(widest.loops) if loop is not None), None)
    return length >= LONG_COLUMN and inner not in facts.reduced


def _in_one_pass(analysis: Analysis, facts: OpFacts, group: Group) -> OpFacts | None:
    """Another reduction of the same elements whose result a kernel needs too."""
    own = (facts.role, facts.extents, facts.reduced)
    pending, seen = list(group.ops), {facts}
    while pending:
        for _, made in analysis.producers(pending.pop()):
            if made in seen:
                continue
            seen.add(made)
            if made.role in POINTWISE and math.prod(made.extents) < math.prod(own[1]):
                pending.append(made)
            if (made.role, made.extents, made.reduced) != own:
                continue
            if not _elements(analysis, facts) & _elements(analysis, made):
                continue
            if not depends_on(analysis, facts, made):
                if not depends_on(analysis, made, facts):
                    return made
    return None


def _elements(analysis: Analysis, facts: OpFacts) -> set[SSAValue]:
    """The tensors with all elements of a reduction: what it reads, or is inlined."""
    inlined = [
        made for made in element_chain(analysis, facts) if made.role in POINTWISE
    ]
    return {
        operand.value
        for member in (facts, *inlined)
        for operand in member.inputs
        if operand.elements == math.prod(facts.extents)
    }


def _read_by_both(facts: OpFacts, group: Group) -> int:
    """The bytes that move twice if an op and a group that read them are apart."""
    read = {o.value for member in group.ops for o in member.operands if o.is_read}
    return sum(2 * o.bytes for o in facts.operands if o.is_read and o.value in read)
