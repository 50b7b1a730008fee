"""The verbs of the schedule language: one table, one entry a verb.

An entry has the form of the statement, how it becomes transform ops (`build`: the
statement's results are those of the last op), and how such an op is written back
(`read`). A new verb is a new entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from xdsl.dialects.builtin import DictionaryAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId
from tilewright.schedules.language.verbs.forms import Form
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.cleanup.apply_cse import ApplyCseOp
from tilewright.transforms.cleanup.apply_dce import ApplyDceOp
from tilewright.transforms.cleanup.apply_licm import ApplyLicmOp
from tilewright.transforms.cleanup.apply_patterns import ApplyPatternsOp
from tilewright.transforms.cleanup.group_ops import GROUP_NAMES
from tilewright.transforms.control.print_payload import PrintOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.on_target import OnTargetOp
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.match import Interface, MatchOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.loop.hoist_loop_invariant_subsets import (
    HoistLoopInvariantSubsetsOp,
)
from tilewright.transforms.structured.fuse.fuse_into_containing_op import (
    FuseIntoContainingOp,
)
from tilewright.transforms.structured.rewrite.eliminate_empty_tensors import (
    EliminateEmptyTensorsOp,
)
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.vectorize.vectorize import VectorizeOp


class Fields(Protocol):
    """A statement's fields, names looked up: what `build` is given."""

    def has(self, field: str) -> bool:
        """Whether an optional field was given."""
        ...

    def handle(self, field: str) -> SSAValue:
        """A handle to payload."""
        ...

    def param(self, field: str) -> SSAValue:
        """A parameter; a number becomes one."""
        ...

    def sizes(self, field: str) -> list[SSAValue | int]:
        """Numbers and parameters, as written."""
        ...

    def numbers(self, field: str) -> list[int]:
        """Plain numbers."""
        ...

    def strings(self, field: str) -> list[str]:
        """One or several strings."""
        ...

    def names(self, field: str, known: Sequence[str]) -> list[str]:
        """Names out of a known set."""
        ...

    def setting(self, field: str) -> tuple[str, SSAValue | None]:
        """An attribute's name and its value, if it has one."""
        ...

    def settings(self, field: str) -> dict[str, Attribute]:
        """Attributes with constant values."""
        ...


class Writer(Protocol):
    """How operands are written: what `read` is given."""

    def name(self, value: SSAValue) -> str:
        """The name of a handle."""
        ...

    def param(self, value: SSAValue) -> str:
        """The name of a parameter, or its value where it has none."""
        ...

    def sizes(self, static: Sequence[int], dynamic: Sequence[SSAValue]) -> str:
        """`[0, BM, 32]`."""
        ...

    def constant(self, value: Attribute) -> str:
        """A constant attribute."""
        ...


Written: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Verb:
    """One entry of the table."""

    form: Form
    ops: tuple[type[Operation], ...]
    """The ops it makes: `read` is asked about these alone."""
    build: Callable[[Fields], Iterable[Operation]]
    """Each op is added before the next is asked for."""
    read: Callable[[Operation, Writer], Written | None]
    doc: str


# -- finding ---------------------------------------------------------------------


def _build_match(fields: Fields) -> Sequence[Operation]:
    interface = None
    if fields.has("interface"):
        (chosen,) = fields.names("interface", [kind.value for kind in Interface])
        interface = Interface(chosen)
    return [
        MatchOp(
            fields.handle("target"),
            fields.strings("ops") if fields.has("ops") else None,
            interface=interface,
            op_attrs=DictionaryAttr(fields.settings("attributes"))
            if fields.has("attributes")
            else None,
        )
    ]


def _read_match(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, MatchOp):
        return None
    if op.filter_result_type is not None or op.filter_operand_types is not None:
        return None
    written = {"target": writer.name(op.target)}
    if op.ops is not None:
        names = [f'"{name.data}"' for name in op.ops]
        written["ops"] = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
    if (interface := op.wanted_interface) is not None:
        written["interface"] = f"[{interface.value}]"
    if op.op_attrs is not None:
        parts = [
            _key(key)
            if isinstance(value, UnitAttr)
            else f"{_key(key)} = {writer.constant(value)}"
            for key, value in op.op_attrs.data.items()
        ]
        written["attributes"] = f"[{', '.join(parts)}]"
    return written


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


