"""The table of ops that a kernel may hold, each with its lowering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.elements.atoms import Atom
from tilewright.codegen.analysis.elements.constants import constant_of, constant_of_op
from tilewright.codegen.analysis.elements.tiles import tile_shape, tile_type
from tilewright.codegen.analysis.elements.views import mask_limits, same_window, view_of
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.arith import (
    CASTS,
    SAME,
    lower_cast,
    lower_compare_floats,
    lower_compare_integers,
    lower_index_cast,
    lower_power,
    lower_same,
    lower_select,
    lower_to_integer,
)
from tilewright.codegen.lower.ops.branches import lower_if
from tilewright.codegen.lower.ops.contract import lower_contract
from tilewright.codegen.lower.ops.gathers import lower_gather
from tilewright.codegen.lower.ops.index_tiles import IndexTiles, is_index_tile
from tilewright.codegen.lower.ops.loops import lower_loop
from tilewright.codegen.lower.ops.scatters import lower_scatter
from tilewright.codegen.lower.ops.shapes import (
    lower_broadcast,
    lower_extract,
    lower_reduce,
    lower_scan,
    lower_shape_cast,
    lower_transpose,
)
from tilewright.codegen.lower.ops.transfers import MemoryRules, lower_read, lower_write
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import check_tile, refuse
from tilewright.ir.dialects import affine, arith, func, math, memref, scf, ub, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import tile_of
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.vector import (
    ContractOp,
    MaskOp,
    MultiReductionOp,
    ScanOp,
    ShapeCastOp,
    TransposeOp,
)
from tilewright.ir.launch_attributes.values import launch_word

_INDEX_OPS = (
    affine.ApplyOp,
    affine.MinOp,
    affine.MaxOp,
    memref.SubviewOp,
    memref.ExpandShapeOp,
    memref.CollapseShapeOp,
    memref.CastOp,
)
"""Ops that are read when an access needs them, and are not lowered on their own."""


@dataclass(frozen=True)
class OpLowering:
    """Lowers the ops of a grid; passes each lowering the state that it needs."""

    facts: GridFacts
    rules: MemoryRules
    kernel: KernelBuilder
    values: TileValues
    index_tiles: IndexTiles

    @classmethod
    def begin(
        cls, facts: GridFacts, rules: MemoryRules, kernel: KernelBuilder
    ) -> OpLowering:
        """The lowering of a grid, before its first op."""
        values = TileValues(lambda payload: made.resolve(payload))
        index_tiles = IndexTiles(facts.indices, kernel.ops, kernel.addresses)
        made = cls(facts, rules, kernel, values, index_tiles)
        return made

    def lower_block(self, block: Block) -> None:
        """Lower the ops of a block into the scope that is being built."""
        for op in block.ops:
            if not isinstance(op, InParallelOp | scf.YieldOp):
                self.lower_op(op)

    def lower_op(self, op: Operation) -> None:
        """Lower one op inside a grid."""
        for result in op.results:
            check_tile(op, result.type)
        if (atom := self._data_atom(op)) is not None:
            self.kernel.ops.atoms[atom] = self.values[op.operands[0]]
            return
        if isinstance(op, _INDEX_OPS) or _is_index_arithmetic(op):
            return
        if constant_of_op(op) is not None or isinstance(op, ub.PoisonOp):
            return
        if any(map(is_index_tile, op.results)) and self.index_tiles.keep(op):
            return
        if isinstance(op, SAME):
            lower_same(op, self.kernel.ops, self.values, self.index_tiles)
        elif isinstance(op, CASTS):
            lower_cast(op, self.kernel.ops, self.values)
        elif (handler := HANDLERS.get(type(op))) is not None:
            handler(self, op)
        else:
            refuse(
                op,
                "no Triton construct for this op inside a grid",
                "see docs/codegen.md for the ops that are accepted",
            )

    def _data_atom(self, op: Operation) -> Atom | None:
        is_cast = isinstance(op, arith.IndexCastOp)
        return self.facts.indices.data_atom(op.results[0]) if is_cast else None

    def resolve(self, payload: SSAValue) -> SSAValue:
        """The kernel value of an index, a constant or a value from outside the grid.

        It is made when an op first reads it.
        """
        tile = self.index_tiles.tile(payload)
        if tile is not None:
            return tile
        builder = self.kernel.ops
        if isinstance(payload.type, IndexType):
            # A value, not an offset or a size: it may be computed from data.
            return builder.scalar(self.facts.indices.bound(payload))
        constant = constant_of(payload)
        if constant is not None:
            of = tile_type(payload.type)
            if is_index_tile(payload):
                width = self.index_tiles.integer_type(payload)
                constant = IntegerAttr(int(constant.value.data), width)
                of = tile_of(width, tile_shape(payload.type))
            return builder.splat(constant, of)
        owner = payload.owner
        if isinstance(owner, Block) and isinstance(owner.parent_op(), func.FuncOp):
            return self.kernel.parameters.scalar(payload)
        if not isinstance(owner, Operation) or not is_side_effect_free(owner):
            refuse(self.facts.grid, "uses a scalar that is not computed inside it")
        with builder.at_entry():
            self.lower_op(owner)
        return self.values[payload]


def _is_index_arithmetic(op: Operation) -> bool:
    is_computed = bool(op.results) and not op.regions
    return is_computed and all(
        isinstance(result.type, IndexType) for result in op.results
    )


def _create_mask(
    of: OpLowering, op: vector.CreateMaskOp | vector.ConstantMaskOp
) -> None:
    """A mask that is used as a value; masks of transfers are part of the transfer."""
    mask = op.results[0]
    users = [use.operation for use in mask.uses]
    if all(
        isinstance(user, vector.TransferReadOp | vector.TransferWriteOp)
        and user.mask is mask
        for user in users
    ):
        return
    limits = mask_limits(op, of.facts.indices)
    of.values[mask] = of.kernel.addresses.box(mask, limits)


def _contract(of: OpLowering, op: ContractOp) -> None:
    precision = launch_word(of.facts.grid, "triton.dot_precision")
    lower_contract(op, of.kernel.ops, of.values, precision)


def _loop(of: OpLowering, op: scf.ForOp) -> None:
    hazards = of.rules.hazards
    lower_loop(op, of.facts, of.kernel.ops, of.values, hazards, of.lower_block)


def _copy(of: OpLowering, op: CopyOp) -> None:
    source = view_of(op.source, of.facts.indices)
    target = view_of(op.target, of.facts.indices)
    if not same_window(source, target):
        refuse(
            op,
            "a copy between buffers inside a grid",
            "vectorize the copy, or let bufferization write in place",
        )


def _nested_grid(of: OpLowering, op: ForallOp) -> None:
    refuse(
        op,
        "a parallel loop inside a grid",
        "Triton owns what is inside a block; tile with for loops there",
    )


def _masked(of: OpLowering, op: MaskOp) -> None:
    inner = op.masked_op
    refuse(
        op,
        f"'{inner.name if inner else 'nothing'}' under a mask",
        "run the patterns that turn masked ops into zero-padded ones",
    )


Handler = Callable[[OpLowering, Any], None]


def _memory(lower: Callable[..., None]) -> Handler:
    return lambda of, op: lower(op, of.facts, of.rules, of.kernel, of.values)


def _tiles(lower: Callable[..., None]) -> Handler:
    return lambda of, op: lower(op, of.kernel.ops, of.values)


def _indices(lower: Callable[..., None]) -> Handler:
    return lambda of, op: lower(op, of.kernel.ops, of.values, of.index_tiles)


HANDLERS: dict[type[Operation], Handler] = {
    vector.TransferReadOp: _memory(lower_read),
    vector.TransferWriteOp: _memory(lower_write),
    vector.GatherOp: _memory(lower_gather),
    vector.ScatterOp: _memory(lower_scatter),
    vector.CreateMaskOp: _create_mask,
    vector.ConstantMaskOp: _create_mask,
    vector.BroadcastOp: _tiles(lower_broadcast),
    vector.ExtractOp: lambda of, op: lower_extract(op, of.values),
    vector.ReductionOp: _tiles(lower_reduce),
    TransposeOp: _tiles(lower_transpose),
    ShapeCastOp: _tiles(lower_shape_cast),
    MultiReductionOp: _tiles(lower_reduce),
    ScanOp: _tiles(lower_scan),
    ContractOp: _contract,
    MaskOp: _masked,
    arith.CmpfOp: _tiles(lower_compare_floats),
    arith.CmpiOp: _indices(lower_compare_integers),
    arith.FPToSIOp: _indices(lower_to_integer),
    arith.FPToUIOp: _indices(lower_to_integer),
    arith.IndexCastOp: _indices(lower_index_cast),
    arith.IndexCastUIOp: _indices(lower_index_cast),
    math.PowFOp: _tiles(lower_power),
    SelectOp: _indices(lower_select),
    scf.ForOp: _loop,
    scf.IfOp: lambda of, op: lower_if(op, of.kernel.ops, of.values, of.lower_block),
    CopyOp: _copy,
    ForallOp: _nested_grid,
}
