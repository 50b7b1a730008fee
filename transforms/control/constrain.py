"""`transform.smt.constrain_params`: a condition that a schedule's parameters satisfy.

    transform.smt.constrain_params(%BM, %BN) : (...) -> () {
    ^bb0(%m: !smt.int, %n: !smt.int):
      %area = smt.int.mul %m, %n
      %limit = smt.int.constant 16384
      %fits = smt.int.cmp le %area, %limit
      smt.assert %fits
    }

Upstream parses the op and cannot run it; ours evaluates it. A violated constraint is a
silenceable failure: this point of the space is not to be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from math import prod
from typing import ClassVar, TypeAlias

from xdsl.dialects import smt as xsmt
from xdsl.dialects.builtin import FunctionType, IntegerAttr
from xdsl.dialects.smt import BoolType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.dialects import smt
from tilewright.transforms.base import TransformOp, TransformParamHandleType
from tilewright.transforms.control.tune import KnobOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.state import TransformState

Scalar: TypeAlias = int | bool


@irdl_op_definition
class ConstrainParamsOp(TransformOp):
    """A condition that parameters satisfy."""

    name = "transform.smt.constrain_params"

    params = var_operand_def(TransformParamHandleType)
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    VERB: ClassVar[str | None] = "require"

    def __init__(
        self,
        params: Sequence[SSAValue],
        body: Region,
        result_types: Sequence[Attribute] = (),
    ):
        super().__init__(operands=[params], regions=[body], result_types=[result_types])

    def verify_(self) -> None:
        """One integer or boolean of the body for each parameter."""
        if len(self.body.block.args) != len(self.params):
            raise VerifyException(
                f"its body takes {len(self.body.block.args)} values, "
                f"it is given {len(self.params)} parameters"
            )
        for argument in self.body.block.args:
            if not isinstance(argument.type, smt.IntType | BoolType):
                raise VerifyException(f"cannot constrain a value of {argument.type}")
        if self.res:
            raise VerifyException("with results is not supported: assert in the body")

    @classmethod
    def parse(cls, parser: Parser) -> ConstrainParamsOp:
        """`(%a, %b) : (types) -> () { ... }`."""
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        params = parser.resolve_operands(names, signature.inputs.data, pos)
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        op = cls(params, body, signature.outputs.data)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`(%a, %b) : (types) -> () { ... }`."""
        with printer.in_parens():
            printer.print_list(self.params, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists(self.params.types, self.res.types)
        )
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    def apply(self, state: TransformState) -> None:
        """Refuse values that violate the constraint."""
        values = [state.integer(self, param) for param in self.params]
        if not evaluate(self, values):
            given = dict(zip(parameter_names(self), values, strict=True))
            shown = ", ".join(
                f"{name} = {value}"
                for name, value in given.items()
                if name != str(value)
            )
            raise self.refuse(
                f"{text(self)} does not hold for {shown or 'these constants'}",
                remedy="choose other values, or relax the constraint",
            )


def evaluate(op: ConstrainParamsOp, values: Sequence[int]) -> bool:
    """Whether the constraint holds for these values of its parameters, in order.

    Where it divides by zero it does not hold: the solvers leave that case undefined.
    """
    known: dict[SSAValue, Scalar] = dict(zip(op.body.block.args, values, strict=True))
    holds = True
    for nested in op.body.block.ops:
        if isinstance(nested, xsmt.AssertOp):
            holds = holds and bool(known[nested.input])
            continue
        operands = [known[operand] for operand in nested.operands]
        try:
            known[nested.results[0]] = _compute(op, nested, operands)
        except ZeroDivisionError:
            return False
    return holds


def parameter_names(op: ConstrainParamsOp) -> tuple[str, ...]:
    """What people call the parameters: the knob's name, the constant's value."""
    return tuple(_parameter_name(param) for param in op.params)


def text(op: ConstrainParamsOp, names: Sequence[str] | None = None) -> str:
    """The constraint as an expression of the schedule language."""
    names = parameter_names(op) if names is None else names
    known: dict[SSAValue, _Written] = {
        argument: (name, _ATOM)
        for argument, name in zip(op.body.block.args, names, strict=True)
    }
    parts = [
        _written(nested.input, known, _NOT if len(_asserts(op)) > 1 else _OR)
        for nested in _asserts(op)
    ]
    return " and ".join(parts) or "true"


