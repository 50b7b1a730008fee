"""The one inliner: elements of a tensor, computed in the body that reads them.

Before:

    y = relu(x + bias)
    r[i, j] = max(y[2i, j], y[2i + 1, j])

After:

    r[i, j] = max(relu(x[2i, j] + bias[j]), relu(x[2i + 1, j] + bias[j]))

`against` is the legality test of a producer, `inlined` the rewrite of one reader. An
element is read at index expressions of the reader's loops and of values in its body.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    StructuredOp,
    YieldOp,
    maps_attribute,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.intervals import UNKNOWN, Interval, interval
from tilewright.ir.indexing.normal_form import constant, plus
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.concats import Concat, Part, is_concat, parts_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import (
    is_permutation,
    is_projection,
    is_projection_or_zero,
    named_loops,
)
from tilewright.ir.structured.movement import (
    Indices,
    behind_views,
    indices_behind,
    view_of,
)
from tilewright.ir.structured.view_reads import ViewRead, view_read
from tilewright.ir.types import element_type, is_buffer, is_tensor


def against(producer: Operation) -> str | None:
    """Why no reader can compute an op's elements itself; None if all readers can."""
    if isinstance(producer, Concat):
        is_known = parts_of(producer) is not None
        return None if is_known else "its sizes, offsets or pad value are not known"
    if not isinstance(producer, StructuredOp) or len(producer.results) != 1:
        return "the producer is no element-wise op with one result"
    if any(is_buffer(value.type) for value in producer.operands):
        return "the producer works on buffers"
    if any(is_reduction(producer, loop) for loop in range(producer.get_num_loops())):
        return "the producer is no element-wise op with one result"
    outputs = producer.body.block.args[len(producer.inputs) :]
    if not is_permutation(producer.maps[-1]) or any(each.uses for each in outputs):
        return (
            "the producer does not write each element of its result once, or reads "
            "what was there"
        )
    return None


def producer_of(value: SSAValue) -> StructuredOp | None:
    """The op whose body can be copied to compute an element of a tensor, or None."""
    owner = value.owner
    if isinstance(owner, StructuredOp) and against(owner) is None:
        return owner
    return None


def loops_at(producer: StructuredOp, at: Indices) -> Indices:
    """The loops of a producer for the element of its result at some indices."""
    found = dict(zip(named_loops(producer.maps[-1]), at, strict=True))
    return tuple(found[loop] for loop in range(producer.get_num_loops()))


def indices_of(map_: AffineMap, loops: Indices) -> Indices:
    """The indices of an operand at some indices of the loops."""
    return tuple(substitute(expr, loops) for expr in map_.results)


