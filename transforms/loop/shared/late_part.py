"""The part of a loop's body that can run one iteration later than the rest.

It begins with the products that need another product of the same iteration. What only
they need, and what does not depend on the rest, such as the slices that they load, runs
late with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.structured.roles import Role, role_of
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.loop.shared.pipeline_schedule import used_values


@dataclass(frozen=True)
class LatePart:
    """The two parts of a body, and what passes from the early one to the late one."""

    loop: scf.ForOp
    early: tuple[Operation, ...]
    """In the order in which they run beside the late part of the iteration before."""
    late: tuple[Operation, ...]
    first: int
    """How many ops of `early` run before the late part: they start its products."""
    crossing: tuple[SSAValue, ...]
    """Values of an iteration that its late part reads."""
    late_results: tuple[int, ...]
    """Which carried values the late part makes."""

    @property
    def kept(self) -> tuple[int, ...]:
        """The carried values that the next iteration's part reads as they are."""
        args = self.loop.body.block.args[1:]
        read = {value for op in self.late for value in used_values(op)}
        return tuple(
            number
            for number, arg in enumerate(args)
            if number not in self.late_results or arg in read
        )


def late_part(loop: scf.ForOp) -> LatePart | str:
    """The parts of a loop, or why it has no late one."""
    body = [op for op in loop.body.block.ops if op is not loop.body.block.last_op]
    products = [op for op in body if role_of(op) is Role.CONTRACTION]
    chained = [op for op in products if _needs(op, products, body)]
    if not chained:
        return "no product needs another product of the same iteration"
    late = set(_with_readers(chained, body))
    values = yielded(loop)
    if any(value.owner not in body for value in values):
        return "a carried value is not made in the loop's body"
    ends = [n for n, value in enumerate(values) if value.owner in late]
    # What depends on neither products nor carried values is computed where it is read.
    bound = {*_with_readers([*products, *_readers(loop.body.block.args[1:])], body)}
    read = {v.owner for op in late for v in used_values(op)} & bound
    read |= {v.owner for v in values}
    early = _with_sources([op for op in body if op in read - late], body, late)
    again = _with_sources(late, body, (bound | _shared(early)) - late)
    ordered = _in_order(loop, early, products, ends)
    if ordered is None:
        return "a product needs what the last product of the iteration before has made"
    before, after = ordered
    crossing = dict.fromkeys(
        value
        for op in again
        for value in used_values(op)
        if (value.owner in early and value.owner not in again)
        or _is_early_argument(value, loop, ends)
    )
    return LatePart(
        loop, (*before, *after), tuple(again), len(before), tuple(crossing), tuple(ends)
    )


def _is_early_argument(value: SSAValue, loop: scf.ForOp, ends: Sequence[int]) -> bool:
    """Whether it is a carried value that the early part makes."""
    if not isinstance(value, BlockArgument) or value.owner is not loop.body.block:
        return False
    return value.index > 0 and value.index - 1 not in ends


def _shared(early: Iterable[Operation]) -> set[Operation]:
    """Ops that compute elements: they are not computed twice."""
    return {op for op in early if role_of(op) not in (None, Role.FILL)}


def _readers(values: Iterable[SSAValue]) -> list[Operation]:
    return [use.operation for value in values for use in value.uses]


def _with_readers(
    ops: Iterable[Operation], body: Sequence[Operation]
) -> list[Operation]:
    """Ops of a body, and those that depend on them in the same iteration."""
    found = {op for op in body for one in ops if op.is_ancestor(one)}
    for op in body:
        if any(value.owner in found for value in used_values(op)):
            found.add(op)
    return [op for op in body if op in found]


def _with_sources(
    ops: Iterable[Operation], body: Sequence[Operation], without: Iterable[Operation]
) -> list[Operation]:
    """Ops of a body and what they need of it; the search ends at `without`."""
    found, stop = set(ops), set(without)
    for op in reversed(body):
        if op in found:
            sources = {value.owner for value in used_values(op)}
            found |= {one for one in body if one in sources and one not in stop}
    return [op for op in body if op in found]


def _needs(
    op: Operation, products: Sequence[Operation], body: Sequence[Operation]
) -> bool:
    return any(
        one in products and one is not op for one in _with_sources([op], body, ())
    )


def _in_order(
    loop: scf.ForOp,
    early: Sequence[Operation],
    products: Sequence[Operation],
    ends: Sequence[int],
) -> tuple[list[Operation], list[Operation]] | None:
    """The early products first, then the rest; last what reads the late results."""
    args = [loop.body.block.args[1 + n] for n in ends]
    behind = _with_readers(_readers(args), early)
    ahead = _with_sources([op for op in early if op in products], early, ())
    if any(op in behind for op in ahead):
        return None
    rest = [op for op in early if op not in ahead and op not in behind]
    return ahead, [*rest, *behind]


def is_apart(block: Block) -> bool:
    """Whether a body touches no memory: its ops may then change places."""
    from tilewright.transforms.cleanup.effects import kinds_of_effects

    ops = [op for op in block.ops if op is not block.last_op]
    return all(kinds_of_effects(op) == frozenset() for op in ops)
