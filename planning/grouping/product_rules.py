"""Rules of fusion for products of matrices, their tails and their factors."""

from __future__ import annotations

import math

from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.product_tails import absorbed_product
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.fusion import Fusion
from tilewright.planning.grouping.tails import POINTWISE, chain_bytes, element_chain

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
LAUNCH_SECONDS = 1.5e-6
"""The time between two kernels, which a fusion saves."""


def against_leaving_a_product(fusion: Fusion) -> str | None:
    """A product's tail stays with it where that moves no more bytes.

    What a kernel of rows can compute as well leaves a product that a library computes.
    """
    tails, facts, group = fusion.tails, fusion.facts, fusion.group
    above = tails.cut_above(facts)
    if above is None:
        return None
    below = facts.written_bytes * (1 if fusion.stored else 2)
    if below > above:
        return None
    if below == above and group.reductions:
        is_only_here = all(map(group.has, tails.analysis.readers(facts)))
        if not _is_called_with_product(facts, fusion.target, is_only_here):
            return None
    for product in tails.products(facts):
        others = group.contractions
        if (
            fusion.is_read_by_product
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


def against_product(fusion: Fusion) -> str | None:
    """A product joins an element-wise tail that runs along its own rows and columns."""
    facts, group = fusion.facts, fusion.group
    if fusion.is_read_by_product:
        return "a product reads it many times"
    if fusion.stored:
        return "its result is also read elsewhere"
    if group.reductions:
        reduced = group.reduced_axes()
        columns = [
            facts.extents[loop]
            for loop, axis in fusion.joined_loops()
            if axis in reduced
        ]
        if math.prod(columns) > WIDEST_WHOLE_TILE or len(columns) != 1:
            return "a reduction needs whole rows of it, which no tile holds"
        if _pays_a_call(facts, fusion.target):
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


def against_prologue(fusion: Fusion) -> str | None:
    """A producer of a factor is computed once for every tile that reads it."""
    analysis, facts, target = fusion.tails.analysis, fusion.facts, fusion.target
    if facts.role == Role.MOVEMENT:
        return None
    if facts.reduced:
        return "a product would compute the reduction once for every tile"
    if any(made.reduced for made in element_chain(analysis, facts)):
        return "it ends a chain of row work, and stays with it"
    reader, position = fusion.uses[0]
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


def _reads_much(analysis: Analysis, facts: OpFacts, elements: int) -> bool:
    """Whether a chain of element-wise ops reads many tensors of a factor's size."""
    chain = [facts, *element_chain(analysis, facts)]
    read = {
        operand.value
        for member in chain
        if member.role in POINTWISE
        for operand in member.inputs
        if operand.is_read and operand.elements >= elements
    }
    made = {r for m in chain if m.role in POINTWISE for r in m.op.results}
    return len(read - made) > MOST_READ_FOR_A_FACTOR
