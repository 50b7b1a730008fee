"""Values of the language as expressions of Python."""

from __future__ import annotations

import json
import keyword
from collections.abc import Collection, Mapping, Sequence

from tilewright.schedules.builder.values import Scalar
from tilewright.schedules.language.syntax import (
    Argument,
    Call,
    Items,
    Literal,
    Name,
    Operator,
    Raw,
    Setting,
)
from tilewright.schedules.language.verbs.forms import Kind

SELF = "s"
"""The variable of the schedule."""

_SIGNS: Mapping[str, str] = {
    "and": "&",
    "or": "|",
    "xor": "^",
    "floordiv": "//",
    **{sign: sign for sign in ("+", "-", "*", "/", "%")},
    **{sign: sign for sign in ("<", "<=", ">", ">=", "==", "!=")},
}
"""Python's operators for those of the language."""


def quoted(value: Scalar | Sequence[str]) -> str:
    """A constant, or a list of strings, with double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(quoted, value))}]"
    return repr(value)


class Written:
    """Writes values.

    `choices` has the branches of every `choose`, and `orders` the names of orders of
    loops.
    """

    def __init__(
        self, choices: Mapping[str, Sequence[str]], orders: Collection[str] = ()
    ):
        self._choices = choices
        self._orders = orders
        self.root = ""
        """The name of the whole payload, until it is bound again."""

    def value(self, value: Argument) -> str:
        """An expression."""
        if isinstance(value, Name):
            return self._name(value)
        if isinstance(value, Literal):
            return quoted(value.value)
        if isinstance(value, Raw):
            return f"{SELF}.mlir({quoted(value.text)})"
        if isinstance(value, Items):
            return f"[{', '.join(map(self.value, value.items))}]"
        if isinstance(value, Call):
            given = ", ".join(map(self.value, value.arguments))
            return f"{SELF}.{value.function.text}({given})"
        assert isinstance(value, Operator)
        return self._operation(value)

    def _name(self, name: Name) -> str:
        if name.text == self.root:
            return f"{SELF}.root"
        is_taken = name.text == SELF or keyword.iskeyword(name.text)
        return f"{name.text}_" if is_taken else name.text

    def _operation(self, value: Operator) -> str:
        if (compared := self._compared(value)) is not None:
            return compared
        operands = [self._operand(each) for each in value.operands]
        if value.sign == "not":
            return f"~{operands[0]}"
        if value.sign == "abs":
            return f"abs({operands[0]})"
        if (sign := _SIGNS.get(value.sign)) is None:
            return f"{SELF}.{value.sign}({', '.join(map(self.value, value.operands))})"
        left, right = operands
        return f"{left} {sign} {right}"

    def _operand(self, value: Argument) -> str:
        text = self.value(value)
        return f"({text})" if isinstance(value, Operator) else text

    def _compared(self, value: Operator) -> str | None:
        """`s.chosen("loads") == "pointers"`, for a choice and a label."""
        if value.sign not in {"==", "!="}:
            return None
        left, right = value.operands
        for choice, label in ((left, right), (right, left)):
            if isinstance(choice, Name) and choice.text in self._choices:
                labels = self._choices[choice.text]
                text = label.text if isinstance(label, Name) else None
                if isinstance(label, Literal):
                    text = str(label.value)
                if text is not None and text in labels:
                    chosen = f"{SELF}.chosen({quoted(choice.text)})"
                    return f"{chosen} {value.sign} {quoted(text)}"
        return None

    # -- arguments of verbs ------------------------------------------------------

    def as_list(self, argument: Argument) -> Argument:
        """An order of loops as the list that it stands for, which a form accepts."""
        if isinstance(argument, Name) and argument.text in self._orders:
            return Items((argument,), place=argument.place)
        return argument

    def argument(self, kind: Kind, argument: Argument) -> str:
        """What fills a slot of a verb."""
        if kind is Kind.NAMES:
            assert isinstance(argument, Items)
            names = [each.text for each in argument.items if isinstance(each, Name)]
            return quoted(names)
        if isinstance(argument, Items):
            for item in argument.items[:1]:
                if isinstance(item, Name) and item.text in self._orders:
                    return self.value(item)
        if kind is Kind.ROLE:
            assert isinstance(argument, Name)
            return quoted(argument.text)
        if kind is Kind.SETTINGS:
            assert isinstance(argument, Items)
            return f"{{{', '.join(map(self._attribute, argument.items))}}}"
        return self.value(argument)

    def setting(self, argument: Argument) -> list[str]:
        """The name of an attribute, and its value if it has one."""
        if isinstance(argument, Setting):
            return [quoted(argument.key), self.value(argument.value)]
        return [self.value(argument)]

    def _attribute(self, item: Argument) -> str:
        if isinstance(item, Setting):
            return f"{quoted(item.key)}: {self.value(item.value)}"
        name = item.text if isinstance(item, Name) else ""
        if isinstance(item, Literal):
            name = str(item.value)
        return f"{quoted(name)}: None"
