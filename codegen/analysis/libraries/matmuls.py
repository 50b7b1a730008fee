"""Products of matrices that a library computes in one call, with the op after them.

Neighbouring loops with the same role are merged: a product of `[b, s, k]` by `[k, n]`
is one of matrices `[b * s, k]` by `[k, n]`, on views of the same memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.libraries.call import (
    CallOperand,
    LibraryCall,
    shape_of,
)
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.element_types import ELEMENT_TYPES
from tilewright.ir.structured.contractions import ContractionLoops
from tilewright.ir.structured.loops import Nest, nest_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.matmul_tails import MatmulTail

_SAME = ("f16", "bf16", "f32", "f64")
"""Element types of products whose output has the type of the operands."""
_NARROW = ("f16", "bf16")
"""Those that are summed in f32, and may have f32 outputs."""
_BYTES = tuple(row.name for row in ELEMENT_TYPES if row.is_fp8)
"""Those that are multiplied by scales, and have outputs of 16 or 32 bits."""
_WHOLE = 16
"""Products of bytes have extents that this divides."""

REMEDY = "leave the attribute off, and schedule a kernel"


@dataclass(frozen=True)
class _Operand:
    value: SSAValue
    loops: tuple[int, ...]


def library_matmul(
    op: StructuredOp,
    factors: Sequence[int],
    tail: StructuredOp | None = None,
    form: MatmulTail | None = None,
) -> LibraryCall:
    """The call that computes a product, and the op `tail` that reads it, if given."""
    nest = nest_of(op)
    left, right = (_Operand(op.operands[i], _loops(nest, i)) for i in factors)
    output = _Operand(op.outputs[0], _loops(nest, len(op.inputs)))
    if not (left.loops and right.loops and output.loops):
        refuse(op, "a product that no library has in one call", REMEDY)
    if tail is None or form is None:
        call = _product(op, nest, left, right, output)
        return _widened(call, wide=_check_types(op, left, right, output))
    renamed = _TailLoops(tail, form.matmul, output.loops)
    output = renamed.operand(len(tail.inputs))
    call = _product(tail, nest, left, right, output)
    if element(left.value.type).name in _BYTES:
        return _scaled(tail, op, call, form, renamed)
    wide = _check_types(tail, left, right, output, op.outputs[0])
    return _with_tail(tail, _widened(call, wide=wide), form, renamed)


def _product(
    op: StructuredOp, nest: Nest, left: _Operand, right: _Operand, output: _Operand
) -> LibraryCall:
    """The product alone, its loops merged by their roles."""
    loops = ContractionLoops(left.loops, right.loops, output.loops)
    batch = loops.batch
    rest = tuple(loop for loop in output.loops if loop not in batch)
    if rest and rest[0] in right.loops:
        left, right = right, left
    m = tuple(loop for loop in rest if loop in left.loops)
    n = tuple(loop for loop in rest if loop in right.loops)
    k = tuple(loop for loop in left.loops if loop in nest.reduced)
    if not m or not k or output.loops != (*batch, *m, *n):
        refuse(op, "a product that no library has in one call", REMEDY)
    if not n and not batch:
        return LibraryCall(
            "mv",
            (_oriented(op, left, [m, k]), _oriented(op, right, [k])),
            _oriented(op, output, [m]),
        )
    first = [batch] if batch else []
    return LibraryCall(
        "bmm" if batch else "mm",
        (_oriented(op, left, [*first, m, k]), _oriented(op, right, [*first, k, n])),
        _oriented(op, output, [*first, m, n]),
    )


def _widened(call: LibraryCall, *, wide: bool) -> LibraryCall:
    """The call with a wider output, or not: torch.mv has none, so it becomes mm."""
    if not wide or call.function != "mv":
        return replace(call, wide=wide)
    matrix, *vectors = (*call.operands, call.output)
    right, output = (replace(view, dims=(*view.dims, ())) for view in vectors)
    return replace(
        call, function="mm", operands=(matrix, right), output=output, wide=True
    )


def _loops(nest: Nest, position: int) -> tuple[int, ...]:
    """The loops along an operand's dimensions; none if there is anything else."""
    map_ = nest.maps[position]
    return named_loops(map_) if map_.is_projected_permutation() else ()


