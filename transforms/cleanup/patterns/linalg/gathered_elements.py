"""Compute an element where it is read, if few of a tensor are or it takes little.

`tilewright.gathered_elements`. A loss reads one number of each row of a log-softmax:

    %s = linalg.generic ... ins(%x, %m, %t) { subf, subf } -> tensor<8x999xf32>
    %r = linalg.generic ... { tensor.extract %s[%i, %label] } -> tensor<8xf32>

The reader extracts the inputs of `%s` instead and computes the element itself, so that
nobody needs the tensor. A tensor that one op alone reads, such as one that is rolled,
flipped or written into a slice, need not be stored either if its elements take a few
instructions. What is returned stays, since it is stored anyway, and so does the tail of
a product that nothing else reads. Sizes must be known.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import GenericOp, IndexOp, StructuredOp, YieldOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.inlining import inlined, producer_of
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import shape_of
from tilewright.transforms.core.rewriter import Rewriter

FEW = 16
"""A tensor has this many times more elements than are read of it."""
MOST_WORK = 24
"""The instructions for a result that a kernel has time for while it waits for memory:
an H200 moves an element of f32 in the time that it takes for so many."""
MOST_READS = 4
"""The elements of whole tensors that are read for a result."""
LONG = 8
"""The instructions of a function such as an exponential, or of a division."""


@pattern(GenericOp)
def compute_extracted(op: GenericOp, rewriter: Rewriter) -> None:
    """Compute elements in the op that extracts them."""
    producers = {
        owner for each in op.body.block.ops if (owner := producer_for(each)) is not None
    }
    if producers:
        views, made = inlined(op, producers)
        rewriter.replace_with(op, *views, made)


def producer_for(op: Operation) -> GenericOp | None:
    """The op that computes a tensor, if the reader should compute elements itself."""
    if not isinstance(op, tensor.ExtractOp):
        return None
    producer, reader = producer_of(op.tensor), op.parent_op()
    if not isinstance(producer, GenericOp) or not isinstance(reader, GenericOp):
        return None
    if not is_elementwise(producer):
        return None
    if not is_elementwise(reader) or not reader.results:
        return None
    made, results = (shape_of(each.results[0]) for each in (producer, reader))
    if DYNAMIC_INDEX in (*made, *results):
        return None
    uses = producer.results[0].uses
    # A window reads many elements for each result.
    reads = sum(use.operation.parent_op() is reader for use in uses)
    is_rare = prod(made) >= FEW * reads * prod(results)
    if not is_rare and not _takes_little(producer, reader, reads):
        return None
    if any(isinstance(use.operation, func.ReturnOp) for use in uses):
        return None
    is_tail = any(_is_product_of_one(value) for value in producer.inputs)
    return None if is_tail else producer


def _takes_little(producer: GenericOp, reader: GenericOp, reads: int) -> bool:
    """Whether one op alone reads a tensor, and has time to compute its elements."""
    if reads != producer.results[0].uses.get_length():
        return False
    rank = len(producer.get_static_loop_ranges())
    whole = sum(len(map_.results) == rank for map_ in producer.maps[:-1])
    inside = list(reader.body.block.ops)
    others = sum(isinstance(op, tensor.ExtractOp) for op in inside) - reads
    if reads * whole + others > MOST_READS:
        return False
    # Those on integers compute places: the reader has them anyway.
    floats = [
        op for op in inside if op.results and isinstance(op.results[0].type, AnyFloat)
    ]
    work = reads * sum(map(_work, producer.body.block.ops))
    return work + sum(map(_work, floats)) <= MOST_WORK


def _work(op: Operation) -> int:
    """The instructions of an op on elements."""
    if isinstance(op, arith.ConstantOp | tensor.ExtractOp | IndexOp | YieldOp):
        return 0
    return LONG if isinstance(op, arith.DivfOp) or op.name.startswith("math.") else 1


def _is_product_of_one(value: SSAValue) -> bool:
    """Whether one op alone reads a product, which need not be stored then."""
    owner = value.owner
    is_product = isinstance(owner, StructuredOp) and product_of(owner) is not None
    return is_product and len(list(value.uses)) == 1


PATTERNS = (compute_extracted,)
