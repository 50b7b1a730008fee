"""The body of `constrain_params` as text of the schedule language.

    BM * BN <= 128 * 128          tail == fused or BM <= 64          min(BM, 64) / 2

In a condition `/` rounds; in a number it is exact, `floordiv` rounds. What `min`,
`max`, `cdiv` and an exact division become is recognized and written as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from xdsl.dialects import smt as xsmt
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import smt
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import payload_number

_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _ATOM = range(7)
"""Operator precedences; an operand of lower precedence gets parentheses."""

_INFIX: Mapping[type[Operation], tuple[str, int]] = {
    smt.IntAddOp: ("+", _SUM),
    smt.IntSubOp: ("-", _SUM),
    smt.IntMulOp: ("*", _PRODUCT),
    smt.IntDivOp: ("/", _PRODUCT),
    smt.IntModOp: ("%", _PRODUCT),
    smt.EqOp: ("==", _COMPARISON),
    smt.DistinctOp: ("!=", _COMPARISON),
    xsmt.AndOp: ("and", _AND),
    xsmt.OrOp: ("or", _OR),
}

_SIGNS: Mapping[smt.IntPredicate, str] = {
    smt.IntPredicate.LT: "<",
    smt.IntPredicate.LE: "<=",
    smt.IntPredicate.GT: ">",
    smt.IntPredicate.GE: ">=",
}

_Written: TypeAlias = tuple[str, int]
"""A text and its precedence."""


class Constraint(Protocol):
    """What the text is made from: `smt.constrain_params`."""

    @property
    def params(self) -> Sequence[SSAValue]:
        """The parameters."""
        ...

    @property
    def body(self) -> Region:
        """The conditions, on block arguments that stand for the parameters."""
        ...

    @property
    def res(self) -> Sequence[SSAValue]:
        """The results, where the op computes parameters."""
        ...

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The values that the results get."""
        ...


def expression(op: Constraint, names: Sequence[str], conditions: bool = False) -> str:
    """The number that an op computes, or the condition that it requires."""
    return _Writer(op, names).text(conditions)


def exact_divisions(
    op: Constraint,
) -> Iterator[tuple[str, SSAValue, SSAValue]]:
    """The exact divisions of an op: text, dividend and divisor."""
    if not op.res:
        return
    writer = _Writer(op, parameter_names(op))
    writer.text()
    for division in writer.exact:
        yield writer.known[division.result][0], division.lhs, division.rhs


def parameter_names(op: Constraint) -> tuple[str, ...]:
    """The names of the parameters: a knob's name, or a constant's value."""
    return tuple(parameter_name(param) for param in op.params)


def parameter_name(param: SSAValue) -> str:
    """The name of a parameter in an expression."""
    owner = param.owner
    if isinstance(owner, KnobOp):
        return owner.knob_name.data
    if isinstance(owner, SelectedRegionOp):
        return owner.alternatives_name.data
    if isinstance(owner, ParamConstantOp) and isa(owner.value, IntegerAttr):
        return str(owner.value.value.data)
    if param.name_hint is None and isinstance(owner, Operation) and owner.operands:
        words = payload_number(owner, owner.operands[0].name_hint or "h")
        if words is not None:
            return words
    return param.name_hint or f"p{param.index if isinstance(param, OpResult) else 0}"


