"""The values that `scf.for` and `affine.for` carry to the next iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from xdsl.ir import Region, SSAValue

from tilewright.ir.dialects import affine, scf
from tilewright.transforms.core.rewriter import Rewriter

Loop = scf.ForOp | affine.ForOp
AnyLoop = TypeVar("AnyLoop", bound=scf.ForOp | affine.ForOp)


def inits_of(loop: Loop) -> Sequence[SSAValue]:
    """The values that the first iteration starts with."""
    return loop.inits if isinstance(loop, affine.ForOp) else loop.iter_args


def yielded(loop: Loop) -> tuple[SSAValue, ...]:
    """The values that a loop's body yields to the next iteration."""
    last = loop.body.block.last_op
    assert isinstance(last, scf.YieldOp | affine.YieldOp)
    return tuple(last.operands)


def with_inits(loop: AnyLoop, inits: Sequence[SSAValue], body: Region) -> AnyLoop:
    """A loop over the same range that carries other values."""
    if isinstance(loop, affine.ForOp):
        lower = loop.lower_map, loop.lower_operands
        upper = loop.upper_map, loop.upper_operands
        new = affine.ForOp(lower, upper, loop.step.value.data, inits, body)
    else:
        new = scf.ForOp(loop.lb, loop.ub, loop.step, inits, body)
        new.properties = loop.properties.copy()
    new.attributes = loop.attributes.copy()
    new.location = loop.location
    return cast(AnyLoop, new)


def rebuild(
    loop: AnyLoop,
    keep: Sequence[int],
    extra: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> AnyLoop:
    """Replace a loop by one with other carried values; return the new loop.

    `keep` are the positions of carried values that stay. Each of `extra` is a new one:
    its initial value, the value in the body that its block argument replaces, and the
    value yielded. The result of a dropped value must be unused, and only the yield may
    read its block argument.
    """
    block = loop.body.block
    last = block.last_op
    assert last is not None
    values = yielded(loop)
    old_inits = inits_of(loop)
    for init, inside, _ in extra:
        rewriter.replace_uses(inside, block.insert_arg(init.type, len(block.args)))
    last.operands = [
        *(values[position] for position in keep),
        *(value for _, _, value in extra),
    ]
    for position in reversed(range(len(old_inits))):
        if position not in keep:
            block.erase_arg(block.args[position + 1])
    inits = [old_inits[i] for i in keep] + [init for init, _, _ in extra]
    names = [result.name_hint for result in loop.results]
    new = with_inits(loop, inits, loop.detach_region(0))
    rewriter.insert_before(loop, new)
    for position, index in enumerate(keep):
        new.results[position].name_hint = names[index]
    # A dropped result is unused: any value may replace it.
    successors = [
        new.results[keep.index(i)] if i in keep else old_inits[i]
        for i in range(len(loop.results))
    ]
    rewriter.replace(loop, successors, stands_for=new)
    return new
