"""What each group of warps computes, and whether it fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    VectorType,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.passes.specialize.numbers import own_numbers
from tilewright.codegen.passes.specialize.product_loops import adds_up, needs_another
from tilewright.codegen.passes.specialize.rows import split_dimensions
from tilewright.codegen.passes.specialize.stages import (
    Ring,
    Stage,
    find_stages,
)
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FuncOp,
    LastArriverOp,
    ReshapeOp,
    TransOp,
    element_of,
    shape_of,
    vector_of,
)
from tilewright.ir.dialects.warps import (
    LEAST_REGISTERS,
    WARP_GROUP,
    register_pool,
    tile_bytes,
)
from tilewright.ir.dtypes import element
from tilewright.ir.launch_attributes.table import PING_PONG, RING
from tilewright.ir.launch_attributes.values import launch_attribute, launch_number

ROWS_OF_GROUP = 64
"""Rows of a product that a warp group computes at a time."""

SHARED_MEMORY = 232_448
"""Bytes of shared memory that a program may have on Hopper."""

MOST_COLUMNS = 256
"""Columns of a product on a warp group."""

MOST_OF_A_PARTITION = 240
"""Registers of a thread that a partition may ask for."""


def _sum_of(of: Attribute) -> Attribute | None:
    """The type in which products of a type are summed; None if there are none."""
    if isinstance(of, BFloat16Type | Float16Type) or element(of).is_fp8:
        return f32
    return i32 if of == i8 else None


@dataclass(frozen=True)
class Plan:
    """How a kernel is specialized."""

    kernel: FuncOp
    consumers: int
    registers: int
    split: dict[SSAValue, int]
    """The dimension of each tile that the consumers share."""
    stages: tuple[Stage, ...]
    turns: frozenset[Operation]
    """The loops in which consumers take turns."""
    numbers: frozenset[Operation]
    """The ops on tiles that every partition has, also the loader."""

    @property
    def loader_registers(self) -> int:
        """Registers of the loader's thread: what is left, if it computes with tiles."""
        if not self.numbers:
            return LEAST_REGISTERS
        pool = register_pool([WARP_GROUP] * (self.consumers + 1)) // WARP_GROUP
        left = (pool - self.consumers * self.registers) // 8 * 8
        return min(max(left, LEAST_REGISTERS), MOST_OF_A_PARTITION)

    @property
    def rings(self) -> dict[Ring, Stage]:
        """The rings, each with a stage that fills it; all of them load alike."""
        found: dict[Ring, Stage] = {}
        for stage in self.stages:
            found.setdefault(stage.ring, stage)
        return found

    def share(self, value: SSAValue) -> VectorType:
        """The type of one consumer's part of a tile."""
        return self.part(value.type, self.split.get(value))

    def part(self, of: object, dim: int | None) -> VectorType:
        """The type of a tile with its rows shared."""
        assert isinstance(of, VectorType)
        shape = list(shape_of(of))
        if dim is not None:
            shape[dim] //= self.consumers
        return vector_of(element_of(of), tuple(shape))

    def is_apart(self, ring: Ring) -> bool:
        """Whether each consumer has barriers of its own: nobody else reads its tiles.

        So one may go on to its next rows while the others still read theirs.
        """
        return self.consumers > 1 and all(
            load.result in self.split for load in self.rings[ring].loads
        )

    def rings_in(self, op: Operation) -> list[Ring]:
        """The rings that are filled inside an op."""
        inside = [s.ring for s in self.stages if op.is_ancestor(s.loads[0])]
        return list(dict.fromkeys(inside))


def make_plan(kernel: FuncOp) -> Plan:
    """The plan of a kernel that asks for consumers; refuses what has none."""
    assert kernel.consumers is not None
    consumers = kernel.consumers.value.data
    _refuse_others(kernel)
    numbers = own_numbers(kernel)
    split = split_dimensions(kernel) if consumers > 1 else {}
    plan = Plan(
        kernel,
        consumers,
        _registers(kernel, consumers),
        split,
        find_stages(kernel),
        frozenset(_turns(kernel, consumers)),
        numbers,
    )
    _check_products(plan)
    _check_descriptors(plan)
    _check_memory(plan)
    return plan


def _refuse_others(kernel: FuncOp) -> None:
    """Refuse kernels without anything that a loader could load."""
    dots = [op for op in kernel.body.walk() if isinstance(op, DotOp)]
    if not dots:
        refuse(
            kernel,
            "specialize: no product in this kernel",
            "leave 'specialize' off this grid",
        )
    for op in kernel.body.walk():
        if isinstance(op, LastArriverOp):
            refuse(op, "specialize: programs count themselves in", "leave it off")
    staged = [op for op in kernel.body.walk() if RING in op.attributes]
    if not any(map(_loads_in, staged)):
        refuse(
            kernel,
            "specialize: no loop of this grid is staged, or it loads no tile through a "
            "descriptor",
            "'stage LOOP in 4', and 'launch GRID descriptors = \"where_legal\"'",
        )
    for op in staged:
        is_of_grid = any(isinstance(inner, scf.ForOp) for inner in _body(op))
        if is_of_grid and launch_number(op, RING) > 1 and not _loads_in(op):
            refuse(
                op,
                f"'{RING}' changes nothing here: loops load all tiles of this grid",
                "leave 'stage GRID' off, or 'stage GRID in 1'",
            )


def _body(op: Operation) -> list[Operation]:
    return list(op.body.block.ops) if isinstance(op, scf.ForOp) else []


