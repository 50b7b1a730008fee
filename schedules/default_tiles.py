"""The tile sizes that the default takes for an op without a grid.

A product of matrices gets square tiles for the tensor cores. Everything else gets about
as many elements as the registers of four warps hold with ease: a reduction whole rows
where they fit, and as many of them as fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import place_of
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.matchers.bodies import contraction_dims, is_contraction
from tilewright.transforms.structured.extents import Extent, OpList, upper_bound
from tilewright.transforms.structured.tiling import is_reduction, loop_ranges

TILE = 64
"""Tile of a product's rows and columns: safe on registers for any body."""

ROW = 1024
"""Tile where there is one loop only."""

ELEMENTS = 4096
"""Of a tile that is no product: 32 for each thread of four warps."""

LONG = 2**20
"""What a loop counts as whose extent is known only at run time."""

SMALLEST = 16
"""Triton's dot takes no less in any dimension; smaller loops are padded up to it."""

_PRODUCTS = (["arith.mulf", "arith.addf"], ["arith.muli", "arith.addi"])


def is_product(op: StructuredOp) -> bool:
    """Whether an op is a product of matrices, which tensor cores can do."""
    dims = contraction_dims(op)
    if dims is None or not any(is_contraction(op, names) for names in _PRODUCTS):
        return False
    _, m, n, _ = dims
    return bool(m and n)


def grid_sizes(op: StructuredOp) -> list[int]:
    """Tile sizes of the parallel loops, 0 for reductions."""
    sizes = _sizes(op)
    return [0 if is_reduction(op, loop) else size for loop, size in enumerate(sizes)]


def reduction_sizes(op: StructuredOp) -> list[int]:
    """Tile sizes of reductions that are too long for one step, 0 for other loops."""
    extents = loop_ranges(op, OpList())
    sizes = _sizes(op)
    return [
        # An extent that has a bound and is no number is a partial tile: it was tiled.
        size if is_reduction(op, loop) and _is_longer(extent, size) else 0
        for loop, (extent, size) in enumerate(zip(extents, sizes, strict=True))
    ]


def _is_longer(extent: Extent, size: int) -> bool:
    """Whether a loop is longer than a step of it, or may be for all that is known."""
    return extent > size if isinstance(extent, int) else upper_bound(extent) is None


def is_held(op: StructuredOp, beside: Sequence[StructuredOp]) -> bool:
    """Whether an op takes no more elements than one beside it that is not looped."""
    whole = _elements(op)
    others = [_elements(other) for other in beside if not any(reduction_sizes(other))]
    return whole is not None and any(
        other is not None and whole <= other for other in others
    )


def _elements(op: StructuredOp) -> int | None:
    """How many elements the vector that covers an op has, if that is known."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    known = [power_of_two(bound) for bound in bounds if bound is not None]
    return math.prod(known) if len(known) == len(bounds) else None


def vector_sizes(op: StructuredOp, products: Sequence[StructuredOp]) -> list[int]:
    """The vector that covers an op, in powers of two.

    What a dot pads up to, everything fused with it must, or values would not fit: an op
    with the extents of a product's result takes the product's sizes for it.
    """
    extents = _extents(op)
    sizes = [power_of_two(extent) for extent in extents]
    for loop, size in _accumulated(op):
        sizes[loop] = max(sizes[loop], power_of_two(size))
    if is_product(op):
        return _padded(op)
    for product in products:
        whole, padded = _extents(product), _padded(product)
        loops = [loop for loop in range(len(whole)) if not is_reduction(product, loop)]
        if [whole[loop] for loop in loops] == extents[: len(loops)]:
            return [padded[loop] for loop in loops] + sizes[len(loops) :]
    if products:
        sizes[-2:] = [max(size, SMALLEST) for size in sizes[-2:]]
    return sizes


def _accumulated(op: StructuredOp) -> Iterator[tuple[int, int]]:
    """Loops along a tile of partial results that a loop carries, and its extents.

    A vector covers all of it, also where a short row fills but a part.
    """
    maps = list(op.maps)[len(op.inputs) :]
    for output, map_ in zip(op.outputs, maps, strict=True):
        cut = output.owner
        if not isinstance(cut, tensor.ExtractSliceOp):
            continue
        whole = cut.source
        is_carried = isinstance(whole, BlockArgument) and isinstance(
            whole.block.parent_op(), scf.ForOp
        )
        starts = [*cut.static_offsets.get_values()]
        if not is_carried or any(starts) or len(starts) != len(map_.results):
            continue
        for expr, extent in zip(
            map_.results, tensor_type(whole).get_shape(), strict=True
        ):
            if isinstance(expr, AffineDimExpr) and extent != DYNAMIC_INDEX:
                yield expr.position, extent


def _extents(op: StructuredOp) -> list[int]:
    return [upper(extent) for extent in loop_ranges(op, OpList())]


def _padded(product: StructuredOp) -> list[int]:
    """A vector for a product, no shorter than a dot takes."""
    sizes = [power_of_two(extent) for extent in _extents(product)]
    dims = contraction_dims(product)
    assert dims is not None
    for loops in dims[1:]:
        sizes[loops[-1]] = max(sizes[loops[-1]], SMALLEST)
    return sizes


def _sizes(op: StructuredOp) -> list[int]:
    """The tile of every loop; one of unknown extent counts as a long one."""
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
    # Along rows, whole rows come first; down columns, a few lines of memory do.
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
    _, m, n, k = dims
    sizes = [1] * len(covers)
    for loops in (m, n):
        sizes[loops[-1]] = min(TILE, max(SMALLEST, covers[loops[-1]]))
    width = getattr(element_type(op.operands[0].type), "bitwidth", 32)
    sizes[k[-1]] = min(TILE if width <= 16 else TILE // 2, covers[k[-1]])
    return sizes


def _innermost_loop(op: StructuredOp) -> int | None:
    """The loop that walks along the innermost dimension of the widest input."""
    maps = list(op.maps)[: len(op.inputs)]
    widest = max(maps, key=lambda map_: len(map_.results), default=None)
    if widest is None or not widest.results:
        return None
    last = widest.results[-1]
    return last.position if isinstance(last, AffineDimExpr) else None


def upper(extent: Extent) -> int:
    """A number an extent does not exceed."""
    if (bound := upper_bound(extent)) is not None:
        return bound
    owner = extent.owner if isinstance(extent, SSAValue) else None
    raise SilenceableFailure(
        "a loop's extent has no bound known before it runs",
        place_of(owner) if isinstance(owner, Operation) else None,
        "vectorize the op in the schedule, giving the sizes",
    )


def power_of_two(value: int) -> int:
    """The least power of two that is no less."""
    return 1 << max(value - 1, 0).bit_length()
