"""Features: a program as numbers, from which its time can be predicted.

Features come from the generated program, the analytic cost model and the target, so
they need no compiler and no GPU. `TABLE` lists them. Quantities that span orders of
magnitude are base-2 logarithms (`log`). The *main* kernel is the one with the largest
estimate. A program for several sizes has the mean over the sizes.

Names keep their meaning. When the meaning of one changes, `VERSION` goes up, and the
learned model leaves out older records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.ir.dtypes import byte_width
from tilewright.tuning.model.cost import estimate_each, traffic
from tilewright.tuning.model.occupancy import (
    is_looped_load,
    pipelined_bytes,
    prune_program,
    resources,
    tile_bytes,
)

if TYPE_CHECKING:
    from tilewright.codegen.program import (
        GeneratedProgram,
        KernelInfo,
        Shapes,
        TensorSpec,
        Work,
    )
    from tilewright.codegen.targets import Target
    from tilewright.tuning.model.cost import CostBreakdown, ProgramCost

VERSION = 2

ESTIMATE = "estimate.ms"
"""The cost model's milliseconds before compiling: the learned model corrects them."""

FITS = "program.fits"
"""Whether the program may fit the target: 0 where it certainly does not."""

TABLE: Mapping[str, str] = {
    "version": "the version of these features",
    "estimate.ms": "the cost model's milliseconds before compiling",
    "estimate.log": "log of the same",
    "estimate.over_roofline": "log of the estimate over the roofline",
    "estimate.compute": "share of the estimate: arithmetic of the busiest SM",
    "estimate.shared": "share: shared memory",
    "estimate.hbm": "share: device memory",
    "estimate.l2": "share: L2",
    "estimate.latency": "share: latency of loads",
    "estimate.fill": "share: filling and draining the pipeline",
    "estimate.launch": "share: launches",
    "estimate.calls": "share: library calls",
    "estimate.main": "share: the main kernel",
    "problem.bytes": "log of the bytes of arguments and results",
    "problem.flops": "log of the FLOPs of dots and library calls",
    "problem.intensity": "log of FLOPs over bytes",
    "problem.largest": "log of the largest extent of an argument",
    "problem.smallest": "log of the smallest extent over 1",
    "problem.alignment": "log of the bytes that divide every row, at most 256",
    "problem.width": "bytes of an element of the first argument",
    "problem.arguments": "number of tensor arguments",
    "program.fits": "0 where the program certainly does not fit the target, else 1",
    "program.kernels": "number of launches",
    "program.calls": "number of library calls",
    "program.lines": "log of the lines of the source file",
    "kernel.programs": "log of the number of tiles",
    "kernel.columns": "log of the innermost extent of the grid",
    "kernel.rows": "log of the extent outside it",
    "kernel.waves": "log of the waves of programs",
    "kernel.tail": "share of the last wave's slots that are idle, over all waves",
    "kernel.warps": "log of the warps",
    "kernel.stages": "depth of the software pipeline",
    "kernel.group": "log of the rows of tiles in a group of the tile order",
    "kernel.persistent": "programs on an SM that share the tiles; 0: one a tile",
    "kernel.resident": "programs that an SM holds, estimated",
    "kernel.shared": "pipeline's shared memory over the limit of a block",
    "kernel.registers": "registers a thread, estimated from the accumulators",
    "kernel.trips": "log of the trips of the longest loop",
    "dot.count": "number of dots",
    "dot.m": "log of the rows of the largest dot",
    "dot.n": "log of its columns",
    "dot.k": "log of its reduction",
    "dot.times": "log of how often a program executes it",
    "dot.width": "bytes of an operand's element",
    "dot.accumulators": "log of the accumulators a thread",
    "dot.peak": "log of the target's TFLOP/s for the operands",
    "loads.count": "number of loads",
    "loads.bytes": "log of the bytes that a program loads",
    "loads.looped": "share of them in loops",
    "loads.tile": "log of the elements a thread of the largest load",
    "loads.row": "log of the bytes of the shortest row of a load's tile",
    "stores.count": "number of stores",
    "stores.bytes": "log of the bytes that a program stores",
    "stores.tile": "log of the elements a thread of the largest store",
    "stores.row": "log of the bytes of the shortest row of a store's tile",
    "vector.simple": "log of 1 + the elements a thread of sums, products, casts",
    "vector.special": "log of 1 + the elements a thread of exponentials, divisions",
    "vector.reduced": "log of 1 + the elements a thread that are reduced",
    "access.masked": "share of the bytes that are masked",
    "access.descriptors": "share of the bytes through descriptors",
    "traffic.hbm": "log of all kernels' bytes to memory over the problem's bytes",
    "traffic.l2": "log of all kernels' bytes through the L2 over the problem's bytes",
    "traffic.stored": "log of all kernels' stored bytes over the problem's bytes",
    "device.capability": "compute capability",
    "device.sms": "multiprocessors",
    "device.clock": "GHz",
    "device.hbm": "TB/s of the memory",
    "device.l2": "TB/s of the L2",
    "device.l2_mib": "MiB of the L2",
    "device.shared_kib": "KiB of shared memory of a block",
    "device.tensor": "TFLOP/s of bf16, or f16, on the matrix units",
    "device.vector": "TFLOP/s of f32 outside them",
}
"""Every feature before compiling, by name."""


