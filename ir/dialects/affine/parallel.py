"""affine.parallel: a nest of parallel loops whose bounds are maps.

affine.parallel (%i, %j) = (0, %n) to (min(100, %n), %n + 4) step (1, 2) {...}
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.affine.expressions import (
    ValueExpressions,
    print_expression,
)
from tilewright.ir.dialects.affine.loops import YieldOp, parse_body, print_body
from tilewright.ir.dialects.scf.branches import parse_result_types


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """A nest of parallel loops; each result combines what all iterations yield."""

    name = "affine.parallel"

    REDUCTIONS: ClassVar = (
        *("addf", "addi", "assign", "andi", "maximumf", "maxsi", "maxui", "minimumf"),
        *("minsi", "minui", "muli", "mulf", "ori", "xori", "maxnumf", "minnumf"),
    )
    """The kinds of reductions, by the number that stands for them."""

    map_operands = var_operand_def(IndexType())
    reductions = prop_def(ArrayAttr[IntegerAttr])
    lower_map = prop_def(AffineMapAttr, prop_name="lowerBoundsMap")
    lower_groups = prop_def(DenseIntElementsAttr, prop_name="lowerBoundsGroups")
    upper_map = prop_def(AffineMapAttr, prop_name="upperBoundsMap")
    upper_groups = prop_def(DenseIntElementsAttr, prop_name="upperBoundsGroups")
    steps = prop_def(ArrayAttr[IntegerAttr])
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())

    def bounds(self, name: str) -> list[tuple[AffineExpr, ...]]:
        """The bounds of each loop, `lower` or `upper`: it has the extreme of them."""
        map = (self.lower_map if name == "lower" else self.upper_map).data
        groups = self.lower_groups if name == "lower" else self.upper_groups
        ends = list(accumulate(_sizes(groups)))
        return [
            map.results[start:end] for start, end in zip([0, *ends], ends, strict=False)
        ]

    def operands_of(self, name: str) -> Sequence[SSAValue]:
        """The values of the map of `lower` or `upper` bounds."""
        lower = self.lower_map.data
        first = lower.num_dims + lower.num_symbols
        return (
            self.map_operands[:first] if name == "lower" else self.map_operands[first:]
        )

    def verify_(self) -> None:
        """There is a lower and an upper bound and a step for each loop."""
        maps = (self.lower_map.data, self.upper_map.data)
        if len(self.map_operands) != sum(m.num_dims + m.num_symbols for m in maps):
            raise VerifyException("has other operands than its maps take")
        count = len(self.steps.data)
        if any(step.value.data <= 0 for step in self.steps):
            raise VerifyException("expected steps greater than 0")
        for map, groups in zip(
            maps, (self.lower_groups, self.upper_groups), strict=True
        ):
            sizes = _sizes(groups)
            if len(sizes) != count or sum(sizes) != len(map.results) or 0 in sizes:
                raise VerifyException(f"expected bounds for {count} loops")
        if tuple(self.body.block.arg_types) != (IndexType(),) * count:
            raise VerifyException(f"expected a region of {count} indices")
        if len(self.reductions) != len(self.res):
            raise VerifyException("expected a reduction for each result")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`(%i) = (0) to (min(%n, 4)) step (2) reduce ("addf") -> f32 {...}`."""
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_punctuation("=")
        lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bounds(parser, "min")
        steps = [1] * len(indices)
        if parser.parse_optional_keyword("step") is not None:
            steps = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_integer
            )
        kinds: list[int] = []
        if parser.parse_optional_keyword("reduce") is not None:
            kinds = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, lambda: _parse_reduction(parser)
            )
        results = parse_result_types(parser)
        body = parse_body(parser, [index.resolve(IndexType()) for index in indices])
        op = cls.build(
            operands=[[*lower.values, *upper.values]],
            properties={
                "reductions": ArrayAttr(IntegerAttr(kind, i64) for kind in kinds),
                "lowerBoundsMap": lower.map,
                "lowerBoundsGroups": lower.groups,
                "upperBoundsMap": upper.map,
                "upperBoundsGroups": upper.groups,
                "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
            },
            result_types=[results],
            regions=[body],
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """`(%i) = (0) to (min(%n, 4)) step (2) reduce ("addf") -> f32 {...}`."""
        printer.print_string(" (")
        printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(") = ")
        self._print_bounds(printer, "lower", "max")
        printer.print_string(" to ")
        self._print_bounds(printer, "upper", "min")
        steps = [step.value.data for step in self.steps]
        if any(step != 1 for step in steps):
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.reductions.data:
            names = [self.REDUCTIONS[kind.value.data] for kind in self.reductions]
            words = ", ".join(f'"{name}"' for name in names)
            printer.print_string(f" reduce ({words}) -> (")
            printer.print_list(self.res.types, printer.print_attribute)
            printer.print_string(")")
        print_body(printer, self.body, has_values=bool(self.res))
        printer.print_op_attributes(self.attributes)

    def _print_bounds(self, printer: Printer, name: str, choice: str) -> None:
        map = (self.lower_map if name == "lower" else self.upper_map).data
        values = self.operands_of(name)

        def one(expr: AffineExpr) -> None:
            print_expression(printer, expr, map.num_dims, values)

        def group(among: tuple[AffineExpr, ...]) -> None:
            printer.print_string(f"{choice}(" if len(among) > 1 else "")
            printer.print_list(among, one)
            printer.print_string(")" if len(among) > 1 else "")

        with printer.in_parens():
            printer.print_list(self.bounds(name), group)


def _sizes(groups: DenseIntElementsAttr) -> list[int]:
    """How many bounds each loop has; equal numbers may be stored as one."""
    values = list(groups.get_values())
    return values * groups.get_shape()[0] if len(values) == 1 else values


class _Bounds:
    """Bounds of several loops, as they are read."""

    def __init__(self, read: ValueExpressions, groups: list[list[AffineExpr]]):
        self.map = read.map_of([expr for group in groups for expr in group])
        self.values = [*read.dims, *read.symbols]
        self.groups = DenseIntElementsAttr.from_list(
            TensorType(i32, [len(groups)]), [len(group) for group in groups]
        )


def _parse_bounds(parser: Parser, choice: str) -> _Bounds:
    """`(0, min(%n, 4))`."""
    read = ValueExpressions(parser)

    def group() -> list[AffineExpr]:
        if parser.parse_optional_keyword(choice) is None:
            return [read.parse()]
        return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, read.parse)

    return _Bounds(
        read, parser.parse_comma_separated_list(Parser.Delimiter.PAREN, group)
    )


def _parse_reduction(parser: Parser) -> int:
    start = parser.pos
    name = parser.parse_str_literal()
    if name not in ParallelOp.REDUCTIONS:
        parser.raise_error(f"unknown reduction '{name}'", start)
    return ParallelOp.REDUCTIONS.index(name)
