"""An analytic estimate of a program's time, term by term.

Five bounds limit a kernel: arithmetic and shared memory of the busiest SM, L2 and
memory traffic of the device, and the latency of the loads in flight. The largest bound
dominates; the others add the part that does not overlap. Filling and draining the
pipeline and the launch are added. The breakdown has every term, so that a report can
say what a candidate waits for.

The model ranks candidates before any has run, and where there is no GPU. Numbers that
are not on a data sheet are the calibration's. The model orders
candidates well; its absolute times are off by up to a third.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.codegen.targets.limits import Limit, limit_of
from tilewright.ir.dtypes import byte_width
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.model.library_cost import CallCost, estimate_call
from tilewright.tuning.model.occupancy import (
    Resources,
    is_looped_load,
    programs_per_sm,
    resources,
    tile_bytes,
    uses_wgmma,
)

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram, KernelInfo, Work
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.targets import Target

SPILLED = 128.0
"""Bytes spilled by a thread that double the time of the arithmetic."""


@dataclass(frozen=True)
class CostBreakdown:
    """One kernel's estimate; all times in seconds."""

    kernel: str
    compute: float
    shared: float
    hbm: float
    l2: float
    latency: float
    """The bound by the latency of loads."""
    fill: float
    """Filling and draining the pipeline, as far as other work does not hide it."""
    launch: float
    resident: int
    """Programs that an SM holds at once."""
    waves: float
    """How often the grid fills the device."""
    spill_factor: float
    """The factor by which spilling slows the arithmetic."""
    exact: bool
    """Whether the compiler's statistics were known."""
    hbm_bytes: float
    """Bytes read from memory and written to it."""
    overlap: float
    """The exponent of the norm that combines the bounds."""

    @property
    def seconds(self) -> float:
        """The estimate."""
        bounds = (self.compute, self.shared, self.hbm, self.l2, self.latency)
        body = sum(bound**self.overlap for bound in bounds) ** (1 / self.overlap)
        return body + self.fill + self.launch

    @property
    def terms(self) -> dict[Limit, float]:
        """Seconds that each part takes; filling the pipeline is latency too."""
        return {
            Limit.ARITHMETIC: self.compute,
            Limit.SHARED: self.shared,
            Limit.MEMORY: self.hbm,
            Limit.L2: self.l2,
            Limit.LATENCY: max(self.latency, self.fill),
            Limit.LAUNCH: self.launch,
        }

    @property
    def limit(self) -> Limit:
        """The largest term."""
        return limit_of(self.terms)

    def explain(self) -> str:
        """One line for a report."""
        if not self.resident:
            return f"{self.kernel}: not launched, there are no tiles"
        listed = ", ".join(f"{part} {s * 1e6:.1f}" for part, s in self.terms.items())
        return (
            f"{self.kernel}: {self.seconds * 1e6:.1f} us: {self.limit} is the limit "
            f"({listed} us; {self.resident} a SM, {self.waves:.2f} waves)"
        )


@dataclass(frozen=True)
class ProgramCost:
    """A program's estimate: the sum over its kernels and library calls."""

    kernels: tuple[CostBreakdown, ...]
    calls: tuple[CallCost, ...] = ()

    @property
    def milliseconds(self) -> float:
        """The estimate."""
        return sum(part.seconds for part in (*self.kernels, *self.calls)) * 1e3

    def explain(self) -> str:
        """A line for each kernel and each call."""
        return "\n".join(part.explain() for part in (*self.kernels, *self.calls))


def estimate(
    program: GeneratedProgram,
    stats: tuple[CompiledStats, ...] | None,
    target: Target,
) -> ProgramCost:
    """Estimate a program, with the compiler's statistics where they are known.

    Where sizes are open, the estimate is for the first shapes it was generated for.
    """
    return _estimate_work(program.works[0], stats, target)


def estimate_each(
    program: GeneratedProgram,
    stats: tuple[CompiledStats, ...] | None,
    target: Target,
) -> tuple[ProgramCost, ...]:
    """Estimate a program for every list of shapes it was generated for."""
    return tuple(_estimate_work(work, stats, target) for work in program.works)


def objective(
    program: GeneratedProgram,
    stats: tuple[CompiledStats, ...] | None,
    target: Target,
) -> float:
    """The milliseconds to rank by: the geometric mean over the shapes."""
    costs = estimate_each(program, stats, target)
    return geometric_mean(cost.milliseconds for cost in costs)


