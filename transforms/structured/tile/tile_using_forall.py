"""`tile_using_forall`: cut an op into tiles that run in parallel.

Before:
    %r = linalg.matmul ins(%a, %b : ...) outs(%c : tensor<64x64xf32>) -> ...

After `tile_using_forall %mm tile_sizes [32, 32] (mapping = [#gpu.block<y>, ...])`:
    %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %c) -> (tensor<64x64xf32>) {
      %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
      %at = tensor.extract_slice %a[%m, 0] [32, 64] [1, 1] : ...
      %bt = tensor.extract_slice %b[0, %n] [64, 32] [1, 1] : ...
      %ct = tensor.extract_slice %o[%m, %n] [32, 32] [1, 1] : ...
      %t = linalg.matmul ins(%at, %bt : ...) outs(%ct : ...) -> tensor<32x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %t into %o[%m, %n] [32, 32] [1, 1] : ...
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}

`num_threads [2, 2]` asks for a number of tiles instead of their size.

Requires: an op with tiles (`interface/table.py`); no tiled reduction, which upstream
only warns of. Size 0 leaves a loop alone; a tile that does not divide, or whose loop's
extent is only known at run time, becomes partial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
    LocationAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import IteratorType
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.types import is_array
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import (
    INDEX,
    Extent,
    OpList,
    ceil_div,
    partial_size,
    product,
)
from tilewright.transforms.core.foreseen import GRID, Foreseen, KnownBefore
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import (
    packed_sizes,
    parse_size_lists,
    print_sizes,
    sizes_for,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Tiled,
    Tiling,
)
from tilewright.transforms.structured.tile.tiling_checks import (
    check_mapping,
    check_tiling,
    numbers_of,
    wrong_grid,
    wrong_sizes,
)


@irdl_op_definition
class TileUsingForallOp(PlannedOp):
    """Tile to an `scf.forall`; consumes the target, returns tiled op and loop."""

    name = "transform.structured.tile_using_forall"
    FORM: ClassVar[str] = "tile_parallel <target:handle> by <tile_sizes:sizes>"
    SUMMARY: ClassVar[str] = "cut an op into parallel tiles that are not mapped yet"

    target = operand_def(TransformOpHandleType)
    num_threads = var_operand_def()
    tile_sizes = var_operand_def()
    packed_num_threads = opt_operand_def()
    packed_tile_sizes = opt_operand_def()
    static_num_threads = opt_prop_def(DenseArrayBase.constr(i64))
    static_tile_sizes = opt_prop_def(DenseArrayBase.constr(i64))
    mapping = opt_prop_def(ArrayAttr)
    tiled_op = result_def(TransformOpHandleType)
    forall_op = result_def(TransformOpHandleType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        target: SSAValue,
        tile_sizes: Sequence[SSAValue | int],
        mapping: Sequence[Attribute] | None = None,
    ):
        static = [s if isinstance(s, int) else DYNAMIC_INDEX for s in tile_sizes]
        dynamic = [s for s in tile_sizes if isinstance(s, SSAValue)]
        super().__init__(
            operands=[target, [], dynamic, None, None],
            result_types=[AnyOpType(), AnyOpType()],
            properties={
                "static_tile_sizes": DenseArrayBase.from_list(i64, static),
                "mapping": ArrayAttr(mapping) if mapping is not None else None,
            },
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is gone; the results stand for it."""
        return (self.target,)

    def verify_(self) -> None:
        """Check that threads or sizes are given, as a list or in one handle."""
        sizes = self.packed_tile_sizes is not None or _is_given(self.static_tile_sizes)
        if not sizes and not self.counts_tiles:
            raise VerifyException("expects num_threads or tile_sizes")
        if self.packed_tile_sizes is not None and self.packed_num_threads is not None:
            raise VerifyException("expects num_threads or tile_sizes, not both packed")

    @property
    def counts_tiles(self) -> bool:
        """Whether the number of tiles is given, and not their size."""
        return self.packed_num_threads is not None or _is_given(self.static_num_threads)

    def foresee(self, results: Foreseen) -> None:
        """A tile of the target in the grid."""
        results.tiled(self.tiled_op, [self.forall_op], GRID)

    def mistakes(self, known: KnownBefore) -> Iterator[UserError]:
        """Sizes or a mapping that do not fit the target."""
        sizes = numbers_of(self.static_tile_sizes or self.static_num_threads)
        yield from wrong_sizes(self, self.target, sizes, known)
        yield from wrong_grid(self, self.target, sizes, self.mapping, known)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op that the target points at."""
        targets = state.payload_ops(self.target)
        return [
            analyze(
                self,
                op,
                sizes,
                self.mapping,
                counts_tiles=self.counts_tiles,
                state=state,
            )
            for op, sizes in zip(targets, self._sizes(state, targets), strict=True)
        ]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[Operation, ForallOp]:
        """Tile one op; the tiled op and the forall."""
        tiled, forall = rewrite(plan, rewriter)
        return tiled.op, forall

    def _sizes(
        self, state: TransformState, targets: Sequence[Operation]
    ) -> list[tuple[Extent, ...]]:
        packed = self.packed_tile_sizes
        if self.counts_tiles:
            packed = self.packed_num_threads
        if packed is not None:
            sizes = packed_sizes(self, state, packed, targets)
            return [sizes for _ in targets]
        static = self.static_tile_sizes
        if self.counts_tiles:
            static = self.static_num_threads
        assert static is not None
        dynamic = self.num_threads if self.counts_tiles else self.tile_sizes
        return sizes_for(self, state, static, dynamic, targets)

    @classmethod
    def parse(cls, parser: Parser) -> TileUsingForallOp:
        """`%h tile_sizes|num_threads [..] [(mapping = [..])] : (types) -> (types)`.

        Upstream reads both lists, in any order, and goes by the threads if there are
        any.
        """
        target = parser.parse_unresolved_operand()
        threads, sizes = parse_size_lists(parser, "num_threads", "tile_sizes")
        mapping: ArrayAttr[Attribute] | None = None
        if parser.parse_optional_punctuation("("):
            parser.parse_keyword("mapping")
            parser.parse_punctuation("=")
            attribute = parser.parse_attribute()
            if not is_array(attribute):
                parser.raise_error("expected an array of mapping attributes")
            mapping = attribute
            parser.parse_punctuation(")")
        attributes = parser.parse_optional_attr_dict()
        # Operands are in the order of the op's definition: lists, then packed handles.
        groups = [threads.dynamic, sizes.dynamic, threads.packed, sizes.packed]
        names = [name for group in groups for name in group]
        operands, types = parse_signature(parser, [target, *names])
        rest = iter(operands[1:])
        op = cls.build(
            operands=[operands[0], *([next(rest) for _ in group] for group in groups)],
            result_types=types,
            properties={
                "static_num_threads": threads.static,
                "static_tile_sizes": sizes.static,
                "mapping": mapping,
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print the upstream syntax."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        lists = (
            ("num_threads", self.packed_num_threads, self.static_num_threads),
            ("tile_sizes", self.packed_tile_sizes, self.static_tile_sizes),
        )
        for word, packed, static in lists:
            dynamic = self.num_threads if word == "num_threads" else self.tile_sizes
            if packed is not None:
                printer.print_string(f" {word} *(")
                printer.print_ssa_value(packed)
                printer.print_string(")")
            elif static is not None and len(static):
                printer.print_string(f" {word} ")
                print_sizes(printer, static, dynamic)
        if self.mapping is not None:
            printer.print_string(" (mapping = ")
            printer.print_attribute(self.mapping)
            printer.print_string(")")
        print_signature(printer, self)


def _is_given(sizes: DenseArrayBase[IntegerType] | None) -> bool:
    return sizes is not None and len(sizes) > 0


@dataclass(frozen=True)
class Plan:
    """An op and a size, or a number of tiles, for each loop (0: untiled)."""

    tiling: Tiling
    tile_sizes: tuple[Extent, ...]
    order: tuple[int, ...]
    """The tiled loops, in the order of the forall's indices."""
    mapping: ArrayAttr[Attribute] | None
    made_by: LocationAttr
    """The line of the schedule that asked for the loops."""
    counts_tiles: bool = False
    steps_by_tiles: bool = False
    """Whether the loops count elements, in steps of a tile, and not tiles."""


