"""Checks what sequences take and yield, and whether those who run them agree.

A sequence that is declared and has no body is checked like any other: it has a
signature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation

from tilewright.ir.errors import Note, UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import place_of
from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.control.foreach_match import (
    CollectMatchingOp,
    ForeachMatchOp,
)
from tilewright.transforms.control.sequence import (
    IncludeOp,
    YieldOp,
    declares_consumed,
    declares_readonly,
)
from tilewright.transforms.core.base import (
    OperationType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)

AnySequence: TypeAlias = NamedSequenceOp | DeclaredSequenceOp

_KINDS = (TransformOpHandleType, TransformValueHandleType, TransformParamHandleType)


def sequences_of(module: ModuleOp) -> dict[str, AnySequence]:
    """The sequences of a schedule by name, those without a body too."""
    return {
        op.sym_name.data: op
        for op in module.ops
        if isinstance(op, NamedSequenceOp | DeclaredSequenceOp)
    }


def check_signatures(module: ModuleOp, entry: str) -> Iterator[UserError]:
    """Errors of what sequences take and yield."""
    sequences = sequences_of(module)
    for sequence in sequences.values():
        if isinstance(sequence, NamedSequenceOp):
            yield from _check_yield(sequence)
    if entry in sequences:
        yield from _check_entry(sequences[entry])
    for op in module.walk():
        if isinstance(op, IncludeOp):
            callee = sequences.get(op.target.string_value())
            if callee is not None:
                yield from _check_include(op, callee)
        elif isinstance(op, ForeachMatchOp):
            yield from _check_foreach_match(op, sequences)
        elif isinstance(op, CollectMatchingOp):
            matcher = sequences.get(op.matcher.string_value())
            if matcher is not None:
                yield from _check_collect(op, matcher)


def _check_yield(sequence: NamedSequenceOp) -> Iterator[UserError]:
    """The yielded values have the declared types."""
    end = sequence.body.block.last_op
    if not isinstance(end, YieldOp):
        return
    name, wanted = sequence.sym_name.data, sequence.function_type.outputs.data
    if len(end.operands) != len(wanted):
        yield UserError(
            f"@{name} has {count(len(wanted), 'result')} and yields "
            f"{count(len(end.operands), 'value')}",
            place_of(end),
            f"declare the results after its arguments: @{name}(...) -> ...",
        )
    for position, (value, to) in enumerate(zip(end.operands, wanted, strict=False)):
        if value.type != to:
            yield UserError(
                f"result {position} of @{name} is a {to}, and it yields a {value.type}",
                place_of(end),
                "give both the same type",
            )


def _check_entry(entry: AnySequence) -> Iterator[UserError]:
    """The entry takes the payload, then handles or parameters."""
    for position, kind in enumerate(entry.function_type.inputs):
        fits = isinstance(kind, _KINDS) if position else _holds_module(kind)
        if not fits:
            what = (
                "the root of the payload" if position == 0 else "a handle or parameter"
            )
            yield UserError(
                f"argument {position} of @{entry.sym_name.data} is {what}, its type is "
                f"{kind}",
                place_of(entry),
                "make it !transform.any_op",
            )


def _holds_module(kind: Attribute) -> bool:
    """Whether a handle of this type can point at the payload, a module."""
    if isinstance(kind, OperationType):
        return kind.operation.data == ModuleOp.name
    return isinstance(kind, TransformOpHandleType)


def _check_include(op: IncludeOp, callee: AnySequence) -> Iterator[UserError]:
    name = callee.sym_name.data
    declared = callee.function_type
    here = [Note("it is defined here", place_of(callee))]
    if len(op.args) != len(declared.inputs):
        yield UserError(
            f"'{name}' takes {count(len(declared.inputs), 'argument')}, "
            f"{len(op.args)} given",
            place_of(op),
            None,
            here,
        )
    elif len(op.results) != len(declared.outputs):
        yield UserError(
            f"'{name}' yields {count(len(declared.outputs), 'value')}, "
            f"{len(op.results)} expected",
            place_of(op),
            None,
            here,
        )
    pairs = [
        *zip(op.args.types, declared.inputs, strict=False),
        *zip(op.res.types, declared.outputs, strict=False),
    ]
    for given, wanted in pairs:
        if given != wanted:
            yield UserError(
                f"'{name}' has {wanted} where this has {given}",
                place_of(op),
                op.worded(mlir="use transform.cast", tw="give both the same kind"),
                here,
            )


def _check_foreach_match(
    op: ForeachMatchOp, sequences: Mapping[str, AnySequence]
) -> Iterator[UserError]:
    """What goes from the op to matchers, to actions, and back has one kind."""
    for matcher_name, action_name in zip(op.matchers, op.actions, strict=True):
        matcher = sequences.get(matcher_name.string_value())
        action = sequences.get(action_name.string_value())
        if matcher is None or action is None:
            continue
        takes, yields = matcher.function_type.inputs, matcher.function_type.outputs
        yield from _check_matcher(op, matcher)
        mine = f"@{matcher.sym_name.data}"
        its = f"@{action.sym_name.data}"
        given = [operand.type for operand in op.operands]
        yield from _check_passed(op, given, takes.data, f"{mine} takes")
        wanted = action.function_type.inputs.data
        yield from _check_passed(
            op, yields.data, wanted, f"{its} takes", f"{mine} yields"
        )
        made = action.function_type.outputs.data
        results = [result.type for result in op.forwarded_outputs]
        yield from _check_passed(op, results, made, f"{its} yields", "it has")


def _check_collect(op: CollectMatchingOp, matcher: AnySequence) -> Iterator[UserError]:
    yield from _check_matcher(op, matcher)
    name = f"@{matcher.sym_name.data}"
    signature = matcher.function_type
    yield from _check_passed(op, [op.root.type], signature.inputs.data, f"{name} takes")
    results = [result.type for result in op.res]
    yield from _check_passed(
        op, results, signature.outputs.data, f"{name} yields", "it has"
    )


def _check_matcher(op: TransformOp, matcher: AnySequence) -> Iterator[UserError]:
    """A matcher consumes nothing."""
    for position in range(len(matcher.function_type.inputs)):
        if declares_consumed(matcher, position):
            yield UserError(
                f"{op.title()}: @{matcher.sym_name.data} is a matcher, and declares "
                f"that it consumes its argument {position}",
                place_of(op),
                "declare it {transform.readonly}",
                [Note("it is defined here", place_of(matcher))],
            )


def _check_passed(
    op: TransformOp,
    given: Sequence[Attribute],
    wanted: Sequence[Attribute],
    taker: str,
    giver: str = "it gives",
) -> Iterator[UserError]:
    """Errors where values of one kind are given and those of another are taken."""
    if len(given) != len(wanted):
        yield UserError(
            f"{op.title()}: {taker} {count(len(wanted), 'value')}, "
            f"{giver} {len(given)}",
            place_of(op),
        )
        return
    for position, (mine, its) in enumerate(zip(given, wanted, strict=True)):
        if _kind_of(mine) is not _kind_of(its):
            yield UserError(
                f"{op.title()}: {taker} a {its} at {position}, {giver} a {mine}",
                place_of(op),
            )


def _kind_of(of: Attribute) -> type | None:
    return next((kind for kind in _KINDS if isinstance(of, kind)), None)


def unmarked_arguments(module: ModuleOp) -> Iterator[UserError]:
    """Errors of arguments that do not say whether a sequence consumes them.

    As upstream, only a sequence that others run must say so.
    """
    sequences = sequences_of(module)
    for name in dict.fromkeys(name for op in module.walk() for name in names_run(op)):
        if (sequence := sequences.get(name)) is None:
            continue
        for position, kind in enumerate(sequence.function_type.inputs):
            marked = declares_consumed(sequence, position) or declares_readonly(
                sequence, position
            )
            if not marked and _kind_of(kind) is not None:
                yield UserError(
                    f"argument {position} of @{name} does not say whether @{name} "
                    "consumes it",
                    place_of(sequence),
                    "declare it {transform.readonly} or {transform.consumed}",
                )


def names_run(op: Operation) -> list[str]:
    """The sequences that an op runs."""
    if isinstance(op, IncludeOp):
        return [op.target.string_value()]
    if isinstance(op, ForeachMatchOp):
        return [symbol.string_value() for symbol in (*op.matchers, *op.actions)]
    return names_of_matchers(op)


def names_of_matchers(op: Operation) -> list[str]:
    """The sequences that an op runs as matchers."""
    if isinstance(op, ForeachMatchOp):
        return [symbol.string_value() for symbol in op.matchers]
    if isinstance(op, CollectMatchingOp):
        return [op.matcher.string_value()]
    return []
