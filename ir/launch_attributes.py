"""The `triton.*` attributes: launch options that upstream MLIR cannot express.

A schedule sets them with `transform.annotate` on a grid (`scf.forall`), a loop
(`scf.for`) or a structured op. This table is the only list of them: an attribute that
is not in the table, or that is on a wrong op, is an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of

TABLE_VERSION = 10
"""Raised when an attribute is added or changes its meaning; part of a program's key."""

PREFIX = "triton."
LIBRARY = "triton.library"
ONLY_CALLED = "tilewright.only_called"
"""On a product that only the op after it reads, which a library computes with it: later
uses of its buffer are of something else. The default sets it, before buffers are."""
STAGES = "triton.num_stages"
DESCRIPTORS = "triton.descriptors"
HELD = "triton.held_operands"
WHERE_LEGAL = "where_legal"
"""A value of flags that asks for as much as is legal: tiles that no descriptor can
describe go through pointers, operands that cannot be held stay in shared memory."""


class Host(Enum):
    """The kinds of ops that may have an attribute."""

    GRID = "grid (scf.forall)"
    LOOP = "loop (scf.for)"
    OP = "structured op (linalg)"


class Kind(Enum):
    """The type of an attribute's value."""

    NUMBER = "an integer"
    FLAG = "a unit attribute, or 0 or 1"
    WORD = "a string"
    WORDS = "a dictionary from buffers to strings"


@dataclass(frozen=True)
class LaunchAttribute:
    """An attribute: its name, the ops that may have it, its legal values."""

    name: str
    hosts: tuple[Host, ...]
    kind: Kind
    values: str
    """A description of the legal values."""
    doc: str
    legal: Callable[[int], bool] = lambda value: value in (0, 1)
    """Whether a number or flag is legal."""
    words: tuple[str, ...] = ()
    """The legal words."""
    default: int = 0
    """The value of a number or flag that is not set; for words, the first one is."""

    @property
    def place(self) -> str:
        """The remedy for an attribute on the wrong op."""
        return f"set it on a {' or a '.join(host.value for host in self.hosts)}"


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _number(
    name: str,
    hosts: Host | tuple[Host, ...],
    legal: Callable[[int], bool],
    values: str,
    default: int,
    doc: str,
) -> LaunchAttribute:
    places = hosts if isinstance(hosts, tuple) else (hosts,)
    return LaunchAttribute(
        PREFIX + name, places, Kind.NUMBER, values, doc, legal, default=default
    )


def _flag(name: str, hosts: Sequence[Host], doc: str) -> LaunchAttribute:
    return LaunchAttribute(
        PREFIX + name, tuple(hosts), Kind.FLAG, "unit, or 0 or 1", doc
    )


def _word(
    name: str, host: Host, kind: Kind, words: tuple[str, ...], doc: str
) -> LaunchAttribute:
    return LaunchAttribute(
        PREFIX + name, (host,), kind, ", ".join(words), doc, words=words
    )


LAUNCH_ATTRIBUTES: tuple[LaunchAttribute, ...] = (
    _number(
        "num_warps",
        Host.GRID,
        lambda value: _is_power_of_two(value) and value <= 32,
        "a power of two from 1 to 32",
        4,
        "warps of a program",
    ),
    LaunchAttribute(
        DESCRIPTORS,
        (Host.GRID,),
        Kind.FLAG,
        f'unit, or 0 or 1, or "{WHERE_LEGAL}"',
        "load and store tiles through tensor descriptors (TMA): all, or those that "
        "a descriptor can describe",
        words=(WHERE_LEGAL,),
    ),
    _number(
        "group",
        Host.GRID,
        lambda value: value >= 1,
        "an integer of at least 1",
        1,
        "tile order: walk the columns of this many rows of tiles before moving on",
    ),
    _flag(
        "reversed",
        [Host.GRID],
        "tile order: walk the grid backwards along the dimensions that the bounds of "
        "loops depend on, so that the tiles with the most iterations start first",
    ),
    _number(
        "persistent",
        Host.GRID,
        lambda value: 0 <= value <= 8,
        "an integer from 0 to 8",
        0,
        "so many programs a multiprocessor, each taking tile after tile; 0: one a tile",
    ),
    _number(
        "store_parts",
        Host.GRID,
        lambda value: value in (1, 2, 4),
        "1, 2 or 4",
        1,
        "finish and store a tile in so many parts, column by column",
    ),
    _flag(
        "aligned_rows",
        [Host.GRID],
        "split a row of odd length at multiples of 16 bytes: the middle is accessed "
        "16 bytes at a time, its two edges apart",
    ),
    LaunchAttribute(
        HELD,
        (Host.GRID,),
        Kind.FLAG,
        f'unit, or 0 or 1, or "{WHERE_LEGAL}"',
        "hold the left operands of products that no loop changes in registers instead "
        "of shared memory: all, or those that can be held",
        words=(WHERE_LEGAL,),
    ),
    _flag(
        "last_arriver",
        [Host.GRID],
        "join the launch before: its last program to finish a tile's parts does this",
    ),
    _flag(
        "wide_offsets",
        [Host.GRID],
        "offsets of 64 bits into buffers of a size known only at run time",
    ),
    _word(
        "dot_precision",
        Host.GRID,
        Kind.WORD,
        ("ieee", "tf32", "tf32x3"),
        "how f32 operands are multiplied",
    ),
    _word(
        "eviction",
        Host.GRID,
        Kind.WORDS,
        ("evict_first", "evict_last"),
        "which lines of a buffer the L2 cache gives up before others, or after",
    ),
    _word(
        "cache",
        Host.GRID,
        Kind.WORDS,
        ("ca", "cg", "cv", "wb", "cs", "wt"),
        "the cache operator of a buffer's loads (ca, cg, cv) or stores (wb, cg, cs, "
        "wt)",
    ),
    _flag(
        "read_once",
        [Host.GRID],
        "evict the lines of buffers whose elements the grid reads once before others",
    ),
    _number(
        "num_stages",
        (Host.LOOP, Host.GRID),
        lambda value: 1 <= value <= 8,
        "an integer from 1 to 8",
        3,
        "software pipeline depth of the loop; on a grid, of the loop over tiles that "
        "'triton.persistent' makes, which has none unless asked",
    ),
    _number(
        "unroll",
        Host.LOOP,
        lambda value: 1 <= value <= 64,
        "an integer from 1 to 64",
        1,
        "iterations in one",
    ),
    _flag(
        "flatten",
        [Host.LOOP, Host.GRID],
        "make one loop of this one and the loop inside; on a grid, of the loop over "
        "tiles that 'triton.persistent' makes",
    ),
    _number(
        "stream",
        Host.GRID,
        lambda value: 0 <= value <= 7,
        "an integer from 0 to 7",
        0,
        "launch on a stream of its own; 0 is the caller's",
    ),
    _word(
        "library",
        Host.OP,
        Kind.WORD,
        ("torch", "cublas", "cublas_padded", "cudnn"),
        "call a library for this op, instead of making a kernel of it",
    ),
    _flag(
        "single_accumulator",
        [Host.LOOP],
        "do not keep two accumulators where the pipeline could overlap them",
    ),
)

