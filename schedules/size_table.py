"""Decision tables: which point a schedule has at which sizes.

    decide M = x[0] {
      M <= 64 { BM = 16; BN = 64; loads = pointers }
      else { BM = 128; BN = 128; loads = descriptors }
    }

The first rule whose condition holds is taken. A size is a dimension of an argument of
the payload, so a table serves payloads whose sizes are known and those that leave them
open.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.ir.errors import Place, UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.syntax import (
    Action,
    Constant,
    Decide,
    Literal,
    Name,
    Operator,
    SizeRule,
    Statement,
)
from tilewright.schedules.language.syntax import Value as Expression
from tilewright.transforms.control.choices.open_choices import Choice
from tilewright.transforms.control.choices.values import Value

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Size:
    """A name for a dimension of an argument of the payload."""

    name: str
    argument: str
    dim: int

    def __str__(self) -> str:
        """`M = x[0]`."""
        return f"{self.name} = {self.argument}[{self.dim}]"


@dataclass(frozen=True)
class Condition:
    """`M <= 64`."""

    size: str
    sign: str
    number: int

    def __str__(self) -> str:
        """The text of the condition."""
        return f"{self.size} {self.sign} {self.number}"

    def holds(self, sizes: Mapping[str, int]) -> bool:
        """Whether it holds for these sizes."""
        return _COMPARISONS[self.sign](sizes[self.size], self.number)


@dataclass(frozen=True)
class Rule:
    """A point, and the conditions under which it is taken: all of them must hold."""

    conditions: tuple[Condition, ...]
    point: Mapping[str, Value]
    comment: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """`M <= 64`, or `else`."""
        return " and ".join(map(str, self.conditions)) or "else"


@dataclass(frozen=True)
class SizeTable:
    """The rules of a schedule; the last one has no conditions."""

    sizes: tuple[Size, ...]
    rules: tuple[Rule, ...]
    written: str = field(default="", compare=False)
    """The text that it was read from, with comments, where MLIR holds it."""

    def rule_for(self, sizes: Mapping[str, int]) -> Rule:
        """The first rule whose conditions hold."""
        for rule in self.rules:
            if all(condition.holds(sizes) for condition in rule.conditions):
                return rule
        raise AssertionError("the last rule has no conditions")

    def positions(self, arguments: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The argument and the dimension of each size, by the names of all arguments.

        Refuses a payload that does not have the argument of a size.
        """
        found: dict[str, tuple[int, int]] = {}
        for size in self.sizes:
            if size.argument not in arguments:
                listed = ", ".join(arguments)
                raise UserError(
                    f"the schedule's table reads the size of '{size.argument}', which "
                    "is not an argument of the payload",
                    remedy=f"use one of its arguments ({listed}), or remove the table",
                )
            found[size.name] = arguments.index(size.argument), size.dim
        return found

    def text(self) -> str:
        """The table in the schedule language."""
        head = ", ".join(map(str, self.sizes))
        width = max(len(rule.title) for rule in self.rules)
        lines = [f"decide {head} {{"]
        for rule in self.rules:
            pairs = "; ".join(f"{n} = {_written(v)}" for n, v in rule.point.items())
            if rule.comment:
                lines.append(f"  // {rule.comment}")
            lines.append(f"  {rule.title:{width}} {{ {pairs} }}")
        return "\n".join([*lines, "}"]) + "\n"


def read_table(
    decisions: Sequence[Decide], choices: Sequence[Choice]
) -> tuple[SizeTable | None, list[UserError]]:
    """The table of a file, if it has one, and the errors in it."""
    if not decisions:
        return None, []
    errors = [
        UserError(
            "a file holds one table", other.place, "put all rules into the first one"
        )
        for other in decisions[1:]
    ]
    try:
        return _table(decisions[0], {choice.name: choice for choice in choices}), errors
    except UserError as error:
        return None, [error, *errors]


def _table(decide: Decide, choices: Mapping[str, Choice]) -> SizeTable:
    sizes = tuple(Size(s.name.text, s.argument.text, s.dim) for s in decide.sizes)
    known = [size.name for size in sizes]
    if len(set(known)) < len(known):
        raise UserError("two sizes have one name", decide.place, "rename one")
    rules = [_rule(rule, known, choices) for rule in decide.rules]
    for rule, read in zip(decide.rules[:-1], rules, strict=False):
        if not read.conditions:
            raise UserError(
                "rules after 'else' are never reached", rule.place, "write 'else' last"
            )
    if rules[-1].conditions:
        raise UserError(
            "the table has no point for other sizes",
            decide.place,
            "end it with: else { ... }",
        )
    return SizeTable(sizes, tuple(rules))


def _rule(rule: SizeRule, sizes: Sequence[str], choices: Mapping[str, Choice]) -> Rule:
    conditions: tuple[Condition, ...] = ()
    if rule.condition is not None:
        conditions = tuple(_conditions(rule.condition, sizes))
    point: dict[str, Value] = {}
    for statement in rule.settings:
        name, value, place = setting_of(statement)
        choice = choices.get(name)
        if choice is None:
            raise UserError(
                f"the schedule has no choice '{name}'",
                place,
                did_you_mean(name, list(choices)) or f"known: {', '.join(choices)}",
            )
        if value not in choice.options:
            listed = ", ".join(map(str, choice.options))
            raise UserError(
                f"'{name}' cannot be {value}", place, f"its options are {listed}"
            )
        if name in point:
            raise UserError(f"'{name}' has two values", place, "remove one")
        point[name] = value
    return Rule(conditions, point)


def _conditions(value: Expression, sizes: Sequence[str]) -> Iterator[Condition]:
    if isinstance(value, Operator) and value.sign == "and":
        for operand in value.operands:
            yield from _conditions(operand, sizes)
        return
    match value:
        case Operator(sign, (Name(text=name), Literal(int(number)))) if (
            sign in _COMPARISONS
        ):
            if name not in sizes:
                raise UserError(
                    f"'{name}' is not a size of the table",
                    value.place,
                    f"known: {', '.join(sizes)}",
                )
            yield Condition(name, sign, number)
        case _:
            raise UserError(
                "a condition of a table compares a size with a number",
                value.place,
                f"such as {sizes[0]} <= 64; several are joined by 'and'",
            )


def setting_of(statement: Statement) -> tuple[str, Value, Place]:
    """`BM = 16` or `loads = pointers`, as name and value."""
    match statement:
        case Constant(target, Literal(value)):
            return target.text, value, statement.place
        case Action((target,), verb, ()):
            return target.text, verb.text, statement.place
        case _:
            raise UserError(
                "a rule of a table has values of choices",
                statement.place,
                "such as: BM = 64; loads = pointers",
            )


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and not value.isidentifier():
        return f'"{value}"'
    return str(value)