def describe_program(
    program: GeneratedProgram, target: Target, shapes: Sequence[Shapes] = ()
) -> dict[str, float]:
    """The features of a program; all names of `TABLE`.

    `shapes` are those of the arguments at each size that the program was generated for,
    where it leaves sizes open.
    """
    costs = estimate_each(program, None, target)
    described: list[dict[str, float]] = []
    for position, (work, cost) in enumerate(zip(program.works, costs, strict=True)):
        given = shapes[position] if position < len(shapes) else None
        tensors = _tensors(program, given)
        described.append(_describe_work(work, cost, tensors, target))
    features = {
        name: sum(one[name] for one in described) / len(described)
        for name in described[0]
    }
    features["version"] = float(VERSION)
    features[ESTIMATE] = 2.0 ** features["estimate.log"]
    features[FITS] = float(prune_program(program, None, target) is None)
    features["program.lines"] = _log(program.text.count("\n"))
    features.update(_device(target))
    return {name: _rounded(features[name]) for name in TABLE}


def _tensors(program: GeneratedProgram, shapes: Shapes | None) -> list[TensorSpec]:
    """Arguments and results, their extents in numbers; scalars are left out."""
    sizes: dict[str, int] = {}
    if shapes is not None:
        for spec, shape in zip(program.arguments, shapes, strict=True):
            sizes.update(zip(spec.extents, shape, strict=False))
    specs = (*program.arguments, *program.results)
    return [spec.sized(sizes) for spec in specs if not spec.is_scalar]


def _describe_work(
    work: Work, cost: ProgramCost, tensors: Sequence[TensorSpec], target: Target
) -> dict[str, float]:
    moved = sum(math.prod(t.shape) * byte_width(t.dtype) for t in tensors)
    roofline = max(moved / target.hbm_bandwidth, _least_compute(work, target), 1e-6)
    features = {
        "estimate.log": _log(cost.milliseconds),
        "estimate.over_roofline": _log(cost.milliseconds / (roofline * 1e3)),
        **_shares(cost),
        **_problem(work, tensors, moved),
        "program.kernels": float(len(work.kernels)),
        "program.calls": float(len(work.calls)),
        **dict.fromkeys(_OF_A_KERNEL, 0.0),
    }
    totals = [0.0, 0.0]
    for info, part in zip(work.kernels, cost.kernels, strict=True):
        for position, size in enumerate(traffic(info, target, max(part.resident, 1))):
            totals[position] += size
    features["traffic.hbm"] = _log(totals[0] / max(moved, 1))
    features["traffic.l2"] = _log(totals[1] / max(moved, 1))
    features["traffic.stored"] = _log(_stored(work) / max(moved, 1))
    if work.kernels:
        ranked = zip(work.kernels, cost.kernels, strict=True)
        main, part = max(ranked, key=lambda pair: pair[1].seconds)
        features.update(_kernel(main, part, target))
        features.update(_dots(main, target))
        features.update(_accesses(main))
        features.update(_vector(main))
    return features


def _stored(work: Work) -> float:
    """Bytes that all kernels store, whole tiles: more where tiles are partial."""
    return sum(
        float(tile_bytes(access) * access.count * kernel.programs)
        for kernel in work.kernels
        for access in kernel.accesses
        if access.kind == "store"
    )


def _least_compute(work: Work, target: Target) -> float:
    """Seconds of the arithmetic at the target's peak."""
    dots = sum(
        2.0 * d.m * d.n * d.k * d.count * kernel.programs / target.flops(d.dtype)
        for kernel in work.kernels
        for d in kernel.dots
    )
    return dots + sum(call.flops / target.flops(call.dtype) for call in work.calls)


def _shares(cost: ProgramCost) -> dict[str, float]:
    """The terms of the estimate, over its whole."""
    whole = max(cost.milliseconds / 1e3, 1e-9)
    terms = ("compute", "shared", "hbm", "l2", "latency", "fill", "launch")
    shares = {
        f"estimate.{term}": sum(getattr(part, term) for part in cost.kernels) / whole
        for term in terms
    }
    shares["estimate.calls"] = sum(call.seconds for call in cost.calls) / whole
    main = max((part.seconds for part in cost.kernels), default=0.0)
    shares["estimate.main"] = main / whole
    return shares


