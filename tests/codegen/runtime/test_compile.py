"""The emitted source compiles for sm_90 as it should: tensor cores, TMA, no spills.

No GPU is needed.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from support.codegen.buffer_level import (
    elementwise,
    generated,
    matmul_relu,
    text_of,
    with_descriptors,
)
from support.codegen.compiled_apart import compiled_apart
from support.codegen.scheduled_programs import NAMES, built
from support.paths import DATA, EXAMPLES
from tilewright.codegen.program import GeneratedProgram
from tilewright.pipeline import build, read_payload
from tilewright.schedules.schedule import Schedule

Stats = dict[str, list[dict[str, Any]]]

OPEN = DATA / "dynamic" / "matmul_any.mlir"
TILED = EXAMPLES / "matmul_relu/tile_fuse_vectorize.tw"

WORKHORSE = {"tile": (128, 256, 64), "stages": 3}


QUICK = {
    "ragged",
    "bf16",
    "open sizes",
    "stages 1",
    "stages 4",
}
"""Compiled for the quick tests; the rest is compiled for the slow ones."""


@functools.cache
def programs() -> dict[str, GeneratedProgram]:
    texts = {
        "dividing_bias": text_of("dividing_bias"),
        "ragged": text_of("ragged"),
        "two_kernels": text_of("two_kernels"),
        "softmax": text_of("softmax"),
        "row_statistics": text_of("row_statistics"),
        "gelu": text_of("gelu"),
        "batched": text_of("batched"),
        "transposed": text_of("transposed"),
        "triangular": text_of("triangular"),
        "branches": text_of("branches"),
        "batched descriptors": with_descriptors("batched"),
        "transposed descriptors": with_descriptors("transposed"),
        "pointers 128x256": matmul_relu(
            4096, 4096, 4096, attributes="triton.num_warps = 8 : i64", **WORKHORSE
        ),
        "descriptors 128x256": matmul_relu(
            4096,
            4096,
            4096,
            attributes="triton.descriptors, triton.group = 8 : i64, "
            "triton.num_warps = 8 : i64",
            **WORKHORSE,
        ),
        "bf16": matmul_relu(1000, 1000, 1000, dtype="bf16"),
        "wide": matmul_relu(32768, 128, 65600),
        "stages 1": matmul_relu(1024, 1024, 1024, stages=1),
        "stages 4": matmul_relu(1024, 1024, 1024, stages=4),
        "tanh": elementwise("%r = math.tanh %v : vector<16xf32>"),
    }
    made = {name: generated(text).program for name, text in texts.items()}
    schedule = TILED.read_text()
    for name, launch in (
        ("open sizes", "launch"),
        ("open sizes, descriptors", "descriptors grid\n  launch"),
    ):
        changed = Schedule.from_text(schedule.replace("launch", launch, 1))
        made[name] = build(read_payload(OPEN), changed).program
    return made | {name: built(name).program for name in NAMES}


def statistics(chosen: dict[str, GeneratedProgram], folder: Path) -> Stats:
    found = compiled_apart(list(chosen.values()), folder)
    return dict(zip(chosen, found, strict=True))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Stats:
    chosen = {name: made for name, made in programs().items() if name in QUICK}
    assert chosen.keys() == QUICK
    return statistics(chosen, tmp_path_factory.mktemp("compile"))


@pytest.fixture(scope="module")
def rest_compiled(compiled: Stats, tmp_path_factory: pytest.TempPathFactory) -> Stats:
    chosen = {name: made for name, made in programs().items() if name not in QUICK}
    return compiled | statistics(chosen, tmp_path_factory.mktemp("compile"))


@pytest.mark.slow
def test_everything_compiles_without_spills(rest_compiled: Stats) -> None:
    for name, kernels in rest_compiled.items():
        assert kernels, name
        for kernel in kernels:
            assert kernel["spill_bytes"] == 0, (name, kernel)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ragged", "bf16", "open sizes"])
def test_dots_use_warp_group_instructions(name: str, compiled: Stats) -> None:
    assert compiled[name][0]["wgmma"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "dividing_bias",
        "two_kernels",
        "pointers 128x256",
        "descriptors 128x256",
        "wide",
        "open sizes, descriptors",
    ],
)
def test_more_dots_use_warp_group_instructions(name: str, rest_compiled: Stats) -> None:
    assert rest_compiled[name][0]["wgmma"] > 0


@pytest.mark.slow
def test_descriptors_load_by_tma(compiled: Stats) -> None:
    assert compiled["ragged"][0]["tma_loads"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "two_kernels",
        "descriptors 128x256",
        "batched descriptors",
        "transposed descriptors",
        "open sizes, descriptors",
    ],
)
def test_more_descriptors_load_by_tma(name: str, rest_compiled: Stats) -> None:
    assert rest_compiled[name][0]["tma_loads"] > 0


@pytest.mark.slow
def test_pointers_do_not_load_by_tma(compiled: Stats) -> None:
    assert compiled["bf16"][0]["tma_loads"] == 0


@pytest.mark.slow
def test_stages_of_the_loop_drive_the_pipeliner(compiled: Stats) -> None:
    """Each stage holds its own tiles of a and b in shared memory: 32 KiB here."""
    four, one = (compiled[f"stages {n}"][0]["shared_bytes"] for n in (4, 1))
    assert four >= 4 * 32768
    assert one < 2 * 32768
