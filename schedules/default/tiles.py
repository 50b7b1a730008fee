"""The tile sizes that the default gives an op without a grid.

A matrix product gets square tiles for the tensor cores. The tile of any other op has
about as many elements as fit easily into the registers of four warps; the tile of a
reduction has whole rows if they fit, and as many of them as fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeGuard, cast

from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import affine, scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import contraction_dims, is_contraction
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.text import place_of
from tilewright.ir.types import element_type
from tilewright.transforms.core.extents import Extent, OpList, upper_bound
from tilewright.transforms.structured.tile.one_tile import loop_ranges

TILE = 64
"""The tile of a product's rows and columns; it fits registers for any body."""

ROW = 1024
"""The tile of an op with one loop."""

ELEMENTS = 4096
"""The elements of the tile of any other op: 32 a thread in four warps."""

LONG = 2**20
"""The extent that is assumed for one known only at run time."""

STREAMED = 256
"""The longest sum that stays whole in a step of a loop that carries running results.

A loop inside such a loop would keep Triton from pipelining its loads.
"""

SMALLEST = 16
"""The smallest size of Triton's dot in any dimension."""

_PRODUCTS = (("arith.mulf", "arith.addf"), ("arith.muli", "arith.addi"))


def is_product(op: StructuredOp) -> bool:
    """Whether an op is a matrix product that tensor cores can compute."""
    dims = contraction_dims(op)
    if dims is None or not any(is_contraction(op, *names) for names in _PRODUCTS):
        return False
    factor = element(factor_of(op))
    if not factor.is_float and factor.byte_width > 1:
        return False
    return bool(dims.m and dims.n)


def grid_sizes(op: StructuredOp) -> list[int]:
    """Tile sizes of the parallel loops, 0 for reductions."""
    sizes = _sizes(op)
    return [0 if is_reduction(op, loop) else size for loop, size in enumerate(sizes)]


def reduction_sizes(op: StructuredOp) -> list[int]:
    """Tile sizes of reductions that are too long for one step, 0 for other loops."""
    extents = loop_ranges(op, OpList())
    sizes = _sizes(op)
    return [
        size if is_reduction(op, loop) and _is_longer(extent, size) else 0
        for loop, (extent, size) in enumerate(zip(extents, sizes, strict=True))
    ]


def _is_longer(extent: Extent, size: int) -> bool:
    """Whether a loop is longer than `size`, or may be."""
    bound = upper_bound(extent)
    if isinstance(extent, SSAValue) and isinstance(extent.owner, affine.MinOp):
        return bound is None  # a minimum with a bound is a partial tile: it was tiled
    return bound is None or bound > size


def is_row_short(op: StructuredOp) -> bool:
    """Whether registers hold a row that an op reduces, and values computed from it."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    rows = [bound for loop, bound in enumerate(bounds) if is_reduction(op, loop)]
    return all(bound is not None and bound <= 2 * ELEMENTS for bound in rows)


def is_held(op: StructuredOp, beside: Sequence[StructuredOp]) -> bool:
    """Whether an op has no more elements than an op beside it that is not looped."""
    whole = _elements(op)
    others = [_elements(other) for other in beside if not any(reduction_sizes(other))]
    return whole is not None and any(
        other is not None and whole <= other for other in others
    )


def is_looped(op: StructuredOp) -> bool:
    """Whether a loop around an op adds to one result in every step: a reduction."""
    loop = op.parent_op()
    return isinstance(loop, scf.ForOp) and any(
        _is_carried_whole(output, loop) for output in op.outputs
    )


def is_streamed(op: StructuredOp) -> bool:
    """Whether an op's sum is a small part of a step that updates running results.

    The scores of a streaming attention are: a product along the head, in a loop that
    carries a maximum, a sum and a second product.
    """
    loop = op.parent_op()
    if not isinstance(loop, scf.ForOp) or not loop.iter_args:
        return False
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    sums = [bound for at, bound in enumerate(bounds) if is_reduction(op, at)]
    if not all(bound is not None and bound <= STREAMED for bound in sums):
        return False
    carried = {slice_.source for slice_ in loop.body.ops if _moves(slice_, loop)}
    return not carried.intersection(loop.body.block.args)


def _is_carried_whole(value: SSAValue, loop: scf.ForOp) -> bool:
    """Whether every step of a loop works on the same part of a value it carries.

    Element-wise ops may have changed it first, as a correction of a running sum does.
    """
    while isinstance(value.owner, tensor.ExtractSliceOp | StructuredOp):
        maker = value.owner
        if isinstance(maker, StructuredOp):
            output = maker.results.index(cast("OpResult", value))
            element = maker.body.block.args[len(maker.inputs) + output]
            if not is_elementwise(maker) or element.first_use is None:
                return False
            value = maker.outputs[output]
        elif _moves(maker, loop):
            return False
        else:
            value = maker.source
    return value.owner is loop.body.block


def _moves(op: Operation, loop: scf.ForOp) -> TypeGuard[tensor.ExtractSliceOp]:
    """Whether an op takes another slice in every step of a loop."""
    return isinstance(op, tensor.ExtractSliceOp) and any(
        loop.is_ancestor(offset.owner) for offset in op.offsets
    )


def _elements(op: StructuredOp) -> int | None:
    """The number of elements of the vector that covers an op, if it is known."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    known = [power_of_two(bound) for bound in bounds if bound is not None]
    return math.prod(known) if len(known) == len(bounds) else None