def _problem(work: Work, tensors: Sequence[TensorSpec], moved: int) -> dict[str, float]:
    extents = [extent for t in tensors for extent in t.shape]
    rows = [t.shape[-1] * byte_width(t.dtype) for t in tensors if t.shape]
    return {
        "problem.bytes": _log(moved),
        "problem.flops": _log(work.flops),
        "problem.intensity": _log(max(work.flops, 1) / max(moved, 1)),
        "problem.largest": _log(max(extents, default=1)),
        "problem.smallest": _log(min((e for e in extents if e > 1), default=1)),
        "problem.alignment": _log(math.gcd(256, *rows)),
        "problem.width": float(byte_width(tensors[0].dtype)) if tensors else 0.0,
        "problem.arguments": float(len(tensors)),
    }


def _kernel(info: KernelInfo, part: CostBreakdown, target: Target) -> dict[str, float]:
    need = resources(info, None, target)
    grid = (1, 1, *info.grid)
    slots = max(target.sms * max(part.resident, 1), 1)
    waves = max(-(-info.programs // slots), 1)
    counts = [access.count for access in info.accesses]
    return {
        "kernel.programs": _log(info.programs),
        "kernel.columns": _log(grid[-1]),
        "kernel.rows": _log(grid[-2]),
        "kernel.waves": _log(part.waves),
        "kernel.tail": 1.0 - info.programs / (waves * slots),
        "kernel.warps": _log(info.num_warps),
        "kernel.stages": float(info.num_stages),
        "kernel.group": _log(info.group),
        "kernel.persistent": float(info.persistent),
        "kernel.resident": float(part.resident),
        "kernel.shared": pipelined_bytes(info) / target.shared_per_block,
        "kernel.registers": float(need.registers),
        "kernel.trips": _log(max(counts, default=1)),
    }


def _dots(info: KernelInfo, target: Target) -> dict[str, float]:
    largest = max(info.dots, key=lambda dot: dot.m * dot.n * dot.k, default=None)
    if largest is None:
        return {}
    dtype = "f32" if largest.dtype == "tf32" else largest.dtype
    held = sum(dot.m * dot.n for dot in info.dots)
    return {
        "dot.count": float(len(info.dots)),
        "dot.m": _log(largest.m),
        "dot.n": _log(largest.n),
        "dot.k": _log(largest.k),
        "dot.times": _log(largest.count),
        "dot.width": float(byte_width(dtype)),
        "dot.accumulators": _log(held / (info.num_warps * 32)),
        "dot.peak": _log(target.flops(largest.dtype) / 1e12),
    }


def _vector(info: KernelInfo) -> dict[str, float]:
    threads = info.num_warps * 32
    return {
        f"vector.{kind}": _log(1 + getattr(info.vector, kind) / threads)
        for kind in ("simple", "special", "reduced")
    }


def _accesses(info: KernelInfo) -> dict[str, float]:
    sizes = [float(tile_bytes(a) * a.count) for a in info.accesses]
    whole = max(sum(sizes), 1.0)
    every = list(zip(info.accesses, sizes, strict=True))
    features = {
        "access.masked": sum(size for a, size in every if a.masked) / whole,
        "access.descriptors": sum(size for a, size in every if a.descriptor) / whole,
    }
    loaded = sum(size for a, size in every if a.kind == "load")
    looped = sum(size for a, size in every if is_looped_load(a))
    features["loads.looped"] = looped / max(loaded, 1.0)
    threads = info.num_warps * 32
    for kind in ("load", "store"):
        chosen = [access for access in info.accesses if access.kind == kind]
        if not chosen:
            continue
        features[f"{kind}s.count"] = float(len(chosen))
        moved = sum(size for a, size in every if a.kind == kind)
        features[f"{kind}s.bytes"] = _log(moved)
        largest = max(math.prod(access.tile) for access in chosen)
        features[f"{kind}s.tile"] = _log(largest / threads)
        rows = [a.tile[-1] * byte_width(a.dtype) for a in chosen if len(a.tile) > 1]
        features[f"{kind}s.row"] = _log(min(rows, default=largest))
    return features


def _device(target: Target) -> dict[str, float]:
    rates = target.tensor_flops
    return {
        "device.capability": target.capability[0] + target.capability[1] / 10,
        "device.sms": float(target.sms),
        "device.clock": target.clock / 1e9,
        "device.hbm": target.hbm_bandwidth / 1e12,
        "device.l2": target.l2_bandwidth / 1e12,
        "device.l2_mib": target.l2_bytes / 2**20,
        "device.shared_kib": target.shared_per_block / 2**10,
        "device.tensor": rates.get("bf16", rates.get("f16", 0.0)) / 1e12,
        "device.vector": target.vector_flops / 1e12,
    }


def _log(value: float) -> float:
    """The base-2 logarithm; of nothing, that of a millionth."""
    return math.log2(max(value, 1e-6))


def _rounded(value: float) -> float:
    """Six significant digits: enough for a tree, and short in the results file."""
    return float(f"{value:.6g}")


_OF_A_KERNEL = tuple(
    name
    for name in TABLE
    if name.split(".")[0] in ("kernel", "dot", "loads", "stores", "vector", "access")
)
"""Features of the main kernel: 0 where a program has none."""
