"""Load tiles ahead of the stores before them.

Triton keeps loads and stores in their order: they may be to the same memory. So each
step of a recurrence that stores its result waits for its own loads. Loads ahead of the
stores wait for memory together.

**Before**

    %x = kernel.load %x_tile
    kernel.store %a_tile, %a
    %offsets = arith.addi ...
    %y = kernel.load %y_tile

**After**: `%offsets` is computed and `%y` loaded ahead of the store.

**Requires** addresses and masks that are computed from no load. A kernel does not load
what it has stored (`analysis/hazards.py`), so the two are different elements. Loads do
not pass ops with regions or other effects. A thread holds up to 64 registers of tiles
that are loaded ahead. The kernel has no loop: the registers after one are full of
sums, and a pipeline loads ahead by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.traits import is_side_effect_free

from tilewright.codegen.kernel.modules import kernels_of, launches_by_kernel
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    EachTileOp,
    LoadOp,
    StoreOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import byte_width

_REGISTERS = 64
"""The registers of a thread for tiles that are loaded ahead of stores."""


def load_early(module: ModuleOp) -> ModuleOp:
    """Move loads ahead of stores, in all kernels."""
    launched = launches_by_kernel(module)
    for name, kernel in kernels_of(module).items():
        if any(isinstance(op, scf.ForOp | EachTileOp) for op in kernel.walk()):
            continue
        threads = min(
            (32 * one.num_warps.value.data for one in launched[name]), default=32
        )
        blocks = {op.parent: None for op in kernel.walk() if isinstance(op, StoreOp)}
        for block in blocks:
            if block is not None:
                for ops in _stretches(block):
                    _move_loads(ops, threads)
    return module


def _stretches(block: Block) -> Iterator[list[Operation]]:
    """The longest runs of ops that only compute, load and store."""
    found: list[Operation] = []
    for op in list(block.ops):
        if isinstance(op, LoadOp | StoreOp) or _only_computes(op):
            found.append(op)
            continue
        yield found
        found = []
    yield found


def _only_computes(op: Operation) -> bool:
    return not op.regions and is_side_effect_free(op)


def _move_loads(ops: Sequence[Operation], threads: int) -> None:
    """Move each load ahead of as many stores as registers allow."""
    places = {op: place for place, op in enumerate(ops)}
    loads = [op for op in ops if isinstance(op, LoadOp)]
    stores = [op for op in ops if isinstance(op, StoreOp)]
    origins = [places[load] for load in loads]
    first = held = 0
    for load in loads:
        held += _registers(load, threads)
        while held > _REGISTERS:
            held -= _registers(loads[first], threads)
            first += 1
        # What is loaded between this store and the load is held at once.
        after = origins[first - 1] if first else -1
        store = next((one for one in stores if places[one] > after), None)
        if store is not None and places[store] < places[load]:
            _move(load, store, places)


def _registers(load: LoadOp, threads: int) -> int:
    """The registers of a thread that hold a tile."""
    elements = -(-prod(shape_of(load.result.type)) // threads)
    return -(-elements * byte_width(element_of(load.result.type)) // 4)


def _move(load: LoadOp, store: StoreOp, places: dict[Operation, int]) -> None:
    """Move a load and the ops that it needs ahead of a store."""
    needed: dict[Operation, None] = {}
    if not _collect(load, places[store], places, needed):
        return
    block = load.parent
    assert block is not None
    for op in sorted(needed, key=lambda one: places[one]):
        op.detach()
        block.insert_op_before(op, store)
        places[op] = places[store]


def _collect(
    op: Operation,
    after: int,
    places: dict[Operation, int],
    needed: dict[Operation, None],
) -> bool:
    """Add an op and those that it needs, after a place; False if one of them loads."""
    needed[op] = None
    for operand in op.operands:
        owner = operand.owner
        if not isinstance(owner, Operation) or owner in needed:
            continue
        if places.get(owner, -1) <= after:
            continue
        if isinstance(owner, LoadOp) or not _collect(owner, after, places, needed):
            return False
    return True
