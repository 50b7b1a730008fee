"""What a planner needs to know of one structured op: loops, reuse, work, role."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from tilewright.codegen.program import NOMINAL
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.tensor import ExtractOp
from tilewright.ir.dtypes import ElementType, element
from tilewright.ir.structured.bodies import is_elementwise, operand_behind, yielded
from tilewright.ir.structured.contractions import ContractionDims, contraction_dims
from tilewright.ir.structured.loops import Nest, nest_of
from tilewright.ir.structured.reductions import reductions_of
from tilewright.ir.structured.scans import scan_of
from tilewright.ir.structured.scatters import scatter_of
from tilewright.ir.types import is_tensor


class Role(StrEnum):
    """What an op does with its data, as far as a schedule cares."""

    FILL = "fill"
    """Reads no tensor: computing it again costs nothing."""
    MOVEMENT = "movement"
    """Copies, broadcasts or transposes elements without arithmetic."""
    ELEMENTWISE = "element-wise"
    CONTRACTION = "contraction"
    """Sums products of two operands, each reused along the other's loops."""
    REDUCTION = "reduction"
    SCAN = "scan"
    """Totals that run along a reduction loop, whose order counts."""
    SCATTER = "scatter"
    """Adds values at the indices that it reads."""
    WINDOW = "window"
    """Reads an operand at sums of loops: a convolution or a pooling."""
    OTHER = "other"


ALONE = (Role.OTHER, Role.WINDOW, Role.SCATTER)
"""The roles of ops that share a kernel with no other."""


@dataclass(frozen=True, eq=False)
class Operand:
    """A tensor that an op reads or writes, and the loops along its dimensions."""

    value: SSAValue
    loops: tuple[int | None, ...]
    """The loop along each dimension; None where it is no single loop."""
    elements: int
    element: ElementType
    is_read: bool
    is_written: bool

    @property
    def bytes(self) -> int:
        """The bytes of the whole operand."""
        return self.elements * self.element.byte_width

    @property
    def inner(self) -> int | None:
        """The loop along the last dimension with several elements."""
        shape = self.value.type.get_shape() if is_tensor(self.value.type) else ()
        wide = [loop for loop, size in zip(self.loops, shape, strict=True) if size != 1]
        found = wide or self.loops
        return found[-1] if found else None


@dataclass(frozen=True, eq=False)
class OpFacts:
    """One structured op, described by its interface."""

    op: StructuredOp
    number: int
    """Its place among the structured ops of the payload, from 0."""
    name: str
    """A name for schedules and tables, unique in the payload."""
    role: Role
    extents: tuple[int, ...]
    """The extents of the loops; where a size is open, as given, or else `NOMINAL`."""
    open_loops: tuple[int, ...]
    """The loops whose extent is known only at run time."""
    reduced: tuple[int, ...]
    operands: tuple[Operand, ...]
    """The inputs, then the outputs."""
    flops: int
    contraction: ContractionDims | None

    @cached_property
    def parallel(self) -> tuple[int, ...]:
        """The loops that do not reduce."""
        return tuple(i for i in range(len(self.extents)) if i not in self.reduced)

    @cached_property
    def inputs(self) -> tuple[Operand, ...]:
        """The operands before the outputs."""
        return self.operands[: len(self.op.inputs)]

    @cached_property
    def outputs(self) -> tuple[Operand, ...]:
        """The operands that the op writes."""
        return self.operands[len(self.op.inputs) :]

    @cached_property
    def read_bytes(self) -> int:
        """The bytes of everything that is read, each operand once."""
        return sum(operand.bytes for operand in self.operands if operand.is_read)

    @cached_property
    def written_bytes(self) -> int:
        """The bytes of the results."""
        return sum(operand.bytes for operand in self.operands if operand.is_written)

    @property
    def intensity(self) -> float:
        """Floating-point operations for each byte that must move."""
        return self.flops / max(self.read_bytes + self.written_bytes, 1)

    @cached_property
    def body_size(self) -> int:
        """The scalar ops of one iteration."""
        return self.flops // max(math.prod(self.extents), 1)

    @property
    def is_empty(self) -> bool:
        """Whether a loop has no iterations."""
        return 0 in self.extents

    def reuse(self, operand: Operand) -> tuple[int, ...]:
        """The loops along which an operand is read again."""
        return tuple(
            loop
            for loop in range(len(self.extents))
            if loop not in operand.loops and self.extents[loop] > 1
        )

    def result_loops(self, value: SSAValue) -> tuple[int | None, ...]:
        """The loops along the dimensions of one of the results."""
        for result, output in zip(self.op.results, self.outputs, strict=True):
            if result is value:
                return output.loops
        raise ValueError("the value is no result of the op")

    def count(self, loops: Sequence[int]) -> int:
        """The iterations of some loops together."""
        return math.prod(self.extents[loop] for loop in loops)


