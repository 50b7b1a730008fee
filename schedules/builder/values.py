"""What statements give and take: handles, value handles, numbers and conditions.

Numbers have Python's operators; `BM * BN <= 128 * 128` is a condition for `require`.
Python's `and`, `or`, `not` and chained comparisons need the value at once, which no
knob has: write `(a <= b) & (b <= c)`, `|` and `~`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.call_site import call_site
from tilewright.schedules.language.syntax import (
    Call,
    Kind,
    Literal,
    Name,
    Operator,
    Raw,
    Target,
    Value,
)

if TYPE_CHECKING:
    from tilewright.schedules.builder.recording import Block

Scalar: TypeAlias = "int | float | bool | str"
"""A constant of the language."""


class Bound:
    """What a name of the schedule stands for; `wanted` is the name it should have."""

    def __init__(self, wanted: str, block: Block, kind: Kind | None = None):
        self.wanted = wanted
        self.block = block
        """The block that binds the name; it is known there and in blocks inside."""
        self.kind = kind
        """The kind as the language writes it; None for a plain handle."""
        self.variable: str | None = None
        """The variable of Python that it was assigned to."""
        self.same_as: Bound | None = None
        """What has the same name by the rules of the language, if something has."""

    def __repr__(self) -> str:
        """`<Handle mm>`."""
        return f"<{type(self).__name__} {self.wanted}>"


class Handle(Bound):
    """A handle: some ops of the payload."""


class Values(Bound):
    """A value handle: some values of the payload."""


class LoopOrder(Bound):
    """An order of loops that is chosen: `s.loop_order("order", [0, 1, 2])`."""


def _refuse_arithmetic(self: Bound, *_: object) -> NoReturn:
    raise UserError(
        f"'{self.variable or self.wanted}' is not a number: it has no arithmetic",
        call_site().place,
        "use a knob or a number of the payload: s.dim(HANDLE, 0), s.count(HANDLE)",
    )


def _refuse_items(self: Bound, *_: object) -> NoReturn:
    raise UserError(
        f"'{self.variable or self.wanted}' is one value, and no list",
        call_site().place,
        "bind it to one name; to take one op of a handle, write: s.pick(HANDLE, [0])",
    )


_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor"),
)
_OTHERS = ("neg", "pos", "abs", "invert", "lt", "le", "gt", "ge")
_REFUSED = {
    **dict.fromkeys((*_BINARY, *_OTHERS), _refuse_arithmetic),
    **dict.fromkeys((f"r{word}" for word in _BINARY), _refuse_arithmetic),
    "getitem": _refuse_items,  # unpacking and loops call it
}

# Set here and not written as methods, so that type checkers refuse them still.
for _class in (Handle, Values, LoopOrder):
    for _word, _refuse in _REFUSED.items():
        setattr(_class, f"__{_word}__", _refuse)


@dataclass(frozen=True)
class Reference(Name):
    """A name in a tree whose text is settled when the schedule is finished."""

    of: Bound = field(kw_only=True)


@dataclass(frozen=True)
class Binding(Target):
    """A name that a statement binds, whose text is settled in the same way."""

    of: Bound = field(kw_only=True)


def reference(bound: Bound) -> Reference:
    """A use of a name."""
    return Reference(bound.wanted, of=bound)


def binding(bound: Bound, kind: Kind | None = None) -> Binding:
    """A name before the `=` of a statement; `kind` is what the user wrote there."""
    return Binding(bound.wanted, kind, of=bound)


@dataclass(frozen=True, repr=False)
class Mlir:
    """An attribute or a type in MLIR's syntax: `s.mlir("bf16")`."""

    text: str

    def __repr__(self) -> str:
        """As the language writes it."""
        return f"`{self.text}`"

    @property
    def tree(self) -> Raw:
        """The attribute between backticks."""
        return Raw(self.text)


# -- expressions -----------------------------------------------------------------


class Expression:
    """A number or a condition that is known once every choice is made."""

    def __init__(self, tree: Value):
        self._tree = tree

    @property
    def tree(self) -> Value:
        """The expression as the language has it."""
        return self._tree

    def __bool__(self) -> NoReturn:
        """Refuse to be a truth value: knobs have no value yet."""
        raise UserError(
            "a condition on knobs has no value before the choices are made",
            call_site().place,
            "write & for 'and', | for 'or', ~ for 'not', (a <= b) & (b <= c) for "
            "a <= b <= c, and s.min(a, b) for min(a, b)",
        )


class Condition(Expression):
    """A condition: `BM * BN <= 128 * 128`."""

    def __and__(self, other: Condition) -> Condition:
        """Both hold."""
        return condition("and", self, other)

    def __or__(self, other: Condition) -> Condition:
        """One of them holds, or both."""
        return condition("or", self, other)

    def __xor__(self, other: Condition) -> Condition:
        """Exactly one of them holds."""
        return condition("xor", self, other)

    def __invert__(self) -> Condition:
        """It does not hold."""
        return condition("not", self)


