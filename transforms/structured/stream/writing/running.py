"""What running values become: guarded, compared with before, and applied at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.types import element_type
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.structured.stream.algebra.corrections import (
    Exponent,
    Match,
    Powers,
    Pulled,
    Term,
    Total,
)
from tilewright.transforms.structured.stream.algebra.expressions import Expression
from tilewright.transforms.structured.stream.analysis.limits import start_of
from tilewright.transforms.structured.stream.row_ops import (
    Placed,
    RowOp,
    State,
    loops_of,
)


@dataclass(frozen=True)
class Target:
    """An accumulator that an op changes, in place or into a new tensor."""

    accumulator: SSAValue
    output: AffineMap
    """How the loops of its reduction index it."""
    in_place: bool = True

    @property
    def loops(self) -> tuple[int, ...]:
        """The loop of each of its dimensions."""
        return tuple(next(iter(expr.used_dims())) for expr in self.output.results)

    @property
    def of(self) -> Attribute:
        """The type of its elements."""
        return element_type(self.accumulator.type)

    def read_by(self, op: RowOp) -> int:
        """The place of its element among the arguments of an op's body."""
        return -1 if self.in_place else op.read(self.accumulator, self.output)

    def built(self, op: RowOp, write: Callable[[Body], SSAValue]) -> SSAValue:
        """The tensor with the changed elements."""
        return op.build(
            write, self.of, self.accumulator if self.in_place else None
        ).tensor


class Running:
    """Computes expressions of running values in one block, each once."""

    def __init__(
        self,
        length: int | None,
        new_ops: OpList,
        finite: frozenset[SSAValue] = frozenset(),
    ):
        self._length = length
        self._finite = finite
        self._new_ops = new_ops
        self._made: dict[object, Placed] = {}

    def _row_op(self, loops: tuple[int, ...]) -> RowOp:
        return RowOp(loops, self._length, self._new_ops)

    def placed(
        self, e: Expression, state: State, *, guard: bool = False, mean: bool = False
    ) -> Placed:
        """An expression as a tensor.

        `guard` replaces the infinity that a maximum begins with by 0, so that a
        difference of two such values is a number. With `mean`, what divides by the
        length of the stream divides by the elements seen so far.
        """
        loops = loops_of(e, state)
        # Before the first tile, nothing is finite yet.
        finite = frozenset[SSAValue]() if state.is_before else self._finite
        infinity = start_of(e, finite) if guard else 0.0
        is_tensor = e.leaf is not None and _is_plain(e.leaf.map)
        if is_tensor and not infinity:
            assert e.leaf is not None
            return Placed(state.value_of(e.leaf.value), loops)
        key = (e.key(_numbers(loops_of(e))), state.name, infinity, mean)
        if (known := self._made.get(key)) is None:
            op = self._row_op(loops)
            op.read_leaves(e, state)

            def write(body: Body) -> SSAValue:
                value = op.value(e, body, state, mean=mean)
                return _guarded(value, infinity, body) if infinity else value

            known = self._made[key] = op.build(write, e.type)
            if infinity and e.leaf is not None:
                known.tensor.name_hint = f"{e.leaf.value.name_hint or 'value'}_guarded"
        return Placed(known.tensor, loops)

    def factor(self, exponent: Exponent, old: State, new: State) -> Placed:
        """What exponentials are multiplied by when their running terms change.

        It is 0 where the running value was the infinity that it began with: nothing
        has been added up yet.
        """
        terms = exponent.terms
        of = exponent.op.results[0].type
        nodes = [n for t in terms for n in (t.node, *(scale for _, scale in t.scales))]
        loops = tuple(
            dict.fromkeys(n for e in nodes for s in (old, new) for n in loops_of(e, s))
        )
        own = tuple(dict.fromkeys(n for e in nodes for n in loops_of(e)))
        key = (exponent.op.name, of, *(_key(term, own) for term in terms))
        if (known := self._made.get(key)) is None:
            op = self._row_op(loops)
            pairs: list[tuple[int, int]] = []
            for term in terms:
                was = op.read_placed(self.placed(term.node, old))
                now = op.read_placed(self.placed(term.node, new, guard=True))
                pairs.append((was, now))
                for _, scale in term.scales:
                    op.read_leaves(scale, new)

            def write(body: Body) -> SSAValue:
                changes: list[SSAValue] = []
                for term, (was, now) in zip(terms, pairs, strict=True):
                    ends = (was, now) if term.negative else (now, was)
                    wide = [body.convert(body.args[n], of) for n in ends]
                    change = body.add("arith.subf", *wide)
                    for how, scale in term.scales:
                        by = body.convert(op.value(scale, body, new), of)
                        change = body.add(f"arith.{how}f", change, by)
                    changes.append(change)
                total = _sum(changes, body)
                exponential = exponent.op.clone({exponent.op.operands[0]: total})
                return body.append(exponential).results[0]

            known = self._made[key] = op.build(write, of)
            known.tensor.name_hint = "factor"
        return Placed(known.tensor, loops)

    def times(self, target: Target, factors: Sequence[Placed]) -> SSAValue:
        """An accumulator, multiplied by factors."""
        op = self._row_op(target.loops)
        at = target.read_by(op)
        positions = [op.read_placed(factor) for factor in factors]

        def write(body: Body) -> SSAValue:
            value = body.args[at]
            for position in positions:
                value = _wider("arith.mulf", value, body.args[position], body)
            return body.convert(value, target.of)

        return target.built(op, write)

    def with_pulled(
        self, target: Target, pulled: Sequence[Pulled], state: State
    ) -> SSAValue:
        """An accumulator with what was pulled out of its sum applied."""
        op = self._row_op(target.loops)
        at = target.read_by(op)
        for part in pulled:
            op.read_leaves(part.node, state)

        def write(body: Body) -> SSAValue:
            value = body.args[at]
            for part in pulled:
                by = op.value(part.node, body, state)
                value = _wider(f"arith.{part.how}f", value, by, body)
            return body.convert(value, target.of)

        return target.built(op, write)

    def power_corrected(
        self,
        target: Target,
        powers: Powers,
        totals: Mapping[int, Total],
        seen: SSAValue,
        states: tuple[State, State],
    ) -> SSAValue:
        """An accumulator of a polynomial after its running value has changed.

        `totals` has the sum so far of each streamed term, by the term's id; a term
        without one has the running value as its mean. `seen` is the number of elements
        so far. With the change d of the running value w, w'**2 - w**2 is 2 w d + d**2;
        what cancels is left out, which gives Welford's update for a variance.
        """
        op = self._row_op(target.loops)
        at = target.read_by(op)
        old, new = (
            op.read_placed(self.placed(powers.base, state, guard=True, mean=True))
            for state in states
        )
        places = {term: op.read(*total) for term, total in totals.items()}

        def write(body: Body) -> SSAValue:
            of = seen.type
            before, after = (body.convert(body.args[n], of) for n in (old, new))
            change = body.add("arith.subf", after, before)
            parts: list[SSAValue] = []
            of_one = of_value = of_change = 0.0
            for power, terms in sorted(powers.sums.items()):
                for number, term in terms:
                    if term is not None and id(term) in places:
                        total = body.convert(body.args[places[id(term)]], of)
                        scaled = _times(number, total, body)
                        rise = _rise(power, before, change, body)
                        parts.append(body.add("arith.mulf", scaled, rise))
                    elif term is not None:
                        of_value += number
                    elif power == 1:
                        of_one += number
                    else:
                        of_value += 2 * number
                        of_change += number
            slope = [_constant(of_one, change, body)] if of_one else []
            slope += [_times(of_value, before, body)] if of_value else []
            slope += [_times(of_change, change, body)] if of_change else []
            if slope:
                by = body.add("arith.mulf", seen, change)
                parts.append(body.add("arith.mulf", by, _sum(slope, body)))
            total = _sum([body.convert(body.args[at], of), *parts], body)
            return body.convert(total, target.of)

        return target.built(op, write)

    def begun_again(
        self,
        target: Target,
        match: Match,
        neutral: FloatAttr | IntegerAttr,
        states: tuple[State, State],
    ) -> SSAValue:
        """An accumulator, neutral where the running value that it matches changed.

        A running value that is NaN stays so, and keeps what has matched it.
        """
        op = self._row_op(target.loops)
        at = target.read_by(op)
        old, new = (
            op.read_placed(self.placed(match.running, state)) for state in states
        )

        def write(body: Body) -> SSAValue:
            before, after = body.args[old], body.args[new]
            if isinstance(before.type, AnyFloat):
                differs = body.append(arith.CmpfOp(after, before, "une")).results[0]
                is_number = body.append(arith.CmpfOp(before, before, "oeq")).results[0]
                differs = body.add("arith.andi", differs, is_number)
            else:
                differs = body.append(arith.CmpiOp(after, before, "ne")).results[0]
            empty = body.append(arith.ConstantOp(neutral)).results[0]
            kept = body.args[at]
            return body.append(arith.SelectOp(differs, empty, kept)).results[0]

        return target.built(op, write)


