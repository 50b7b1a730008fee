"""Long rows whose reductions wait for each other: one loop with running values."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import (
    Payload,
    cross_entropy,
    layernorm,
    log_softmax,
    logsumexp,
    reduce,
    rmsnorm,
    softmax,
)
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import Plan, plan


def of_rows(rows: int, length: int, name: str) -> Payload:
    p = Payload(name)
    x = p.input("x", (rows, length), "bf16")
    if name == "cross_entropy":
        p.output(cross_entropy(x, p.input("labels", (rows,), "i32")))
    elif name == "layernorm":
        w, b = (p.input(n, (length,), "bf16") for n in "wb")
        p.output(layernorm(x, w, b))
    elif name == "rmsnorm":
        p.output(rmsnorm(x, p.input("w", (length,), "bf16")))
    elif name == "logsumexp":
        p.output(logsumexp(x, axis=-1))
    elif name == "sum":
        p.output(reduce("sum", x, axis=-1))
    else:
        p.output((softmax if name == "softmax" else log_softmax)(x))
    return p


def labels(found: Plan) -> list[str]:
    (kernel,) = found.kernels
    return [c.sketch.label for c in kernel.considered]


@pytest.mark.parametrize("name", ["cross_entropy", "log_softmax", "logsumexp"])
def test_a_large_vocabulary_is_read_in_one_pass(name: str) -> None:
    first = labels(planned(of_rows(8192, 128256, name)))[0]
    assert first.startswith("streamed_rows")


def test_rows_that_fit_into_registers_are_held() -> None:
    assert labels(planned(of_rows(8192, 50257, "softmax")))[0] == "whole_rows"


@pytest.mark.parametrize("name", ["rmsnorm", "sum"])
def test_reductions_that_do_not_wait_have_loops_by_lanes(name: str) -> None:
    found = labels(planned(of_rows(4096, 65536, name)))
    assert not any(label.startswith("streamed") for label in found)


def test_a_mean_needs_whole_tiles() -> None:
    """Its correction counts the elements so far, which a partial tile hides."""
    whole, partial = (
        [s for s in labels(planned(of_rows(64, n, "layernorm"))) if "streamed" in s]
        for n in (65536, 65000)
    )
    assert whole and not partial


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["softmax", "log_softmax", "logsumexp", "cross_entropy", "layernorm"]
)
@pytest.mark.parametrize("length", [16384, 20001])
def test_one_pass_computes_the_payload(name: str, length: int) -> None:
    module = parse_payload(of_rows(6, length, name).text())
    found = plan(module, TARGETS["h200"])
    if name == "layernorm" and length % 2:
        # No tile of a mean is partial. What reads the rows again is another kernel.
        assert len(found.kernels) == 2
        rows = found.kernels[0]
        candidates = rows.considered
        assert candidates and not any("streamed" in c.sketch.label for c in candidates)
        return
    others = {(1, label) for label in labels(found) if "streamed" not in label}
    only = plan(module, TARGETS["h200"], without=others)
    assert "stream grid by" in only.text
    compared = check_kernel_ir(build(module, only.schedule), make_case(module, 0))
    assert compared.ok, compared.message


@pytest.mark.parametrize("name", ["cross_entropy", "log_softmax", "logsumexp"])
def test_a_thread_combines_many_elements_on_its_own(name: str) -> None:
    """To combine lanes takes as many instructions as several elements of a thread."""
    (kernel,) = planned(of_rows(8192, 128256, name)).kernels
    first = kernel.candidates[0]
    columns = int(first.sketch.label.removeprefix("streamed_rows_"))
    assert columns // (32 * first.point["warps"]) == 32
    assert first.point["warps"] <= 8


def test_only_the_last_tile_of_a_row_has_a_mask() -> None:
    text = planned(of_rows(8192, 128256, "logsumexp")).text
    assert "main, rest = peel loop" in text
    assert "exp2 exponential" in text
    assert "peel" not in planned(of_rows(8192, 131072, "logsumexp")).text