# -- structure -------------------------------------------------------------------

_BLOCKS = {f"block.{kind.value}": BlockMappingAttr(kind) for kind in MappingId}


def _build_tile(fields: Fields) -> Sequence[Operation]:
    target, sizes = fields.handle("target"), fields.sizes("sizes")
    if fields.has("mapping"):
        blocks = [_BLOCKS[name] for name in fields.names("mapping", list(_BLOCKS))]
        return [TileUsingForallOp(target, sizes, blocks)]
    order = fields.numbers("order") if fields.has("order") else ()
    return [TileUsingForOp(target, sizes, order)]


def _read_tile(op: Operation, writer: Writer) -> Written | None:
    if isinstance(op, TileUsingForallOp):
        if op.mapping is None or op.static_tile_sizes is None or op.counts_tiles:
            return None
        names: dict[Attribute, str] = {block: name for name, block in _BLOCKS.items()}
        blocks = [names.get(entry) for entry in op.mapping]
        if None in blocks:
            return None
        sizes = [int(s) for s in op.static_tile_sizes.get_values()]
        return {
            "target": writer.name(op.target),
            "sizes": writer.sizes(sizes, op.tile_sizes),
            "mapping": f"[{', '.join(block for block in blocks if block)}]",
        }
    if isinstance(op, TileUsingForOp):
        sizes = [int(s) for s in op.static_sizes.get_values()]
        written = {
            "target": writer.name(op.target),
            "sizes": writer.sizes(sizes, op.dynamic_sizes),
        }
        if len(op.interchange):
            order = [int(s) for s in op.interchange.get_values()]
            written["order"] = writer.sizes(order, [])
        return written
    return None


def _build_fuse(fields: Fields) -> Sequence[Operation]:
    return [FuseIntoContainingOp(fields.handle("target"), fields.handle("loop"))]


def _read_fuse(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, FuseIntoContainingOp):
        return None
    return {
        "target": writer.name(op.producer_op),
        "loop": writer.name(op.containing_op),
    }


def _build_vectorize(fields: Fields) -> Sequence[Operation]:
    sizes = fields.sizes("sizes") if fields.has("sizes") else ()
    return [VectorizeOp(fields.handle("target"), sizes)]


def _read_vectorize(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, VectorizeOp):
        return None
    written = {"target": writer.name(op.target)}
    if len(op.static_vector_sizes):
        sizes = [int(s) for s in op.static_vector_sizes.get_values()]
        written["sizes"] = writer.sizes(sizes, op.vector_sizes)
    return written


# -- attributes ------------------------------------------------------------------


def _build_annotate(fields: Fields) -> Sequence[Operation]:
    name, value = fields.setting("setting")
    return [AnnotateOp(fields.handle("target"), name, value)]


def _read_annotate(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, AnnotateOp):
        return None
    setting = f'"{op.annotation.data}"'
    if op.param is not None:
        setting += f" = {writer.param(op.param)}"
    return {"target": writer.name(op.target), "setting": setting}


def _annotating(
    form: str, attributes: Mapping[str, str], doc: str, *, loops: bool = True
) -> Verb:
    """A verb whose options, or the verb itself, put attributes on the target.

    Without `loops` it is not written for handles to sequential loops.
    """

    def build(fields: Fields) -> Iterable[Operation]:
        target = fields.handle("target")
        for field, name in attributes.items():
            if not field or fields.has(field):
                yield AnnotateOp(target, name, fields.param(field) if field else None)

    def read(op: Operation, writer: Writer) -> Written | None:
        if not isinstance(op, AnnotateOp) or (not loops and _is_loop(op.target)):
            return None
        for field, name in attributes.items():
            if op.annotation.data == name and (op.param is not None) == bool(field):
                written = {"target": writer.name(op.target)}
                if op.param is not None:
                    written[field] = writer.param(op.param)
                return written
        return None

    return Verb(Form(form), (AnnotateOp,), build, read, doc)


