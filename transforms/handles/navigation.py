"""From ops to their parents, producers, consumers, operands and results.

    %f = transform.get_parent_op %h {op_name = "func.func"} : (...) -> ...
    %p = transform.get_producer_of_operand %h[0] : (...) -> ...
    %c = transform.get_consumers_of_result %h[0] : (...) -> ...
    %v = transform.get_operand %h[all] : (!transform.any_op) -> !transform.any_value
    %w = transform.get_result %h[except(0)] : (...) -> !transform.any_value
    %d = transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op

Positions count from 0, negative ones from the end. Payload is only read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.transform import TransformOpHandleType, TransformValueHandleType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.atoms import MODULE
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.handles.positions import Positions


@irdl_op_definition
class GetParentOp(TransformOp):
    """The nearest op around each op that satisfies every condition."""

    name = "transform.get_parent_op"
    ONLY_LOOKS: ClassVar[bool] = True
    FORM: ClassVar[str] = (
        "parent <target:handle> [<op_name:string>] [nth = <nth_parent:any>] "
        "[deduplicate = <deduplicate:any>]"
    )
    SUMMARY: ClassVar[str] = "find the op around, of a name if one is given"

    target = operand_def(TransformOpHandleType)
    isolated_from_above = opt_prop_def(UnitAttr)
    allow_empty_results = opt_prop_def(UnitAttr)
    op_name = opt_prop_def(StringAttr)
    deduplicate = opt_prop_def(UnitAttr)
    nth_parent = opt_prop_def(IntegerAttr[IntegerType])
    parent_handle = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """The nearest parent is number 1."""
        if self.nth_parent is not None and self.nth_parent.value.data < 1:
            raise VerifyException("nth_parent must be positive")

    def foresee(self, results: Foreseen) -> None:
        """An op around the target."""
        known, target = results.known, results.of(self.target)
        kinds = None if self.op_name is None else frozenset({self.op_name.data})
        isolated = known.isolated_around(target)
        modules = [g for g in isolated if all(a.kinds == MODULE for a in g)]
        parent = results.make(self.parent_handle, modules, kinds)
        if self.allow_empty_results is None:
            known.put_inside(target, parent)
        # Functions do not nest, so the parent is the function that it was matched in.
        for group in isolated:
            if kinds is not None and all(atom.kinds == kinds for atom in group):
                known.part(parent, group)

    def apply(self, state: TransformState) -> None:
        """Walk outwards from each op."""
        parents: list[Operation] = []
        for op in state.payload_ops(self.target):
            found = self._parent(op)
            if found is not None:
                parents.append(found)
            elif self.allow_empty_results is None:
                raise self.refuse(
                    "could not find a parent op that matches all requirements",
                    op,
                    remedy="check op_name and nth_parent, or say allow_empty_results",
                )
        unique = dict.fromkeys(parents) if self.deduplicate is not None else parents
        state.set_ops(self.parent_handle, unique)

    def _parent(self, op: Operation) -> Operation | None:
        wanted = self.nth_parent
        left = 1 if wanted is None else wanted.value.data
        parent = op.parent_op()
        while parent is not None:
            if self._accepts(parent):
                left -= 1
                if left == 0:
                    return parent
            parent = parent.parent_op()
        return None

    def _accepts(self, op: Operation) -> bool:
        if self.isolated_from_above is not None and not op.has_trait(IsolatedFromAbove):
            return False
        return self.op_name is None or op.name == self.op_name.data


@irdl_op_definition
class GetProducerOfOperandOp(TransformOp):
    """The op that defines one operand of each op."""

    name = "transform.get_producer_of_operand"
    ONLY_LOOKS: ClassVar[bool] = True
    FORM: ClassVar[str] = (
        "producer [of] <target:handle> [at <operand_number:any>] "
        "[operand = <operand_number:any>]"
    )
    SUMMARY: ClassVar[str] = "find the op that makes an operand"

    target = operand_def(TransformOpHandleType)
    operand_number = prop_def(IntegerAttr.constr(i64))
    producer = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `[` $operand_number `]` attr-dict `:` "
        "functional-type(operands, results)"
    )

    def foresee(self, results: Foreseen) -> None:
        """The producer is in the same function, perhaps outside the loops."""
        results.in_the_same_function()

    def apply(self, state: TransformState) -> None:
        """Find the op that defines the operand of each op."""
        number = self.operand_number.value.data
        producers: list[Operation] = []
        for op in state.payload_ops(self.target):
            if not 0 <= number < len(op.operands):
                raise self.refuse(
                    f"there is no operand {number}, the op has {len(op.operands)}",
                    op,
                    remedy="operands count from 0",
                )
            owner = op.operands[number].owner
            if not isinstance(owner, Operation):
                raise self.refuse(
                    f"operand {number} is an argument and not made by an op",
                    op,
                    remedy="there is no op to give; "
                    + self.worded(
                        mlir="get_operand gives the value",
                        tw="'operand' gives the value",
                    ),
                )
            producers.append(owner)
        state.set_ops(self.producer, producers)


@irdl_op_definition
class GetConsumersOfResultOp(TransformOp):
    """The ops that use one result of an op."""

    name = "transform.get_consumers_of_result"
    ONLY_LOOKS: ClassVar[bool] = True
    FORM: ClassVar[str] = (
        "consumers [of] <target:handle> [at <result_number:any>] "
        "[result = <result_number:any>]"
    )
    DEFAULTS: ClassVar[Mapping[str, Attribute]] = {"result_number": IntegerAttr(0, i64)}
    """The properties of a statement that leaves them out."""
    SUMMARY: ClassVar[str] = "find the ops that use a result"

    target = operand_def(TransformOpHandleType)
    result_number = prop_def(IntegerAttr.constr(i64))
    consumers = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `[` $result_number `]` attr-dict `:` "
        "functional-type(operands, results)"
    )

    def foresee(self, results: Foreseen) -> None:
        """The users of a value lie where the value lies, or deeper."""
        around = results.known.around(results.of(self.target))
        results.make(self.consumers, around)

    def apply(self, state: TransformState) -> None:
        """Follow the uses; an op that uses the result twice comes twice."""
        number = self.result_number.value.data
        targets = list(state.payload_ops(self.target))
        if not targets:
            state.set_ops(self.consumers, [])
            return
        if len(targets) != 1:
            raise self.broken(
                f"needs a handle to one op, this one points at {len(targets)}"
            )
        (target,) = targets
        if not 0 <= number < len(target.results):
            raise self.refuse(
                f"there is no result {number}, the op has {len(target.results)}",
                target,
                remedy="results count from 0",
            )
        uses = target.results[number].uses
        state.set_ops(self.consumers, [use.operation for use in uses])


@irdl_op_definition
class GetDefiningOp(TransformOp):
    """The ops that define values."""

    name = "transform.get_defining_op"
    ONLY_LOOKS: ClassVar[bool] = True

    target = operand_def(TransformValueHandleType)
    result = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def foresee(self, results: Foreseen) -> None:
        """The op whose result it is, or an op of the same function."""
        owner = self.target.owner
        if isinstance(owner, GetResultOp):
            results.handles[self.result] = results.of(owner.target)
        else:
            results.in_the_same_function()

    def apply(self, state: TransformState) -> None:
        """Find the op that defines each value."""
        owners: list[Operation] = []
        for value in state.payload_values(self.target):
            if not isinstance(value.owner, Operation):
                raise self.refuse(
                    "a value is an argument of a block and not defined by an op",
                    value.owner.parent_op(),
                    remedy=self.worded(
                        mlir="get_parent_op gives the op around it",
                        tw="'parent' gives the op around it",
                    ),
                )
            owners.append(value.owner)
        state.set_ops(self.result, owners)


class _GetValues(TransformOp):
    """What `get_operand` and `get_result` share: positions in brackets."""

    target = operand_def(TransformOpHandleType)
    raw_position_list = prop_def(DenseArrayBase.constr(i64))
    is_inverted = opt_prop_def(UnitAttr)
    is_all = opt_prop_def(UnitAttr)

    ONLY_LOOKS: ClassVar[bool] = True
    WHAT: ClassVar[str]

    @classmethod
    def parse(cls, parser: Parser) -> TransformOp:
        """`%h[all | 0, 1 | except(0)] : (type) -> type`."""
        target = parser.parse_unresolved_operand()
        positions = Positions.parse(parser)
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls.build(
            operands=operands, result_types=types, properties=positions.properties()
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%h[all | 0, 1 | except(0)] : (type) -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_string(str(self._positions()))
        print_signature(printer, self)

    def verify_(self) -> None:
        """Check the positions."""
        self._positions().verify()

    def _positions(self) -> Positions:
        return Positions.of(self.raw_position_list, self.is_all, self.is_inverted)

    def _picked(self, op: Operation, count: int) -> list[int]:
        return self._positions().pick(self, self.WHAT, op, count)


@irdl_op_definition
class GetOperandOp(_GetValues):
    """Operands of ops, as value handles."""

    name = "transform.get_operand"
    FORM: ClassVar[str] = "operand <target:handle> at <raw_position_list:numbers>"
    SUMMARY: ClassVar[str] = "find the values that an op takes"

    result = result_def(TransformValueHandleType)

    WHAT: ClassVar[str] = "operand"

    def apply(self, state: TransformState) -> None:
        """Pick the operands of each op."""
        values = [
            op.operands[position]
            for op in state.payload_ops(self.target)
            for position in self._picked(op, len(op.operands))
        ]
        state.set_values(self.result, values)


@irdl_op_definition
class GetResultOp(_GetValues):
    """Results of ops, as value handles."""

    name = "transform.get_result"
    FORM: ClassVar[str] = "result <target:handle> at <raw_position_list:numbers>"
    SUMMARY: ClassVar[str] = "find the values that an op makes"

    result = result_def(TransformValueHandleType)

    WHAT: ClassVar[str] = "result"

    def foresee(self, results: Foreseen) -> None:
        """Values of the target."""
        target = results.of(self.target)
        results.known.part(results.make(self.result, [target]), target)

    def apply(self, state: TransformState) -> None:
        """Pick the results of each op."""
        values: list[SSAValue] = [
            op.results[position]
            for op in state.payload_ops(self.target)
            for position in self._picked(op, len(op.results))
        ]
        state.set_values(self.result, values)
