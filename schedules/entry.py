"""The entry sequence of a schedule; a bare sequence, as in tutorials, becomes it.

    transform.sequence failures(propagate) {
    ^bb0(%root: !transform.any_op):
      ...
    }

At the top of a file this stands for `@__transform_main`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, UnitAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.sequence import (
    IncludeOp,
    SequenceOp,
    YieldOp,
    consumed_in,
    declares_consumed,
)
from tilewright.transforms.interpreter import ENTRY


def named_entry(ops: Sequence[Operation]) -> list[Operation]:
    """The ops of a schedule, with a bare sequence renamed to `@__transform_main`."""
    bare = [op for op in ops if isinstance(op, SequenceOp)]
    others = [op for op in ops if not isinstance(op, SequenceOp)]
    named = [op for op in others if _is_named(op, ENTRY)]
    if not bare or named:
        return others
    first, *more = bare
    if more:
        raise UserError(
            "two sequences without a name, and a run begins with one",
            place_of(more[0]),
            f"make each 'transform.named_sequence @NAME', the first @{ENTRY}",
            [Note("the first is here", place_of(first))],
        )
    return [*others, _named(first, others)]


def _named(sequence: SequenceOp, others: Sequence[Operation]) -> NamedSequenceOp:
    region = sequence.detach_region(sequence.body)
    if suppresses(sequence.failure_propagation_mode):
        region = _around(sequence, region)
    block = region.block
    consumed = consumed_in(block) | _consumed_by_includes(block, others)
    yielded = block.last_op.operands if block.last_op is not None else ()
    op = NamedSequenceOp(
        ENTRY,
        ([arg.type for arg in block.args], [value.type for value in yielded]),
        region,
        arg_attrs=[
            DictionaryAttr(
                {
                    "transform.consumed"
                    if arg in consumed
                    else "transform.readonly": UnitAttr()
                }
            )
            for arg in block.args
        ],
    )
    op.location = sequence.location
    return op


def _consumed_by_includes(block: Block, others: Sequence[Operation]) -> set[SSAValue]:
    """The handles that included sequences declare to consume."""
    sequences = {
        op.sym_name.data: op
        for op in others
        if isinstance(op, NamedSequenceOp | DeclaredSequenceOp)
    }
    return {
        value
        for op in block.walk()
        if isinstance(op, IncludeOp)
        and (callee := sequences.get(op.target.string_value())) is not None
        for position, value in enumerate(op.args)
        if position < len(callee.function_type.inputs)
        and declares_consumed(callee, position)
    }


def _around(sequence: SequenceOp, region: Region) -> Region:
    """A body that runs the sequence on its argument.

    A named sequence cannot suppress failures itself.
    """
    block = Block(arg_types=[arg.type for arg in region.block.args])
    for outer, arg in zip(block.args, region.block.args, strict=True):
        outer.name_hint = arg.name_hint
    inner = SequenceOp.build(
        operands=[block.args[:1], block.args[1:]],
        result_types=[[result.type for result in sequence.res]],
        properties={"failure_propagation_mode": sequence.failure_propagation_mode},
        regions=[region],
    )
    end = YieldOp()
    inner.location = end.location = sequence.location
    block.add_ops([inner, end])
    return Region(block)


def need_entry(module: ModuleOp, name: str, entry: str, remedy: str) -> None:
    """Refuse a schedule that has no entry sequence; `name` is its file."""
    if any(_is_named(op, entry) for op in module.ops):
        return
    names = [op.sym_name.data for op in module.ops if isinstance(op, NamedSequenceOp)]
    if entry == ENTRY and not (names and name.endswith(".mlir")):
        raise UserError(f"{name} holds no schedule", remedy=remedy)
    known = ", ".join(f"@{known}" for known in names)
    if entry == ENTRY:
        raise UserError(
            f"{name} has no sequence @{entry}, only {known}",
            remedy=f"choose where to begin with --entry {names[0]}, or rename it",
        )
    raise UserError(
        f"{name} has no sequence @{entry}",
        remedy=f"it has {known}" if known else remedy,
    )


def _is_named(op: Operation, name: str) -> bool:
    return isinstance(op, NamedSequenceOp) and op.sym_name.data == name
