"""The base classes of transform ops that analyze first and rewrite second.

Most transformations have one shape: take a handle, check every payload op that it
points at, rewrite them all, and return handles to the new ops. Such an op derives from
`TargetOp`:

    @irdl_op_definition
    class GeneralizeOp(TargetOp):
        name = "transform.structured.generalize"

        transformed = result_def(TransformOpHandleType)

        assembly_format = "$target attr-dict `:` functional-type(operands, results)"

        def analyze(self, op: Operation) -> StructuredOp: ...

        def rewrite(self, plan: StructuredOp, rewriter: Rewriter) -> GenericOp: ...

All plans are made before anything changes, so an op that refuses one of its targets
leaves the payload as it was.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import ParsePropInAttrDict, operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import (
    AnyOpType,
    OperationType,
    TransformOp,
    TransformOpHandleType,
)

if TYPE_CHECKING:
    from tilewright.transforms.core.rewriter import Rewriter
    from tilewright.transforms.core.state import TransformState

Ops: TypeAlias = Operation | Sequence[Operation]
"""What a result handle points at: one op, or several."""


def check_handle(type_: Attribute, name: str) -> None:
    """Refuse a handle that is not declared to point at ops of a name."""
    kind = OperationType(name)
    if type_ != kind:
        raise VerifyException(
            f"operand 0 must be a handle to {name} operations, {kind}, but is {type_}; "
            "match with that type, or use transform.cast"
        )


class PlannedOp(TransformOp):
    """An op that makes all its plans, carries them out, and then sets its results.

    A plan is a value of any type, usually a frozen dataclass. The class cannot be
    generic over it: xDSL takes the type arguments of an op for constraints.
    """

    @abstractmethod
    def plans(self, state: TransformState) -> Sequence[Any]:
        """Check all payload and plan the rewrites. Raise here, and change nothing."""

    @abstractmethod
    def rewrite(self, plan: Any, rewriter: Rewriter, /) -> Ops | Sequence[Ops] | None:
        """Carry out one plan, and return the ops that the result handles point at.

        With one result handle: an op, or several. With more: a tuple that has an entry
        for each handle. Without any: None.
        """

    def apply(self, state: TransformState) -> None:
        """Make all plans, carry them out, set the results."""
        plans = self.plans(state)
        made = [self.rewrite(plan, state.rewriter) for plan in plans]
        self.set_results(state, made)

    def set_results(self, state: TransformState, made: Sequence[Any]) -> None:
        """Point each result at its ops; `made` has what each `rewrite` returned.

        A rewrite that returns fewer entries than there are handles adds nothing to the
        last ones.
        """
        found: list[list[Operation]] = [[] for _ in self.results]
        for returned in made:
            entries: Sequence[Ops] = returned or ()
            if len(self.results) == 1:
                entries = (returned,)
            for ops, entry in zip(found, entries, strict=False):
                ops.extend([entry] if isinstance(entry, Operation) else entry)
        for handle, ops in zip(self.results, found, strict=True):
            state.set_ops(handle, ops)


class TargetOp(PlannedOp):
    """An op that consumes the handle `target` and rewrites each op it points at.

    A subclass declares its results and its syntax, and gives `analyze` and `rewrite`.
    One that has more operands declares `target` again, before them: xDSL collects the
    fields of a subclass first.
    """

    target = operand_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, target: SSAValue):
        results = [AnyOpType() for _ in self.get_irdl_definition().results]
        super().__init__(operands=[target], result_types=results)

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The results stand for what the target pointed at."""
        return (self.target,)

    @abstractmethod
    def analyze(self, op: Operation, /) -> Any:
        """Check that the transformation applies to `op`, and plan it."""

    def plans(self, state: TransformState) -> Sequence[Any]:
        """One plan for each op that the target points at."""
        return [self.analyze(op) for op in state.payload_ops(self.target)]


class OneTargetOp(TargetOp):
    """An op whose handle must point at one op."""

    def plans(self, state: TransformState) -> Sequence[Any]:
        """The plan for the one op that the target points at."""
        ops = state.payload_ops(self.target)
        if len(ops) != 1:
            raise self.refuse(
                f"needs one payload op, the handle points at {len(ops)}",
                remedy="split the handle, or use foreach",
            )
        return [self.analyze(ops[0])]


class InPlaceOp(TargetOp):
    """An op that changes its target in place: the handle stays valid, no results."""

    KEYWORD: ClassVar[str | None] = None
    """The word before the handle: `transform.apply_cse to %target : type`."""

    def consumed_handles(self) -> Sequence[SSAValue]:
        """None: the target is still there."""
        return ()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`[to] %target : type`."""
        if cls.KEYWORD is not None:
            parser.parse_keyword(cls.KEYWORD)
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(target, parser.parse_type()))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`[to] %target : type`."""
        printer.print_string(f" {self.KEYWORD} " if self.KEYWORD else " ")
        printer.print_ssa_value(self.target)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)

    def analyze(self, op: Operation, /) -> Any:
        """Accept any op."""
        return op
