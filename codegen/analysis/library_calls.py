"""Which call of torch computes a structured op, and on which views of its buffers.

`"cublas"` promises a matrix product, which torch hands to cuBLAS, `"cudnn"` a
convolution of images; `"torch"` takes both, and whatever else torch computes in one
call with an output of its own. What none has is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tilewright.codegen.analysis.convolutions import library_convolution
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.bodies import operand_behind
from tilewright.ir.structured.contractions import ContractionLoops
from tilewright.ir.structured.convolutions import Convolution, has_windows
from tilewright.ir.structured.loops import Nest, nest_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import reductions_of

_SAME = ("f16", "bf16", "f32", "f64")
"""Element types of products whose output has the type of the operands."""
_WIDE = ("f16", "bf16")
"""Those that may also be summed into f32 outputs."""

_NAMES = {"cublas": "cuBLAS", "cudnn": "cuDNN"}

_REMEDY = "leave the attribute off, and schedule a kernel"


@dataclass(frozen=True)
class LibraryCall:
    """A call `function(operands, out=output)`."""

    function: str
    """`mm`, `bmm`, `mv` or `softmax`."""
    operands: tuple[tuple[SSAValue, bool], ...]
    """Buffers, and whether their last two dimensions change places."""
    output: SSAValue
    wide: bool
    """Whether the output is wider than the operands."""
    dimension: int | None = None
    """Of a softmax."""


def library_call(
    op: StructuredOp | SoftmaxOp, library: str
) -> LibraryCall | Convolution:
    """The call that computes an op, refused where the library has none."""
    if isinstance(op, SoftmaxOp):
        if library != "torch":
            refuse(op, f"{_NAMES[library]} has no softmax here", 'hand it to "torch"')
        operand = ((op.input, False),)
        dimension = op.dimension.value.data
        return LibraryCall("softmax", operand, op.output, False, dimension)
    nest = nest_of(op)
    reductions = reductions_of(op) if nest.reduced else None
    if not reductions or len(reductions) != 1 or reductions[0].factors is None:
        refuse(op, "is no product of matrices, and no library has it", _REMEDY)
    factors = [operand_behind(op, factor) for factor in reductions[0].factors]
    positions = [factor for factor in factors if factor is not None]
    if len(positions) != 2:
        refuse(op, "a product that no library has in one call", _REMEDY)
    if has_windows(nest):
        if library == "cublas":
            refuse(op, "cuBLAS has no sums over windows", 'hand it to "cudnn"')
        return library_convolution(nest, op, positions)
    if library == "cudnn":
        refuse(op, "is no convolution", 'hand it to "cublas"')
    return _product(op, nest, positions)


@dataclass(frozen=True)
class _Operand:
    value: SSAValue
    loops: tuple[int, ...]


def _product(op: StructuredOp, nest: Nest, factors: Sequence[int]) -> LibraryCall:
    left, right = (_Operand(op.operands[i], _loops(nest, i)) for i in factors)
    output = _Operand(op.outputs[0], _loops(nest, len(op.inputs)))
    if not (left.loops and right.loops and output.loops) or len(nest.reduced) != 1:
        refuse(op, "a product that no library has in one call", _REMEDY)
    wide = _check_types(op, left.value, right.value, output.value)
    (k,) = nest.reduced
    batch = ContractionLoops(left.loops, right.loops, output.loops).batch
    rows = [loop for loop in output.loops if loop not in batch]
    if len(rows) == 1 and not batch:
        if rows[0] in right.loops:
            left, right = right, left
        matrix = _oriented(op, left, [rows[0], k])
        return LibraryCall("mv", (matrix, (right.value, False)), output.value, wide)
    if len(rows) != 2 or len(batch) > 1 or output.loops[: len(batch)] != batch:
        refuse(op, "a product that no library has in one call", _REMEDY)
    if rows[0] in right.loops:
        left, right = right, left
    m, n = rows
    return LibraryCall(
        "bmm" if batch else "mm",
        (_oriented(op, left, [*batch, m, k]), _oriented(op, right, [*batch, k, n])),
        output.value,
        wide,
    )


def _loops(nest: Nest, position: int) -> tuple[int, ...]:
    """The loops along an operand's dimensions; none if there is anything else."""
    map_ = nest.maps[position]
    return named_loops(map_) if map_.is_projected_permutation() else ()


def _oriented(
    op: StructuredOp, operand: _Operand, wanted: Sequence[int]
) -> tuple[SSAValue, bool]:
    """An operand with its dimensions in order, the last two exchanged if need be."""
    if operand.loops == tuple(wanted):
        return operand.value, False
    if operand.loops == (*wanted[:-2], wanted[-1], wanted[-2]):
        return operand.value, True
    refuse(op, "an operand that no library takes as it lies in memory", _REMEDY)


def _check_types(op: StructuredOp, *values: SSAValue) -> bool:
    """Whether the output is wider; other combinations are refused."""
    left, right, output = (element(value.type).name for value in values)
    if left == right == output and left in _SAME:
        return False
    if left == right and left in _WIDE and output == "f32":
        return True
    refuse(
        op,
        f"torch has no product of {left} and {right} into {output}",
        _REMEDY,
    )
