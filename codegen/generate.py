"""Code generation as one list of passes: buffer level to kernel level to source.

buffer passes -> lower -> kernel passes -> roles of warps -> emit
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.describe.program_work import program_work
from tilewright.codegen.describe.tensor_specs import tensor_specs
from tilewright.codegen.emit.program import Origin
from tilewright.codegen.lower.function import lower
from tilewright.codegen.lower.program_names import OpNames
from tilewright.codegen.passes.align_rows.align_rows import align_rows
from tilewright.codegen.passes.buffers.compute_in_place import compute_in_place
from tilewright.codegen.passes.buffers.copy_by_kernels import (
    launch_copies,
    vectorize_copies,
)
from tilewright.codegen.passes.buffers.copy_gathered_parts import copy_gathered_parts
from tilewright.codegen.passes.buffers.count_lanes import count_lanes
from tilewright.codegen.passes.buffers.forward_copies import forward_copies
from tilewright.codegen.passes.buffers.return_whole_buffers import return_whole_buffers
from tilewright.codegen.passes.buffers.slice_after_reshape import slice_after_reshape
from tilewright.codegen.passes.buffers.widen_small_floats import widen_small_floats
from tilewright.codegen.passes.buffers.write_at_indices import write_at_indices
from tilewright.codegen.passes.count_arrivals import count_arrivals
from tilewright.codegen.passes.drop_unread import drop_unread
from tilewright.codegen.passes.hold_operands import hold_operands
from tilewright.codegen.passes.load_early import load_early
from tilewright.codegen.passes.loop_over_tiles import loop_over_tiles
from tilewright.codegen.passes.order_streams import order_streams
from tilewright.codegen.passes.pass_offsets import pass_offsets
from tilewright.codegen.passes.share_kernels import share_kernels
from tilewright.codegen.passes.share_memory import share_memory
from tilewright.codegen.passes.shorten_erf import shorten_erf
from tilewright.codegen.passes.simplify import simplify
from tilewright.codegen.passes.store_parts import store_parts
from tilewright.codegen.passes.unmask_whole_tiles import unmask_whole_tiles
from tilewright.codegen.program import GeneratedProgram, Shapes
from tilewright.codegen.roles import write_with_roles
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.table import TABLE_VERSION
from tilewright.ir.structured.equal_extents import SameExtents
from tilewright.ir.text import to_nameless_text, verify


@dataclass(frozen=True)
class Pass:
    """A named function from module to module.

    A buffer pass copies the module before it changes it, since the module is the
    caller's. A kernel pass changes the module that lowering has made.
    """

    name: str
    run: Callable[[ModuleOp], ModuleOp]


BUFFER_PASSES = (
    Pass("widen-small-floats", widen_small_floats),
    Pass("count-lanes", count_lanes),
    Pass("write-at-places", write_at_indices),
    Pass("return-whole-buffers", return_whole_buffers),
    Pass("forward-copies", forward_copies),
    Pass("vectorize-copies", vectorize_copies),
    Pass("compute-in-place", compute_in_place),
    Pass("slice-after-reshape", slice_after_reshape),
    Pass("copy-gathered-parts", copy_gathered_parts),
    Pass("launch-copies", launch_copies),
)

KERNEL_PASSES = (
    Pass("count-arrivals", count_arrivals),
    Pass("store-parts", store_parts),
    Pass("align-rows", align_rows),
    Pass("unmask-whole-tiles", unmask_whole_tiles),
    Pass("loop-over-tiles", loop_over_tiles),
    Pass("simplify", simplify),
    Pass("shorten-erf", shorten_erf),
    Pass("load-early", load_early),
    Pass("hold-operands", hold_operands),
    Pass("drop-unread", drop_unread),
    Pass("pass-offsets", pass_offsets),
    Pass("share-kernels", share_kernels),
    Pass("share-memory", share_memory),
    Pass("order-streams", order_streams),
)


Observer = Callable[[str, float, ModuleOp], None]
"""Called after each pass with its name, its seconds and the module."""


@dataclass(frozen=True)
class Generated:
    """A program, and the kernel IR it was written from."""

    program: GeneratedProgram
    kernel_module: ModuleOp
    notes: tuple[str, ...]
    """Notes for the user: which tiles stayed pointer accesses."""
    origins: Mapping[int, Origin]
    """Where the lines of the source come from; lines count from 0."""
    warnings: tuple[UserError, ...] = ()
    """What was asked for and not done, without harm to the numbers."""


def generate(
    module: ModuleOp,
    same: SameExtents = (),
    shapes: Sequence[Shapes] = (),
    *,
    op_names: OpNames | None = None,
    observe: Observer | None = None,
) -> Generated:
    """Lower a module at the buffer level and write its Triton source.

    `same` are the extents of arguments that must be equal (`equal_extents.py`).
    `shapes` are lists of shapes of the arguments, for which the work is described; a
    program with sizes known only at run time accepts others, too.
    `op_names` tell what the payload's ops are called, by their places; kernels are
    named after them. `observe` is called after each pass, and after lowering.
    """
    watched = _Watched(observe)
    for each in BUFFER_PASSES:
        module = watched.run(each, module)
    start = time.perf_counter()
    lowered = lower(module, same, op_names)
    watched.tell("lower", start, lowered.module)
    for each in KERNEL_PASSES:
        watched.run(each, lowered.module)
    verify(lowered.module)
    start = time.perf_counter()
    written = write_with_roles(lowered.module, watched.run_named)
    emitted = written.emitted
    watched.tell("emit", start, written.module)
    arguments, results = tensor_specs(lowered)
    work, *elsewhere = [
        program_work(lowered, emitted.plan, given) for given in shapes or [None]
    ]
    program = GeneratedProgram(
        text=emitted.text,
        entry=emitted.plan.entry,
        arguments=arguments,
        results=results,
        kernels=work.kernels,
        key=kernel_key(written.module),
        places=emitted.places,
        calls=work.calls,
        elsewhere=tuple(elsewhere),
        launch_plan=emitted.plan,
        header=emitted.header,
        imports=emitted.imports,
        kernel_lines=emitted.kernel_lines,
    )
    return Generated(
        program, written.module, lowered.notes, emitted.origins, written.warnings
    )


@dataclass(frozen=True)
class _Watched:
    """Runs passes, and calls the observer after each."""

    observe: Observer | None

    def run(self, each: Pass, module: ModuleOp) -> ModuleOp:
        start = time.perf_counter()
        module = each.run(module)
        self.tell(each.name, start, module)
        return module

    def run_named(
        self, name: str, run: Callable[[ModuleOp], ModuleOp], module: ModuleOp
    ) -> ModuleOp:
        return self.run(Pass(name, run), module)

    def tell(self, name: str, start: float, module: ModuleOp) -> None:
        if self.observe is not None:
            seconds = time.perf_counter() - start
            # Verified here, so that a failure names the pass that caused it.
            verify(module)
            self.observe(name, seconds, module)


def kernel_key(module: ModuleOp) -> str:
    """A hash of the kernel IR: no locations, no names of values."""
    text = f"launch attributes {TABLE_VERSION}\n{to_nameless_text(module)}"
    return hashlib.sha256(text.encode()).hexdigest()
