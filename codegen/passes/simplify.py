"""Move conversions, and values that one branch reads, to where they cost least.

- A tile is converted before it is repeated, and right after it is loaded:
  `kernel.cast (vector.broadcast %x)` becomes `vector.broadcast (kernel.cast %x)`.
- An integer that is widened to become a float is converted at once: 32-bit indices need
  no conversion from 64 bits, which is slow.
- Lanes that a mask sets to 0 in a tile are not set to 0 again after a conversion:
  `select(mask, cast(x), 0)` becomes `cast(select(mask, x, 0))` where that one exists.
- A value that only one branch reads is computed in that branch.
- A tile of i32 that is widened to be compared with one i64, as a column with a label,
  is compared in 32 bits: the number is narrowed instead, if it fits.

Masks that always hold, common offsets and addresses that no loop changes need no pass:
`kernel/accesses.py` builds no such mask, each offset once, and addresses outside loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloat,
    IntegerType,
    ModuleOp,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.kernel.dead_code import remove_dead
from tilewright.codegen.kernel.modules import kernels_of
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    CastOp,
    CompareOp,
    DescriptorLoadOp,
    ExpandDimsOp,
    LoadOp,
    element_of,
    shape_of,
)


def simplify(module: ModuleOp) -> ModuleOp:
    """Tidy the kernels of a module."""
    for kernel in kernels_of(module).values():
        _simplify(kernel.body.block)
    return module


def _simplify(block: Block) -> None:
    remove_dead(block)
    for op in list(block.walk()):
        if isinstance(op, CastOp):
            _cast_at_once(op)
            _cast_before_repeating(op)
        elif isinstance(op, CompareOp):
            _compare_in_32_bits(op)
        elif isinstance(op, arith.SelectOp):
            _choose_before_casting(op)
    remove_dead(block)
    for op in list(block.walk()):
        if isinstance(op, CastOp):
            _cast_where_loaded(op)
        elif isinstance(op, scf.IfOp):
            _sink_into(op)


def _cast_at_once(op: CastOp) -> None:
    """Convert an integer to a float without widening it first."""
    wide = op.source.owner
    if not isinstance(wide, CastOp) or not isinstance(
        element_of(op.result.type), AnyFloat
    ):
        return
    narrow, wider = element_of(wide.source.type), element_of(wide.result.type)
    if (
        isinstance(narrow, IntegerType)
        and isinstance(wider, IntegerType)
        and 1 < narrow.width.data < wider.width.data
    ):
        op.operands[0] = wide.source


def _cast_before_repeating(op: CastOp) -> None:
    chain: list[ExpandDimsOp | vector.BroadcastOp] = []
    source = op.source
    while isinstance(maker := source.owner, ExpandDimsOp | vector.BroadcastOp):
        chain.append(maker)
        source = maker.source
    if not chain or not shape_of(source.type):
        return
    of = element_of(op.result.type)
    place = InsertPoint.before(op)
    value = _known_cast(op, source)
    if value is None:
        cast = CastOp(source, of)
        cast.location = op.location
        Rewriter.insert_op(cast, place)
        value = cast.result
    for maker in reversed(chain):
        if isinstance(maker, ExpandDimsOp):
            again = ExpandDimsOp(value, maker.axis.value.data)
        else:
            wide = VectorType(of, list(shape_of(maker.vector.type)))
            again = vector.BroadcastOp(value, wide)
        Rewriter.insert_op(again, place)
        value = again.results[0]
    value.name_hint = op.result.name_hint
    Rewriter.replace_op(op, [], [value])


def _choose_before_casting(op: arith.SelectOp) -> None:
    """Convert a tile that has its zeros, instead of setting zeros in the result."""
    cast = op.true_value.owner
    if not isinstance(cast, CastOp) or not _is_zero(op.false_value):
        return
    for use in cast.source.uses:
        chosen = use.operation
        if (
            isinstance(chosen, arith.SelectOp)
            and chosen.condition is op.condition
            and chosen.true_value is cast.source
            and _is_zero(chosen.false_value)
            and chosen.parent is op.parent
            and chosen.is_before_in_block(op)
        ):
            again = CastOp(chosen.result, element_of(op.result.type))
            again.location = cast.location
            again.result.name_hint = cast.result.name_hint
            Rewriter.insert_op(again, InsertPoint.before(op))
            Rewriter.replace_op(op, [], [again.result])
            if chosen.result.name_hint is None:
                chosen.result.name_hint = cast.source.name_hint
            return


def _is_zero(value: SSAValue) -> bool:
    constant = constant_of(value)
    return constant is not None and constant.value.data == 0


def _compare_in_32_bits(op: CompareOp) -> None:
    """Compare a widened tile with a narrowed number, for equality."""
    wide, repeated = op.lhs.owner, op.rhs.owner
    if (
        op.predicate.data not in ("eq", "ne")
        or not isinstance(wide, CastOp)
        or not isinstance(repeated, vector.BroadcastOp)
        or not isinstance(wide.source.type, VectorType)
        or element_of(wide.source.type) != i32
        or repeated.source.type != i64
    ):
        return
    narrow = CastOp(repeated.source, i32)
    back = CastOp(narrow.result, i64)
    fits = CompareOp("eq", back.result, repeated.source)
    number = vector.BroadcastOp(narrow.result, wide.source.type)
    found = CompareOp("eq", wide.source, number.vector)
    shape = VectorType(i1, list(shape_of(op.result.type)))
    everywhere = vector.BroadcastOp(fits.result, shape)
    equal = arith.AndIOp(found.result, everywhere.vector)
    made: list[Operation] = [narrow, back, fits, number, found, everywhere, equal]
    if op.predicate.data == "ne":
        true = arith.ConstantOp(dense_of(shape, [1]))
        made += [true, arith.XOrIOp(equal.result, true.result)]
    for each in made:
        each.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [made[-1].results[0]])


def _known_cast(op: CastOp, source: SSAValue) -> SSAValue | None:
    """The same conversion of the same tile, if it is earlier in the block."""
    of = element_of(op.result.type)
    for use in source.uses:
        other = use.operation
        if (
            isinstance(other, CastOp)
            and element_of(other.result.type) == of
            and other.parent is op.parent
            and other.is_before_in_block(op)
        ):
            return other.result
    return None


def _cast_where_loaded(op: CastOp) -> None:
    load = op.source.owner
    if (
        isinstance(load, LoadOp | DescriptorLoadOp)
        and load.parent is op.parent
        and len(list(op.source.uses)) == 1
    ):
        op.detach()
        Rewriter.insert_op(op, InsertPoint.after(load))
        op.result.name_hint = op.result.name_hint or load.result.name_hint


def _sink_into(branch: scf.IfOp) -> None:
    body = branch.true_region.block
    op = branch.prev_op
    while op is not None:
        before = op.prev_op
        if (
            op.results
            and not op.regions
            and is_side_effect_free(op)
            and all(_is_in(use.operation, body) for r in op.results for use in r.uses)
        ):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.at_start(body))
        op = before


def _is_in(op: Operation, block: Block) -> bool:
    """Whether an op is in a block, or in a loop of it."""
    parent = op.parent
    while parent is not None and parent is not block:
        around = parent.parent_op()
        parent = None if around is None else around.parent
    return parent is block
