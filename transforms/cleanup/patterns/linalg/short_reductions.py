"""Compute short reductions element by element, where each result is one thread's work.

`tilewright.short_reductions`. The distances of points in space add three squares:

    %d = linalg.generic ... ins(%a, %b) { subf, mulf } -> tensor<8x64x64x3xf32>
    %s = linalg.generic ... ins(%d) { addf } -> tensor<8x64x64xf32>

A tile of such sums is mostly lanes past the end of a row. So is one whose rows lie
apart by two or three elements, and one of a stack, which is a concat. One op reads
the slices of `%a` and `%b` instead and adds up in its body, so that nobody needs `%d`.
So does one that reduces windows which overlap.
What is reduced must be read by nobody else. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    GenericOp,
    StructuredOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.tensor import groups_of
from tilewright.ir.structured.bodies import captured_values, is_elementwise
from tilewright.ir.structured.combiners import is_neutral
from tilewright.ir.structured.concats import Part, is_concat, parts_of
from tilewright.ir.structured.inlining import Elements, producer_of
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.maps import is_projection_or_zero, named_loops
from tilewright.ir.structured.movement import Indices, view_of
from tilewright.ir.structured.reductions import filled_with, reduction_of
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import shape_of
from tilewright.transforms.core.rewriter import Rewriter

LONGEST = 16
"""The elements of a result."""
LONGEST_WINDOW = 64
"""The elements of a result whose windows overlap: stored, each would be there often."""
OVERLAP = 1.5
"""Windows overlap if elements are in as many of them, on average: those that are half
new are in two each, except at the ends."""
SHARED = 4
"""Where results share elements, each is read by this many of them."""
STORED = 32
"""Where they share computed elements, such as the corners of all pairs of boxes, which
are stored for them."""
NARROW = 32
"""Fewer neighbours than this, behind the reduced loops, are no tile."""
MOST_INPUTS = 40


@pattern(GenericOp)
def unroll_reduction(op: GenericOp, rewriter: Rewriter) -> None:
    """Make one element-wise op of a short reduction and what it reduces."""
    if not is_short(op):
        return
    nest, extents = nest_of(op), op.get_static_loop_ranges()
    kept = {loop: AffineDimExpr(at) for at, loop in enumerate(nest.parallel)}
    body = Elements(
        op,
        [extents[loop] for loop in kept],
        lambda value: producer_for(value) is not None or _is_own(value),
    )
    total = None
    for at in product(*(range(extents[loop]) for loop in nest.reduced)):
        numbers = dict(zip(nest.reduced, map(AffineConstantExpr, at), strict=True))
        loops: dict[int, AffineExpr] = {**kept, **numbers}
        indices = tuple(loops[loop] for loop in range(nest.rank))
        total = _combined(body, op, indices, total)
    assert total is not None
    body.block.add_op(YieldOp(total))
    kind = tensor_type(op.results[0])
    body.block.insert_arg(kind.get_element_type(), len(body.block.args))
    empty = make("tensor.empty", [], [kind])
    output = AffineMap(
        len(kept), 0, tuple(kept[loop] for loop in named_loops(nest.output_maps[0]))
    )
    made = GenericOp(
        body.inputs,
        [empty.results[0]],
        Region(body.block),
        maps_attribute([*body.maps, output]),
        iterators(len(kept)),
        [kind],
    )
    made.location = op.location
    made.results[0].name_hint = op.results[0].name_hint
    rewriter.replace_with(op, *body.views, empty, made)


def _combined(
    body: Elements, op: GenericOp, loops: Indices, total: SSAValue | None
) -> SSAValue:
    """The total after one more element; it starts with the first one."""
    reduction = reduction_of(op, 0)
    assert reduction is not None
    values = body.copied(op, loops, but=(reduction.op,))
    element = values.get(reduction.operand, reduction.operand)
    if total is None:
        return element
    accumulator = op.body.block.args[len(op.inputs)]
    combiner = reduction.op.clone({**values, accumulator: total})
    body.block.add_op(combiner)
    return combiner.results[0]


def producer_for(value: SSAValue) -> StructuredOp | None:
    """The element-wise op that computes a tensor for one reader alone."""
    op = producer_of(value)
    if op is None or not value.has_one_use():
        return None
    return op if _is_plain(op) or _has_windows(op) else None


def _has_windows(op: StructuredOp) -> bool:
    """Whether an op reads the elements of one tensor for several of its own each."""
    inner = op.body.block.ops
    read = {each.tensor for each in inner if isinstance(each, tensor.ExtractOp)}
    made = prod(shape_of(op.results[0]))
    return len(read) == 1 and made >= OVERLAP * abs(prod(shape_of(read.pop())))


def _reduces_windows(op: StructuredOp) -> bool:
    """Whether what an op reduces are the elements of windows that overlap."""
    producers = [each for each in map(producer_for, op.inputs) if each is not None]
    return any(_has_windows(each) or _reduces_windows(each) for each in producers)


def _is_plain(op: StructuredOp) -> bool:
    """Whether a body computes from its operands alone."""
    reads = any(isinstance(each, tensor.ExtractOp) for each in op.body.block.ops)
    return not reads and all(
        isinstance(value.owner, arith.ConstantOp) for value in captured_values(op)
    )


def is_short(op: Operation) -> bool:
    """Whether an op is a reduction that each thread should do for its own results."""
    if not isinstance(op, GenericOp) or len(op.results) != 1:
        return False
    nest = nest_of(op)
    if not nest.reduced or not nest.parallel:
        return False
    extents = op.get_static_loop_ranges()
    length = prod(extents[loop] for loop in nest.reduced)
    if min(extents) < 1 or length > LONGEST_WINDOW or not _is_plain(op):
        return False  # a size that is not known is negative
    if length > LONGEST and not _reduces_windows(op):
        return False
    reduction = reduction_of(op, 0)
    if reduction is None or not is_neutral(filled_with(op), reduction.kind):
        return False
    if not all(map(is_projection_or_zero, op.maps)):
        return False
    if sorted(named_loops(nest.output_maps[0])) != list(nest.parallel):
        return False
    sources = _sources(op, frozenset(nest.reduced))
    inputs = sum(length if lies_along else 1 for lies_along in sources.values())
    if inputs > MOST_INPUTS:
        return False
    if not any(sources.values()):
        return True  # a stack of tensors
    read = sum(prod(shape_of(source)) for source in sources)
    if any(map(_is_elements, sources)):
        return prod(extents) >= STORED * read
    if prod(extents) >= SHARED * read:
        return True
    behind = [loop for loop in nest.parallel if loop > max(nest.reduced)]
    neighbours = prod(extents[loop] for loop in behind)
    return 1 < neighbours < NARROW and not _reads_again(op, sources)


def _sources(op: StructuredOp, reduced: frozenset[int]) -> dict[SSAValue, bool]:
    """The tensors that are loaded for an op, and whether they lie along its loops."""
    found: dict[SSAValue, bool] = {}
    for value, map_ in zip(op.inputs, op.maps, strict=False):
        producer = producer_for(value)
        along = [d for d, loop in enumerate(_loops(map_)) if loop in reduced]
        if parts := _stacked(value, along):
            found.update(dict.fromkeys([part.source for part in parts], False))
            continue
        if not is_tensor(value.type):
            continue  # the number of a fill
        if producer is None:
            found[value] = found.get(value, False) or bool(along)
            continue
        loops = named_loops(producer.maps[-1])
        inner = _sources(producer, frozenset(loops[dim] for dim in along))
        for source, lies_along in inner.items():
            found[source] = found.get(source, False) or lies_along
    return found


def _stacked(value: SSAValue, along: Sequence[int]) -> tuple[Part, ...]:
    """The tensors of a stack that reductions alone read, one of them along it."""
    view = view_of(value)
    readers = [use.operation for use in value.uses]
    if not isinstance(view, tensor.ExpandShapeOp) or not all(map(_reduces, readers)):
        return ()
    parts = parts_of(view.src.owner) or ()
    cut = {dim for part in parts for dim in part.cut(shape_of(view.src))}
    if not is_concat(parts) or len(cut) != 1 or not _is_own(view.src):
        return ()
    dims = groups_of(view.reassociation)[cut.pop()]
    sizes = {part.sizes for part in parts}
    is_stack = len(sizes) == 1 and shape_of(value)[dims[0]] == len(parts)
    return parts if is_stack and list(along) == [dims[0]] else ()


def _reduces(op: Operation) -> bool:
    """Whether an op is a reduction."""
    return isinstance(op, GenericOp) and bool(nest_of(op).reduced)


def _is_own(value: SSAValue) -> bool:
    """Whether a tensor is a concat that is seen in one shape alone."""
    return parts_of(value.owner) is not None and value.has_one_use()


def _loops(map_: AffineMap) -> list[int | None]:
    """The loop of each dimension; None along a broadcast one."""
    return [
        expr.position if isinstance(expr, AffineDimExpr) else None
        for expr in map_.results
    ]


def _is_elements(value: SSAValue) -> bool:
    """Whether an element-wise op stores a tensor, which its reader could compute."""
    return isinstance(value.owner, StructuredOp) and is_elementwise(value.owner)


def _reads_again(op: Operation, sources: Iterable[SSAValue]) -> bool:
    """Whether what is computed from a result reads the sources, as a norm does."""
    readers = {use.operation for source in sources for use in source.uses}
    pending, seen = [op], {op}
    while pending:
        for result in pending.pop().results:
            for use in result.uses:
                if use.operation in readers:
                    return True
                if use.operation not in seen:
                    seen.add(use.operation)
                    pending.append(use.operation)
    return False


PATTERNS = (unroll_reduction,)