def _oriented(
    op: StructuredOp, operand: _Operand, groups: Sequence[tuple[int, ...]]
) -> CallOperand:
    """The view whose dimensions are groups of loops; the last two may change places."""
    exchanged = [*groups[:-2], groups[-1], groups[-2]] if len(groups) > 1 else groups
    for order in (groups, exchanged):
        if operand.loops == tuple(loop for group in order for loop in group):
            places = {loop: dim for dim, loop in enumerate(operand.loops)}
            dims = [tuple(places[loop] for loop in group) for group in groups]
            return CallOperand(operand.value, tuple(dims))
    refuse(op, "an operand that no library takes as it lies in memory", REMEDY)


def _check_types(
    op: StructuredOp,
    left: _Operand,
    right: _Operand,
    output: _Operand,
    product: SSAValue | None = None,
) -> bool:
    """Whether the output is wider than the operands; other types are refused."""
    one, other, out = (element(each.value.type).name for each in (left, right, output))
    total = out if product is None else element(product.type).name
    if one == other == out and one in _SAME:
        if total == out or (total == "f32" and one in _NARROW):
            return False
    if one == other and one in _NARROW and out == total == "f32":
        return True
    summed = "" if total == out else f", summed in {total},"
    refuse(op, f"torch has no product of {one} and {other}{summed} into {out}", REMEDY)


@dataclass(frozen=True)
class _TailLoops:
    """The operands of a tail, by the loops of the product that it reads."""

    tail: StructuredOp
    product: int
    loops: tuple[int, ...]
    """The loops along the product's dimensions."""

    def operand(self, position: int) -> _Operand:
        """An operand of the tail."""
        maps = self.tail.maps
        if not maps[position].is_projected_permutation():
            refuse(self.tail, "an operand that no library takes as it lies", REMEDY)
        along = named_loops(maps[self.product])
        if len(along) != self.tail.get_num_loops():
            refuse(self.tail, "repeats the product, which no library does", REMEDY)
        renamed = dict(zip(along, self.loops, strict=True))
        loops = tuple(renamed[loop] for loop in named_loops(maps[position]))
        return _Operand(self.tail.operands[position], loops)


def _with_tail(
    tail: StructuredOp, call: LibraryCall, form: MatmulTail, renamed: _TailLoops
) -> LibraryCall:
    """The call with what the tail does to the product."""
    if form.scales:
        refuse(
            tail, "multiplies the product by a tensor, which cuBLAS does not", REMEDY
        )
    made = replace(call, alpha=form.number)
    if form.added:
        made = _adding(tail, made, form, renamed)
    if form.activation is None:
        return made
    row = made.added is not None and not made.copies_first
    if made.function != "mm" or not row or (made.alpha, made.beta) != (1.0, 1.0):
        refuse(
            tail,
            "torch has a product with an activation in one call only after adding a "
            "row of numbers to it",
            REMEDY,
        )
    return replace(made, activation=form.activation)


def _adding(
    tail: StructuredOp, call: LibraryCall, form: MatmulTail, renamed: _TailLoops
) -> LibraryCall:
    """The call with the one tensor that is added."""
    if len(form.added) != 1 or len(form.added[0].operands) != 1:
        refuse(tail, "adds more than one tensor times a number to the product", REMEDY)
    (term,) = form.added
    (position,) = term.operands
    operand = renamed.operand(position)
    types = [element(v.type).name for v in (operand.value, call.output.value)]
    if types[0] != types[1]:
        refuse(
            tail,
            f"adds {types[0]} to a product that is written as {types[1]}; torch adds "
            "tensors of the output's type only",
            REMEDY,
        )
    groups = _merged_loops(call.output, renamed.operand(len(tail.inputs)))
    added = _added_view(tail, operand, groups)
    return replace(call, added=added, beta=term.number)


