"""`tile_using_forall`: cut a structured op into tiles that run in parallel.

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

Requires: a structured op on tensors; a static extent for each tiled loop; no tiled
reduction. Size 0 leaves a loop alone; a tile that does not divide becomes partial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    LocationAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.gpu import is_block_mapping
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.types import is_array
from tilewright.transforms.base import AnyOpType, TransformOp, TransformOpHandleType
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.sizes import parse_sizes, print_sizes, resolve_sizes
from tilewright.transforms.state import TransformState
from tilewright.transforms.structured.tiling import (
    INDEX,
    Extent,
    OpList,
    has_only_projections,
    is_reduction,
    known_ranges,
    loop_ranges,
    maps_of,
    operand_slice,
    partial_size,
    tile_op,
)
from tilewright.transforms.syntax import parse_signature, print_signature


@irdl_op_definition
class TileUsingForallOp(TransformOp):
    """Tile to an `scf.forall`; consumes the target, returns tiled op and loop."""

    name = "transform.structured.tile_using_forall"
    VERB: ClassVar[str | None] = "tile_using_forall"

    target = operand_def(TransformOpHandleType)
    num_threads = var_operand_def()
    tile_sizes = var_operand_def()
    static_num_threads = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    static_tile_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
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
        super().__init__(
            operands=[target, [], [s for s in tile_sizes if isinstance(s, SSAValue)]],
            result_types=[AnyOpType(), AnyOpType()],
            properties={
                "static_num_threads": DenseArrayBase.from_list(i64, []),
                "static_tile_sizes": DenseArrayBase.from_list(i64, static),
                "mapping": ArrayAttr(mapping) if mapping is not None else None,
            },
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is gone; the results stand for it."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Tile each op the target points at."""
        sizes = resolve_sizes(self, state, self.static_tile_sizes, self.tile_sizes)
        targets = state.payload_ops(self.target)
        plans = [analyze(self, op, sizes, self.mapping) for op in targets]
        tiled = [rewrite(plan, state.rewriter) for plan in plans]
        state.set_ops(self.tiled_op, [t for t, _ in tiled])
        state.set_ops(self.forall_op, [f for _, f in tiled])

    @classmethod
    def parse(cls, parser: Parser) -> TileUsingForallOp:
        """`%h tile_sizes [..] [(mapping = [..])] : (types) -> (types)`."""
        pos = parser.pos
        target = parser.parse_unresolved_operand()
        if parser.parse_optional_keyword("num_threads"):
            parser.raise_error(
                "num_threads is not supported yet; give tile_sizes instead", pos
            )
        parser.parse_keyword("tile_sizes")
        dynamic, static = parse_sizes(parser)
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
        operands, types = parse_signature(parser, [target, *dynamic])
        op = cls.build(
            operands=[operands[0], [], operands[1:]],
            result_types=types,
            properties={
                "static_num_threads": DenseArrayBase.from_list(i64, []),
                "static_tile_sizes": DenseArrayBase.from_list(i64, static),
                "mapping": mapping,
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_string(" tile_sizes ")
        print_sizes(printer, self.static_tile_sizes, self.tile_sizes)
        if self.mapping is not None:
            printer.print_string(" (mapping = ")
            printer.print_attribute(self.mapping)
            printer.print_string(")")
        print_signature(printer, self)


@dataclass(frozen=True)
class Plan:
    """A structured op and the tile size of each loop (0: untiled)."""

    op: StructuredOp
    tile_sizes: tuple[int, ...]
    mapping: ArrayAttr[Attribute] | None
    made_by: LocationAttr
    """The line of the schedule that asked for the loops."""


def analyze(
    user: TransformOp,
    op: Operation,
    sizes: Sequence[int],
    mapping: ArrayAttr[Attribute] | None,
) -> Plan:
    """Check that `op` can be tiled so, and plan it."""
    structured, full = check_tiling(user, op, sizes)
    tiled = [loop for loop, size in enumerate(full) if size]
    if not tiled:
        raise user.refuse("all tile sizes are 0", op, "tile at least one loop")
    for loop in tiled:
        if is_reduction(structured, loop):
            raise user.refuse(
                f"loop {loop} is a reduction and cannot run in parallel",
                op,
                "give it size 0, and tile it with tile_using_for",
            )
    if mapping is not None:
        if len(mapping) != len(tiled):
            raise user.refuse(
                f"the mapping has {len(mapping)} entries for {len(tiled)} tiled loops",
                op,
            )
        if not is_block_mapping(mapping):
            raise user.refuse(
                "loops map to blocks only: Triton owns what is inside a block",
                op,
                "use #gpu.block<x>, #gpu.block<y>, #gpu.block<z>",
            )
        if len(set(mapping)) != len(mapping):
            raise user.refuse("two loops are mapped to the same dimension", op)
    return Plan(structured, tuple(full), mapping, user.location_for(op))


def check_tiling(
    user: TransformOp, op: Operation, sizes: Sequence[int]
) -> tuple[StructuredOp, list[int]]:
    """What every tiling requires; the op, and a size for every loop."""
    if not isinstance(op, StructuredOp):
        raise user.refuse(
            f"'{op.name}' is not a structured op", op, "match a linalg op"
        )
    if len(op.results) != len(op.outputs):
        raise user.refuse("the op works on buffers", op, "tile before bufferizing")
    if not has_only_projections(op):
        raise user.refuse("an indexing map is not a projection of loops", op)
    ranges = known_ranges(op)
    if len(sizes) > len(ranges):
        raise user.refuse(
            f"{len(sizes)} tile sizes for an op with {len(ranges)} loops", op
        )
    full = [*sizes, *([0] * (len(ranges) - len(sizes)))]
    for loop, (size, extent) in enumerate(zip(full, ranges, strict=True)):
        if size and not isinstance(extent, int):
            raise user.refuse(
                f"loop {loop} has an extent known only at run time",
                op,
                "tile loops of static extent",
            )
    return op, full


def rewrite(plan: Plan, rewriter: Rewriter) -> tuple[Operation, ForallOp]:
    """Replace the op by a forall over its tiles; the tiled op and the forall."""
    op = plan.op
    new_ops = OpList()
    ranges = loop_ranges(op, new_ops)
    tiled_loops = [loop for loop, size in enumerate(plan.tile_sizes) if size]
    counts = [
        -(-int_extent(ranges[loop]) // plan.tile_sizes[loop]) for loop in tiled_loops
    ]
    outputs = list(op.outputs)
    block = Block(arg_types=[INDEX] * len(counts) + [o.type for o in outputs])
    indices, shared = block.args[: len(counts)], block.args[len(counts) :]

    body = OpList()
    offsets: list[Extent] = [0] * len(ranges)
    sizes: list[Extent] = list(ranges)
    for index, loop in zip(indices, tiled_loops, strict=True):
        offsets[loop] = body.apply(
            AffineExpr.dimension(0) * plan.tile_sizes[loop], [index]
        )
    for loop in tiled_loops:
        offset = offsets[loop]
        assert isinstance(offset, SSAValue)
        sizes[loop] = partial_size(
            offset, int_extent(ranges[loop]), plan.tile_sizes[loop], body
        )
    tiled = tile_op(op, [*op.inputs, *shared], offsets, sizes, body)
    inserts: list[Operation] = []
    output_maps = maps_of(op)[len(op.inputs) :]
    for result, out, map_ in zip(tiled.results, shared, output_maps, strict=True):
        part = operand_slice(out, map_, offsets, sizes, body)
        inserts.append(ParallelInsertSliceOp(result, out, *part))
    block.add_ops(body.ops)
    block.add_op(InParallelOp(Region(Block(inserts))))
    forall = ForallOp(
        [0] * len(counts),
        counts,
        [1] * len(counts),
        outputs,
        Region(block),
        plan.mapping,
    )
    forall.location = plan.made_by
    rewriter.insert_before(op, *new_ops.ops, forall)
    rewriter.replace(op, forall.results, stands_for=tiled)
    return tiled, forall


def int_extent(extent: Extent) -> int:
    """A tiled loop's extent, which `check_tiling` made sure is a number."""
    assert isinstance(extent, int)
    return extent
