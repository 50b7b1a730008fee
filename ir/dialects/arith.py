"""`arith.select`, comparisons and integer casts on vectors.

xDSL restricts them to scalars. `arith.select` is defined anew; the others are widened
in place, since xDSL's ops cannot be subclassed and everyone tests for their classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    OperandDef,
    ResultDef,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import element_type, is_vector, lanes


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`arith.select`: the condition is an i1, or a vector of them, lane by lane."""

    name = "arith.select"

    T: ClassVar = VarConstraint("T", AnyAttr())
    condition = operand_def()
    true_value = operand_def(T)
    false_value = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())

    def __init__(
        self, condition: SSAValue, true_value: SSAValue, false_value: SSAValue
    ):
        super().__init__(
            operands=[condition, true_value, false_value],
            result_types=[true_value.type],
        )

    def verify_(self) -> None:
        """An i1, or a vector of i1 with the shape of the values."""
        kind = self.condition.type
        if kind == i1:
            return
        value = self.result.type
        if is_vector(kind) and kind.element_type == i1 and lanes(kind) == lanes(value):
            return
        raise VerifyException(
            "expected condition to be an i1 or a vector of i1 with the values' shape"
        )

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        """`%c, %t, %f : [condition type,] type`."""
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        if len(names) != 3:
            parser.raise_error("expected three operands", pos)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        first = parser.parse_type()
        if parser.parse_optional_punctuation(","):
            condition_type, value_type = first, parser.parse_type()
        else:
            condition_type, value_type = i1, first
        op = cls(
            parser.resolve_operand(names[0], condition_type),
            parser.resolve_operand(names[1], value_type),
            parser.resolve_operand(names[2], value_type),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%c, %t, %f : [condition type,] type`."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.condition.type != i1:
            printer.print_attribute(self.condition.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


def _is_float(type_: Attribute) -> bool:
    return isinstance(type_, AnyFloat)


def _is_integer(type_: Attribute) -> bool:
    return isinstance(type_, IntegerType)


def _is_index_or_integer(type_: Attribute) -> bool:
    return isinstance(type_, IntegerType | IndexType)


Kind = Callable[[Attribute], bool]

_CASTS: dict[type[IRDLOperation], tuple[Kind, Kind]] = {
    arith.SIToFPOp: (_is_integer, _is_float),
    arith.UIToFPOp: (_is_integer, _is_float),
    arith.FPToSIOp: (_is_float, _is_integer),
    arith.FPToUIOp: (_is_float, _is_integer),
    arith.ExtSIOp: (_is_integer, _is_integer),
    arith.ExtUIOp: (_is_integer, _is_integer),
    arith.TruncIOp: (_is_integer, _is_integer),
    arith.IndexCastOp: (_is_index_or_integer, _is_index_or_integer),
}
"""What a cast takes and gives, lane by lane."""


def _verify_cast(op: IRDLOperation) -> None:
    op.get_irdl_definition().verify(op)
    given, made = op.operands[0].type, op.results[0].type
    if lanes(given) != lanes(made):
        raise VerifyException("expected the operand and the result of one shape")
    source, target = element_type(given), element_type(made)
    takes, gives = _CASTS[type(op)]
    if not takes(source) or not gives(target):
        raise VerifyException(f"cannot cast {given} to {made}")
    if isinstance(op, arith.IndexCastOp):
        if isinstance(source, IndexType) == isinstance(target, IndexType):
            raise VerifyException("expected an index on exactly one side")
    elif isinstance(source, IntegerType) and isinstance(target, IntegerType):
        from_width: int = source.bitwidth
        to_width: int = target.bitwidth
        truncates = isinstance(op, arith.TruncIOp)
        if from_width == to_width or (to_width < from_width) != truncates:
            raise VerifyException(f"cannot cast {given} to {made}: its width")


def _verify_comparison(op: IRDLOperation) -> None:
    op.get_irdl_definition().verify(op)
    left, right = (operand.type for operand in op.operands)
    takes = _is_float if isinstance(op, arith.CmpfOp) else _is_index_or_integer
    if left != right or not takes(element_type(left)):
        raise VerifyException(f"cannot compare {left} with {right}")
    result = op.results[0].type
    if element_type(result) != i1 or lanes(result) != lanes(left):
        raise VerifyException("expected an i1 for each pair of lanes")


def _widen(op: type[IRDLOperation], verify: Callable[[IRDLOperation], None]) -> None:
    """Let an op of xDSL take vectors too; `verify` checks it from now on."""
    definition = op.get_irdl_definition()
    definition.operands = [(n, OperandDef(AnyAttr())) for n, _ in definition.operands]
    definition.results = [(n, ResultDef(AnyAttr())) for n, _ in definition.results]
    setattr(op, "verify_", verify)  # noqa: B010
    if not op.has_trait(Pure):
        op.traits.add_trait(Pure())


def _on_lanes(op: type[arith.CmpiOp] | type[arith.CmpfOp]) -> None:
    """Let a comparison give one i1 for each lane, however it is built."""
    _widen(op, _verify_comparison)
    build: Callable[..., None] = op.__init__

    def init(self: arith.CmpiOp | arith.CmpfOp, *args: Any, **kwargs: Any) -> None:
        build(self, *args, **kwargs)
        shape = lanes(self.lhs.type)
        if shape is not None:
            Rewriter.replace_value_with_new_type(self.result, VectorType(i1, shape))

    setattr(op, "__init__", init)  # noqa: B010


for _cast in _CASTS:
    _widen(_cast, _verify_cast)
for _comparison in (arith.CmpiOp, arith.CmpfOp):
    _on_lanes(_comparison)

Arith = Dialect(
    "arith",
    [
        *(op for op in arith.Arith.operations if op.name != "arith.select"),
        SelectOp,
    ],
    [*arith.Arith.attributes],
)
