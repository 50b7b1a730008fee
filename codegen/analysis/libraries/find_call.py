"""Which call of torch computes a structured op, and on which views of its buffers.

`"cublas"` promises a matrix product, which torch hands to cuBLAS; `"cublas_padded"` the
same of copies whose rows are whole 16 bytes; `"cudnn"` a convolution of images.
`"torch"` takes products, convolutions, and whatever else torch computes in one call
with an output of its own. What none has is refused.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.analysis.libraries.call import LibraryCall, shape_of, whole
from tilewright.codegen.analysis.libraries.convolutions import library_convolution
from tilewright.codegen.analysis.libraries.matmuls import REMEDY, library_matmul
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.structured.bodies import operand_behind
from tilewright.ir.structured.convolutions import Convolution, has_windows
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.matmul_tails import MatmulTail
from tilewright.ir.structured.reductions import reductions_of

_NAMES = {"cublas": "cuBLAS", "cublas_padded": "cuBLAS", "cudnn": "cuDNN"}


def library_call(
    op: StructuredOp | SoftmaxOp,
    library: str,
    tail: StructuredOp | None = None,
    form: MatmulTail | None = None,
) -> LibraryCall | Convolution:
    """The call that computes an op, refused where the library has none.

    `tail` is an op that reads the product `op`, and that the call computes as well;
    `form` says what it does.
    """
    if isinstance(op, SoftmaxOp):
        if library != "torch":
            refuse(op, f"{_NAMES[library]} has no softmax here", 'hand it to "torch"')
        rank = len(shape_of(op.input))
        return LibraryCall(
            "softmax",
            (whole(op.input, rank),),
            whole(op.output, rank),
            dimension=op.dimension.value.data,
        )
    nest = nest_of(op)
    reductions = reductions_of(op) if nest.reduced else None
    if not reductions or len(reductions) != 1 or reductions[0].factors is None:
        refuse(op, "is no product of matrices, and no library has it", REMEDY)
    factors = [operand_behind(op, factor) for factor in reductions[0].factors]
    positions = [factor for factor in factors if factor is not None]
    if len(positions) != 2:
        refuse(op, "a product that no library has in one call", REMEDY)
    if has_windows(nest):
        if library in ("cublas", "cublas_padded"):
            refuse(op, "cuBLAS has no sums over windows", 'hand it to "cudnn"')
        return library_convolution(nest, op, positions, _rounding(tail, form))
    if library == "cudnn":
        refuse(op, "is no convolution", 'hand it to "cublas"')
    call = library_matmul(op, positions, tail, form)
    return _padded(op, call) if library == "cublas_padded" else call


def _padded(op: StructuredOp, call: LibraryCall) -> LibraryCall:
    """A plain product of 16-bit numbers, computed on padded copies."""
    is_plain = call.function == "mm" and call.added is None and call.alpha == 1.0
    is_short = byte_width(call.operands[0].value.type) == 2 and not call.wide
    if not is_plain or not is_short or call.activation is not None:
        refuse(
            op,
            "cublas_padded multiplies two matrices of 16-bit numbers, and no more",
            'hand it to "cublas"',
        )
    return replace(call, function="padded_mm")


def _rounding(
    tail: StructuredOp | None, form: MatmulTail | None
) -> StructuredOp | None:
    """The tail of a convolution, which may only round it, in place."""
    if tail is None or form is None:
        return None
    is_plain = tail.maps[form.matmul] == tail.maps[len(tail.inputs)]
    if not is_plain or replace(form, matmul=0) != MatmulTail(0, 1.0, (), ()):
        refuse(tail, "cuDNN rounds the sums of a convolution, and no more", REMEDY)
    return tail
