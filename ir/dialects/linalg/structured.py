"""The interface of structured ops: loops, indexing maps and a body.

Every structured op, named or generic, derives from `StructuredOp`. Code outside of this
folder uses the interface and does not test for the name of an op.
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import traits_def
from xdsl.traits import (
    ConditionallySpeculatable,
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    is_speculatable,
)

from tilewright.ir.dialects.linalg.checks import check_structured
from tilewright.ir.dialects.linalg.loops import loop_ranges, shape_of
from tilewright.ir.types import is_buffer


class StructuredEffect(MemoryEffect):
    """The body's effects, and reads and writes of the operands that are buffers."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance] | None:
        """Inputs are read, outputs written, and read where the body uses them."""
        assert isinstance(op, StructuredOp)
        nested = RecursiveMemoryEffect.get_effects(op)
        if nested is None:
            return None
        effects = set(nested)
        for operand, arg in zip(op.operands, op.body.block.args, strict=True):
            if not is_buffer(operand.type):
                continue
            if arg.uses.get_length():
                effects.add(EffectInstance(MemoryEffectKind.READ, operand))
            if arg.index >= len(op.inputs):
                effects.add(EffectInstance(MemoryEffectKind.WRITE, operand))
        return effects


class StructuredSpeculation(ConditionallySpeculatable):
    """An op on tensors is speculatable if its body is."""

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        """Whether there are no buffers, and every op of the body is speculatable."""
        assert isinstance(op, StructuredOp)
        on_tensors = not any(is_buffer(operand.type) for operand in op.operands)
        return on_tensors and all(is_speculatable(o) for o in op.body.block.ops)


class StructuredOp(LinalgStructuredOperation, ABC):
    """Loops, indexing maps and a body; `inputs`, then `outputs`, which are updated."""

    traits = traits_def(StructuredEffect(), StructuredSpeculation())

    @property
    def maps(self) -> tuple[AffineMap, ...]:
        """The indexing maps, one for each operand, inputs first."""
        return tuple(attribute.data for attribute in self.get_indexing_maps())

    def get_num_loops(self) -> int:
        """The number of loops, also if there are no operands."""
        return len(self.get_iterator_types())

    def get_static_loop_ranges(self) -> tuple[int, ...]:
        """The extents of the loops, `DYNAMIC_INDEX` if no operand type has it."""
        shapes = [shape_of(type_) for type_ in self.operand_types]
        return loop_ranges(self.maps, shapes, self.get_num_loops())

    def dims_of_loop(self, loop: int) -> list[tuple[SSAValue, int]]:
        """The operands' dimensions that a loop runs over; a verified op has one."""
        return [
            (operand, dim)
            for operand, map_ in zip(self.operands, self.maps, strict=True)
            for dim, expr in enumerate(map_.results)
            if isinstance(expr, AffineDimExpr) and expr.position == loop
        ]

    def verify_(self) -> None:
        """Operands, maps, shapes, body and results agree."""
        check_structured(self)
