"""The values that an `scf.for` carries from one iteration to the next."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.ir.dialects import scf
from tilewright.transforms.core.rewriter import Rewriter


def yielded(loop: scf.ForOp) -> tuple[SSAValue, ...]:
    """The values that a loop's body yields to the next iteration."""
    last = loop.body.block.last_op
    assert isinstance(last, scf.YieldOp)
    return tuple(last.operands)


def rebuild(
    loop: scf.ForOp,
    keep: Sequence[int],
    extra: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> scf.ForOp:
    """Replace a loop by one with other carried values; return the new loop.

    `keep` are the positions of carried values that stay. Each of `extra` is a new one:
    its initial value, the value in the body that its block argument replaces, and the
    value yielded. The result of a dropped value must be unused, and only the yield may
    read its block argument.
    """
    block = loop.body.block
    last = block.last_op
    assert isinstance(last, scf.YieldOp)
    values = yielded(loop)
    for init, inside, _ in extra:
        rewriter.replace_uses(inside, block.insert_arg(init.type, len(block.args)))
    last.operands = [
        *(values[position] for position in keep),
        *(value for _, _, value in extra),
    ]
    for position in reversed(range(len(loop.iter_args))):
        if position not in keep:
            block.erase_arg(block.args[position + 1])
    inits = [loop.iter_args[i] for i in keep] + [init for init, _, _ in extra]
    bounds = loop.lb, loop.ub, loop.step
    names = [result.name_hint for result in loop.results]
    new = scf.ForOp(*bounds, inits, loop.detach_region(0))
    new.properties = loop.properties.copy()
    new.attributes = loop.attributes.copy()
    new.location = loop.location
    rewriter.insert_before(loop, new)
    for position, index in enumerate(keep):
        new.results[position].name_hint = names[index]
    # A dropped result is unused: any value may replace it.
    successors = [
        new.results[keep.index(i)] if i in keep else loop.iter_args[i]
        for i in range(len(loop.results))
    ]
    rewriter.replace(loop, successors, stands_for=new)
    return new