class Arithmetic(Expression):
    """A number that is known once every choice is made: a knob, or an expression."""

    def __add__(self, other: NumberLike) -> Arithmetic:
        """`a + b`."""
        return arithmetic("+", self, other)

    def __radd__(self, other: int) -> Arithmetic:
        """`1 + a`."""
        return arithmetic("+", other, self)

    def __sub__(self, other: NumberLike) -> Arithmetic:
        """`a - b`."""
        return arithmetic("-", self, other)

    def __rsub__(self, other: int) -> Arithmetic:
        """`1 - a`."""
        return arithmetic("-", other, self)

    def __mul__(self, other: NumberLike) -> Arithmetic:
        """`a * b`."""
        return arithmetic("*", self, other)

    def __rmul__(self, other: int) -> Arithmetic:
        """`2 * a`."""
        return arithmetic("*", other, self)

    def __truediv__(self, other: NumberLike) -> Arithmetic:
        """`a / b`: exact; a point that leaves a remainder is not valid."""
        return arithmetic("/", self, other)

    def __rtruediv__(self, other: int) -> Arithmetic:
        """`128 / a`."""
        return arithmetic("/", other, self)

    def __floordiv__(self, other: NumberLike) -> Arithmetic:
        """`floordiv(a, b)`."""
        return arithmetic("floordiv", self, other)

    def __rfloordiv__(self, other: int) -> Arithmetic:
        """`floordiv(128, a)`."""
        return arithmetic("floordiv", other, self)

    def __mod__(self, other: NumberLike) -> Arithmetic:
        """`a % b`."""
        return arithmetic("%", self, other)

    def __rmod__(self, other: int) -> Arithmetic:
        """`128 % a`."""
        return arithmetic("%", other, self)

    def __neg__(self) -> Arithmetic:
        """`0 - a`."""
        return arithmetic("-", 0, self)

    def __abs__(self) -> Arithmetic:
        """`abs(a)`."""
        return arithmetic("abs", self)

    def __lt__(self, other: NumberLike) -> Condition:
        """`a < b`."""
        return condition("<", self, other)

    def __le__(self, other: NumberLike) -> Condition:
        """`a <= b`."""
        return condition("<=", self, other)

    def __gt__(self, other: NumberLike) -> Condition:
        """`a > b`."""
        return condition(">", self, other)

    def __ge__(self, other: NumberLike) -> Condition:
        """`a >= b`."""
        return condition(">=", self, other)

    def __eq__(self, other: NumberLike) -> Condition:  # pyright: ignore
        """`a == b`, a condition."""
        return condition("==", self, other)

    def __ne__(self, other: NumberLike) -> Condition:  # pyright: ignore
        """`a != b`, a condition."""
        return condition("!=", self, other)

    def __hash__(self) -> int:
        """By identity: `==` makes a condition."""
        return id(self)


class Computed(Arithmetic):
    """A number that is computed from knobs.

    No base class of `Number`: Python would turn `BM + 1 <= BN` into `BN >= BM + 1`.
    """


class Number(Bound, Arithmetic):
    """A knob, or a number with a name."""

    @property
    def tree(self) -> Value:
        """A use of the name."""
        return reference(self)


@dataclass(frozen=True)
class Options:
    """The options of a knob, made by a function: `s.pow2(16, 256)`."""

    tree: Call


NumberLike: TypeAlias = "int | Arithmetic"
"""A number: a constant, a knob or an expression of knobs."""
Param: TypeAlias = "Scalar | Arithmetic"
"""What an option of a verb may be set to."""


def operand(given: Any) -> Value:
    """An operand of an expression as the language has it."""
    if isinstance(given, Expression):
        return given.tree
    if isinstance(given, int | float | str):
        return Literal(given)
    raise UserError(
        f"a value of type {type(given).__name__} is not a number",
        call_site().place,
        "give a number, a knob or an expression of knobs",
    )


def need_bound(given: Any, user: str) -> Bound:
    """A handle, or another thing with a name, that a call was given."""
    if isinstance(given, Bound):
        return given
    raise UserError(
        f"{user}: expected a handle, found {given!r}",
        call_site().place,
        "give what match, tile or another statement returned",
    )


def arithmetic(sign: str, *operands: Expression | Scalar) -> Arithmetic:
    """A number computed by an operator or a function of the language."""
    return Computed(Operator(sign, tuple(map(operand, operands))))


def condition(sign: str, *operands: Expression | Scalar) -> Condition:
    """A condition made by an operator or a function of the language."""
    return Condition(Operator(sign, tuple(map(operand, operands))))
