"""Puts the ops of included sequences in the place of their includes.

A run that shares its prefixes with others (`shared_prefixes.py`) can stop between the
ops of its main sequence only. A schedule may be a single include, so the sequences that
it includes are written out first. Ops keep their places, and remember the includes that
they came through: an error lists them as if the sequence had been entered.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation

from tilewright.ir.errors import Note
from tilewright.ir.text import place_of
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.walking import walked


def inline_includes(
    block: Block, sequences: Mapping[str, NamedSequenceOp], chain: tuple[str, ...]
) -> None:
    """Write out the includes of a block, in place; `chain` has the open sequences.

    An include that suppresses failures stays, and so does one that would be refused.
    """
    for op in list(block.ops):
        if isinstance(op, IncludeOp) and not suppresses(op.failure_propagation_mode):
            callee = sequences.get(op.target.string_value())
            if callee is not None and _fits(op, callee, chain):
                _inline(op, callee, sequences, chain)


def _fits(include: IncludeOp, callee: NamedSequenceOp, chain: tuple[str, ...]) -> bool:
    block = callee.body.block
    yielded = () if block.last_op is None else block.last_op.operands
    return (
        callee.sym_name.data not in chain
        and len(block.args) == len(include.args)
        and len(yielded) == len(include.results)
    )


def _inline(
    include: IncludeOp,
    callee: NamedSequenceOp,
    sequences: Mapping[str, NamedSequenceOp],
    chain: tuple[str, ...],
) -> None:
    name = callee.sym_name.data
    here = Note(f"in '{name}', included here", place_of(include))
    copy = callee.clone()
    for old, new in zip(walked(callee), walked(copy), strict=True):
        new.location = old.location
        if isinstance(new, TransformOp):
            new.included = (here, *include.included)
    block = copy.body.block
    inline_includes(block, sequences, (*chain, name))
    for argument, value in zip(block.args, include.args, strict=True):
        argument.replace_all_uses_with(value)
    ops: list[Operation] = list(block.ops)
    last = ops.pop()
    outer = include.parent
    assert outer is not None
    for op in ops:
        op.detach()
        outer.insert_op_before(op, include)
    for result, value in zip(include.results, list(last.operands), strict=True):
        result.replace_all_uses_with(value)
    last.detach()
    last.erase(safe_erase=False)
    outer.erase_op(include)
