"""The verbs as methods, for editors and type checkers.

Written by `python -m tilewright.schedules.builder.stub`; change the table of verbs.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from tilewright.schedules.builder.signatures import Signature
from tilewright.schedules.builder.trees import Attributes, Given, Loops, Names, Sizes
from tilewright.schedules.builder.values import Handle, Param, Values

RoleName: TypeAlias = Literal[
    "contraction",
    "convolution",
    "reduction",
    "elementwise",
    "fill",
]

def signature_text(signature: Signature) -> str: ...

class Verbs(ABC):
    """The verbs and functions of the language as methods."""

    @abstractmethod
    def do(self, signature: Signature, given: Mapping[str, Any]) -> Any: ...
    @abstractmethod
    def call(self, function: str, handles: tuple[Any, ...]) -> Any: ...
    def match(
        self,
        ops: Names | None = None,
        *,
        role: RoleName | None = None,
        named: str | None = None,
        implementing: Names | None = None,
        with_: Attributes | None = None,
        in_: Handle | None = None,
        at: Loops | None = None,
        optional: Param | None = None,
    ) -> Handle:
        """Find ops inside others: by kind, by role, by name, by position.

        In `.tw`: `match[?] [ROLE] ["NAME"] [named "TEXT"] [implementing [NAMES]] [with
        [NAME = VALUE]] in HANDLE [at [NUMBERS]]`.
        Gives `res` or `found` or `picked`.
        """
    def tile(
        self,
        target: Handle,
        by: Sizes,
        *,
        onto: Names | None = None,
        interchange: Loops | None = None,
    ) -> tuple[Handle, ...]:
        """Cut an op into tiles: a grid with 'onto', else loops.

        In `.tw`: `tile HANDLE by [SIZES] [onto [NAMES]] [interchange [NUMBERS]]`.
        Gives `tiled_op, forall_op` or `tiled_op, loops...`.
        """
    def vectorize(
        self,
        target: Handle,
        *,
        to: Sizes | None = None,
    ) -> None:
        """Turn a structured op into ops on vectors.

        In `.tw`: `vectorize HANDLE [to [SIZES]]`.
        """
    def bufferize(
        self,
        target: Handle,
    ) -> Handle:
        """Turn tensors into buffers, in place where that is possible.

        In `.tw`: `bufferize HANDLE`.
        Gives `transformed`.
        """
    def pipeline(
        self,
        target: Handle,
        *,
        stages: Param | None = None,
        unroll: Param | None = None,
        flatten: Param | None = None,
        single_accumulator: Param | None = None,
    ) -> None:
        """Overlap the iterations of a loop: loads run ahead of the arithmetic.

        In `.tw`: `pipeline HANDLE [stages = VALUE] [unroll = VALUE] [flatten = VALUE]
        [single_accumulator = VALUE]`.
        """
    def launch(
        self,
        target: Handle,
        *,
        warps: Param | None = None,
        group: Param | None = None,
        reversed: Param | None = None,
        persistent: Param | None = None,
        parts: Param | None = None,
        stages: Param | None = None,
        flatten: Param | None = None,
        stream: Param | None = None,
        aligned: Param | None = None,
        held: Param | None = None,
        descriptors: Param | None = None,
        read_once: Param | None = None,
    ) -> None:
        """Set how a grid is launched.

        In `.tw`: `launch HANDLE [warps = VALUE] [group = VALUE] [reversed = VALUE]
        [persistent = VALUE] [parts = VALUE] [stages = VALUE] [flatten = VALUE] [stream
        = VALUE] [aligned = VALUE] [held = VALUE] [descriptors = VALUE] [read_once =
        VALUE]`.
        """
    def stage(
        self,
        target: Handle,
        in_: Param,
    ) -> None:
        """Load the tiles of a loop, or a grid, into a ring of slots in shared memory.

        In `.tw`: `stage HANDLE in VALUE`.
        """
    def overlap(
        self,
        target: Handle,
        *,
        ping_pong: Param | None = None,
        pinned: Param | None = None,
    ) -> None:
        """Compute the elements of a loop while products run: groups of warps take
        turns, and elements stay in front of waits.

        In `.tw`: `overlap HANDLE [ping_pong = VALUE] [pinned = VALUE]`.
        """
    def specialize(
        self,
        target: Handle,
        *,
        consumers: Param | None = None,
        registers: Param | None = None,
    ) -> None:
        """Give the warps of a grid roles: one loads, groups of four compute.

        In `.tw`: `specialize HANDLE [consumers = VALUE] [registers = VALUE]`.
        """
    def library(
        self,
        target: Handle,
        by: Param,
    ) -> None:
        """Call a library for an op, instead of generating a kernel.

        In `.tw`: `library HANDLE by VALUE`.
        """
    def descriptors(
        self,
        target: Handle,
    ) -> None:
        """Load and store the tiles of a grid through tensor descriptors.

        In `.tw`: `descriptors HANDLE`.
        """
    def last_arriver(
        self,
        target: Handle,
    ) -> None:
        """Let the last programs of the launch before compute a grid's tiles.

        In `.tw`: `last_arriver HANDLE`.
        """
    def precision(
        self,
        target: Handle,
        precision: Param,
    ) -> None:
        """Set how f32 operands are multiplied: ieee, tf32 or tf32x3.

        In `.tw`: `precision HANDLE VALUE`.
        """
    def swizzle(
        self,
        target: Handle,
        by: Param,
    ) -> None:
        """Compute the tiles of a grid in groups of rows, for the L2 cache.

        In `.tw`: `swizzle HANDLE by VALUE`.
        """
    def evict(
        self,
        target: Handle,
        hints: Attributes,
    ) -> None:
        """Say which buffers the L2 cache evicts first, and which last.

        In `.tw`: `evict HANDLE [NAME = VALUE]`.
        """
    def cache(
        self,
        target: Handle,
        hints: Attributes,
    ) -> None:
        """Set the cache operators of a grid's loads and stores.

        In `.tw`: `cache HANDLE [NAME = VALUE]`.
        """
    def annotate(
        self,
        target: Handle,
        setting: str,
        value: Param | None = None,
    ) -> None:
        """Put any attribute on payload ops.

        In `.tw`: `annotate HANDLE "NAME" [= VALUE]`.
        """
    def canonicalize(
        self,
        target: Handle,
    ) -> None:
        """Simplify ops.

        In `.tw`: `canonicalize HANDLE`.
        """
    def patterns(
        self,
        target: Handle,
        groups: Names,
    ) -> None:
        """Apply groups of rewrite patterns.

        In `.tw`: `patterns HANDLE [NAMES]`.
        """
    def print(
        self,
        target: Handle | None = None,
        label: str | None = None,
    ) -> None:
        """Print payload while the schedule runs.

        In `.tw`: `print [HANDLE] ["TEXT"]`.
        """
    def cse(
        self,
        target: Handle,
    ) -> None:
        """Remove common subexpressions.

        In `.tw`: `cse HANDLE`.
        """
    def dce(
        self,
        target: Handle,
    ) -> None:
        """Remove ops whose results nothing uses.

        In `.tw`: `dce HANDLE`.
        """
    def licm(
        self,
        target: Handle,
    ) -> None:
        """Move invariant ops out of loops.

        In `.tw`: `licm HANDLE`.
        """
    def run_pass(
        self,
        pass_name: str,
        on: Handle,
        *,
        options: Given | None = None,
    ) -> Handle:
        """Run a pass under its upstream name.

        In `.tw`: `run_pass "TEXT" on HANDLE [options = VALUE]`.
        Gives `transformed`.
        """
    def remark(
        self,
        at: Handle,
        message: str,
    ) -> None:
        """Print a remark at the place of payload ops.

        In `.tw`: `remark HANDLE "TEXT"`.
        """
    def parent(
        self,
        target: Handle,
        op_name: str | None = None,
        *,
        nth: Given | None = None,
        deduplicate: Given | None = None,
    ) -> Handle:
        """Find the op around, of a name if one is given.

        In `.tw`: `parent HANDLE ["TEXT"] [nth = VALUE] [deduplicate = VALUE]`.
        Gives `parent_handle`.
        """
    def producer(
        self,
        target: Handle,
        *,
        at: Given | None = None,
    ) -> Handle:
        """Find the op that makes an operand.

        In `.tw`: `producer [of] HANDLE [at VALUE] [operand = VALUE]`.
        Gives `producer`.
        """
    def consumers(
        self,
        target: Handle,
        *,
        at: Given | None = None,
    ) -> Handle:
        """Find the ops that use a result.

        In `.tw`: `consumers [of] HANDLE [at VALUE] [result = VALUE]`.
        Gives `consumers`.
        """
    def operand(
        self,
        target: Handle,
        at: Loops,
    ) -> Values:
        """Find the values that an op takes.

        In `.tw`: `operand HANDLE at [NUMBERS]`.
        Gives `result`.
        """
    def result(
        self,
        target: Handle,
        at: Loops,
    ) -> Values:
        """Find the values that an op makes.

        In `.tw`: `result HANDLE at [NUMBERS]`.
        Gives `result`.
        """
    def pick(
        self,
        target: Handle,
        at: Loops,
    ) -> Handle:
        """Take the ops of a handle at some positions.

        In `.tw`: `pick HANDLE at [NUMBERS]`.
        Gives `picked`.
        """
    def select(
        self,
        op_name: str,
        in_: Handle,
    ) -> Handle:
        """Keep the ops of a handle that have a name.

        In `.tw`: `select "TEXT" in HANDLE`.
        Gives `result`.
        """
    def coalesce(
        self,
        target: Handle,
    ) -> Handle:
        """Make a nest of loops one loop.

        In `.tw`: `coalesce HANDLE`.
        Gives `transformed`.
        """
    def delay(
        self,
        target: Handle,
    ) -> Handle:
        """Run the last products of a loop one iteration later, under the next elements.

        In `.tw`: `delay HANDLE`.
        Gives `transformed`.
        """
    def fuse_sibling(
        self,
        target: Handle,
        into: Handle,
    ) -> Handle:
        """Make two independent loops one.

        In `.tw`: `fuse_sibling HANDLE into HANDLE`.
        Gives `fused_loop`.
        """
    def hoist(
        self,
        target: Handle,
    ) -> None:
        """Keep a carried tile in registers across a loop.

        In `.tw`: `hoist HANDLE`.
        """
    def outline(
        self,
        target: Handle,
        as_: str,
    ) -> tuple[Handle, Handle]:
        """Move a loop to a function of its own.

        In `.tw`: `outline HANDLE as "TEXT"`.
        Gives `function, call`.
        """
    def peel(
        self,
        target: Handle,
        *,
        front: Given | None = None,
    ) -> tuple[Handle, Handle]:
        """Split the partial iteration off a loop.

        In `.tw`: `peel HANDLE [front = VALUE]`.
        Gives `peeled_loop, remainder_loop`.
        """
    def promote(
        self,
        target: Handle,
    ) -> None:
        """Replace a loop that runs once by its body.

        In `.tw`: `promote HANDLE`.
        """
    def unroll(
        self,
        target: Handle,
        by: Param,
    ) -> None:
        """Do several iterations of a loop in one.

        In `.tw`: `unroll HANDLE by VALUE`.
        """
    def unroll_and_jam(
        self,
        target: Handle,
        by: Param,
    ) -> None:
        """Unroll an outer loop and fuse the copies of its inner loops.

        In `.tw`: `unroll_and_jam HANDLE by VALUE`.
        """
    def split_by_mask(
        self,
        target: Handle,
    ) -> tuple[Handle, Handle]:
        """Cut a loop into parts without masks and parts with them.

        In `.tw`: `split_by_mask HANDLE`.
        Gives `whole, masked`.
        """
    def trim(
        self,
        target: Handle,
        *,
        keep_one: Given | None = None,
    ) -> Handle:
        """Leave out the iterations that a mask empties.

        In `.tw`: `trim HANDLE [keep_one = VALUE]`.
        Gives `transformed`.
        """
    def unfold(
        self,
        target: Handle,
    ) -> tuple[Handle, Handle]:
        """Make a convolution a product of gathered columns.

        In `.tw`: `unfold HANDLE`.
        Gives `columns, product`.
        """
    def eliminate_empty_tensors(
        self,
        target: Handle,
    ) -> None:
        """Compute results directly in their destination; part of 'bufferize'.

        In `.tw`: `eliminate_empty_tensors HANDLE`.
        """
    def tile_and_fuse(
        self,
        target: Handle,
        by: Sizes,
        *,
        interchange: Sizes | None = None,
        results: int | None = None,
    ) -> tuple[Handle, ...]:
        """Tile an op, and compute the tiles of all its producers in the loops.

        In `.tw`: `tile_and_fuse HANDLE by [SIZES] [interchange [SIZES]]`.
        Gives `transformed, loops...`.
        """
    def fuse_all(
        self,
        producer_op: Handle,
        into: Handle,
    ) -> tuple[Handle, Handle]:
        """Compute a chain of producers in the loop that reads its end.

        In `.tw`: `fuse_all HANDLE into HANDLE`.
        Gives `fused_op, new_containing_op`.
        """
    def fuse(
        self,
        producer_op: Handle,
        into: Handle,
    ) -> tuple[Handle, Handle]:
        """Compute a producer's tile where the loop reads it.

        In `.tw`: `fuse HANDLE into HANDLE`.
        Gives `fused_op, new_containing_op`.
        """
    def inline(
        self,
        producer: Handle,
        into: Handle,
    ) -> Handle:
        """Compute a producer's elements in the body of the op that reads them.

        In `.tw`: `inline HANDLE into HANDLE`.
        Gives `transformed`.
        """
    def recompute(
        self,
        target: Handle,
    ) -> Handle:
        """Compute a producer's tile in every loop that reads it.

        In `.tw`: `recompute HANDLE`.
        Gives `copies`.
        """
    def pack(
        self,
        target: Handle,
        by: Sizes,
    ) -> Handle:
        """Store the operands of an op as tiles.

        In `.tw`: `pack HANDLE by [SIZES]`.
        Gives `packed_op`.
        """
    def pad(
        self,
        target: Handle,
        along: Given,
        *,
        to: Sizes | None = None,
        values: Given | None = None,
        nofold: Given | None = None,
        copy_back: Given | None = None,
    ) -> tuple[Handle, Handle, Handle]:
        """Enlarge the operands of an op, up to a size or a multiple.

        In `.tw`: `pad HANDLE along VALUE [to [SIZES]] [values = VALUE] [nofold = VALUE]
        [copy_back = VALUE]`.
        Gives `padded, pad, copy_op`.
        """
    def quantize(
        self,
        target: Handle,
        to: Given,
        *,
        per_channel: Given | None = None,
        lhs_scale: Given | None = None,
        rhs_scale: Given | None = None,
    ) -> tuple[Handle, Handle, Handle, Handle]:
        """Multiply in fp8 or int8 with scales, instead of in floats.

        In `.tw`: `quantize HANDLE to VALUE [per_channel = VALUE] [lhs_scale = VALUE]
        [rhs_scale = VALUE]`.
        Gives `scales, factors, product, scaled`.
        """
    def collapse(
        self,
        target: Handle,
        *,
        by: Loops | None = None,
    ) -> Handle:
        """Run neighbouring loops of an op as one loop.

        In `.tw`: `collapse HANDLE [by [NUMBERS]]`.
        Gives `transformed`.
        """
    def decompose(
        self,
        target: Handle,
    ) -> Handle:
        """Replace an op by the simpler ops it consists of.

        In `.tw`: `decompose HANDLE`.
        Gives `transformed`.
        """
    def gather(
        self,
        target: Handle,
    ) -> Handle:
        """Read inputs at computed places inside the body.

        In `.tw`: `gather HANDLE`.
        Gives `transformed`.
        """
    def generalize(
        self,
        target: Handle,
    ) -> Handle:
        """Make a named op a generic one.

        In `.tw`: `generalize HANDLE`.
        Gives `transformed`.
        """
    def interchange(
        self,
        target: Handle,
        to: Loops,
    ) -> Handle:
        """Reorder the loops of an op.

        In `.tw`: `interchange HANDLE to [NUMBERS]`.
        Gives `transformed`.
        """
    def pad_rows(
        self,
        target: Handle,
        at: Loops,
        *,
        to: Param | None = None,
    ) -> tuple[Handle, Handle]:
        """Read operands from copies whose rows are multiples of 16 bytes.

        In `.tw`: `pad_rows HANDLE at [NUMBERS] [to VALUE]`.
        Gives `transformed, copies`.
        """
    def exp2(
        self,
        target: Handle,
    ) -> None:
        """Compute exponentials by exp2, with the scale folded in.

        In `.tw`: `exp2 HANDLE`.
        """
    def split_stream(
        self,
        target: Handle,
        into: Param,
        *,
        along: Param | None = None,
    ) -> tuple[Handle, Handle]:
        """Compute a chain of reductions in parallel chunks, then merge them.

        In `.tw`: `split_stream HANDLE into VALUE [along VALUE]`.
        Gives `parts, merges`.
        """
    def stream(
        self,
        target: Handle,
        by: Param,
        *,
        along: Param | None = None,
    ) -> tuple[Handle, Handle]:
        """Compute a chain of reductions along one dimension in one loop.

        In `.tw`: `stream HANDLE by VALUE [along VALUE]`.
        Gives `tiled, loop`.
        """
    def split(
        self,
        target: Handle,
        after: Param,
        along: Param,
    ) -> Handle:
        """Cut an op in two along a loop.

        In `.tw`: `split HANDLE after VALUE along VALUE`.
        Gives `split_list`.
        """
    def split_reduction(
        self,
        target: Handle,
        by: Given,
        *,
        at: Given | None = None,
    ) -> tuple[Handle, Handle, Handle, Handle]:
        """Make part of a reduction a parallel loop.

        In `.tw`: `split_reduction HANDLE by VALUE [at VALUE]`.
        Gives `init_or_alloc_op, fill_op, split_linalg_op, combining_linalg_op`.
        """
    def tile_reduction(
        self,
        target: Handle,
        by: Loops,
        *,
        results: int | None = None,
    ) -> tuple[Handle, ...]:
        """Compute a reduction in parts, then combine the parts.

        In `.tw`: `tile_reduction HANDLE by [NUMBERS]`.
        Gives `res...`.
        """
    def tile_parallel(
        self,
        target: Handle,
        by: Sizes,
    ) -> tuple[Handle, Handle]:
        """Cut an op into parallel tiles that are not mapped yet.

        In `.tw`: `tile_parallel HANDLE by [SIZES]`.
        Gives `tiled_op, forall_op`.
        """
    def merge(self, *handles: Handle) -> Handle:
        """Several handles as one: `merge(HANDLE, ...)`."""
    def merge_unique(self, *handles: Handle) -> Handle:
        """Several handles as one: `merge_unique(HANDLE, ...)`."""
