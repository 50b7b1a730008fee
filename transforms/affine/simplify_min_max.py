"""`affine.simplify_bounded_affine_ops`, `affine.simplify_min_max_affine_ops`.

Before:
    %lane = gpu.lane_id
    %size = affine.min affine_map<()[s0] -> (50, -s0 + 100)>()[%lane]

After, with %lane within [0] and [32]:
    %size = affine.apply affine_map<()[s0] -> (50)>()[%lane]

    transform.affine.simplify_bounded_affine_ops %mins with [%lane : !transform.any_op]
        within [0] and [32] : !transform.any_op
    transform.affine.simplify_min_max_affine_ops %mins : !transform.any_op

A minimum or maximum becomes an `affine.apply` if it always takes the same of its
candidates. The first op trusts the script for the
bounds of values, the upper one not included; the second knows only loops and constants.

Requires: `affine.min` and `affine.max`; bounded ops with one index as their result.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.indexing.intervals import UNKNOWN, Interval
from tilewright.ir.indexing.ranges import PROVEN, Ranges
from tilewright.transforms.cleanup.patterns.affine import MIN_MAX
from tilewright.transforms.cleanup.patterns.scf.loop_bounds import decide
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.state import TransformState


class _SimplifyOp(TransformOp):
    """Simplify minima and maxima; consumes the target."""

    target = operand_def(TransformOpHandleType)

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is replaced by other ops."""
        return (self.target,)

    def ranges(self, state: TransformState) -> Ranges:
        """What is known of values."""
        return PROVEN

    def apply(self, state: TransformState) -> None:
        """Decide each minimum and maximum, if that can be done."""
        ranges = self.ranges(state)
        targets = state.payload_ops(self.target)
        for op in targets:
            if op.name not in MIN_MAX:
                raise self.broken(
                    f"'{op.name}' is neither affine.min nor affine.max",
                    op,
                    "match these two",
                )
        for op in targets:
            decide(op, ranges, state.rewriter)


@irdl_op_definition
class SimplifyBoundedAffineOpsOp(_SimplifyOp):
    """Simplify minima and maxima by bounds that the script gives."""

    name = "transform.affine.simplify_bounded_affine_ops"

    target = operand_def(TransformOpHandleType)
    bounded_values = var_operand_def(TransformOpHandleType)
    lower_bounds = prop_def(DenseArrayBase.constr(i64))
    upper_bounds = prop_def(DenseArrayBase.constr(i64))

    @classmethod
    def parse(cls, parser: Parser) -> SimplifyBoundedAffineOpsOp:
        """`%t with [%v : type] within [0] and [32] : type`."""
        target = parser.parse_unresolved_operand()
        parser.parse_keyword("with")
        values: Sequence[SSAValue] = ()
        parser.parse_punctuation("[")
        if parser.parse_optional_punctuation("]") is None:
            pos = parser.pos
            names = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_unresolved_operand
            )
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
            values = parser.resolve_operands(names, types, pos)
            parser.parse_punctuation("]")
        bounds: list[DenseArrayBase] = []
        for word in ("within", "and"):
            parser.parse_keyword(word)
            numbers = parser.parse_comma_separated_list(
                Parser.Delimiter.SQUARE, parser.parse_integer
            )
            bounds.append(DenseArrayBase.from_list(i64, numbers))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls.build(
            operands=[parser.resolve_operand(target, parser.parse_type()), values],
            properties={"lower_bounds": bounds[0], "upper_bounds": bounds[1]},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%t with [%v : type] within [0] and [32] : type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_string(" with [")
        if self.bounded_values:
            printer.print_list(self.bounded_values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(self.bounded_values.types, printer.print_attribute)
        printer.print_string("] within ")
        printer.print_string(str(list(self.lower_bounds.get_values())))
        printer.print_string(" and ")
        printer.print_string(str(list(self.upper_bounds.get_values())))
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)

    def verify_(self) -> None:
        """Check that there are two bounds for each handle."""
        for words, bounds in (
            ("lower", self.lower_bounds),
            ("upper", self.upper_bounds),
        ):
            if len(bounds) != len(self.bounded_values):
                raise VerifyException(
                    f"incorrect number of {words} bounds, expected "
                    f"{len(self.bounded_values)} but found {len(bounds)}"
                )

    def ranges(self, state: TransformState) -> Ranges:
        """The bounds that the script gives."""
        known: dict[SSAValue, Interval] = {}
        for handle, low, end in zip(
            self.bounded_values,
            self.lower_bounds.get_values(),
            self.upper_bounds.get_values(),
            strict=True,
        ):
            for op in state.payload_ops(handle):
                if len(op.results) != 1 or op.results[0].type != IndexType():
                    raise self.broken("a bounded op has one index as its result", op)
                if op in state.payload_ops(self.target):
                    raise self.broken("a target cannot be bounded itself", op)
                known[op.results[0]] = (int(low), int(end) - 1)
        return Ranges(lambda value: known.get(value, UNKNOWN))


@irdl_op_definition
class SimplifyMinMaxAffineOpsOp(_SimplifyOp):
    """Simplify minima and maxima by the ranges of loops."""

    name = "transform.affine.simplify_min_max_affine_ops"

    target = operand_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` type($target)"
