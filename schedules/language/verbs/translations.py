"""Translations of the verbs that are more than one op with its own fields.

Each has a function that builds the ops of a statement, and one that finds the fields of
the statement for an op.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import (
    DictionaryAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId
from tilewright.schedules.language.verbs.match_statement import key_text, match_of
from tilewright.schedules.language.verbs.verb import (
    Fields,
    FieldTexts,
    Translation,
    Writer,
)
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.cleanup.apply_patterns import ApplyPatternsOp
from tilewright.transforms.cleanup.group_ops import GROUP_NAMES
from tilewright.transforms.control.print_payload import PrintOp
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.match_role import MatchRoleOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.pick import PickOp
from tilewright.transforms.structured.destinations.eliminate_empty_tensors import (
    EliminateEmptyTensorsOp,
)
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.vectorize.vectorize import VectorizeOp

# -- tile: a grid with a mapping, else loops ---------------------------------------

_BLOCKS = {f"block.{kind.value}": BlockMappingAttr(kind) for kind in MappingId}


def _build_tile(fields: Fields) -> Sequence[Operation]:
    target, sizes = fields.handle("target"), fields.sizes("sizes")
    if fields.has("mapping"):
        blocks = [_BLOCKS[name] for name in fields.names("mapping", list(_BLOCKS))]
        return [TileUsingForallOp(target, sizes, blocks)]
    order = fields.numbers("order") if fields.has("order") else ()
    return [TileUsingForOp(target, sizes, order)]


def _tile_fields(op: Operation, writer: Writer) -> FieldTexts | None:
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
    assert isinstance(op, TileUsingForOp)
    sizes = [int(s) for s in op.static_sizes.get_values()]
    fields = {
        "target": writer.name(op.target),
        "sizes": writer.sizes(sizes, op.dynamic_sizes),
    }
    if len(op.interchange):
        order = [int(s) for s in op.interchange.get_values()]
        fields["order"] = writer.sizes(order, [])
    return fields


TILE = Translation(
    (TileUsingForallOp.name, TileUsingForOp.name), _build_tile, _tile_fields
)


# -- vectorize -------------------------------------------------------------------


def _build_vectorize(fields: Fields) -> Sequence[Operation]:
    sizes = fields.sizes("sizes") if fields.has("sizes") else ()
    return [VectorizeOp(fields.handle("target"), sizes)]


def _vectorize_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, VectorizeOp)
    fields = {"target": writer.name(op.target)}
    if len(op.static_vector_sizes):
        sizes = [int(s) for s in op.static_vector_sizes.get_values()]
        fields["sizes"] = writer.sizes(sizes, op.vector_sizes)
    return fields


VECTORIZE = Translation((VectorizeOp.name,), _build_vectorize, _vectorize_fields)


# -- bufferize: two ops ------------------------------------------------------------


def _build_bufferize(fields: Fields) -> Sequence[Operation]:
    # Without the elimination every `tensor.empty` would be allocated and copied.
    target = fields.handle("target")
    return [EliminateEmptyTensorsOp(target), OneShotBufferizeOp(target)]


def _bufferize_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, OneShotBufferizeOp)
    return {"target": writer.name(op.target)}


def is_part_of_next(op: Operation) -> bool:
    """Whether the statement of the next op builds this op too, as `bufferize` does."""
    if isinstance(op, MatchOp | MatchRoleOp):
        following = op.next_op
        return isinstance(following, PickOp) and match_of(following) is op
    if isinstance(op, ParamConstantOp):
        return (
            isinstance(op.value, DictionaryAttr)
            and isinstance(following := op.next_op, AnnotateOp)
            and following.param is op.param
            and following.annotation.data in _HINTS
            and op.param.has_one_use()
        )
    return (
        isinstance(op, EliminateEmptyTensorsOp)
        and isinstance(following := op.next_op, OneShotBufferizeOp)
        and following.target is op.target
    )


BUFFERIZE = Translation((OneShotBufferizeOp.name,), _build_bufferize, _bufferize_fields)


# -- attributes ------------------------------------------------------------------


def _build_annotate(fields: Fields) -> Sequence[Operation]:
    name, value = fields.setting("setting")
    return [AnnotateOp(fields.handle("target"), name, value)]


def _annotate_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, AnnotateOp)
    setting = f'"{op.annotation.data}"'
    if op.param is not None:
        setting += f" = {writer.param(op.param)}"
    return {"target": writer.name(op.target), "setting": setting}


ANNOTATE = Translation((AnnotateOp.name,), _build_annotate, _annotate_fields)


def flag(attribute: str) -> Translation:
    """A verb that puts an attribute without a value on its target."""

    def build(fields: Fields) -> Iterable[Operation]:
        return [AnnotateOp(fields.handle("target"), attribute)]

    def fields_of(op: Operation, writer: Writer) -> FieldTexts | None:
        assert isinstance(op, AnnotateOp)
        if op.annotation.data != attribute or op.param is not None:
            return None
        return {"target": writer.name(op.target)}

    return Translation((AnnotateOp.name,), build, fields_of)


def attributes(*, on_loops: bool = True, **attributes: str) -> Translation:
    """A verb that puts an attribute on its target for each field that is given.

    Without `on_loops` it is not printed for handles to sequential loops.
    """

    def build(fields: Fields) -> Iterable[Operation]:
        target = fields.handle("target")
        for field, name in attributes.items():
            if fields.has(field):
                op = AnnotateOp(target, name, fields.param(field))
                op.written_setting = fields.written(field)
                yield op

    def fields_of(op: Operation, writer: Writer) -> FieldTexts | None:
        assert isinstance(op, AnnotateOp)
        if op.param is None or (not on_loops and _is_loop(op.target)):
            return None
        for field, name in attributes.items():
            if op.annotation.data == name:
                return {
                    "target": writer.name(op.target),
                    field: writer.param(op.param),
                }
        return None

    return Translation((AnnotateOp.name,), build, fields_of)


_HINTS = ("triton.eviction", "triton.cache")
"""The attributes that hold a word for each of several buffers."""


def hints(attribute: str, **words: str) -> Translation:
    """A verb that puts a word for each of several buffers on its target.

    `words` has short words for longer ones.
    """
    short = {long: word for word, long in words.items()}

    def build(fields: Fields) -> Iterable[Operation]:
        target = fields.handle("target")
        given = {
            buffer: StringAttr(words.get(word.data, word.data))
            if isinstance(word, StringAttr)
            else word
            for buffer, word in fields.settings("hints").items()
        }
        constant = ParamConstantOp(DictionaryAttr(given))
        yield constant
        yield AnnotateOp(target, attribute, constant.param)

    def fields_of(op: Operation, writer: Writer) -> FieldTexts | None:
        assert isinstance(op, AnnotateOp)
        owner = None if op.param is None else op.param.owner
        if op.annotation.data != attribute or not isinstance(owner, ParamConstantOp):
            return None
        if not isinstance(owner.value, DictionaryAttr) or not is_part_of_next(owner):
            return None
        written: list[str] = []
        for buffer, word in owner.value.data.items():
            if not isinstance(word, StringAttr):
                return None
            shown = writer.constant(StringAttr(short.get(word.data, word.data)))
            written.append(f"{key_text(buffer)} = {shown}")
        settings = f"[{', '.join(written)}]"
        return {"target": writer.name(op.target), "hints": settings}

    return Translation((AnnotateOp.name,), build, fields_of)


def _is_loop(handle: SSAValue) -> bool:
    """Whether a handle comes from tiling an op with sequential loops."""
    while isinstance(handle.owner, FusionOp):
        handle = handle.owner.containing_op
    return isinstance(handle.owner, TileUsingForOp)


# -- rewrite patterns ------------------------------------------------------------

_CANONICAL = ["canonicalization"]


def _build_canonicalize(fields: Fields) -> Sequence[Operation]:
    return [ApplyPatternsOp(fields.handle("target"), _CANONICAL)]


def _canonicalize_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, ApplyPatternsOp)
    return {"target": writer.name(op.target)} if op.groups == _CANONICAL else None


CANONICALIZE = Translation(
    (ApplyPatternsOp.name,), _build_canonicalize, _canonicalize_fields
)


def _build_patterns(fields: Fields) -> Sequence[Operation]:
    groups = fields.names("groups", GROUP_NAMES)
    return [ApplyPatternsOp(fields.handle("target"), groups)]


def _patterns_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, ApplyPatternsOp)
    if any(group.properties for group in op.patterns.block.ops):
        return None  # the language has no options of groups
    return {"target": writer.name(op.target), "groups": f"[{', '.join(op.groups)}]"}


PATTERNS = Translation((ApplyPatternsOp.name,), _build_patterns, _patterns_fields)


# -- print -----------------------------------------------------------------------


def _build_print(fields: Fields) -> Sequence[Operation]:
    target = fields.handle("target") if fields.has("target") else None
    label = fields.strings("label")[0] if fields.has("label") else None
    return [PrintOp(target, label)]


def _print_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    assert isinstance(op, PrintOp)
    fields: dict[str, str] = {}
    if op.target is not None:
        fields["target"] = writer.name(op.target)
    if op.label is not None:
        fields["label"] = writer.constant(StringAttr(op.label.data))
    return fields


PRINT = Translation((PrintOp.name,), _build_print, _print_fields)
