"""`vector.contract` and `vector.outerproduct`: sums of products."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, StringAttr, VectorType
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.vector.kinds import (
    ADD,
    IteratorType,
    IteratorTypeAttr,
    combines,
    verify_combines,
)
from tilewright.ir.types import (
    element_type,
    is_array,
    is_vector,
    lanes,
    vector_type,
)


@irdl_op_definition
class ContractOp(IRDLOperation):
    """A tensor contraction with an accumulator."""

    name = "vector.contract"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(AnyAttr())
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    kind = prop_def(CombiningKindAttr, default_value=ADD)
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue,
        indexing_maps: ArrayAttr[AffineMapAttr],
        iterator_types: ArrayAttr[IteratorTypeAttr],
        kind: CombiningKindAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            result_types=[acc.type],
            properties={
                "indexing_maps": indexing_maps,
                "iterator_types": iterator_types,
                "kind": kind or ADD,
            },
        )

    @property
    def maps(self) -> tuple[AffineMap, ...]:
        """The indexing maps of lhs, rhs and accumulator."""
        return tuple(attribute.data for attribute in self.indexing_maps)

    def verify_(self) -> None:
        """Maps pick loops, a loop has one extent, and the result has its shape."""
        if element_type(self.lhs.type) != element_type(self.rhs.type):
            raise VerifyException("expected lhs and rhs of the same element type")
        if self.result.type != self.acc.type:
            raise VerifyException("expected the result to have the accumulator's type")
        self._verify_maps()
        pairs = self._pairs(IteratorType.REDUCTION)
        if not pairs:
            raise VerifyException("expected at least one contracting dimension pair")
        if any(left != right for left, right in pairs.values()):
            raise VerifyException("invalid contracting dimension map")
        batch = self._pairs(IteratorType.PARALLEL)
        if any(left != right for left, right in batch.values()):
            raise VerifyException("invalid batch dimension map")
        self._verify_accumulator(set(pairs))
        if not combines(self.kind, element_type(self.acc.type)):
            raise VerifyException(
                f"unsupported contraction type '{element_type(self.acc.type)}' for "
                f"kind '{self.kind.data}'"
            )

    def _verify_maps(self) -> None:
        if len(self.indexing_maps) != 3:
            raise VerifyException("expected an indexing map for each vector operand")
        loops = len(self.iterator_types)
        for position, (map, operand) in enumerate(
            zip(self.maps, self.operands, strict=True)
        ):
            which = f"expected indexing map {position} to"
            if map.num_symbols:
                raise VerifyException(f"{which} have no symbols")
            if map.num_dims != loops:
                raise VerifyException(f"{which} have {loops} number of inputs")
            shape = lanes(operand.type)
            if shape is None:
                continue
            if len(map.results) != len(shape):
                raise VerifyException(f"{which} have {len(shape)} number of outputs")
            if len(dims_of(map)) != len(map.results):
                raise VerifyException(
                    f"{which} be a projected permutation of its inputs"
                )

    def _pairs(self, kind: IteratorType) -> dict[int, tuple[int, int]]:
        """The two extents of each loop of a kind that both factors have."""
        left = dict(zip(dims_of(self.maps[0]), _shape(self.lhs), strict=True))
        right = dict(zip(dims_of(self.maps[1]), _shape(self.rhs), strict=True))
        return {
            loop: (left[loop], right[loop])
            for loop, iterator in enumerate(self.iterator_types)
            if iterator.data == kind and loop in left and loop in right
        }

    def _verify_accumulator(self, contracted: set[int]) -> None:
        extents = dict(zip(dims_of(self.maps[0]), _shape(self.lhs), strict=True))
        extents |= dict(zip(dims_of(self.maps[1]), _shape(self.rhs), strict=True))
        shape = lanes(self.acc.type)
        if set(extents) <= contracted:
            if shape is not None:
                raise VerifyException(
                    "invalid accumulator/result vector shape, expected a scalar"
                )
            return
        if shape is None:
            raise VerifyException(
                "invalid accumulator/result vector shape, expected a vector"
            )
        if len(extents) != len(self.iterator_types):
            raise VerifyException(
                "expected all dimensions to be either a LHS or a RHS dimension"
            )
        expected = tuple(extents[loop] for loop in dims_of(self.maps[2]))
        if shape != expected:
            wanted = VectorType(element_type(self.acc.type), expected)
            raise VerifyException(
                f"invalid accumulator/result vector shape, expected: '{wanted}'"
            )

    @classmethod
    def parse(cls, parser: Parser) -> ContractOp:
        """`{maps, types, kind} %lhs, %rhs, %acc : type, type into type`."""
        pos = parser.pos
        given = parser.parse_optional_attribute()
        attributes = dict(getattr(given, "data", {}))
        maps = attributes.pop("indexing_maps", None)
        types = attributes.pop("iterator_types", None)
        kind = attributes.pop("kind", None)
        if not is_array(maps) or not is_array(types):
            parser.raise_error("expected indexing_maps and iterator_types", pos)
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        trailing = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        lhs_type = parser.parse_type()
        parser.parse_punctuation(",")
        rhs_type = parser.parse_type()
        parser.parse_keyword("into")
        acc_type = parser.parse_type()
        op = cls.build(
            operands=[
                parser.resolve_operand(lhs, lhs_type),
                parser.resolve_operand(rhs, rhs_type),
                parser.resolve_operand(acc, acc_type),
            ],
            result_types=[acc_type],
            properties={
                "indexing_maps": maps,
                "iterator_types": ArrayAttr(_iterators(parser, types, pos)),
                "kind": kind or ADD,
            },
        )
        op.attributes |= attributes | trailing
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form: loop kinds as strings."""
        strings = ArrayAttr([StringAttr(entry.data) for entry in self.iterator_types])
        printer.print_op_attributes(
            {
                "indexing_maps": self.indexing_maps,
                "iterator_types": strings,
                "kind": self.kind,
                **self.attributes,
            }
        )
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(", ")
        printer.print_attribute(self.rhs.type)
        printer.print_string(" into ")
        printer.print_attribute(self.acc.type)


