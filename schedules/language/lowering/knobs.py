"""Lowers knobs: the options that a list or a function names, and the default.

    BM = 128 of [64, 128]      BK = knob pow2(16, min(BM, dim(mm, 2)))

The options of a knob are constants in the IR, so that the search space is known before
a run. Where they depend on other knobs or on the payload, the knob lists every value
that is possible, and a condition after it says which of them are allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import UserError
from tilewright.schedules.language.lowering.conditions import (
    condition_op,
    folded,
    number_op,
)
from tilewright.schedules.language.lowering.scope import Scope, attribute_of
from tilewright.schedules.language.syntax import (
    OPTION_FUNCTIONS,
    Argument,
    Call,
    Items,
    Knob,
    Literal,
    Name,
    Operator,
    Value,
)
from tilewright.schedules.language.verbs.attribute_text import text_of
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp, compute
from tilewright.transforms.control.choices.knob_options import MOST
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import listed_values, value_of
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import ElemBitsOp

_LARGEST_TILE = 1 << 20
"""The most elements of a tile in Triton: no size of the payload matters above it."""
_WIDTHS = (1, 8, 16, 32, 64)
"""The bits that an element may have."""


def lower_knob(knob: Knob, scope: Scope) -> SSAValue:
    """Add the op of a knob, and the condition on its options if there is one."""
    name = knob.label or knob.target.text
    known = _Names(scope, knob.target)
    options, condition = _options(name, knob, known)
    default = _default(name, knob, options)
    op = KnobOp(name, options, default=default)
    scope.add(op, knob.target.place, "knob")
    if condition is not None:
        known.value = op.result
        scope.add(condition_op(condition, known), knob.target.place, "knob")
    return op.result


@dataclass
class _Names:
    """The names around a knob, and the knob itself once it is made."""

    scope: Scope
    target: Name
    value: SSAValue | None = None

    def __post_init__(self) -> None:
        self._measured: dict[Call, SSAValue] = {}

    def number(self, name: Name, user: str) -> SSAValue | None:
        if name is self.target:
            return self.value
        if name.text == self.target.text:
            raise UserError(
                f"the options of knob '{name.text}' depend on '{name.text}'",
                name.place,
                "give the knob another name",
            )
        return self.scope.number(name, user)

    def labels(self, name: str) -> Sequence[str] | None:
        return None if name == self.target.text else self.scope.labels(name)

    def selected(self, name: Name) -> SSAValue:
        return self.scope.selected(name)

    def unknown(self, name: Name) -> UserError:
        return self.scope.unknown(name)

    def measured(self, call: Call, user: str) -> SSAValue | None:
        """A number of the payload; each is read once."""
        if call not in self._measured:
            found = self.scope.measured(call, user)
            if found is None:
                return None
            self._measured[call] = found
        return self._measured[call]


# -- options -----------------------------------------------------------------------


def _options(
    name: str, knob: Knob, names: _Names
) -> tuple[list[Attribute], Value | None]:
    """The options that are possible, and the condition that they must satisfy."""
    if isinstance(knob.options, Items):
        return _listed(name, knob, knob.options, names)
    found, condition = _made(name, knob, knob.options, names)
    if not found:
        raise UserError(
            f"knob '{name}' has no options",
            knob.options.place,
            "its first value is larger than its last",
        )
    return [attribute_of(Literal(value)) for value in found], condition


def _listed(
    name: str, knob: Knob, items: Items, names: _Names
) -> tuple[list[Attribute], Value | None]:
    """The options of a list, which must be different and of one type."""
    options: dict[Attribute, None] = {}
    kinds: set[type] = set()
    tests: list[Value] = []
    is_fixed = True
    for item in items.items:
        value = _folded(name, item)
        tests.append(Operator("==", (knob.target, value), place=item.place))
        if not isinstance(value, Literal):
            is_fixed = False
            kinds.add(int)
            for number in sorted(_possible(name, value, names)):
                options[attribute_of(Literal(number))] = None
            continue
        kinds.add(type(value.value))
        if len(kinds) > 1:
            raise UserError(
                f"the options of knob '{name}' are of different kinds",
                item.place,
                "give numbers only, or strings only",
            )
        option = attribute_of(value)
        if option in options and is_fixed:
            raise UserError(
                f"knob '{name}' lists an option twice", item.place, "list it once"
            )
        options[option] = None
    if not options:
        raise UserError(f"knob '{name}' has no options", items.place, "list its values")
    if is_fixed:
        return list(options), None
    ordered = sorted(options, key=lambda option: int(value_of(option)))
    condition = tests[0]
    for test in tests[1:]:
        condition = Operator("or", (condition, test), place=test.place)
    return ordered, condition


def _made(
    name: str, knob: Knob, call: Call, names: _Names
) -> tuple[list[int], Value | None]:
    """The options of `pow2(first, last)` or `range(first, last, step)`."""
    function = call.function.text
    usage = f"write: {OPTION_FUNCTIONS[function]}"
    arguments = [_folded(name, argument) for argument in call.arguments]
    is_range = function == "range"
    if not 2 <= len(arguments) <= 2 + is_range:
        raise UserError(
            f"{function}: it takes a first and a last value"
            + (" and a step" if is_range else ""),
            call.place,
            usage,
        )
    step = arguments[2] if len(arguments) == 3 else Literal(1, place=call.place)
    fixed = (arguments[0], step) if is_range else (step,)
    for argument in fixed:
        if not isinstance(argument, Literal):
            raise UserError(
                "range: its first value and its step are constants",
                argument.place,
                f"{usage}; the last value may be an expression",
            )
    first, last, distance = (
        _possible(name, argument, names, bounds=True)
        for argument in (arguments[0], arguments[1], step)
    )
    low, high, by = min(first), max(last), min(distance)
    if low < 1 or by < 1:
        at = arguments[0] if low < 1 else step
        raise UserError(
            f"{function}: its values are whole numbers, 1 or more", at.place, usage
        )
    if not is_range:
        _refuse_other_ends(arguments, call)
    if is_range:
        found = list(islice(range(low, high + 1, by), MOST + 1))
    else:
        found = [1 << n for n in range(high.bit_length()) if low <= 1 << n <= high]
    if len(found) > MOST:
        raise UserError(
            f"knob '{name}' has more than {MOST} options",
            call.place,
            "bound them: range(16, min(dim(h, 0), 512), 16)",
        )
    condition: Value | None = None
    for bound, sign in ((arguments[0], ">="), (arguments[1], "<=")):
        if isinstance(bound, Literal):
            continue
        test = Operator(sign, (knob.target, bound), place=bound.place)
        condition = (
            test
            if condition is None
            else Operator("and", (condition, test), place=test.place)
        )
    return found, condition


def _refuse_other_ends(ends: Sequence[Value], call: Call) -> None:
    """Both ends of `pow2(first, last)` are powers of two, where they are constants."""
    for end in ends:
        number = end.value if isinstance(end, Literal) else None
        if isinstance(number, int) and number & (number - 1):
            below = 1 << number.bit_length() - 1
            raise UserError(
                f"{call.function.text}: {number} is not a power of two",
                end.place,
                f"give {below} or {2 * below}; both ends are options",
            )


def _folded(name: str, item: Argument) -> Value:
    """An option, with constant expressions folded."""
    if not isinstance(item, Literal | Name | Operator | Call):
        raise UserError(
            f"an option of knob '{name}' is not a number or a string",
            item.place,
            "list values such as 64, or expressions such as BM / 2",
        )
    return folded(item, f"knob '{name}'")


# -- the values that an expression may have ------------------------------------------


def _possible(
    name: str, value: Value, names: _Names, *, bounds: bool = False
) -> set[int]:
    """The values of an expression; with `bounds`, its smallest and largest suffice."""
    user = f"knob '{name}'"
    if isinstance(value, Literal):
        if isinstance(value.value, bool) or not isinstance(value.value, int):
            raise UserError(f"{user}: expected a whole number", value.place, "as 64")
        return {value.value}
    # `a + 0` makes an operator of a name, so that one function reads all expressions.
    whole = Operator("+", (value, Literal(0)), place=value.place)
    expression = value if isinstance(value, Operator) else whole
    op = number_op(expression, names, user)
    try:
        ranges = [_range(param) for param in op.params]
        if any(range_ is None for range_ in ranges) and not bounds:
            raise UserError(
                f"{user}: an option depends on a number that is known only in a run",
                value.place,
                "bound the options by it: pow2(16, dim(h, 0))",
            )
        given = [
            (1, _LARGEST_TILE) if range_ is None else tuple(range_) for range_ in ranges
        ]
        if prod(map(len, given)) > MOST:
            raise UserError(
                f"{user}: an option depends on too many values",
                value.place,
                f"there are more than {MOST} combinations; depend on fewer knobs",
            )
        found = {
            results[0]
            for values in product(*given)
            if (results := compute(op, values)) is not None
        }
    finally:
        op.erase(safe_erase=False)
    if not found:
        raise UserError(
            f"{user}: an option has no value at any point",
            value.place,
            "its division leaves a remainder; use floordiv(a, b) or cdiv(a, b)",
        )
    return found


def _range(param: SSAValue) -> tuple[int, ...] | None:
    """The values that a parameter may have; None where only a run knows them."""
    owner = param.owner
    if isinstance(owner, KnobOp):
        chosen = (owner.value,) if owner.value is not None else owner.values
        return tuple(v for v in chosen if isinstance(v, int)) or None
    if isinstance(owner, ParamConstantOp) and isa(owner.value, IntegerAttr):
        return (owner.value.value.data,)
    if isinstance(owner, ElemBitsOp):
        return _WIDTHS
    if isinstance(owner, ConstrainParamsOp):
        return tuple(sorted(set(_computed(owner, param)))) or None
    return None


def _computed(op: ConstrainParamsOp, result: SSAValue) -> Iterator[int]:
    """The values of a computed number, as far as they are few enough to list."""
    ranges = [_range(param) for param in op.params]
    known = [range_ for range_ in ranges if range_ is not None]
    if len(known) < len(ranges) or prod(map(len, known)) > MOST:
        return
    position = [one is result for one in op.res].index(True)
    for values in product(*known):
        results = compute(op, values)
        if results is not None:
            yield results[position]


# -- the default ---------------------------------------------------------------------


def _default(name: str, knob: Knob, options: Sequence[Attribute]) -> Attribute | None:
    """The default of a knob, which must be one of its options."""
    if knob.default is None:
        return None
    default = attribute_of(knob.default)
    if default not in options:
        values = [value_of(option) for option in options]
        raise UserError(
            f"the default of knob '{name}', {text_of(default)}, is not among its "
            "options",
            knob.default.place,
            f"choose one of {listed_values(values)}",
        )
    return default