LOOP_ATTRIBUTES = tuple(row for row in LAUNCH_ATTRIBUTES if Host.LOOP in row.hosts)
"""The attributes that a loop may have."""

_BY_NAME = {row.name: row for row in LAUNCH_ATTRIBUTES}


def launch_attribute(op: Operation, name: str) -> int | None:
    """A number or flag on `op`, checked; None where it is not set."""
    attribute = op.attributes.get(name)
    if attribute is None:
        return None
    value = _value(op, _BY_NAME[name], attribute)
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
    value = _value(op, _BY_NAME[name], attribute)
    return value if isinstance(value, str) else bool(value)


def launch_number(op: Operation, name: str) -> int:
    """A number or flag on `op`, checked, or its default."""
    value = launch_attribute(op, name)
    return default_of(name) if value is None else value


def launch_word(op: Operation, name: str) -> str:
    """A word on `op`, checked, or the default."""
    row = _BY_NAME[name]
    attribute = op.attributes.get(name)
    value = row.words[0] if attribute is None else _value(op, row, attribute)
    assert isinstance(value, str)
    return value


def launch_words(op: Operation, name: str) -> Mapping[str, str]:
    """The words on `op`, checked, by the buffer they are for."""
    attribute = op.attributes.get(name)
    value = {} if attribute is None else _value(op, _BY_NAME[name], attribute)
    assert isinstance(value, dict)
    return value


def library_of(op: Operation) -> str | None:
    """The library that computes an op, checked; None if no library does."""
    if LIBRARY not in op.attributes:
        return None
    return launch_word(op, LIBRARY)


def default_of(name: str) -> int:
    """The value a number or flag has where it is not set."""
    return _BY_NAME[name].default


def check_launch_attributes(root: Operation) -> None:
    """Check every `triton.*` attribute on `root` and in it: name, host and value."""
    for op in root.walk():
        for name, attribute in _launch_attributes_of(op):
            check_launch_attribute(op, name, attribute)


def check_launch_attribute(op: Operation, name: str, attribute: Attribute) -> None:
    """Check one `triton.*` attribute that `op` has, or is to get."""
    row = _BY_NAME.get(name)
    if row is None:
        raise _unknown(op, name)
    if not any(_may_host(op, host) for host in row.hosts):
        raise UserError(
            f"'{name}' does not belong on '{op.name}'",
            place_of(op),
            row.place,
        )
    _value(op, row, attribute)


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
    op: Operation, row: LaunchAttribute, attribute: Attribute
) -> int | str | dict[str, str]:
    """The value of an attribute, or an error that lists the legal values."""
    found = _read(row.kind, attribute)
    if found is None:
        raise UserError(
            f"'{row.name}' is {attribute}", place_of(op), f"it takes {row.kind.value}"
        )
    if isinstance(found, int):
        illegal = None if row.legal(found) else str(found)
    else:
        words = [found] if isinstance(found, str) else list(found.values())
        illegal = next((f'"{word}"' for word in words if word not in row.words), None)
    if illegal is not None:
        raise UserError(
            f"'{row.name}' is {illegal}", place_of(op), f"it takes {row.values}"
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
    near = difflib.get_close_matches(name, _BY_NAME, n=1)
    remedy = (
        f"did you mean '{near[0]}'?"
        if near
        else f"known: {', '.join(sorted(_BY_NAME))}"
    )
    return UserError(f"unknown launch attribute '{name}'", place_of(op), remedy)
