"""Tails of products: element-wise work that is cheaper behind a product than elsewhere.

An element-wise op between a product and another kernel can be computed in either. The
product's accumulator is wide (f32) and its tail often rounds, so that the bytes between
the kernels depend on where the chain is cut. The cheapest cut wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import Operand, OpFacts, Role
from tilewright.planning.grouping.group import Stream

POINTWISE = (Role.ELEMENTWISE, Role.MOVEMENT)


class Tails:
    """The products whose tails an op belongs to, and the cost of cutting them off."""

    def __init__(self, analysis: Analysis, streams: Mapping[OpFacts, Stream]):
        self.analysis = analysis
        self._streams = streams
        self._cuts: dict[OpFacts, int | None] = {}
        self._tops: dict[OpFacts, list[OpFacts]] = {}

    def products(self, facts: OpFacts) -> Iterator[OpFacts]:
        """The products that an element-wise op follows, through others like it."""
        pending, seen = [facts], set[OpFacts]()
        while pending:
            for made in self._above(pending.pop()):
                if made in seen:
                    continue
                seen.add(made)
                if made.role == Role.CONTRACTION:
                    yield made
                else:
                    pending.append(made)

    def cut_above(self, facts: OpFacts) -> int | None:
        """The fewest bytes that pass between the products and an op, cut above it.

        None if no product is above.
        """
        if facts not in self._cuts:
            found: list[int] = []
            for made in self._above(facts):
                here = self.passed(made)
                if made.role == Role.CONTRACTION:
                    found.append(here)
                elif (above := self.cut_above(made)) is not None:
                    found.append(min(here, above))
            self._cuts[facts] = sum(found) if found else None
        return self._cuts[facts]

    def passed(self, facts: OpFacts) -> int:
        """The bytes that move if an op's readers are in another kernel.

        A result that is stored anyway is not written again.
        """
        several = len(self.analysis.uses(facts)) > 1
        anyway = several or self.analysis.escapes(facts)
        return facts.written_bytes * (1 if anyway else 2)

    def _above(self, facts: OpFacts) -> list[OpFacts]:
        """The producers whose tail an op could be: it has their loops and no more."""
        if facts not in self._tops:
            self._tops[facts] = self._found_above(facts)
        return self._tops[facts]

    def _found_above(self, facts: OpFacts) -> list[OpFacts]:
        if facts.role not in POINTWISE:
            return []
        above: list[OpFacts] = []
        others: list[OpFacts] = []
        for position, made in self.analysis.producers(facts):
            loops = {i for i in facts.operands[position].loops if i is not None}
            is_covered = facts.count(facts.parallel) == facts.count(tuple(loops))
            may_be = made.role in (*POINTWISE, Role.CONTRACTION) and is_covered
            (above if may_be else others).append(made)
        products = [
            product
            for made in above
            for product in ([made] if made.reduced else self.products(made))
        ]
        # What needs a reduction of the product first is no tail of it.
        if any(depends_on(self.analysis, o, p) for o in others for p in products):
            return []
        return [made for made in above if not self._waits(others, made)]

    def _waits(self, others: Sequence[OpFacts], product: OpFacts) -> bool:
        """Whether an op needs what other kernels make of a streamed product's chain."""
        stream = self._streams.get(product)
        if stream is None:
            return False
        return any(
            depends_on(self.analysis, other, facts)
            for other in others
            if other not in stream.ops
            for facts in stream.ops
            if facts.reduced
        )


def chain_bytes(analysis: Analysis, facts: OpFacts) -> int:
    """The bytes read by an op and the element-wise ops that only it reads."""
    return sum(operand.bytes for operand in chain_inputs(analysis, facts))


def chain_inputs(analysis: Analysis, facts: OpFacts) -> Iterator[Operand]:
    """The tensors read by an op and the element-wise ops that only it reads."""
    for operand in facts.operands:
        if not operand.is_read:
            continue
        made = analysis.producer(operand.value)
        if (
            made is not None
            and made.role in (*POINTWISE, Role.FILL)
            and len(analysis.uses(made)) == 1
            and not analysis.escapes(made)
        ):
            yield from chain_inputs(analysis, made)
        else:
            yield operand


def depends_on(analysis: Analysis, facts: OpFacts, other: OpFacts) -> bool:
    """Whether an op is computed from another, through structured ops."""
    pending, seen = [facts], set[OpFacts]()
    while pending:
        for _, made in analysis.producers(pending.pop()):
            if made is other:
                return True
            if made not in seen and made.number > other.number:
                seen.add(made)
                pending.append(made)
    return False


def element_chain(analysis: Analysis, facts: OpFacts) -> Iterator[OpFacts]:
    """The ops that an element-wise op reads from, through other element-wise ops."""
    pending, seen = [facts], set[OpFacts]()
    while pending:
        for _, made in analysis.producers(pending.pop()):
            if made in seen:
                continue
            seen.add(made)
            yield made
            if made.role in POINTWISE:
                pending.append(made)
