"""Finds uses of a handle that contradict the kind of op it points at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import IteratorType, Linalg, NamedContractionOp
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES, PREFIX, Host, Kind
from tilewright.ir.phrases import count, did_you_mean
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import SequenceOp, YieldOp
from tilewright.transforms.core.atoms import NOTHING, Knowledge
from tilewright.transforms.core.base import OperationType, TransformOp
from tilewright.transforms.core.foreseen import Foreseen, Handles, kinds_of
from tilewright.transforms.handles.annotate import AnnotateOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.vectorize.vectorize import VectorizeOp

LOOPS: Mapping[str, tuple[IteratorType, ...]] = {
    op.name: tuple(kind.data for kind in op.CONTRACTION.iterator_types)
    for op in Linalg.operations
    if issubclass(op, NamedContractionOp)
}
"""The number of loops of ops for which it is fixed."""


@dataclass(frozen=True)
class Fact:
    """The kind of op a handle points at."""

    name: str


_GRID, _LOOP = Fact("scf.forall"), Fact("scf.for")

_RUN_OTHERS = (AlternativesOp, TryOp, ForeachOp, SequenceOp)

_ANY_TARGET = frozenset({"transform.loop.get_parent_for", "transform.loop.outline"})
"""Ops on loops that accept any op."""


def check_facts(sequence: NamedSequenceOp) -> list[UserError]:
    """Errors in one sequence: too many sizes, a grid where a loop is needed, ..."""
    facts = _Facts()
    facts.visit(sequence.body.block)
    return facts.errors


class _Facts:
    """Collects facts in the order of the text, and the errors that contradict them."""

    def __init__(self) -> None:
        self.errors: list[UserError] = []
        self._known = Knowledge()
        self._handles: Handles = {}

    def visit(self, block: Block) -> Sequence[SSAValue]:
        """Visit a block; gives the facts of what it yields."""
        for op in block.ops:
            if isinstance(op, YieldOp):
                return op.operands
            if isinstance(op, _RUN_OTHERS):
                self._run(op)
            else:
                self.errors += self._check(op)
                if isinstance(op, TransformOp):
                    op.foresee(Foreseen(op, self._known, self._handles))
        return ()

    def _run(self, op: Operation) -> None:
        """Visit the regions of an op; its results are what each of them yields."""
        yields: list[Sequence[SSAValue]] = []
        for region in op.regions:
            for argument, value in zip(region.block.args, op.operands, strict=False):
                self._join(argument, [value])
            yields.append(self.visit(region.block))
        for result, values in zip(op.results, zip(*yields, strict=False), strict=False):
            self._join(result, values)

    def fact(self, value: SSAValue) -> Fact | None:
        """The op that a handle points at, by its type or by how it was found."""
        if isinstance(value.type, OperationType):
            return Fact(value.type.operation.data)
        kinds = kinds_of(self._handles.get(value, NOTHING))
        return Fact(*kinds) if kinds is not None and len(kinds) == 1 else None

    def _join(self, result: SSAValue, values: Sequence[SSAValue]) -> None:
        atoms = [self._handles.get(value, NOTHING) for value in values]
        self._handles[result] = NOTHING.union(*atoms) if all(atoms) else NOTHING

    def _check(self, op: Operation) -> Iterator[UserError]:
        if isinstance(op, TileUsingForallOp):
            sizes = _numbers(op.static_tile_sizes) or _numbers(op.static_num_threads)
            yield from self._check_sizes(op, op.target, "tile", sizes)
            yield from self._check_grid(op, sizes)
        elif isinstance(op, TileUsingForOp):
            sizes = _numbers(op.static_sizes)
            yield from self._check_sizes(op, op.target, "tile", sizes)
            yield from _check_loops(op, sizes)
        elif isinstance(op, VectorizeOp):
            sizes = _numbers(op.static_vector_sizes)
            yield from self._check_sizes(op, op.target, "vectorize", sizes, exact=True)
        elif isinstance(op, FusionOp):
            yield from self._check_fused(op)
        elif isinstance(op, AnnotateOp):
            yield from self._check_attribute(op)
        elif (
            isinstance(op, TransformOp)
            and op.name.startswith("transform.loop.")
            and op.operands
        ):
            yield from self._check_loop(op)

    def _check_fused(self, op: FusionOp) -> Iterator[UserError]:
        into, producer = self.fact(op.containing_op), self.fact(op.producer_op)
        if into is not None and into.name.startswith(("linalg.", "tensor.")):
            hint = op.containing_op.name_hint
            name = f"'{hint}'" if hint else "this handle"
            yield UserError(
                f"fuse: {name} points at '{into.name}', which is not a loop",
                place_of(op),
                "tile it first, and fuse into the loop that tiling returns: "
                "t, grid = tile ...",
            )
        elif producer in (_GRID, _LOOP):
            yield UserError(
                f"fuse: a loop ({producer.name}) cannot be fused this way",
                place_of(op),
                "give the op whose result the loop reads, or fuse two loops with "
                "fuse_sibling",
            )

    def _check_loop(self, op: TransformOp) -> Iterator[UserError]:
        fact = self.fact(op.operands[0])
        if fact is None or op.name in _ANY_TARGET:
            return
        if not fact.name.startswith(("scf.", "affine.")):
            yield UserError(
                f"{verb_of(op)}: this handle points at '{fact.name}', not at a loop",
                place_of(op),
                "give the loop: the handle that tiling returned, or "
                + op.worded(mlir="get_parent_op", tw="'parent'"),
            )

    def _check_sizes(
        self,
        op: Operation,
        target: SSAValue,
        verb: str,
        sizes: Sequence[int],
        *,
        exact: bool = False,
    ) -> Iterator[UserError]:
        fact = self.fact(target)
        if fact is None:
            return
        if fact in (_GRID, _LOOP):
            yield UserError(
                f"{verb}: this handle points at a loop ({fact.name})",
                place_of(op),
                "give the op inside it",
            )
            return
        loops = LOOPS.get(fact.name)
        if loops is None or not sizes:
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
        packed = op.packed_num_threads or op.packed_tile_sizes
        if packed is None and op.mapping is not None and len(op.mapping) != len(tiled):
            yield UserError(
                f"tile: {count(len(tiled), 'tiled loop')} onto "
                f"{count(len(op.mapping), 'dimension')} of the grid",
                place_of(op),
                "give one dimension for each size that is not 0",
            )
        if op.mapping is not None and len(set(op.mapping)) < len(op.mapping):
            yield UserError("tile: a dimension of the grid is used twice", place_of(op))
        fact = self.fact(op.target)
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
        fact = self.fact(op.target)
        if fact is not None and not any(_may_be(fact, host) for host in row.hosts):
            yield UserError(
                f"'{name}' does not belong on '{fact.name}'",
                place_of(op),
                row.place,
            )
        values = list(_values(op.param))
        illegal = [value for value in values if not row.legal(value)]
        # If some options of a knob are legal, the others only make points invalid.
        if row.kind in (Kind.NUMBER, Kind.FLAG) and len(illegal) == len(values):
            for value in illegal:
                yield UserError(
                    f"'{name}' cannot be {value}",
                    place_of(op),
                    f"it takes {row.values}",
                )


def _may_be(fact: Fact, host: Host) -> bool:
    if host is Host.OP:
        return fact.name.startswith("linalg.")
    return fact == (_GRID if host is Host.GRID else _LOOP)


def _numbers(sizes: DenseArrayBase[IntegerType] | None) -> list[int]:
    return [] if sizes is None else [int(size) for size in sizes.get_values()]


def _check_loops(op: TileUsingForOp, sizes: Sequence[int]) -> Iterator[UserError]:
    """Refuse a wrong number of loop handles; an unknown size counts as a loop."""
    made = sum(1 for size in sizes if size != 0)
    if made != len(op.loops):
        yield UserError(
            f"tile: {count(made, 'loop')} for {count(len(op.loops), 'loop handle')}",
            place_of(op),
            "bind one for each size that is not 0",
        )


def _values(param: SSAValue | None) -> list[int]:
    """The values that a parameter may have, if the schedule lists them."""
    attributes: Sequence[Attribute] = ()
    if param is not None and isinstance(param.owner, KnobOp):
        attributes = param.owner.listed
    elif param is not None and isinstance(param.owner, ParamConstantOp):
        attributes = (param.owner.value,)
    return [a.value.data for a in attributes if isa(a, IntegerAttr)]
