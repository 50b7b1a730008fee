"""linalg: `linalg.matmul` with mixed precision, and effects for the structured ops.

xDSL's `LinalgStructuredOperation` is the one interface to a structured op: loops with
iterator types, indexing maps, the scalar body. Nothing above this file asks for names.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, linalg
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IntegerType,
)
from xdsl.dialects.linalg.abstract_ops import (
    LinalgStructuredOperation,
    NamedOperation,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, BlockArgument, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from tilewright.ir.dialects.effects import BufferEffect
from tilewright.ir.types import element_type, is_array, is_tensor

MATMUL_MAPS = ArrayAttr(
    [
        AffineMapAttr(AffineMap.from_callable(lambda m, n, k: (m, k))),
        AffineMapAttr(AffineMap.from_callable(lambda m, n, k: (k, n))),
        AffineMapAttr(AffineMap.from_callable(lambda m, n, k: (m, n))),
    ]
)


def widen(value: SSAValue, to: Attribute) -> SSAValue:
    """Extend a scalar to a wider type of the same kind; integers are signed."""
    if value.type == to:
        return value
    if isinstance(to, AnyFloat) and isinstance(value.type, AnyFloat):
        return arith.ExtFOp(value, to).result
    if isinstance(to, AnyFloat):
        return arith.SIToFPOp(value, to).result
    assert isa(to, IntegerType)
    return arith.ExtSIOp(value, to).result


@irdl_op_definition
class MatmulOp(NamedOperation):
    """C += A * B; operands narrower than the accumulator are extended first."""

    name = "linalg.matmul"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr], default_value=MATMUL_MAPS)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        indexing_maps: ArrayAttr[AffineMapAttr] = MATMUL_MAPS,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            ins=inputs,
            outs=outputs,
            result_types=[[o.type for o in outputs if is_tensor(o.type)]],
            properties={"indexing_maps": indexing_maps},
            attributes=attributes,
            hidden_region=self.get_hidden_region(inputs, outputs),
        )

    @classmethod
    def get_hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> Region:
        """acc + extend(a) * extend(b)."""
        types = [element_type(value.type) for value in (*inputs, *outputs)]
        accumulator = types[-1]

        @Builder.implicit_region(types)
        def region(args: tuple[BlockArgument, ...]) -> None:
            lhs, rhs = (widen(arg, accumulator) for arg in args[:2])
            if isinstance(accumulator, AnyFloat):
                product = arith.MulfOp(lhs, rhs).result
                YieldOp(arith.AddfOp(args[2], product).result)
            else:
                product = arith.MuliOp(lhs, rhs).result
                YieldOp(arith.AddiOp(args[2], product).result)

        return region

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        """The maps this op carries."""
        return tuple(attr.data for attr in self.indexing_maps)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of A, B and C over (m, n, k)."""
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """m and n are parallel, k is a reduction."""
        parallel = IteratorTypeAttr.parallel()
        return ArrayAttr([parallel, parallel, IteratorTypeAttr.reduction()])

    @classmethod
    def parse(cls, parser: Parser) -> MatmulOp:
        """`[indexing_maps = [...]] ins(...) outs(...) [-> type]`."""
        maps = MATMUL_MAPS
        if parser.parse_optional_keyword("indexing_maps"):
            parser.parse_punctuation("=")
            attribute = parser.parse_attribute()
            if not is_array(attribute):
                parser.raise_error("expected an array of affine maps")
            maps = ArrayAttr(
                [entry for entry in attribute if isinstance(entry, AffineMapAttr)]
            )
        attributes = parser.parse_optional_attr_dict()
        inputs = _parse_operands(parser, "ins")
        outputs = _parse_operands(parser, "outs")
        if parser.parse_optional_punctuation("->"):
            parser.parse_type()
        return cls(inputs, outputs, maps, dict(attributes))

    def print(self, printer: Printer) -> None:
        """The upstream form, with maps only where they are not the default."""
        if self.indexing_maps != MATMUL_MAPS:
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        printer.print_op_attributes(self.attributes)
        for keyword, values in (("ins", self.inputs), ("outs", self.outputs)):
            printer.print_string(f" {keyword}(")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(values.types, printer.print_attribute)
            printer.print_string(")")
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)


def _parse_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    parser.parse_keyword(keyword)
    with parser.in_parens():
        pos = parser.pos
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        return parser.resolve_operands(names, types, pos)


def is_structured(op: Operation) -> bool:
    """Whether `op` offers the structured interface."""
    return isinstance(op, LinalgStructuredOperation)


_OPERATIONS = [
    *(op for op in linalg.Linalg.operations if op.name != "linalg.matmul"),
    MatmulOp,
]
for _op in _OPERATIONS:
    if issubclass(_op, LinalgStructuredOperation) and not _op.has_trait(BufferEffect):
        _op.traits.add_trait(BufferEffect())

Linalg = Dialect("linalg", _OPERATIONS, [*linalg.Linalg.attributes])
