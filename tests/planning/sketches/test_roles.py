"""Warps with roles, in matmuls and streams: where they fit, and their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.attended import attended, candidates
from support.planned_kernels import planned
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import linear
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan
from tilewright.tuning.calibrating.points import schedule_at
from tilewright.tuning.calibrating.works import CalibrationWork
from tilewright.tuning.model.cost import estimate_kernel

POINT = dict(BM=128, BN=128, BK=64, ring=3, consumers=2, group=8, parts=1)


def layer(
    m: int = 256, n: int = 128, k: int = 128, dtype: str = "f16", activation: str = ""
) -> CalibrationWork:
    return CalibrationWork(
        "layer",
        {"x": ((m, k), dtype), "w": ((k, n), dtype), "b": ((n,), dtype)},
        lambda x, w, b: linear(x, w, bias=b, activation=activation or None),
    )


def labels(work: CalibrationWork, target: str = "h200") -> list[str]:
    """The labels of a kernel's sketches, the fastest first."""
    (kernel,) = plan(work.payload, TARGETS[target]).kernels
    return [one.sketch.label for one in kernel.considered]


@pytest.mark.parametrize("persistent", [0, 1])
def test_the_numbers(persistent: int) -> None:
    work, point = layer(activation="gelu"), POINT | {"persistent": persistent}
    schedule = schedule_at(work, "roles", point, TARGETS["h200"])
    made = build(work.payload, schedule)
    assert "mbarrier.wait" in made.program.text
    comparison = check_kernel_ir(made, make_case(work.payload, 0))
    assert comparison.ok, comparison.message


def test_a_long_tail_is_fetched_anew_for_wide_tiles() -> None:
    """Measured: 212 us by tiles of 128 columns, and 273 us by tiles of 256."""
    (kernel,) = plan(
        layer(4096, 4096, 4096, "bf16", "gelu").payload, TARGETS["h200"]
    ).kernels
    (roles,) = (one for one in kernel.considered if one.sketch.label == "roles")
    assert (roles.point["BM"], roles.point["BN"]) == (128, 128)


@pytest.mark.parametrize(
    ("work", "target"),
    [(layer(), "a100"), (layer(dtype="f32"), "h200"), (layer(m=32), "h200")],
    ids=["no warp groups", "f32", "few rows"],
)
def test_what_it_does_not_fit(work: CalibrationWork, target: str) -> None:
    assert "roles" not in labels(work, target)


@pytest.mark.parametrize(("k", "fits"), [(32, False), (80, True)])
def test_a_ring_needs_a_loop_of_several_steps(k: int, fits: bool) -> None:
    """Code generation refuses a sum of one step: no loop is left of it."""
    assert ("roles" in labels(layer(4096, 4096, k))) == fits


def test_what_it_fits() -> None:
    assert "roles" in labels(layer())


# -- streams --------------------------------------------------------------------------


@pytest.mark.sampled(50)
@pytest.mark.parametrize("causal", [False, True])
def test_roles_of_warps_are_a_choice_on_hopper(causal: bool) -> None:
    """Measured: 1.02 of cuDNN by roles, and 0.77 by Triton, for 128 features."""
    payload = attended((4, 16, 4096, 128), dtype="bf16", causal=causal)
    found = plan(parse_payload(payload.text()), TARGETS["h200"])
    assert found.kernels[0].candidates[0].sketch.label == "roles"
    made = build(parse_payload(payload.text()), found.schedule)
    assert "gl.warp_specialize" in made.program.text
    ours = build(parse_payload(payload.text()), found.schedule, {"kernel": "streamed"})
    assert "gluon" not in ours.program.text


ROLES: dict[str, dict[str, Any]] = {
    "whole": {},
    "causal": {"causal": True},
    "window": {"query": (1, 2, 384, 64), "causal": True, "window": 100},
    "soft cap": {"query": (1, 1, 256, 64), "soft_cap": 20.0, "causal": True},
    "heads in groups": {"key": (1, 1, 256, 64)},
    "padded features, odd rows": {"query": (1, 1, 200, 80)},
    "two results": {"lse": True, "causal": True},
    "more keys": {"query": (1, 1, 256, 128), "key": (1, 1, 384, 128)},
}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("kind", ROLES)
def test_the_numbers_of_roles(kind: str) -> None:
    module = attended(**{"query": (1, 2, 256, 64), **ROLES[kind]}).module
    others = [(1, "streamed"), (1, "streamed_whole")]
    made = build(module, plan(module, TARGETS["h200"], without=others).schedule)
    assert "gl.warp_specialize" in made.program.text and not made.warnings
    compared = check_kernel_ir(made, make_case(module, 0))
    assert compared.ok, compared.message