def _asserts(op: ConstrainParamsOp) -> list[xsmt.AssertOp]:
    return [o for o in op.body.block.ops if isinstance(o, xsmt.AssertOp)]


def _parameter_name(param: SSAValue) -> str:
    owner = param.owner
    if isinstance(owner, KnobOp):
        return owner.knob_name.data
    if isinstance(owner, ParamConstantOp) and isa(owner.value, IntegerAttr):
        return str(owner.value.value.data)
    return param.name_hint or f"p{param.index if isinstance(param, OpResult) else 0}"


# -- numbers ---------------------------------------------------------------------


def _compute(
    op: ConstrainParamsOp, nested: Operation, operands: Sequence[Scalar]
) -> Scalar:
    if isinstance(nested, smt.IntConstantOp):
        return nested.value.value.data
    if isinstance(nested, xsmt.ConstantBoolOp):
        return nested.value
    if isinstance(nested, smt.IntCmpOp):
        return _COMPARE[nested.predicate](*operands)
    if (function := _FUNCTIONS.get(type(nested))) is None:
        raise op.broken(f"cannot evaluate '{nested.name}'", nested)
    return function(operands)


_COMPARE: Mapping[smt.IntPredicate, Callable[[int, int], bool]] = {
    smt.IntPredicate.LT: lambda a, b: a < b,
    smt.IntPredicate.LE: lambda a, b: a <= b,
    smt.IntPredicate.GT: lambda a, b: a > b,
    smt.IntPredicate.GE: lambda a, b: a >= b,
}

_FUNCTIONS: Mapping[type[Operation], Callable[[Sequence[int]], Scalar]] = {
    smt.IntAddOp: sum,
    smt.IntMulOp: prod,
    smt.IntSubOp: lambda v: v[0] - v[1],
    smt.IntDivOp: lambda v: v[0] // v[1] if v[1] > 0 else -(v[0] // -v[1]),
    smt.IntModOp: lambda v: v[0] % abs(v[1]),
    smt.IntAbsOp: lambda v: abs(v[0]),
    smt.EqOp: lambda v: all(a == b for a, b in pairwise(v)),
    smt.DistinctOp: lambda v: all(a != b for a, b in combinations(v, 2)),
    smt.IteOp: lambda v: v[1] if v[0] else v[2],
    xsmt.AndOp: all,
    xsmt.OrOp: any,
    xsmt.XOrOp: lambda v: sum(v) % 2 == 1,
    xsmt.NotOp: lambda v: not v[0],
    xsmt.ImpliesOp: lambda v: not v[0] or bool(v[1]),
}


# -- words -----------------------------------------------------------------------

_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _ATOM = range(7)
"""How tightly each form binds; an operand that binds less stands in parentheses."""

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


def _written(value: SSAValue, known: dict[SSAValue, _Written], least: int) -> str:
    """The expression behind `value`, in parentheses if it binds less than `least`."""
    if value not in known:
        assert isinstance(value.owner, Operation)
        known[value] = _write(value.owner, known)
    words, binding = known[value]
    return words if binding >= least else f"({words})"


def _write(op: Operation, known: dict[SSAValue, _Written]) -> _Written:
    if isinstance(op, smt.IntConstantOp):
        number = op.value.value.data
        return str(number), _ATOM if number >= 0 else _SUM
    if isinstance(op, xsmt.ConstantBoolOp):
        return ("true" if op.value else "false"), _ATOM
    if isinstance(op, xsmt.NotOp):
        return f"not {_written(op.input, known, _NOT)}", _NOT
    sign, binding = _INFIX.get(type(op), ("", _ATOM))
    if isinstance(op, smt.IntCmpOp):
        sign, binding = _SIGNS[op.predicate], _COMPARISON
    if not sign:
        inner = ", ".join(_written(operand, known, _OR) for operand in op.operands)
        return f"{op.name.rpartition('.')[2]}({inner})", _ATOM
    # Only the first operand may bind equally: a - (b - c), and comparisons not at all.
    first = binding + 1 if binding == _COMPARISON else binding
    words = [
        _written(operand, known, first if position == 0 else binding + 1)
        for position, operand in enumerate(op.operands)
    ]
    return f" {sign} ".join(words), binding
