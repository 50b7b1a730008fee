"""Compute an element where it is read, if that is quicker than to store it.

`tilewright.gathered_elements`. A loss reads one number of each row of a log-softmax:

    %s = linalg.generic ... ins(%x, %m, %t) { subf, subf } -> tensor<8x999xf32>
    %r = linalg.generic ... { tensor.extract %s[%i, %label] } -> tensor<8xf32>

The reader extracts the inputs of `%s` instead and computes the element itself, so that
nobody needs the tensor. So do rolls, flips, pads, poolings and resampling of a tensor
whose elements take a few instructions. `_time` compares
the time with and without the tensor. What is returned stays, since it is stored anyway,
and so does the tail of a product that nothing else reads. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.inlining import (
    inlined,
    loops_without_extent,
    producer_of,
)
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.movement import behind_views, view_of
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import shape_of
from tilewright.transforms.core.rewriter import Rewriter

BYTE = 6
"""The instructions that an H200 executes while it moves a byte: 29e12 of f32 in a
second, and 4.8e12 bytes (data sheet)."""
LONG = 8
"""The instructions of a function such as an exponential, or of a division."""
GATHER = 8
"""The instructions to read one element at a computed index."""
FEW = 16
"""A tensor with this many times more elements than are read of it is read by few."""
MOST_OPS = 512
"""The ops that a body may get: Triton's compile time grows with its length."""


@pattern(StructuredOp)
def compute_elements(op: StructuredOp, rewriter: Rewriter) -> None:
    """Compute elements in the op that reads them."""
    if producers := producers_for(op):
        views, made = inlined(op, producers)
        rewriter.replace_with(op, *views, made)


def producers_for(op: Operation) -> set[GenericOp]:
    """The ops whose elements their reader should compute itself."""
    if not isinstance(op, StructuredOp) or not op.results:
        return set()
    is_reader = isinstance(op, GenericOp) or is_elementwise(op)
    if not is_reader or min(op.get_static_loop_ranges(), default=1) < 1:
        return set()
    read = [behind_views(value) for value in _extracted(op)]
    if not _is_matrix_product(op):
        read += [
            source
            for value in op.inputs
            if is_tensor(value.type)
            and view_of(value) is not None
            and not _follows_reduction(source := behind_views(value))
        ]
    found = {
        producer
        for value in dict.fromkeys(read)
        if _is_computable(value)
        for producer in _quickest_part(list(_chain(value)), op)
    }
    return set() if found and loops_without_extent(op, found) else found


def _is_matrix_product(op: StructuredOp) -> bool:
    """Whether an op multiplies matrices, and not only sums a product of elements."""
    loops = op.get_num_loops()
    inputs = op.maps[: len(op.inputs)]
    is_outer = any(len(named_loops(map_)) < loops for map_ in inputs)
    return is_outer and product_of(op) is not None