class Elements:
    """The body of a new op, by the elements that it computes or reads.

    What it reads along its loops becomes an operand; other elements are extracted.
    """

    def __init__(
        self,
        reader: Operation,
        extents: Sequence[int],
        computes: Callable[[SSAValue], bool],
    ):
        self.reader = reader
        self.extents = extents
        self.rank = len(extents)
        self.block = Block()
        self.inputs: list[SSAValue] = []
        self.maps: list[AffineMap] = []
        self.views: list[Operation] = []
        """The views that are operands; they come before the new op."""
        self._computes = computes
        self._has_windows = isinstance(reader, StructuredOp) and not all(
            map(is_projection, reader.maps)
        )
        self._known: dict[tuple[SSAValue, Indices], SSAValue] = {}
        self._symbols: list[SSAValue] = []
        self._loops: dict[SSAValue, AffineExpr] = {}
        self._indices: dict[AffineExpr, SSAValue] = {}
        self._ranges: dict[SSAValue, Interval] = {}
        self._clamps: dict[tuple[AffineExpr, int], AffineExpr] = {}

    def element(
        self, value: SSAValue, at: Indices, like: SSAValue | None = None
    ) -> SSAValue:
        """An element of a tensor, computed here or read; named after `like`."""
        if (known := self._known.get((value, at))) is not None:
            return known
        view, producer = view_of(value), producer_of(value)
        if view is not None and self._computes(behind_views(value)):
            source = view.operands[0]
            at_source = indices_behind(view, at, self.extents)
            element = self.element(source, at_source, like)
        elif (parts := parts_of(value.owner)) is not None and self._computes(value):
            element = self._chosen(parts, at)
        elif producer is None or not self._computes(value):
            element = self._read(value, at)
            element.name_hint = value.name_hint if like is None else like.name_hint
        else:
            values = self.copied(producer, loops_at(producer, at))
            (made,) = yielded(producer)
            element = values.get(made, made)
        self._known[value, at] = element
        return element

    def operand(self, value: SSAValue, map_: AffineMap) -> SSAValue:
        """The element of a new operand with this map."""
        kind = element_type(value.type) if is_tensor(value.type) else value.type
        element = self.block.insert_arg(kind, len(self.inputs))
        self.inputs.append(value)
        self.maps.append(map_)
        self._known.setdefault((value, tuple(map_.results)), element)
        return element

    def copied(
        self,
        op: StructuredOp,
        loops: Indices,
        given: Mapping[SSAValue, SSAValue] | None = None,
        but: Collection[Operation] = (),
    ) -> dict[SSAValue, SSAValue]:
        """Copy the body of an op at indices of its loops; the copies of its values.

        Arguments that are not `given` are elements. Ops in `but` are left out.
        """
        values = dict(given or {})
        block = op.body.block
        for value, map_, argument in zip(op.inputs, op.maps, block.args, strict=False):
            if argument not in values:
                at = indices_of(map_, loops)
                values[argument] = self.element(value, at, argument)
        for inner in block.ops:
            match inner:
                case IndexOp():
                    values[inner.result] = self._index(loops[inner.dim.value.data])
                case tensor.ExtractOp() if self._computes(behind_views(inner.tensor)):
                    at = [self._expression(values.get(i, i)) for i in inner.indices]
                    values[inner.result] = self.element(inner.tensor, tuple(at))
                case YieldOp():
                    pass
                case _:
                    if inner not in but:
                        self.block.add_op(inner.clone(values))
        return values

    def _chosen(self, parts: Sequence[Part], at: Indices) -> SSAValue:
        """The element of the first part that has it; the last one has all others.

        Lanes that belong to another part read an element at the edge of this one.
        """
        part, *others = parts
        if part.is_constant:
            return self._added(part.constant.clone())
        own: list[AffineExpr] = []
        tests: list[SSAValue] = []
        for dim, index in enumerate(at):
            here, last = plus(index, constant(-part.offsets[dim])), part.sizes[dim] - 1
            low, high = self._interval(here)
            is_below, is_above = low is None or low < 0, high is None or high > last
            is_never = (low or 0) > last or (high is not None and high < 0)
            if others and is_never:
                return self._chosen(others, at)
            if is_above and others:
                tests.append(self._compared("sle", here, last))
            if is_below and others and not is_concat(parts):
                tests.append(self._compared("sge", here, 0))
            if is_below or is_above:
                here = self._clamped(here, last)
            if dim not in part.dropped:
                own.append(here)
        element = self.element(part.source, tuple(own))
        if not tests:
            return element
        inside = tests[0]
        for test in tests[1:]:
            inside = self._added(arith.AndIOp(inside, test))
        return self._added(arith.SelectOp(inside, element, self._chosen(others, at)))

    def _interval(self, expr: AffineExpr) -> Interval:
        """Between which numbers an index lies."""
        ranges = [self._ranges.get(symbol, UNKNOWN) for symbol in self._symbols]
        loops = [(0, extent - 1 if extent > 0 else None) for extent in self.extents]
        return interval(expr, loops, ranges)

    def _compared(self, predicate: str, expr: AffineExpr, number: int) -> SSAValue:
        """Whether an index is at most, or at least, a number."""
        value = self._signed(expr)
        return self._added(arith.CmpiOp(value, self._constant(number), predicate))

    def _clamped(self, expr: AffineExpr, last: int) -> AffineExpr:
        """An index that is no less than 0 and no more than the last one."""
        if (expr, last) not in self._clamps:
            value = self._added(arith.MaxSIOp(self._signed(expr), self._constant(0)))
            value = self._added(arith.MinSIOp(value, self._constant(last)))
            value = self._added(arith.IndexCastOp(value, IndexType()))
            self._ranges[value] = (0, last)
            self._clamps[expr, last] = self._expression(value)
        return self._clamps[expr, last]

    def _signed(self, expr: AffineExpr) -> SSAValue:
        """An index in 64 bits, which may be negative."""
        return self._added(arith.IndexCastOp(self._index(expr), i64))

    def _constant(self, number: int) -> SSAValue:
        return self._added(arith.ConstantOp(IntegerAttr(number, i64)))

    def _added(self, op: Operation) -> SSAValue:
        """The result of a new op of the body."""
        self.block.add_op(op)
        return op.results[0]

    def _read(self, value: SSAValue, at: Indices) -> SSAValue:
        """An element from memory: of an operand where loops index it."""
        is_whole = self._is_whole(value, at)
        view = ViewRead((), value, at)
        if not is_whole or not is_projection_or_zero(AffineMap(self.rank, 0, at)):
            view = view_read(value, at, self.extents, self.reader)
        is_windowed = self._has_windows and all(map(_is_sum_of_loops, at))
        if view is None and is_whole and is_windowed:
            view = ViewRead((), value, at)
        if view is not None:
            self.views += view.ops
            return self.operand(view.value, AffineMap(self.rank, 0, view.at))
        places = [self._index(expr) for expr in at]
        op = tensor.ExtractOp(value, places, element_type(value.type))
        self.block.add_op(op)
        return op.result

    def _is_whole(self, value: SSAValue, at: Indices) -> bool:
        """Whether each loop that is an index runs through the dimension, as it must."""
        if not is_tensor(value.type):
            return True
        return not any(
            isinstance(expr, AffineDimExpr)
            and DYNAMIC_INDEX not in (size, self.extents[expr.position])
            and size != self.extents[expr.position]
            for size, expr in zip(value.type.get_shape(), at, strict=True)
        )

    def _expression(self, index: SSAValue) -> AffineExpr:
        """An index that the body has computed as an expression."""
        if index in self._loops:
            return self._loops[index]
        if (number := constant_int(index)) is not None:
            return AffineConstantExpr(number)
        if index not in self._symbols:
            self._symbols.append(index)
        return AffineSymExpr(self._symbols.index(index))

    def _index(self, expr: AffineExpr) -> SSAValue:
        """The value of an index expression, which is never negative."""
        if (known := self._indices.get(expr)) is not None:
            return known
        match expr:
            case AffineSymExpr():
                return self._symbols[expr.position]
            case AffineDimExpr():
                op: Operation = IndexOp(expr.position)
            case AffineConstantExpr():
                op = arith.ConstantOp(IntegerAttr(expr.value, IndexType()))
            case AffineBinaryOpExpr():
                lhs, rhs = self._index(expr.lhs), self._index(expr.rhs)
                op = _ARITHMETIC[expr.kind](lhs, rhs)
            case _:
                raise AssertionError(f"no such affine expression: {expr}")
        self.block.add_op(op)
        self._loops[op.results[0]] = expr
        self._indices[expr] = op.results[0]
        return op.results[0]


