"""Where the estimates of kernels have their bends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.codegen.targets.calibration import changed
from tilewright.codegen.targets.target import Target
from tilewright.planning.model.library import LibraryMatmul, library_time
from tilewright.planning.model.matmuls import MatmulTile, MatmulWork, matmul_seconds
from tilewright.planning.model.memory import memory_seconds
from tilewright.planning.model.row_loops import RowLoops, looped_seconds
from tilewright.planning.model.rows import Program
from tilewright.planning.model.streams import StreamTile, StreamWork, registers

H200 = TARGETS["h200"]


def with_number(name: str, value: float) -> Target:
    """An H200 with another number in its calibration."""
    return replace(H200, calibration=changed(H200.calibration, {name: value}))


@pytest.mark.parametrize(("m", "share"), [(64, "thin"), (65, "wide")])
def test_a_library_calls_64_rows_thin(m: int, share: str) -> None:
    matmul = LibraryMatmul(m, 4096, 4096)
    fitted = H200.calibration.library
    reached = fitted.thin_hbm_share if share == "thin" else fitted.hbm_share
    memory = library_time(matmul, H200).memory
    assert memory == pytest.approx(matmul.moved / (H200.hbm_bandwidth * reached))


def test_a_library_has_no_tiles_over_128x128_for_ragged_rows() -> None:
    quick = with_number("library.matrix_tiles.256x128", 100.0)
    ragged, even = LibraryMatmul(4096, 4096, 4095), LibraryMatmul(4096, 4096, 4096)
    assert library_time(ragged, quick) == library_time(ragged, H200)
    assert library_time(even, quick) != library_time(even, H200)


def test_a_library_splits_sums_with_a_bias_up_to_32768_elements() -> None:
    def compute(n: int, added: str | None) -> float:
        given = LibraryMatmul(128, n, 16384, dtype="f32", added=added)
        return library_time(given, H200).compute

    assert compute(256, "row") < 2 * compute(256, None)
    assert compute(384, "row") > 2 * compute(384, None)


def test_192_kb_in_flight_are_enough_for_a_matmul() -> None:
    def seconds(stages: int) -> float:
        size = 4096
        peak = H200.matmul_flops("f16")
        moved = 3 * 2 * size * size
        work = MatmulWork(
            *(size, size, size, 1, 1, 2, peak, True, moved, 2 * size * size),
            tail=1,
        )
        # A stage is 32 KB.
        return matmul_seconds(work, MatmulTile(128, 128, 64, 8, stages), H200)

    assert seconds(7) == seconds(6) < seconds(5)


def test_16_programs_of_a_multiprocessor_load_at_once() -> None:
    def seconds(programs: int) -> float:
        return memory_seconds(1 << 26, programs * H200.sms, 1024, H200)

    assert seconds(32) == seconds(16) < seconds(8)


def loop(columns: int, length: int, **more: int) -> RowLoops:
    """A loop over a row of f32, by one program; what it moves is all it waits for."""
    given = {"warps": 4, "lanes": 4, "unroll": 1} | more
    return RowLoops(
        columns=columns, length=length, read=4.0 * length, written=0.0,
        passes=1, instructions=0.1, **given,
    )  # fmt: skip


def busy(loops: RowLoops, rows: int = 132) -> float:
    """The time without the launch."""
    return looped_seconds(loops, rows, H200) - H200.calibration.launch


def test_loops_of_8_iterations_are_unrolled() -> None:
    """Four of their loads overlap, as in a loop that is unrolled four times."""
    of_one = {trips: busy(loop(512, 512 * trips)) / trips for trips in (8, 9, 16)}
    assert of_one[8] < of_one[9] / 2
    assert of_one[9] == pytest.approx(of_one[16])
    unrolled = busy(loop(512, 512 * 16, unroll=4)) / 16
    assert unrolled == pytest.approx(of_one[8])


@pytest.mark.parametrize(("warps", "is_drained"), [(16, False), (32, True)])
def test_few_programs_of_more_than_16_warps_are_drained(
    warps: int, is_drained: bool
) -> None:
    loops = loop(8192, 1 << 18, warps=warps)
    drained = with_number("row_loops.drained", 3.0)
    times = [looped_seconds(loops, 4096, target) for target in (H200, drained)]
    assert (times[0] < times[1]) is is_drained


def test_a_thread_has_8_registers_beside_its_elements() -> None:
    def program(each: int) -> Program:
        return Program(4, each * 128, 1, 4.0, 1.0, 1)

    assert program(H200.max_registers - 8).fits(H200)
    assert not program(H200.max_registers - 7).fits(H200)


def stream(width: int, *, tf32x3: bool = False) -> StreamWork:
    """A chain over 4096 places; registers depend on few of its numbers."""
    return StreamWork(
        rows=4096, batch=1, length=4096, features=64, loaded=128, kept=64,
        width=width, flops=256.0, rate=H200.matmul_flops("bf16"), instructions=16.0,
        moved=1 << 22, tf32x3=tf32x3,
    )  # fmt: skip


def test_elements_of_few_rows_have_3_registers() -> None:
    """Four warps share an instruction of 64 rows; of fewer, each has its own."""
    few = registers(stream(2), StreamTile(32, 64, 4, 2), H200)
    assert few == (32 * 64 + 3 * 32 * 64) / 128 + 27


def test_masks_of_f32_take_48_registers() -> None:
    tile = StreamTile(64, 32, 4, 2)
    work = stream(4, tf32x3=True)
    masked = registers(replace(work, share=0.5), tile, H200)
    assert masked - registers(work, tile, H200) == 48