def analyze(
    user: TransformOp,
    op: Operation,
    sizes: Sequence[Extent],
    mapping: ArrayAttr[Attribute] | None,
    *,
    counts_tiles: bool = False,
    state: TransformState | None = None,
) -> Plan:
    """Check that `op` can be tiled, and plan it."""
    tiling, full = check_tiling(user, op, sizes, state)
    tiled = [loop for loop, size in enumerate(full) if size != 0]
    if not tiled:
        raise user.refuse("all tile sizes are 0", op, "tile at least one loop")
    for loop in tiled:
        if tiling.iterators[loop] != IteratorType.PARALLEL:
            race = _race(user, op, loop)
            if state is None:
                raise race
            state.doubt(user, race)
    if mapping is not None:
        check_mapping(user, op, mapping, len(tiled))
    made_by = user.location_for(op)
    return Plan(tiling, tuple(full), tuple(tiled), mapping, made_by, counts_tiles)


def _race(user: TransformOp, op: Operation, loop: int) -> SilenceableFailure:
    return user.refuse(
        f"loop {loop} is a reduction and cannot run in parallel",
        op,
        user.worded(
            mlir="give it size 0, and tile it with tile_using_for, or use "
            "tile_reduction_using_forall",
            tw="give it size 0, and tile it by a 'tile' without 'onto', or use "
            "'split_reduction'",
        ),
    )


