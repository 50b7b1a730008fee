"""Whole schedules: every step valid for real MLIR, the same numbers after each."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA
from support.sampling import mostly_slow
from support.transforms.payloads import linear
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    Ran,
    assert_same_numbers,
    by_real_mlir,
    transform,
)

LINEAR = DATA / "schedules" / "linear.mlir"
FUSED, SEPARATE = 0, 1


def linear_schedule(branch: int, bm: int, bn: int, bk: int) -> str:
    """The schedule with its choices made: where the tail goes, and the tile sizes."""
    text = LINEAR.read_text()
    text = text.replace(
        'tail_placement"> selected_region = 0',
        f'tail_placement"> selected_region = {branch}',
    )
    for name, size in (("BM", bm), ("BN", bn), ("BK", bk)):
        text = re.sub(
            rf'knob<"{name}"> = \d+ : i64 from options = \[[^]]*\]',
            f'knob<"{name}"> = {size} : i64 from options = [{size} : i64]',
            text,
        )
    return text


SIZES = {
    "dividing": ((64, 96, 32), (32, 32, 16)),
    "ragged": ((50, 68, 26), (16, 32, 16)),
    "odd": ((7, 127, 1), (16, 64, 32)),
    "one": ((1, 1, 1), (16, 16, 16)),
    "smaller_than_a_tile": ((20, 24, 10), (32, 32, 16)),
    "exactly_a_tile": ((32, 16, 16), (32, 16, 16)),
}
BRANCHES = pytest.mark.parametrize(
    "branch", [FUSED, SEPARATE], ids=["fused", "separate"]
)


def run(size: str, dtype: str, bias: bool, branch: int) -> Ran:
    shape, tiles = SIZES[size]
    return transform(linear(*shape, dtype, bias), linear_schedule(branch, *tiles))


@pytest.mark.sampled(20)
@BRANCHES
@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize("dtype", mostly_slow(["f16", "bf16", "f32"], ["bf16"]))
@pytest.mark.parametrize("size", ["dividing", "ragged", "smaller_than_a_tile"])
def test_the_same_numbers_after_each_step(size, dtype, bias, branch) -> None:
    ran = run(size, dtype, bias, branch)
    assert len(ran.dumps) >= 12
    assert_same_numbers(ran, reduction=SIZES[size][0][2])


@BRANCHES
def test_larger_tiles(branch) -> None:
    ran = transform(
        linear(200, 136, 104, "bf16", True), linear_schedule(branch, 64, 64, 32)
    )
    assert_same_numbers(ran, reduction=104, each=False)


@pytest.mark.sampled(12)
@BRANCHES
@pytest.mark.parametrize("size", ["odd", "one", "exactly_a_tile"])
def test_odd_sizes(size, branch) -> None:
    assert_same_numbers(run(size, "f32", True, branch), reduction=SIZES[size][0][2])


@needs_mlir
@BRANCHES
@pytest.mark.parametrize("size", mostly_slow(SIZES, ["dividing", "ragged", "odd"]))
def test_real_mlir_reads_every_step(size, branch) -> None:
    ran = run(size, "f16", True, branch)
    mlir_opt(
        "\n".join(dump.text for dump in ran.dumps)
        .replace("builtin.module {", "module {")
        .replace("}\n\nmodule", "}\n// -----\nmodule"),
        "--split-input-file",
    )


@needs_mlir
@BRANCHES
@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize("dtype", mostly_slow(["f16", "bf16", "f32"], ["f16"]))
def test_real_mlir_gives_the_same_program(dtype, bias, branch) -> None:
    """On sizes that the tiles divide; on others ours goes further on purpose."""
    shape, tiles = SIZES["dividing"]
    payload, schedule = linear(*shape, dtype, bias), linear_schedule(branch, *tiles)
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@BRANCHES
@pytest.mark.parametrize("size", ["dividing", "ragged", "odd"])
def test_golden(size, branch, golden) -> None:
    name = f"{'fused' if branch == FUSED else 'separate'}_{size}"
    golden(f"transforms/linear_{name}.mlir", run(size, "f16", True, branch).text)


@pytest.mark.sampled(12)
@BRANCHES
@pytest.mark.parametrize("size", SIZES)
def test_a_tile_lives_in_registers(size, branch) -> None:
    """No allocation and no copy in a grid, no mask around an op, no carried tensor."""
    text = run(size, "f16", True, branch).text
    inside = text.partition("scf.forall")[2].rpartition("return")[0]
    assert "memref.copy" not in text
    assert "vector.mask" not in text
    if branch == FUSED:
        assert "memref.alloc" not in inside
        assert text.count("memref.alloc") == 1
    else:
        assert text.count("memref.alloc") == 2


@pytest.mark.parametrize("size", [1024, 1000])
def test_large_sizes_make_small_programs(size) -> None:
    """Numbers at this size are a matter of the benchmarks; the program is not."""
    ran = transform(
        linear(size, size, size, "f16"), linear_schedule(FUSED, 128, 128, 64)
    )
    assert len(ran.text.splitlines()) < 45
    assert ("create_mask" in ran.text) == (size == 1000)


TILE = st.sampled_from([16, 32, 64])
EXTENT = st.integers(1, 70)


@pytest.mark.slow
@given(
    m=EXTENT,
    n=EXTENT,
    k=EXTENT,
    tiles=st.tuples(TILE, TILE, TILE),
    branch=st.sampled_from([FUSED, SEPARATE]),
    dtype=st.sampled_from(["f16", "bf16", "f32"]),
    bias=st.booleans(),
)
@settings(max_examples=examples(8), deadline=None)
def test_any_size_and_any_tile(m, n, k, tiles, branch, dtype, bias) -> None:
    ran = transform(linear(m, n, k, dtype, bias), linear_schedule(branch, *tiles))
    assert_same_numbers(ran, reduction=k)
    assert "memref.copy" not in ran.text
