"""Checks the types of handles and parameters, and declarations of sequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.sequence import (
    IncludeOp,
    declares_consumed,
    declares_readonly,
)
from tilewright.transforms.core.base import OperationType, ParamType, TransformOp
from tilewright.transforms.handles.cast import CastOp
from tilewright.transforms.handles.match import MatchOp


def check_types(
    module: ModuleOp, sequences: Mapping[str, NamedSequenceOp]
) -> Iterator[UserError]:
    """Errors of operands and results whose types cannot be right."""
    for op in module.walk():
        if isinstance(op, MatchOp):
            yield from _check_match(op)
        elif isinstance(op, CastOp):
            yield from _check_cast(op)
        if isinstance(op, TransformOp):
            yield from _check_parameters(op)
    for sequence in sequences.values():
        yield from _check_declared(sequence, sequences)


def unneeded_declarations(
    sequences: Mapping[str, NamedSequenceOp],
) -> Iterator[UserError]:
    """Warnings for arguments that are declared consumed and are not."""
    for sequence in sequences.values():
        for position, argument in enumerate(sequence.body.block.args):
            if not declares_consumed(sequence, position):
                continue
            if not any(_consumers(sequence, position, sequences)):
                yield UserError(
                    f"'{argument.name_hint or position}' is declared consumed, and "
                    f"nothing in @{sequence.sym_name.data} consumes it",
                    place_of(sequence),
                    "declare it {transform.readonly}",
                )


def _check_match(op: MatchOp) -> Iterator[UserError]:
    wanted = op.res.type
    if not isinstance(wanted, OperationType) or op.ops is None:
        return
    names = [name.data for name in op.ops]
    if names and wanted.operation.data not in names:
        yield UserError(
            f"match: it looks for {', '.join(names)}, but its result has the type "
            f"'{wanted.operation.data}'",
            place_of(op),
            op.worded(
                mlir=f'make it !transform.op<"{names[0]}">, or !transform.any_op',
                tw=f'make the kind "{names[0]}", or omit it',
            ),
        )


def _check_cast(op: CastOp) -> Iterator[UserError]:
    before, after = op.operands[0].type, op.results[0].type
    if isinstance(before, OperationType) and isinstance(after, OperationType):
        old, new = before.operation.data, after.operation.data
        if old != new:
            yield UserError(
                f"cast: ops that are '{old}' cannot be '{new}'", place_of(op)
            )


def _check_parameters(op: TransformOp) -> Iterator[UserError]:
    """Errors of parameters that must be whole numbers: tiles, threads, iterations."""
    if not op.name.startswith(("transform.structured.", "transform.loop.")):
        return
    for position, operand in enumerate(op.operands):
        kind = operand.type
        if isinstance(kind, ParamType) and not isinstance(
            kind.type, IntegerType | IndexType
        ):
            yield UserError(
                f"{verb_of(op)}: operand {position} is a parameter of {kind.type}, "
                "a whole number belongs there",
                place_of(op),
                op.worded(
                    mlir="give a parameter of type !transform.param<i64>",
                    tw="give a whole number, or a knob of whole numbers",
                ),
            )


def _check_declared(
    sequence: NamedSequenceOp, sequences: Mapping[str, NamedSequenceOp]
) -> Iterator[UserError]:
    for position, argument in enumerate(sequence.body.block.args):
        if not declares_readonly(sequence, position):
            continue
        if declares_consumed(sequence, position):
            yield UserError(
                f"argument {position} of @{sequence.sym_name.data} is declared both "
                "readonly and consumed",
                place_of(sequence),
                "declare it one of the two",
            )
            continue
        for consumer in _consumers(sequence, position, sequences):
            name = argument.name_hint or f"argument {position}"
            yield UserError(
                f"{verb_of(consumer)}: it consumes '{name}', which "
                f"@{sequence.sym_name.data} declares readonly",
                place_of(consumer),
                "declare it {transform.consumed}",
                [Note("declared here", place_of(sequence))],
            )
            break


def _consumers(
    sequence: NamedSequenceOp,
    position: int,
    sequences: Mapping[str, NamedSequenceOp],
) -> Iterator[Operation]:
    """The ops of a sequence that consume one of its arguments."""
    argument = sequence.body.block.args[position]
    for use in argument.uses:
        user = use.operation
        if isinstance(user, IncludeOp):
            callee = sequences[user.target.string_value()]
            if declares_consumed(callee, use.index):
                yield user
        elif isinstance(user, TransformOp) and argument in user.consumed_handles():
            yield user
