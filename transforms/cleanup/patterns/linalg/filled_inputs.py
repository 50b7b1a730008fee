"""A tensor of one number is read as the number.

`tilewright.filled_inputs`. The masks of language models begin with ones:

    %ones = linalg.fill ins(%true) outs(%empty : tensor<i1>) -> tensor<i1>
    %m = linalg.generic ... ins(%ones, %seen) { ^bb0(%one, %s, %out): andi %one, %s }

becomes

    %m = linalg.generic ... ins(%seen) { ^bb0(%s, %out): andi %true, %s }

A `linalg.generic` that yields a number whatever it reads is a fill, too.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, GenericOp
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.maps import is_permutation
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.linalg.erase_inputs import drop_inputs
from tilewright.transforms.cleanup.patterns.linalg.fills import filled_by
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def constant_as_fill(op: GenericOp, rewriter: Rewriter) -> None:
    """Replace an op whose elements are all one number by a fill."""
    number = _only_number(op)
    if number is not None:
        rewriter.replace_with(op, FillOp([number], [op.outputs[0]]))


@pattern(GenericOp)
def read_number(op: GenericOp, rewriter: Rewriter) -> None:
    """Read the number that an input is filled with in place of its elements."""
    for place in range(len(op.inputs)):
        number = _number_of(op, place)
        if number is not None:
            rewriter.replace_uses(op.body.block.args[place], number)


def has_filled_inputs(op: Operation) -> bool:
    """Whether an op reads a tensor of one number, or is one."""
    if not isinstance(op, GenericOp):
        return False
    reads = (_number_of(op, place) for place in range(len(op.inputs)))
    return _only_number(op) is not None or any(number is not None for number in reads)


def _only_number(op: GenericOp) -> SSAValue | None:
    """The constant of outside that an element-wise op yields."""
    if len(op.results) != 1 or not is_tensor(op.results[0].type):
        return None
    if nest_of(op).reduced or not is_permutation(op.maps[-1]):
        return None
    yielded = op.body.block.last_op
    assert yielded is not None
    return _constant(yielded.operands[0], op.results[0])


def _number_of(op: GenericOp, place: int) -> SSAValue | None:
    """The constant that a tensor is filled with, which the body reads."""
    number = filled_by(op.inputs[place])
    if number is None or op.body.block.args[place].first_use is None:
        return None
    return _constant(number, op.inputs[place])


def _constant(number: SSAValue, tensor: SSAValue) -> SSAValue | None:
    """A constant that is an element of a tensor as it is."""
    if not isinstance(number.owner, arith.ConstantOp):
        return None
    return number if number.type == element_type(tensor.type) else None


PATTERNS = (constant_as_fill, read_number, drop_inputs)
