"""The text of a tree: values, and statements that take one line."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.schedules.language.syntax import (
    MARK,
    Action,
    Argument,
    Assign,
    Call,
    Constant,
    Guarded,
    Import,
    Include,
    Items,
    Knob,
    Literal,
    Name,
    Operator,
    Order,
    Raw,
    Require,
    Setting,
    Statement,
    Target,
)

_BINDING: Mapping[str, int] = {
    "or": 1,
    "and": 2,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "==": 4,
    "!=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}
"""How tightly an infix operator binds."""
_COMPARED = 4


def statement_text(statement: Statement) -> str:
    """A statement on one line: one without blocks, or with one statement inside."""
    if isinstance(statement, Action):
        marks = [each for each in statement.arguments if _is_mark(each)]
        rest = [value_text(each) for each in statement.arguments if each not in marks]
        words = [statement.verb.text + "?" * bool(marks), *rest]
        return _bound(statement.targets, " ".join(words))
    if isinstance(statement, Assign):
        return _bound(statement.targets, value_text(statement.call))
    if isinstance(statement, Include):
        return _bound(statement.targets, f"include {value_text(statement.call)}")
    if isinstance(statement, Constant):
        return _bound((statement.target,), value_text(statement.value))
    if isinstance(statement, Knob):
        label = "" if statement.label is None else f'"{statement.label}" '
        words = f"{label}{value_text(statement.options)}"
        default = "" if statement.default is None else value_text(statement.default)
        if statement.is_short:
            words = f"{default} of {words}"
        else:
            words = f"knob {words}{f' default {default}' if default else ''}"
        return _bound((statement.target,), words)
    if isinstance(statement, Guarded):
        names = ", ".join(name.text for name in statement.names)
        (inner,) = statement.body.statements
        return f"{statement.word} {names} {{ {statement_text(inner)} }}"
    if isinstance(statement, Order):
        words = f"permute {value_text(statement.loops)}"
        return _bound((statement.target,), words)
    assert isinstance(statement, Require)
    return f"require {value_text(statement.condition)}"


def _is_mark(argument: Argument) -> bool:
    """Whether an option is written as a `?` after the verb."""
    return (
        isinstance(argument, Setting)
        and argument.key == MARK
        and isinstance(argument.value, Literal)
        and argument.value.value is True
    )


def import_text(statement: Import) -> str:
    """`import gemm`, `import "file.tw" as parts`."""
    alias = "" if statement.alias is None else f" as {statement.alias.text}"
    return f"{statement.text}{alias}"


def value_text(value: Argument) -> str:
    """A value, or a setting `key = value`."""
    if isinstance(value, Name):
        return value.text
    if isinstance(value, Raw):
        return f"`{value.text}`"
    if isinstance(value, Setting):
        key = f'"{value.key}"' if value.quoted else value.key
        return f"{key} = {value_text(value.value)}"
    if isinstance(value, Items):
        return f"[{', '.join(map(value_text, value.items))}]"
    if isinstance(value, Call):
        return f"{value.function.text}({', '.join(map(value_text, value.arguments))})"
    if isinstance(value, Literal):
        return _literal(value.value)
    return _operation(value)


def _literal(value: int | float | str | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _operation(value: Operator) -> str:
    """`a * b`, `min(a, b)`; `a <= b and b <= c` is `a <= b <= c`."""
    binding = _BINDING.get(value.sign)
    if binding is None:
        return f"{value.sign}({', '.join(map(value_text, value.operands))})"
    left, right = value.operands
    if value.sign == "and" and _ends_with(left, right):
        assert isinstance(right, Operator)
        rest = _operand(right.operands[1], _COMPARED + 1)
        return f"{value_text(left)} {right.sign} {rest}"
    return f"{_operand(left, binding)} {value.sign} {_operand(right, binding + 1)}"


def _ends_with(left: Argument, right: Argument) -> bool:
    """Whether one comparison ends with what the next begins with."""
    return (
        isinstance(left, Operator)
        and isinstance(right, Operator)
        and _BINDING.get(left.sign) == _COMPARED == _BINDING.get(right.sign)
        and left.operands[1] == right.operands[0]
    )


def _operand(value: Argument, least: int) -> str:
    """An operand, in parentheses if it binds less tightly than its operator."""
    words = value_text(value)
    is_loose = isinstance(value, Operator) and _BINDING.get(value.sign, 9) < least
    return f"({words})" if is_loose else words


def _bound(targets: tuple[Target, ...], words: str) -> str:
    """A statement with the names that it binds."""
    names = ", ".join(target.text for target in targets)
    return f"{names} = {words}" if names else words
