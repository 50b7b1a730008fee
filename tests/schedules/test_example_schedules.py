"""The schedules of the example matmul_relu, here and upstream."""

from __future__ import annotations

import itertools

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.schedule_files import EXAMPLE, example_payload, run_upstream
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule


@pytest.mark.parametrize("bias", [False, True])
def test_example_payloads_are_up_to_date(bias: bool) -> None:
    path = EXAMPLE / ("payload_bias.mlir" if bias else "payload.mlir")
    assert path.read_text() == example_payload(512, 512, 512, "f16", bias)


@needs_mlir
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_example_payloads_parse(dtype: str, bias: bool) -> None:
    text = example_payload(7, 1000, 127, dtype, bias)
    module = parse_module(text, "payload.mlir", schedule_context())
    assert mlir_opt(text) == mlir_opt(to_text(module))


@needs_mlir
@pytest.mark.parametrize("payload", ["payload.mlir", "payload_bias.mlir"])
@pytest.mark.parametrize("name", ["tile", "tile_fuse", "tile_fuse_vectorize"])
def test_example_schedules_run_upstream(name: str, payload: str) -> None:
    schedule = Schedule.from_path(EXAMPLE / f"{name}.tw")
    assert schedule.open_choices() == []
    text = run_upstream(schedule, (EXAMPLE / payload).read_text())
    assert text.count("scf.forall (") == 1
    assert ("vector.contract" in text) == (name == "tile_fuse_vectorize")


@needs_mlir
@pytest.mark.parametrize(
    "placement, loads",
    list(itertools.product(["fused", "second_kernel"], ["pointers", "descriptors"])),
)
def test_tuned_runs_upstream_at_a_point(placement: str, loads: str) -> None:
    point = {
        "BM": 64,
        "BN": 128,
        "BK": 32,
        "warps": 4,
        "stages": 4,
        "group": 8,
        "tail_placement": placement,
        "loads": loads,
    }
    schedule = Schedule.from_path(EXAMPLE / "tuned.tw").with_point(point)
    assert schedule.open_choices() == []
    payload = (EXAMPLE / "payload.mlir").read_text()
    text = run_upstream(schedule, payload)
    assert text.count("scf.forall (") == (1 if placement == "fused" else 2)
    assert ("triton.descriptors" in text) == (loads == "descriptors")
    assert "triton.num_warps = 4 : i64" in text
    assert run_upstream(Schedule.from_text(schedule.to_tw()), payload) == text


@needs_mlir
def test_open_form_parses_upstream() -> None:
    schedule = Schedule.from_path(EXAMPLE / "tuned.tw")
    mlir_opt(schedule.to_mlir(resolved=False))


@pytest.mark.parametrize("name", ["tile", "tile_fuse", "tile_fuse_vectorize"])
def test_example_schedules_run(name: str) -> None:
    payload = parse_module(
        example_payload(256, 256, 128, "f16", True), "p.mlir", schedule_context()
    )
    run_schedule(Schedule.from_path(EXAMPLE / f"{name}.tw").module, payload)
