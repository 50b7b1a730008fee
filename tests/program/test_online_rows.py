"""examples/rows/online*.tw: rows too long for registers, by running values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.paths import EXAMPLES
from support.sampling import mostly_slow
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import (
    Payload,
    Tensor,
    cross_entropy,
    layernorm,
    log_softmax,
    logsumexp,
    softmax,
)
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

COLUMNS = 2500


def with_labels(p: Payload, x: Tensor) -> Tensor:
    return cross_entropy(x, p.input("labels", (3,), "i64"))


def with_weights(p: Payload, x: Tensor) -> Tensor:
    weight, bias = (p.input(name, (COLUMNS,), "f16") for name in ("weight", "bias"))
    return layernorm(x, weight, bias)


CASES: dict[str, tuple[str, Callable[[Payload, Tensor], Tensor]]] = {
    "logsumexp": ("online", lambda p, x: logsumexp(x, -1)),
    "cross_entropy": ("online", with_labels),
    "softmax": ("online_two_passes", lambda p, x: softmax(x)),
    "log_softmax": ("online_two_passes", lambda p, x: log_softmax(x, -1)),
    "layernorm": ("online_two_passes", with_weights),
}


@pytest.mark.parametrize("name", mostly_slow(CASES, ("cross_entropy", "softmax")))
def test_numbers(name: str) -> None:
    schedule, computed = CASES[name]
    p = Payload(name)
    p.output(computed(p, p.input("x", (3, COLUMNS), "f16")))
    payload = parse_payload(p.text())
    path = EXAMPLES / "rows" / f"{schedule}.tw"
    built = build(payload, Schedule.from_path(path), {"BN": 1024})
    comparison = check_kernel_ir(built, make_case(payload, 1))
    assert comparison.ok, comparison.message
    assert len(built.program.kernels) == 1
    loads = built.program.text.count("tl.load(x_tile")
    assert loads == (1 if schedule == "online" else 2)


@pytest.mark.parametrize("masks", ["last", "every"])
def test_rows_of_partial_tiles(masks: str) -> None:
    p = Payload("lse")
    p.output(logsumexp(p.input("x", (3, 2500), "f16"), -1))
    payload = parse_payload(p.text())
    schedule = Schedule.from_path(EXAMPLES / "rows" / "online.tw")
    built = build(payload, schedule, {"BN": 1024, "masks": masks})
    comparison = check_kernel_ir(built, make_case(payload, 1))
    assert comparison.ok, comparison.message
    loop = built.program.text.split("in tl.range(")[1].split("\n\n")[0]
    assert ("mask=" in loop) is (masks == "every")
