"""The loop nest of a structured op: which loops reduce, and what the outputs keep."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.linalg import IteratorType, StructuredOp
from tilewright.ir.structured.maps import named_loops


def is_reduction(op: StructuredOp, loop: int) -> bool:
    """Whether a loop is a reduction."""
    return op.get_iterator_types().data[loop].data != IteratorType.PARALLEL


@dataclass(frozen=True)
class Nest:
    """The loops of a structured op, its maps and its body, looked up once."""

    op: StructuredOp
    maps: tuple[AffineMap, ...]
    """One map for each operand, inputs first."""
    reduced: tuple[int, ...]
    """The reduction loops."""
    body: Block
    inputs: int
    """The number of inputs."""
    rank: int
    """The number of loops."""

    @property
    def parallel(self) -> tuple[int, ...]:
        """The parallel loops."""
        return tuple(loop for loop in range(self.rank) if loop not in self.reduced)

    @property
    def output_maps(self) -> tuple[AffineMap, ...]:
        """The maps of the outputs."""
        return self.maps[self.inputs :]


def nest_of(op: StructuredOp) -> Nest:
    """The loop nest of a structured op."""
    kinds = [entry.data for entry in op.get_iterator_types()]
    reduced = tuple(
        loop for loop, kind in enumerate(kinds) if kind != IteratorType.PARALLEL
    )
    return Nest(op, op.maps, reduced, op.body.block, len(op.inputs), len(kinds))


def runs_along_reductions(nest: Nest) -> bool:
    """Whether an output runs along a reduction loop, as the totals of a scan do."""
    return any(
        loop in nest.reduced for map_ in nest.output_maps for loop in named_loops(map_)
    )


def writes_each_once(nest: Nest, map_: AffineMap) -> bool:
    """Whether an output's map is a permutation of the parallel loops.

    The map of a scan's totals has reduction loops too, each once: it writes once for
    each index.
    """
    loops = named_loops(map_)
    kept = sorted(loop for loop in loops if loop not in nest.reduced)
    is_plain = len(set(loops)) == len(map_.results)
    return is_plain and kept == list(nest.parallel)
