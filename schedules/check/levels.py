"""Finds steps at the wrong level: on tensors that are buffers, on vectors not yet made.

A payload goes from tensors through vectors to buffers. A step on tensors after
`bufferize` is an error. A step that can have no effect where it stands is a warning:
patterns on vectors before `vectorize`, a match for tensor ops after `bufferize`.
"""

from __future__ import annotations

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.cleanup.apply_patterns import ApplyPatternsOp
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import IncludeOp, SequenceOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.match import MatchOp

ON_TENSORS = frozenset(
    f"transform.{name}"
    for name in """
        bufferization.eliminate_empty_tensors bufferization.one_shot_bufferize
        structured.decompose_interface structured.eliminate_empty_tensors
        structured.flatten_elementwise structured.fuse
        structured.fuse_into_containing_op structured.pad
        structured.rewrite_in_destination_passing_style structured.split_reduction
        structured.tile_reduction_using_for structured.tile_reduction_using_forall
        structured.tile_using_for structured.tile_using_forall
        structured.transpose_matmul structured.vectorize
        tilewright.collapse_loops tilewright.fuse_all tilewright.gather_operands
        tilewright.inline_producer tilewright.pad_rows tilewright.quantize_matmul
        tilewright.recompute tilewright.split_stream tilewright.stream
        tilewright.trim_loop
    """.split()
)
"""Ops that work on tensors and not on buffers."""

MAKES_VECTORS = frozenset(
    {
        "transform.structured.vectorize",
        "transform.structured.vectorize_children_and_apply_patterns",
    }
)


def check_levels(
    entry: NamedSequenceOp, sequences: dict[str, NamedSequenceOp]
) -> tuple[list[UserError], list[UserError]]:
    """The errors and the warnings along a run that begins at `entry`."""
    levels = _Levels(sequences)
    levels.visit(entry.body.block, None)
    return levels.errors, levels.warnings


class _Levels:
    """Follows a run from tensors to vectors and buffers."""

    def __init__(self, sequences: dict[str, NamedSequenceOp]):
        self.errors: list[UserError] = []
        self.warnings: list[UserError] = []
        self._sequences = sequences
        self._ends: dict[
            tuple[str, OneShotBufferizeOp | None], OneShotBufferizeOp | None
        ] = {}
        self._has_vectors = False
        self._early: list[Operation] = []
        """Steps on vectors that ran before any were made."""
        self._included: list[IncludeOp] = []

    def visit(
        self, block: Block, bufferized: OneShotBufferizeOp | None
    ) -> OneShotBufferizeOp | None:
        """Check a block; gives the op that has bufferized the payload, if any."""
        for op in block.ops:
            if isinstance(op, AlternativesOp | TryOp):
                ends = [self._branch(r.block, bufferized) for r in op.alternatives]
                if all(ends):
                    bufferized = ends[0]
            elif isinstance(op, SequenceOp):
                bufferized = self.visit(op.body.block, bufferized)
            elif isinstance(op, ForeachOp):
                # The body may never run, so its bufferization does not count after it.
                self.visit(op.body.block, bufferized)
            elif isinstance(op, IncludeOp):
                bufferized = self._include(op, bufferized)
            elif bufferized is not None and op.name in ON_TENSORS:
                self.errors.append(_too_late(op, bufferized))
            elif isinstance(op, OneShotBufferizeOp):
                bufferized = op
            else:
                self._step(op, bufferized)
        return bufferized

    def _branch(
        self, block: Block, bufferized: OneShotBufferizeOp | None
    ) -> OneShotBufferizeOp | None:
        """Check a branch; what is early in it is not early for the other branches."""
        early = list(self._early)
        end = self.visit(block, bufferized)
        self._early = [op for op in self._early if op in early]
        return end

    def _step(self, op: Operation, bufferized: OneShotBufferizeOp | None) -> None:
        """Note a step on vectors or one that makes them, and a match for tensors."""
        if op.name in MAKES_VECTORS:
            self._has_vectors = True
            self.warnings += [_too_early(each, op) for each in self._early]
            self._early.clear()
        elif isinstance(op, ApplyPatternsOp) and not self._has_vectors:
            if any(group.startswith("vector.") for group in op.groups):
                self._early.append(self._included[0] if self._included else op)
        elif isinstance(op, MatchOp) and bufferized is not None and op.ops is not None:
            names = [name.data for name in op.ops]
            if all(name.startswith("tensor.") for name in names):
                self.warnings.append(_no_tensors(op, names[0], bufferized))

    def _include(
        self, op: IncludeOp, bufferized: OneShotBufferizeOp | None
    ) -> OneShotBufferizeOp | None:
        # The same sequence at the same level gives the same errors: visit it once.
        key = (op.target.string_value(), bufferized)
        if key not in self._ends:
            block = self._sequences[key[0]].body.block
            self._included.append(op)
            self._ends[key] = self.visit(block, bufferized)
            self._included.pop()
        return self._ends[key]


def _too_late(op: Operation, bufferized: OneShotBufferizeOp) -> UserError:
    is_again = isinstance(op, OneShotBufferizeOp)
    return UserError(
        f"{verb_of(op)}: it works on tensors, but the payload is bufferized here",
        place_of(op),
        "leave it out" if is_again else "move it before 'bufferize'",
        [Note("bufferized here", place_of(bufferized))],
    )


def _too_early(op: Operation, vectorized: Operation) -> UserError:
    title = verb_of(op) if isinstance(op, TransformOp) else "include"
    return UserError(
        f"{title}: it works on vectors, and nothing is vectorized yet",
        place_of(op),
        "move it after the last 'vectorize'",
        [Note("vectors are made here", place_of(vectorized))],
    )


def _no_tensors(op: MatchOp, name: str, bufferized: OneShotBufferizeOp) -> UserError:
    return UserError(
        f"{verb_of(op)}: '{name}' is an op on tensors, but the payload is bufferized "
        "here",
        place_of(op),
        "match it before 'bufferize', or match a memref op",
        [Note("bufferized here", place_of(bufferized))],
    )
