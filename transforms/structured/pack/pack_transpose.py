"""`structured.pack_transpose`: change the order of the dimensions of a packed tensor.

Before:
    %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d
        : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
    %t = linalg.generic ... ins(%p, %q) outs(%s)

After `pack_transpose %p with_compute_op(%t) inner_perm = [1, 0]`:
    %p = linalg.pack %a inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %e
        : tensor<8x6xf32> -> tensor<2x2x3x4xf32>
    %t = linalg.generic ... ins(%p, %q) outs(%s)    // reads %p by another map

Given a `linalg.unpack`, it also changes the `linalg.pack` that feeds the output.

Requires: one pack with one use, in the structured op; or one unpack of a result of the
structured op, whose output is such a pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import (
    GenericOp,
    PackOp,
    RelayoutOp,
    StructuredOp,
    UnPackOp,
    maps_attribute,
)
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import Ops, PlannedOp
from tilewright.transforms.structured.pack.layouts import (
    is_permutation,
    packed_destination,
    permuted,
)


@dataclass(frozen=True)
class Plan:
    """The ops to change, and the new orders; an empty order changes nothing."""

    pack: PackOp
    op: StructuredOp
    unpack: UnPackOp | None
    outer: tuple[int, ...]
    inner: tuple[int, ...]


@irdl_op_definition
class PackTransposeOp(PlannedOp):
    """Reorder packed dimensions; consumes both handles, returns the new ops."""

    name = "transform.structured.pack_transpose"

    target_pack_or_un_pack_op = operand_def(TransformOpHandleType)
    target_linalg_op = operand_def(TransformOpHandleType)
    outer_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_perm = opt_prop_def(DenseArrayBase.constr(i64))
    packed_op = result_def(TransformOpHandleType)
    pack_op = result_def(TransformOpHandleType)
    un_pack_op = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$target_pack_or_un_pack_op `with_compute_op` `(` $target_linalg_op `)` "
        "(`outer_perm` `=` $outer_perm^)? (`inner_perm` `=` $inner_perm^)? attr-dict "
        "`:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """Both: the ops are replaced."""
        return (self.target_pack_or_un_pack_op, self.target_linalg_op)

    def verify_(self) -> None:
        """At least one order is given, and each is a permutation."""
        outer, inner = _numbers(self.outer_perm), _numbers(self.inner_perm)
        for name, order in (("inner_perm", inner), ("outer_perm", outer)):
            if not is_permutation(order, len(order)):
                raise VerifyException(f"{name} is not a valid permutation")
        if not outer and not inner:
            raise VerifyException(
                "at least one of inner_perm or outer_perm must be specified"
            )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """Find the pack, the structured op and the unpack that belong together."""
        layouts = state.payload_ops(self.target_pack_or_un_pack_op)
        if not layouts:
            return []
        ops = state.payload_ops(self.target_linalg_op)
        if len(layouts) != 1 or len(ops) != 1:
            raise self.refuse(
                f"needs one pack and one structured op, the handles point at "
                f"{len(layouts)} and {len(ops)}",
                remedy="split the handles, or use foreach",
            )
        (layout,), (op,) = layouts, ops
        if not isinstance(layout, PackOp | UnPackOp):
            raise self.refuse(
                f"'{layout.name}' is neither linalg.pack nor linalg.unpack", layout
            )
        if not isinstance(op, StructuredOp):
            raise self.refuse(f"'{op.name}' is not a structured op", op)
        return [self._checked(layout, op)]

    def _checked(self, layout: PackOp | UnPackOp, op: StructuredOp) -> Plan:
        unpack = layout if isinstance(layout, UnPackOp) else None
        pack = layout if isinstance(layout, PackOp) else self._feeding(layout, op)
        if not _is_only_user(op, pack):
            raise self.refuse("the pack is not used by the structured op alone", pack)
        outer, inner = _numbers(self.outer_perm), _numbers(self.inner_perm)
        for name, order, rank in (
            ("outer_perm", outer, len(layout.order)),
            ("inner_perm", inner, len(layout.dims)),
        ):
            if order and not is_permutation(order, rank):
                raise self.refuse(
                    f"invalid {name}: {list(order)} is no order of {rank} dimensions",
                    layout,
                )
        return Plan(pack, op, unpack, outer, inner)

    def _feeding(self, unpack: UnPackOp, op: StructuredOp) -> PackOp:
        """The pack of the output that `unpack` reads."""
        source = unpack.source
        if not isinstance(source, OpResult) or source.op is not op:
            raise self.refuse("the structured op does not produce its source", unpack)
        pack = op.outputs[source.index].owner
        if not isinstance(pack, PackOp):
            raise self.refuse("could not find a matching linalg.pack", unpack)
        return pack

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[Ops, Ops, Ops]:
        """Replace the pack, the structured op and the unpack."""
        number = list(plan.op.operands).index(plan.pack.result)
        pack = _new_pack(plan, rewriter)
        op = _new_op(plan, number, pack.result, rewriter)
        rewriter.replace(plan.op, op.results, stands_for=op)
        unpacks: list[Operation] = []
        if (old := plan.unpack) is not None:
            dims, tiles, order = _reordered(old, plan)
            unpacks.append(UnPackOp(old.source, old.dest, dims, tiles, order))
            rewriter.replace_with(old, *unpacks)
        rewriter.replace(plan.pack, pack.results, stands_for=pack)
        return op, pack, unpacks


def _numbers(order: DenseArrayBase[IntegerType] | None) -> tuple[int, ...]:
    return () if order is None else tuple(int(n) for n in order.get_values())


def _is_only_user(op: StructuredOp, pack: PackOp) -> bool:
    return [use.operation for use in pack.result.uses] == [op]


def _reordered(
    layout: RelayoutOp, plan: Plan
) -> tuple[list[int], list[SSAValue | int], list[int]]:
    """The tiled dimensions, their tiles and the outer order of the new layout."""
    given = layout.outer_dims_perm
    order = list(given.get_values()) if given is not None else []
    if plan.outer:
        order = permuted(layout.order, plan.outer)
    return permuted(layout.dims, plan.inner), permuted(layout.tiles, plan.inner), order


def _new_pack(plan: Plan, rewriter: Rewriter) -> PackOp:
    new, old = OpList(), plan.pack
    dims, tiles, order = _reordered(old, plan)
    destination = packed_destination(old.source, dims, tiles, order, new)
    pack = PackOp(old.source, destination, dims, tiles, old.padding_value, order)
    rewriter.insert_before(old, *new.ops, pack)
    return pack


def _new_op(plan: Plan, number: int, packed: SSAValue, rewriter: Rewriter) -> GenericOp:
    """The op that reads operand `number` in the new order."""
    op, rank = plan.op, len(plan.pack.order)
    outer = plan.outer or range(rank)
    inner = plan.inner or range(len(plan.pack.dims))
    maps = list(op.maps)
    results = permuted(maps[number].results, [*outer, *(rank + dim for dim in inner)])
    maps[number] = AffineMap(maps[number].num_dims, 0, tuple(results))
    operands = list(op.operands)
    operands[number] = packed
    first = len(op.inputs)
    new = GenericOp(
        operands[:first],
        operands[first:],
        op.body.clone(),
        maps_attribute(maps),
        op.get_iterator_types(),
        [output.type for output in operands[first:]],
    )
    rewriter.insert_before(op, new)
    return new