def _iterators(
    parser: Parser, types: ArrayAttr[Attribute], pos: int
) -> Sequence[Attribute]:
    """Loop kinds, written as strings or as attributes."""
    found: list[Attribute] = []
    for entry in types:
        if isinstance(entry, StringAttr):
            if entry.data not in tuple(IteratorType):
                parser.raise_error(f"unexpected iterator_type ({entry.data})", pos)
            entry = IteratorTypeAttr(IteratorType(entry.data))
        found.append(entry)
    return found


def dims_of(map: AffineMap) -> tuple[int, ...]:
    """The loops that a map picks, without repetitions and without constants."""
    dims = [expr.position for expr in map.results if isinstance(expr, AffineDimExpr)]
    return tuple(dict.fromkeys(dims))


def _shape(value: SSAValue) -> tuple[int, ...]:
    return vector_type(value).get_shape()


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """The outer product of two vectors, or a vector times a scalar."""

    name = "vector.outerproduct"

    lhs = operand_def(VectorType)
    rhs = operand_def(AnyAttr())
    acc = opt_operand_def(AnyAttr())
    kind = prop_def(CombiningKindAttr, default_value=ADD)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        """One-dimensional factors, and a result of their two lengths."""
        left, right = lanes(self.lhs.type), lanes(self.rhs.type)
        if left is None or len(left) != 1:
            raise VerifyException("expected a 1-d vector for operand #1")
        if right is not None and len(right) != 1:
            raise VerifyException("expected a 1-d vector for operand #2")
        if element_type(self.lhs.type) != element_type(self.rhs.type):
            raise VerifyException("expected both factors to have the same element type")
        expected = _product_type(self.lhs.type, self.rhs.type)
        if self.result.type != expected:
            raise VerifyException(f"expected the result to be of type '{expected}'")
        if self.acc is not None and self.acc.type != expected:
            raise VerifyException(f"expected operand #3 to be of type '{expected}'")
        verify_combines(self.kind, element_type(self.lhs.type), "outerproduct")

    @classmethod
    def parse(cls, parser: Parser) -> OuterProductOp:
        """`%lhs, %rhs[, %acc] [{kind}] : type, type`."""
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = dict(parser.parse_optional_attr_dict())
        kind = attributes.pop("kind", ADD)
        pos = parser.pos
        parser.parse_punctuation(":")
        lhs_type = parser.parse_type()
        parser.parse_punctuation(",")
        rhs_type = parser.parse_type()
        if len(names) not in (2, 3):
            parser.raise_error("expected two factors and at most one accumulator", pos)
        if not is_vector(lhs_type):
            parser.raise_error("expected a vector type for operand #1", pos)
        result = _product_type(lhs_type, rhs_type)
        types = (lhs_type, rhs_type, result)
        operands = parser.resolve_operands(names, types[: len(names)], pos)
        op = cls.build(
            operands=[*operands[:2], operands[2:]],
            result_types=[result],
            properties={"kind": kind},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%lhs, %rhs[, %acc] [{kind}] : type, type`."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        shown: dict[str, Attribute] = dict(self.attributes)
        if self.kind != ADD:
            shown["kind"] = self.kind
        printer.print_op_attributes(shown)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(", ")
        printer.print_attribute(self.rhs.type)


def _product_type(lhs: Attribute, rhs: Attribute) -> VectorType[Attribute]:
    shape = [*(lanes(lhs) or ()), *(lanes(rhs) or ())]
    return VectorType(element_type(lhs), shape)
