"""Every verb of the schedule language.

A verb that is one op stands in the op's file, as its `FORM` and `SUMMARY`: the slots of
the form are named after the op's fields, and the statement is built and printed by
these names. The verbs below make several ops, or set attributes; each has a translation
in `translations.py`.

The printer offers the verbs of an op in this order, those below first, and takes the
first whose statement reads back as the op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.schedules.language.verbs.match_statement import MATCH
from tilewright.schedules.language.verbs.translations import (
    ANNOTATE,
    BUFFERIZE,
    CANONICALIZE,
    PATTERNS,
    PRINT,
    TILE,
    VECTORIZE,
    attributes,
    flag,
    hints,
)
from tilewright.schedules.language.verbs.verb import Verb, Writer, one_op, verb
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.handle_facts import NumAssociationsOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.payload_numbers import (
    PayloadNumberOp,
    payload_number,
)
from tilewright.transforms.op_sources import op_sources

_OWN_VERBS: tuple[Verb, ...] = (
    # -- finding payload
    verb(
        MATCH,
        "match? [<role:role>] [<ops:strings>] [named <called:string>] "
        "[implementing <interface:names>] [with <attributes:settings>] "
        "in <target:handle> [at <positions:numbers>]",
        "find ops inside others: by kind, by role, by name, by position",
    ),
    # -- tiling
    verb(
        TILE,
        "tile <target:handle> by <sizes:sizes> [onto <mapping:names>] "
        "[interchange <order:numbers>]",
        "cut an op into tiles: a grid with 'onto', else loops",
    ),
    # -- vectors and buffers
    verb(
        VECTORIZE,
        "vectorize <target:handle> [to <sizes:sizes>]",
        "turn a structured op into ops on vectors",
    ),
    verb(
        BUFFERIZE,
        "bufferize <target:handle>",
        "turn tensors into buffers, in place where that is possible",
    ),
    # -- how kernels are launched and loops pipelined
    # An attribute that both can set is printed as `pipeline`, which comes first.
    verb(
        attributes(
            stages="triton.num_stages",
            unroll="triton.unroll",
            flatten="triton.flatten",
            single="triton.single_accumulator",
        ),
        "pipeline <target:handle> [stages = <stages:param>] "
        "[unroll = <unroll:param>] [flatten = <flatten:param>] "
        "[single_accumulator = <single:param>]",
        "overlap the iterations of a loop: loads run ahead of the arithmetic",
    ),
    verb(
        attributes(
            warps="triton.num_warps",
            group="triton.group",
            backwards="triton.reversed",
            persistent="triton.persistent",
            parts="triton.store_parts",
            stages="triton.num_stages",
            flatten="triton.flatten",
            stream="triton.stream",
            aligned="triton.aligned_rows",
            held="triton.held_operands",
            descriptors="triton.descriptors",
            read_once="triton.read_once",
            on_loops=False,
        ),
        "launch <target:handle> [warps = <warps:param>] [group = <group:param>] "
        "[reversed = <backwards:param>] "
        "[persistent = <persistent:param>] [parts = <parts:param>] "
        "[stages = <stages:param>] [flatten = <flatten:param>] "
        "[stream = <stream:param>] [aligned = <aligned:param>] "
        "[held = <held:param>] "
        "[descriptors = <descriptors:param>] [read_once = <read_once:param>]",
        "set how a grid is launched",
    ),
    verb(
        attributes(slots="triton.ring"),
        "stage <target:handle> in <slots:param>",
        "load the tiles of a loop, or a grid, into a ring of slots in shared memory",
    ),
    verb(
        attributes(ping_pong="triton.ping_pong", pinned="triton.pinned"),
        "overlap <target:handle> [ping_pong = <ping_pong:param>] "
        "[pinned = <pinned:param>]",
        "compute the elements of a loop while products run: groups of warps take "
        "turns, and elements stay in front of waits",
    ),
    verb(
        attributes(
            consumers="triton.consumers",
            registers="triton.consumer_registers",
            on_loops=False,
        ),
        "specialize <target:handle> [consumers = <consumers:param>] "
        "[registers = <registers:param>]",
        "give the warps of a grid roles: one loads, groups of four compute",
    ),
    verb(
        attributes(library="triton.library"),
        "library <target:handle> by <library:param>",
        "call a library for an op, instead of generating a kernel",
    ),
    verb(
        flag("triton.descriptors"),
        "descriptors <target:handle>",
        "load and store the tiles of a grid through tensor descriptors",
    ),
    verb(
        flag("triton.last_arriver"),
        "last_arriver <target:handle>",
        "let the last programs of the launch before compute a grid's tiles",
    ),
    verb(
        attributes(precision="triton.dot_precision"),
        "precision <target:handle> <precision:param>",
        "set how f32 operands are multiplied: ieee, tf32 or tf32x3",
    ),
    verb(
        attributes(group="triton.group"),
        "swizzle <target:handle> by <group:param>",
        "compute the tiles of a grid in groups of rows, for the L2 cache",
    ),
    verb(
        hints("triton.eviction", first="evict_first", last="evict_last"),
        "evict <target:handle> <hints:settings>",
        "say which buffers the L2 cache evicts first, and which last",
    ),
    verb(
        hints("triton.cache"),
        "cache <target:handle> <hints:settings>",
        "set the cache operators of a grid's loads and stores",
    ),
    verb(
        ANNOTATE,
        "annotate <target:handle> <setting:setting>",
        "put any attribute on payload ops",
    ),
    # -- clean-up
    verb(CANONICALIZE, "canonicalize <target:handle>", "simplify ops"),
    verb(
        PATTERNS,
        "patterns <target:handle> <groups:names>",
        "apply groups of rewrite patterns",
    ),
    # -- watching a run
    verb(
        PRINT,
        "print [<target:handle>] [<label:string>]",
        "print payload while the schedule runs",
    ),
)

VERBS: tuple[Verb, ...] = (
    *_OWN_VERBS,
    *(
        verb(one_op(source.name), source.form, source.summary)
        for source in op_sources().values()
        if source.form
    ),
)

BY_NAME: Mapping[str, Verb] = {verb.name: verb for verb in VERBS}


def _by_op() -> Mapping[str, list[Verb]]:
    found: dict[str, list[Verb]] = {}
    for entry in VERBS:
        for op in entry.translation.ops:
            found.setdefault(op, []).append(entry)
    return found


_BY_OP = _by_op()

_VERB_DEPENDS_ON_ATTRIBUTES = {"transform.annotate", "transform.apply_patterns"}
"""Ops that several verbs make; which one is meant shows in the attributes."""


def verb_for(op_name: str) -> str:
    """The verb of an op, or the op's name, which is a statement too.

    Of several verbs it is the one that makes the fewest other ops.
    """
    verbs = _BY_OP.get(op_name)
    if verbs is None:
        return op_name.removeprefix("transform.")
    return min(verbs, key=lambda entry: len(entry.translation.ops)).name


def verb_of(op: Operation) -> str:
    """What messages call an op: the verb of its line, its own verb, or its name."""
    if isinstance(op, TransformOp) and op.written_as is not None:
        return op.written_as
    if op.name in _BY_OP and op.name not in _VERB_DEPENDS_ON_ATTRIBUTES:
        return verb_for(op.name)
    if isinstance(op, TransformOp):
        return op.title()
    return op.name.removeprefix("transform.")


def statements_for(op: Operation, writer: Writer) -> Iterator[str]:
    """The statements of verbs that may make this op."""
    for entry in _BY_OP.get(op.name, ()):
        if (statement := entry.statement_for(op, writer)) is not None:
            yield statement


# -- functions: they may stand where a handle is expected ----------------------------

FUNCTIONS: Mapping[str, Callable[[Sequence[SSAValue]], Operation]] = {
    "merge": MergeHandlesOp,
    "merge_unique": lambda handles: MergeHandlesOp(handles, deduplicate=True),
}


def call_for(op: Operation, writer: Writer) -> str | None:
    """The function call that makes this op, if there is one."""
    if isinstance(op, PayloadNumberOp | NumAssociationsOp):
        return payload_number(op, writer.name(op.operands[0]))
    if not isinstance(op, MergeHandlesOp):
        return None
    function = "merge_unique" if op.deduplicate else "merge"
    return f"{function}({', '.join(writer.name(handle) for handle in op.handles)})"
