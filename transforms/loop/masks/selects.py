"""The conditions under which a loop's tiles are not masked, and tiles without masks.

A body that selects a constant where a condition fails is not masked where the condition
holds. A body that yields a condition is taken to make a mask of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, i1
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine, arith, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.index_ops import index_op
from tilewright.ir.indexing.ranges import Form, candidates
from tilewright.ir.structured.bodies import yielded
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.masks.conditions import (
    Condition,
    condition_of,
    conditions_in,
    decided,
    filling_forms,
    follows,
)
from tilewright.transforms.loop.masks.matches import Search
from tilewright.transforms.loop.shared.partial_iterations import winner


def unmasked_where(search: Search) -> Iterator[Form]:
    """Forms of the loop's index: where none is negative, no tile is masked.

    Conditions of which nothing is known are left out: they stay masks.
    """
    for op in search.data.loop.walk():
        if isinstance(op, StructuredOp):
            for condition in _conditions(op, search):
                yield from filling_forms(condition, op, search.data)


def _conditions(op: StructuredOp, search: Search) -> Iterator[Condition]:
    """The conditions under which an op's elements are not masked."""
    for value in yielded(op):
        if value.type == i1:
            yield condition_of(value, search)
    for inner in op.body.block.ops:
        if isinstance(inner, arith.SelectOp):
            found = condition_of(inner.condition, search)
            if uniform(inner.false_value) is not None:
                yield found
            elif uniform(inner.true_value) is not None:
                yield found.negated


def decisions(search: Search, facts: Sequence[Form]) -> Iterator[bool | int | None]:
    """For each op in a loop, in the order of `walk`: what the facts say about it.

    The facts are forms that are not negative. They decide whether a comparison holds at
    every element of a tile, or at none, and which candidate a minimum or a maximum is.
    """
    loop = search.data.loop
    of_comparison = {compared: op for op, compared in conditions_in(loop)}
    for op in loop.walk():
        found: bool | int | None = None
        if isinstance(op, arith.CmpiOp) and op in of_comparison:
            condition = condition_of(op.result, search)
            found = decided(condition, of_comparison[op], facts, search.data)
        elif isinstance(op, affine.MinOp | MaxOp):
            found = winner(op, lambda form: follows(form, facts))
        yield found


def simplify(
    loop: scf.ForOp, found: Sequence[bool | int | None], rewriter: Rewriter
) -> None:
    """Put decisions into a loop; they are in the order of its ops."""
    for op, decision in zip(list(loop.walk()), found, strict=True):
        if decision is None:
            continue
        if isinstance(op, arith.CmpiOp):
            _fold(op.result, bool(decision), rewriter)
        elif isinstance(op, affine.MinOp | MaxOp):
            map_ = op.map.data
            chosen = AffineMap(
                map_.num_dims, map_.num_symbols, (map_.results[decision],)
            )
            rewriter.replace_with(
                op, affine.ApplyOp(list(op.operands), AffineMapAttr(chosen))
            )
    erase_dead(loop, rewriter)


def _fold(value: SSAValue, holds: bool, rewriter: Rewriter) -> None:
    """Replace a condition by true or false in the ops that use it."""
    for use in list(value.uses):
        user = use.operation
        match user:
            case arith.SelectOp() if use.index == 0:
                rewriter.replace(user, [user.true_value if holds else user.false_value])
            case arith.AndIOp() | arith.OrIOp():
                other = user.operands[1 - use.index]
                if holds is isinstance(user, arith.AndIOp):
                    rewriter.replace(user, [other])
                else:
                    _fold(user.result, holds, rewriter)
            case _:
                constant = arith.ConstantOp(BoolAttr.from_bool(holds))
                rewriter.insert_before(user, constant)
                rewriter.set_operand(user, use.index, constant.result)


def full_where(loop: scf.ForOp) -> Iterator[Form]:
    """Forms of the loop's index: where none is negative, tiles have their full size."""
    for op in loop.walk():
        found = index_op(op.results[0]) if isinstance(op, affine.MinOp) else None
        forms = None if found is None else candidates(found)
        numbers = [form for form in forms or () if form.is_constant]
        if forms is not None and numbers:
            full = min(numbers, key=lambda form: form.constant)
            yield from (form - full for form in forms if not form.is_constant)