def _rise(power: int, before: SSAValue, change: SSAValue, body: Body) -> SSAValue:
    """w'**k - w**k for a value w that has changed."""
    if power == 1:
        return change
    twice = body.add("arith.addf", before, before)
    return body.add("arith.mulf", change, body.add("arith.addf", twice, change))


def _times(number: float, value: SSAValue, body: Body) -> SSAValue:
    if number == 1.0:
        return value
    return body.add("arith.mulf", value, _constant(number, value, body))


def _is_plain(map_: AffineMap | None) -> bool:
    """Whether the dimensions of a tensor are loops, each another one."""
    if map_ is None:
        return False
    used = [expr.used_dims() for expr in map_.results]
    loops = {loop for dims in used for loop in dims}
    return all(len(dims) == 1 for dims in used) and len(loops) == len(used)


def _numbers(loops: tuple[int, ...]) -> dict[int, int]:
    return {loop: dim for dim, loop in enumerate(loops)}


def _key(term: Term, loops: tuple[int, ...]) -> object:
    names = _numbers(loops)
    scales = ((how, scale.key(names)) for how, scale in term.scales)
    return (term.negative, term.node.key(names), *scales)


def _wider(name: str, value: SSAValue, by: SSAValue, body: Body) -> SSAValue:
    """An op on two floats in the wider of their types, f32 at least."""
    types = (value.type, by.type, f32)
    of = max((t for t in types if isinstance(t, AnyFloat)), key=_width)
    return body.add(name, body.convert(value, of), body.convert(by, of))


def _width(of: AnyFloat) -> int:
    return of.bitwidth


def _guarded(value: SSAValue, infinity: float, body: Body) -> SSAValue:
    bad = _constant(infinity, value, body)
    zero = _constant(0.0, value, body)
    is_bad = body.append(arith.CmpfOp(value, bad, "oeq")).results[0]
    return body.append(arith.SelectOp(is_bad, zero, value)).results[0]


def _constant(number: float, like: SSAValue, body: Body) -> SSAValue:
    of = like.type
    assert isinstance(of, AnyFloat)
    return body.append(arith.ConstantOp(FloatAttr(number, of))).results[0]


def _sum(values: Sequence[SSAValue], body: Body) -> SSAValue:
    total = values[0]
    for value in values[1:]:
        total = body.add("arith.addf", total, value)
    return total
