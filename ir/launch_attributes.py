"""The `triton.*` attributes: what Triton needs and upstream MLIR has no word for.

A schedule sets them with `transform.annotate` on a grid (`scf.forall`) or a loop
(`scf.for`). This table is the only list of them: an attribute that is not here, or that
stands in the wrong place, is an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of

TABLE_VERSION = 1
"""Raised when an attribute is added or changes its meaning; part of a program's key."""

PREFIX = "triton."


class Host(Enum):
    """The ops an attribute may stand on."""

    GRID = "grid (scf.forall)"
    LOOP = "loop (scf.for)"


@dataclass(frozen=True)
class LaunchAttribute:
    """One row of the table."""

    name: str
    host: Host
    is_unit: bool
    """A unit attribute is on where it stands; the others hold an integer."""
    legal: Callable[[int], bool]
    values: str
    """The legal values, in words."""
    default: int
    doc: str


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


LAUNCH_ATTRIBUTES: tuple[LaunchAttribute, ...] = (
    LaunchAttribute(
        "triton.num_warps",
        Host.GRID,
        is_unit=False,
        legal=lambda value: _is_power_of_two(value) and value <= 32,
        values="a power of two from 1 to 32",
        default=4,
        doc="warps of a program",
    ),
    LaunchAttribute(
        "triton.descriptors",
        Host.GRID,
        is_unit=True,
        legal=lambda value: value in (0, 1),
        values="unit",
        default=0,
        doc="load and store tiles through tensor descriptors (TMA)",
    ),
    LaunchAttribute(
        "triton.group",
        Host.GRID,
        is_unit=False,
        legal=lambda value: value >= 1,
        values="an integer of at least 1",
        default=1,
        doc="tile order: walk the columns of this many rows of tiles before moving on",
    ),
    LaunchAttribute(
        "triton.num_stages",
        Host.LOOP,
        is_unit=False,
        legal=lambda value: 1 <= value <= 8,
        values="an integer from 1 to 8",
        default=3,
        doc="software pipeline depth of the loop",
    ),
)

_BY_NAME = {row.name: row for row in LAUNCH_ATTRIBUTES}


def launch_attribute(op: Operation, name: str) -> int | None:
    """The value of one attribute on `op`, checked; None where it is not set."""
    attribute = op.attributes.get(name)
    return None if attribute is None else _value(op, _BY_NAME[name], attribute)


def default_of(name: str) -> int:
    """The value an attribute has where it is not set."""
    return _BY_NAME[name].default


def check_launch_attributes(root: Operation) -> None:
    """Check every `triton.*` attribute on `root` and in it: name, host and value."""
    for op in root.walk():
        for name, attribute in _launch_attributes_of(op):
            check_launch_attribute(op, name, attribute)


def check_launch_attribute(op: Operation, name: str, attribute: Attribute) -> None:
    """Check one `triton.*` attribute that stands on `op`, or is to be put there."""
    row = _BY_NAME.get(name)
    if row is None:
        raise _unknown(op, name)
    if not _may_host(op, row.host):
        raise UserError(
            f"'{name}' does not belong on '{op.name}'",
            place_of(op),
            f"set it on a {row.host.value}",
        )
    _value(op, row, attribute)


def _launch_attributes_of(op: Operation) -> Iterator[tuple[str, Attribute]]:
    for name, attribute in op.attributes.items():
        if name.startswith(PREFIX):
            yield name, attribute


def _may_host(op: Operation, host: Host) -> bool:
    if host is Host.GRID:
        return isinstance(op, ForallOp)
    return isinstance(op, scf.ForOp)


def _value(op: Operation, row: LaunchAttribute, attribute: Attribute) -> int:
    if row.is_unit:
        if isinstance(attribute, UnitAttr):
            return 1
    elif isinstance(attribute, IntegerAttr):
        value = attribute.value.data
        if row.legal(value):
            return value
        raise UserError(
            f"'{row.name}' is {value}", place_of(op), f"it takes {row.values}"
        )
    kind = "a unit attribute" if row.is_unit else "an integer"
    raise UserError(f"'{row.name}' is {attribute}", place_of(op), f"it takes {kind}")


def _unknown(op: Operation, name: str) -> UserError:
    near = difflib.get_close_matches(name, _BY_NAME, n=1)
    remedy = (
        f"did you mean '{near[0]}'?"
        if near
        else f"known: {', '.join(sorted(_BY_NAME))}"
    )
    return UserError(f"unknown launch attribute '{name}'", place_of(op), remedy)
