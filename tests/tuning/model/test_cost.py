"""The cost model: it must order candidates as the hardware does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.tuning.samples import elementwise, matmul, matmul_info
from tilewright.codegen.program import (
    Access,
    CallInfo,
    GeneratedProgram,
    KernelInfo,
    VectorWork,
    Work,
)
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.codegen.targets import target_named
from tilewright.tuning.model.cost import (
    estimate,
    estimate_each,
    estimate_kernel,
    objective,
    traffic,
)
from tilewright.tuning.model.library_cost import estimate_call
from tilewright.tuning.model.occupancy import (
    least_shared_bytes,
    pipelined_bytes,
    programs_per_sm,
    prune,
    prune_program,
    resources,
)

H200, H100, A100 = (target_named(name) for name in ("h200", "h100", "a100"))


def seconds(*shape_and_tile: int, **options: int | bool) -> float:
    info = matmul_info(*shape_and_tile, **options)  # type: ignore[arg-type]
    return estimate_kernel(info, None, H200).seconds


def compiled(
    registers: int = 154, spill: int = 0, shared: int = 147480, warps: int = 8
):
    return CompiledStats("matmul", registers, spill, shared, warps, 4, 6, 0.4)


def test_bigger_tiles_win_on_a_big_problem() -> None:
    sizes = [(32, 32), (64, 64), (128, 128), (128, 256)]
    times = [seconds(4096, 4096, 4096, bm, bn, 64, group=8) for bm, bn in sizes]
    assert times == sorted(times, reverse=True)


def test_until_they_spill() -> None:
    fits = matmul_info(4096, 4096, 4096, 128, 256, 64, warps=8)
    spills = matmul_info(4096, 4096, 4096, 128, 256, 64, warps=4)
    good = estimate_kernel(fits, compiled(), H200)
    bad = estimate_kernel(spills, compiled(255, 624, warps=4), H200)
    assert bad.seconds > 2 * good.seconds
    assert bad.spill_factor > 2


@pytest.mark.parametrize(
    ("shape", "measured_us"),
    [
        ((8192, 8192, 8192), 1551),
        ((4096, 4096, 4096), 198),
        ((2048, 2048, 2048), 28),
        ((1024, 1024, 1024), 9.2),
        ((256, 4096, 4096), 23.7),
    ],
)
def test_near_what_an_h200_measured(
    shape: tuple[int, int, int], measured_us: float
) -> None:
    """Hand-written descriptor GEMMs in bf16, the best tile of each shape."""
    best = min(
        seconds(*shape, bm, bn, bk, warps=warps, stages=3, group=8)
        for bm, bn, bk, warps in [
            (64, 64, 64, 4),
            (64, 128, 64, 4),
            (128, 128, 64, 4),
            (128, 128, 64, 8),
            (128, 256, 64, 8),
        ]
    )
    assert best * 1e6 == pytest.approx(measured_us, rel=0.35)


def test_small_problems_want_smaller_tiles() -> None:
    big = seconds(512, 512, 512, 128, 256, 64)
    small = seconds(512, 512, 512, 64, 64, 64, warps=4)
    assert small < big


def test_a_last_wave_that_is_nearly_empty_costs() -> None:
    """133 tiles take nearly as long as 264 on 132 SMs, and twice as long as 132."""

    def tall(tiles: int) -> float:
        info = matmul_info(128 * tiles, 256, 8192, 128, 256, 64)
        return estimate_kernel(info, compiled(), H200).compute

    assert tall(133) == pytest.approx(2 * tall(132))
    assert tall(133) == pytest.approx(tall(264))


def test_two_kernels_are_slower_than_one_fused() -> None:
    fused = matmul(size=4096, bm=128, bn=256, warps=8)
    store = Access("store", "out", (64, 256), "bf16", 1, False, False)
    tail = KernelInfo(
        "relu", (64, 16), 4, 1, 1, (), (replace(store, kind="load"), store)
    )
    separate = replace(fused, kernels=(*fused.kernels, tail))
    one, two = (estimate(program, None, H200) for program in (fused, separate))
    assert two.milliseconds > one.milliseconds * 1.05
    assert [kernel.kernel for kernel in two.kernels] == ["matmul", "relu"]
    assert two.kernels[1].limit == "memory"


def test_more_stages_hide_latency() -> None:
    shallow, deep = (
        estimate_kernel(matmul_info(256, 4096, 8192, 64, 128, 64, 4, s), None, H200)
        for s in (2, 4)
    )
    assert shallow.latency == pytest.approx(3 * deep.latency)
    assert shallow.seconds > deep.seconds


def test_grouped_order_saves_traffic() -> None:
    rows, grouped = (
        traffic(matmul_info(16384, 16384, 16384, 128, 256, 64, group=g), H200, 1)
        for g in (1, 8)
    )
    assert grouped[0] < rows[0] / 2
    assert grouped[1] == rows[1]


def test_what_fits_the_l2_is_read_once() -> None:
    memory, through_l2 = traffic(matmul_info(1024, 1024, 1024, 128, 128, 64), H200, 1)
    assert memory == 3 * 1024 * 1024 * 2
    assert through_l2 == (8 * 2 + 1) * 1024 * 1024 * 2


def test_elementwise_is_bound_by_memory() -> None:
    program = elementwise(n=1 << 26, block=4096)
    cost = estimate(program, None, H200)
    (kernel,) = cost.kernels
    assert kernel.limit == "memory"
    assert 2 * 4 * (1 << 26) / kernel.seconds == pytest.approx(4.2e12, rel=0.1)
    slower = estimate(program, None, H100)
    assert slower.milliseconds > 1.3 * cost.milliseconds


def test_pointers_cost_more_than_descriptors() -> None:
    shape = (4096, 4096, 4096, 128, 256, 64)
    assert seconds(*shape, descriptor=False) > seconds(*shape, descriptor=True)


def test_explanation_names_the_terms() -> None:
    text = estimate(matmul(size=4096), None, H200).explain()
    assert text.startswith("matmul: ")
    for word in ("is the limit", "arithmetic", "L2", "waves", "launch"):
        assert word in text


@pytest.mark.parametrize(
    ("need", "expected"),
    [
        # Limited by shared memory, by registers, by threads, by both kinds of nothing.
        (compiled(32, 0, 75000, 4), 3),
        (compiled(128, 0, 0, 8), 2),
        (compiled(168, 0, 0, 8), 1),
        (compiled(16, 0, 0, 32), 2),
        (compiled(16, 0, 0, 1), 32),
        (compiled(32, 0, 232449, 4), 0),
        (compiled(255, 0, 0, 32), 0),
    ],
)
def test_occupancy(need: CompiledStats, expected: int) -> None:
    info = matmul_info(4096, 4096, 4096, 64, 64, 64, warps=need.num_warps)
    assert programs_per_sm(resources(info, need, H200), H200) == expected


def test_estimated_shared_memory_is_a_lower_bound() -> None:
    # Compiled: 147480 with three stages of 128x256x64 on warp groups; 36880 with
    # 16x128x64, where one stage is in registers.
    assert pipelined_bytes(matmul_info(512, 512, 512, 128, 256, 64)) <= 147480
    assert pipelined_bytes(matmul_info(512, 512, 512, 16, 128, 64, 4)) <= 36880


def test_every_stage_of_a_warp_group_product_takes_shared_memory() -> None:
    # Compiled for Hopper: 98304 with three stages of 128x128x64, 65536 where the first
    # operand is loaded as i8 and computed.
    info = matmul_info(4096, 4096, 4096, 128, 128, 64)
    tile = 2 * 128 * 64 * 2
    assert least_shared_bytes(info, H200) == 3 * tile
    deep = replace(info, num_stages=8)
    assert "at least 262144 bytes" in (prune(deep, None, H200) or "")
    computed = replace(info, vector=VectorWork(simple=128 * 4096))
    assert least_shared_bytes(computed, H200) == 2 * tile
    accesses = (replace(info.accesses[0], dtype="i8"), *info.accesses[1:])
    narrow = replace(info, accesses=accesses)
    assert least_shared_bytes(narrow, H200) == pipelined_bytes(narrow) <= 65536
    twice = replace(info, dots=info.dots * 2)
    assert least_shared_bytes(twice, H200) == 2 * tile
    assert least_shared_bytes(replace(info, num_warps=2), H200) == 2 * tile


def test_rows_on_their_way_take_shared_memory() -> None:
    """Measured with 32 warps on an H200: 131,200 bytes at three stages."""
    row = Access("load", "x", (32768,), "bf16", 1, masked=False, descriptor=False)
    info = KernelInfo("rows", (4096,), 32, 3, 1, (), (row,), persistent=1)
    assert pipelined_bytes(info) == 131072
    assert pipelined_bytes(replace(info, persistent=0)) == 0
    assert prune(replace(info, num_stages=5), None, H200) is not None


def test_pruning_names_the_reason() -> None:
    info = matmul_info(4096, 4096, 4096, 128, 256, 64)
    assert prune(info, None, H200) is None
    assert prune(info, compiled(), H200) is None
    assert prune(info, compiled(shared=240000), H200) == (
        "matmul: needs 240000 bytes of shared memory, h200 allows 232448"
    )
    assert prune(info, compiled(shared=200000), A100) is not None
    assert prune(info, compiled(255, 624), H200) == (
        "matmul: spills 624 bytes a thread with 255 registers"
    )
    assert prune(info, compiled(255, 64), H200) is None
    wide = matmul_info(4096, 4096, 4096, 128, 256, 64, warps=64)
    assert (
        prune(wide, None, H200) == "matmul: 2048 threads in a block, h200 allows 1024"
    )


def test_hopeless_tiles_are_pruned_before_compiling() -> None:
    info = matmul_info(4096, 4096, 4096, 256, 256, 128, stages=4)
    reason = prune(info, None, H200)
    assert reason is not None
    assert "needs at least 524288 bytes of shared memory" in reason


def test_pruning_a_program_looks_at_each_kernel() -> None:
    program: GeneratedProgram = matmul(size=512)
    assert prune_program(program, (compiled(),), H200) is None
    assert prune_program(program, (compiled(255, 4096),), H200) is not None


# Library calls.


def product(m: int, n: int, k: int, dtype: str = "bf16", batch: int = 1) -> CallInfo:
    moved = 2 * batch * (m * k + k * n + m * n)
    return CallInfo("torch.mm", dtype, batch, m, n, k, moved)


@pytest.mark.parametrize(
    ("shape", "teraflops"),
    [
        ((8192, 8192, 8192), 709),
        ((4096, 4096, 4096), 693),
        ((2048, 2048, 2048), 543),
        ((1024, 1024, 1024), 227),
        ((512, 512, 512), 39),
        ((256, 4096, 4096), 371),
        ((4096, 256, 4096), 375),
        ((16, 4096, 4096), 29),
    ],
)
def test_a_library_is_near_what_it_measured(
    shape: tuple[int, int, int], teraflops: float
) -> None:
    """cuBLAS in bf16 on an H200."""
    call = product(*shape)
    measured = call.flops / (teraflops * 1e12)
    assert estimate_call(call, H200).seconds == pytest.approx(measured, rel=0.25)


def test_a_library_waits_for_memory_too() -> None:
    cost = estimate_call(product(64, 262144, 64), H200)
    assert cost.limit == "memory"
    softmax = CallInfo("torch.softmax", "f32", 0, 0, 0, 0, 2 * 4 * 4096 * 32768)
    cost = estimate_call(softmax, H200)
    assert cost.limit == "memory" and cost.compute == 0
    assert softmax.bytes_moved / cost.seconds == pytest.approx(2.0e12, rel=0.35)


def test_a_library_without_matrix_units() -> None:
    exact = estimate_call(product(4096, 4096, 4096, "f32"), H200)
    narrow = estimate_call(product(4096, 4096, 4096, "bf16"), H200)
    assert exact.compute > 10 * narrow.compute


def test_a_call_counts_in_a_program() -> None:
    program = replace(matmul(size=1024), kernels=(), calls=(product(1024, 1024, 1024),))
    cost = estimate(program, None, H200)
    assert cost.milliseconds == pytest.approx(9.5e-3, rel=0.25)
    assert cost.explain().startswith("torch.mm: ") and "roofline" in cost.explain()
    both = replace(program, kernels=matmul(size=1024).kernels)
    assert estimate(both, None, H200).milliseconds > cost.milliseconds + (
        H200.calibration.launch * 1e3
    )


# Several sizes.


def test_several_sizes_count_by_their_geometric_mean() -> None:
    small, large = (matmul_info(n, n, n, 128, 128, 64, warps=8) for n in (1024, 8192))
    program = replace(matmul(size=1024), kernels=(small,), elsewhere=(Work((large,)),))
    times = [cost.milliseconds for cost in estimate_each(program, None, H200)]
    assert times == [
        estimate_kernel(info, None, H200).seconds * 1e3 for info in (small, large)
    ]
    mean = objective(program, None, H200)
    assert mean == pytest.approx((times[0] * times[1]) ** 0.5)
    assert times[0] < mean < times[1]