def _merged_loops(output: CallOperand, operand: _Operand) -> list[tuple[int, ...]]:
    """The loops that each dimension of the output's view merges."""
    return [tuple(operand.loops[dim] for dim in group) for group in output.dims]


def _added_view(
    tail: StructuredOp, operand: _Operand, groups: Sequence[tuple[int, ...]]
) -> CallOperand:
    """What is added, broadcast along the dimensions that it does not have."""
    kept = [group if set(group) <= set(operand.loops) else () for group in groups]
    view = _oriented(tail, operand, kept)
    dims = list(view.dims)
    while dims and not dims[0]:
        dims.pop(0)
    return CallOperand(view.value, tuple(dims))


def _scaled(
    tail: StructuredOp,
    op: StructuredOp,
    call: LibraryCall,
    form: MatmulTail,
    renamed: _TailLoops,
) -> LibraryCall:
    """A product of bytes, scaled by rows and by columns or as a whole."""
    left, right = call.operands
    kinds = [element(view.value.type).name for view in (left, right, call.output)]
    total = element(op.outputs[0].type).name
    # cuBLAS multiplies by the format with the longest mantissa only.
    if _BYTES[0] not in kinds[:2] or not set(kinds[:2]) <= {*_BYTES}:
        refuse(tail, f"torch has no product of {kinds[0]} and {kinds[1]}", REMEDY)
    if total != "f32" or kinds[2] not in ("f16", "bf16", "f32"):
        refuse(tail, f"torch has no product of bytes into {kinds[2]}", REMEDY)
    if call.function != "mm" or left.swapped or not right.swapped:
        refuse(
            tail,
            "cuBLAS multiplies bytes only if both operands lie along the sum in memory",
            "store the second operand transposed, or schedule a kernel",
        )
    if form.added or form.activation or form.number != 1.0:
        refuse(tail, "a product of bytes that is not only scaled", REMEDY)
    for view in (left, right):
        shape = view.shape(shape_of(view.value))
        if any(size == DYNAMIC_INDEX or size % _WHOLE for size in shape):
            refuse(tail, f"cuBLAS multiplies bytes by whole {_WHOLE} only", REMEDY)
    scales = _scales(tail, call, form, renamed)
    if any(scale is not None and scale.dims for scale in scales):
        if kinds[2] != "bf16" or any(scale is None for scale in scales):
            refuse(
                tail,
                "torch scales each row and each column in one call only with both, "
                "and only into bf16",
                REMEDY,
            )
    return replace(call, function="scaled_mm", scales=scales)


def _scales(
    tail: StructuredOp, call: LibraryCall, form: MatmulTail, renamed: _TailLoops
) -> tuple[CallOperand | None, CallOperand | None]:
    """The scales of the rows and of the columns; single numbers have no dimension."""
    rows, columns = _merged_loops(call.output, renamed.operand(len(tail.inputs)))
    found: list[CallOperand | None] = [None, None]
    for position in form.scales:
        operand = renamed.operand(position)
        wanted = {rows: 0, columns: 1}
        place = wanted.get(operand.loops, found.index(None) if None in found else 0)
        fits = operand.loops in wanted or not operand.loops
        if not fits or found[place] is not None:
            refuse(tail, "scales that torch does not take", REMEDY)
        if element(operand.value.type).name != "f32":
            refuse(tail, "torch takes scales in f32 only", REMEDY)
        dims = tuple(range(len(operand.loops)))
        view = ((dims, ()), ((), dims))[place] if operand.loops else ()
        found[place] = CallOperand(operand.value, view)
    if len({scale is not None and bool(scale.dims) for scale in found}) > 1:
        refuse(tail, "scales rows or columns, but not both", REMEDY)
    return found[0], found[1]
