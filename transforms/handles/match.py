"""`transform.structured.match`: a handle to certain ops inside another op.

    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op

Ops come in the order of a post-order walk, the target itself included, as upstream has
it. No match gives an empty handle, on which later ops do nothing. A run warns of it
where a later step transforms the handle (`absent.py`).
Requires: a handle to one op.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.core.atoms import (
    FUNCTION,
    STATEMENTS,
    Atom,
    Atoms,
    Kinds,
    is_one,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    OperationType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.absent import absent_ops


class Interface(StrEnum):
    """The interfaces upstream lets a schedule ask for."""

    LINALG_OP = "LinalgOp"
    TILING = "TilingInterface"
    LOOP_LIKE = "LoopLikeInterface"


_INTERFACES = tuple(Interface)
"""In the order upstream numbers them."""


@irdl_op_definition
class MatchOp(TransformOp):
    """A handle to the ops inside another that satisfy every given condition."""

    name = "transform.structured.match"

    target = operand_def(TransformOpHandleType)
    ops = opt_prop_def(ArrayAttr[StringAttr])
    interface = opt_prop_def(IntegerAttr[I32])
    op_attrs = opt_prop_def(DictionaryAttr)
    filter_result_type = opt_prop_def(TypeAttribute)
    filter_operand_types = opt_prop_def(ArrayAttr[Attribute])
    res = result_def(TransformOpHandleType)

    def __init__(
        self,
        target: SSAValue,
        ops: Sequence[str] | None = None,
        *,
        interface: Interface | None = None,
        op_attrs: DictionaryAttr | None = None,
        filter_result_type: Attribute | None = None,
        filter_operand_types: Sequence[Attribute] | None = None,
        result_type: Attribute | None = None,
    ):
        super().__init__(
            operands=[target],
            properties={
                "ops": ArrayAttr(map(StringAttr, ops)) if ops is not None else None,
                "interface": IntegerAttr(_INTERFACES.index(interface), i32)
                if interface is not None
                else None,
                "op_attrs": op_attrs,
                "filter_result_type": filter_result_type,
                "filter_operand_types": ArrayAttr(filter_operand_types)
                if filter_operand_types is not None
                else None,
            },
            result_types=[result_type or AnyOpType()],
        )

    @property
    def wanted_interface(self) -> Interface | None:
        """The interface asked for, if one is."""
        number = self.interface
        return None if number is None else _INTERFACES[number.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> MatchOp:
        """`ops{[...]} interface{...} attributes {...} in %h : (type) -> type`."""
        ops = interface = op_attrs = result_filter = operand_filter = None
        if parser.parse_optional_keyword("ops"):
            with parser.in_braces():
                ops = parser.parse_comma_separated_list(
                    Parser.Delimiter.SQUARE, parser.parse_str_literal
                )
        if parser.parse_optional_keyword("interface"):
            with parser.in_braces():
                interface = parser.parse_str_enum(Interface)
        if parser.parse_optional_keyword("attributes"):
            op_attrs = DictionaryAttr(parser.parse_optional_attr_dict())
        if parser.parse_optional_keyword("filter_result_type"):
            parser.parse_punctuation("=")
            result_filter = parser.parse_type()
        if parser.parse_optional_keyword("filter_operand_types"):
            parser.parse_punctuation("=")
            operand_filter = parser.parse_comma_separated_list(
                Parser.Delimiter.SQUARE, parser.parse_type
            )
        parser.parse_keyword("in")
        pos = parser.pos
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        signature = parser.parse_function_type()
        (resolved,) = parser.resolve_operands([target], signature.inputs.data, pos)
        op = cls(
            resolved,
            ops,
            interface=interface,
            op_attrs=op_attrs,
            filter_result_type=result_filter,
            filter_operand_types=operand_filter,
            result_type=signature.outputs.data[0],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`ops{[...]} interface{...} attributes {...} in %h : (type) -> type`."""
        if self.ops is not None:
            printer.print_string(" ops{")
            printer.print_attribute(self.ops)
            printer.print_string("}")
        if (interface := self.wanted_interface) is not None:
            printer.print_string(f" interface{{{interface.value}}}")
        if self.op_attrs is not None:
            printer.print_string(" attributes ")
            printer.print_attribute(self.op_attrs)
        if self.filter_result_type is not None:
            printer.print_string(" filter_result_type = ")
            printer.print_attribute(self.filter_result_type)
        if self.filter_operand_types is not None:
            printer.print_string(" filter_operand_types = ")
            printer.print_attribute(self.filter_operand_types)
        printer.print_string(" in ")
        printer.print_ssa_value(self.target)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists([self.target.type], [self.res.type])
        )

    def foresee(self, results: Foreseen) -> None:
        """Ops of the listed kinds inside the target: those of earlier handles too."""
        known, target = results.known, results.of(self.target)
        kinds: Kinds | None = None
        if self.ops is not None:
            kinds = frozenset(name.data for name in self.ops)
        found = results.make(self.res, [target], kinds)
        wanted = kinds
        if kinds is None and self.wanted_interface is Interface.LINALG_OP:
            wanted = frozenset({"linalg.*"})
        is_filtered = (
            self.op_attrs is not None
            or self.filter_result_type is not None
            or self.filter_operand_types is not None
            or (kinds is not None and self.wanted_interface is not None)
        )
        if wanted is None or is_filtered:
            return
        for atom in list(known.of_kind(wanted, target)):
            if atom not in found and atom not in results.dead:
                known.part(frozenset([atom]), found)
        (new,) = found
        new.every_one_in = target
        _into_functions(results, target, new)

    def apply(self, state: TransformState) -> None:
        """Walk the target and keep the ops that satisfy every condition."""
        targets = state.payload_ops(self.target)
        if len(targets) != 1:
            raise self.broken(
                f"needs a handle to one op, this one points at {len(targets)}",
                remedy="match in something that is there once, such as the root",
            )
        found = [op for op in post_order(targets[0]) if self._accepts(op)]
        if isinstance(kind := self.res.type, OperationType):
            for op in found:
                if op.name != kind.operation.data:
                    raise self.refuse(
                        f"the result is declared {kind}",
                        op,
                        remedy=self.worded(
                            mlir="declare the result !transform.any_op",
                            tw="omit the kind of the name",
                        ),
                    )
        state.set_ops(self.res, found)
        if found or self.ops is None:
            return
        names = [name.data for name in self.ops]
        warning = absent_ops(self, names, targets[0], self._accepts, state.run.running)
        if warning is not None:
            state.run.warnings.append(warning)

    def _accepts(self, op: Operation) -> bool:
        if self.ops is not None and op.name not in {name.data for name in self.ops}:
            return False
        interface = self.wanted_interface
        if interface is not None and not _IMPLEMENTS[interface](op):
            return False
        if self.op_attrs is not None:
            carried = {**op.properties, **op.attributes}
            if any(carried.get(k) != v for k, v in self.op_attrs.data.items()):
                return False
        if self.filter_result_type is not None and [r.type for r in op.results] != [
            self.filter_result_type
        ]:
            return False
        return self.filter_operand_types is None or self._accepts_operands(op)

    def _accepts_operands(self, op: Operation) -> bool:
        assert self.filter_operand_types is not None
        wanted = self.filter_operand_types.data
        types = [operand.type for operand in op.operands]
        if len(wanted) == 1:
            return all(kind == wanted[0] for kind in types)
        if len(wanted) != len(types):
            raise self.broken(
                f"filter_operand_types lists {len(wanted)} types, the op has "
                f"{len(types)} operands",
                op,
                "give one type for all operands, or one for each",
            )
        return list(wanted) == types


def _into_functions(results: Foreseen, target: Atoms, found: Atom) -> None:
    """Put ops that are always inside functions into the functions of the target."""
    known = results.known
    if found.kinds == FUNCTION:
        for atom in list(known.of_kind(STATEMENTS, target)):
            known.put_inside(frozenset([atom]), frozenset([found]))
    elif found.kinds and all(is_one(kind, STATEMENTS) for kind in found.kinds):
        for function in known.every(FUNCTION, target):
            if function not in results.dead:
                known.put_inside(frozenset([found]), frozenset([function]))


def post_order(op: Operation) -> list[Operation]:
    """An op and all ops inside it, nested ones first."""
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for nested in block.ops:
                found += post_order(nested)
    found.append(op)
    return found


def _is_tileable(op: Operation) -> bool:
    return isinstance(op, StructuredOp | tensor.PadOp)


def _is_loop(op: Operation) -> bool:
    return isinstance(op, scf.ForOp | scf.ParallelOp | ForallOp)


_IMPLEMENTS: dict[Interface, Callable[[Operation], bool]] = {
    Interface.LINALG_OP: lambda op: isinstance(op, StructuredOp),
    Interface.TILING: _is_tileable,
    Interface.LOOP_LIKE: _is_loop,
}