def rewrite(plan: Plan, rewriter: Rewriter) -> tuple[Tiled, ForallOp]:
    """Replace the op by a forall over its tiles; the tile and the forall."""
    tiling, op = plan.tiling, plan.tiling.op
    tiled_loops = plan.order
    new_ops = OpList()
    outputs = tiling.destinations(new_ops)
    ranges = tiling.ranges(new_ops)
    steps: list[Extent] = list(plan.tile_sizes)
    counts: list[Extent] = []
    for loop in tiled_loops:
        given = plan.tile_sizes[loop]
        if plan.counts_tiles:
            steps[loop] = ceil_div(ranges[loop], given, new_ops)
            counts.append(given)
        elif plan.steps_by_tiles:
            counts.append(ranges[loop])
        else:
            counts.append(ceil_div(ranges[loop], given, new_ops))
    block = Block(arg_types=[INDEX] * len(counts) + [o.type for o in outputs])
    indices, shared = block.args[: len(counts)], block.args[len(counts) :]

    body = OpList()
    offsets: list[Extent] = [0] * len(ranges)
    sizes: list[Extent] = list(ranges)
    for index, loop in zip(indices, tiled_loops, strict=True):
        offsets[loop] = index
        if not plan.steps_by_tiles and not plan.counts_tiles:
            offsets[loop] = product(index, steps[loop], body)
    for count, loop in zip(counts, tiled_loops, strict=True):
        passes = plan.counts_tiles and may_pass_end(ranges[loop], steps[loop], count)
        sizes[loop] = partial_size(
            offsets[loop],
            ranges[loop],
            steps[loop],
            body,
            counts_tiles=plan.counts_tiles,
            may_pass_end=passes,
        )
    if plan.counts_tiles:
        for index, loop in zip(indices, tiled_loops, strict=True):
            offsets[loop] = product(index, steps[loop], body)
    tile = Part(offsets, sizes)
    tiled = tiling.tile(tile, shared, body)
    inserts: list[Operation] = []
    for index, (value, out) in enumerate(zip(tiled.values, shared, strict=True)):
        part = tiling.part_of_result(index, tile, body)
        inserts.append(ParallelInsertSliceOp(value, out, *part.slice))
    block.add_ops(body.ops)
    block.add_op(InParallelOp(Region(Block(inserts))))
    by: list[Extent] = [1] * len(counts)
    if plan.steps_by_tiles:
        by = [steps[loop] for loop in tiled_loops]
    zeros: list[Extent] = [0] * len(counts)
    forall = ForallOp(zeros, counts, by, outputs, Region(block), plan.mapping)
    forall.location = plan.made_by
    rewriter.insert_before(op, *new_ops.ops, forall)
    rewriter.keep_extents(op)
    rewriter.replace(op, forall.results, stands_for=tiled.op)
    return tiled, forall


def may_pass_end(extent: Extent, tile: Extent, count: Extent) -> bool:
    """Whether the last of this many tiles may start after the end."""
    if isinstance(extent, int) and isinstance(tile, int) and isinstance(count, int):
        return extent != count * tile and (count - 1) * tile >= extent
    return True
