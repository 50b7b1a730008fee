"""`apply_patterns`: apply groups of rewrite patterns until none of them acts.

Before and after depend on the groups asked for; `patterns/groups.py` lists them by
upstream's names.

Requires: groups that exist here. Others are refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import ClassVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from tilewright.transforms.base import TransformOp, TransformOpHandleType
from tilewright.transforms.cleanup.patterns.driver import apply_greedily
from tilewright.transforms.cleanup.patterns.groups import GROUPS, patterns_of
from tilewright.transforms.state import TransformState

PREFIX = "transform.apply_patterns."


def _group_op(group: str) -> type[Operation]:
    """The op that names a group of patterns inside `apply_patterns`."""

    class GroupOp(IRDLOperation):
        """Names one group of patterns."""

        name = PREFIX + group

        assembly_format = "attr-dict"

    GroupOp.__name__ = "".join(part.title() for part in group.split("_")) + "Op"
    return irdl_op_definition(GroupOp)


GROUP_OPS: dict[str, type[Operation]] = {group: _group_op(group) for group in GROUPS}
"""One marker op per group: they differ in nothing but their name."""


@irdl_op_definition
class ApplyPatternsOp(TransformOp):
    """Apply the groups named in the region to what is inside the target."""

    name = "transform.apply_patterns"
    VERB: ClassVar[str | None] = "apply_patterns"

    target = operand_def(TransformOpHandleType)
    patterns = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(self, target: SSAValue, groups: Sequence[str]):
        block = Block([GROUP_OPS[group].create() for group in groups])
        super().__init__(operands=[target], regions=[Region(block)])

    @property
    def groups(self) -> list[str]:
        """The names of the groups asked for."""
        return [op.name.removeprefix(PREFIX) for op in self.patterns.block.ops]

    def apply(self, state: TransformState) -> None:
        """Run the groups together, greedily."""
        for name in self.groups:
            if name not in GROUPS:
                near = get_close_matches(name, GROUPS, 1)
                raise self.broken(
                    f"no group of patterns '{name}'",
                    remedy=f"did you mean '{near[0]}'?" if near else None,
                )
        patterns = patterns_of(self.groups)
        for root in state.payload_ops(self.target):
            apply_greedily(root, patterns, state.rewriter)

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
        op = cls.build(operands=[operand], regions=[region])
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`to %target { groups } : type`."""
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(" ")
        printer.print_region(self.patterns)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)
