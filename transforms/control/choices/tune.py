"""`transform.tune.knob` and `transform.tune.alternatives`: what a schedule leaves open.

    %BM = transform.tune.knob<"BM"> options = [64, 128] -> !transform.param<i64>
    transform.tune.alternatives<"loads"> attributes {tilewright.labels = ["a", "b"]} {
      ...
    }, {
      ...
    }

Both are upstream's. A knob picks a value, alternatives pick a region. A *point* names
the picks; `bind.py` writes them into the ops. The attribute `tilewright.default` is the
option, or the label, that closes a choice which the point leaves open (`defaults.py`).
Running an op that is still open is a definite failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.transforms.control.choices.knob_options import holds, listed_options
from tilewright.transforms.control.choices.values import (
    Value,
    listed_values,
    value_attribute,
    value_of,
    value_text,
)
from tilewright.transforms.control.sequence import IncludeOp, YieldOp, ensure_yield
from tilewright.transforms.core.base import (
    AnyParamType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.param_constant import param_type

LABELS = "tilewright.labels"
"""The attribute of alternatives that names their regions."""

DEFAULT = "tilewright.default"
"""The attribute of a choice that has its default: an option or a label."""

CLOSED_BY_DEFAULT = "tilewright.closed_by_default"
"""Marks a bound choice whose value is its default, for messages about the point."""


@irdl_op_definition
class KnobOp(TransformOp):
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
            name = self.knob_name.data
            raise self.broken(
                f"'{name}' is open, its options are {self.shown_options()}"
                f"{_also_open(state, name)}",
                remedy=f"choose with --set {name}={value_text(self.values[0])}, or tune"
                if self.values
                else f"choose with --set {name}=...",
            )
        state.set_params(self.result, [self.selected])

    def shown_options(self) -> str:
        """The options in words."""
        return listed_values(self.values) if self.values else str(self.options)


@irdl_op_definition
class AlternativesOp(TransformOp):
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
    def labels(self) -> tuple[str, ...]:
        """The names of the regions; their numbers where they have none."""
        labels = self.attributes.get(LABELS)
        if not isa(labels, ArrayAttr[StringAttr]):
            return tuple(str(index) for index in range(len(self.alternatives)))
        return tuple(label.data for label in labels)

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
        name = self.alternatives_name.data
        if picked is None:
            raise self.broken(
                f"'{name}' is open, its branches are {listed_values(self.labels)}"
                f"{_also_open(state, name)}",
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


@dataclass(frozen=True)
class Choice:
    """An open choice: its name, its options and its default, if it has one."""

    name: str
    options: tuple[Value, ...]
    op: KnobOp | AlternativesOp

    @property
    def default(self) -> Value | None:
        """The option that closes the choice where a point leaves it open."""
        return self.op.default


def choices(module: ModuleOp) -> Iterator[KnobOp | AlternativesOp]:
    """Every knob and alternatives of a schedule, in the order it would run them.

    Included sequences come where they are first included; sequences that are never
    included come last.
    """
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    seen: set[str] = set()

    def visit(op: Operation) -> Iterator[KnobOp | AlternativesOp]:
        for nested in op.walk():
            if isinstance(nested, KnobOp | AlternativesOp):
                yield nested
            elif isinstance(nested, IncludeOp):
                yield from enter(nested.target.string_value())

    def enter(name: str) -> Iterator[KnobOp | AlternativesOp]:
        if name in sequences and name not in seen:
            seen.add(name)
            yield from visit(sequences[name])

    yield from enter("__transform_main")
    for name in sequences:
        yield from enter(name)


def name_of(op: KnobOp | AlternativesOp) -> str:
    """The name of a choice in a point."""
    return (op.knob_name if isinstance(op, KnobOp) else op.alternatives_name).data


def options_of(op: KnobOp | AlternativesOp) -> tuple[Value, ...]:
    """The options of a choice: values or labels."""
    return op.values if isinstance(op, KnobOp) else op.labels


def is_open(op: KnobOp | AlternativesOp) -> bool:
    """Whether the choice is open."""
    if isinstance(op, KnobOp):
        return op.selected is None
    # Attributes are compared with None: an integer attribute that holds 0 is falsy.
    return op.selected_region_attr is None and op.selected_region_param is None


def open_choices(module: ModuleOp) -> list[Choice]:
    """The open choices, each name once, in the schedule's order."""
    found: dict[str, Choice] = {}
    for op in choices(module):
        if is_open(op):
            name = name_of(op)
            found.setdefault(name, Choice(name, options_of(op), op))
    return list(found.values())


def _also_open(state: TransformState, name: str) -> str:
    """The other open choices, so that one error names them all."""
    others = [
        choice.name
        for choice in open_choices(state.run.schedule)
        if choice.name != name and choice.default is None
    ]
    return f" (open too: {', '.join(dict.fromkeys(others))})" if others else ""


def _print_option(printer: Printer, option: Attribute) -> None:
    if isa(option, IntegerAttr) and option.type == i64:
        printer.print_string(str(option.value.data))
    else:
        printer.print_attribute(option)
