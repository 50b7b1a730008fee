"""Why groups may not be one kernel: a reason in words, which `--explain` prints.

A reason says that no kernel computes the groups together, or none that gives the right
numbers. What one kernel merely costs is up to `cost.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.matmul_tails import absorbed_matmul
from tilewright.planning.analysis.dataflow import Use
from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.analysis.gathers import count_gathers
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.homes import Homes

MOST_OPS = 192
"""The ops of one kernel: Triton takes minutes to compile more, and registers spill."""
MOST_ARITHMETIC = 320
"""The scalar ops of one kernel for an element, for the same reason."""
MOST_PRODUCTS = 2
"""The matmuls with a common tail: each has an accumulator in registers."""
MOST_SINKS = 3
"""The matmuls with a sink each, for the same reason."""
WIDEST_ROW = 256
"""The columns of a matmul in whole rows: the sums of 64 rows of f32, which the tensor
cores compute at a time, take half of the registers of eight warps."""


def why_apart(homes: Homes, parts: Sequence[Group]) -> str | None:
    """A reason against one kernel that shows before the groups are merged."""
    ops = [facts for group in parts for facts in group.ops]
    alone = next((facts for facts in ops if facts.role in ALONE), None)
    if alone is not None and alone.role != Role.WINDOW:
        return f"'{alone.name}' is a kernel of its own: its role is '{alone.role}'"
    if any(group.sink.op.parent is not ops[0].op.parent for group in parts):
        return "they are in different functions"
    matmuls = [facts for facts in ops if facts.role == Role.CONTRACTION]
    if matmuls and not any(group.stream for group in parts):
        for other in matmuls[1:]:
            if other.extents != matmuls[0].extents:
                return f"'{other.name}' and '{matmuls[0].name}' have different sizes"
    first, *others = parts
    if len(others) == 1 and not any(facts.reduced for facts in ops):
        passes = first.made & others[0].read or others[0].made & first.read
        if not passes and first.sink.extents != others[0].sink.extents:
            return "their results have different tiles"
    return _between(homes, parts)


def why_not(homes: Homes, parts: Sequence[Group], both: Group) -> str | None:
    """The first reason against computing several groups in one kernel."""
    return (
        _alone(both)
        or _size(both)
        or _dependences(homes, parts, both)
        or _stores(homes, both)
        or _products(homes, both)
        or _reductions(homes, both)
        or _copies(homes, parts, both)
    )


def _alone(both: Group) -> str | None:
    """Ops that share a kernel with no other, or with none that reduces."""
    for facts in both.ops:
        if facts.role == Role.WINDOW and _is_rounded(facts, both):
            continue
        if facts.role in ALONE:
            return f"'{facts.name}' is a kernel of its own: its role is '{facts.role}'"
    if both.reductions and any(
        count_gathers([facts]) > 1 for facts in both.ops if not facts.reduced
    ):
        return "it reads windows, for which kernels that reduce have no layout"
    return None


def _is_rounded(facts: OpFacts, group: Group) -> bool:
    """Whether a library computes a convolution together with the op that rounds it."""
    rest = [one for one in group.ops if one is not facts and one.role != Role.FILL]
    if len(rest) != 1 or facts in group.leaving:
        return False
    form = absorbed_matmul(rest[0].op, lambda value: value.owner)
    if form is None or rest[0].op.inputs[form.matmul].owner is not facts.op:
        return False
    try:
        library_call(facts.op, "cudnn", rest[0].op, form)
    except SilenceableFailure:
        return False
    return True


def _size(both: Group) -> str | None:
    """More ops than registers and Triton's compiler bear."""
    if len(both.ops) > MOST_OPS:
        return f"together they have more than {MOST_OPS} ops, which spill registers"
    if sum(member.body_size for member in both.ops) > MOST_ARITHMETIC:
        return f"together they compute more than {MOST_ARITHMETIC} numbers an element"
    return None


def _dependences(homes: Homes, parts: Sequence[Group], both: Group) -> str | None:
    """Kernels that would have to run before and after this one, or in its midst."""
    analysis = homes.analysis
    for facts in both.ops:
        for reader in analysis.gatherers(facts):
            if both.has(reader):
                return f"'{reader.name}' reads '{facts.name}' at computed indices"
    return out_of_order(homes, parts, both) or _between(homes, parts)


