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
from typing import ClassVar

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import PackOp, SoftmaxOp, StructuredOp, UnPackOp
from tilewright.ir.indexing.loops import LOOP_LIKE
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


@irdl_custom_directive
class Named(CustomDirective):
    """`custom<Named>($interface)`: the name of an interface, for its number."""

    interface: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read the name."""
        number = _INTERFACES.index(parser.parse_str_enum(Interface))
        self.interface.set(state, IntegerAttr(number, i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the name."""
        number = self.interface.get(op)
        assert isa(number, IntegerAttr)
        printer.print_string(_INTERFACES[number.value.data])

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether an interface is asked for."""
        return self.interface.is_present(op)

    def is_anchorable(self) -> bool:
        """It may be left out, in an optional group."""
        return True


@irdl_custom_directive
class Listed(CustomDirective):
    """`custom<Listed>($ops)`: strings in brackets, and nothing else."""

    ops: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Read the strings."""
        names = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_str_literal
        )
        self.ops.set(state, ArrayAttr(map(StringAttr, names)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the strings."""
        self.ops.print(printer, state, op)

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether names are given."""
        return self.ops.is_present(op)

    def is_anchorable(self) -> bool:
        """It may be left out, in an optional group."""
        return True


@irdl_op_definition
class MatchOp(TransformOp):
    """A handle to the ops inside another that satisfy every given condition."""

    name = "transform.structured.match"
    ONLY_LOOKS: ClassVar[bool] = True

    target = operand_def(TransformOpHandleType)
    ops = opt_prop_def(ArrayAttr[StringAttr])
    interface = opt_prop_def(IntegerAttr[I32])
    op_attrs = opt_prop_def(DictionaryAttr)
    filter_result_type = opt_prop_def(TypeAttribute)
    filter_operand_types = opt_prop_def(ArrayAttr[Attribute])
    res = result_def(TransformOpHandleType)

    custom_directives = (Listed, Named)
    assembly_format = (
        "(`ops` `{` custom<Listed>($ops)^ `}`)? "
        "(`interface` `{` custom<Named>($interface)^ `}`)? "
        "(`attributes` $op_attrs^)? (`filter_result_type` `=` $filter_result_type^)? "
        "(`filter_operand_types` `=` $filter_operand_types^)? `in` $target attr-dict "
        "`:` functional-type(operands, results)"
    )

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
    relayouts = SoftmaxOp | PackOp | UnPackOp
    return isinstance(op, StructuredOp | tensor.PadOp | relayouts)


_IMPLEMENTS: dict[Interface, Callable[[Operation], bool]] = {
    Interface.LINALG_OP: lambda op: isinstance(op, StructuredOp),
    Interface.TILING: _is_tileable,
    Interface.LOOP_LIKE: lambda op: op.name in LOOP_LIKE,
}
