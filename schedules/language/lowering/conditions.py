"""Lowers expressions on knobs to the smt dialect: conditions (`require`) and numbers.

    require BM * BN <= 128 * 128        tail == fused or BM <= 64        BK = BM / 2

The body of `constrain_params` is built without recursion, since a sum may have
thousands of terms. In a number `/` is exact: a point with a remainder is not valid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from xdsl.dialects import smt as xsmt
from xdsl.dialects.builtin import i64
from xdsl.dialects.smt import BoolType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.ir.dialects import smt
from tilewright.ir.errors import UserError
from tilewright.ir.name_hints import name_hint
from tilewright.ir.phrases import count, did_you_mean
from tilewright.schedules.language.syntax import (
    NUMBER_FUNCTIONS,
    PAYLOAD_NUMBERS,
    Call,
    Literal,
    Name,
    Operator,
    Value,
)
from tilewright.transforms.control.choices.constrain import (
    ConstrainParamsOp,
    compute,
    violated,
)
from tilewright.transforms.core.base import ParamType

_Binary = Callable[[SSAValue, SSAValue], Operation]

_ARITHMETIC: Mapping[str, _Binary] = {
    "+": smt.IntAddOp,
    "-": smt.IntSubOp,
    "*": smt.IntMulOp,
    "/": smt.IntDivOp,
    "%": smt.IntModOp,
    "floordiv": smt.IntDivOp,
}

_COMPARISON: Mapping[str, _Binary] = {
    "<": lambda a, b: smt.IntCmpOp(smt.IntPredicate.LT, a, b),
    "<=": lambda a, b: smt.IntCmpOp(smt.IntPredicate.LE, a, b),
    ">": lambda a, b: smt.IntCmpOp(smt.IntPredicate.GT, a, b),
    ">=": lambda a, b: smt.IntCmpOp(smt.IntPredicate.GE, a, b),
    "==": smt.EqOp,
    "!=": smt.DistinctOp,
}

_LOGIC: Mapping[str, _Binary] = {
    "and": xsmt.AndOp,
    "or": xsmt.OrOp,
    "xor": xsmt.XOrOp,
    "implies": xsmt.ImpliesOp,
}

_ONE: Mapping[str, tuple[Callable[[SSAValue], Operation], type[Attribute], str]] = {
    "not": (xsmt.NotOp, BoolType, "a comparison"),
    "abs": (smt.IntAbsOp, smt.IntType, "a number"),
}

_SELECTIONS: Mapping[str, smt.IntPredicate] = {
    "min": smt.IntPredicate.LE,
    "max": smt.IntPredicate.GE,
}

_FUNCTIONS = f"there are {', '.join({**NUMBER_FUNCTIONS, **PAYLOAD_NUMBERS}.values())}"

_LARGEST_POWER = 1 << 62
"""The powers of two are the numbers that divide this one."""


class Names(Protocol):
    """Knows what the names in an expression stand for."""

    def number(self, name: Name, user: str) -> SSAValue | None:
        """A parameter; None if no number has this name."""
        ...

    def labels(self, name: str) -> Sequence[str] | None:
        """The branches of the `choose` of this name, if there is one."""
        ...

    def selected(self, name: Name) -> SSAValue:
        """A parameter: the number of the branch that a `choose` takes."""
        ...

    def unknown(self, name: Name) -> UserError:
        """The error for an unknown name."""
        ...

    def measured(self, call: Call, user: str) -> SSAValue | None:
        """A parameter: a number of the payload; None if no function has this name."""
        ...


def condition_op(condition: Value, names: Names) -> ConstrainParamsOp:
    """The op that a `require` becomes."""
    body = _Body("require", names, exact=False)
    value = body.lower(condition)
    body.expect(value, BoolType, "a comparison", condition)
    body.block.add_op(xsmt.AssertOp(value))
    return ConstrainParamsOp(list(body.params.values()), Region(body.block))


def number_op(expression: Operator, names: Names, user: str) -> ConstrainParamsOp:
    """The op that computes a number."""
    body = _Body(user, names, exact=True)
    value = body.lower(expression)
    body.expect(value, smt.IntType, "a number", expression)
    body.block.add_op(smt.YieldOp(value))
    params = list(body.params.values())
    return ConstrainParamsOp(params, Region(body.block), [ParamType(i64)])


def folded(value: Value, user: str) -> Value:
    """An expression folded to a constant if all its operands are constants."""
    if not isinstance(value, Operator) or not _is_constant(value):
        return value
    op = number_op(value, _NoNames(), user)
    results = compute(op, ())
    if results is None:
        raise UserError(
            f"{user}: {violated(op, ())}",
            value.place,
            "use floordiv(a, b) or cdiv(a, b) to round, and divide by no zero",
        )
    (number,) = results
    if not -(1 << 63) <= number < 1 << 63:
        raise UserError(f"{user}: {number} does not fit in 64 bits", value.place)
    return Literal(number, place=value.place)


def _is_constant(value: Value) -> bool:
    stack: list[Value] = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, Operator):
            stack += here.operands
        elif not isinstance(here, Literal):
            return False
    return True


class _NoNames:
    """Knows no names."""

    def number(self, name: Name, user: str) -> SSAValue | None:
        return None

    def labels(self, name: str) -> Sequence[str] | None:
        return None

    def selected(self, name: Name) -> SSAValue:
        raise self.unknown(name)

    def unknown(self, name: Name) -> UserError:
        return UserError(f"unknown name '{name.text}'", name.place)

    def measured(self, call: Call, user: str) -> SSAValue | None:
        return None


class _Body:
    """The body of one `constrain_params`, and the parameters that it takes."""

    def __init__(self, user: str, names: Names, *, exact: bool):
        self.block = Block()
        self.params: dict[str, SSAValue] = {}
        self._arguments: dict[str, SSAValue] = {}
        self._user = user
        self._names = names
        self._exact = exact

    def lower(self, expression: Value) -> SSAValue:
        """Add the ops of an expression, operands first, and give its value."""
        made: list[SSAValue] = []
        stack = [(expression, False)]
        while stack:
            here, is_ready = stack.pop()
            if not isinstance(here, Operator):
                made.append(self._leaf(here))
                continue
            if (picked := self._picked(here)) is not None:
                made.append(picked)
                continue
            if not is_ready:
                stack.append((here, True))
                stack += [(operand, False) for operand in reversed(here.operands)]
                continue
            count = len(here.operands)
            operands = made[len(made) - count :]
            del made[len(made) - count :]
            made.append(self._operation(here, operands))
        (value,) = made
        return value

    # -- names and constants -----------------------------------------------------

    def _leaf(self, value: Value) -> SSAValue:
        if isinstance(value, Name):
            return self._name(value)
        if isinstance(value, Literal):
            if isinstance(value.value, bool):
                return self._emit(xsmt.ConstantBoolOp(value.value))
            if isinstance(value.value, int):
                return self._constant(value.value)
        if isinstance(value, Call):
            if (measured := self._measured(value)) is not None:
                return measured
            arguments = count(len(value.arguments), "argument")
            what = f"'{value.function.text}' with {arguments}"
            known = list({**NUMBER_FUNCTIONS, **PAYLOAD_NUMBERS})
            near = did_you_mean(value.function.text, known)
            raise self._error(f"no function {what}", value, near or _FUNCTIONS)
        raise self._error("expected a whole number", value, "such as 64")

    def _name(self, name: Name) -> SSAValue:
        if name.text in self._arguments:
            return self._arguments[name.text]
        param = self._names.number(name, self._user)
        if param is None:
            labels = self._names.labels(name.text)
            if labels is None:
                raise self._names.unknown(name)
            raise self._error(
                f"'{name.text}' is a choice, not a number",
                name,
                f"compare it with a branch: {name.text} == {labels[0]}",
            )
        return self._argument(name.text, param, name.text)

    def _measured(self, call: Call) -> SSAValue | None:
        """A number of the payload; equal calls are one argument."""
        key = repr(call)
        if key in self._arguments:
            return self._arguments[key]
        param = self._names.measured(call, self._user)
        if param is None:
            return None
        return self._argument(key, param, call.function.text)

    def _argument(self, key: str, param: SSAValue, name: str) -> SSAValue:
        argument = self.block.insert_arg(smt.IntType(), len(self.block.args))
        argument.name_hint = name_hint(name)
        self.params[key] = param
        self._arguments[key] = argument
        return argument

    def _picked(self, operator: Operator) -> SSAValue | None:
        """The value of `tail == fused`, if `tail` is a choice and not a number."""
        if operator.sign not in {"==", "!="}:
            return None
        left, right = operator.operands
        for choice, label in ((left, right), (right, left)):
            if not isinstance(choice, Name):
                continue
            labels = self._names.labels(choice.text)
            if labels is None or self._names.number(choice, self._user) is not None:
                continue
            number = self._label(choice, label, labels)
            # The key differs from that of a number, which may have the same name.
            key = f"choose {choice.text}"
            argument = self._arguments.get(key)
            if argument is None:
                param = self._names.selected(choice)
                argument = self._argument(key, param, choice.text)
            build = _COMPARISON[operator.sign]
            return self._emit(build(argument, self._constant(number)))
        return None

    def _label(self, choice: Name, label: Value, labels: Sequence[str]) -> int:
        text = label.text if isinstance(label, Name) else None
        if isinstance(label, Literal) and isinstance(label.value, str):
            text = label.value
        if text in labels:
            return labels.index(text)
        raise self._error(
            f"'{choice.text}' has no branch '{text}'"
            if text is not None
            else f"'{choice.text}' is compared with a branch",
            label,
            did_you_mean(text or "", labels) or f"its branches are {', '.join(labels)}",
        )

    # -- operations --------------------------------------------------------------

    def _operation(self, operator: Operator, given: Sequence[SSAValue]) -> SSAValue:
        sign, nodes = operator.sign, operator.operands
        if sign in _ONE and len(given) == 1:
            build, kind, words = _ONE[sign]
            self.expect(given[0], kind, words, nodes[0])
            return self._emit(build(given[0]))
        if sign == "ite" and len(given) == 3:
            self.expect(given[0], BoolType, "a comparison", nodes[0])
            self.expect(given[2], type(given[1].type), "of the same kind", nodes[2])
            return self._emit(smt.IteOp(*given))
        if sign == "is_pow2" and len(given) == 1:
            self.expect(given[0], smt.IntType, "a number", nodes[0])
            return self._is_pow2(given[0])
        if sign in {"min", "max", "cdiv", "ceildiv"} and len(given) == 2:
            for value, node in zip(given, nodes, strict=True):
                self.expect(value, smt.IntType, "a number", node)
            return self._function(sign, *given)
        for table, kind, words in (
            (_ARITHMETIC, smt.IntType, "a number"),
            (_COMPARISON, smt.IntType, "a number"),
            (_LOGIC, BoolType, "a comparison"),
        ):
            if sign in table and len(given) == 2:
                for value, node in zip(given, nodes, strict=True):
                    self.expect(value, kind, words, node)
                result = self._emit(table[sign](*given))
                if sign == "/" and self._exact:
                    self._require_exact(*given)
                return result
        raise self._error(
            f"no function '{sign}' with {count(len(given), 'argument')}",
            operator,
            _FUNCTIONS,
        )

    def _function(self, sign: str, a: SSAValue, b: SSAValue) -> SSAValue:
        if sign in {"cdiv", "ceildiv"}:
            less = self._emit(smt.IntSubOp(b, self._constant(1)))
            return self._emit(smt.IntDivOp(self._emit(smt.IntAddOp(a, less)), b))
        test = self._emit(smt.IntCmpOp(_SELECTIONS[sign], a, b))
        return self._emit(smt.IteOp(test, a, b))

    def _is_pow2(self, number: SSAValue) -> SSAValue:
        rest = self._emit(smt.IntModOp(self._constant(_LARGEST_POWER), number))
        divides = self._emit(smt.EqOp(rest, self._constant(0)))
        zero = self._constant(0)
        positive = self._emit(smt.IntCmpOp(smt.IntPredicate.GT, number, zero))
        return self._emit(xsmt.AndOp(divides, positive))

    def _require_exact(self, a: SSAValue, b: SSAValue) -> None:
        rest = self._emit(smt.IntModOp(a, b))
        test = self._emit(smt.EqOp(rest, self._constant(0)))
        self.block.add_op(xsmt.AssertOp(test))

    def expect(
        self, value: SSAValue, kind: type[Attribute], words: str, node: Value
    ) -> None:
        """Refuse a value of another kind."""
        if not isinstance(value.type, kind):
            example = "such as: require BM * BN <= 128 * 128"
            if self._user != "require":
                example = "such as BM / 2"
            raise self._error(f"this is not {words}", node, example)

    def _constant(self, value: int) -> SSAValue:
        return self._emit(smt.IntConstantOp(value))

    def _emit(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def _error(self, fact: str, at: Value, remedy: str) -> UserError:
        return UserError(f"{self._user}: {fact}", at.place, remedy)