def out_of_order(homes: Homes, parts: Sequence[Group], both: Group) -> str | None:
    """A kernel that stands in the way in program order.

    It no longer does once it has merged with one that comes later.
    """
    early = read_early(homes, parts, both)
    if early is not None:
        return f"'{early[1].name}' reads it before this kernel's last op"
    if both.also_sinks and (late := _late(homes, both)) is not None:
        return f"'{late.name}' is needed before what the kernel reads is there"
    return None


def _late(homes: Homes, both: Group) -> OpFacts | None:
    """A sink that another kernel reads before the last input of the group is made.

    One grid computes all sinks, at one place of the program.
    """
    made = [
        home.sink.number
        for facts in both.ops
        for _, producer in homes.analysis.producers(facts)
        if not both.has(producer) and producer in homes.of
        if producer.role != Role.FILL  # It joins its readers.
        for home in homes.of[producer]
    ]
    last = max(made, default=-1)
    for sink in both.sinks:
        readers = [r for r in homes.analysis.readers(sink) if not both.has(r)]
        if any(home.sink.number < last for r in readers for home in homes.of[r]):
            return sink
    return None


def _between(homes: Homes, parts: Sequence[Group]) -> str | None:
    """A kernel that waits for one of the groups, and that another one waits for."""
    between = homes.between(parts)
    if between is None:
        return None
    return f"'{between.sink.name}' is in a kernel that comes between"


def read_early(
    homes: Homes, parts: Sequence[Group], both: Group
) -> tuple[OpFacts, OpFacts] | None:
    """An op that is fused and stored, and a reader of another kernel before the sink.

    The kernel stands where its last op stands: such a reader would come before it.
    """
    for facts in both.ops:
        if facts not in both.leaving or facts in both.sinks:
            continue
        for reader in homes.analysis.readers(facts):
            if reader.number < both.sink.number and any(
                home not in parts and not home.has(facts) for home in homes.of[reader]
            ):
                return facts, reader
    return None


def _stores(homes: Homes, both: Group) -> str | None:
    """Results that a kernel cannot store while it computes with them."""
    elements = math.prod(both.sink.extents)
    if (scatter := _started_by_itself(homes, both)) is not None:
        return (
            f"it writes the updates of '{scatter.name}', which starts from its results"
        )
    for facts in both.leaving:
        if facts in both.sinks:
            continue
        if not isinstance(facts.op, GenericOp) and facts.role != Role.FILL:
            return f"'{facts.name}' is a named op whose result is read elsewhere too"
        if facts in both.prologues or facts.role == Role.CONTRACTION:
            return f"a matmul's loop computes '{facts.name}', which is stored as well"
        if both.reductions or both.contractions:
            continue
        if math.prod(facts.extents) < elements:
            return f"every program would store '{facts.name}': it has fewer elements"
    return None


def _started_by_itself(homes: Homes, both: Group) -> OpFacts | None:
    """A scatter that a kernel writes, and whose first elements need its results.

    They are there before the kernel runs, which writes over them: that cannot be.
    """
    analysis = homes.analysis
    if len(both.leaving) < 2:
        return None
    written: set[OpFacts] = set()
    pending: list[OpFacts] = []
    for facts in both.leaving:
        values = {use.reader for use in analysis.uses(facts) if _is_value(use)}
        scatters = {one for one in values if one.role == Role.SCATTER}
        written |= scatters
        pending += [one for one in analysis.readers(facts) if one not in scatters]
    last = max((scatter.number for scatter in written), default=-1)
    pending += [one for scatter in written for one in analysis.readers(scatter)]
    seen: set[OpFacts] = set()
    while pending:
        facts = pending.pop()
        if facts.number > last or facts in seen or both.has(facts):
            continue
        if facts in written:
            return facts
        seen.add(facts)
        pending += analysis.readers(facts)
    return None


def _is_value(use: Use) -> bool:
    """Whether a scatter reads an operand as its values or indices."""
    return use.position < len(use.reader.inputs)


