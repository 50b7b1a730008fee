"""`memref.subview`: a window of the same memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.memref.layouts import (
    Extent,
    Layout,
    layout_of,
    plus,
    sizes_of,
    strided,
    times,
)
from tilewright.ir.dialects.scf import split
from tilewright.ir.types import buffer_type


@irdl_op_definition
class SubviewOp(IRDLOperation):
    """A window by offsets, sizes and strides; unit dimensions may be dropped."""

    name = "memref.subview"

    source = operand_def(MemRefType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$source ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )
    custom_directives = (DynamicIndexList,)

    @staticmethod
    def get(
        source: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
        result_type: Attribute | None = None,
    ) -> SubviewOp:
        """A window by values and numbers; by default it keeps all dimensions."""
        if result_type is None:
            result_type = _window_type(buffer_type(source), offsets, sizes, strides)
        parts = [split(part) for part in (offsets, sizes, strides)]
        names = ("static_offsets", "static_sizes", "static_strides")
        return SubviewOp.build(
            operands=[source, *(dynamic for _, dynamic in parts)],
            result_types=[result_type],
            properties={
                name: static for name, (static, _) in zip(names, parts, strict=True)
            },
        )

    def verify_(self) -> None:
        """A window inside the source, and the type that it has."""
        source, result = buffer_type(self.source), buffer_type(self.result)
        rank = source.get_num_dims()
        offsets = verified(self.static_offsets, self.offsets, "offset", rank)
        sizes = verified(self.static_sizes, self.sizes, "size", rank)
        strides = verified(self.static_strides, self.strides, "stride", rank)
        _verify_inside(source, offsets, sizes, strides)
        layout = layout_of(source)
        if layout is None:
            raise VerifyException(f"base type '{source}' is not strided")
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for base memref type '{source}' and"
                f" subview memref type '{result}'"
            )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"expected result element type to be '{source.element_type}'"
            )
        expected = windowed(layout, offsets, strides)
        if not _is_reduced(sizes, expected, result):
            raise VerifyException(
                f"expected result type to be '{strided(source, sizes, expected)}' or a "
                f"rank-reduced version, but got '{result}'"
            )


def verified(
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
    what: str,
    rank: int,
) -> list[Extent]:
    """A list of an op, checked to have the length of the rank; values become None."""
    entries = [int(entry) for entry in static.get_values()]
    verify_dynamic_index_list(entries, dynamic, DYNAMIC_INDEX)
    if len(entries) != rank:
        raise VerifyException(f"expected {rank} {what} values, got {len(entries)}")
    return [None if entry == DYNAMIC_INDEX else entry for entry in entries]


def windowed(
    layout: Layout, offsets: Sequence[Extent], strides: Sequence[Extent]
) -> Layout:
    """The layout of a window."""
    offset = layout.offset
    for start, stride in zip(offsets, layout.strides, strict=True):
        # An offset of zero adds nothing, also if the stride is unknown.
        offset = plus(offset, 0 if start == 0 else times(start, stride))
    return Layout(tuple(map(times, layout.strides, strides)), offset)


def _window_type(
    source: MemRefType[Attribute], *part: Sequence[SSAValue | int]
) -> MemRefType[Attribute]:
    offsets, sizes, strides = (
        [entry if isinstance(entry, int) else None for entry in entries]
        for entries in part
    )
    layout = layout_of(source)
    assert layout is not None, "a buffer of this layout has no windows"
    return strided(source, sizes, windowed(layout, offsets, strides))


def _verify_inside(
    source: MemRefType[Attribute],
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    strides: Sequence[Extent],
) -> None:
    for what, entries in (("offsets", offsets), ("sizes", sizes)):
        for entry in entries:
            if entry is not None and entry < 0:
                raise VerifyException(
                    f"expected {what} to be non-negative, but got {entry}"
                )
    for dim, extent in enumerate(sizes_of(source)):
        start, size, stride = offsets[dim], sizes[dim], strides[dim]
        if extent is None or start is None or size == 0:
            continue
        if start >= extent:
            raise VerifyException(f"offset {dim} is out-of-bounds: {start} >= {extent}")
        if size is None or stride is None:
            continue
        last = start + (size - 1) * stride
        if last >= extent:
            raise VerifyException(
                f"slice along dimension {dim} runs out-of-bounds: {last} >= {extent}"
            )


def _is_reduced(
    sizes: Sequence[Extent], expected: Layout, result: MemRefType[Attribute]
) -> bool:
    """Whether a type is that of the window, perhaps without some unit dimensions."""
    layout = layout_of(result)
    if layout is None or layout.offset != expected.offset:
        return False
    want = list(zip(sizes_of(result), layout.strides, strict=True))
    have = list(zip(sizes, expected.strides, strict=True))

    def fits(at: int, kept: int) -> bool:
        if at == len(have):
            return kept == len(want)
        if kept < len(want) and have[at] == want[kept] and fits(at + 1, kept + 1):
            return True
        return have[at][0] == 1 and fits(at + 1, kept)

    return fits(0, 0)
