"""dlti: tables of facts about a target, as attributes; `dlti.query` reads them.

module attributes {my.target = #dlti.map<"cores" = 4 : i32, i64 = 8 : i32>} {
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class Table(ParametrizedAttribute, ABC):
    """Values by keys, which are strings or types."""

    keys: ArrayAttr[Attribute]
    values: ArrayAttr[Attribute]

    KIND_OF_VALUES: ClassVar[str] = ""
    """The name of the attributes that the values must be, if there is one."""

    def verify(self) -> None:
        """Each key is there once."""
        seen: set[Attribute] = set()
        for key in self.keys:
            if key in seen:
                raise VerifyException(f"repeated DLTI key: {key}")
            seen.add(key)
        if self.KIND_OF_VALUES:
            for value in self.values:
                if value.name != self.KIND_OF_VALUES:
                    raise VerifyException(
                        f"expected #{self.KIND_OF_VALUES}, not {value}"
                    )

    def get(self, key: Attribute) -> Attribute | None:
        """The value of a key."""
        pairs = zip(self.keys, self.values, strict=True)
        return next((value for known, value in pairs if known == key), None)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<key = value, ...>`; an entry may be `#dlti.dl_entry<key, value>`."""
        entries: list[tuple[Attribute, Attribute]] = []
        with parser.in_angle_brackets():
            if (first := _parse_entry(parser)) is not None:
                entries.append(first)
            while entries and parser.parse_optional_punctuation(","):
                entries.append(
                    parser.expect(lambda: _parse_entry(parser), "expected an entry")
                )
        return [
            ArrayAttr([key for key, _ in entries]),
            ArrayAttr([value for _, value in entries]),
        ]

    def print_parameters(self, printer: Printer) -> None:
        """`<key = value, ...>`."""
        with printer.in_angle_brackets():
            for position, key in enumerate(self.keys):
                printer.print_string(", " if position else "")
                printer.print_attribute(key)
                printer.print_string(" = ")
                printer.print_attribute(self.values.data[position])


@irdl_attr_definition
class EntryAttr(ParametrizedAttribute):
    """One key and its value, in the older way to write a table."""

    name = "dlti.dl_entry"

    key: Attribute
    value: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<key, value>`."""
        with parser.in_angle_brackets():
            key = _parse_key(parser)
            if key is None:
                parser.raise_error("expected a type or a quoted string")
            parser.parse_punctuation(",")
            return [key, parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        """`<key, value>`."""
        with printer.in_angle_brackets():
            printer.print_list((self.key, self.value), printer.print_attribute)


@irdl_attr_definition
class MapAttr(Table):
    """Any values by keys."""

    name = "dlti.map"


@irdl_attr_definition
class DataLayoutSpecAttr(Table):
    """Properties of types."""

    name = "dlti.dl_spec"


@irdl_attr_definition
class TargetDeviceSpecAttr(Table):
    """Properties of a device."""

    name = "dlti.target_device_spec"


@irdl_attr_definition
class TargetSystemSpecAttr(Table):
    """Devices by name."""

    name = "dlti.target_system_spec"
    KIND_OF_VALUES: ClassVar[str] = "dlti.target_device_spec"


def _parse_key(parser: AttrParser) -> Attribute | None:
    if (text := parser.parse_optional_str_literal()) is not None:
        return StringAttr(text)
    return parser.parse_optional_type()


def _parse_entry(parser: AttrParser) -> tuple[Attribute, Attribute] | None:
    if (key := _parse_key(parser)) is not None:
        parser.parse_punctuation("=")
        return key, parser.parse_attribute()
    entry = parser.parse_optional_attribute()
    if entry is None:
        return None
    if not isinstance(entry, EntryAttr):
        parser.raise_error("expected 'key = value' or #dlti.dl_entry")
    return entry.key, entry.value


def tables_around(op: Operation) -> Iterator[Table]:
    """The first table of an op, then those of the ops around it."""
    around: Operation | None = op
    while around is not None:
        for value in {**around.properties, **around.attributes}.values():
            if isinstance(value, Table):
                yield value
                break
        around = around.parent_op()


Dlti = Dialect(
    "dlti",
    [],
    [
        DataLayoutSpecAttr,
        EntryAttr,
        MapAttr,
        TargetDeviceSpecAttr,
        TargetSystemSpecAttr,
    ],
)