def _estimate_work(
    work: Work, stats: tuple[CompiledStats, ...] | None, target: Target
) -> ProgramCost:
    by_name = {entry.kernel: entry for entry in stats or ()}
    return ProgramCost(
        tuple(
            estimate_kernel(info, by_name.get(info.name), target)
            for info in work.kernels
        ),
        tuple(estimate_call(info, target) for info in work.calls),
    )


def estimate_kernel(
    info: KernelInfo, stats: CompiledStats | None, target: Target
) -> CostBreakdown:
    """Estimate one launch; an empty grid is not launched."""
    need = resources(info, stats, target)
    if not info.programs:
        return CostBreakdown(
            kernel=info.name,
            compute=0.0,
            shared=0.0,
            hbm=0.0,
            l2=0.0,
            latency=0.0,
            fill=0.0,
            launch=0.0,
            resident=0,
            waves=0.0,
            spill_factor=1.0,
            exact=need.exact,
            hbm_bytes=0.0,
            overlap=1.0,
        )
    # A program that does not fit is estimated as if one did; pruning handles it.
    resident = max(programs_per_sm(need, target), 1)
    on_busiest = -(-info.programs // target.sms)
    rounds = -(-on_busiest // resident)
    together = min(resident, on_busiest)
    fitted = target.calibration.kernels
    spill_factor = 1.0 + need.spill_bytes / SPILLED
    one = _Program(info, target, need, together)
    hbm_bytes, l2_bytes = traffic(info, target, resident)
    # Other programs on the same SM compute while one fills its pipeline.
    fill = rounds * (fitted.latency + one.epilogue) / together
    return CostBreakdown(
        kernel=info.name,
        compute=on_busiest * (one.compute * spill_factor + one.exposed / together),
        shared=on_busiest * one.shared,
        hbm=hbm_bytes / (target.hbm_bandwidth * target.calibration.memory.share),
        l2=l2_bytes / target.l2_bandwidth,
        latency=rounds * one.latency,
        fill=fill,
        launch=target.calibration.launch,
        resident=resident,
        waves=info.programs / (target.sms * resident),
        spill_factor=spill_factor,
        exact=need.exact,
        hbm_bytes=hbm_bytes,
        overlap=fitted.overlap,
    )


class _Program:
    """Seconds for which one program keeps the units of its SM busy."""

    def __init__(
        self, info: KernelInfo, target: Target, need: Resources, together: int
    ) -> None:
        self._info = info
        self._target = target
        self._wgmma = uses_wgmma(info, target)
        groups = together * max(need.threads // 128, 1)
        self._fitted = fitted = target.calibration.kernels
        self._matrix = fitted.warp_share
        if self._wgmma:
            # A single warp group waits for its own results; a second fills the gaps.
            self._matrix = (
                fitted.two_groups_share if groups > 1 else fitted.one_group_share
            )
        self.steps = max([dot.count for dot in info.dots], default=1)

    @property
    def compute(self) -> float:
        """The arithmetic of the dots, and the issue of every step."""
        target, total = self._target, 0.0
        for dot in self._info.dots:
            on_units = dot.dtype in target.tensor_flops
            share = self._matrix if on_units else self._fitted.vector_share
            rate = target.flops(dot.dtype)
            if dot.tf32x3:
                share = self._fitted.tf32x3_share
                rate = target.flops("tf32") / 3
            # The units work on 64 rows (16 without warp groups) of any tile.
            unit = 64 if self._wgmma else 16
            rows = -(-dot.m // unit) * unit if on_units else dot.m
            flops = 2.0 * rows * dot.n * dot.k * dot.count
            total += flops / (rate / target.sms * share)
        return total + self._issue

    @property
    def _issue(self) -> float:
        if not self._info.dots:
            return 0.0
        by_descriptor = all(
            access.descriptor
            for access in self._info.accesses
            if is_looped_load(access)
        )
        if by_descriptor:
            return 0.0
        return self.steps * self._fitted.pointer_clocks / self._target.clock

    @property
    def shared(self) -> float:
        """Operands are written once, and read for every 64 rows of the result."""
        total = 0.0
        for dot in self._info.dots:
            slabs = max(dot.m // 64, 1)
            read = dot.m * dot.k + slabs * dot.n * dot.k
            written = dot.m * dot.k + dot.n * dot.k
            width = byte_width("f32" if dot.dtype == "tf32" else dot.dtype)
            total += (read + written) * width * dot.count
        return total / (self._target.shared_bandwidth / self._target.sms)

    @property
    def latency(self) -> float:
        """Each step waits for a load that was issued some stages earlier."""
        if self.steps <= 1:
            return self._fitted.latency
        ahead = max(self._info.num_stages - 1, 1)
        return self.steps * self._fitted.latency / ahead

    @property
    def exposed(self) -> float:
        """Load latency that the same program cannot hide.

        A warp-group instruction reads its operands while it runs. With two stages the
        next load starts only after it, so every step waits for a load. On an H200 this
        took 0.63 to 0.68 us per step (4096^3, 128x256 and 256x128 tiles).
        """
        if self._wgmma and self._info.num_stages <= 2 and self.steps > 1:
            return self.steps * self._fitted.latency
        return 0.0

    @property
    def epilogue(self) -> float:
        """The final stores, at the store bandwidth of one SM."""
        stored = sum(
            tile_bytes(access) * access.count
            for access in self._info.accesses
            if access.kind == "store"
        )
        return stored / (self._fitted.store_bytes * self._target.clock)


def traffic(info: KernelInfo, target: Target, resident: int) -> tuple[float, float]:
    """Bytes to and from memory, and bytes through the L2, of the whole launch.

    Programs share the operands of a dot along an axis of the grid: those of one row of
    tiles read the same part of A. The tile order determines the shape of the patch of
    programs in flight, and so how much they share.
    """
    through_l2 = float(
        sum(tile_bytes(a) * a.count for a in info.accesses) * info.programs
    )
    rows, columns, batches = _axes(info)
    in_flight = min(target.sms * resident, info.programs)
    patch_rows, patch_columns, patches = _patch(info, in_flight)
    waves = -(-info.programs // in_flight)
    once, repeated = 0.0, 0.0
    axes = _shared_axes(info)
    for position, access in enumerate(info.accesses):
        size = float(tile_bytes(access) * access.count)
        axis = axes.get(position)
        # A tensor that many programs read, or that tiles cover with lanes to spare, is
        # in memory once.
        whole = math.inf if access.tensor_bytes is None else access.tensor_bytes
        if axis is None:
            once += min(size * info.programs, whole)
            repeated += min(size * info.programs, whole)
            continue
        by_row = axis == "row"
        once += min(size * (rows if by_row else columns) * batches, whole)
        repeated += size * (patch_rows if by_row else patch_columns) * patches * waves
    # Data that fits into the L2 is read from memory once.
    kept = once <= target.calibration.memory.l2_kept * target.l2_bytes
    from_memory = once if kept else max(once, min(repeated, through_l2))
    return from_memory, through_l2


def _axes(info: KernelInfo) -> tuple[int, int, int]:
    """Rows and columns of tiles, and the number of batches."""
    grid = (1, 1, *info.grid)
    batches = 1
    for extent in grid[:-2]:
        batches *= extent
    return grid[-2], grid[-1], batches


def _patch(info: KernelInfo, in_flight: int) -> tuple[int, int, int]:
    """Rows, columns and batches of the tiles that are in flight together."""
    rows, columns, _ = _axes(info)
    patches = max(in_flight // (rows * columns), 1)
    if patches > 1:
        return rows, columns, patches
    height = min(max(info.group, 1), rows)
    width = -(-in_flight // height)
    if width <= columns:
        return height, width, 1
    return min(height * -(-width // columns), rows), columns, 1


def _shared_axes(info: KernelInfo) -> dict[int, str]:
    """The axis of the grid that a load depends on, by its position in the accesses.

    Loads that are not listed are not shared between programs. The tile shape tells
    which operand of the dot a load is; where both are equal, A is loaded first.
    """
    loads = [i for i, access in enumerate(info.accesses) if access.kind == "load"]
    if len(info.dots) > 1:
        # As in attention: the operands of the loop depend only on the outer axes, and
        # all tiles of the innermost axis read the same ones.
        return {i: "row" for i in loads if is_looped_load(info.accesses[i])}
    axes: dict[int, str] = {}
    for dot in info.dots:
        wanted = (("row", {dot.m, dot.k}), ("column", {dot.k, dot.n}))
        for axis, extents in wanted:
            for i in loads:
                if i not in axes and set(info.accesses[i].tile[-2:]) == extents:
                    axes[i] = axis
                    break
    return axes