def facts_of(
    op: StructuredOp, number: int, name: str, given: Sequence[int | None] = ()
) -> OpFacts:
    """Describe one structured op; `given` has extents of loops whose size is open."""
    nest = nest_of(op)
    ranges = op.get_static_loop_ranges()
    open_loops = tuple(i for i, extent in enumerate(ranges) if extent == DYNAMIC_INDEX)
    known = [*given, *[None] * (len(ranges) - len(given))]
    extents = tuple(
        (NOMINAL if size is None else size) if extent == DYNAMIC_INDEX else extent
        for extent, size in zip(ranges, known, strict=True)
    )
    operands = tuple(
        _operand(nest, position, extents) for position in range(len(op.operands))
    )
    dims = contraction_dims(op)
    role = _role(nest, operands, dims)
    return OpFacts(
        op,
        number,
        name,
        role,
        extents,
        open_loops,
        nest.reduced,
        operands,
        _flops(nest, extents, role),
        dims if role == Role.CONTRACTION else None,
    )


def _operand(nest: Nest, position: int, extents: Sequence[int]) -> Operand:
    value = nest.op.operands[position]
    map_ = nest.maps[position]
    is_output = position >= nest.inputs
    argument = nest.body.args[position]
    return Operand(
        value,
        tuple(
            expr.position if isinstance(expr, AffineDimExpr) else None
            for expr in map_.results
        ),
        _elements(value, map_, extents),
        element(value.type),
        bool(argument.uses) and is_tensor(value.type),
        is_output,
    )


def _elements(value: SSAValue, map_: AffineMap, extents: Sequence[int]) -> int:
    """The number of elements; open sizes count as their loop does."""
    if not is_tensor(value.type):
        return 1
    sizes: list[int] = []
    for size, expr in zip(value.type.get_shape(), map_.results, strict=True):
        if size == DYNAMIC_INDEX:
            named = isinstance(expr, AffineDimExpr)
            size = extents[expr.position] if named else NOMINAL
        sizes.append(size)
    return math.prod(sizes)


def _role(
    nest: Nest, operands: Sequence[Operand], dims: ContractionDims | None
) -> Role:
    if nest.reduced and any(map(_has_window, nest.maps)):
        return Role.WINDOW
    if not nest.reduced:
        gathers = any(isinstance(op, ExtractOp) for op in nest.body.ops)
        if not gathers and not any(operand.is_read for operand in operands):
            return Role.FILL
        if not is_elementwise(nest.op):
            return Role.OTHER
        return Role.MOVEMENT if _moves_only(nest.op) else Role.ELEMENTWISE
    if scan_of(nest.op) is not None:
        return Role.SCAN
    if scatter_of(nest.op) is not None:
        return Role.SCATTER
    reductions = reductions_of(nest.op)
    if reductions is None:
        return Role.OTHER
    multiplies = len(reductions) == 1 and reductions[0].factors is not None
    if dims is not None and multiplies and (dims.m or dims.n):
        # No library multiplies a batch of matrices with vectors of another type, and
        # tensor cores have nothing to do: it is a sum along rows or columns.
        types = {operand.element for operand in operands if not operand.is_written}
        is_matrix = bool(dims.m and dims.n)
        has_call = len(types) == 1 and all(kind.is_float for kind in types)
        if dims.batch and not is_matrix and not has_call:
            return Role.REDUCTION
        return Role.CONTRACTION
    return Role.REDUCTION


def _has_window(map_: AffineMap) -> bool:
    """Whether an operand is read at indices that several loops make together."""
    plain = AffineDimExpr, AffineConstantExpr
    return not all(isinstance(expr, plain) for expr in map_.results)


def _moves_only(op: StructuredOp) -> bool:
    """Whether the body yields elements of the inputs as they are."""
    return all(operand_behind(op, value, ()) is not None for value in yielded(op))


def _flops(nest: Nest, extents: Sequence[int], role: Role) -> int:
    """The arithmetic of the body, once for each iteration."""
    if role == Role.CONTRACTION:
        return 2 * math.prod(extents)
    if role == Role.SCATTER:
        return math.prod(extents[1:])  # No element looks at the updates of others.
    counted = sum(
        1
        for op in nest.body.ops
        if op.dialect_name() in ("arith", "math") and op.operands
    )
    return counted * math.prod(extents)
