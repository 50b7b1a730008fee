"""The model of streamed chains, against what was measured on one H200."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.planning.model.streams import (
    StreamTile,
    StreamWork,
    registers,
    resident,
    shared_bytes,
    stream_seconds,
)

H200 = TARGETS["h200"]


def attention(features: int, share: float = 1.0) -> StreamWork:
    """Attention in bf16: batch 4, 16 heads, 4096 queries and keys."""
    return StreamWork(
        4096,
        64,
        4096,
        features,
        2 * features,
        features,
        2,
        4.0 * features,
        H200.flops("bf16"),
        16,
        4 * 64 * 4096 * features * 2,
        share,
    )


@pytest.mark.parametrize(
    ("features", "rows", "columns", "warps", "measured"),
    [
        (128, 64, 64, 4, 138),
        (128, 128, 64, 4, 250),
        (128, 128, 128, 8, 187),
        (64, 64, 64, 4, 106),
        (64, 128, 64, 4, 187),
        (64, 128, 128, 8, 156),
    ],
)
def test_registers_are_what_triton_reports(
    features: int, rows: int, columns: int, warps: int, measured: int
) -> None:
    found = registers(attention(features), StreamTile(rows, columns, warps, 3), H200)
    assert found == pytest.approx(measured, abs=4)


def in_f32(features: int) -> StreamWork:
    return replace(attention(features), width=4, tf32x3=True, widest=features)


@pytest.mark.parametrize(
    ("features", "tile", "shared"),
    [
        (32, StreamTile(64, 64, 4, 2), 49152),
        (64, StreamTile(64, 64, 4, 2), 98304),
        (64, StreamTile(64, 32, 4, 3), 81920),
        (64, StreamTile(128, 32, 8, 2), 98304),
        (128, StreamTile(64, 16, 4, 3), 114688),
    ],
)
def test_shared_memory_of_f32_is_what_triton_reports(
    features: int, tile: StreamTile, shared: int
) -> None:
    assert shared_bytes(in_f32(features), tile) == shared
    assert resident(in_f32(features), tile, H200) > 0


@pytest.mark.parametrize(
    ("queries", "batch", "features", "tile", "is_across", "measured"),
    [
        (512, 512, 64, StreamTile(64, 64, 4, 2), True, 783e-6),
        (512, 512, 64, StreamTile(64, 32, 4, 3), True, 870e-6),
        (512, 512, 32, StreamTile(64, 64, 4, 2), True, 417e-6),
        (1024, 128, 128, StreamTile(128, 32, 8, 2), True, 1711e-6),
        (197, 768, 64, StreamTile(64, 64, 4, 2), True, 323e-6),
        (512, 512, 64, StreamTile(64, 64, 4, 2), False, 568e-6),
    ],
)
def test_times_of_f32_are_those_of_an_h200(
    queries: int,
    batch: int,
    features: int,
    tile: StreamTile,
    is_across: bool,
    measured: float,
) -> None:
    """The last one without the kernel that transposed the values, of about 20 us."""
    work = replace(
        in_f32(features),
        rows=queries,
        batch=batch,
        length=queries,
        across=features if is_across else 0,
        rate=H200.matmul_flops("f32"),
        moved=4 * batch * queries * features * 4,
    )
    assert stream_seconds(work, tile, H200) == pytest.approx(measured, rel=0.08)


@pytest.mark.parametrize(
    ("features", "tile"),
    [
        (32, StreamTile(64, 128, 4, 2)),
        (64, StreamTile(128, 128, 8, 2)),
        (128, StreamTile(64, 64, 4, 2)),
    ],
)
def test_tiles_of_f32_that_spill_are_left_out(features: int, tile: StreamTile) -> None:
    assert resident(in_f32(features), tile, H200) == 0


@pytest.mark.parametrize(
    ("features", "tile", "measured"),
    [
        (128, StreamTile(64, 64, 4, 3), 1070e-6),
        (128, StreamTile(128, 64, 4, 2), 1042e-6),
        (128, StreamTile(128, 64, 8, 3), 1176e-6),
        (64, StreamTile(64, 128, 4, 2), 613e-6),
        (64, StreamTile(64, 64, 4, 3), 680e-6),
        (64, StreamTile(128, 64, 4, 3), 640e-6),
    ],
)
def test_planned_attention_takes_what_was_measured(
    features: int, tile: StreamTile, measured: float
) -> None:
    found = stream_seconds(attention(features), tile, H200)
    assert found == pytest.approx(measured, rel=0.12)


def test_shared_memory_limits_the_programs_of_a_multiprocessor() -> None:
    work = attention(128)
    assert resident(work, StreamTile(64, 64, 4, 3), H200) == 2
    assert resident(work, StreamTile(128, 64, 4, 3), H200) == 1
    assert resident(work, StreamTile(128, 128, 4, 4), H200) == 0


@pytest.mark.parametrize(("features", "fits"), [(32, True), (64, False), (128, False)])
def test_chains_in_f32_have_narrow_heads(features: int, fits: bool) -> None:
    """Compiled for an H200, tiles of 64 features or more spill a kilobyte a thread."""
    work = replace(attention(features), width=4)
    tiles = [StreamTile(m, n, w, 2) for m in (16, 64) for n in (16, 64) for w in (4, 8)]
    assert any(resident(work, tile, H200) for tile in tiles) == fits


def test_a_mask_leaves_time_out() -> None:
    tile = StreamTile(64, 64, 4, 3)
    half = stream_seconds(attention(128, 0.5), tile, H200)
    # Measured: 0.54. Tiles along the edge are visited whole.
    assert 0.5 < half / stream_seconds(attention(128), tile, H200) < 0.57


@pytest.mark.parametrize(
    ("features", "fastest", "others"),
    [
        (64, StreamTile(64, 128, 4, 2), [StreamTile(128, 64, 4, 2)]),
        (128, StreamTile(128, 64, 4, 2), [StreamTile(64, 64, 4, 3)]),
        (256, StreamTile(128, 64, 8, 2), [StreamTile(64, 32, 4, 2)]),
    ],
)
def test_the_fastest_measured_tile_is_the_models_pick(
    features: int, fastest: StreamTile, others: list[StreamTile]
) -> None:
    work = attention(features)
    best = stream_seconds(work, fastest, H200)
    assert all(best < stream_seconds(work, other, H200) for other in others)


def test_two_stages_wait_for_loads_unless_programs_are_many() -> None:
    def cost_of_two_stages(features: int, rows: int) -> float:
        two, three = (
            stream_seconds(attention(features), StreamTile(rows, 64, 4, stages), H200)
            for stages in (2, 3)
        )
        return two / three

    assert cost_of_two_stages(64, 64) < 1.04
    assert cost_of_two_stages(128, 64) > 1.05


@pytest.mark.parametrize(
    ("columns", "measured"),
    [(64, 0.98), (32, 0.75)],
)
def test_rows_in_registers_spare_shared_memory(columns: int, measured: float) -> None:
    tile = StreamTile(64, columns, 4, 4 if columns == 32 else 3)
    held = replace(tile, held=True)
    work = attention(128)
    found = stream_seconds(work, held, H200) / stream_seconds(work, tile, H200)
    assert found == pytest.approx(measured, abs=0.11)
    assert registers(work, held, H200) == registers(work, tile, H200) + 32


def heads(rows: int, batch: int, length: int, features: int) -> StreamWork:
    """Attention of some heads in bf16."""
    kept, loaded = batch * rows * features, batch * length * 2 * features
    return replace(
        attention(features),
        rows=rows,
        batch=batch,
        length=length,
        moved=2 * (2 * kept + loaded),
    )


@pytest.mark.parametrize(
    ("work", "tile", "measured"),
    [
        (heads(4096, 64, 4096, 64), StreamTile(32, 16, 2, 2), 2574e-6),
        (heads(1024, 256, 1024, 64), StreamTile(32, 16, 2, 2), 653e-6),
        (heads(32, 528, 256, 64), StreamTile(16, 128, 1, 4), 24.5e-6),
        (heads(16, 132, 64, 16), StreamTile(16, 16, 4, 2), 6.1e-6),
        (heads(16, 132, 64, 16), StreamTile(16, 64, 4, 4), 4.2e-6),
    ],
)
def test_few_rows_take_what_was_measured(
    work: StreamWork, tile: StreamTile, measured: float
) -> None:
    """Each iteration is dear, and programs of few iterations are cheap."""
    assert stream_seconds(work, tile, H200) == pytest.approx(measured, rel=0.15)


@pytest.mark.parametrize(("rows", "waits"), [(32, True), (64, False)])
def test_programs_of_few_rows_wait_for_their_first_load(rows: int, waits: bool) -> None:
    """The rows themselves are a part of it; larger tiles hide theirs."""
    work, tile = heads(rows, 132, 256, 64), StreamTile(rows, 16, 4, 3)
    wider = replace(work, kept=2 * work.kept)
    more = stream_seconds(wider, tile, H200) - stream_seconds(work, tile, H200)
    assert more > 20e-9 if waits else more == 0
