"""`transform.smt.constrain_params`: a condition on parameters, or numbers made of them.

    transform.smt.constrain_params(%BM, %BN) : (...) -> () {
    ^bb0(%m: !smt.int, %n: !smt.int):
      %area = smt.int.mul %m, %n
      %limit = smt.int.constant 16384
      %fits = smt.int.cmp le %area, %limit
      smt.assert %fits
    }
    %BK = transform.smt.constrain_params(%BM) : (!transform.param<i64>) -> ... {
    ^bb0(%m: !smt.int):
      %c2 = smt.int.constant 2
      %half = smt.int.div %m, %c2
      smt.yield %half : !smt.int
    }

Upstream parses the op and cannot run it; ours evaluates it. A violated constraint is a
silenceable failure: this point of the space is not to be tried. A parameter that stands
for a choice which is not open has no value, and a constraint on it nothing to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import smt as xsmt
from xdsl.dialects.builtin import FunctionType, IntegerAttr, IntegerType
from xdsl.dialects.smt import BoolType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
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
from tilewright.ir.errors import SilenceableFailure
from tilewright.transforms.control.choices.choice import CLOSED_BY_DEFAULT
from tilewright.transforms.control.choices.constraint_text import (
    exact_divisions,
    expression,
    parameter_names,
)
from tilewright.transforms.control.choices.formulas import Formula, FormulaBuilder
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.core.base import (
    ParamType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.param_constant import ParamConstantOp


class ExcludedPoint(SilenceableFailure):
    """A condition of the schedule does not hold at this point."""


@irdl_op_definition
class ConstrainParamsOp(TransformOp):
    """A condition on parameters, and numbers computed from them."""

    name = "transform.smt.constrain_params"

    params = var_operand_def(TransformParamHandleType)
    res = var_result_def(TransformParamHandleType)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(
        self,
        params: Sequence[SSAValue],
        body: Region,
        result_types: Sequence[Attribute] = (),
    ):
        super().__init__(operands=[params], regions=[body], result_types=[result_types])

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The values of the body that its results stand for."""
        last = self.body.block.last_op
        return last.values if isinstance(last, smt.YieldOp) else ()

    def verify_(self) -> None:
        """One value of the body for each parameter, one for each result."""
        if len(self.body.block.args) != len(self.params):
            raise VerifyException(
                f"its body takes {len(self.body.block.args)} values, "
                f"it is given {len(self.params)} parameters"
            )
        for argument in self.body.block.args:
            if not isinstance(argument.type, smt.IntType | BoolType):
                raise VerifyException(f"cannot constrain a value of {argument.type}")
        if len(self.yielded) != len(self.res):
            raise VerifyException(
                f"has {len(self.res)} results, its body yields {len(self.yielded)}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> ConstrainParamsOp:
        """`(%a, %b) : (types) -> (types) { ... }`."""
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
        """`(%a, %b) : (types) -> (types) { ... }`."""
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
        """Refuse values that violate the constraint; compute the results."""
        if not self.res and any(not state.params(param) for param in self.params):
            return
        values = [state.integer(self, param) for param in self.params]
        results = compute(self, values)
        if results is None:
            refused = self.refuse(
                f"{violated(self, values)} for {described_values(self, values)}",
                remedy="choose other values, or relax the constraint",
            )
            raise ExcludedPoint(refused.fact, refused.place, refused.remedy)
        for result, value in zip(self.res, results, strict=True):
            state.set_params(result, [self._attribute(result, value, values)])

    def _attribute(
        self, result: SSAValue, value: int, values: Sequence[int]
    ) -> Attribute:
        of = result.type.type if isinstance(result.type, ParamType) else None
        if not isa(of, IntegerType):
            raise self.broken("its result is a whole number of no width")
        if not -(1 << of.width.data - 1) <= value < 1 << of.width.data - 1:
            raise self.refuse(
                f"{text(self)} is {value} for {described_values(self, values)}, which "
                f"does not fit in {of}",
            )
        return IntegerAttr(value, of)

    def title(self) -> str:
        """`require` for a condition, the op's name where it computes numbers."""
        return "compute" if self.res else super().title()


def evaluate(op: ConstrainParamsOp, values: Sequence[int]) -> bool:
    """Whether the constraint holds for these values of its parameters, in order."""
    return compute(op, values) is not None


def compute(op: ConstrainParamsOp, values: Sequence[int]) -> list[int] | None:
    """The results for these values of its parameters; None if it does not hold.

    Where it divides by zero it does not hold: the solvers leave that case undefined.
    """
    builder = FormulaBuilder()
    given = [builder.constant(value) for value in values]
    return formula(op, builder, given).values(())


def folded(op: ConstrainParamsOp) -> list[Attribute] | None:
    """The results, if every parameter is constant and the condition holds."""
    values: list[int] = []
    for param in op.params:
        value = param.owner.value if isinstance(param.owner, ParamConstantOp) else None
        if not isa(value, IntegerAttr):
            return None
        values.append(value.value.data)
    results = compute(op, values)
    if results is None or any(not -(1 << 63) <= value < 1 << 63 for value in results):
        return None
    types = [of.type for of in op.res.types if isinstance(of, ParamType)]
    if len(types) < len(results) or not all(isinstance(t, IntegerType) for t in types):
        return None
    pairs = zip(results, types, strict=True)
    return [IntegerAttr(value, of) for value, of in pairs if isa(of, IntegerType)]


def violated(op: ConstrainParamsOp, values: Sequence[int]) -> str:
    """The part that is violated: the condition, or an inexact division."""
    for words, number, divisor in exact_divisions(op):
        builder = FormulaBuilder()
        given = [builder.constant(value) for value in values]
        numbers = instructions(op, builder, given)
        parts = builder.formula((), [numbers[number], numbers[divisor]]).values(())
        if parts is None or not parts[1] or parts[0] % parts[1]:
            return f"{words} is not a whole number"
    return f"{text(op)} does not hold"


def condition_text(op: ConstrainParamsOp, names: Sequence[str]) -> str:
    """The condition as text; for a computed number, that it is whole."""
    return expression(op, names, conditions=True)


def text(op: ConstrainParamsOp, names: Sequence[str] | None = None) -> str:
    """The condition, or the number, as an expression of the schedule language."""
    return expression(op, parameter_names(op) if names is None else names)


def described_values(op: ConstrainParamsOp, values: Sequence[int]) -> str:
    """`BM = 64, tail = fused (the default)`."""
    shown: dict[str, str] = {}
    for name, param, value in zip(parameter_names(op), op.params, values, strict=True):
        if isinstance(param.owner, SelectedRegionOp):
            shown[name] = param.owner.label(value)
        elif name != str(value):
            shown[name] = str(value)
        owner = param.owner
        by_default = isinstance(owner, Operation) and (
            CLOSED_BY_DEFAULT in owner.attributes
        )
        if name in shown and by_default:
            shown[name] += " (the default)"
    return ", ".join(f"{n} = {v}" for n, v in shown.items()) or "these constants"


# -- as data ---------------------------------------------------------------------

_KINDS: Mapping[type[Operation], str] = {
    smt.IntAddOp: "+",
    smt.IntMulOp: "*",
    smt.IntSubOp: "-",
    smt.IntDivOp: "/",
    smt.IntModOp: "%",
    smt.IntAbsOp: "abs",
    smt.EqOp: "==",
    smt.DistinctOp: "!=",
    smt.IteOp: "ite",
    xsmt.AndOp: "and",
    xsmt.OrOp: "or",
    xsmt.XOrOp: "xor",
    xsmt.NotOp: "not",
    xsmt.ImpliesOp: "implies",
}

_COMPARE: Mapping[smt.IntPredicate, str] = {
    smt.IntPredicate.LT: "<",
    smt.IntPredicate.LE: "<=",
    smt.IntPredicate.GT: ">",
    smt.IntPredicate.GE: ">=",
}


def formula(
    op: ConstrainParamsOp, builder: FormulaBuilder, given: Sequence[int]
) -> Formula:
    """The op as a formula; `given` has the instructions of its parameters."""
    numbers = instructions(op, builder, given)
    asserted = [numbers[one.input] for one in asserts(op)]
    return builder.formula(asserted, [numbers[value] for value in op.yielded])


def instructions(
    op: ConstrainParamsOp, builder: FormulaBuilder, given: Sequence[int]
) -> dict[SSAValue, int]:
    """Add the body to `builder`; returns the instruction of each value."""
    numbers: dict[SSAValue, int] = {}
    numbers.update(zip(op.body.block.args, given, strict=True))
    for nested in op.body.block.ops:
        if isinstance(nested, xsmt.AssertOp | smt.YieldOp):
            continue
        operands = [numbers[operand] for operand in nested.operands]
        if isinstance(nested, smt.IntConstantOp):
            number = builder.constant(nested.value.value.data)
        elif isinstance(nested, xsmt.ConstantBoolOp):
            number = builder.constant(int(nested.value))
        elif isinstance(nested, smt.IntCmpOp):
            number = builder.add(_COMPARE[nested.predicate], *operands)
        elif (kind := _KINDS.get(type(nested))) is not None:
            number = builder.add(kind, *operands)
        else:
            raise op.broken(f"cannot evaluate '{nested.name}'", nested)
        numbers[nested.results[0]] = number
    return numbers


def asserts(op: ConstrainParamsOp) -> list[xsmt.AssertOp]:
    """The asserted conditions of the body, in order."""
    return [o for o in op.body.block.ops if isinstance(o, xsmt.AssertOp)]
