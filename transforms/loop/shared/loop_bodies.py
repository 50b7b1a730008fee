"""Promote a loop, copy its body, change its range."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.dialects import affine, arith, scf
from tilewright.ir.launch_attributes.table import PREFIX
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.shared.loop_bounds import known_trips


def promote(loop: scf.ForOp, rewriter: Rewriter) -> bool:
    """Replace a loop that runs at most once by its body; returns whether it did."""
    trips = known_trips(loop)
    if trips == 0:
        rewriter.replace(loop, list(loop.iter_args))
        return True
    if trips != 1:
        return False
    block = loop.body.block
    for arg, value in zip(block.args, (loop.lb, *loop.iter_args), strict=True):
        arg.replace_all_uses_with(value)
    results = yielded(loop)
    for op in list(block.ops):
        if op is not block.last_op:
            rewriter.move_before(op, loop)
    rewriter.replace(loop, results)
    return True


def clone_body(
    block: Block, values: dict[SSAValue, SSAValue]
) -> tuple[list[Operation], list[SSAValue]]:
    """Copies of a body's ops on `values`, and the values that the copy yields."""
    last = block.last_op
    assert isinstance(last, scf.YieldOp | affine.YieldOp)
    copies = [op.clone(values) for op in block.ops if op is not last]
    return copies, [values.get(value, value) for value in last.operands]


def set_range(
    loop: scf.ForOp,
    *,
    lower: SSAValue | None = None,
    upper: SSAValue | None = None,
    step: SSAValue | None = None,
    inits: Sequence[SSAValue] | None = None,
) -> None:
    """Give a loop other bounds, another step or other initial values, in place."""
    loop.operands = [
        loop.lb if lower is None else lower,
        loop.ub if upper is None else upper,
        loop.step if step is None else step,
        *(loop.iter_args if inits is None else inits),
    ]


def constant_like(number: int, value: SSAValue) -> arith.ConstantOp:
    """A constant of a value's type."""
    return arith.ConstantOp(IntegerAttr(number, value.type))  # pyright: ignore[reportArgumentType, reportCallIssue]


def launch_attributes(loop: Operation) -> dict[str, Attribute]:
    """The launch attributes of a loop, for a loop that replaces it.

    Other attributes go, as upstream has it.
    """
    kept = loop.attributes.items()
    return {name: value for name, value in kept if name.startswith(PREFIX)}
