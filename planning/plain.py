"""The plainest kernels: for the ops that a schedule leaves open, one kernel an op.

`finish` brings a payload to the buffer level after a schedule has run. An op without a
grid gets one of plain tiles, and a reduction that registers cannot hold gets a loop. A
matmul has square tiles for the tensor cores. The tile of any other op has about
as many elements as fit easily into the registers of four warps; the tile of a reduction
has whole rows if they fit, and as many of them as fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import affine, func, scf
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.values import library_of
from tilewright.ir.powers import power_of_two
from tilewright.ir.structured.contractions import contraction_dims
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.text import place_of
from tilewright.schedules.default.finish import Finisher, grid_of, words_of
from tilewright.schedules.default.kernel_ops import (
    is_called,
    starts_another,
    structured_ops,
)
from tilewright.schedules.default.vectors import SMALLEST, factor_of, is_product
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import Extent, OpList, upper_bound
from tilewright.transforms.gpu.in_one_block import InOneBlockOp
from tilewright.transforms.gpu.loops_to_grid import MOST_MAPPED, block_mapping
from tilewright.transforms.interpreter import ScheduleRun
from tilewright.transforms.structured.fuse.fuse_into_containing_op import (
    FuseIntoContainingOp,
)
from tilewright.transforms.structured.rewrite.decompose_interface import (
    DecomposeInterfaceOp,
)
from tilewright.transforms.structured.tile.one_tile import loop_ranges
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp

TILE = 64
"""The rows and columns of a matmul's tile; it fits registers for any body."""
ROW = 1024
"""The elements of the tile of an op with one loop."""
ELEMENTS = 4096
"""The elements of the tile of any other op: 32 a thread in four warps."""
MOST_OF_A_THREAD = 128
"""The elements that a thread holds: half of its registers, with values of 4 bytes."""
WARPS = 4
"""The warps of a program whose grid does not say how many."""


def finish(run: ScheduleRun) -> list[str]:
    """Bring the payload to the buffer level; gives one line for each addition."""
    finisher = Finisher(run)
    functions = finisher.functions()
    for function in functions:
        plain = _Plain(finisher, function)
        finisher.clean(function)
        plain.add_softmaxes()
        finisher.map_loops(function)
        plain.add_grids()
        plain.add_loops()
        finisher.vectorize_all(function)
    if functions:
        finisher.bufferize(functions)
    run.settle()
    return finisher.added


class _Plain:
    """Schedules what is open in one function."""

    def __init__(self, finisher: Finisher, function: func.FuncOp):
        self.finisher = finisher
        self.function = function

    def add_softmaxes(self) -> None:
        """Write out softmaxes outside of all grids, with the grids of short rows."""
        for op in list(self.function.body.block.ops):
            if isinstance(op, SoftmaxOp) and library_of(op) is None:
                self.add_softmax(op)
        self.finisher.clean(self.function)

    def add_grids(self) -> None:
        """Give a grid to each op that has none."""
        ops = [op for op in self.function.walk() if isinstance(op, StructuredOp)]
        # A fill is fused into the op that starts from it; other fills come last.
        for op in sorted(ops, key=starts_another):
            if op.parent is not None and not grid_of(op) and not is_called(op):
                self.add_grid(op)
        self.finisher.clean(self.function)

    def add_loops(self) -> None:
        """Give a loop to each reduction that is too long to be whole."""
        for op in structured_ops(self.function):
            sizes = reduction_sizes(op)
            if any(sizes):
                self.apply(f"tile by {sizes}", TileUsingForOp, op, sizes)

    def apply(
        self, what: str, kind: Callable[..., TransformOp], op: Operation, *given: object
    ) -> Sequence[SSAValue]:
        """Run a transform op on an op of the payload, and say so; gives its results."""
        self.finisher.note(what, op)
        return self.finisher.apply(kind(self.finisher.handle(op), *given)).results

    def add_softmax(self, op: SoftmaxOp) -> None:
        """Write a softmax out; one whose rows fit into registers is one kernel."""
        made = self.apply("decompose", DecomposeInterfaceOp, op)
        (last,) = self.finisher.run.state.payload_ops(made[0])
        assert isinstance(last, StructuredOp)
        power, total = (value.owner for value in last.inputs)
        assert isinstance(power, StructuredOp) and isinstance(total, StructuredOp)
        bounds = [upper_bound(extent) for extent in loop_ranges(total, OpList())]
        rows = [b for loop, b in enumerate(bounds) if is_reduction(total, loop)]
        is_short = all(row is not None and row <= 2 * ELEMENTS for row in rows)
        sizes = grid_sizes(total)
        if any(sizes) and is_short:
            largest = power.inputs[1].owner
            assert isinstance(largest, StructuredOp)
            starts = [each.outputs[0].owner for each in (total, largest)]
            self.add_tiles(last, sizes, [total, starts[0], power, largest, starts[1]])

    def add_grid(self, op: StructuredOp) -> None:
        """Give an op a grid of plain tiles, with the fills it starts from."""
        if isinstance(op, FillOp) and op.results and not op.results[0].uses:
            return  # fused wherever it was read
        # Two outputs may start from one fill.
        starts = dict.fromkeys(value.owner for value in op.outputs)
        fills = [start for start in starts if isinstance(start, FillOp)]
        self.add_tiles(op, grid_sizes(op), fills)

    def add_tiles(
        self, op: StructuredOp, sizes: Sequence[int], fused: Sequence[object]
    ) -> None:
        """Tile an op onto blocks, and fuse others into its grid."""
        if any(sizes):
            mapping = _mapping(sizes, op)
            what = f"tile by {list(sizes)} onto {words_of(mapping)}"
            made = [*self.apply(what, TileUsingForallOp, op, sizes, mapping)]
        else:
            made = [*self.apply("in one block", InOneBlockOp, op)]
        for other in fused:
            assert isinstance(other, Operation)
            fuse = FuseIntoContainingOp
            made += self.apply("fuse into its grid", fuse, other, made[-1])
        self.finisher.run.state.forget(made)


