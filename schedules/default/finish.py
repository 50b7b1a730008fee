"""The end of every schedule: loops become grids, tiles vectors, tensors buffers.

All of this is done by ordinary transform ops, which dumps show as steps; the finisher
reports what it added. What a schedule leaves open is scheduled by `planning/plain.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import func, scf, tensor
from tilewright.ir.dialects.affine import DelinearizeIndexOp, LinearizeIndexOp
from tilewright.ir.dialects.gpu import BlockMappingAttr, is_block_mapping
from tilewright.ir.dialects.linalg import (
    PackOp,
    SoftmaxOp,
    StructuredOp,
    UnPackOp,
)
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import MaskOp, TransferReadOp, TransferWriteOp
from tilewright.ir.launch_attributes.table import LIBRARY, ONLY_CALLED
from tilewright.ir.launch_attributes.values import library_of
from tilewright.ir.structured.scatters import has_own_updates, scatter_of
from tilewright.ir.text import place_of
from tilewright.schedules.default.kernel_ops import (
    absorbs,
    is_written_before,
    structured_ops,
)
from tilewright.schedules.default.vectors import vector_sizes
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.schedules.library.prelude import sequences
from tilewright.transforms.bufferization.one_shot_bufferize import OneShotBufferizeOp
from tilewright.transforms.cleanup.apply_dce import ApplyDceOp
from tilewright.transforms.cleanup.apply_licm import ApplyLicmOp
from tilewright.transforms.cleanup.apply_patterns import ApplyPatternsOp
from tilewright.transforms.core.base import AnyOpType, TransformOp
from tilewright.transforms.gpu.loops_to_grid import (
    LoopsToGridOp,
    block_mapping,
)
from tilewright.transforms.interpreter import ScheduleRun
from tilewright.transforms.loop.hoist_loop_invariant_subsets import (
    HoistLoopInvariantSubsetsOp,
    can_hoist,
)
from tilewright.transforms.loop.inline_calls import InlineCallsOp
from tilewright.transforms.loop.outline_equal import OutlineEqualOp
from tilewright.transforms.structured.destinations.destination_passing_style import (
    RewriteInDestinationPassingStyleOp,
)
from tilewright.transforms.structured.destinations.eliminate_empty_tensors import (
    EliminateEmptyTensorsOp,
)
from tilewright.transforms.structured.pack.lower_pack import LowerPackOp
from tilewright.transforms.structured.pack.lower_unpack import LowerUnPackOp
from tilewright.transforms.structured.rewrite.decompose_interface import (
    DecomposeInterfaceOp,
)
from tilewright.transforms.structured.vectorize.vectorize import VectorizeOp

FEWEST_EQUAL = 4
"""Grids with fewer equals than this are vectorized where they stand."""


class Finisher:
    """Runs transform ops over what a schedule has left, and says what it added."""

    def __init__(self, run: ScheduleRun):
        self.run = run
        self.payload: ModuleOp = run.payload
        self.added: list[str] = []
        self.block = Block()

    def functions(self) -> list[func.FuncOp]:
        """The functions to finish; none if no function has tensors any more."""
        self.run.finishing = True
        found = [op for op in self.payload.walk() if isinstance(op, func.FuncOp)]
        return found if any(map(_has_tensors, found)) else []

    def clean(self, function: func.FuncOp) -> None:
        """Erase dead ops: fusing leaves the original op behind."""
        self.apply(ApplyDceOp(self.handle(function)))

    def map_loops(self, function: func.FuncOp) -> None:
        """Make each op one loop nest, and each parallel loop a grid."""
        self.expand_indices(function)
        self.to_structured(function)
        self.drop_empty_loops(function)
        self.write_at_indices(function)
        self.add_grids(function)

    def vectorize_all(self, function: func.FuncOp) -> None:
        """Turn the tiles of all grids into vectors."""
        calls = self.outline_equal(function)
        self.vectorize(function)
        self.to_vectors(function)
        self.inline(function, calls)

    def bufferize(self, functions: Sequence[func.FuncOp]) -> None:
        """Turn tensors into buffers."""
        for function in functions:
            self.mark_absorbed(function)
            self.apply(EliminateEmptyTensorsOp(self.handle(function)))
        self.apply(OneShotBufferizeOp(self.handle(self.payload)))
        self.added.append("bufferize")

    def handle(self, *ops: Operation) -> SSAValue:
        """A handle to payload ops, as a match would give."""
        argument = self.block.insert_arg(AnyOpType(), len(self.block.args))
        self.run.state.set_ops(argument, ops)
        return argument

    def apply(self, op: TransformOp) -> TransformOp:
        """Run one transform op as a step."""
        op.written_as = verb_of(op)
        self.block.add_op(op)
        self.run.run_op(op)
        self.run.state.forget(v for v in op.operands if isinstance(v, BlockArgument))
        return op

    def note(self, what: str, op: Operation) -> None:
        """Report an addition, with the payload op it is for."""
        place = place_of(op)
        where = f" (line {place.line})" if place is not None else ""
        self.added.append(f"{what}: {op.name}{where}")

    def to_structured(self, function: func.FuncOp) -> None:
        """Turn ops that are not one loop nest into structured ops."""
        self.lower_layouts(function)
        for op in list(function.walk()):
            if isinstance(op, SoftmaxOp) and library_of(op) is None:
                self.note("decompose", op)
                self.apply(DecomposeInterfaceOp(self.handle(op)))
            elif isinstance(op, tensor.PadOp | tensor.GenerateOp):
                if not isinstance(op.parent_op(), func.FuncOp):
                    continue
                self.note("rewrite in destination passing style", op)
                self.apply(RewriteInDestinationPassingStyleOp(self.handle(op)))

    def lower_layouts(self, function: func.FuncOp) -> None:
        """Pack constants; turn other packs and unpacks into transpositions."""
        if not any(isinstance(op, PackOp | UnPackOp) for op in function.walk()):
            return
        group = "tilewright.constant_layouts"
        self.apply(ApplyPatternsOp(self.handle(function), [group]))
        ops = [op for op in function.walk() if isinstance(op, PackOp | UnPackOp)]
        for op in ops:
            lower = LowerPackOp if isinstance(op, PackOp) else LowerUnPackOp
            self.note("lower", op)
            self.apply(lower(self.handle(op)))
        self.apply(ApplyPatternsOp(self.handle(function), ["canonicalization"]))

    def expand_indices(self, function: func.FuncOp) -> None:
        """Compute indices in the form that code generation reads."""
        wanted = DelinearizeIndexOp | LinearizeIndexOp
        if any(isinstance(op, wanted) for op in function.walk()):
            group = "tilewright.index_arithmetic"
            self.apply(ApplyPatternsOp(self.handle(function), [group]))

    def drop_empty_loops(self, function: func.FuncOp) -> None:
        """Replace ops without iterations by their initial values: no kernel."""
        ops = [
            op for op in structured_ops(function) if 0 in op.get_static_loop_ranges()
        ]
        for op in ops:
            self.note("drop, as it has no iterations", op)
        if ops:
            group = "tilewright.empty_loops"
            self.apply(ApplyPatternsOp(self.handle(function), [group]))
            self.apply(ApplyDceOp(self.handle(function)))

    def write_at_indices(self, function: func.FuncOp) -> None:
        """Let the kernel that computes the updates of a scatter write them."""
        for op in structured_ops(function):
            scatter = scatter_of(op) if has_own_updates(op) else None
            if scatter is None or not isinstance(op.parent_op(), func.FuncOp):
                continue
            how = "add with atomics" if scatter.adds else "store at places"
            self.note(how, op)
            op.attributes[LIBRARY] = StringAttr(scatter.library)

    def mark_absorbed(self, function: func.FuncOp) -> None:
        """Mark products that only a library's call reads, and scatters with updates
        that nothing else reads."""
        for op in function.walk():
            if isinstance(op, StructuredOp) and len(op.results) == 1:
                uses = list(op.results[0].uses)
                is_absorbed = len(uses) == 1 and absorbs(uses[0].operation, op)
                if is_absorbed or (is_written_before(op) and has_own_updates(op)):
                    op.attributes[ONLY_CALLED] = UnitAttr()

    def add_grids(self, function: func.FuncOp) -> None:
        """Parallel loops become the grid."""
        if _loops_without_grid(function):
            # Until its tile is hoisted, a reduction loop inside carries a whole tensor.
            self.hoist(function)
            group = "tilewright.carried_values"
            self.apply(ApplyPatternsOp(self.handle(function), [group]))
        for loop in _loops_without_grid(function):
            rank = loop.rank if isinstance(loop, ForallOp) else None
            grid = self.apply(LoopsToGridOp(self.handle(loop)))
            (made,) = self.run.state.payload_ops(grid.results[0])
            assert isinstance(made, ForallOp)
            words = words_of(block_mapping(made.rank))
            what = "map the forall to" if rank is not None else "loops become the grid"
            self.note(f"{what} {words}", made)

    def outline_equal(self, function: func.FuncOp) -> list[Operation]:
        """Vectorize grids that repeat once each, in functions of their own; the calls.

        An unrolled network has hundreds of equal grids.
        """
        grids = [op for op in function.body.block.ops if isinstance(op, ForallOp)]
        if len(grids) < FEWEST_EQUAL:
            return []
        made = self.apply(OutlineEqualOp(self.handle(*grids), "grid", FEWEST_EQUAL))
        for outlined in self.run.state.payload_ops(made.results[0]):
            assert isinstance(outlined, func.FuncOp)
            self.note("outline equal grids", outlined)
            self.vectorize(outlined)
            self.to_vectors(outlined)
        return list(self.run.state.payload_ops(made.results[1]))

    def inline(self, function: func.FuncOp, calls: Sequence[Operation]) -> None:
        """Put outlined grids back where they are called."""
        if calls:
            self.apply(InlineCallsOp(self.handle(*calls)))
            self.apply(ApplyDceOp(self.handle(function)))

    def vectorize(self, function: func.FuncOp) -> None:
        """Vectorize the ops that are still structured, to powers of two."""
        grids: dict[ForallOp | None, list[StructuredOp]] = {}
        for op in structured_ops(function):
            grids.setdefault(grid_of(op), []).append(op)
        # Plan all before changing any: extents are read off the neighbouring ops.
        sizes_of = {
            op: sizes
            for ops in grids.values()
            for op, sizes in vector_sizes(ops).items()
        }
        for op, sizes in sizes_of.items():
            self.apply(VectorizeOp(self.handle(op), sizes))
            self.note(f"vectorize to {sizes}", op)

    def to_vectors(self, function: func.FuncOp) -> None:
        """Apply patterns, hoist and clean up, if the schedule has not."""
        needed = [
            op
            for op in function.walk()
            if isinstance(op, MaskOp | func.CallOp)
            or (
                isinstance(op, TransferReadOp | TransferWriteOp)
                and isinstance(op.source.type, TensorType)
            )
        ]
        if not needed:
            return
        before = self.run.state.rewriter.changes
        body = sequences()["to_vectors"].clone().body.block
        self.run.state.set_ops(body.args[0], [function])
        self.run.run_block(body)
        if self.run.state.rewriter.changes != before:
            self.added.append("include to_vectors")
        depth = max((_loops_around(op) for op in function.walk()), default=0)
        for _ in range(depth - 1):
            # An op that has left the inner loop can now leave the one around it.
            self.hoist(function)
            self.apply(ApplyPatternsOp(self.handle(function), ["canonicalization"]))
        while any(
            isinstance(op, scf.ForOp) and can_hoist(op) for op in function.walk()
        ):
            # Masks are known to be equal only now: a partial tile that several ops
            # change one after the other is read once and written once.
            self.hoist(function)
            self.apply(ApplyPatternsOp(self.handle(function), ["canonicalization"]))

    def hoist(self, function: func.FuncOp) -> None:
        """Hoist invariant ops and carried tiles out of every loop."""
        loops = [op for op in function.walk() if isinstance(op, scf.ForOp)]
        self.apply(ApplyLicmOp(self.handle(*loops)))
        self.apply(HoistLoopInvariantSubsetsOp(self.handle(*loops)))


def _loops_around(op: Operation) -> int:
    """The number of loops directly nested around an op."""
    parent = op.parent_op()
    return 1 + _loops_around(parent) if isinstance(parent, scf.ForOp) else 0


def _has_tensors(function: func.FuncOp) -> bool:
    return any(
        isinstance(value.type, TensorType)
        for op in function.body.walk()
        for value in (*op.operands, *op.results)
    )


def grid_of(op: Operation) -> ForallOp | None:
    """The grid around an op."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, ForallOp) and is_block_mapping(parent.mapping):
            return parent
        parent = parent.parent_op()
    return None


def _loops_without_grid(function: func.FuncOp) -> list[scf.ForOp | ForallOp]:
    """The outermost loops outside any grid."""
    return [
        op
        for op in function.body.block.ops
        if isinstance(op, scf.ForOp)
        or (isinstance(op, ForallOp) and not is_block_mapping(op.mapping))
    ]


def words_of(mapping: Sequence[Attribute]) -> str:
    """The dimensions of a grid, as a schedule writes them."""
    names = [f"block.{m.data}" for m in mapping if isinstance(m, BlockMappingAttr)]
    return f"[{', '.join(names)}]"
