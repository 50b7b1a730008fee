"""Ops, types and attributes of dialects that are not registered here.

    %r:2 = "test.foo"(%x) <{kind = "a"}> ({...}) {name = @f} : (i32) -> (i32, !test.t)

Nothing is known of such an op but its parts. Its effects are unknown, so it is never
erased, merged or moved. It may end a block, and it may be isolated from above.
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Operation
from xdsl.irdl import traits_def
from xdsl.traits import IsolatedFromAbove, IsTerminator

KNOWN_DIALECTS = frozenset(
    """
    affine arith bufferization builtin cf complex dlti func gpu index linalg math memref
    scf smt tensor transform ub vector
    """.split()
)
"""The dialects of upstream that are read here: an unknown op of theirs is an error."""

OUR_DIALECTS = frozenset({"kernel", "tilewright", "triton"})
"""The dialects of this compiler, in which an unknown op is an error too."""


def may_be_unregistered(name: str) -> bool:
    """Whether a name, perhaps without a dialect, is of no dialect that is known."""
    dialect, dot, _ = name.partition(".")
    return not dot or dialect not in KNOWN_DIALECTS | OUR_DIALECTS


class UnregisteredOp(Operation):
    """An op of an unknown kind; each name has a class of its own."""

    traits = traits_def()

    @classmethod
    def dialect_name(cls) -> str:
        """What is before the first dot; an op without a dialect has the name ''."""
        dialect, dot, _ = cls.name.partition(".")
        return dialect if dot else ""


@cache
def unregistered_op(name: str) -> type[UnregisteredOp]:
    """The class of the unregistered ops of a name."""
    return type("UnregisteredOp", (UnregisteredOp,), {"name": name})


@cache
def unregistered_attribute(name: str, is_type: bool) -> type[UnregisteredAttr]:
    """The class of an unregistered type, or attribute, of a name."""
    return UnregisteredAttr.with_name_and_type(name, is_type)


def may_be_isolated(op: Operation) -> bool:
    """Whether an op may be isolated from above: nothing may be moved out or in."""
    return isinstance(op, UnregisteredOp) or op.has_trait(IsolatedFromAbove)


def may_end_block(op: Operation) -> bool:
    """Whether an op may be the last of a block."""
    return isinstance(op, UnregisteredOp) or op.has_trait(IsTerminator)


def first_unregistered(root: Operation) -> Operation | None:
    """The first op inside `root` of which nothing is known."""
    return next((op for op in root.walk() if isinstance(op, UnregisteredOp)), None)