@pytest.mark.slow
def test_a_stored_maximum_keeps_nan(tmp_path: Path) -> None:
    """Gluon has no such reduction of its own; it takes a function that combines two."""
    module = attended((1, 1, 256, 64), causal=True, lse=True).module
    others = [(1, "streamed"), (1, "streamed_whole")]
    made = build(module, plan(module, TARGETS["h200"], without=others).schedule)
    assert "gl.reduce(scores, 1, _gluon_maximum)" in made.program.text
    (stats,) = compile_program(made.program, TARGETS["h200"], tmp_path, ())
    assert stats.wgmma


def test_roles_of_few_features_take_longer() -> None:
    """Measured for 256 matrices of 2048 rows: 1.03 times as long as Triton's kernel."""
    found = planned(attended((16, 16, 2048, 64), dtype="bf16"))
    times = {label: one.seconds for label, one in candidates(found).items()}
    assert times["streamed"] < times["roles"] < 1.15 * times["streamed"]


def test_a_mask_makes_tiles_of_programs_unequal() -> None:
    """Measured for 64 matrices of 4096 rows: a program that goes on from tile to tile
    has all the long ones, and takes 1.19 times as long as one for each tile."""
    defaults = {}
    for matrices, rows in ((64, 4096), (128, 8192)):
        payload = attended((matrices, rows, 128), dtype="bf16", causal=True)
        defaults[rows] = candidates(planned(payload))["roles"].point["persistent"]
    assert defaults == {4096: 0, 8192: 1}


@pytest.mark.parametrize(
    ("target", "features", "length"),
    [("a100", 128, 2048), ("h200", 256, 2048), ("h200", 128, 2000)],
)
def test_roles_are_not_proposed(target: str, features: int, length: int) -> None:
    """Another GPU, rows that leave no room, or a mask of tiles that are not whole."""
    payload = attended((2, 16, length, features), dtype="bf16", causal=True)
    found = plan(parse_payload(payload.text()), TARGETS[target])
    assert "roles" not in candidates(found)


@pytest.mark.parametrize("features", [40, 96, 112])
def test_any_features_that_fit(features: int) -> None:
    """Rows, rings, sums and weights have to fit; no width is named."""
    payload = attended((2, 16, 2048, features), dtype="bf16")
    assert "roles" in candidates(planned(payload))


def test_the_next_rows_are_loaded_ahead_where_they_fit() -> None:
    """Rows of 128 features: 64 KiB of two tiles, two slots of keys and of values."""
    for features, depth in ((128, 2), (96, 2)):
        payload = attended((16, 16, 2048, features), dtype="bf16")
        point = candidates(planned(payload))["roles"].point
        assert point["ahead"] == (depth if point["persistent"] else 1)
    payload = attended((16, 32, 2048, 128), dtype="bf16", causal=True)
    point = candidates(planned(payload))["roles"].point
    assert (point["ahead"], point["pinned"]) == (2, 0), "as measured"


def test_what_nothing_hides_is_left_to_triton() -> None:
    """Measured: 198 TFLOP/s by roles with soft caps, and 293 by Triton."""
    size = (8, 32, 4096, 128)
    for cap, first in ((30.0, "streamed"), (None, "roles")):
        found = planned(attended(size, dtype="bf16", causal=True, soft_cap=cap))
        assert found.kernels[0].candidates[0].sketch.label == first


@pytest.mark.slow
@pytest.mark.parametrize("window", [None, 1024])
def test_the_estimate_of_a_generated_kernel_knows_its_mask(window: int | None) -> None:
    """Its loops begin where others end, and both move with the tile."""
    size = (8, 32, 4096, 128)
    payload = attended(size, dtype="bf16", causal=True, window=window)
    found = planned(payload)
    made = build(payload.module, found.schedule)
    (kernel,) = made.program.kernels
    whole, known = estimate_kernel(kernel, None, found.target), found.kernels[0].seconds
    assert known is not None and 0.75 < whole.seconds / known < 1.35
