"""Tiles by warps with roles: where they fit, and their numbers."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import linear
from tilewright.pipeline import build
from tilewright.planning.plan import plan
from tilewright.tuning.calibrating.points import schedule_at
from tilewright.tuning.calibrating.works import CalibrationWork

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
    return [one.sketch.label for one in (*kernel.candidates, *kernel.slower)]


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
    candidates = (*kernel.candidates, *kernel.slower)
    (roles,) = (one for one in candidates if one.sketch.label == "roles")
    assert (roles.point["BM"], roles.point["BN"]) == (128, 128)


@pytest.mark.parametrize(
    ("work", "target"),
    [(layer(), "a100"), (layer(dtype="f32"), "h200"), (layer(m=32), "h200")],
    ids=["no warp groups", "f32", "few rows"],
)
def test_what_it_does_not_fit(work: CalibrationWork, target: str) -> None:
    assert "roles" not in labels(work, target)


def test_what_it_fits() -> None:
    assert "roles" in labels(layer())
