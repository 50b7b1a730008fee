"""The `triton.*` attributes: launch options that upstream MLIR cannot express.

A schedule sets them with `transform.annotate` on a grid (`scf.forall`), a loop
(`scf.for`) or a structured op. This table is the only list of them: an attribute that
is not in the table, or that is on a wrong op, is an error (`values.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

TABLE_VERSION = 13
"""Raised when an attribute is added or changes its meaning; part of a program's key."""

PREFIX = "triton."
LIBRARY = "triton.library"
ONLY_CALLED = "tilewright.only_called"
"""On a product that only the op after it reads, which a library computes with it: later
uses of its buffer are of something else. On a scatter, that nothing else reads its
places and values. The default sets it, before buffers are."""
STAGES = "triton.num_stages"
DESCRIPTORS = "triton.descriptors"
HELD = "triton.held_operands"
RING = "triton.ring"
PING_PONG = "triton.ping_pong"
PINNED = "triton.pinned"
CONSUMERS = "triton.consumers"
CONSUMER_REGISTERS = "triton.consumer_registers"
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
    _number(
        "consumers",
        Host.GRID,
        lambda value: value in (0, 1, 2, 4),
        "0, 1, 2 or 4",
        0,
        "give warps roles: one loads, so many groups of four share the rows of a tile; "
        "0: all warps do the same",
    ),
    _number(
        "consumer_registers",
        Host.GRID,
        lambda value: value == 0 or (24 <= value <= 240 and value % 8 == 0),
        "0, or a multiple of 8 from 24 to 240",
        0,
        "registers of a thread of the groups that compute; 0: as many as there are",
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
        "ring",
        (Host.LOOP, Host.GRID),
        lambda value: 0 <= value <= 8,
        "an integer from 0 to 8",
        0,
        "the tiles that the loop loads go through so many slots of shared memory, in "
        "turn; on a grid, those that no loop loads, for the next tiles of "
        "'triton.persistent'; needs a grid with 'triton.consumers'; 0: no ring",
    ),
    _flag(
        "ping_pong",
        [Host.LOOP],
        "groups of warps that compute take turns to start the products of an "
        "iteration; needs a grid with 'triton.consumers'",
    ),
    _flag(
        "pinned",
        [Host.LOOP],
        "compute the elements of an iteration before waiting for its last products; "
        "needs a grid with 'triton.consumers'",
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
        ("torch", "cublas", "cublas_padded", "cudnn", "atomics", "stores"),
        "call a library for this op, instead of making a kernel of it; or let the "
        "kernel before it add to its result with atomics, or store there",
    ),
    _flag(
        "single_accumulator",
        [Host.LOOP],
        "do not keep two accumulators where the pipeline could overlap them",
    ),
)

OF_ROLES = (RING, PING_PONG, PINNED)
"""The attributes of a loop that only warps with roles have."""

LOOP_ATTRIBUTES = tuple(row for row in LAUNCH_ATTRIBUTES if Host.LOOP in row.hosts)
"""The attributes that a loop may have."""

BY_NAME = {row.name: row for row in LAUNCH_ATTRIBUTES}
