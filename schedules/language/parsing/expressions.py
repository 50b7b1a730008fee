"""Values and expressions: the part of Lark's tree below statements, to our tree."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import TypeGuard, cast

from lark import Token, Tree

from tilewright.ir.errors import Place, UserError
from tilewright.schedules.language.parsing.lark_tree import (
    Child,
    LarkTree,
    Places,
    as_tree,
    children_of,
    trees_of,
)
from tilewright.schedules.language.parsing.number_runs import NumberRun
from tilewright.schedules.language.syntax import (
    NUMBER_FUNCTIONS,
    Argument,
    Call,
    Items,
    Literal,
    Name,
    Operator,
    Raw,
    Setting,
    Value,
)

_LARGEST = 1 << 63


class ExpressionReader(Places):
    """Reads the values and expressions of one file."""

    def argument(self, child: Child) -> Argument:
        """An argument of a verb: a value, or `key = value`."""
        tree = as_tree(child)
        if tree.data != "setting":
            return self.value(tree)
        key, value = children_of(tree)
        quoted = cast("Token", key).type == "STRING"
        return Setting(
            str(key)[1:-1] if quoted else str(key),
            self.value(as_tree(value)),
            quoted,
            place=self.place(key),
        )

    def value(self, tree: LarkTree) -> Value:
        """An expression, read without recursion: a sum may have thousands of terms."""
        made: list[Value] = []
        stack = [(tree, False)]
        while stack:
            here, is_ready = stack.pop()
            operands = _operands(here)
            if operands and not is_ready:
                stack.append((here, True))
                stack += [(operand, False) for operand in reversed(operands)]
                continue
            count = len(operands)
            given = made[len(made) - count :]
            del made[len(made) - count :]
            made.append(self.operation(here, given) if count else self.leaf(here))
        (found,) = made
        return found

    def leaf(self, tree: LarkTree) -> Value:
        """A name, a constant, a list or a call without arguments."""
        if tree.data == "name":
            return self.name(children_of(tree)[0])
        if tree.data == "list":
            return self.items(tree)
        if tree.data == "call":
            return self.called(tree, ())
        if tree.data == "raw":
            return Raw(str(children_of(tree)[0])[1:-1], place=self.place(tree))
        return self.literal(tree)

    def operation(self, tree: LarkTree, operands: Sequence[Value]) -> Value:
        """An operator or a call whose operands have been read."""
        place = self.place(tree)
        if tree.data == "call":
            return self.called(tree, operands)
        if tree.data == "minus":
            (operand,) = operands
            if isinstance(operand, Literal) and _is_number(operand.value):
                return Literal(-operand.value, place=place)
            return Operator("-", (Literal(0, place=place), operand), place=place)
        if tree.data == "negation":
            return Operator("not", tuple(operands), place=place)
        signs = [str(child) for child in children_of(tree)[1::2]]
        if tree.data == "comparison":
            return self.comparisons(operands, signs)
        result = operands[0]
        for sign, operand in zip(signs, operands[1:], strict=True):
            result = Operator(sign, (result, operand), place=result.place)
        return result

    def items(self, tree: LarkTree) -> Items:
        """A list."""
        items: list[Argument] = []
        for item in trees_of(tree):
            (child,) = children_of(item)
            if isinstance(child, NumberRun):
                items += [self.plain_number(token) for token in child.numbers]
            else:
                items.append(self.argument(child))
        return Items(tuple(items), place=self.place(tree))

    def plain_number(self, token: Token) -> Literal:
        """A number of a run of numbers."""
        place = self.place(token)
        return Literal(self.number(str(token), place), place=place)

    def called(self, tree: LarkTree, arguments: Sequence[Value]) -> Call | Operator:
        """A call: an operator for a function of numbers, else a function of handles."""
        function = self.name(children_of(tree)[0])
        place = self.place(tree)
        if function.text in NUMBER_FUNCTIONS:
            return Operator(function.text, tuple(arguments), place=place)
        return Call(function, tuple(arguments), place=place)

    def name(self, child: Child) -> Name:
        """A name."""
        return Name(str(child), place=self.place(child))

    def literal(self, tree: LarkTree) -> Literal:
        """A constant."""
        word = str(children_of(tree)[0])
        value: int | float | str | bool
        if tree.data == "string":
            value = word[1:-1]
        elif tree.data in {"true", "false"}:
            value = tree.data == "true"
        else:
            value = self.number(word, self.place(tree))
        return Literal(value, place=self.place(tree))

    def number(self, word: str, place: Place) -> int | float:
        """A number that fits in 64 bits."""
        if "." in word:
            value = float(word)
            if isinf(value):
                raise UserError(
                    f"{word} is not finite", place, "write a smaller number"
                )
            return value
        # Python refuses to read an integer of thousands of digits.
        if len(word) > 40 or not -_LARGEST <= int(word) < _LARGEST:
            shown = word if len(word) <= 40 else f"{word[:20]}..."
            raise UserError(
                f"{shown} does not fit in 64 bits",
                place,
                f"a whole number is at most {_LARGEST - 1}",
            )
        return int(word)

    def comparisons(self, operands: Sequence[Value], signs: Sequence[str]) -> Value:
        """`a <= b <= c` is `a <= b and b <= c`."""
        parts = [
            Operator(sign, (left, right), place=left.place)
            for sign, left, right in zip(signs, operands, operands[1:], strict=False)
        ]
        result: Operator = parts[0]
        for part in parts[1:]:
            result = Operator("and", (result, part), place=result.place)
        return result


def _operands(tree: LarkTree) -> list[LarkTree]:
    """The operands of an operator or a call; none for a name or a constant."""
    if tree.data in {"list", "name", "raw"}:
        return []
    return [child for child in children_of(tree) if isinstance(child, Tree)]


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