def _is_loop(handle: SSAValue) -> bool:
    """Whether a handle comes from cutting an op into sequential loops."""
    while isinstance(handle.owner, FuseIntoContainingOp):
        handle = handle.owner.containing_op
    return isinstance(handle.owner, TileUsingForOp)


# -- clean-up --------------------------------------------------------------------


def _on_target(verb: str, op_class: type[OnTargetOp], doc: str) -> Verb:
    """A verb with one handle and no result."""

    def build(fields: Fields) -> Sequence[Operation]:
        return [op_class(fields.handle("target"))]

    def read(op: Operation, writer: Writer) -> Written | None:
        if not isinstance(op, op_class):
            return None
        return {"target": writer.name(op.target)}

    return Verb(Form(f"{verb} <target:handle>"), (op_class,), build, read, doc)


_CANONICAL = ["canonicalization"]


def _build_canonicalize(fields: Fields) -> Sequence[Operation]:
    return [ApplyPatternsOp(fields.handle("target"), _CANONICAL)]


def _read_canonicalize(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, ApplyPatternsOp) or op.groups != _CANONICAL:
        return None
    return {"target": writer.name(op.target)}


def _build_patterns(fields: Fields) -> Sequence[Operation]:
    groups = fields.names("groups", GROUP_NAMES)
    return [ApplyPatternsOp(fields.handle("target"), groups)]


def _read_patterns(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, ApplyPatternsOp):
        return None
    return {"target": writer.name(op.target), "groups": f"[{', '.join(op.groups)}]"}


# -- buffers ---------------------------------------------------------------------


def _build_bufferize(fields: Fields) -> Sequence[Operation]:
    # Without the elimination, what `tensor.empty` stands for is allocated and copied.
    target = fields.handle("target")
    return [EliminateEmptyTensorsOp(target), OneShotBufferizeOp(target)]


def _read_bufferize(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, OneShotBufferizeOp):
        return None
    return {"target": writer.name(op.target)}


def is_part_of_next(op: Operation) -> bool:
    """Whether the verb that writes the next op writes this one too."""
    return (
        isinstance(op, EliminateEmptyTensorsOp)
        and isinstance(following := op.next_op, OneShotBufferizeOp)
        and following.target is op.target
    )


# -- looking ---------------------------------------------------------------------


def _build_print(fields: Fields) -> Sequence[Operation]:
    target = fields.handle("target") if fields.has("target") else None
    label = fields.strings("label")[0] if fields.has("label") else None
    return [PrintOp(target, label)]


def _read_print(op: Operation, writer: Writer) -> Written | None:
    if not isinstance(op, PrintOp):
        return None
    written: dict[str, str] = {}
    if op.target is not None:
        written["target"] = writer.name(op.target)
    if op.label is not None:
        written["label"] = writer.constant(StringAttr(op.label.data))
    return written


