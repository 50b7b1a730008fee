"""A loop's body evaluated on what is known of its tensors.

Every tensor is described by one element: what each of its elements is known to be, in
terms of its dimensions. A structured op renames the dimensions of its operands to its
loops, evaluates its body once, and renames the loops to the dimensions of its results.
A reduction is known where combining leaves the accumulator as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import arith, scf, tensor
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.structured.bodies import is_straight_line, yielded
from tilewright.ir.structured.loops import Nest, nest_of, writes_each_once
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.loop.masks.elements import (
    DATA,
    UNIT,
    UNKNOWN,
    Carried,
    Data,
    Dims,
    Element,
    Number,
    Rules,
    number,
    renamed,
)

Decide = Callable[[StructuredOp, arith.CmpiOp], bool | None]
"""Whether a comparison holds at all elements of a tile, or at none; None: unknown."""


@dataclass
class Evaluation:
    """One evaluation of a body."""

    loop: scf.ForOp
    rules: Rules
    decide: Decide
    facts: Mapping[SSAValue, Element]
    """What is known of values, whatever computes them."""
    values: dict[SSAValue, Element] = field(default_factory=dict[SSAValue, Element])

    def run(self, carried: Sequence[Element]) -> list[Element]:
        """What the loop yields, if these are the values that it carries."""
        block = self.loop.body.block
        self.values.update(zip(block.args[1:], carried, strict=True))
        return self._block(block)

    def _block(self, block: Block) -> list[Element]:
        """Evaluate the ops of a loop's body; what it yields."""
        last = block.last_op
        assert isinstance(last, scf.YieldOp)
        for op in block.ops:
            if op is not last:
                for result, element in zip(op.results, self._results(op), strict=True):
                    self.values[result] = self.facts.get(result, element)
        return [self.of(value) for value in last.operands]

    def of(self, value: SSAValue) -> Element:
        """What is known of a value."""
        if value in self.values:
            return self.values[value]
        owner = value.owner
        inside = owner.parent_op() if isinstance(owner, Block) else owner
        if inside is self.loop or (
            inside is not None and self.loop.is_ancestor(inside)
        ):
            return UNKNOWN
        found = initial_number(value)
        return DATA if found is None else number(found)

    def _results(self, op: Operation) -> Sequence[Element]:
        match op:
            case StructuredOp():
                return self._structured(op)
            case scf.ForOp():
                return self._inner_loop(op)
            case arith.ConstantOp():
                return [_constant(op)]
            case tensor.CastOp():
                dims = own_dims(op.results[0])
                return [renamed(self.of(op.source), lambda dim: dims[dim])]
            case (
                tensor.ExtractSliceOp()
                | tensor.ExpandShapeOp()
                | tensor.CollapseShapeOp()
            ):
                return [_independent(self.of(op.operands[0]))]
            case _:
                return [UNKNOWN] * len(op.results)

    def _inner_loop(self, loop: scf.ForOp) -> Sequence[Element]:
        """An inner loop is known where an iteration leaves all it carries as it is."""
        inits = [self.of(value) for value in loop.iter_args]
        args = loop.body.block.args[1:]
        self.values.update(zip(args, inits, strict=True))
        if self._block(loop.body.block) == inits:
            return inits
        self.values.update((arg, UNKNOWN) for arg in args)
        self._block(loop.body.block)
        return [UNKNOWN] * len(inits)

    def _structured(self, op: StructuredOp) -> Sequence[Element]:
        nest = nest_of(op)
        outputs = nest.output_maps
        if not is_straight_line(nest.body) or not all(
            writes_each_once(nest, map_) for map_ in outputs
        ):
            return [UNKNOWN] * len(op.results)
        extents = op.get_static_loop_ranges()
        operands = [
            at_loops(self.of(value), map_, extents)
            for value, map_ in zip(op.operands, nest.maps, strict=True)
        ]
        found = self._body(op, operands)
        if nest.reduced:
            found = self._reduced(op, nest, operands, found)
        return [
            at_dims(element, map_) for element, map_ in zip(found, outputs, strict=True)
        ]

    def _reduced(
        self,
        op: StructuredOp,
        nest: Nest,
        operands: Sequence[Element],
        once: Sequence[Element],
    ) -> Sequence[Element]:
        """The accumulators after all combinations: those that do not change again."""
        inputs, before = operands[: nest.inputs], operands[nest.inputs :]
        if _terms(once) == _terms(before):
            return once
        twice = self._body(op, [*inputs, *once])
        is_settled = all(isinstance(e.term, Data) for e in once)
        return twice if is_settled and twice == once else [UNKNOWN] * len(once)

    def _body(self, op: StructuredOp, operands: Sequence[Element]) -> list[Element]:
        """What the body yields for these operands."""
        block = op.body.block
        scalars: dict[SSAValue, Element] = dict(zip(block.args, operands, strict=True))

        def of(value: SSAValue) -> Element:
            return scalars[value] if value in scalars else self.of(value)

        for inner in block.ops:
            if len(inner.results) == 1:
                scalars[inner.results[0]] = self._scalar(op, inner, of)
        return [of(value) for value in yielded(op)]

    def _scalar(
        self, op: StructuredOp, inner: Operation, of: Callable[[SSAValue], Element]
    ) -> Element:
        match inner:
            case arith.ConstantOp():
                return _constant(inner)
            case arith.CmpiOp():
                holds = self.decide(op, inner)
                return DATA if holds is None else number(float(holds))
            case _ if inner.name.startswith(("arith.", "math.")):
                return self.rules.apply(inner, [of(value) for value in inner.operands])
            case _:
                return DATA if not inner.operands else UNKNOWN


def _constant(op: arith.ConstantOp) -> Element:
    found = uniform(op.results[0])
    if found is None:
        return DATA
    return number(abs(found) if op.results[0].type == i1 else found)


def _terms(elements: Sequence[Element]) -> list[object]:
    return [element.term for element in elements]


def _independent(element: Element) -> Element:
    """What a part of a tensor is, if that does not depend on which part it is."""
    is_plain = isinstance(element.term, Number | Data) and element.rows is None
    return element if is_plain else UNKNOWN


def at_loops(element: Element, map_: AffineMap, extents: Sequence[int]) -> Element:
    """An operand's element in terms of the loops that its map names."""

    def loop(dim: int) -> int | None:
        expr = map_.results[dim]
        if not isinstance(expr, AffineDimExpr):
            return None
        return UNIT if extents[expr.position] == 1 else expr.position

    return renamed(element, loop)


def at_dims(element: Element, map_: AffineMap) -> Element:
    """An element in terms of the dimensions whose loops a map names."""
    dims = {
        expr.position: dim
        for dim, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr)
    }
    return renamed(element, dims.get)


def own_dims(value: SSAValue) -> Dims:
    """The dimensions of a tensor, in their order; a scalar has none."""
    if not is_tensor(value.type):
        return ()
    return tuple(
        UNIT if size == 1 else dim for dim, size in enumerate(shape_of(value.type))
    )


def carried_element(position: int, value: SSAValue) -> Element:
    """The element of a carried value itself."""
    return Element(Carried(position, own_dims(value)))


def initial_number(value: SSAValue) -> float | None:
    """The number that all elements of a value are, by a constant or a fill."""
    if (found := uniform(value)) is not None:
        return float(found)
    owner = value.owner
    if isinstance(owner, tensor.ExtractSliceOp | tensor.CastOp):
        return initial_number(owner.source)
    if isinstance(owner, FillOp):
        return initial_number(owner.inputs[0])
    return None
