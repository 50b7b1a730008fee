"""The loop that searches a tensor for the positions at which its elements match.

    %first, %end = scf.for %j = %c0 to %c4096 step %c2048
        iter_args(%f = dense<4096>, %e = dense<0>) -> (...) {
      %x = vector.transfer_read %documents[%b, %j] ... : vector<2048xi32>
      %match = ...                                  // least <= x and x <= most
      %f1 = arith.minsi %f, (select %match, %position, 4096)
      %e1 = arith.maxsi %e, (select %match, %position + 1, 0)
      scf.yield %f1, %e1
    }

The vectors are reduced once, after the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.vector import MultiReductionOp, StepOp, TransferReadOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import Form
from tilewright.ir.types import element_type, vector_with
from tilewright.transforms.core.extents import INDEX, Extent, OpList, dim_size, evaluate
from tilewright.transforms.loop.masks.iterations import written
from tilewright.transforms.loop.shared.loop_bodies import set_range

CHUNK: Final = 2048
"""The most elements that an iteration of the search reads: loads of one iteration do
not wait for each other, those of several do."""

_KINDS: Final = (
    ("first", CombiningKindFlag.MINSI, 2**31 - 1),
    ("end", CombiningKindFlag.MAXSI, -(2**31)),
    ("count", CombiningKindFlag.ADD, 0),
)
"""How the first match, the end and the number of matches are reduced."""


@dataclass(frozen=True)
class Column:
    """A tensor that a loop reads piece by piece along one dimension."""

    source: SSAValue
    offsets: tuple[Form, ...]
    """Of the slice of an iteration."""
    dim: int
    extent: int
    """The most elements of a slice."""


@dataclass(frozen=True)
class Rows:
    """What the elements are compared with: `row predicate element`, for any row."""

    predicate: str
    least: SSAValue
    most: SSAValue
    for_all: bool
    """Whether all rows must match, or any."""


def search(
    column: Column, rows: Rows, loop: scf.ForOp, new_ops: OpList
) -> tuple[scf.ForOp, list[SSAValue]]:
    """A loop over the range of `loop`; the first match, the end, and the number.

    Without a match, the first one is after the last element, and the end is 0.
    """
    length = dim_size(column.source, column.dim, new_ops)
    size = _chunk(length)
    numbers = vector_with(i32, [size])
    if isinstance(length, int):
        none = new_ops.add(_splat(length, numbers))
    else:
        limit = new_ops.add(arith.IndexCastOp(length, i32))
        none = new_ops.add(vector.BroadcastOp(limit, numbers))
    zeros = new_ops.add(_splat(0, numbers))
    inits = [none, zeros, zeros] if rows.for_all else [none, zeros]
    code = _Body(loop, column, rows, size, length, OpList())
    body = Block(arg_types=[INDEX, *(value.type for value in inits)])
    yielded = code.write(body.args[0], body.args[1:], none, zeros)
    body.add_ops([*code.new_ops.ops, scf.YieldOp(*yielded)])
    step = new_ops.index(size)
    made = scf.ForOp(loop.lb, loop.ub, step, inits, Region(body))
    new_ops.ops.append(made)
    totals: list[SSAValue] = []
    for at, (name, kind, neutral) in enumerate(_KINDS[: len(inits)]):
        body.args[at + 1].name_hint = name
        start = new_ops.add(arith.ConstantOp(IntegerAttr(neutral, i32)))
        reduced = MultiReductionOp(
            CombiningKindAttr(kind), made.results[at], start, [0]
        )
        totals.append(new_ops.add(reduced))
        totals[at].name_hint = name
    return made, totals


def set_search_range(made: scf.ForOp, loop: scf.ForOp, new_ops: OpList) -> None:
    """Search the range that a loop has now, from a whole chunk on."""
    size = constant_int(made.step)
    assert size is not None
    chunks = AffineExpr.binary(
        AffineBinaryOpKind.FloorDiv,
        AffineExpr.dimension(0),
        AffineExpr.constant(size),
    )
    lower = new_ops.index(evaluate(chunks * size, [loop.lb], new_ops))
    set_range(made, lower=lower, upper=loop.ub)


def _chunk(length: Extent) -> int:
    """How many elements to read at once; a divisor of the length needs no mask."""
    if not isinstance(length, int):
        return CHUNK
    divisor = min(length & -length, CHUNK)
    least = min(CHUNK, 1 << (length - 1).bit_length())
    return divisor if divisor >= CHUNK // 4 else least


def _splat(value: int, of: VectorType) -> arith.ConstantOp:
    return arith.ConstantOp(dense_of(of, [value]))


@dataclass(frozen=True)
class _Body:
    """The body of a search, while it is written."""

    loop: scf.ForOp
    column: Column
    rows: Rows
    size: int
    length: Extent
    """The elements of the tensor along the dimension."""
    new_ops: OpList

    def write(
        self,
        at: SSAValue,
        carried: Sequence[SSAValue],
        none: SSAValue,
        zeros: SSAValue,
    ) -> list[SSAValue]:
        """One iteration: what it yields."""
        add, size = self.new_ops.add, self.size
        indices = vector_with(INDEX, [size])
        start = add(vector.BroadcastOp(at, indices))
        places = add(arith.AddiOp(add(StepOp(size)), start))
        match = self._match(self._elements(at))
        if not self._is_whole:
            length = self.new_ops.index(self.length)
            limit = add(vector.BroadcastOp(length, indices))
            match = add(arith.AndIOp(match, add(arith.CmpiOp(places, limit, "slt"))))
        match.name_hint = "match"
        position = add(arith.IndexCastOp(places, none.type))
        position.name_hint = "position"
        ones = add(_splat(1, vector_with(i32, [size])))
        after = add(arith.AddiOp(position, ones))
        first = add(arith.SelectOp(match, position, none))
        last = add(arith.SelectOp(match, after, zeros))
        found = [
            add(arith.MinSIOp(carried[0], first)),
            add(arith.MaxSIOp(carried[1], last)),
        ]
        if self.rows.for_all:
            one = add(arith.SelectOp(match, ones, zeros))
            found.append(add(arith.AddiOp(carried[2], one)))
        return found

    @property
    def _is_whole(self) -> bool:
        """Whether the last chunk ends where the tensor does."""
        return isinstance(self.length, int) and self.length % self.size == 0

    def _elements(self, at: SSAValue) -> SSAValue:
        """The elements of a chunk, in the type in which they are compared."""
        column, add = self.column, self.new_ops.add
        index = self.loop.body.block.args[0]
        offsets: list[SSAValue] = []
        for form in column.offsets:
            moved = form.without(index)
            if index in form.terms:
                moved = moved + Linear({at: 1})
            written_form = written([moved], self.new_ops, greatest=True)
            offsets.append(self.new_ops.index(written_form))
        of = element_type(column.source.type)
        assert isa(of, IntegerType)
        rank = len(shape_of(column.source.type))
        map_ = AffineMap(rank, 0, (AffineExpr.dimension(column.dim),))
        read = TransferReadOp(
            column.source,
            offsets,
            add(arith.ConstantOp(IntegerAttr(0, of))),
            vector_with(of, [self.size]),
            ArrayAttr([BoolAttr.from_bool(self._is_whole)]),
            AffineMapAttr(map_),
        )
        return self._widened(add(read), of)

    def _widened(self, value: SSAValue, of: IntegerType) -> SSAValue:
        wide = max((self.rows.least.type, of), key=_width)
        if wide == element_type(value.type):
            return value
        kind = vector_with(wide, [self.size])
        is_scalar = isa(value.type, IntegerType)
        return self.new_ops.add(arith.ExtSIOp(value, wide if is_scalar else kind))

    def _match(self, element: SSAValue) -> SSAValue:
        """Whether elements match any row, or all rows."""
        of = element_type(element.type)
        assert isa(of, IntegerType)
        kind = vector_with(of, [self.size])
        least, most = (
            self.new_ops.add(vector.BroadcastOp(self._widened(value, of), kind))
            for value in (self.rows.least, self.rows.most)
        )
        tests, needs_all = _TESTS[self.rows.predicate, self.rows.for_all]
        sides = {"least": least, "most": most}
        conditions = [
            self.new_ops.add(arith.CmpiOp(sides[side], element, predicate))
            for side, predicate in tests
        ]
        if self.rows.least is self.rows.most and self.rows.predicate == "eq":
            conditions = [self.new_ops.add(arith.CmpiOp(least, element, "eq"))]
        if len(conditions) == 1:
            return conditions[0]
        one, other = conditions
        join = arith.AndIOp if needs_all else arith.OrIOp
        return self.new_ops.add(join(one, other))


def _width(of: object) -> int:
    assert isa(of, IntegerType)
    return of.width.data


_Tests = tuple[tuple[tuple[str, str], ...], bool]

_TESTS: Mapping[tuple[str, bool], _Tests] = {
    ("eq", False): ((("least", "sle"), ("most", "sge")), True),
    ("ne", False): ((("least", "ne"), ("most", "ne")), False),
    ("slt", False): ((("least", "slt"),), True),
    ("sle", False): ((("least", "sle"),), True),
    ("sgt", False): ((("most", "sgt"),), True),
    ("sge", False): ((("most", "sge"),), True),
    ("eq", True): ((("least", "eq"), ("most", "eq")), True),
    ("ne", True): ((("least", "sgt"), ("most", "slt")), False),
    ("slt", True): ((("most", "slt"),), True),
    ("sle", True): ((("most", "sle"),), True),
    ("sgt", True): ((("least", "sgt"),), True),
    ("sge", True): ((("least", "sge"),), True),
}
"""By predicate, for any row and for all: comparisons of an extreme of the rows with the
element, and whether both must hold."""