VERBS: tuple[Verb, ...] = (
    Verb(
        Form(
            "match [<ops:strings>] [implementing <interface:names>] "
            "[with <attributes:settings>] in <target:handle>"
        ),
        (MatchOp,),
        _build_match,
        _read_match,
        "a handle to the ops of a kind inside another",
    ),
    Verb(
        Form(
            "tile <target:handle> by <sizes:sizes> [onto <mapping:names>] "
            "[interchange <order:numbers>]"
        ),
        (TileUsingForallOp, TileUsingForOp),
        _build_tile,
        _read_tile,
        "cut into tiles: a grid with 'onto', else loops",
    ),
    Verb(
        Form("fuse <target:handle> into <loop:handle>"),
        (FuseIntoContainingOp,),
        _build_fuse,
        _read_fuse,
        "compute a producer's tile where the loop reads it",
    ),
    Verb(
        Form("vectorize <target:handle> [to <sizes:sizes>]"),
        (VectorizeOp,),
        _build_vectorize,
        _read_vectorize,
        "turn a structured op into ops on vectors",
    ),
    # Before `launch`, which has some of its words: what says those alone is a loop's.
    _annotating(
        "pipeline <target:handle> [stages = <stages:param>] "
        "[unroll = <unroll:param>] [flatten = <flatten:param>] "
        "[single_accumulator = <single:param>]",
        {
            "stages": "triton.num_stages",
            "unroll": "triton.unroll",
            "flatten": "triton.flatten",
            "single": "triton.single_accumulator",
        },
        "software pipeline of a loop",
    ),
    _annotating(
        "launch <target:handle> [warps = <warps:param>] [group = <group:param>] "
        "[persistent = <persistent:param>] [parts = <parts:param>] "
        "[stages = <stages:param>] [flatten = <flatten:param>] "
        "[stream = <stream:param>]",
        {
            "warps": "triton.num_warps",
            "group": "triton.group",
            "persistent": "triton.persistent",
            "parts": "triton.store_parts",
            "stages": "triton.num_stages",
            "flatten": "triton.flatten",
            "stream": "triton.stream",
        },
        "how a grid is launched",
        loops=False,
    ),
    _annotating(
        "library <target:handle> by <library:param>",
        {"library": "triton.library"},
        "call a library for an op, instead of making a kernel of it",
    ),
    _annotating(
        "descriptors <target:handle>",
        {"": "triton.descriptors"},
        "loads and stores of a grid through tensor descriptors",
    ),
    _annotating(
        "last_arriver <target:handle>",
        {"": "triton.last_arriver"},
        "give a grid's tiles to the last programs of the launch before",
    ),
    Verb(
        Form("annotate <target:handle> <setting:setting>"),
        (AnnotateOp,),
        _build_annotate,
        _read_annotate,
        "put any attribute on payload ops",
    ),
    Verb(
        Form("canonicalize <target:handle>"),
        (ApplyPatternsOp,),
        _build_canonicalize,
        _read_canonicalize,
        "simplify",
    ),
    Verb(
        Form("patterns <target:handle> <groups:names>"),
        (ApplyPatternsOp,),
        _build_patterns,
        _read_patterns,
        "apply groups of rewrite patterns",
    ),
    _on_target("cse", ApplyCseOp, "drop what is computed twice"),
    _on_target("dce", ApplyDceOp, "drop what nobody uses"),
    _on_target("licm", ApplyLicmOp, "move invariant code out of loops"),
    _on_target(
        "hoist",
        HoistLoopInvariantSubsetsOp,
        "keep a carried tile in registers across a loop",
    ),
    Verb(
        Form("bufferize <target:handle>"),
        (OneShotBufferizeOp,),
        _build_bufferize,
        _read_bufferize,
        "from tensors to buffers, in place where that is possible",
    ),
    _on_target(
        "eliminate_empty_tensors",
        EliminateEmptyTensorsOp,
        "let results be computed where they end up; part of 'bufferize'",
    ),
    Verb(
        Form("print [<target:handle>] [<label:string>]"),
        (PrintOp,),
        _build_print,
        _read_print,
        "show payload while the schedule runs",
    ),
)

BY_NAME: Mapping[str, Verb] = {verb.form.verb: verb for verb in VERBS}


def verb_of(op: Operation) -> str:
    """What people call an op: its verb in this language, or its own name."""
    if isinstance(op, TransformOp) and op.written_as is not None:
        return op.written_as
    for verb in VERBS:
        if type(op) in verb.ops and not isinstance(op, AnnotateOp | ApplyPatternsOp):
            return verb.form.verb
    if isinstance(op, TransformOp):
        return op.title()
    return op.name.removeprefix("transform.")


def statements_for(op: Operation, writer: Writer) -> Iterator[str]:
    """The statements of verbs that may make this op."""
    for verb in VERBS:
        if type(op) in verb.ops and (fields := verb.read(op, writer)) is not None:
            yield verb.form.write(fields)


# -- functions: verbs that may stand where a handle is expected -----------------------

FUNCTIONS: Mapping[str, Callable[[Sequence[SSAValue]], Operation]] = {
    "merge": MergeHandlesOp,
    "merge_unique": lambda handles: MergeHandlesOp(handles, deduplicate=True),
}


def read_function(op: Operation, writer: Writer) -> str | None:
    """A call that makes this op, if a function does."""
    if not isinstance(op, MergeHandlesOp):
        return None
    function = "merge_unique" if op.deduplicate else "merge"
    return f"{function}({', '.join(writer.name(handle) for handle in op.handles)})"
