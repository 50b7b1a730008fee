"""What a handle points at, as far as a schedule says it, and what contradicts that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import IteratorType, Linalg, NamedContractionOp
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes import LAUNCH_ATTRIBUTES, PREFIX, Host
from tilewright.ir.text import place_of
from tilewright.schedules.scope import count, did_you_mean
from tilewright.transforms.control.sequence import YieldOp
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.structured.fuse_into_containing_op import (
    FuseIntoContainingOp,
)
from tilewright.transforms.structured.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.vectorize import VectorizeOp

LOOPS: Mapping[str, tuple[IteratorType, ...]] = {
    op.name: tuple(kind.data for kind in op.CONTRACTION.iterator_types)
    for op in Linalg.operations
    if issubclass(op, NamedContractionOp)
}
"""The loops of ops that have the same number everywhere."""


@dataclass(frozen=True)
class Fact:
    """The kind of op a handle points at."""

    name: str


_GRID, _LOOP = Fact("scf.forall"), Fact("scf.for")


def check_facts(
    sequence: NamedSequenceOp, sequences: Mapping[str, NamedSequenceOp]
) -> list[UserError]:
    """Contradictions in one sequence: too many sizes, a grid that is a loop, ..."""
    del sequences
    facts = _Facts()
    facts.visit(sequence.body.block)
    return facts.errors


class _Facts:
    """Collects facts in the order of the text, and errors against them."""

    def __init__(self) -> None:
        self.errors: list[UserError] = []
        self._facts: dict[SSAValue, Fact] = {}

    def visit(self, block: Block) -> Sequence[SSAValue]:
        """Run through a block; what it yields."""
        for op in block.ops:
            if isinstance(op, YieldOp):
                return op.operands
            if isinstance(op, AlternativesOp):
                yields = [self.visit(region.block) for region in op.alternatives]
                for result, values in zip(
                    op.results, zip(*yields, strict=True), strict=False
                ):
                    self._join(result, values)
            else:
                self.errors += self._check(op)
                self._note(op)
        return ()

    def _join(self, result: SSAValue, values: Sequence[SSAValue]) -> None:
        found = {self._facts.get(value) for value in values}
        if len(found) == 1 and (fact := found.pop()) is not None:
            self._facts[result] = fact

    def _note(self, op: Operation) -> None:
        if isinstance(op, MatchOp):
            if op.ops is not None and len(op.ops) == 1:
                self._facts[op.res] = Fact(op.ops.data[0].data)
        elif isinstance(op, MergeHandlesOp):
            self._join(op.result, op.handles)
        elif isinstance(op, TileUsingForallOp):
            self._join(op.tiled_op, [op.target])
            self._facts[op.forall_op] = _GRID
        elif isinstance(op, TileUsingForOp):
            self._join(op.tiled_op, [op.target])
            self._facts.update(dict.fromkeys(op.loops, _LOOP))
        elif isinstance(op, FuseIntoContainingOp):
            self._join(op.fused_op, [op.producer_op])
            self._join(op.new_containing_op, [op.containing_op])

    def _check(self, op: Operation) -> Iterator[UserError]:
        if isinstance(op, TileUsingForallOp):
            sizes = [int(size) for size in op.static_tile_sizes.get_values()]
            yield from self._check_sizes(op, op.target, "tile", sizes)
            yield from self._check_grid(op, sizes)
        elif isinstance(op, TileUsingForOp):
            sizes = [int(size) for size in op.static_sizes.get_values()]
            yield from self._check_sizes(op, op.target, "tile", sizes)
        elif isinstance(op, VectorizeOp):
            sizes = [int(size) for size in op.static_vector_sizes.get_values()]
            yield from self._check_sizes(op, op.target, "vectorize", sizes, exact=True)
        elif isinstance(op, AnnotateOp):
            yield from self._check_attribute(op)

    def _check_sizes(
        self,
        op: Operation,
        target: SSAValue,
        verb: str,
        sizes: Sequence[int],
        *,
        exact: bool = False,
    ) -> Iterator[UserError]:
        fact = self._facts.get(target)
        if fact is None or not sizes:
            return
        if fact in (_GRID, _LOOP):
            yield UserError(
                f"{verb}: this handle points at a loop ({fact.name})",
                place_of(op),
                "give the op inside it",
            )
            return
        loops = LOOPS.get(fact.name)
        if loops is None:
            return
        if len(sizes) > len(loops) or (exact and len(sizes) < len(loops)):
            yield UserError(
                f"{verb}: {count(len(sizes), 'size')} for the "
                f"{count(len(loops), 'loop')} of {fact.name}",
                place_of(op),
                f"give {'' if exact else 'at most '}{len(loops)}",
            )

    def _check_grid(
        self, op: TileUsingForallOp, sizes: Sequence[int]
    ) -> Iterator[UserError]:
        tiled = [position for position, size in enumerate(sizes) if size != 0]
        if op.mapping is not None and len(op.mapping) != len(tiled):
            yield UserError(
                f"tile: {count(len(tiled), 'tiled loop')} onto "
                f"{count(len(op.mapping), 'dimension')} of the grid",
                place_of(op),
                "give one dimension for each size that is not 0",
            )
        if op.mapping is not None and len(set(op.mapping)) < len(op.mapping):
            yield UserError("tile: a dimension of the grid is used twice", place_of(op))
        fact = self._facts.get(op.target)
        loops = LOOPS.get(fact.name, ()) if fact is not None else ()
        for position in tiled:
            if position < len(loops) and loops[position] == IteratorType.REDUCTION:
                yield UserError(
                    f"tile: loop {position} of {fact.name if fact else ''} is a "
                    "reduction, a grid cannot cut it",
                    place_of(op),
                    "give it size 0 here, and tile it without 'onto' afterwards",
                )

    def _check_attribute(self, op: AnnotateOp) -> Iterator[UserError]:
        name = op.annotation.data
        if not name.startswith(PREFIX):
            return
        rows = {row.name: row for row in LAUNCH_ATTRIBUTES}
        if (row := rows.get(name)) is None:
            yield UserError(
                f"annotate: unknown launch attribute '{name}'",
                place_of(op),
                did_you_mean(name, list(rows)) or f"known: {', '.join(rows)}",
            )
            return
        fact = self._facts.get(op.target)
        if fact is not None and fact != (_GRID if row.host is Host.GRID else _LOOP):
            yield UserError(
                f"'{name}' does not belong on '{fact.name}'",
                place_of(op),
                f"set it on a {row.host.value}",
            )
        for value in _values(op.param):
            if not row.is_unit and not row.legal(value):
                yield UserError(
                    f"'{name}' cannot be {value}",
                    place_of(op),
                    f"it takes {row.values}",
                )


def _values(param: SSAValue | None) -> list[int]:
    """The numbers a parameter may hold, where the schedule says so."""
    attributes: Sequence[Attribute] = ()
    if param is not None and isinstance(param.owner, KnobOp):
        attributes = param.owner.options.data
    elif param is not None and isinstance(param.owner, ParamConstantOp):
        attributes = (param.owner.value,)
    return [a.value.data for a in attributes if isa(a, IntegerAttr)]
