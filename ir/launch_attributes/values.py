"""The values of `triton.*` attributes on ops, read and checked by their table.

An attribute that is not in `table.py`, that is on a wrong op, or that has a
value which is not legal, is an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.table import (
    BY_NAME,
    DESCRIPTORS,
    HELD,
    LIBRARY,
    PREFIX,
    Host,
    Kind,
    LaunchAttribute,
)
from tilewright.ir.text import place_of


def launch_attribute(op: Operation, name: str) -> int | None:
    """A number or flag on `op`, checked; None where it is not set."""
    attribute = op.attributes.get(name)
    if attribute is None:
        return None
    value = _value(op, BY_NAME[name], attribute)
    assert isinstance(value, int)
    return value


def asked_descriptors(op: Operation) -> bool | str:
    """Whether a grid asks for tensor descriptors, or `WHERE_LEGAL`."""
    return _asked(op, DESCRIPTORS)


def asked_held(op: Operation) -> bool | str:
    """Whether a grid asks for operands in registers, or `WHERE_LEGAL`."""
    return _asked(op, HELD)


def _asked(op: Operation, name: str) -> bool | str:
    attribute = op.attributes.get(name)
    if attribute is None:
        return False
    value = _value(op, BY_NAME[name], attribute)
    return value if isinstance(value, str) else bool(value)


def launch_number(op: Operation, name: str) -> int:
    """A number or flag on `op`, checked, or its default."""
    value = launch_attribute(op, name)
    return default_of(name) if value is None else value


def launch_word(op: Operation, name: str) -> str:
    """A word on `op`, checked, or the default."""
    row = BY_NAME[name]
    attribute = op.attributes.get(name)
    value = row.words[0] if attribute is None else _value(op, row, attribute)
    assert isinstance(value, str)
    return value


def launch_words(op: Operation, name: str) -> Mapping[str, str]:
    """The words on `op`, checked, by the buffer they are for."""
    attribute = op.attributes.get(name)
    value = {} if attribute is None else _value(op, BY_NAME[name], attribute)
    assert isinstance(value, dict)
    return value


def library_of(op: Operation) -> str | None:
    """The library that computes an op, checked; None if no library does."""
    if LIBRARY not in op.attributes:
        return None
    return launch_word(op, LIBRARY)


def default_of(name: str) -> int:
    """The value a number or flag has where it is not set."""
    return BY_NAME[name].default


def check_launch_attributes(root: Operation) -> None:
    """Check every `triton.*` attribute on `root` and in it: name, host and value."""
    for op in root.walk():
        for name, attribute in _launch_attributes_of(op):
            check_launch_attribute(op, name, attribute)


def check_launch_attribute(
    op: Operation, name: str, attribute: Attribute, word: str = ""
) -> None:
    """Check one `triton.*` attribute that `op` has, or is to get.

    Errors call it by `word`, where the schedule has another word for it.
    """
    row = BY_NAME.get(name)
    if row is None:
        raise _unknown(op, name)
    if not any(_may_host(op, host) for host in row.hosts):
        raise UserError(
            f"'{word or name}' does not belong on '{op.name}'",
            place_of(op),
            row.place,
        )
    _value(op, row, attribute, word)


def _launch_attributes_of(op: Operation) -> Iterator[tuple[str, Attribute]]:
    for name, attribute in op.attributes.items():
        if name.startswith(PREFIX):
            yield name, attribute


def _may_host(op: Operation, host: Host) -> bool:
    match host:
        case Host.GRID:
            return isinstance(op, ForallOp)
        case Host.LOOP:
            return isinstance(op, scf.ForOp)
        case Host.OP:
            return isinstance(op, StructuredOp | SoftmaxOp)


def _value(
    op: Operation, row: LaunchAttribute, attribute: Attribute, word: str = ""
) -> int | str | dict[str, str]:
    """The value of an attribute, or an error that lists the legal values."""
    word = word or row.name
    found = _read(row.kind, attribute)
    if found is None:
        raise UserError(
            f"'{word}' is {attribute}", place_of(op), f"it takes {row.kind.value}"
        )
    if isinstance(found, int):
        illegal = None if row.legal(found) else str(found)
    else:
        words = [found] if isinstance(found, str) else list(found.values())
        illegal = next((f'"{each}"' for each in words if each not in row.words), None)
    if illegal is not None:
        raise UserError(
            f"'{word}' is {illegal}", place_of(op), f"it takes {row.values}"
        )
    return found


def _read(kind: Kind, attribute: Attribute) -> int | str | dict[str, str] | None:
    match kind, attribute:
        case Kind.NUMBER | Kind.FLAG, IntegerAttr():
            return attribute.value.data
        case Kind.FLAG, UnitAttr():
            return 1
        case Kind.WORD | Kind.FLAG, StringAttr():
            return attribute.data
        case Kind.WORDS, DictionaryAttr():
            words = {
                name: value.data
                for name, value in attribute.data.items()
                if isinstance(value, StringAttr)
            }
            return words if len(words) == len(attribute.data) else None
        case _:
            return None


def _unknown(op: Operation, name: str) -> UserError:
    near = difflib.get_close_matches(name, BY_NAME, n=1)
    remedy = (
        f"did you mean '{near[0]}'?" if near else f"known: {', '.join(sorted(BY_NAME))}"
    )
    return UserError(f"unknown launch attribute '{name}'", place_of(op), remedy)
