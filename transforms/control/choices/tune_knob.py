"""`transform.tune.knob`: a value that a schedule leaves open."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.transforms.control.choices.choice import DEFAULT, ChoiceOp, also_open
from tilewright.transforms.control.choices.knob_options import holds, listed_options
from tilewright.transforms.control.choices.values import (
    Value,
    listed_values,
    value_attribute,
    value_of,
    value_text,
)
from tilewright.transforms.core.base import AnyParamType, TransformParamHandleType
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.param_constant import param_type


@irdl_op_definition
class KnobOp(ChoiceOp):
    """A value to choose from a list."""

    name = "transform.tune.knob"

    knob_name = prop_def(StringAttr, prop_name="name")
    options = prop_def(Attribute)
    selected = opt_prop_def(Attribute)
    result = result_def(TransformParamHandleType)

    def __init__(
        self,
        knob_name: str,
        options: Sequence[Value | Attribute] | Attribute,
        selected: Value | Attribute | None = None,
        result_type: Attribute | None = None,
        default: Value | Attribute | None = None,
    ):
        if not isinstance(options, Attribute):
            options = ArrayAttr([value_attribute(option) for option in options])
        first = next(iter(listed_options(options)), None)
        super().__init__(
            properties={
                "name": StringAttr(knob_name),
                "options": options,
                "selected": None if selected is None else value_attribute(selected),
            },
            attributes={} if default is None else {DEFAULT: value_attribute(default)},
            result_types=[
                result_type or (AnyParamType() if first is None else param_type(first))
            ],
        )

    @property
    def choice_name(self) -> str:
        """The name in a point."""
        return self.knob_name.data

    @property
    def is_open(self) -> bool:
        """Whether no value was selected."""
        return self.selected is None

    @property
    def values(self) -> tuple[Value, ...]:
        """The options as Python values; none where they cannot be listed."""
        return tuple(value_of(option) for option in self.listed)

    @property
    def listed(self) -> Sequence[Attribute]:
        """The options as attributes; none where they cannot be listed."""
        return listed_options(self.options)

    @property
    def value(self) -> Value | None:
        """The selected value, if there is one."""
        return None if self.selected is None else value_of(self.selected)

    @property
    def default(self) -> Value | None:
        """The value that the knob has where a point leaves it open, if it has one."""
        default = self.attributes.get(DEFAULT)
        return None if default is None else value_of(default)

    def verify_(self) -> None:
        """Check the options; the selected value and the default are among them."""
        default = self.attributes.get(DEFAULT)
        if default is not None and not holds(self.options, default):
            raise VerifyException(
                f"its default {value_text(value_of(default))} is not among its "
                f"options; they are {self.shown_options()}"
            )
        if not isa(self.options, ArrayAttr):
            return
        if not self.options.data:
            raise VerifyException("has no options")
        if self.selected is not None and self.selected not in self.options.data:
            raise VerifyException("'selected' is not among the options")

    @classmethod
    def parse(cls, parser: Parser) -> KnobOp:
        """`<"name"> [= value from] options = [...] -> type`."""
        with parser.in_angle_brackets():
            name = parser.parse_str_literal()
        selected = None
        if parser.parse_optional_punctuation("="):
            selected = parser.parse_attribute()
            parser.parse_keyword("from")
        parser.parse_keyword("options")
        parser.parse_punctuation("=")
        options = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("->")
        op = cls(name, options, selected, parser.parse_type())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`<"name"> [= value from] options = [...] -> type`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.knob_name)
        if self.selected is not None:
            printer.print_string(" = ")
            printer.print_attribute(self.selected)
            printer.print_string(" from")
        printer.print_string(" options = ")
        if isa(self.options, ArrayAttr):
            with printer.in_square_brackets():
                printer.print_list(
                    self.options.data, lambda option: _print_option(printer, option)
                )
        else:
            printer.print_attribute(self.options)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def apply(self, state: TransformState) -> None:
        """Set the parameter, if a value was selected."""
        if self.selected is None:
            name = self.choice_name
            raise self.broken(
                f"'{name}' is open, its options are {self.shown_options()}"
                f"{also_open(state, name)}",
                remedy=f"choose with --set {name}={value_text(self.values[0])}, or tune"
                if self.values
                else f"choose with --set {name}=...",
            )
        state.set_params(self.result, [self.selected])

    def shown_options(self) -> str:
        """The options in words."""
        return listed_values(self.values) if self.values else str(self.options)


def _print_option(printer: Printer, option: Attribute) -> None:
    if isa(option, IntegerAttr) and option.type == i64:
        printer.print_string(str(option.value.data))
    else:
        printer.print_attribute(option)