def _loads_in(op: Operation) -> bool:
    """Whether a loop loads tiles itself, not in loops inside."""
    return any(isinstance(inner, DescriptorLoadOp) for inner in _body(op))


def _turns(kernel: FuncOp, consumers: int) -> Iterator[scf.ForOp]:
    """The loops in which consumers take turns; refuses those in which they cannot."""
    for loop in kernel.body.walk():
        if not isinstance(loop, scf.ForOp) or not launch_attribute(loop, PING_PONG):
            continue
        if consumers == 1:
            refuse(
                loop,
                "overlap: one group of warps has nobody to take turns with",
                "'specialize' with consumers = 2, or ping_pong = 0",
            )
        if adds_up(loop):
            refuse(
                loop,
                "overlap: the loop only adds products up, and computes nothing else "
                "while others take their turn",
                "leave 'ping_pong' off this loop",
            )
        if needs_another(loop):
            refuse(
                loop,
                "overlap: a product of this loop needs another one of the same step",
                "'delay' the loop, so that its products start together",
            )
        yield loop


def _registers(kernel: FuncOp, consumers: int) -> int:
    """Registers of a consumer's thread: those that were asked for, or the most."""
    pool = register_pool([WARP_GROUP] * (consumers + 1))
    most = (pool // WARP_GROUP - LEAST_REGISTERS) // consumers // 8 * 8
    most = min(most, MOST_OF_A_PARTITION)
    asked = kernel.consumer_registers
    if asked is None:
        return most
    if asked.value.data > most:
        refuse(
            kernel,
            f"specialize: {asked.value.data} registers a thread; {consumers} groups of "
            f"warps and a loader have {most} each",
            f"registers = {most}, or fewer consumers",
        )
    return asked.value.data


def _check_products(plan: Plan) -> None:
    """Refuse products that wgmma does not have."""
    for op in plan.kernel.body.walk():
        if not isinstance(op, DotOp):
            continue
        m, n = shape_of(op.result.type)[-2:]
        if len(shape_of(op.result.type)) != 2:
            refuse(op, "specialize: a batch of products in one tile", "tile it by 1")
        kinds = [element_of(v.type) for v in (op.lhs, op.rhs)]
        summed = _sum_of(kinds[0])
        if kinds[0] != kinds[1] or summed is None:
            refuse(
                op,
                f"specialize: a product of {kinds[0]} and {kinds[1]}; bf16, f16, i8 "
                "and floats of 8 bits are supported",
                "leave 'specialize' off this grid",
            )
        if element(kinds[0]).byte_width == 1:
            _check_bytes(op)
        if element_of(op.result.type) != summed:
            refuse(
                op,
                f"specialize: products of {kinds[0]} are summed in {summed}",
                "widen the sum",
            )
        least = ROWS_OF_GROUP * plan.consumers
        if m % least or n > MOST_COLUMNS or n % 8:
            refuse(
                op,
                f"specialize: a product of {m}x{n} for {plan.consumers} groups of "
                f"warps; each takes {ROWS_OF_GROUP} rows, or a multiple, and at most "
                f"{MOST_COLUMNS} columns",
                f"tile by {least} rows, or use fewer consumers",
            )
        if not _is_loaded(op.rhs):
            refuse(
                op,
                "specialize: the right operand of a product is computed, not loaded",
                "leave 'specialize' off this grid",
            )


def _check_bytes(op: DotOp) -> None:
    """Operands of a byte that are in shared memory lie along the sum."""
    is_across = _is_loaded(op.lhs) and _is_transposed(op.lhs)
    if is_across or not _is_transposed(op.rhs):
        refuse(
            op,
            "specialize: operands of a byte lie along the sum in memory; the right "
            "one of this product is not stored transposed, or the left one is",
            "leave 'specialize' off this grid",
        )


def _is_transposed(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, ReshapeOp):
        return _is_transposed(owner.source)
    return isinstance(owner, TransOp) and not _is_transposed(owner.source)


def _is_loaded(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, ReshapeOp | TransOp):
        return _is_loaded(owner.source)
    return isinstance(owner, DescriptorLoadOp)


def _check_descriptors(plan: Plan) -> None:
    """The blocks of one descriptor have one size."""
    seen: dict[SSAValue, VectorType] = {}
    for op in plan.kernel.body.walk():
        if isinstance(op, DescriptorLoadOp | DescriptorStoreOp):
            value = op.result if isinstance(op, DescriptorLoadOp) else op.value
            block = plan.share(value)
            if seen.setdefault(op.descriptor, block) != block:
                refuse(
                    op,
                    "specialize: one descriptor is used whole and in parts",
                    "specialize with consumers = 1",
                )


def _check_memory(plan: Plan) -> None:
    """Refuse rings that do not fit in shared memory."""
    rings = sum(
        ring.slots * tile_bytes(load.result.type)
        for ring, stage in plan.rings.items()
        for load in stage.loads
    )
    tiles = {
        op.descriptor: tile_bytes(op.value.type)
        for op in plan.kernel.body.walk()
        if isinstance(op, DescriptorStoreOp)
    }
    stored = sum(tiles.values())
    barriers = 16 * plan.consumers * sum(ring.slots for ring in plan.rings)
    total = rings + stored + barriers
    if total <= SHARED_MEMORY:
        return
    longest = max(plan.rings, key=lambda ring: ring.slots)
    refuse(
        plan.kernel,
        f"specialize: {rings} bytes of rings and {stored} of tiles that are stored; "
        f"Hopper has {SHARED_MEMORY} bytes of shared memory for a program",
        f"stage in fewer than {longest.slots}, store in parts, or tile smaller",
    )
