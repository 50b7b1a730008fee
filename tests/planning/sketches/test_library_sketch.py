"""The vendor's library as a candidate of a plan: one call for a whole group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import (
    Payload,
    Tensor,
    cast,
    gelu_tanh,
    linear,
    relu,
    scaled_matmul,
    silu,
    softmax,
)
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import NO_STREAMS, Plan, plan
from tilewright.planning.sketches.library.sketches import (
    LibraryAndKernel,
    LibraryCall,
)
from tilewright.schedules.schedule import Schedule

H200 = TARGETS["h200"]


def planned(text: str) -> Plan:
    return plan(parse_payload(text), H200)


def library_of(found: Plan, kernel: int) -> LibraryCall | None:
    sketches = [candidate.sketch for candidate in found.kernels[kernel].candidates]
    calls = [sketch for sketch in sketches if isinstance(sketch, LibraryCall)]
    return calls[0] if calls else None


@pytest.mark.parametrize(
    ("m", "size", "label"),
    [(128, 1024, "library_and_kernel"), (4096, 4096, "library"), (8, 64, "lanes")],
)
def test_a_bias_in_f32_is_added_by_the_quicker_of_library_and_kernel(
    m: int, size: int, label: str
) -> None:
    """cuBLAS splits no sum that it adds a bias to."""
    p = Payload("f")
    x, w = p.input("x", (m, size), "f32"), p.input("w", (size, size), "f32").T
    p.output(relu(linear(x, w, bias=p.input("c", (size,), "f32"))))
    ieee = replace(H200, own_f32="ieee")
    (kernel,) = plan(parse_payload(p.text()), ieee).kernels
    assert kernel.candidates[0].sketch.label == label
    (kernel,) = planned(p.text()).kernels  # by three matmuls of TF32
    assert not isinstance(kernel.candidates[0].sketch, LibraryCall | LibraryAndKernel)


def test_our_tiles_add_the_bias_of_a_product_in_f32() -> None:
    p = Payload("f")
    x, w = p.input("x", (128, 1024), "f32"), p.input("w", (1024, 1024), "f32").T
    p.output(softmax(linear(x, w, bias=p.input("c", (1024,), "f32"))))
    first, second = planned(p.text()).kernels
    assert [facts.name for facts in first.group.ops[1:]] == ["product", "linear"]
    labels = [candidate.sketch.label for candidate in first.candidates]
    assert labels.index("tiles") < labels.index("library")
    assert second.group.reductions


def test_rows_of_a_long_product_in_f32_are_reduced_after_a_call() -> None:
    for k, count in ((16, 1), (4096, 2)):
        p = Payload("f")
        x, w = p.input("x", (4096, k), "f32"), p.input("w", (k, 64), "f32")
        p.output(softmax(linear(x, w, bias=p.input("c", (64,), "f32"))))
        payload = parse_payload(p.text())
        assert len(plan(payload, replace(H200, own_f32="ieee")).kernels) == count


def two_layers(m: int) -> str:
    p = Payload("f")
    x = p.input("x", (m, 256), "bf16")
    h = linear(x, p.input("w", (256, 256), "bf16"), bias=p.input("c", (256,), "bf16"))
    p.output(linear(h, p.input("v", (256, 256), "bf16").T, residual=x))
    return p.text()


@pytest.mark.parametrize("is_shared", [False, True])
def test_every_kernel_can_be_a_call(is_shared: bool) -> None:
    payload = two_layers(32)
    if is_shared:
        # Both matmuls start from one fill, as after CSE.
        lines = payload.replace("outs(%init_1 :", "outs(%init :").splitlines()
        payload = "\n".join(line for line in lines if "%init_1 =" not in line)
    others: set[tuple[int, str]] = {NO_STREAMS}
    others |= {
        (kernel.number, sketch.label)
        for kernel in plan(parse_payload(payload), H200, without=others).kernels
        for sketch in (candidate.sketch for candidate in kernel.candidates)
        if not isinstance(sketch, LibraryCall)
    }
    found = plan(parse_payload(payload), H200, without=others)
    assert all(library_of(found, i) for i in range(len(found.kernels)))
    program = build(parse_payload(payload), Schedule.from_text(found.text))
    assert program.program.kernels == () and len(program.program.calls) == 2
    compared = check_kernel_ir(program, make_case(parse_payload(payload), 0))
    assert compared.ok, compared.message


def test_the_estimate_is_for_the_sizes_that_are_given() -> None:
    p = Payload("f")
    a, b = p.input("a", ("M", 512), "bf16"), p.input("b", (512, 512), "bf16")
    p.output(cast(a @ b, "bf16"))
    seconds: list[float] = []
    for rows in (64, 100_000):
        shapes = [(rows, 512), (512, 512)]
        call = library_of(plan(parse_payload(p.text()), H200, shapes=shapes), 0)
        assert call is not None and call.info.m == rows
        seconds.append(call.seconds({}))
    assert seconds[1] > 5 * seconds[0]


def test_the_estimate_is_that_of_the_product() -> None:
    p = Payload("f")
    a, b = (p.input(name, (4096, 4096), "bf16") for name in "ab")
    p.output(cast(a @ b, "bf16"))
    sketch = library_of(planned(p.text()), 0)
    assert sketch is not None
    assert sketch.seconds({}) == pytest.approx(181e-6, rel=0.1)


def test_bytes_with_scales() -> None:
    p = Payload("f")
    a, b = (p.input(name, (256, 512), "f8E4M3FN") for name in "ab")
    s, t = (p.input(name, (256,), "f32") for name in "st")
    p.output(scaled_matmul(a, b.T, s, t, dtype="bf16"))
    assert library_of(planned(p.text()), 0) is not None


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_other_tails_are_a_kernel_after_the_call(dtype: str) -> None:
    p = Payload("f")
    a, b = p.input("a", (3, 16, 32), dtype), p.input("b", (32, 64), dtype)
    residual = p.input("r", (3, 16, 64), dtype)
    p.output(linear(a, b, activation="gelu", residual=residual))
    payload = p.text()
    assert library_of(planned(payload), 0) is None
    own = {(1, "tiles"), (1, "transposed")}
    found = plan(parse_payload(payload), H200, without=own)
    (candidate,) = found.kernels[0].candidates
    assert isinstance(candidate.sketch, LibraryAndKernel)
    program = build(parse_payload(payload), Schedule.from_text(found.text))
    assert len(program.program.kernels) == len(program.program.calls) == 1
    compared = check_kernel_ir(program, make_case(parse_payload(payload), 0))
    assert compared.ok, compared.message


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("dtype", "kernels"), [("f32", 2), ("bf16", 1)])
def test_two_products_may_be_two_calls_before_a_kernel(
    dtype: str, kernels: int
) -> None:
    # The weights lie along their columns, which is no good place for f32.
    payload = gated_layer(2048, 4096, 11008, dtype)
    assert len(planned(payload).grouping.groups) == kernels
    small = gated_layer(24, 32, 48, dtype)
    found = plan(parse_payload(small), H200, without={(1, "tiles"), (1, "split_2")})
    (candidate,) = found.kernels[0].candidates
    assert isinstance(candidate.sketch, LibraryAndKernel)
    program = build(parse_payload(small), Schedule.from_text(found.text))
    assert (len(program.program.calls), len(program.program.kernels)) == (2, 1)
    compared = check_kernel_ir(program, make_case(parse_payload(small), 0))
    assert compared.ok, compared.message


def gated_layer(m: int, k: int, n: int, dtype: str) -> str:
    p = Payload("f")
    x = p.input("x", (m, k), dtype)
    gate, up = (p.input(name, (k, n), dtype) for name in ("gate", "up"))
    p.output(silu(linear(x, gate)) * linear(x, up))
    return p.text()


@pytest.mark.parametrize("rows", [8, 32])
def test_a_call_before_rows_that_are_stored_in_the_buffer_of_the_product(
    rows: int,
) -> None:
    # The matmul's buffer serves the result of the rows as well: no other op reads it.
    p = Payload("f")
    x, w = p.input("x", (rows, 24), "f32"), p.input("w", (24, 264), "f32")
    bias = p.input("b", (264,), "f32")
    p.output(softmax(linear(x, w, bias=bias), -1) + bias)
    payload = p.text()
    labels = {c.sketch.label for c in planned(payload).kernels[0].candidates}
    others = {(1, label) for label in labels - {"library"}}
    found = plan(parse_payload(payload), H200, without=others)
    program = build(parse_payload(payload), Schedule.from_text(found.text))
    assert (len(program.program.calls), len(program.program.kernels)) == (1, 1)
    compared = check_kernel_ir(program, make_case(parse_payload(payload), 0))
    assert compared.ok, compared.message


@pytest.mark.parametrize("activation", [relu, gelu_tanh])
def test_an_activation_is_a_part_of_the_call(
    activation: Callable[[Tensor], Tensor],
) -> None:
    def layer(m: int, k: int, n: int) -> str:
        p = Payload("f")
        x, w = p.input("x", (m, k), "bf16"), p.input("w", (k, n), "bf16")
        p.output(activation(linear(x, w, bias=p.input("b", (n,), "bf16"))))
        return p.text()

    found = planned(layer(4096, 1024, 4096))
    assert found.kernels[0].candidates[0].sketch.label == "library"
    small = layer(64, 32, 48)
    found = plan(parse_payload(small), H200, without={(1, "tiles"), (1, "split_2")})
    program = build(parse_payload(small), Schedule.from_text(found.text))
    assert (len(program.program.calls), len(program.program.kernels)) == (1, 0)
    compared = check_kernel_ir(program, make_case(parse_payload(small), 0))
    assert compared.ok, compared.message
