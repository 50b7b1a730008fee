"""`transform.tune.alternatives`: a region that a schedule leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import is_array
from tilewright.transforms.control.choices.choice import DEFAULT, ChoiceOp, also_open
from tilewright.transforms.control.choices.values import (
    listed_values,
)
from tilewright.transforms.control.sequence import YieldOp, ensure_yield
from tilewright.transforms.core.base import TransformParamHandleType
from tilewright.transforms.core.state import TransformState

LABELS = "tilewright.labels"
"""The attribute of alternatives that names their regions."""


@irdl_op_definition
class AlternativesOp(ChoiceOp):
    """A region to choose from several; regions see the handles around them."""

    name = "transform.tune.alternatives"

    alternatives_name = prop_def(StringAttr, prop_name="name")
    selected_region_attr = opt_prop_def(IntegerAttr[IndexType])
    selected_region_param = opt_operand_def(TransformParamHandleType)
    res = var_result_def()
    alternatives = var_region_def("single_block")

    VERB: ClassVar[str | None] = "tune.alternatives"
    IS_STEP: ClassVar[bool] = False

    def __init__(
        self,
        alternatives_name: str,
        regions: Sequence[Region],
        result_types: Sequence[Attribute] = (),
        selected: int | SSAValue | None = None,
        labels: Sequence[str] | None = None,
        default: str | None = None,
    ):
        for region in regions:
            ensure_yield(region)
        super().__init__(
            operands=[selected if isinstance(selected, SSAValue) else None],
            properties={
                "name": StringAttr(alternatives_name),
                "selected_region_attr": IntegerAttr.from_index_int_value(selected)
                if isinstance(selected, int)
                else None,
            },
            attributes={}
            if labels is None
            else {LABELS: ArrayAttr(map(StringAttr, labels))},
            result_types=[result_types],
            regions=[regions],
        )
        if default is not None:
            self.attributes[DEFAULT] = StringAttr(default)

    @property
    def choice_name(self) -> str:
        """The name in a point."""
        return self.alternatives_name.data

    @property
    def is_open(self) -> bool:
        """Whether no region was selected, and no parameter selects one."""
        # Attributes are compared with None: an integer attribute that holds 0 is falsy.
        return self.selected_region_attr is None and self.selected_region_param is None

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the regions; their numbers where they have none."""
        labels = self.attributes.get(LABELS)
        texts = labels.data if is_array(labels) else ()
        named = tuple(text.data for text in texts if isinstance(text, StringAttr))
        if not is_array(labels) or len(named) < len(texts):
            return tuple(str(index) for index in range(len(self.alternatives)))
        return named

    @property
    def selected_region(self) -> int | None:
        """The number of the selected region, if there is one."""
        chosen = self.selected_region_attr
        return None if chosen is None else chosen.value.data

    @property
    def default(self) -> str | None:
        """The label of the region that is taken where a point leaves it open."""
        default = self.attributes.get(DEFAULT)
        return default.data if isinstance(default, StringAttr) else None

    def verify_(self) -> None:
        """Check the selected region, the labels, and what each region yields."""
        count = len(self.alternatives)
        if count == 0:
            raise VerifyException("has no regions")
        if self.selected_region is not None and not 0 <= self.selected_region < count:
            raise VerifyException(
                f"selects region {self.selected_region} of {count}; they count from 0"
            )
        if self.selected_region is not None and self.selected_region_param is not None:
            raise VerifyException("selects a region twice")
        if len(set(self.labels)) != count:
            raise VerifyException(f"needs {count} different labels in '{LABELS}'")
        if DEFAULT in self.attributes and self.default not in self.labels:
            raise VerifyException(
                f"its default {self.attributes[DEFAULT]} is not among its branches; "
                f"they are {listed_values(self.labels)}"
            )
        types = [result.type for result in self.res]
        for label, region in zip(self.labels, self.alternatives, strict=True):
            last = region.block.last_op
            if (
                not isinstance(last, YieldOp)
                or [v.type for v in last.operands] != types
            ):
                raise VerifyException(
                    f"region '{label}' does not yield the op's {len(types)} result(s)"
                )

    @classmethod
    def parse(cls, parser: Parser) -> AlternativesOp:
        """`<"name"> [selected_region = N] [attributes {..}] [-> types] {..}, {..}`."""
        with parser.in_angle_brackets():
            name = parser.parse_str_literal()
        selected = parameter = None
        pos = parser.pos
        if parser.parse_optional_keyword("selected_region"):
            parser.parse_punctuation("=")
            parameter = parser.parse_optional_unresolved_operand()
            if parameter is None:
                selected = parser.parse_integer(allow_boolean=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        if parameter is not None:
            parser.parse_punctuation(":")
            kind = parser.parse_type()
            (selected,) = parser.resolve_operands([parameter], [kind], pos)
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->"):
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
        regions = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_region
        )
        op = cls(name, regions, types, selected)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`<"name"> [selected_region = N] [attributes {..}] [-> types] {..}, {..}`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.alternatives_name)
        if self.selected_region is not None:
            printer.print_string(f" selected_region = {self.selected_region}")
        elif self.selected_region_param is not None:
            printer.print_string(" selected_region = ")
            printer.print_ssa_value(self.selected_region_param)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if self.selected_region_param is not None:
            printer.print_string(" : ")
            printer.print_attribute(self.selected_region_param.type)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res.types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_list(
            self.alternatives,
            lambda region: printer.print_region(
                region, print_empty_block=False, print_block_terminators=bool(self.res)
            ),
        )

    def apply(self, state: TransformState) -> None:
        """Run the selected region and return what it yields."""
        picked = self.selected_region
        if self.selected_region_param is not None:
            picked = state.integer(self, self.selected_region_param)
        name = self.choice_name
        if picked is None:
            raise self.broken(
                f"'{name}' is open, its branches are {listed_values(self.labels)}"
                f"{also_open(state, name)}",
                remedy=f"choose with --set {name}={self.labels[0]}, or tune",
            )
        if not 0 <= picked < len(self.alternatives):
            raise self.broken(
                f"'{name}' has no branch {picked}, "
                f"they are {listed_values(self.labels)}"
            )
        yielded = state.run.run_block(self.alternatives[picked].block)
        for source, result in zip(yielded, self.res, strict=True):
            state.copy_mapping(source, result)