def grid_sizes(op: StructuredOp) -> list[int]:
    """Tile sizes of the parallel loops, 0 for reductions."""
    sizes = _sizes(op)
    return [0 if is_reduction(op, loop) else size for loop, size in enumerate(sizes)]


def reduction_sizes(op: StructuredOp) -> list[int]:
    """The steps of a reduction that is too long to be whole, 0 for other loops.

    Whoever has put it into a loop has chosen the loop's steps. The same holds for an
    iteration that stands beside its loop.
    """
    extents = loop_ranges(op, OpList())
    is_chosen = isinstance(op.parent_op(), scf.ForOp) or _is_of_an_iteration(op)
    if is_chosen or not (is_product(op) or _is_large(op)):
        return [0] * len(extents)
    return [
        size if is_reduction(op, loop) and _is_longer(extent, size) else 0
        for loop, (extent, size) in enumerate(zip(extents, _sizes(op), strict=True))
    ]


def _is_of_an_iteration(op: StructuredOp) -> bool:
    """Whether a loop beside an op does the same on tiles of the same sizes."""
    if op.parent is None:
        return False
    loops = [each for each in op.parent.ops if isinstance(each, scf.ForOp)]
    types = [operand.type for operand in op.operands]
    return any(
        isinstance(inner, StructuredOp)
        and [operand.type for operand in inner.operands] == types
        and inner.maps == op.maps
        for loop in loops
        for inner in loop.body.block.ops
    )


def _is_large(op: StructuredOp) -> bool:
    """Whether the registers of a program do not hold what an op reduces."""
    grid = grid_of(op)
    given = None if grid is None else grid.attributes.get("triton.num_warps")
    warps = given.value.data if isinstance(given, IntegerAttr) else WARPS
    elements = _elements(op)
    return elements is None or elements > MOST_OF_A_THREAD * 32 * warps


def _is_longer(extent: Extent, size: int) -> bool:
    """Whether a loop is longer than `size`, or may be."""
    bound = upper_bound(extent)
    if isinstance(extent, SSAValue) and isinstance(extent.owner, affine.MinOp):
        return bound is None  # a minimum with a bound is a partial tile: it was tiled
    return bound is None or bound > size


def _elements(op: StructuredOp) -> int | None:
    """The number of elements of the vector that covers an op, if it is known."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    known = [power_of_two(bound) for bound in bounds if bound is not None]
    return math.prod(known) if len(known) == len(bounds) else None


def _sizes(op: StructuredOp) -> list[int]:
    """The tile size of every loop; a loop of unknown extent fills a tile."""
    bounds = [upper_bound(extent) for extent in loop_ranges(op, OpList())]
    covers = [ELEMENTS if bound is None else power_of_two(bound) for bound in bounds]
    if is_product(op):
        return _matmul_sizes(op, covers)
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


def _matmul_sizes(op: StructuredOp, covers: Sequence[int]) -> list[int]:
    dims = contraction_dims(op)
    assert dims is not None
    sizes = [1] * len(covers)
    for loops in (dims.m, dims.n):
        sizes[loops[-1]] = min(TILE, max(SMALLEST, covers[loops[-1]]))
    tile = TILE if byte_width(factor_of(op)) <= 2 else TILE // 2
    innermost = dims.k[-1]
    sizes[innermost] = min(tile, covers[innermost])
    return sizes


def _innermost_loop(op: StructuredOp) -> int | None:
    """The loop along the innermost dimension of the widest input."""
    maps = list(op.maps)[: len(op.inputs)]
    widest = max(maps, key=lambda map_: len(map_.results), default=None)
    if widest is None or not widest.results:
        return None
    last = widest.results[-1]
    return last.position if isinstance(last, AffineDimExpr) else None


def _mapping(sizes: Sequence[int], op: Operation) -> list[Attribute]:
    """The grid's dimensions for the loops that are tiled."""
    loops = sum(1 for size in sizes if size)
    if loops > MOST_MAPPED:
        raise UserError(
            f"'{op.name}': {loops} parallel loops, and a grid has at most "
            f"{MOST_MAPPED}",
            place_of(op),
            "collapse dimensions of the payload first",
        )
    return block_mapping(loops)
