"""The proof that an iteration with an empty mask changes no carried value.

First without a case distinction: the sum `acc + 0 * v` is `acc`. Values that are
corrected by a running maximum need one. The maximum, the *pivot*, is in each row

- finite. Then it stays as it is, each factor `exp(m - m)` is 1, and each sum adds 0; or
- still -inf. Then the other carried values still are what they were at first, which the
  iteration does not change: `0 * exp(...) + 0`.

The second case needs an invariant: where the maximum is -inf, the others are their
initial numbers. It holds at first. Any iteration, also one that is not skipped, keeps
it: a maximum that is -inf afterwards was -inf before, and so are all elements that it
is the maximum of; with these elements the same evaluation leaves the initial numbers.
A minimum, which begins with inf, is treated alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith, scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.bodies import yielded as yielded_by_body
from tilewright.ir.structured.loops import nest_of, writes_each_once
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.loop.masks.elements import (
    UNKNOWN,
    Element,
    Number,
    Rules,
    number,
    renamed,
)
from tilewright.transforms.loop.masks.evaluation import (
    Decide,
    Evaluation,
    at_dims,
    at_loops,
    carried_element,
    initial_number,
    own_dims,
)

Kinds: TypeAlias = tuple[type[Operation], ...]

_MAXIMA: Kinds = (arith.MaximumfOp, arith.MaxnumfOp)
_MINIMA: Kinds = (arith.MinimumfOp, arith.MinnumfOp)


@dataclass(frozen=True)
class Changes:
    """A loop, and what its iterations may do to the values that it carries."""

    loop: scf.ForOp

    def why_changed(self, decide: Decide) -> int | None:
        """The carried value that an iteration may change; None if it changes none.

        `decide` tells which comparisons hold, or do not, in the iteration.
        """
        same = self._same()
        changed = _first_other(self._evaluate(decide, same), same)
        if changed is None:
            return None
        pivots = [at for at in range(len(same)) if self._infinity(at) is not None]
        for pivot in pivots:
            found = self._changed_beside(pivot, decide)
            if found is None:
                return None
            changed = found
        return changed

    def _changed_beside(self, pivot: int, decide: Decide) -> int | None:
        """The same with a case distinction for the value at `pivot`."""
        same = self._same()
        finite = self._evaluate(decide, same, Rules(finite=pivot))
        changed = _first_other(finite, same)
        if changed is not None:
            return changed
        if finite[pivot].rows not in (None, own_dims(self._args[pivot])):
            return pivot
        infinity, facts = self._infinity(pivot), self._facts(pivot)
        if infinity is None or facts is None:
            return pivot
        started: list[Element] = []
        for at, element in enumerate(finite):
            start = initial_number(self.loop.iter_args[at])
            if at == pivot:
                started.append(number(infinity, own_dims(self._args[at])))
            elif element.rows is None:
                started.append(same[at])
            elif start is None:
                return at
            else:
                started.append(number(start, element.rows))
        skipped = self._evaluate(decide, started)
        changed = _first_other(skipped, started)
        if changed is not None:
            return changed
        kept = self._evaluate(_undecided, started, facts=facts)
        expected = [
            known if isinstance(known.term, Number) else result
            for known, result in zip(started, kept, strict=True)
        ]
        return _first_other(kept, expected)

    @property
    def _args(self) -> Sequence[BlockArgument]:
        return self.loop.body.block.args[1:]

    def _same(self) -> list[Element]:
        return [carried_element(at, arg) for at, arg in enumerate(self._args)]

    def _evaluate(
        self,
        decide: Decide,
        carried: Sequence[Element],
        rules: Rules | None = None,
        facts: Mapping[SSAValue, Element] | None = None,
    ) -> list[Element]:
        evaluation = Evaluation(self.loop, rules or Rules(), decide, facts or {})
        return evaluation.run(carried)

    def _infinity(self, at: int) -> float | None:
        """The infinity that a carried value starts from, if it does."""
        start = initial_number(self.loop.iter_args[at])
        return start if start is not None and math.isinf(start) else None

    def _facts(self, pivot: int) -> Mapping[SSAValue, Element] | None:
        """What follows where the maximum is -inf after an iteration; None: nothing.

        The maximum must be one of its value before the iteration, so that a maximum
        that is -inf was so before.
        """
        infinity, arg = self._infinity(pivot), self._args[pivot]
        if infinity is None:
            return None
        known = number(infinity, own_dims(arg))
        facts: dict[SSAValue, Element] = {}
        kinds = _MAXIMA if infinity < 0 else _MINIMA
        _follow(yielded(self.loop)[pivot], known, kinds, facts)
        return facts if facts.pop(arg, None) == known else None


def _follow(
    value: SSAValue, known: Element, kinds: Kinds, facts: dict[SSAValue, Element]
) -> None:
    """Note that a value is infinite in some rows, and so what it is the maximum of."""
    facts[value] = known
    op = value.owner
    if isinstance(op, tensor.CastOp):
        dims = own_dims(op.source)
        at_source = renamed(known, lambda dim: dims[dim])
        _follow(op.source, at_source, kinds, facts)
    if not isinstance(op, StructuredOp) or len(op.results) != 1:
        return
    nest = nest_of(op)
    (map_,) = nest.output_maps
    combined = yielded_by_body(op)[0].owner
    if not isinstance(combined, kinds) or not writes_each_once(nest, map_):
        return
    extents = op.get_static_loop_ranges()
    in_loops = at_loops(known, map_, extents)
    for operand in combined.operands:
        if isinstance(operand, BlockArgument) and operand.block is nest.body:
            at_source = at_dims(in_loops, nest.maps[operand.index])
            if at_source != UNKNOWN:
                _follow(op.operands[operand.index], at_source, kinds, facts)


def _undecided(op: StructuredOp, compared: arith.CmpiOp) -> None:
    """Nothing is known of a comparison."""


def _first_other(found: Sequence[Element], wanted: Sequence[Element]) -> int | None:
    """The first value that is not what it should be."""
    for at, (this, that) in enumerate(zip(found, wanted, strict=True)):
        if this.term != that.term:
            return at
        if isinstance(that.term, Number) and this.rows not in (None, that.rows):
            return at
    return None
