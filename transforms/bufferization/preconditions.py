"""Refuse functions that cannot be bufferized, before anything is changed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Operation

from tilewright.ir.dialects import func
from tilewright.transforms.bufferization.tensor_facts import ModelOf, touches_tensors
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.walking import walked

ELEMENTWISE = ("arith.", "math.")
REMEDIES = {
    "tensor.bitcast": "use arith.bitcast in a linalg.generic",
}


def check(user: TransformOp, function: func.FuncOp, model_of: ModelOf) -> None:
    """Refuse a function with an op that has no buffer form."""
    for op in walked(function):
        _check_values(user, op)
        _check_op(user, op, model_of)


def _check_values(user: TransformOp, op: Operation) -> None:
    if any(
        isinstance(value.type, UnrankedTensorType)
        for value in (*op.operands, *op.results)
    ):
        raise user.refuse(
            "tensors of unknown rank cannot be bufferized",
            op,
            "cast them to a tensor with a rank",
        )


def _check_op(user: TransformOp, op: Operation, model_of: ModelOf) -> None:
    around = op.regions and any(map(touches_tensors, op.walk()))
    if around and any(len(region.blocks) > 1 for region in op.regions):
        raise user.refuse(
            f"'{op.name}' of several blocks around tensors cannot be bufferized",
            op,
            "write its branches as scf.if",
        )
    if not around and not touches_tensors(op):
        return
    model = model_of(op)
    if model is None:
        word = "around" if op.regions else "on"
        raise user.refuse(
            f"'{op.name}' {word} tensors cannot be bufferized", op, _remedy(op)
        )
    if (obstacle := model.obstacle(op)) is not None:
        raise user.refuse(obstacle.fact, op, obstacle.remedy)


def _remedy(op: Operation) -> str | None:
    if op.name in REMEDIES:
        return REMEDIES[op.name]
    if op.name.startswith(ELEMENTWISE):
        return "write it as linalg.generic or linalg.elementwise"
    return None if op.regions else "lower it to structured or vector ops first"


def check_calls(
    user: TransformOp, module: Operation, functions: Sequence[func.FuncOp]
) -> None:
    """Refuse calls between functions that are bufferized and others that are not."""
    chosen = {function.sym_name.data for function in functions}
    for op in walked(module):
        if not isinstance(op, func.CallOp) or not touches_tensors(op):
            continue
        caller = op.parent_op()
        while caller is not None and not isinstance(caller, func.FuncOp):
            caller = caller.parent_op()
        if (caller in functions) != (op.callee.string_value() in chosen):
            raise user.refuse(
                f"a call of @{op.callee.string_value()} would pass tensors to buffers",
                op,
                "bufferize the whole module",
            )
