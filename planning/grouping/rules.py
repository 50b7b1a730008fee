"""The rules of fusion: what speaks against computing an op in its readers' kernel.

Each rule looks at roles, axes and bytes, never at names of ops. A rule answers with a
reason, which `--explain` prints, or with None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.product_tails import absorbed_product
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.analysis.gathers import count_gathers
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.tails import (
    POINTWISE,
    Tails,
    chain_bytes,
    depends_on,
)

WIDEST_WHOLE_TILE = 256
"""The columns of a product that one tile can hold, to be reduced along them."""
SLOWER_IN_ROWS = 2.0
"""The time that a product of f32 takes longer in our tiles than in a library, over that
of its arithmetic at the card's peak."""
CALL_SECONDS = 6e-6
"""The time of a library's call beside its arithmetic."""
MOST_PRODUCTS = 2
"""The products of one kernel: each has an accumulator in registers."""
MOST_READ_FOR_A_FACTOR = 3
"""The tensors that a loop of a product reads to compute one factor of it."""
MOST_OPS = 64
"""The ops of one kernel: Triton takes long over more, and registers spill."""
MOST_ARITHMETIC = 320
"""The scalar ops of one kernel, for an element, for the same reasons."""
FEW_ROWS = 64
"""With fewer rows than this, a kernel of whole rows leaves most of a card idle."""
LONG_ROW = 65536
"""A row of this length is worth splitting over several programs."""
LONG_COLUMN = 512
"""A column of this length is worth splitting over several programs."""

LONGEST_SCAN = 16384
"""A row of this many totals, and the elements they are made of, fits into registers."""

LAUNCH_SECONDS = 1.5e-6
"""The time between two kernels, which a fusion saves."""

Uses = Sequence[tuple[OpFacts, int]]


def against(
    tails: Tails,
    facts: OpFacts,
    uses: Uses,
    group: Group,
    stored: bool,
    target: Target,
) -> str | None:
    """The first rule that speaks against fusing an op into a group."""
    if facts.role == Role.WINDOW and not stored and _is_rounded(facts, uses):
        return None
    if facts.role in (Role.OTHER, Role.WINDOW):
        return f"its role is '{facts.role}', which stays a kernel of its own"
    if any(reader.role in (Role.OTHER, Role.WINDOW) for reader, _ in uses):
        return "its reader is a kernel of its own"
    if len(group.ops) >= MOST_OPS:
        return f"the kernel has {MOST_OPS} ops already"
    if sum(member.body_size for member in group.ops) > MOST_ARITHMETIC:
        return f"the kernel computes {MOST_ARITHMETIC} numbers for an element already"
    if stored and not isinstance(facts.op, GenericOp) and facts.role != Role.FILL:
        return "it is a named op whose result is read elsewhere too"
    if stored and any(
        facts.op.results[0] is reader.op.operands[position]
        and reader.role == Role.CONTRACTION
        for reader, position in uses
    ):
        return "its result is stored anyway, and a product reads it many times"
    if stored and _is_repeated(facts, uses, group):
        return "every program would store it, as it has fewer elements"
    if facts.role == Role.CONTRACTION:
        return _against_product(facts, uses, group, stored, target)
    if group.reductions and count_gathers([facts]) > 1:
        return "it reads windows, for which kernels that reduce have no layout"
    if (
        reason := _against_leaving_a_product(tails, facts, uses, group, stored, target)
    ) is not None:
        return reason
    in_loop = [r.role == Role.CONTRACTION or r in group.prologues for r, _ in uses]
    if any(in_loop) and not all(in_loop):
        return "a product's loop reads it, and its tail too"
    if any(reader.role == Role.CONTRACTION for reader, _ in uses):
        return _against_prologue(tails.analysis, facts, uses, target)
    if any(in_loop) and facts.reduced:
        return "a product would compute the reduction once for every tile"
    if facts.reduced:
        return _against_reduction(tails, facts, uses, group)
    return None


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


