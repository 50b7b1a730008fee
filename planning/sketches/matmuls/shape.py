"""The matmuls of a group: their loops, their sizes, and where the sink runs along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.descriptors import MAX_RANK
from tilewright.codegen.targets.accesses import LINE, WIDE_LOAD
from tilewright.ir.dialects import arith, tensor
from tilewright.ir.structured.contractions import ContractionDims
from tilewright.ir.types import tensor_type
from tilewright.planning.analysis.facts import Operand, OpFacts
from tilewright.planning.analysis.memory_runs import has_aligned_rows
from tilewright.planning.grouping.group import Group, Place
from tilewright.planning.writing.terms import Term
from tilewright.schedules.default.vectors import SMALLEST

FUNCTIONS = {"math.erf": 60, "math.tanh": 40}
"""The instructions of functions, roughly; another has about 10."""
WIDE = 3
"""The instructions of 32 bits for one of 64, roughly: two, and the carry."""
WIDE_CONVERSION = 8
"""The instructions in whose time a float is made of 64 bits or the reverse: an SM of
compute capability 9.0 makes 16 a clock, of 128 lanes (CUDA's programming guide)."""
CONVERSIONS = (arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp)


@dataclass(frozen=True)
class MatmulShape:
    """The sizes of a group's matmuls, which all have the same loops."""

    group: Group
    matmuls: tuple[OpFacts, ...]

    @property
    def matmul(self) -> OpFacts:
        """The first matmul."""
        return self.matmuls[0]

    @cached_property
    def dims(self) -> ContractionDims:
        """The roles of its loops."""
        dims = self.matmul.contraction
        assert dims is not None
        return dims

    @cached_property
    def row(self) -> int | None:
        """The loop that is tiled for rows; None for a vector.

        It is the innermost one, or the longest if no tile is worth that one.
        """
        loops, extents = self.dims.m, self.matmul.extents
        if not loops or extents[loops[-1]] >= SMALLEST:
            return loops[-1] if loops else None
        return max(loops, key=lambda loop: extents[loop])

    @cached_property
    def column(self) -> int | None:
        """The loop that is tiled for columns."""
        return self.dims.n[-1] if self.dims.n else None

    @property
    def m(self) -> int:
        """The rows of one tile's matrix."""
        return 1 if self.row is None else self.matmul.extents[self.row]

    @property
    def n(self) -> int:
        """The columns of one tile's matrix."""
        return 1 if self.column is None else self.matmul.extents[self.column]

    @cached_property
    def k(self) -> int:
        """The length of the sum: all loops that are summed over."""
        return self.matmul.count(self.dims.k)

    @cached_property
    def batch(self) -> int:
        """The matrices: batch loops, and outer loops along rows and columns."""
        rows = [loop for loop in self.dims.m if loop != self.row]
        return self.matmul.count([*self.dims.batch, *rows, *self.dims.n[:-1]])

    @property
    def width(self) -> int:
        """The bytes of an element of a factor."""
        return max(o.element.byte_width for o in self.matmul.inputs)

    @cached_property
    def factor(self) -> str:
        """The element type of the factors, as the tensor cores see them."""
        return self.matmul.inputs[0].element.name

    @property
    def is_open(self) -> bool:
        """Whether a size is known only at run time."""
        return any(matmul.open_loops for matmul in self.matmuls)

    @cached_property
    def right(self) -> Operand:
        """The factor that runs along the columns."""
        for operand in self.matmul.inputs:
            if self.column in operand.loops:
                return operand
        return self.matmul.inputs[-1]

    @property
    def is_right_along_k(self) -> bool:
        """Whether the innermost dimension of the right factor is summed over."""
        loops = self.right.loops
        return bool(loops) and loops[-1] in self.dims.k

    @cached_property
    def alignment(self) -> int:
        """The power of two, to a cache line, that divides the pitch of all rows."""
        return min(
            pitch_alignment(operand)
            for matmul in self.matmuls
            for operand in matmul.inputs
        )

    @cached_property
    def tail(self) -> int:
        """The instructions that follow the matmuls, for each element of a result."""
        return sum(
            instructions(facts)
            for facts in self.group.ops
            if facts not in self.matmuls and facts not in self.group.prologues
        )

    @cached_property
    def moved_bytes(self) -> int:
        """The bytes that the kernel must move: everything read or written, once."""
        return self.group.moved_bytes

    @cached_property
    def stored_bytes(self) -> int:
        """The bytes of all results, those included that the kernel reads itself."""
        return sum(operand.bytes for operand in self.group.stored())

    @property
    def sinks(self) -> tuple[OpFacts, ...]:
        """The ops whose results leave the kernel and that no op of it reads."""
        return (*self.group.also_sinks, self.group.sink)

    def sink_sizes(self, sink: OpFacts, rows: Term, columns: Term) -> list[Term]:
        """The tile of each loop of a sink: rows, columns, 1, or 0 for a summed one."""
        wanted: dict[Place, Term] = {}
        if self.row is not None:
            wanted[self.group.axis(self.matmul, self.row)] = rows
        if self.column is not None:
            wanted[self.group.axis(self.matmul, self.column)] = columns
        return [
            0 if loop in sink.reduced else wanted.get(self.group.axis(sink, loop), 1)
            for loop in range(len(sink.extents))
        ]

    @cached_property
    def runs_as_sink(self) -> bool:
        """Whether the sink's loops are the matmul's parallel loops, in their order."""
        matmul, sink = self.matmul, self.group.sink
        own = [self.group.axis(matmul, loop) for loop in matmul.parallel]
        return own == [self.group.axis(sink, loop) for loop in sink.parallel]

    @cached_property
    def may_use_descriptors(self) -> bool:
        """Whether all tiles of two dimensions may go through tensor descriptors.

        Rows that are not the innermost ones have others of the tensor between them.
        """
        if self.row is not None and self.row != self.dims.m[-1]:
            return False
        operands = self.group.outside_inputs()
        operands += [o for sink in self.sinks for o in sink.outputs]
        return self.has_wide_rows() and all(map(fits_descriptor, operands))

    @cached_property
    def stores_by_descriptors(self) -> bool:
        """Whether results lie where descriptors can store them: rows are aligned."""
        return all(
            has_aligned_rows(result, max(1, WIDE_LOAD // output.element.byte_width))
            for facts in self.group.ops
            for result, output in zip(facts.op.results, facts.outputs, strict=True)
        )

    def has_wide_rows(self) -> bool:
        """Whether the innermost loops of factors and results are tiled.

        Other loops have tiles of 1, which is less than a descriptor's row.
        """
        tiled = {
            self.group.axis(matmul, loop)
            for matmul in self.matmuls
            for loop in (self.row, self.column, self.dims.k[-1])
            if loop is not None
        }
        return all(
            last is None or self.group.axis(facts, last) in tiled
            for facts in {*self.matmuls, *self.sinks}
            for operand in facts.operands
            if len(operand.loops) > 1
            for last in operand.loops[-1:]
        )


def instructions(facts: OpFacts) -> int:
    """The instructions of an op's body, roughly."""
    return sum(
        _instructions(op)
        for op in facts.op.body.block.ops
        if op.operands and op.dialect_name() in ("arith", "math")
    )


def _instructions(op: Operation) -> int:
    if op.dialect_name() == "math":
        return FUNCTIONS.get(op.name, 10)
    wide = [value.type == i64 for value in (*op.operands, *op.results)]
    if not any(wide):
        return 1
    return WIDE if all(wide) or not isinstance(op, CONVERSIONS) else WIDE_CONVERSION


def pitch_alignment(operand: Operand, dimension: int = -1) -> int:
    """The power of two, to a cache line, that divides the bytes of a row.

    With another dimension: of a row of the tensor with this dimension innermost.
    """
    type_ = operand.value.type
    if not isinstance(type_, TensorType) or len(type_.get_shape()) < 2:
        return LINE
    pitch = type_.get_shape()[dimension] * operand.element.byte_width
    return min(LINE, pitch & -pitch) if pitch > 0 else 1


def fits_descriptor(operand: Operand) -> bool:
    """Whether a whole tensor can be described: contiguous, with aligned rows."""
    if sum(1 for loop in operand.loops if loop is not None) < 2:
        return True  # a tile of one dimension is a pointer access
    value = _without_unit_reshapes(operand.value)
    type_ = value.type
    if not isinstance(type_, TensorType) or None in operand.loops:
        return False
    if isinstance(value.owner, tensor.ExtractSliceOp):
        return False
    shape = type_.get_shape()
    if len(shape) > MAX_RANK or DYNAMIC_INDEX in shape or 0 in shape:
        return False
    return shape[-1] * operand.element.byte_width % WIDE_LOAD == 0


def _without_unit_reshapes(value: SSAValue) -> SSAValue:
    """The tensor whose buffer a kernel reads: reshapes that keep all extents but 1 are
    no buffers of their own."""
    while isinstance(value.owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        source = value.owner.operands[0]
        if _long_extents(source) != _long_extents(value):
            break
        value = source
    return value


def _long_extents(value: SSAValue) -> list[int]:
    return [extent for extent in tensor_type(value).get_shape() if extent != 1]


def matmul_shape(group: Group) -> MatmulShape | None:
    """The matmuls of a group, if its sketches can treat them as one."""
    matmuls = tuple(group.contractions)
    if not matmuls:
        return None
    first = matmuls[0]
    assert first.contraction is not None
    if not first.contraction.k:
        return None
    for other in matmuls[1:]:
        if other.contraction != first.contraction or other.extents != first.extents:
            return None
    return MatmulShape(group, matmuls)
