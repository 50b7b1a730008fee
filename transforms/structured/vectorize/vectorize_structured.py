"""Vectorize one structured op: reads, the body lane by lane, writes.

Inputs are read as vectors over all loops, broadcast along those they do not depend on.
A value that is equal in all lanes stays a scalar, and the index of the last loop a
one-dimensional vector, until they are combined with larger vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import affine, arith, tensor, ub
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp, YieldOp
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    CombiningKindAttr,
    CombiningKindFlag,
    CreateMaskOp,
    ExtractOp,
    MaskOp,
    MultiReductionOp,
    ScanOp,
    StepOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.structured.combiners import neutral_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.scans import Scan
from tilewright.ir.types import element_type, is_buffer, is_tensor, lanes, vector_with
from tilewright.transforms.cleanup.constants import splat
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.tile.one_tile import loop_ranges
from tilewright.transforms.structured.vectorize.affine_to_arith import written_out
from tilewright.transforms.structured.vectorize.vectorize_gather import extracted


@dataclass(frozen=True)
class Plan:
    """A structured op, and the vector size that covers each loop."""

    op: StructuredOp
    vector_sizes: tuple[int, ...]
    reductions: tuple[CombiningKindFlag | None, ...]
    """For each output: its combiner, or None if it is not reduced."""
    promised: bool = False
    """Whether dynamic extents are promised to equal their vector sizes."""
    scan: Scan | None = None
    """How totals run along a reduction loop, if they do."""


def rewrite(plan: Plan, rewriter: Rewriter) -> None:
    """Replace the op by vector code."""
    op = plan.op
    code = VectorCode(plan)
    for arg, operand, map_ in zip(
        op.body.block.args, op.operands, op.maps, strict=True
    ):
        if arg.uses.get_length():
            code.vectors[arg] = code.read(operand, map_, arg.index >= len(op.inputs))
    for scalar in op.body.block.ops:
        if not isinstance(scalar, YieldOp):
            code.convert(scalar)
    terminator = op.body.block.last_op
    assert isinstance(terminator, YieldOp)
    output_maps = op.maps[len(op.inputs) :]
    code.name_results(terminator)
    results: list[SSAValue] = []
    for number, (value, output, map_) in enumerate(
        zip(terminator.operands, op.outputs, output_maps, strict=True)
    ):
        vector = code.last_totals.get(number, code.lookup(value))
        results.extend(code.write(vector, output, map_))
    for new_op in code.new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *code.new.ops)
    rewriter.replace(op, results)


class VectorCode:
    """The vector code of one structured op, while it is being written."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.new = OpList()
        self.ranges: list[Extent] = [
            size if plan.promised and not isinstance(extent, int) else extent
            for extent, size in zip(
                loop_ranges(plan.op, self.new), plan.vector_sizes, strict=True
            )
        ]
        self.vectors: dict[SSAValue, SSAValue] = {}
        self.last_totals: dict[int, SSAValue] = {}
        """What a scan carries on, by the number of the output."""
        self.zero = self.new.index(0)
        self.masks: dict[tuple[tuple[Extent, int], ...], SSAValue] = {}
        self.all_loops = tuple(range(len(self.ranges)))

    def loops_of(self, map_: AffineMap) -> tuple[int, ...]:
        """The loops an output keeps, in loop order."""
        return tuple(sorted(named_loops(map_)))

    def shape(self, loops: Sequence[int]) -> list[int]:
        """The vector shape over some loops."""
        return [self.plan.vector_sizes[loop] for loop in loops]

    def mask(self, loops: Sequence[int]) -> SSAValue | None:
        """A mask over loops; None if all lanes are valid."""
        extents = [(self.ranges[i], self.plan.vector_sizes[i]) for i in loops]
        if all(extent == size for extent, size in extents):
            return None
        key = tuple(extents)
        if key not in self.masks:
            sizes: list[Operation | SSAValue] = [
                self.new.index(extent) for extent, _ in extents
            ]
            kind = vector_with(i1, [size for _, size in extents])
            self.masks[key] = self.new.add(CreateMaskOp(sizes, kind))
        return self.masks[key]

    def under(self, mask: SSAValue | None, op: Operation) -> Sequence[SSAValue]:
        """Add an op, perhaps under a mask; returns its results."""
        added = op if mask is None else MaskOp(mask, op)
        self.new.ops.append(added)
        return added.results

    def read(self, operand: SSAValue, map_: AffineMap, is_output: bool) -> SSAValue:
        """Read an operand as a vector over the loops; a single number is a scalar."""
        if not is_tensor(operand.type) and not is_buffer(operand.type):
            return operand
        loops = self.loops_of(map_) if is_output else self.all_loops
        element = element_type(operand.type)
        padding = self.new.add(
            ub.PoisonOp.create(
                result_types=[element], properties={"value": ub.PoisonAttr()}
            )
        )
        read = TransferReadOp(
            operand,
            [self.zero] * len(map_.results),
            padding,
            vector_with(element, self.shape(loops)),
            all_true(len(loops)),
            AffineMapAttr(permutation(map_, loops)),
        )
        (vector,) = self.under(self.mask(named_loops(map_)), read)
        return vector if loops else self.new.add(ExtractOp(vector, []))

    def write(
        self, value: SSAValue, target: SSAValue, map_: AffineMap
    ) -> Sequence[SSAValue]:
        """Write what the body yields; the new tensor, or nothing for a buffer."""
        loops = self.loops_of(map_)
        vector = self.spread(value, self.shape(loops))
        write = TransferWriteOp(
            vector,
            target,
            [self.zero] * len(map_.results),
            all_true(len(loops)),
            permutation_map=AffineMapAttr(permutation(map_, loops)),
            result_type=target.type if is_tensor(target.type) else None,
        )
        return self.under(self.mask(named_loops(map_)), write)

    def name_results(self, terminator: YieldOp) -> None:
        """Give computed values the name hints of the results."""
        for value, result in zip(
            terminator.operands, self.plan.op.results, strict=False
        ):
            vector = self.vectors.get(value)
            if vector is None or not isinstance(vector.owner, Operation):
                continue
            if vector.owner in self.new.ops:
                vector.name_hint = result.name_hint or vector.name_hint

    def lookup(self, value: SSAValue) -> SSAValue:
        """The vector form of a scalar of the body; a value from outside is itself."""
        return self.vectors.get(value, value)

    def kept(self, value: SSAValue) -> SSAValue:
        """The vector form of a scalar of the body, usable outside of it."""
        return self._kept(self.lookup(value))

    def spread(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A value broadcast to a shape; a constant becomes a dense constant."""
        if lanes(value.type) == tuple(shape):
            return value
        type_ = vector_with(element_type(value.type), shape)
        if isinstance(value.owner, arith.ConstantOp) and isinstance(
            value.owner.value, IntegerAttr | FloatAttr
        ):
            return self.new.add(arith.ConstantOp(splat(value.owner.value, type_)))
        return self.new.add(BroadcastOp(value, type_))

    def convert(self, scalar: Operation) -> None:
        """Write the vector form of one scalar op of the body."""
        if isinstance(scalar, arith.ConstantOp):
            return  # it is broadcast where it is used
        if isinstance(scalar, IndexOp):
            self.vectors[scalar.result] = self.index(scalar.dim.value.data)
            return
        if isinstance(scalar, affine.ApplyOp):
            ops, value = written_out(scalar)
            for op in ops:
                self.convert(op)
            self.vectors[scalar.result] = self.lookup(value)
            for op in reversed(ops):
                op.drop_all_references()  # it was only used here
            return
        if isinstance(scalar, tensor.ExtractOp):
            self.vectors[scalar.result] = extracted(self, scalar)
            return
        if (index := self._reduced_output(scalar)) is not None:
            if self.plan.scan is None:
                self._reduce(scalar, index)
            else:
                self._scan(scalar, index, self.plan.scan)
            return
        self._lane_by_lane(scalar)

    def index(self, loop: int) -> SSAValue:
        """The index of a loop: 0, 1, 2, ... along it."""
        steps = self.new.add(StepOp(self.plan.vector_sizes[loop]))
        last = self.all_loops[-1]
        if loop == last:
            return steps
        order = list(self.all_loops)
        order[loop], order[last] = last, loop
        spread = self.spread(steps, self.shape(order))
        return self.new.add(TransposeOp(spread, order))

    def _lane_by_lane(self, scalar: Operation) -> None:
        operands = [self.lookup(value) for value in scalar.operands]
        shape = max((lanes(o.type) or () for o in operands), key=len, default=())
        spread = [
            self.spread(operand, shape) if shape else self._kept(operand)
            for operand in operands
        ]
        result = scalar.results[0].type
        vector = type(scalar).create(
            operands=spread,
            result_types=[vector_with(result, shape) if shape else result],
            properties=scalar.properties.copy(),
            attributes=scalar.attributes.copy(),
        )
        self.vectors[scalar.results[0]] = self.new.add(vector)
        vector.results[0].name_hint = scalar.results[0].name_hint

    def _kept(self, value: SSAValue) -> SSAValue:
        """A scalar of the body for use outside; constants are copied."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and (
            owner.parent is None or self.plan.op.is_ancestor(owner)
        ):
            return self.new.add(arith.ConstantOp(owner.value))
        return value

    def _reduced_output(self, scalar: Operation) -> int | None:
        terminator = self.plan.op.body.block.last_op
        assert terminator is not None
        for index, kind in enumerate(self.plan.reductions):
            if kind is not None and terminator.operands[index].owner is scalar:
                return index
        return None

    def _reduce(self, scalar: Operation, index: int) -> None:
        op = self.plan.op
        kind = self.plan.reductions[index]
        assert kind is not None
        accumulator = op.body.block.args[len(op.inputs) + index]
        value = next(v for v in scalar.operands if v is not accumulator)
        kept = named_loops(op.maps[accumulator.index])
        reduction = MultiReductionOp(
            CombiningKindAttr(kind),
            self.spread(self.lookup(value), self.shape(self.all_loops)),
            self.vectors[accumulator],
            [loop for loop in self.all_loops if loop not in kept],
        )
        (total,) = self.under(self.mask(self.all_loops), reduction)
        self.vectors[scalar.results[0]] = total

    def _scan(self, scalar: Operation, index: int, scan: Scan) -> None:
        """Totals of this vector, each combined with the total in front of it.

        Masked-off lanes are neutral, so that the last total is one of all elements.
        """
        op = self.plan.op
        reduction = scan.carried[index]
        before = self.vectors[op.body.block.args[len(op.inputs) + index]]
        shape = self.shape(self.all_loops)
        value = self.spread(self.lookup(reduction.operand), shape)
        if (mask := self.mask(self.all_loops)) is not None:
            neutral = neutral_of(scalar)
            assert neutral is not None
            kind = vector_with(neutral.type, shape)
            none = self.new.add(arith.ConstantOp(splat(neutral, kind)))
            value = self.new.add(SelectOp(mask, value, none))
        is_scalar = lanes(before.type) is None
        start = self.spread(before, ()) if is_scalar else before
        totals = ScanOp.build(
            operands=[value, start],
            properties={
                "kind": CombiningKindAttr(reduction.kind),
                "reduction_dim": IntegerAttr(scan.loop, i64),
                "inclusive": BoolAttr.from_bool(True),
            },
            result_types=[value.type, start.type],
        )
        self.new.ops.append(totals)
        last = totals.accumulated_value
        if is_scalar:
            last = self.new.add(ExtractOp(last, []))
        self.last_totals[index] = self._combined(scalar, before, last)
        others = [loop for loop in self.all_loops if loop != scan.loop]
        ahead = self._along(before, others)
        self.vectors[scalar.results[0]] = self._combined(scalar, ahead, totals.dest)

    def _combined(self, scalar: Operation, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """The vector form of an op that combines two values of one shape."""
        return self.new.add(
            type(scalar).create(
                operands=[lhs, rhs],
                result_types=[rhs.type],
                properties=scalar.properties.copy(),
            )
        )

    def _along(self, value: SSAValue, loops: Sequence[int]) -> SSAValue:
        """A vector over some loops, repeated along the others."""
        missing = [loop for loop in self.all_loops if loop not in loops]
        order = [*missing, *loops]
        spread = self.spread(value, self.shape(order))
        if order == list(self.all_loops):
            return spread
        places = [order.index(loop) for loop in self.all_loops]
        return self.new.add(TransposeOp(spread, places))


def check_elements(
    user: TransformOp, op: Operation, types: Sequence[Attribute]
) -> None:
    """Refuse element types that vectors cannot have, such as complex numbers."""
    for kind in types:
        element = element_type(kind)
        if not isinstance(element, IntegerType | IndexType | AnyFloat):
            raise user.refuse(
                f"a vector cannot have elements of type {element}",
                op,
                "vectorize ops on integers, floats or indices",
            )


def permutation(map_: AffineMap, loops: Sequence[int]) -> AffineMap:
    """The map from an operand to a vector over `loops`; other loops broadcast."""
    position = {
        expr.position: AffineExpr.dimension(dim)
        for dim, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }
    results = tuple(position.get(loop, AffineExpr.constant(0)) for loop in loops)
    return AffineMap(len(map_.results), 0, results)


def all_true(count: int) -> ArrayAttr[BoolAttr]:
    """In bounds in every dimension."""
    return ArrayAttr([BoolAttr.from_bool(True)] * count)