def _sizes(op: StructuredOp) -> list[int]:
    """The tile size of every loop; a loop of unknown extent counts as long."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    covers = [LONG if bound is None else power_of_two(bound) for bound in bounds]
    if is_product(op):
        return _product_sizes(op, covers)
    reductions = [loop for loop in range(len(covers)) if is_reduction(op, loop)]
    parallel = [loop for loop in range(len(covers)) if loop not in reductions]
    sizes = [1] * len(covers)
    if not reductions:
        if len(parallel) == 1:
            sizes[parallel[0]] = min(ROW, covers[parallel[0]])
        elif parallel:
            outer, inner = parallel[-2:]
            sizes[inner] = min(TILE, covers[inner])
            sizes[outer] = min(covers[outer], ELEMENTS // sizes[inner])
            sizes[inner] = min(covers[inner], ELEMENTS // sizes[outer])
        return sizes
    room = ELEMENTS
    # A reduction along rows takes whole rows, one along columns a few cache lines.
    order = [*reversed(reductions), *reversed(parallel)]
    innermost = _innermost_loop(op)
    if innermost in parallel:
        sizes[innermost] = min(TILE, covers[innermost])
        room //= sizes[innermost]
        order.remove(innermost)
    for loop in order:
        sizes[loop] = min(covers[loop], room)
        room //= sizes[loop]
    return sizes


def _product_sizes(op: StructuredOp, covers: list[int]) -> list[int]:
    dims = contraction_dims(op)
    assert dims is not None
    sizes = [1] * len(covers)
    for loops in (dims.m, dims.n):
        sizes[loops[-1]] = min(TILE, max(SMALLEST, covers[loops[-1]]))
    tile = TILE if byte_width(factor_of(op)) <= 2 else TILE // 2
    innermost = dims.k[-1]
    sizes[innermost] = min(tile, covers[innermost])
    return sizes


def factor_of(op: StructuredOp) -> Attribute:
    """The element type of a product's operands in memory."""
    return element_type(op.operands[0].type)


def _innermost_loop(op: StructuredOp) -> int | None:
    """The loop along the innermost dimension of the widest input."""
    maps = list(op.maps)[: len(op.inputs)]
    widest = max(maps, key=lambda map_: len(map_.results), default=None)
    if widest is None or not widest.results:
        return None
    last = widest.results[-1]
    return last.position if isinstance(last, AffineDimExpr) else None


def upper(extent: Extent, op: Operation) -> int:
    """An upper bound of the extent of a loop of `op`."""
    if (bound := upper_bound(extent)) is not None:
        return bound
    raise SilenceableFailure(
        "a loop's extent has no bound known before it runs",
        place_of(op),
        "vectorize the op in the schedule, giving the sizes",
    )


def power_of_two(value: int) -> int:
    """The smallest power of two that is at least `value`."""
    return 1 << max(value - 1, 0).bit_length()
