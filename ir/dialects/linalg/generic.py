"""`linalg.generic`, and the ops of a body: `linalg.yield` and `linalg.index`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorType, IteratorTypeAttr
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.ir.dialects.linalg.syntax import (
    as_maps,
    parse_ins_outs,
    parse_results,
    print_ins_outs,
    print_results,
)
from tilewright.ir.types import element_type, is_array


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The end of a body, with one scalar for each output."""

    name = "linalg.yield"

    arguments = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        """One value for each output, of its element type."""
        parent = self.parent_op()
        if not isinstance(parent, StructuredOp):
            raise VerifyException("expected parent op with LinalgOp interface")
        if len(self.arguments) != len(parent.outputs):
            raise VerifyException(
                f"expected number of yield values ({len(self.arguments)}) to match the "
                f"number of inits / outs operands of the enclosing LinalgOp "
                f"({len(parent.outputs)})"
            )
        for index, (value, output) in enumerate(
            zip(self.arguments, parent.outputs, strict=True), 1
        ):
            if value.type != element_type(output.type):
                raise VerifyException(
                    f"type of yield operand {index} ({value.type}) doesn't match the "
                    f"element type of the enclosing {parent.name} op "
                    f"({element_type(output.type)})"
                )

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        """`[%a, %b] [{...}] [: type, type]`."""
        pos = parser.pos
        attributes = parser.parse_optional_attr_dict()
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes |= parser.parse_optional_attr_dict()
        values: Sequence[SSAValue] = ()
        if names:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
            values = parser.resolve_operands(names, types, pos)
        op = cls(*values)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`[%a, %b] [{...}] [: type, type]`."""
        if self.arguments:
            printer.print_string(" ")
            printer.print_list(self.arguments, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        if self.arguments:
            printer.print_string(" : ")
            printer.print_list(self.arguments.types, printer.print_attribute)


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The index of a loop of the enclosing structured op."""

    name = "linalg.index"

    dim = prop_def(IntegerAttr[i64])
    result = result_def(IndexTypeConstr)

    traits = traits_def(Pure())

    assembly_format = "$dim attr-dict `:` type($result)"

    def __init__(self, dim: int):
        super().__init__(
            properties={"dim": IntegerAttr(dim, i64)}, result_types=[IndexType()]
        )

    def verify_(self) -> None:
        """The enclosing op has this loop."""
        parent = self.parent_op()
        if not isinstance(parent, StructuredOp):
            raise VerifyException("expected parent op with LinalgOp interface")
        dim, loops = self.dim.value.data, parent.get_num_loops()
        if not 0 <= dim < loops:
            raise VerifyException(
                f"expected dim ({dim}) to be lower than the number of loops ({loops}) "
                "of the enclosing LinalgOp"
            )


@irdl_op_definition
class GenericOp(StructuredOp):
    """A structured op with everything written out."""

    name = "linalg.generic"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    doc = opt_prop_def(StringAttr)
    library_call = opt_prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        body: Region,
        indexing_maps: Sequence[AffineMapAttr] | ArrayAttr[AffineMapAttr],
        iterator_types: Sequence[IteratorTypeAttr] | ArrayAttr[IteratorTypeAttr],
        result_types: Sequence[Attribute] = (),
        doc: StringAttr | None = None,
        library_call: StringAttr | None = None,
    ):
        super().__init__(
            operands=[inputs, outputs],
            result_types=[result_types],
            properties={
                "indexing_maps": ArrayAttr(indexing_maps),
                "iterator_types": ArrayAttr(iterator_types),
                "doc": doc,
                "library_call": library_call,
            },
            regions=[body],
        )

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of the op's attribute."""
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """The iterator types of the op's attribute."""
        return self.iterator_types

    def verify_(self) -> None:
        """Loops are parallel or reductions; then the rules of every structured op."""
        if any(kind.data == IteratorType.WINDOW for kind in self.iterator_types):
            raise VerifyException("unexpected iterator_type (window)")
        super().verify_()

    @classmethod
    def parse(cls, parser: Parser) -> GenericOp:
        """`{...} [ins(...)] [outs(...)] [attrs = {...}] {body} [-> types]`."""
        pos = parser.pos
        trait = parser.parse_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("expected a dictionary with indexing_maps", pos)
        entries = dict(trait.data)
        maps = as_maps(entries.pop("indexing_maps", None))
        if maps is None:
            parser.raise_error("expected indexing_maps, an array of affine maps", pos)
        kinds = _as_iterators(entries.pop("iterator_types", None))
        if kinds is None:
            parser.raise_error(
                'expected iterator_types, an array of "parallel" or "reduction"', pos
            )
        inputs, outputs = parse_ins_outs(parser)
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            entries |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        results = parse_results(parser)
        doc = _as_string(parser, "doc", entries.pop("doc", None))
        call = _as_string(parser, "library_call", entries.pop("library_call", None))
        op = cls(inputs, outputs, body, maps, kinds, results, doc, call)
        op.attributes |= entries
        return op

    def print(self, printer: Printer) -> None:
        """As parsed; the iterator types are strings."""
        printer.print_string(" {indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        printer.print_string(", iterator_types = [")
        printer.print_list(
            self.iterator_types, lambda kind: printer.print_string_literal(kind.data)
        )
        printer.print_string("]")
        for name in ("doc", "library_call"):
            if name in self.properties:
                printer.print_string(f", {name} = ")
                printer.print_attribute(self.properties[name])
        printer.print_string("}")
        print_ins_outs(printer, self.inputs, self.outputs)
        if self.attributes:
            printer.print_string(" attrs =")
            printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_results(printer, self.res.types)


def _as_iterators(attribute: Attribute | None) -> ArrayAttr[IteratorTypeAttr] | None:
    if not is_array(attribute):
        return None
    kinds: list[IteratorTypeAttr] = []
    for entry in attribute:
        if isinstance(entry, StringAttr) and entry.data in ("parallel", "reduction"):
            kinds.append(IteratorTypeAttr(IteratorType(entry.data)))
        elif isinstance(entry, IteratorTypeAttr):
            kinds.append(entry)
        else:
            return None
    return ArrayAttr(kinds)


def _as_string(
    parser: Parser, name: str, attribute: Attribute | None
) -> StringAttr | None:
    if attribute is not None and not isinstance(attribute, StringAttr):
        parser.raise_error(f"expected {name} to be a string")
    return attribute
