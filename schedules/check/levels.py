"""Finds steps on tensors that come after the payload is bufferized."""

from __future__ import annotations

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import IncludeOp, SequenceOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.destinations.eliminate_empty_tensors import (
    EliminateEmptyTensorsOp,
)
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp
from tilewright.transforms.structured.vectorize.vectorize import VectorizeOp

_ON_TENSORS = (
    TileUsingForallOp,
    TileUsingForOp,
    FusionOp,
    VectorizeOp,
    EliminateEmptyTensorsOp,
    OneShotBufferizeOp,
)
"""Ops that work on tensors and not on buffers."""


def check_levels(
    entry: NamedSequenceOp, sequences: dict[str, NamedSequenceOp]
) -> list[UserError]:
    """Errors of steps on tensors after the payload is bufferized."""
    levels = _Levels(sequences)
    levels.visit(entry.body.block, None)
    return levels.errors


class _Levels:
    """Follows a run from tensors to buffers."""

    def __init__(self, sequences: dict[str, NamedSequenceOp]):
        self.errors: list[UserError] = []
        self._sequences = sequences
        self._ends: dict[
            tuple[str, OneShotBufferizeOp | None], OneShotBufferizeOp | None
        ] = {}

    def visit(
        self, block: Block, bufferized: OneShotBufferizeOp | None
    ) -> OneShotBufferizeOp | None:
        """Check a block; gives the op that has bufferized the payload, if any."""
        for op in block.ops:
            if isinstance(op, AlternativesOp | TryOp):
                ends = [self.visit(r.block, bufferized) for r in op.alternatives]
                if all(ends):
                    bufferized = ends[0]
            elif isinstance(op, SequenceOp):
                bufferized = self.visit(op.body.block, bufferized)
            elif isinstance(op, ForeachOp):
                # The body may never run, so its bufferization does not count after it.
                self.visit(op.body.block, bufferized)
            elif isinstance(op, IncludeOp):
                bufferized = self._include(op, bufferized)
            elif bufferized is not None and isinstance(op, _ON_TENSORS):
                self.errors.append(_too_late(op, bufferized))
            elif isinstance(op, OneShotBufferizeOp):
                bufferized = op
        return bufferized

    def _include(
        self, op: IncludeOp, bufferized: OneShotBufferizeOp | None
    ) -> OneShotBufferizeOp | None:
        # The same sequence at the same level gives the same errors: visit it once.
        key = (op.target.string_value(), bufferized)
        if key not in self._ends:
            block = self._sequences[key[0]].body.block
            self._ends[key] = self.visit(block, bufferized)
        return self._ends[key]


def _too_late(op: TransformOp, bufferized: OneShotBufferizeOp) -> UserError:
    return UserError(
        f"{verb_of(op)}: it works on tensors, but the payload is bufferized here",
        place_of(op),
        "move it before 'bufferize'",
        [Note("bufferized here", place_of(bufferized))],
    )
