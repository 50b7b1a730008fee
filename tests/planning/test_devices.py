"""Plans for every known device: what is planned fits it, and it has what is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import TARGETS, Target, from_properties
from tilewright.codegen.targets.occupancy import programs_on_sm
from tilewright.tuning.calibrating.measuring import program_of
from tilewright.tuning.calibrating.points import KernelPoint, planned_work
from tilewright.tuning.calibrating.works import works
from tilewright.tuning.model.occupancy import least_shared_bytes, prune_program

NEW = ("b200", "l40s", "mi300x")
WORKS = (
    "silu*y 2048x2048 bf16",
    "softmax 4096x4096 f32",
    "row sum 4096x16384 bf16",
    "column max 4096x4096 bf16",
    "matmul nn 4096x4096x4096 bf16",
    "matmul nt 1024x1024x1024 f32",
    "attention 32x1000x1000x64 f16",
)


def planned(name: str, target: Target) -> tuple[str, GeneratedProgram]:
    """The text of a plan, and the program of its best kernel of our own."""
    found = planned_work(works()[name], target)
    (kernel,) = found.kernels
    own = kernel.considered
    best = next(c for c in own if not c.sketch.calls_library and not c.sketch.is_sure)
    point = KernelPoint(name, best.sketch.label, best.point)
    return found.text, program_of(point, target)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", sorted(TARGETS))
@pytest.mark.parametrize("work", WORKS)
def test_a_plan_fits_its_device(name: str, work: str) -> None:
    target = TARGETS[name]
    text, program = planned(work, target)
    assert prune_program(program, None, target) is None
    for kernel in program.kernels:
        assert kernel.num_warps * target.warp <= target.max_threads_per_block
        assert least_shared_bytes(kernel, target) <= target.shared_per_block
        if not target.has_descriptors:
            assert not any(access.descriptor for access in kernel.accesses)
    if not target.has_descriptors:
        assert "descriptors" not in text
    if not target.multiplies_tf32x3:
        assert "tf32x3" not in text


def test_hopper_and_blackwell_load_large_tiles_by_descriptors() -> None:
    for name in ("h200", "b200"):
        text, _ = planned("matmul nn 4096x4096x4096 bf16", TARGETS[name])
        assert "descriptors" in text


def test_tiles_are_as_large_as_shared_memory_allows() -> None:
    """An MI300X has 64 KB of it, an L40S 99 KB, a B200 227 KB."""
    areas: dict[str, int] = {}
    for name in NEW:
        _, program = planned("matmul nn 4096x4096x4096 bf16", TARGETS[name])
        (dot,) = program.kernels[0].dots
        areas[name] = dot.m * dot.n
    assert areas["mi300x"] < areas["l40s"] <= areas["b200"]


def test_faster_devices_have_shorter_estimates() -> None:
    def seconds(name: str, work: str) -> float:
        return planned_work(works()[work], TARGETS[name]).kernels[0].seconds or 0.0

    copied, multiplied = "silu*y 8192x14336 bf16", "matmul nn 4096x4096x4096 bf16"
    by_memory = [seconds(n, copied) for n in ("b200", "mi300x", "h200", "l40s")]
    assert by_memory == sorted(by_memory)
    assert seconds("b200", multiplied) < seconds("h200", multiplied)
    assert seconds("h200", multiplied) < seconds("l40s", multiplied)


def test_wavefronts_have_64_threads() -> None:
    mi300x, h200 = TARGETS["mi300x"], TARGETS["h200"]
    assert (mi300x.warp, mi300x.backend, mi300x.arch) == (64, "hip", "gfx942")
    assert programs_on_sm(mi300x, 4) == 8
    assert programs_on_sm(h200, 4) == 16
    assert programs_on_sm(mi300x, 32) == 0
    assert programs_on_sm(mi300x, 4, shared_bytes=40_000) == 1


def test_estimates_from_data_sheets_say_so() -> None:
    estimated = {name for name, target in TARGETS.items() if target.estimated}
    assert estimated == set(NEW)
    assert all(target.source for target in TARGETS.values())


def test_an_unknown_device_is_like_the_newest_that_is_not_newer() -> None:
    class Properties:
        name = "NVIDIA B300"
        major, minor = 10, 3
        multi_processor_count = 148

    assert from_properties(Properties()).matrix_instructions == "tcgen05"
    Properties.name, Properties.major, Properties.minor = "NVIDIA RTX 5090", 12, 0
    found = from_properties(Properties())
    assert (found.matrix_instructions, found.has_descriptors) == ("mma", True)
    Properties.name, Properties.major, Properties.minor = "Tesla V100", 7, 0
    assert not from_properties(Properties()).has_descriptors


@pytest.mark.slow
@pytest.mark.parametrize("name", NEW)
def test_kernels_compile_for_new_devices(name: str, tmp_path: Path) -> None:
    from tilewright.codegen.runtime.compile import compile_program

    target = TARGETS[name]
    for work in ("softmax 4096x4096 f32", "matmul nn 4096x4096x4096 bf16"):
        _, program = planned(work, target)
        stats = compile_program(program, target, tmp_path, ())
        assert prune_program(program, stats, target) is None
        assert all(0 < one.registers <= target.max_registers for one in stats)
        assert not any(one.wgmma for one in stats)