def _follows_reduction(value: SSAValue) -> bool:
    """Whether a kernel that reduces could compute a tensor as well, element-wise."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        owner = behind_views(pending.pop()).owner
        if not isinstance(owner, StructuredOp) or owner.results[0] in seen:
            continue
        seen.add(owner.results[0])
        if not is_elementwise(owner):
            return True
        pending += owner.inputs
    return False


def _is_computable(value: SSAValue) -> bool:
    """Whether readers may compute a tensor: it is not stored in any case."""
    producer = producer_of(value)
    return (
        isinstance(producer, GenericOp)
        and is_elementwise(producer)
        and DYNAMIC_INDEX not in shape_of(value)
        and not any(isinstance(user, func.ReturnOp) for user in _users(value))
        and not any(map(_is_product_of_one, producer.inputs))
    )


def _chain(value: SSAValue) -> Iterator[GenericOp]:
    """The op that computes a tensor, and those that compute what it alone reads.

    What is smaller is computed once, such as the factors of a batch norm.
    """
    producer = value.owner
    assert isinstance(producer, GenericOp)
    yield producer
    for given in map(behind_views, producer.inputs):
        is_own = _is_computable(given) and all(
            _outermost(user) is producer for user in _users(given)
        )
        if is_own and prod(shape_of(given)) >= prod(shape_of(value)):
            yield from _chain(given)


def _users(value: SSAValue) -> Iterator[Operation]:
    """The ops that read a tensor or a view of it."""
    for use in value.uses:
        user = use.operation
        if user.results and view_of(user.results[0]) is not None:
            yield from _users(user.results[0])
        else:
            yield user


def _outermost(op: Operation) -> Operation:
    """The structured op that an op is in the body of, or the op itself."""
    parent = op.parent_op()
    return parent if isinstance(parent, StructuredOp) else op


def _quickest_part(
    chain: Sequence[GenericOp], reader: StructuredOp
) -> Sequence[GenericOp]:
    """The last ops of a chain that a reader computes in the least time, perhaps none.

    Another kernel computes and stores the rest.
    """
    parts = [chain[:length] for length in range(len(chain) + 1)]
    reads = sum(_outermost(user) is reader for user in _users(chain[0].results[0]))
    sizes = [sum(len(op.body.block.ops) for op in part) for part in parts]
    short = [p for p, size in zip(parts, sizes, strict=True) if reads * size < MOST_OPS]
    return min(short, key=lambda part: _time(part, chain, reader))


def _time(
    part: Sequence[GenericOp], chain: Sequence[GenericOp], reader: StructuredOp
) -> float:
    """The time of a reader that computes a part of a chain, and of the rest.

    It is in instructions. A kernel takes as long as its memory, its reads at computed
    indices or its arithmetic, whichever is longest. Readers share the time of a kernel
    that stores what they read. A tensor that another op reads along its loops is taken
    to be stored in any case, unless few of its elements are read here.
    """
    (result,) = chain[0].results
    users = list(_users(result))
    readers = len({*map(_outermost, users)})
    reads = sum(_outermost(user) is reader for user in users)
    count, elements = prod(reader.get_static_loop_ranges()), prod(shape_of(result))
    touched = min(1.0, reads * count / elements)
    given = {result} if not part else _leaves(part)
    stored = [value for value in given if behind_views(value).owner in chain]
    rest = [op for op in chain if op not in part]
    plain = {use.operation for use in result.uses} - {reader}
    is_kept = FEW * touched > 1 and any(isinstance(x, StructuredOp) for x in plain)
    storing = 0.0
    if stored and not is_kept:
        moved = sum(map(_bytes, (*_leaves(chain), *stored)))
        storing = max(BYTE * moved, elements * sum(map(_work, rest))) / readers
    whole = sum(is_tensor(v.type) and prod(shape_of(v)) >= elements for v in given)
    extracted = whole - 1 + sum(len(_extracted(op)) for op in part)
    gathers = len(_extracted(reader)) + reads * extracted
    work = _work(reader) + reads * sum(map(_work, part))
    moved = touched * sum(map(_bytes, given))
    moved += sum(map(_bytes, (*reader.inputs, *reader.results)))
    return storing + max(BYTE * moved, count * max(work, GATHER * gathers))


def _leaves(ops: Sequence[GenericOp]) -> set[SSAValue]:
    """The tensors that ops read and do not compute."""
    return {
        value
        for op in ops
        for value in (*op.inputs, *_extracted(op))
        if behind_views(value).owner not in ops
    }


def _extracted(op: StructuredOp) -> list[SSAValue]:
    """The tensor of each element that a body reads at computed indices."""
    return [i.tensor for i in op.body.block.ops if isinstance(i, tensor.ExtractOp)]


def _bytes(value: SSAValue) -> int:
    """The bytes of a tensor; an element of a scalar type is none."""
    kind = value.type
    return (
        prod(shape_of(value)) * byte_width(element_type(kind)) if is_tensor(kind) else 0
    )


def _work(op: StructuredOp) -> int:
    """The instructions of a body on floats; those on integers compute indices."""
    made = [
        inner
        for inner in op.body.block.ops
        if inner.results
        and isinstance(inner.results[0].type, AnyFloat)
        and not isinstance(inner, arith.ConstantOp | tensor.ExtractOp)
    ]
    long = sum(isinstance(i, arith.DivfOp) or i.name.startswith("math.") for i in made)
    return len(made) + (LONG - 1) * long


def _is_product_of_one(value: SSAValue) -> bool:
    """Whether one op alone reads a product, which need not be stored then."""
    owner = value.owner
    is_product = isinstance(owner, StructuredOp) and product_of(owner) is not None
    return is_product and len(list(value.uses)) == 1


PATTERNS = (compute_elements,)
