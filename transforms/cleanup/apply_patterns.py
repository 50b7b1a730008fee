"""`apply_patterns`: apply groups of rewrite patterns until none of them acts.

Before and after depend on the groups asked for; `groups.py` lists them by
upstream's names. With `apply_cse`, patterns and CSE alternate until neither acts.
`max_iterations` limits the rounds, `max_num_rewrites` the rewrites of a round.

Requires: groups that exist here. Others are refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import count

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from tilewright.ir.errors import DefiniteFailure
from tilewright.transforms.cleanup.apply_cse import eliminate_common
from tilewright.transforms.cleanup.driver import (
    Limits,
    PatternSet,
    TooManyOps,
    apply_greedily,
)
from tilewright.transforms.cleanup.group_ops import (
    GROUP_NAMES,
    GROUP_PREFIX,
    GroupOp,
    Value,
    group_op,
)
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState

UNLIMITED = IntegerAttr(-1, i64)
OPTIONS = {"apply_cse", "max_iterations", "max_num_rewrites"}


def _limit(attr: IntegerAttr) -> int | None:
    number = attr.value.data
    return None if number < 0 else number


@irdl_op_definition
class ApplyPatternsOp(TransformOp):
    """Apply the groups named in the region to what is inside the target."""

    name = "transform.apply_patterns"

    target = operand_def(TransformOpHandleType)
    apply_cse = opt_prop_def(UnitAttr)
    max_iterations = prop_def(IntegerAttr, default_value=UNLIMITED)
    max_num_rewrites = prop_def(IntegerAttr, default_value=UNLIMITED)
    patterns = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(self, target: SSAValue, groups: Sequence[str]):
        block = Block([group_op(group).create() for group in groups])
        super().__init__(operands=[target], regions=[Region(block)])

    @property
    def groups(self) -> list[str]:
        """The names of the groups asked for."""
        return [op.name.removeprefix(GROUP_PREFIX) for op in self.patterns.block.ops]

    @property
    def options(self) -> list[tuple[Value, ...]]:
        """The values of the options of each group."""
        return [
            op.values if isinstance(op, GroupOp) else ()
            for op in self.patterns.block.ops
        ]

    @property
    def limits(self) -> Limits:
        """The limits on rounds and rewrites."""
        return Limits(_limit(self.max_iterations), _limit(self.max_num_rewrites))

    def apply(self, state: TransformState) -> None:
        """Run the groups together, greedily; with CSE, both until neither acts."""
        from tilewright.transforms.cleanup.groups import patterns_of

        for op in self.patterns.block.ops:
            name = op.name.removeprefix(GROUP_PREFIX)
            if op.attributes:
                given = ", ".join(sorted(op.attributes))
                raise self.broken(f"the option {given} of '{name}' is not supported")
            if name not in GROUP_NAMES:
                near = get_close_matches(name, GROUP_NAMES, 1)
                raise self.broken(
                    f"no group of patterns '{name}'",
                    remedy=f"did you mean '{near[0]}'?" if near else None,
                )
        for group in self.patterns.block.ops:
            if not isinstance(group, GroupOp) or group.refused_option is None:
                continue
            option = group.refused_option
            assert option.refused is not None
            value, why = option.refused
            raise self.broken(f"{option.name} = {str(value).lower()}: {why}")
        patterns = patterns_of(self.groups, self.options)
        for root in state.payload_ops(self.target):
            try:
                self._apply_to(root, patterns, state.rewriter)
            except TooManyOps as error:
                raise self._too_many(error) from None

    def _apply_to(
        self, root: Operation, patterns: PatternSet, rewriter: Rewriter
    ) -> None:
        limits = self.limits
        for iteration in count(1):
            if not apply_greedily(root, patterns, rewriter, limits):
                raise self._does_not_rest(root)
            if self.apply_cse is None or not eliminate_common(root, rewriter):
                return
            if limits.iterations is not None and iteration >= limits.iterations:
                raise self._does_not_rest(root)

    def _too_many(self, error: TooManyOps) -> DefiniteFailure:
        name = error.op.name
        return self.broken(
            f"'{name}' would become more than {error.allowed:,} ops",
            error.op,
            "tile to smaller vectors before they are lowered",
        )

    def _does_not_rest(self, root: Operation) -> DefiniteFailure:
        allowed = self.limits.iterations
        return self.broken(
            f"the patterns did not come to rest in {allowed} iteration(s)",
            root,
            "raise max_iterations, or leave it out",
        )

    @classmethod
    def parse(cls, parser: Parser) -> ApplyPatternsOp:
        """`to %target { groups } : type`."""
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(target, parser.parse_type())
        properties = {name: attributes.pop(name) for name in OPTIONS & {*attributes}}
        op = cls.build(operands=[operand], regions=[region], properties=properties)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`to %target { groups } : type`."""
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(" ")
        printer.print_region(self.patterns)
        given = {
            name: attr
            for name, attr in sorted(self.properties.items())
            if attr != UNLIMITED
        }
        printer.print_op_attributes({**given, **self.attributes})
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)
