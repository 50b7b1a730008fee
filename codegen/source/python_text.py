"""Python expressions as trees, laid out in lines of 88 columns like a formatter's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

WIDTH = 88

_PRECEDENCE = {"|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5}
_PRECEDENCE |= {"*": 6, "/": 6, "//": 6, "%": 6}
_COMPARE = 0
_UNARY = 7
_ATOM = 8
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True)
class Expression:
    """A Python expression."""

    @property
    def precedence(self) -> int:
        """How tightly the expression binds."""
        return _ATOM

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The direct subexpressions."""
        return ()

    def walk(self) -> Iterator[Expression]:
        """The expression and all its subexpressions."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True)
class Name(Expression):
    """A variable or a parameter."""

    text: str

    def __str__(self) -> str:
        """The name itself."""
        return self.text


@dataclass(frozen=True)
class Literal(Expression):
    """A number, or any text that binds like one."""

    text: str

    @property
    def precedence(self) -> int:
        """That of unary minus if the number is negative."""
        return _UNARY if self.text.startswith("-") else _ATOM

    def __str__(self) -> str:
        """The text itself."""
        return self.text


@dataclass(frozen=True)
class Call(Expression):
    """`function(argument, key=argument)`."""

    function: str
    arguments: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...] = ()

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The arguments."""
        return (*self.arguments, *(value for _, value in self.keywords))

    @property
    def entries(self) -> list[tuple[str, Expression]]:
        """Each argument with its keyword and `=`, or an empty text."""
        return [("", a) for a in self.arguments] + [
            (f"{key}=", value) for key, value in self.keywords
        ]

    def __str__(self) -> str:
        """The call on one line."""
        inside = ", ".join(f"{lead}{value}" for lead, value in self.entries)
        return f"{self.function}({inside})"


@dataclass(frozen=True)
class Suffix(Expression):
    """An expression with a suffix: `x[:, None]`, `x.to(tl.float16)`."""

    value: Expression
    text: str

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expression in front."""
        return (self.value,)

    def __str__(self) -> str:
        """The expression on one line."""
        return f"{_within(self.value, _ATOM)}{self.text}"


@dataclass(frozen=True)
class Group(Expression):
    """`[a, b]` or `(a, b)`."""

    values: tuple[Expression, ...]
    brackets: str = "[]"

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The elements."""
        return self.values

    def __str__(self) -> str:
        """The sequence on one line."""
        inside = ", ".join(map(str, self.values))
        comma = "," if self.brackets == "()" and len(self.values) == 1 else ""
        return f"{self.brackets[0]}{inside}{comma}{self.brackets[1]}"