def _products(homes: Homes, both: Group) -> str | None:
    """Matmuls whose tiles one grid cannot have, or whose factors have no place."""
    matmuls = both.contractions
    streamed = both.stream.ops if both.stream is not None else frozenset[OpFacts]()
    free = [matmul for matmul in matmuls if matmul not in streamed]
    if not matmuls:
        return None
    if streamed and free:
        return f"'{free[0].name}' is another matmul than those of the chain"
    made = {result for facts in free for result in facts.op.results}
    inner = {v for facts in [*free, *both.prologues] for v in facts.op.operands}
    if not made.isdisjoint(inner):
        return "a matmul reads it many times"
    filled = {result for facts in both.fills for result in facts.op.results}
    if any(v in filled for matmul in matmuls for v in matmul.op.inputs):
        return "a matmul reads its factors from memory"
    loop = {result for facts in both.prologues for result in facts.op.results}
    factors = [v for facts in free for v in facts.op.operands if v in loop]
    if len(free) > 1 and (
        both.also_sinks and factors or len(set(factors)) < len(factors)
    ):
        return "the loop of several matmuls has no place for what makes a factor"
    for facts in both.ops:
        if facts in both.prologues or facts in matmuls:
            continue
        if not loop.isdisjoint(facts.op.operands):
            return "a matmul's loop reads it, and its tail too"
    for other in free[1:]:
        if not _share_a_factor(free[0], other):
            return (
                f"'{other.name}' and '{free[0].name}' share no factor, in equal loops"
            )
    sinks = both.sinks
    if free and len(sinks) not in (1, len(free)):
        return f"the tail of '{free[0].name}' would have {len(sinks)} ends"
    if len(free) > (MOST_SINKS if len(sinks) == len(free) else MOST_PRODUCTS):
        return f"registers do not hold tiles of {len(free)} matmuls"
    behind = _behind(homes, both)
    for sink in sinks if free else ():
        if sink not in behind:
            return f"'{sink.name}' is no tail of '{free[0].name}'"
    for facts in free:
        for axis in both.grid_axes():
            if facts.number not in axis.loops and axis.extent > 1:
                times = f"up to {axis.extent} times"
                return f"the kernel would compute '{facts.name}' {times}"
    return None


def _share_a_factor(first: OpFacts, second: OpFacts) -> bool:
    """Whether two matmuls have equal loops, and read one tensor along the same."""
    if first.extents != second.extents or first.contraction != second.contraction:
        return False
    return any(
        one.value is other.value and one.loops == other.loops
        for one in first.inputs
        for other in second.inputs
    )


def _behind(homes: Homes, both: Group) -> set[OpFacts]:
    """The matmuls of a group, and the ops that are computed from them."""
    behind = set(both.contractions)
    for facts in both.ops:
        if any(made in behind for _, made in homes.analysis.producers(facts)):
            behind.add(facts)
    return behind


def _reductions(homes: Homes, both: Group) -> str | None:
    """Reductions whose elements are spread over the programs of a matmul."""
    streamed = both.stream.ops if both.stream is not None else frozenset[OpFacts]()
    free = [facts for facts in both.reductions if facts not in streamed]
    if streamed and free:
        return f"'{free[0].name}' reduces what several programs of the chain compute"
    if not both.contractions or streamed:
        return None
    behind = _behind(homes, both)
    for facts in free:
        if facts not in behind:
            return f"tiles of a matmul would cut the reduction '{facts.name}'"
    matmul = both.contractions[0]
    reduced = both.reduced_axes()
    columns = math.prod(
        matmul.extents[loop]
        for loop in matmul.parallel
        if both.axis(matmul, loop) in reduced
    )
    if columns > WIDEST_ROW:
        return f"registers do not hold a tile of rows of {columns} sums"
    return None


def _copies(homes: Homes, parts: Sequence[Group], both: Group) -> str | None:
    """Ops that several kernels compute are fused last: what they read is stored."""
    copied = {facts for facts in both.ops if homes.is_shared(facts, parts)}
    for facts in copied & both.prologues:
        return f"'{facts.name}' is computed in several kernels, not in a matmul's loop"
    for facts in copied:
        for _, made in homes.analysis.producers(facts):
            if both.has(made) and made not in copied and made.role != Role.FILL:
                return f"'{facts.name}', which reads it, is computed in several kernels"
    return None
