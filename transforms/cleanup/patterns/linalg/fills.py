"""Patterns on linalg.fill: reshape, join or pad first, and fill afterwards."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects.linalg import CopyOp, FillOp, TransposeOp
from tilewright.ir.dialects.tensor import EmptyOp
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.tensor.pads import constant_padding
from tilewright.transforms.core.rewriter import Rewriter


def filled_by(value: SSAValue) -> SSAValue | None:
    """The number that a tensor was just filled with, if it was."""
    owner = value.owner
    return owner.operands[0] if isinstance(owner, FillOp) else None


def _fill(number: SSAValue, into: SSAValue) -> FillOp:
    return FillOp([number], [into])


@pattern_on("tensor.expand_shape", "tensor.collapse_shape")
def reshape_filled(op: Operation, rewriter: Rewriter) -> None:
    """Reshape first, fill afterwards."""
    number = filled_by(op.operands[0])
    if number is None:
        return
    fill = op.operands[0].owner
    assert isinstance(fill, FillOp)
    reshape = type(op).create(
        operands=[fill.operands[1], *op.operands[1:]],
        result_types=op.result_types,
        properties=op.properties.copy(),
    )
    rewriter.replace_with(op, reshape, _fill(number, reshape.results[0]))


@pattern_on("tensor.concat")
def concat_filled(op: Operation, rewriter: Rewriter) -> None:
    """Join first, fill afterwards, if all parts are filled with one number."""
    numbers = {filled_by(operand) for operand in op.operands}
    number = numbers.pop()
    if numbers or number is None:
        return
    concat = make(
        op.name,
        [operand.owner.operands[1] for operand in op.operands],  # pyright: ignore
        op.result_types,
        op.properties,
    )
    rewriter.replace_with(op, concat, _fill(number, concat.results[0]))


@pattern_on("tensor.pad")
def pad_filled(op: Operation, rewriter: Rewriter) -> None:
    """Replace a filled tensor padded with the same number by a larger fill."""
    number = filled_by(op.operands[0])
    if number is None or constant_padding(op) is not number:
        return
    kind = tensor_type(op.results[0])
    if kind.has_static_shape():
        empty = make("tensor.empty", [], [kind])
        rewriter.replace_with(op, empty, _fill(number, empty.results[0]))


@pattern_on("tensor.extract")
def element_of_filled(op: Operation, rewriter: Rewriter) -> None:
    """Replace an element of a filled tensor by the number."""
    number = filled_by(op.operands[0])
    if number is not None and number.type == op.results[0].type:
        rewriter.replace(op, [number])


@pattern(CopyOp, TransposeOp)
def move_filled(op: CopyOp | TransposeOp, rewriter: Rewriter) -> None:
    """Replace a copy or transposition of a filled tensor by a fill."""
    source, into = op.operands
    number = filled_by(source)
    if number is not None and op.results and is_tensor(into.type):
        rewriter.replace_with(op, _fill(number, into))


@pattern(FillOp, EmptyOp)
def own_start(op: FillOp | EmptyOp, rewriter: Rewriter) -> None:
    """Give every op that starts from a filled or an empty tensor one of its own."""
    if not op.results:
        return
    for use in list(op.results[0].uses)[1:]:
        copy = op.clone()
        rewriter.insert_before(op, copy)
        rewriter.set_operand(use.operation, use.index, copy.results[0])


PATTERNS = (
    reshape_filled,
    concat_filled,
    pad_filled,
    element_of_filled,
    move_filled,
)

OWN_FILLS = (own_start,)