@dataclass(frozen=True)
class Unary(Expression):
    """`-x` or `~x`."""

    operator: str
    value: Expression

    @property
    def precedence(self) -> int:
        """The operator's precedence in Python."""
        return _UNARY

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The operand."""
        return (self.value,)

    def __str__(self) -> str:
        """The expression on one line."""
        return f"{self.operator}{_within(self.value, _UNARY)}"


@dataclass(frozen=True)
class Binary(Expression):
    """Two expressions with an operator between them."""

    operator: str
    left: Expression
    right: Expression
    associative: bool = False
    """Whether parentheses on the right may go: integers, not floats."""

    @property
    def precedence(self) -> int:
        """The operator's precedence in Python."""
        is_comparison = self.operator in _COMPARISONS
        return _COMPARE if is_comparison else _PRECEDENCE[self.operator]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Both operands."""
        return (self.left, self.right)

    def __str__(self) -> str:
        """The expression on one line."""
        left, right = self._sides()
        return f"{left} {self.operator} {right}"

    def _sides(self) -> tuple[str, str]:
        own = self.precedence
        left = _within(self.left, own + (self.operator in _COMPARISONS))
        right = _within(self.right, own if self._is_loose() else own + 1)
        return left, right

    def _is_loose(self) -> bool:
        """Whether the right side needs no parentheses: a + (b + c)."""
        return (
            self.associative
            and isinstance(self.right, Binary)
            and self.right.operator == self.operator
        )

    def operands(self) -> list[tuple[str, str]]:
        """A chain of operators of one precedence: (operator before it, operand)."""
        left, right = self._sides()
        before, behind = [("", left)], [(self.operator, right)]
        if isinstance(self.left, Binary) and self.left.precedence == self.precedence:
            before = self.left.operands()
        if isinstance(self.right, Binary) and self._is_loose():
            (_, first), *rest = self.right.operands()
            behind = [(self.operator, first), *rest]
        return [*before, *behind]


def mapped(
    value: Expression, change: Callable[[Expression], Expression | None]
) -> Expression:
    """An expression with parts replaced; `change` gives None for what stays."""
    if (made := change(value)) is not None:
        return made
    match value:
        case Call():
            arguments = tuple(mapped(one, change) for one in value.arguments)
            named = tuple((name, mapped(one, change)) for name, one in value.keywords)
            return replace(value, arguments=arguments, keywords=named)
        case Binary():
            left, right = mapped(value.left, change), mapped(value.right, change)
            return replace(value, left=left, right=right)
        case Suffix() | Unary():
            return replace(value, value=mapped(value.value, change))
        case Group():
            return replace(value, values=tuple(mapped(v, change) for v in value.values))
        case _:
            return value


def _within(value: Expression, least: int) -> str:
    """The text of an operand, in parentheses if its precedence is too low."""
    return str(value) if value.precedence >= least else f"({value})"


def lay_out(lead: str, value: Expression, tail: str, indent: int) -> list[str]:
    """The lines of `lead value tail`, broken if one line would be too long."""
    pad = " " * indent
    line = f"{pad}{lead}{value}{tail}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(value, Call):
        return _call(f"{lead}{value.function}", value.entries, tail, indent)
    if is_awkward(value, lead, indent):
        head, _, inside = value.text.partition("(")
        return [
            f"{pad}{lead}{value.value}{head}(",
            f"{pad}    {inside.removesuffix(')')}",
            f"{pad}){tail}",
        ]
    if isinstance(value, Suffix) and isinstance(value.value, Call):
        return lay_out(lead, value.value, f"{value.text}{tail}", indent)
    if isinstance(value, Binary):
        inner = f"{pad}    {value}"
        if len(inner) <= WIDTH:
            return [f"{pad}{lead}(", inner, f"{pad}){tail}"]
        rows = [
            f"{pad}    {operator + ' ' if operator else ''}{operand}"
            for operator, operand in value.operands()
        ]
        return [f"{pad}{lead}(", *rows, f"{pad}){tail}"]
    if isinstance(value, Group):
        return _group(lead, value, tail, indent)
    return [line]


def _group(lead: str, group: Group, tail: str, indent: int) -> list[str]:
    pad = " " * indent
    opening, closing = group.brackets
    inside = ", ".join(map(str, group.values))
    rows = [f"{pad}    {inside}"]
    if len(group.values) == 1 or len(rows[0]) > WIDTH:
        rows = [
            r for value in group.values for r in lay_out("", value, ",", indent + 4)
        ]
    return [f"{pad}{lead}{opening}", *rows, f"{pad}{closing}{tail}"]


def is_awkward(value: Expression, lead: str, indent: int) -> TypeGuard[Suffix]:
    """Whether formatters would break only the suffix of a call: `f(x).to(`."""
    if not isinstance(value, Suffix) or not value.text.endswith(")"):
        return False
    start = indent + len(f"{lead}{value.value}")
    head = value.text.partition("(")[0] + "("
    return start + len(head) <= WIDTH < start + len(value.text)


def _call(
    head: str, entries: Sequence[tuple[str, Expression]], tail: str, indent: int
) -> list[str]:
    pad = " " * indent
    inside = ", ".join(f"{lead}{value}" for lead, value in entries)
    if indent + 4 + len(inside) <= WIDTH:
        return [f"{pad}{head}(", f"{pad}    {inside}", f"{pad}){tail}"]
    rows = [
        row for lead, value in entries for row in lay_out(lead, value, ",", indent + 4)
    ]
    return [f"{pad}{head}(", *rows, f"{pad}){tail}"]


def explode(head: str, entries: Sequence[str], tail: str, indent: int) -> list[str]:
    """One entry on each line; the trailing comma keeps formatters from joining them."""
    pad = " " * indent
    return [
        f"{pad}{head}",
        *(f"{pad}    {entry}," for entry in entries),
        f"{pad}{tail}",
    ]
