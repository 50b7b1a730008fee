"""Tiles by warps with roles: offered where the structure is open, and never before."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, linear
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import Plan, plan


def layer(m: int = 256, n: int = 128, dtype: str = "f16") -> Payload:
    p = Payload("layer")
    x, w = p.input("x", (m, 128), dtype), p.input("w", (128, n), dtype)
    p.output(linear(x, w, bias=p.input("b", (n,), dtype), activation="gelu"))
    return p


def planned(
    payload: Payload, margin: float | None = 1.2, target: str = "h200"
) -> tuple[Plan, list[str]]:
    """A plan, and the labels of its kernel's sketches."""
    found = plan(parse_payload(payload.text()), TARGETS[target], margin=margin)
    (kernel,) = found.kernels
    return found, [candidate.sketch.label for candidate in kernel.candidates]


@pytest.mark.parametrize(
    "point",
    [
        {},
        dict(BM_roles=128, BN_roles=128, consumers_roles=2, persistent_roles=0),
    ],
)
def test_the_numbers(point: dict[str, int]) -> None:
    payload = layer()
    module = parse_payload(payload.text())
    found, labels = planned(payload)
    assert "roles" in labels
    made = build(module, found.schedule, {"kernel": "roles", **point})
    assert "mbarrier.wait" in made.program.text
    comparison = check_kernel_ir(made, make_case(module, 0))
    assert comparison.ok, comparison.message


def test_it_is_no_default_and_only_there_where_the_structure_is_open() -> None:
    _, labels = planned(layer())
    assert labels[0] != "roles" and labels[-1] == "roles"
    assert "roles" not in planned(layer(), None)[1]


@pytest.mark.parametrize(
    ("payload", "target"),
    [(layer(), "a100"), (layer(dtype="f32"), "h200"), (layer(m=32), "h200")],
    ids=["no warp groups", "f32", "few rows"],
)
def test_what_it_does_not_fit(payload: Payload, target: str) -> None:
    assert "roles" not in planned(payload, target=target)[1]
