"""What the arguments of the entry sequence stand for, after the root of the payload.

    --bind-trailing-args func.func,^dummy.op,#1;2

binds three arguments, as upstream's option `debug-bind-trailing-args` does: to all ops
of a name, to the results of all ops of a name, and to integers. Without it, an argument
of type `!transform.op<"func.func">` stands for all such ops.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import (
    OperationType,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.walking import walked


def bind_arguments(
    main: NamedSequenceOp,
    arguments: Sequence[SSAValue],
    bound: Sequence[str],
    state: TransformState,
) -> None:
    """Set what the arguments after the first stand for."""
    if not bound:
        for argument in arguments:
            _bind_by_type(main, argument, state)
        return
    if len(bound) != len(arguments):
        raise UserError(
            f"@{main.sym_name.data} has {len(arguments)} arguments after the root, "
            f"{len(bound)} are bound",
            place_of(main),
            "bind each of them with --bind-trailing-args",
        )
    for argument, text in zip(arguments, bound, strict=True):
        _bind(main, argument, text, state)


def _bind_by_type(
    main: NamedSequenceOp, argument: SSAValue, state: TransformState
) -> None:
    kind = argument.type
    if not isinstance(kind, OperationType):
        index = main.body.block.args.index(argument)
        raise UserError(
            f"nothing says what argument {index} of @{main.sym_name.data} stands for",
            place_of(main),
            'make it !transform.op<"op.name">: every such op of the payload; or bind '
            "it with --bind-trailing-args",
        )
    state.set_ops(argument, _named(kind.operation.data, state))


def _bind(
    main: NamedSequenceOp, argument: SSAValue, text: str, state: TransformState
) -> None:
    """Bind one argument to `name`, `^name` or `#1;2`."""
    kind = argument.type
    if isinstance(kind, TransformOpHandleType) and text[:1] not in ("^", "#"):
        state.set_ops(argument, _named(text, state))
    elif isinstance(kind, TransformValueHandleType) and text.startswith("^"):
        ops = _named(text[1:], state)
        state.set_values(argument, [value for op in ops for value in op.results])
    elif isinstance(kind, TransformParamHandleType) and text.startswith("#"):
        try:
            numbers = [int(number) for number in text[1:].split(";")]
        except ValueError:
            raise UserError(f"'{text}' does not bind integers, such as #1;2") from None
        state.set_params(argument, [IntegerAttr(number, i64) for number in numbers])
    else:
        raise UserError(
            f"'{text}' does not bind an argument of type {kind}",
            place_of(main),
            "an op is bound to op.name, a value to ^op.name, a parameter to #1;2",
        )


def _named(name: str, state: TransformState) -> list[Operation]:
    return [op for op in walked(state.root) if op.name == name]
