"""`transform.alternatives`: try one sequence after another until one applies.

    %r = transform.alternatives %func : !transform.any_op -> !transform.any_op {
    ^bb0(%f: !transform.any_op):
      ...                                  // a step fails: all of this is taken back
      transform.yield %x : !transform.any_op
    }, {
    ^bb0(%f: !transform.any_op):
      transform.yield %f : !transform.any_op
    }

The scope (the root, where none is given) is what the branches may change. A branch
whose steps do not apply leaves no trace: payload and handles are as before it. What a
branch needs it matches again inside the scope. If no branch applies, the op fails with
the reason of each. A broken schedule is not a branch that does not apply: it stops.

Requires: a scope that is isolated from above, such as a function or a module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_operand_def,
    traits_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.errors import Note, SilenceableFailure
from tilewright.transforms.control.sequence import (
    YieldOp,
    ensure_yield,
    parse_result_types,
)
from tilewright.transforms.core.base import TransformHandleType, TransformOp
from tilewright.transforms.core.rollback import Snapshot
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class AlternativesOp(TransformOp):
    """Run the first region whose steps all apply; consumes the scope."""

    name = "transform.alternatives"

    scope = opt_operand_def(TransformHandleType)
    res = var_result_def(TransformHandleType)
    alternatives = var_region_def("single_block")

    traits = traits_def(IsolatedFromAbove())

    IS_STEP: ClassVar[bool] = False

    def __init__(
        self,
        scope: SSAValue | None,
        regions: Sequence[Region],
        result_types: Sequence[Attribute] = (),
    ):
        super().__init__(
            operands=[scope], result_types=[result_types], regions=[regions]
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The scope may change in any way."""
        return () if self.scope is None else (self.scope,)

    @property
    def catches_failures(self) -> bool:
        """The next region runs."""
        return True

    def verify_(self) -> None:
        """Check that the regions take the scope and yield the results."""
        if not self.alternatives:
            raise VerifyException("expects at least one region")
        types = [result.type for result in self.res]
        for number, region in enumerate(self.alternatives):
            block = region.block
            if len(block.args) != 1:
                raise VerifyException(f"region #{number} must take the scope")
            last = block.last_op
            if (
                not isinstance(last, YieldOp)
                or [v.type for v in last.operands] != types
            ):
                raise VerifyException(
                    f"expects terminator operands of region #{number} to have the "
                    "types of the results"
                )

    @classmethod
    def parse(cls, parser: Parser) -> AlternativesOp:
        """`[%scope : type] [-> types] [attributes {..}] {..}, {..}`."""
        scope = None
        pos = parser.pos
        name = parser.parse_optional_unresolved_operand()
        if name is not None:
            parser.parse_punctuation(":")
            (scope,) = parser.resolve_operands([name], [parser.parse_type()], pos)
        types = parse_result_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        regions = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_region
        )
        for region in regions:
            ensure_yield(region)
        op = cls(scope, regions, types)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`[%scope : type] [-> types] [attributes {..}] {..}, {..}`."""
        if self.scope is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.scope)
            printer.print_string(" : ")
            printer.print_attribute(self.scope.type)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_list(
            self.alternatives,
            lambda region: printer.print_region(
                region, print_block_terminators=bool(self.res)
            ),
        )

    def apply(self, state: TransformState) -> None:
        """Try each region on the scope; undo one that fails."""
        scope = self._scope(state)
        if scope is None:
            for result in self.res:
                state.set_items(result, ())
            return
        reasons: list[Note] = []
        for number, region in enumerate(self.alternatives):
            before = Snapshot(state, scope)
            standing = len(state.run.steps)
            state.set_ops(region.block.args[0], [scope])
            try:
                yielded = state.run.run_block(region.block)
            except SilenceableFailure as failure:
                reasons.append(Note(f"branch {number}: {failure.fact}", failure.place))
                scope = before.restore()
                state.run.took_back(self, f"branch {number} taken back", standing)
                continue
            for source, result in zip(yielded, self.res, strict=True):
                state.copy_mapping(source, result)
            state.run.remarks.extend(reasons)
            return
        failure = self.refuse(
            "no branch applies",
            scope,
            remedy="end with a branch that always applies, one that only yields",
        )
        failure.notes += reasons
        raise failure

    def _scope(self, state: TransformState) -> Operation | None:
        if self.scope is None:
            return state.root
        scopes = list(state.payload_ops(self.scope))
        if not scopes:
            return None
        scope, *others = scopes
        if others:
            raise self.broken(
                f"expects one scope, the handle points at {len(scopes)}",
                remedy=self.worded(
                    mlir="call it in transform.foreach", tw="write it in a 'for each'"
                ),
            )
        if not scope.has_trait(IsolatedFromAbove):
            raise self.broken(
                "only isolated-from-above ops can be alternative scopes",
                scope,
                self.worded(
                    mlir="pass the function around it: "
                    "get_parent_op {isolated_from_above}",
                    tw='give it the function: parent HANDLE "func.func"',
                ),
            )
        return scope