class _Writer:
    """Writes values in the order in which they are computed."""

    def __init__(self, op: Constraint, names: Sequence[str]):
        self._op = op
        self._choices: dict[SSAValue, SelectedRegionOp] = {
            argument: param.owner
            for argument, param in zip(op.body.block.args, op.params, strict=True)
            if isinstance(param.owner, SelectedRegionOp)
        }
        self.known: dict[SSAValue, _Written] = {
            argument: (name, _ATOM)
            for argument, name in zip(op.body.block.args, names, strict=True)
        }
        self.exact = list(_exact_divisions(op)) if op.res else []
        self._hidden = {a for d in self.exact for a in _exactness(d, op)}

    def text(self, conditions: bool = False) -> str:
        """The numbers that the body yields, or its conditions."""
        asserted: list[SSAValue] = []
        for nested in self._op.body.block.ops:
            if isinstance(nested, xsmt.AssertOp):
                if conditions or nested not in self._hidden:
                    asserted.append(nested.input)
            elif not isinstance(nested, smt.YieldOp):
                self.known[nested.results[0]] = self._write(nested)
        if self._op.res and not conditions:
            return ", ".join(self.known[value][0] for value in self._op.yielded)
        least = _NOT if len(asserted) > 1 else _OR
        return " and ".join(self._words(value, least) for value in asserted) or "true"

    def _words(self, value: SSAValue, least: int) -> str:
        """The text of a value, in parentheses below the precedence `least`."""
        words, binding = self.known[value]
        return words if binding >= least else f"({words})"

    def _write(self, op: Operation) -> _Written:
        if isinstance(op, smt.IntConstantOp):
            number = op.value.value.data
            return str(number), _ATOM if number >= 0 else _SUM
        if isinstance(op, xsmt.ConstantBoolOp):
            return ("true" if op.value else "false"), _ATOM
        if isinstance(op, xsmt.NotOp):
            return f"not {self._words(op.input, _NOT)}", _NOT
        if (call := self._function(op)) is not None:
            return call, _ATOM
        if (picked := self._picked(op)) is not None:
            return picked, _COMPARISON
        if (power := _tested_power(op)) is not None:
            return self._call("is_pow2", [power]), _ATOM
        sign, binding = _INFIX.get(type(op), ("", _ATOM))
        if isinstance(op, smt.IntCmpOp):
            sign, binding = _SIGNS[op.predicate], _COMPARISON
        if not sign:
            return self._call(op.name.rpartition(".")[2], op.operands), _ATOM
        # Only the first operand may have equal precedence; in comparisons, none.
        first = binding + 1 if binding == _COMPARISON else binding
        words = [
            self._words(operand, first if position == 0 else binding + 1)
            for position, operand in enumerate(op.operands)
        ]
        return f" {sign} ".join(words), binding

    def _call(self, name: str, operands: Sequence[SSAValue]) -> str:
        return f"{name}({', '.join(self._words(value, _OR) for value in operands)})"

    def _function(self, op: Operation) -> str | None:
        """`min(a, b)`, `max(a, b)`, `cdiv(a, b)` and `floordiv(a, b)`."""
        if isinstance(op, smt.IteOp):
            test = op.cond.owner
            pair = [op.then_value, op.else_value]
            if isinstance(test, smt.IntCmpOp) and [test.lhs, test.rhs] == pair:
                name = {"le": "min", "ge": "max"}.get(test.predicate.value)
                return None if name is None else self._call(name, pair)
        if not isinstance(op, smt.IntDivOp) or op in self.exact:
            return None
        if (dividend := _rounded_up(op)) is not None:
            return self._call("cdiv", [dividend, op.rhs])
        return self._call("floordiv", op.operands) if self._op.res else None

    def _picked(self, op: Operation) -> str | None:
        """`tail == fused`."""
        if not isinstance(op, smt.EqOp | smt.DistinctOp) or len(op.operands) != 2:
            return None
        choice, number = op.operands
        constant = number.owner
        if choice not in self._choices or not isinstance(constant, smt.IntConstantOp):
            return None
        label = self._choices[choice].label(constant.value.value.data)
        shown = label if label.isidentifier() else f'"{label}"'
        sign = "==" if isinstance(op, smt.EqOp) else "!="
        return f"{self.known[choice][0]} {sign} {shown}"


def _tested_power(op: Operation) -> SSAValue | None:
    """The number `a` of `2**62 % a == 0 and a > 0`, which is `is_pow2(a)`."""
    if not isinstance(op, xsmt.AndOp) or len(op.operands) != 2:
        return None
    divides, positive = (operand.owner for operand in op.operands)
    if not isinstance(divides, smt.EqOp) or not isinstance(positive, smt.IntCmpOp):
        return None
    rest, number = divides.operands[0].owner, positive.lhs
    is_greater = positive.predicate is smt.IntPredicate.GT
    if not isinstance(rest, smt.IntModOp) or rest.rhs is not number or not is_greater:
        return None
    power = rest.lhs.owner
    is_power = isinstance(power, smt.IntConstantOp) and power.value.value.data == 2**62
    return number if is_power else None


def _rounded_up(op: smt.IntDivOp) -> SSAValue | None:
    """The dividend `a` of `(a + (b - 1)) / b`."""
    added = op.lhs.owner
    if not isinstance(added, smt.IntAddOp) or len(added.inputs) != 2:
        return None
    dividend, less = added.inputs
    if not isinstance(less.owner, smt.IntSubOp) or less.owner.lhs is not op.rhs:
        return None
    one = less.owner.rhs.owner
    is_one = isinstance(one, smt.IntConstantOp) and one.value.value.data == 1
    return dividend if is_one else None


def _exact_divisions(op: Constraint) -> Iterator[smt.IntDivOp]:
    for nested in op.body.block.ops:
        if isinstance(nested, smt.IntDivOp) and any(_exactness(nested, op)):
            yield nested


def _exactness(division: smt.IntDivOp, op: Constraint) -> Iterator[xsmt.AssertOp]:
    """The assertion `a % b == 0` right after `a / b`."""
    following: list[Operation | None] = [division]
    for _ in range(4):
        last = following[-1]
        following.append(None if last is None else last.next_op)
    _, remainder, zero, test, asserted = following
    if (
        isinstance(remainder, smt.IntModOp)
        and [remainder.lhs, remainder.rhs] == [division.lhs, division.rhs]
        and isinstance(zero, smt.IntConstantOp)
        and zero.value.value.data == 0
        and isinstance(test, smt.EqOp)
        and list(test.inputs) == [remainder.result, zero.result]
        and isinstance(asserted, xsmt.AssertOp)
        and asserted.input is test.result
    ):
        yield asserted
