"""The positions along a loop whose data matches that of a tile's rows.

The mask `document[i + ii] == document[j + jj]` compares two tensors: one that the loop
does not change, and one that it reads piece by piece. Only keys whose document lies
between the least and the greatest of the rows' can match. A short loop in front of the
other one reads that tensor alone, many elements at a time, and finds the first and the
last position that can match (for `trim_loop`), or the run of positions that match all
rows (for `split_by_mask`). Nothing is assumed of the order of the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, scf, tensor
from tilewright.ir.dialects.arith.choices import INTEGER_PREDICATES
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import PROVEN, Form, linear_of
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.core.extents import OpList, known_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.masks.search_loop import (
    Column,
    Rows,
    search,
    set_search_range,
)
from tilewright.transforms.loop.masks.tile_data import (
    TileData,
    clamped,
    operand_of,
)

_SWAPPED: Mapping[str, str] = {
    "eq": "eq",
    "ne": "ne",
    "slt": "sgt",
    "sle": "sge",
    "sgt": "slt",
    "sge": "sle",
}
"""Signed predicates, and what they are when the operands change places."""


@dataclass(frozen=True)
class Matches:
    """The tile of an iteration, and the positions `begin <= position < end`."""

    first: Form
    last: Form
    """The positions of the tile's first and last element; the last one at most."""
    begin: Form
    end: Form

    @property
    def outside(self) -> tuple[Form, Form]:
        """Where one of these is negative, no position of the tile is between."""
        return self.last - self.begin, self.end - 1 - self.first

    @property
    def inside(self) -> tuple[Form, Form]:
        """Where none of these is negative, all positions of the tile are between."""
        return self.first - self.begin, self.end - 1 - self.last


@dataclass
class Search:
    """Finds matching positions for a loop; `for_all` asks for matches of all rows.

    Without it, a comparison that holds anywhere in a tile does so between the
    positions. With it, a comparison holds throughout a tile that lies between them.
    """

    data: TileData
    for_all: bool
    new_ops: OpList = field(default_factory=OpList)
    """The searches, which read what the ops of `data` compute."""
    _loops: list[scf.ForOp] = field(default_factory=list[scf.ForOp])
    _positions: set[SSAValue] = field(default_factory=set[SSAValue])
    _found: dict[arith.CmpiOp, Matches | None] = field(
        default_factory=dict[arith.CmpiOp, "Matches | None"]
    )

    def matches(self, compared: arith.CmpiOp) -> Matches | None:
        """The matches of a comparison of rows with data along the loop."""
        if compared not in self._found:
            self._found[compared] = self._matches(compared)
        return self._found[compared]

    def is_behind(self, form: Form) -> bool:
        """Whether a form depends on what is searched for."""
        return not self._positions.isdisjoint(form.terms)

    def insert(self, rewriter: Rewriter) -> None:
        """Insert the searches before the loop, over the range that it has now."""
        loop, bounds = self.data.loop, OpList()
        for made in self._loops:
            set_search_range(made, loop, bounds)
        rewriter.insert_before(loop, *bounds.ops, *self.new_ops.ops)

    def drop(self) -> None:
        """Erase all new ops, which are not inserted."""
        self.new_ops.drop()
        self.data.new_ops.drop()

    def erase_unused(self, rewriter: Rewriter) -> None:
        """Erase the inserted ops that nothing reads."""
        for op in reversed([*self.data.new_ops.ops, *self.new_ops.ops]):
            if not any(result.uses for result in op.results):
                rewriter.erase(op)

    def _matches(self, compared: arith.CmpiOp) -> Matches | None:
        op = compared.parent_op()
        predicate = INTEGER_PREDICATES[compared.predicate.value.data]
        if not isinstance(op, StructuredOp) or predicate not in _SWAPPED:
            return None
        rows, keys = compared.lhs, compared.rhs
        column = self._column(keys, op)
        if column is None:
            rows, keys, predicate = keys, rows, _SWAPPED[predicate]
            column = self._column(keys, op)
        if column is None or self.data.is_old(column.source):
            return None
        bounds = self._row_bounds(rows, op)
        if bounds is None:
            return None
        begin, end = self._searched(column, Rows(predicate, *bounds, self.for_all))
        index: Form = Linear({self.data.loop.body.block.args[0]: 1})
        return Matches(
            index, index + (column.extent - 1), Linear({begin: 1}), Linear({end: 1})
        )

    def _row_bounds(
        self, value: SSAValue, op: StructuredOp
    ) -> tuple[SSAValue, SSAValue] | None:
        """The least and the greatest of what is compared with the loop's data."""
        number = constant_int(value)
        if number is not None and isa(value.type, IntegerType):
            made = arith.ConstantOp(IntegerAttr(number, value.type))
            constant = self.data.new_ops.add(made)
            return constant, constant
        operand = self.data.row_operand(value, op)
        if operand is None:
            return None
        least = self.data.extreme(operand, greatest=False)
        most = self.data.extreme(operand, greatest=True)
        return None if least is None or most is None else (least, most)

    def _column(self, value: SSAValue, op: StructuredOp) -> Column | None:
        """The slice of a tensor that an iteration compares, along one dimension."""
        loop = self.data.loop
        operand = operand_of(value, op)
        cut = None if operand is None else operand.owner
        if operand is None or not isinstance(cut, tensor.ExtractSliceOp):
            return None
        if not is_defined_outside(cut.source.owner, loop):
            return None
        shape = shape_of(operand.type)
        offsets = mixed(cut.static_offsets, cut.offsets)
        strides = [constant_int(s) for s in mixed(cut.static_strides, cut.strides)]
        if len(offsets) != len(shape) or set(strides) != {1}:
            return None
        index = loop.body.block.args[0]
        forms = tuple(linear_of(offset) for offset in offsets)
        moving = [dim for dim, form in enumerate(forms) if index in form.terms]
        if len(moving) != 1 or not all(
            _is_fixed(f.without(index), loop) for f in forms
        ):
            return None
        (dim,) = moving
        others = {size for one, size in enumerate(shape) if one != dim}
        if others - {1} or forms[dim] != Linear({index: 1}):
            return None
        extent = known_size(operand, dim)
        most = None if extent is None else PROVEN.highest(extent)
        return None if most is None else Column(cut.source, forms, dim, most)

    def _searched(self, column: Column, rows: Rows) -> tuple[SSAValue, SSAValue]:
        """Search the whole range of the loop; the positions, as indices."""
        loop, add = self.data.loop, self.new_ops.add
        made, (first, last, *count) = search(column, rows, loop, self.new_ops)
        self._loops.append(made)
        if count:
            # A run without holes has as many matches as positions.
            length = add(arith.SubiOp(last, first))
            is_run = add(arith.CmpiOp(length, count[0], "eq"))
            nothing = add(arith.ConstantOp(IntegerAttr(0, i32)))
            last = add(arith.SelectOp(is_run, last, nothing))
        length = known_size(column.source, column.dim)
        limit = None if length is None else PROVEN.highest(length)
        begin = clamped(first, 0, limit, self.new_ops)
        end = clamped(last, 0, limit, self.new_ops)
        self._positions |= {begin, end}
        return begin, end


def _is_fixed(form: Form, loop: scf.ForOp) -> bool:
    return all(is_defined_outside(value.owner, loop) for value in form.terms)