def _against_leaving_a_product(
    tails: Tails,
    facts: OpFacts,
    uses: Uses,
    group: Group,
    stored: bool,
    target: Target,
) -> str | None:
    """A product's tail stays with it where that moves no more bytes.

    What a kernel of rows can compute as well leaves a product that a library computes.
    """
    above = tails.cut_above(facts)
    if above is None:
        return None
    below = facts.written_bytes * (1 if stored else 2)
    if below > above:
        return None
    if below == above and group.reductions:
        is_only_here = all(map(group.has, tails.analysis.readers(facts)))
        if not _is_called_with_product(facts, target, is_only_here):
            return None
    reader_is_product = any(reader.role == Role.CONTRACTION for reader, _ in uses)
    for product in tails.products(facts):
        others = group.contractions
        if (
            reader_is_product
            or group.reductions
            or len(others) >= MOST_PRODUCTS
            or not all(_is_sibling(product, other) for other in others)
        ):
            return f"it stays with the product '{product.name}', as its tail"
    return None


def _is_called_with_product(facts: OpFacts, target: Target, is_only_here: bool) -> bool:
    """Whether a library computes an op in the call of the product that it reads.

    In f32, cuBLAS is slower with a bias: it does not split long sums then. A kernel
    that alone reads the sum adds the bias instead.
    """
    form = absorbed_product(facts.op, lambda value: value.owner)
    if form is None:
        return False
    product = facts.op.inputs[form.product].owner
    assert isinstance(product, StructuredOp)
    kind = element(product.inputs[0].type).name
    is_slower = kind == "f32" and target.library_f32 not in target.tensor_flops
    if is_slower and is_only_here:
        return False
    try:
        library_call(product, "cublas", facts.op, form)
    except SilenceableFailure:
        return False
    return True


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


def _against_product(
    facts: OpFacts, uses: Uses, group: Group, stored: bool, target: Target
) -> str | None:
    """A product joins an element-wise tail that runs along its own rows and columns."""
    if any(reader.role == Role.CONTRACTION for reader, _ in uses):
        return "a product reads it many times"
    if stored:
        return "its result is also read elsewhere"
    if group.reductions:
        reduced = group.reduced_axes()
        columns = [
            facts.extents[loop]
            for loop, axis in _joined_loops(facts, uses, group)
            if axis in reduced
        ]
        if math.prod(columns) > WIDEST_WHOLE_TILE or len(columns) != 1:
            return "a reduction needs whole rows of it, which no tile holds"
        if _pays_a_call(facts, target):
            return "a library computes it faster than a kernel of whole rows in f32"
    others = group.contractions
    if len(others) >= MOST_PRODUCTS:
        return f"the kernel has {len(others)} products already"
    for other in others:
        if not _is_sibling(facts, other):
            return f"'{other.name}' is in the kernel and shares no operand with it"
    return None


def _pays_a_call(facts: OpFacts, target: Target) -> bool:
    """Whether a library saves more than a launch and the traffic of a product's rows.

    That is so for long sums outside the tensor cores, where our tiles are slower.
    """
    if facts.inputs[0].element.name != "f32" or target.multiplies_thirds:
        return False
    saved = SLOWER_IN_ROWS * facts.flops / target.vector_flops
    return saved > CALL_SECONDS + 2 * facts.written_bytes / target.hbm_bandwidth


def _is_sibling(facts: OpFacts, other: OpFacts) -> bool:
    """Whether two products read one operand and have equal loops."""
    shared = {operand.value for operand in facts.inputs} & {
        operand.value for operand in other.inputs
    }
    return bool(shared) and facts.extents == other.extents


def _joined_loops(
    facts: OpFacts, uses: Uses, group: Group
) -> list[tuple[int, tuple[int, int]]]:
    """The loops of a producer with the axes of the group that its readers give them."""
    found: list[tuple[int, tuple[int, int]]] = []
    for reader, position in uses:
        made = facts.result_loops(reader.op.operands[position])
        for own, loop in zip(made, reader.operands[position].loops, strict=True):
            if own is not None and loop is not None:
                found.append((own, group.axis(reader, loop)))
    return found


