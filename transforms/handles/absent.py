"""The warning for a match that finds nothing.

An empty handle is legal, as upstream has it, and the steps on it do nothing. That is
seldom meant, so a run says so, and `tilewright check` counts it as an error, whether a
later step transforms the handle or nothing uses it. Three things are meant and stay
silent: `match?`; `for each` and other steps that take any number of ops, and what they
repeat; and a match in a sequence that another includes, because it serves payloads with
and without the op.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.op_names import near_op
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.walking import walked

_FOREACH = "transform.foreach"

_LOOKS = frozenset(
    f"transform.{name}"
    for name in """
        collect_matching debug.emit_remark_at foreach foreach_match merge_handles
        num_associations print verify
    """.split()
)
"""Ops that take an empty handle as well as any other."""

_FOLLOWS = frozenset(
    f"transform.{name}"
    for name in """
        cast get_consumers_of_result get_defining_op get_operand get_parent_op
        get_producer_of_operand get_result select
    """.split()
)
"""Ops that find nothing from nothing: their results count in place of their operand."""

_PRODUCTS = frozenset(
    f"linalg.{name}"
    for name in """
        batch_matmul batch_matvec batch_vecmat contract dot matmul matvec vecmat
    """.split()
)
"""Named ops that multiply; `linalg.generic` can say each of them."""

_MOST_LISTED = 8
"""The most ops of a payload that a warning lists."""


OPTIONAL = "tilewright.optional"
"""The attribute of a match that may find nothing: `match?` in the language."""


class AbsentOps(UserError):
    """A match finds nothing; `tilewright check` counts it as an error."""


def absent_ops(
    op: TransformOp,
    names: Sequence[str],
    root: Operation,
    accepts: Callable[[Operation], bool],
    running: Sequence[str],
    called: Sequence[str] = (),
) -> AbsentOps | None:
    """A warning that `root` has no op of these names, if the schedule counts on one.

    `accepts` tests the conditions of the match, `running` has the sequences that are
    under way, and `called` the names of the payload's ops where the match is by name.
    """
    if OPTIONAL in op.attributes:
        return None
    handle = op.results[0]
    if op.included or _is_optional(op, running):
        return None
    if _has_uses(handle) and not _is_transformed(handle):
        return None
    payload = _outermost(root)
    elsewhere = root is not payload and any(map(accepts, walked(payload)))
    wanted = " or ".join(f"'{name}'" for name in names)
    where = f"this '{root.name}'" if elsewhere else "the payload"
    remedy = "match in the op that contains it" if elsewhere else None
    fact = f"{where} has no {wanted}"
    if not elsewhere and any(each.name in names for each in walked(payload)):
        fact = f"no {wanted} of the payload fulfils the other conditions"
        remedy = "leave a condition out"
    effect = "; the steps on it do nothing" if _has_uses(handle) else ""
    return AbsentOps(
        f"{op.title()}: {fact}{effect}",
        place_of(op),
        remedy or _near_name(names, called) or _remedy(names, payload),
    )


def _near_name(names: Sequence[str], called: Sequence[str]) -> str | None:
    """A near name of an op, or the names that there are."""
    if not called:
        return None
    near = next(filter(None, (did_you_mean(name, called) for name in names)), None)
    more = ", ..." if len(called) > _MOST_LISTED else ""
    return near or f"it has the names {', '.join(called[:_MOST_LISTED])}{more}"


def _is_optional(op: Operation, running: Sequence[str]) -> bool:
    """Whether a match runs for each of several ops, or in an included sequence."""
    around = op.parent_op()
    while around is not None and not isinstance(around, NamedSequenceOp):
        if around.name == _FOREACH:
            return True
        around = around.parent_op()
    return around is not None and around.sym_name.data not in running[:1]


def _is_transformed(handle: SSAValue) -> bool:
    """Whether a step uses a handle, or what is found from it, to change payload."""
    for use in handle.uses:
        user = use.operation
        if user.name in _FOLLOWS:
            if any(map(_is_transformed, user.results)):
                return True
        elif user.name not in _LOOKS and not user.name.startswith("transform.match."):
            return True
    return False


def _has_uses(handle: SSAValue) -> bool:
    return next(iter(handle.uses), None) is not None


def _outermost(op: Operation) -> Operation:
    while (around := op.parent_op()) is not None:
        op = around
    return op


def _remedy(names: Sequence[str], payload: Operation) -> str:
    """A near name, an op that computes the same, or the ops that are there."""
    ops = [op for op in walked(payload) if not op.has_trait(IsTerminator)]
    present = sorted({op.name for op in ops})
    for name in names:
        if (near := near_op(name, present)) is not None:
            return f"did you mean '{near}'?"
    if not _PRODUCTS.isdisjoint(names):
        for op in ops:
            if isinstance(op, StructuredOp) and product_of(op) is not None:
                return f"its product is a '{op.name}'"
    dialects = {name.partition(".")[0] for name in names}
    listed = [name for name in present if name.partition(".")[0] in dialects]
    if not listed:
        listed = sorted({op.name for op in ops if isinstance(op, StructuredOp)})
    if not listed:
        return "write 'match?' where an op may be absent"
    more = ", ..." if len(listed) > _MOST_LISTED else ""
    return f"it has {', '.join(listed[:_MOST_LISTED])}{more}"
