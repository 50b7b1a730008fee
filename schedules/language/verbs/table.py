"""Every verb of the schedule language, in one table that a reader can scan.

An entry has what the verb makes, its form, and one line of explanation. Most verbs make
one op, and the slots of their form are named after the op's fields: such a verb is
built and printed by these names. The others have a translation of their own in
`translations.py`. A new verb is a new entry.

The printer offers the verbs of an op in the order of the table and takes the first
whose statement reads back as the op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.schedules.language.verbs.translations import (
    ANNOTATE,
    BUFFERIZE,
    CANONICALIZE,
    MATCH,
    PATTERNS,
    PRINT,
    TILE,
    VECTORIZE,
    attributes,
    flag,
)
from tilewright.schedules.language.verbs.verb import Verb, Writer, verb
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp

VERBS: tuple[Verb, ...] = (
    # -- finding payload
    verb(
        MATCH,
        "match [<ops:strings>] [implementing <interface:names>] "
        "[with <attributes:settings>] in <target:handle>",
        "find the ops of a kind inside others",
    ),
    verb(
        "select",
        "<op_name:string> in <target:handle>",
        "keep the ops of a handle that have a name",
    ),
    verb(
        "tilewright.pick",
        "pick <target:handle> at <positions:numbers>",
        "take the ops of a handle at some positions",
    ),
    verb(
        "get_parent_op",
        "parent <target:handle> [<op_name:string>] [nth = <nth_parent:any>] "
        "[deduplicate = <deduplicate:any>]",
        "find the op around, of a name if one is given",
    ),
    verb(
        "get_producer_of_operand",
        "producer <target:handle> operand = <operand_number:any>",
        "find the op that makes an operand",
    ),
    verb(
        "get_consumers_of_result",
        "consumers <target:handle> result = <result_number:any>",
        "find the ops that use a result",
    ),
    verb(
        "get_operand",
        "operand <target:handle> at <raw_position_list:numbers>",
        "find the values that an op takes",
    ),
    verb(
        "get_result",
        "result <target:handle> at <raw_position_list:numbers>",
        "find the values that an op makes",
    ),
    # -- tiling and fusing
    verb(
        TILE,
        "tile <target:handle> by <sizes:sizes> [onto <mapping:names>] "
        "[interchange <order:numbers>]",
        "cut an op into tiles: a grid with 'onto', else loops",
    ),
    verb(
        "structured.tile_using_forall",
        "tile_parallel <target:handle> by <tile_sizes:sizes>",
        "cut an op into parallel tiles that are not mapped yet",
    ),
    verb(
        "structured.tile_reduction_using_for",
        "tile_reduction <target:handle> by <tile_sizes:numbers>",
        "compute a reduction in parts, then combine the parts",
    ),
    verb(
        "structured.fuse",
        "tile_and_fuse <target:handle> by <tile_sizes:sizes> "
        "[interchange <tile_interchange:sizes>]",
        "tile an op, and compute the tiles of all its producers in the loops",
    ),
    verb(
        "structured.fuse_into_containing_op",
        "fuse <producer_op:handle> into <containing_op:handle>",
        "compute a producer's tile where the loop reads it",
    ),
    verb(
        "tilewright.fuse_all",
        "<producer_op:handle> into <containing_op:handle>",
        "compute a chain of producers in the loop that reads its end",
    ),
    verb(
        "tilewright.recompute",
        "recompute <target:handle>",
        "compute a producer's tile in every loop that reads it",
    ),
    verb(
        "tilewright.inline_producer",
        "inline <producer:handle> into <reader:handle>",
        "compute a producer's elements in the body of the op that reads them",
    ),
    verb(
        "tilewright.stream",
        "stream <target:handle> by <size:param> [along <dimension:param>]",
        "compute a chain of reductions along one dimension in one loop",
    ),
    verb(
        "tilewright.split_stream",
        "<target:handle> into <size:param> [along <dimension:param>]",
        "compute a chain of reductions in parallel chunks, then merge them",
    ),
    # -- rewriting structured ops
    verb("structured.generalize", "<target:handle>", "make a named op a generic one"),
    verb(
        "structured.interchange",
        "<target:handle> to <iterator_interchange:numbers>",
        "reorder the loops of an op",
    ),
    verb(
        "tilewright.collapse_loops",
        "collapse <target:handle> [by <lengths:numbers>]",
        "run neighbouring loops of an op as one loop",
    ),
    verb(
        "tilewright.use_exp2",
        "exp2 <target:handle>",
        "compute exponentials by exp2, with the scale folded in",
    ),
    verb(
        "tilewright.gather_operands",
        "gather <target:handle>",
        "read inputs at computed places inside the body",
    ),
    verb(
        "tilewright.pad_rows",
        "pad_rows <target:handle> at <positions:numbers> [to <multiple_of:param>]",
        "read operands from copies whose rows are multiples of 16 bytes",
    ),
    verb(
        "structured.split",
        "<target:handle> after <chunk_sizes:param> along <dimension:param>",
        "cut an op in two along a loop",
    ),
    verb(
        "structured.split_reduction",
        "<target:handle> by <split_factor:any> [at <insert_split_dimension:any>]",
        "make part of a reduction a parallel loop",
    ),
    verb(
        "structured.pad",
        "<target:handle> along <padding_dimensions:any> "
        "[to <pad_to_multiple_of:sizes>] [values = <padding_values:any>] "
        "[nofold = <nofold_flags:any>] [copy_back = <copy_back_op:any>]",
        "enlarge the operands of an op, up to a size or a multiple",
    ),
    verb(
        "structured.decompose_interface",
        "decompose <target:handle>",
        "replace an op by the simpler ops it consists of",
    ),
    verb(
        "tilewright.quantize_matmul",
        "quantize <target:handle> to <format:any> [per_channel = <per_channel:any>] "
        "[lhs_scale = <lhs_scale:any>] [rhs_scale = <rhs_scale:any>]",
        "multiply in fp8 or int8 with scales, instead of in floats",
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
    verb(
        "structured.eliminate_empty_tensors",
        "<target:handle>",
        "compute results directly in their destination; part of 'bufferize'",
    ),
    # -- loops
    verb(
        "loop.hoist_loop_invariant_subsets",
        "hoist <target:handle>",
        "keep a carried tile in registers across a loop",
    ),
    verb(
        "loop.peel",
        "<target:handle> [front = <peel_front:any>]",
        "split the partial iteration off a loop",
    ),
    verb(
        "tilewright.trim_loop",
        "trim <target:handle>",
        "leave out the iterations that a mask empties",
    ),
    verb(
        "tilewright.split_by_mask",
        "<target:handle>",
        "cut a loop into parts without masks and parts with them",
    ),
    verb(
        "loop.unroll",
        "<target:handle> by <factor:param>",
        "do several iterations of a loop in one",
    ),
    verb(
        "loop.unroll_and_jam",
        "<target:handle> by <factor:param>",
        "unroll an outer loop and fuse the copies of its inner loops",
    ),
    verb("loop.coalesce", "<target:handle>", "make a nest of loops one loop"),
    verb(
        "loop.fuse_sibling",
        "<target:handle> into <source:handle>",
        "make two independent loops one",
    ),
    verb(
        "loop.promote_if_one_iteration",
        "promote <target:handle>",
        "replace a loop that runs once by its body",
    ),
    verb(
        "loop.outline",
        "<target:handle> as <func_name:string>",
        "move a loop to a function of its own",
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
    verb("apply_cse", "cse <target:handle>", "remove common subexpressions"),
    verb("apply_dce", "dce <target:handle>", "remove ops whose results nothing uses"),
    verb("apply_licm", "licm <target:handle>", "move invariant ops out of loops"),
    verb(
        "apply_registered_pass",
        "run_pass <pass_name:string> on <target:handle> [options = <options:any>]",
        "run a pass under its upstream name",
    ),
    # -- watching a run
    verb(
        PRINT,
        "print [<target:handle>] [<label:string>]",
        "print payload while the schedule runs",
    ),
    verb(
        "debug.emit_remark_at",
        "remark <at:handle> <message:string>",
        "print a remark at the place of payload ops",
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
    """The first verb that makes an op, or the op's name, which is a statement too."""
    verbs = _BY_OP.get(op_name, ())
    return verbs[0].name if verbs else op_name.removeprefix("transform.")


def verb_of(op: Operation) -> str:
    """What messages call an op: the verb of its line, its first verb, or its name."""
    if isinstance(op, TransformOp) and op.written_as is not None:
        return op.written_as
    if op.name in _BY_OP and op.name not in _VERB_DEPENDS_ON_ATTRIBUTES:
        return _BY_OP[op.name][0].name
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
    if not isinstance(op, MergeHandlesOp):
        return None
    function = "merge_unique" if op.deduplicate else "merge"
    return f"{function}({', '.join(writer.name(handle) for handle in op.handles)})"