_ARITHMETIC: Mapping[AffineBinaryOpKind, Callable[[SSAValue, SSAValue], Operation]] = {
    AffineBinaryOpKind.Add: arith.AddiOp,
    AffineBinaryOpKind.Mul: arith.MuliOp,
    AffineBinaryOpKind.FloorDiv: arith.DivSIOp,
    AffineBinaryOpKind.Mod: arith.RemSIOp,
}


def _is_sum_of_loops(expr: AffineExpr) -> bool:
    """Whether an index is a sum of loops times constants, as a window's are."""
    if isinstance(expr, AffineBinaryOpExpr):
        kinds = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul
        is_sum = expr.kind in kinds and _is_sum_of_loops(expr.lhs)
        is_scaled = isinstance(expr.rhs, AffineConstantExpr)
        if expr.kind == AffineBinaryOpKind.Mul:
            return is_sum and is_scaled
        return is_sum and _is_sum_of_loops(expr.rhs)
    return isinstance(expr, AffineDimExpr)


def inlined(
    reader: StructuredOp, producers: Collection[Operation]
) -> tuple[list[Operation], GenericOp]:
    """The slices that a reader needs to compute what producers do, and that reader."""
    extents = reader.get_static_loop_ranges()
    body = Elements(reader, extents, lambda value: value.owner in producers)
    loops = tuple(AffineDimExpr(loop) for loop in range(len(extents)))
    block, inputs = reader.body.block, len(reader.inputs)
    given: dict[SSAValue, SSAValue] = {}
    for at, value in enumerate(reader.inputs):
        if behind_views(value).owner not in producers:
            given[block.args[at]] = body.operand(value, reader.maps[at])
    for at, value in enumerate(reader.inputs):
        if behind_views(value).owner in producers:
            place = tuple(reader.maps[at].results)
            given[block.args[at]] = body.element(value, place, block.args[at])
    outputs = block.args[inputs:]
    for argument in outputs:
        given[argument] = body.block.insert_arg(argument.type, len(body.block.args))
    for argument, new in given.items():
        new.name_hint = new.name_hint or argument.name_hint
    values = body.copied(reader, loops, given)
    body.block.add_op(YieldOp(*[values.get(each, each) for each in yielded(reader)]))
    made = GenericOp(
        body.inputs,
        list(reader.outputs),
        Region(body.block),
        maps_attribute([*body.maps, *reader.maps[inputs:]]),
        reader.get_iterator_types(),
        [result.type for result in reader.results],
    )
    made.location = reader.location
    for old, new in zip(reader.results, made.results, strict=True):
        new.name_hint = old.name_hint
    return body.views, made


def loops_without_extent(
    reader: StructuredOp, producers: Collection[Operation]
) -> list[int]:
    """The loops of a reader that no operand would tell the extent of.

    A reduction that reads every element at computed indices runs along none.
    """
    views, made = inlined(reader, producers)
    named = {loop for map_ in made.maps for loop in named_loops(map_)}
    for each in (made, *reversed(views)):
        each.erase()
    return [loop for loop in range(reader.get_num_loops()) if loop not in named]