def _against_prologue(
    analysis: Analysis, facts: OpFacts, uses: Uses, target: Target
) -> str | None:
    """A producer of a factor is computed once for every tile that reads it."""
    if facts.role == Role.MOVEMENT:
        return None
    if facts.reduced:
        return "a product would compute the reduction once for every tile"
    if any(made.reduced for made in _chain(analysis, facts)):
        return "it ends a chain of row work, and stays with it"
    reader, position = uses[0]
    factor = reader.operands[position]
    if _reads_much(analysis, facts, factor.elements):
        return "a product's loop would wait for many tensors to compute one factor"
    again = max(1, math.prod(reader.extents[i] for i in reader.reuse(factor)) // 128)
    inputs = chain_bytes(analysis, facts)
    saved = LAUNCH_SECONDS + 2 * facts.written_bytes / target.hbm_bandwidth
    cost = again * max(0, inputs - factor.bytes) / target.l2_bandwidth
    # The factor passes through registers: the tensor cores wait for it.
    cost += 0.6 * reader.flops / target.product_flops(factor.element.name)
    # Where it is close, the sketch that stores it first (`apart.py`) is compared too.
    if cost > 1.2 * saved:
        return "computing it for every tile costs more than storing it once"
    return None


def _chain(analysis: Analysis, facts: OpFacts) -> Iterator[OpFacts]:
    """The ops that an element-wise op reads from, through other element-wise ops."""
    pending, seen = [facts], set[OpFacts]()
    while pending:
        for _, made in analysis.producers(pending.pop()):
            if made in seen:
                continue
            seen.add(made)
            yield made
            if made.role in POINTWISE:
                pending.append(made)


def _reads_much(analysis: Analysis, facts: OpFacts, elements: int) -> bool:
    """Whether a chain of element-wise ops reads many tensors of a factor's size."""
    chain = [facts, *_chain(analysis, facts)]
    read = {
        operand.value
        for member in chain
        if member.role in POINTWISE
        for operand in member.inputs
        if operand.is_read and operand.elements >= elements
    }
    made = {r for m in chain if m.role in POINTWISE for r in m.op.results}
    return len(read - made) > MOST_READ_FOR_A_FACTOR


def _against_reduction(
    tails: Tails, facts: OpFacts, uses: Uses, group: Group
) -> str | None:
    """A reduction joins readers that run along its own parallel axes."""
    if group.contractions:
        return "its reader computes a product in tiles that cut the reduction"
    joined = dict(_joined_loops(facts, uses, group))
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
        if (other := _in_one_pass(tails.analysis, facts, uses)) is not None:
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


def _against_scan(facts: OpFacts) -> str | None:
    """A scan joins its readers where registers hold whole rows of totals."""
    (loop,) = facts.reduced
    if facts.outputs[0].loops[-1] != loop:
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


def _in_one_pass(analysis: Analysis, facts: OpFacts, uses: Uses) -> OpFacts | None:
    """Another reduction of the same elements whose result a reader reads too."""
    widest = max(facts.inputs, key=lambda operand: operand.elements)
    for reader, _ in uses:
        for _, made in analysis.producers(reader):
            alike = (made.role, made.extents, made.reduced)
            if made is facts or alike != (facts.role, facts.extents, facts.reduced):
                continue
            if all(operand.value is not widest.value for operand in made.inputs):
                continue
            if not depends_on(analysis, facts, made):
                if not depends_on(analysis, made, facts):
                    return made
    return None


def _read_by_both(facts: OpFacts, group: Group) -> int:
    """The bytes that move twice if an op and a group that read them are apart."""
    read = {o.value for member in group.ops for o in member.operands if o.is_read}
    return sum(2 * o.bytes for o in facts.operands if o.is_read and o.value in read)


def repeated(group: Group, target: Target) -> Iterator[tuple[OpFacts, str]]:
    """The ops that a finished group would compute many times over, with the reason.

    A tile of the grid computes all that it reads. Tiles that differ only along an axis
    that an op does not have compute the op again. A tile of a streamed chain holds the
    columns of its product whole.
    """
    if group.stream is not None:
        return
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
