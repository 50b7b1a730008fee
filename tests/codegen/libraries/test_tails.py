"""Products and the element-wise op after them, handed to a library as one call."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from support.codegen.programs import built
from tilewright.codegen.analysis.libraries.call import LibraryCall
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.launch import load
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import LibraryOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, compare_results, make_case
from tilewright.payloads import (
    Payload,
    Scalar,
    Tensor,
    cast,
    gelu,
    gelu_tanh,
    linear,
    matmul,
    pointwise,
    relu,
    scaled_matmul,
    sigmoid,
    silu,
)
from tilewright.pipeline import Built, parse_payload
from tilewright.tuning.measure.inputs import from_torch, to_torch

ACTIVATED = """schedule handed(root) {
  ops = match "linalg.generic" in root
  tail, activation = split_handle ops
  activation = inline tail into activation
  library activation by "cublas"
}
"""
TAIL = """schedule handed(root) {
  tail = match "linalg.generic" in root
  library tail by "cublas"
}
"""


def one_call(payload: Payload, tmp_path: Path, schedule: str = TAIL) -> Built:
    """The program, checked in the interpreter and by torch on the CPU: no kernel."""
    text = payload.text()
    program = built(text, schedule)
    assert program.program.kernels == ()
    question = make_case(parse_payload(text), 0)
    compared = check_kernel_ir(program, question)
    assert compared.ok, compared.message
    source = source_file(program.program, tmp_path)
    specs = program.program.arguments
    inputs = [
        to_torch(array, spec.dtype, "cpu")
        for array, spec in zip(question.inputs, specs, strict=True)
    ]
    result = load_launcher(source, program.program.entry)(*inputs)
    (made,) = program.program.results
    compared = compare_results(question, [from_torch(result, made.dtype)])
    assert compared.ok, compared.message
    return program


def operands(
    p: Payload, a: tuple[int, ...], b: tuple[int, ...], dtype: str = "bf16"
) -> tuple[Tensor, Tensor]:
    return p.input("a", a, dtype), p.input("b", b, dtype)


def rounded(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17))
    p.output(cast(a @ b, "bf16"))


def transposed(p: Payload) -> None:
    a, b = operands(p, (33, 20), (17, 20))
    p.output(cast(a @ b.T, "bf16"))


def one_row(p: Payload) -> None:
    a, b = operands(p, (1, 20), (20, 17))
    p.output(cast(a @ b, "bf16"))


def biased(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17))
    p.output(linear(a, b, bias=p.input("c", (17,), "bf16")))


def residual(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17))
    p.output(linear(a, b, residual=p.input("c", (33, 17), "bf16")))


@pointwise
def halved(x: Scalar, y: Scalar) -> Scalar:
    return x * 0.5 - y * 2


@pointwise
def scaled(x: Scalar) -> Scalar:
    return x / 8


def weighted(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17), "f32")
    p.output(halved(a @ b, p.input("c", (33, 17), "f32")))


def wide(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17))
    p.output(halved(a @ b, p.input("c", (17,), "f32")))


def merged_rows(p: Payload) -> None:
    a, b = operands(p, (2, 16, 20), (20, 17))
    p.output(linear(a, b, residual=p.input("c", (2, 16, 17), "bf16")))


def batched(p: Payload) -> None:
    a, b = operands(p, (2, 3, 16, 20), (2, 3, 20, 17))
    p.output(scaled(a @ b, dtype="bf16"))


def batched_bias(p: Payload) -> None:
    a, b = operands(p, (3, 16, 20), (3, 20, 17))
    p.output(linear(a, b, bias=p.input("c", (17,), "bf16")))


def activated(p: Payload) -> None:
    a, b = operands(p, (33, 20), (20, 17))
    p.output(linear(a, b, bias=p.input("c", (17,), "bf16"), activation="relu"))


@pytest.mark.parametrize(
    ("activation", "call"),
    [
        (relu, "= torch._addmm_activation(c, a, b)"),
        (gelu_tanh, "= _addmm_gelu(c, a, b)"),
    ],
)
def test_an_activation_of_the_rounded_product(
    activation: Callable[[Tensor], Tensor], call: str, tmp_path: Path
) -> None:
    p = Payload("f")
    a, b = operands(p, (33, 20), (20, 17))
    p.output(activation(linear(a, b, bias=p.input("c", (17,), "bf16"))))
    program = one_call(p, tmp_path, ACTIVATED)
    assert call in program.program.text


@pytest.mark.parametrize("activation", [gelu, gelu_tanh, silu])
def test_other_activations_are_no_part_of_a_call(
    activation: Callable[[Tensor], Tensor],
) -> None:
    """The exact gelu, the tanh form in f32, and a quotient."""
    dtype = "f32" if activation is gelu_tanh else "bf16"
    p = Payload("f")
    a, b = operands(p, (33, 20), (20, 17), dtype)
    p.output(activation(linear(a, b, bias=p.input("c", (17,), dtype))))
    refused(p, "not a number times a product plus a tensor", ACTIVATED)


def bytes_by_rows(p: Payload) -> None:
    a, b = operands(p, (32, 48), (16, 48), "f8E4M3FN")
    scales = p.input("s", (32,), "f32"), p.input("t", (16,), "f32")
    p.output(scaled_matmul(a, b.T, *scales, dtype="bf16"))


def plain_bytes(p: Payload) -> None:
    a, b = operands(p, (32, 48), (16, 48), "f8E4M3FN")
    p.output(cast(matmul(a, b.T), "f16"))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("payload", "call"),
    [
        (rounded, "out = torch.mm(a, b)"),
        (transposed, "out = torch.mm(a, b.mT)"),
        (one_row, "out = torch.mm(a, b)"),
        (biased, "out = torch.addmm(c, a, b)"),
        (residual, "out = torch.addmm(c, a, b)"),
        (weighted, "out = torch.addmm(c, a, b, beta=-2.0, alpha=0.5)"),
        (wide, "_wide(torch.addmm, c, a, b, beta=-2.0, alpha=0.5, out=out)"),
        (
            merged_rows,
            "torch.addmm(c.flatten(0, 1), a.flatten(0, 1), b, out=out.flatten(0, 1))",
        ),
        (batched, "beta=0.0,\n        alpha=0.125,\n        out=out.flatten(0, 1),"),
        (batched_bias, "out = torch.baddbmm(c, a, b)"),
        (activated, "out = torch._addmm_activation(c, a, b)"),
        (bytes_by_rows, "_scaled_mm(a, b.mT, s[:, None], t[None, :], out=out)"),
        (plain_bytes, "_scaled_mm(a, b.mT, None, None, out=out)"),
    ],
)
def test_a_product_and_its_tail_are_one_call(
    payload: object, call: str, tmp_path: Path
) -> None:
    p = Payload("f")
    assert callable(payload)
    payload(p)
    text = one_call(p, tmp_path).program.text
    name = re.findall(r"return (\w+)", text)[-1]
    assert text.count("torch.empty(") == ("out=" in call), "a buffer for the product"
    assert call in text.replace(name, "out"), text


def two_layers(p: Payload) -> None:
    x = p.input("x", (64, 32), "bf16")
    h = linear(x, p.input("w", (32, 32), "bf16"), bias=p.input("c", (32,), "bf16"))
    v = p.input("v", (32, 32), "bf16")
    p.output(linear(h, v.T, residual=p.input("r", (64, 32), "bf16")))


@pytest.mark.parametrize("first", ["", "  include clean(root)\n"])
def test_a_call_does_not_write_what_it_reads(first: str, tmp_path: Path) -> None:
    # Merged by CSE, both layers start from one fill and write one tensor.
    p = Payload("f")
    two_layers(p)
    schedule = TAIL.replace("  tail =", f"{first}  tail =")
    text = one_call(p, tmp_path, schedule).program.text
    assert text.count(" = torch.addmm(") == 2
    assert ".copy_(" not in text and ".fill_(" not in text


def test_a_product_of_the_same_type_shares_the_buffer_of_its_tail(
    tmp_path: Path,
) -> None:
    p = Payload("f")
    a, b = operands(p, (33, 20), (20, 17), "f32")
    p.output(linear(a, b, bias=p.input("c", (17,), "f32")))
    # CSE makes the two empty tensors one.
    schedule = TAIL.replace("  tail =", "  include clean(root)\n  tail =")
    assert "torch.addmm(c, a, b)" in one_call(p, tmp_path, schedule).program.text


PADDED = TAIL.replace('"cublas"', '"cublas_padded"')


@pytest.mark.sampled(8)
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("shape", [(33, 17, 21), (16, 24, 9), (5, 9, 16), (7, 8, 8)])
def test_padded_copies_give_the_same_product(
    shape: tuple[int, int, int], transposed: tuple[bool, bool], tmp_path: Path
) -> None:
    m, n, k = shape
    p = Payload("f")
    a = p.input("a", (k, m) if transposed[0] else (m, k), "bf16")
    b = p.input("b", (n, k) if transposed[1] else (k, n), "bf16")
    left, right = a.T if transposed[0] else a, b.T if transposed[1] else b
    p.output(cast(left @ right, "bf16"))
    text = one_call(p, tmp_path, PADDED).program.text
    assert " = _padded_mm(a" in text


def test_what_is_padded_is_a_plain_product() -> None:
    p = Payload("f")
    a, b = operands(p, (33, 21), (21, 17), "bf16")
    p.output(linear(a, b, bias=p.input("c", (17,), "bf16")))
    with pytest.raises(SilenceableFailure, match="16-bit numbers, and no more"):
        built(p.text(), PADDED)


def test_products_alone_start_from_one_fill(tmp_path: Path) -> None:
    p = Payload("f")
    a, b = operands(p, (33, 20), (20, 17), "f32")
    p.output(a @ b, p.input("c", (33, 20), "f32") @ b)
    schedule = TAIL.replace("generic", "matmul").replace(
        "  tail =", "  include clean(root)\n  tail ="
    )
    program = built(p.text(), schedule).program
    assert program.kernels == () and program.text.count("torch.mm(") == 2
    assert ".fill_(" not in program.text


def test_the_product_may_be_handed_over_too(tmp_path: Path) -> None:
    p = Payload("f")
    biased(p)
    both = TAIL.replace(
        "}", '  mm = match "linalg.matmul" in root\n  library mm by "cublas"\n}'
    )
    assert "torch.addmm(" in one_call(p, tmp_path, both).program.text


def test_open_sizes(tmp_path: Path) -> None:
    p = Payload("f")
    a, b = p.input("a", ("M", 20), "bf16"), p.input("b", (20, 17), "bf16")
    p.output(linear(a, b, bias=p.input("c", (17,), "bf16")))
    program = built(p.text(), TAIL).program
    launcher = load_launcher(source_file(program, tmp_path), "f")
    x, w, c = (torch.randn(s).bfloat16() for s in ((5, 20), (20, 17), (17,)))
    expected = torch.addmm(c.float(), x.float(), w.float())
    torch.testing.assert_close(
        launcher(x, w, c).float(), expected, rtol=1e-2, atol=1e-2
    )


def test_the_call_is_read_back_from_the_kernel_ir(tmp_path: Path) -> None:
    p = Payload("f")
    weighted(p)
    kernel = one_call(p, tmp_path).kernel
    again = parse_module(to_text(kernel), "kernel.mlir", payload_context())
    assert to_text(again) == to_text(kernel)
    (op,) = [op for op in again.walk() if isinstance(op, LibraryOp)]
    call = stored_call(op)
    assert isinstance(call, LibraryCall)
    assert (call.alpha, call.beta) == (0.5, -2.0)
    product, tail = op.called
    assert call.operands[0].value is product.operands[0]
    assert call.added is not None and call.added.value is tail.operands[1]


def test_what_is_added_is_copied_first_unless_it_is_a_row(tmp_path: Path) -> None:
    copied: list[int] = []
    for payload in (biased, residual, merged_rows):
        p = Payload("f")
        payload(p)
        (call,) = one_call(p, tmp_path).program.calls
        copied.append(call.bytes_copied)
    assert copied == [0, 2 * 2 * 33 * 17, 2 * 2 * 32 * 17]


def test_calls_compute_without_autograd(tmp_path: Path) -> None:
    p = Payload("f")
    a, b = operands(p, (4, 4), (4, 4), "f32")
    p.output(linear(a, b, bias=p.input("c", (4,), "f32")))
    loaded = load(built(p.text(), TAIL).program, tmp_path)
    given = tuple(torch.randn(s, requires_grad=True) for s in ((4, 4), (4, 4), 4))
    result = loaded._launch(given)
    assert not result.requires_grad
    torch.testing.assert_close(result, torch.addmm(given[2], *given[:2]).detach())


def test_calls_compute_without_autocast(tmp_path: Path) -> None:
    p = Payload("f")
    a, b = operands(p, (4, 4), (4, 4), "f32")
    p.output(linear(a, b, bias=p.input("c", (4,), "f32")))
    loaded = load(built(p.text(), TAIL).program, tmp_path)
    given = tuple(torch.randn(s) for s in ((4, 4), (4, 4), 4))
    with torch.autocast("cpu"):
        result = loaded._launch(given)
    torch.testing.assert_close(result, torch.addmm(given[2], *given[:2]))


def refused(p: Payload, fact: str, schedule: str = TAIL) -> None:
    with pytest.raises(SilenceableFailure, match=fact):
        built(p.text(), schedule)


def test_other_tails_are_refused() -> None:
    p = Payload("f")
    a, b = operands(p, (32, 32), (32, 32))
    p.output(sigmoid(a @ b, dtype="bf16"))
    refused(p, "not a number times a product plus a tensor")
    p = Payload("f")
    a, b = operands(p, (32, 32), (32, 32))
    p.output(relu(a @ b, dtype="bf16"))
    refused(p, "only after adding a row")
    p = Payload("f")
    a, b = operands(p, (32, 32), (32, 32))
    p.output(linear(a, b, bias=p.input("c", (32,), "f32"), dtype="bf16"))
    refused(p, "adds f32 to a product that is written as bf16")


def test_a_product_that_is_read_twice_is_refused() -> None:
    p = Payload("f")
    a, b = operands(p, (32, 32), (32, 32))
    product = a @ b
    p.output(cast(product, "bf16"), product)
    refused(p, "'func.return' reads the product too")


def test_bytes_that_do_not_lie_along_the_sum_are_refused() -> None:
    p = Payload("f")
    a, b = operands(p, (32, 32), (32, 32), "f8E4M3FN")
    p.output(cast(a @ b, "bf16"))
    refused(p, "lie along the sum")
    p = Payload("f")
    a, b = operands(p, (32, 40), (32, 40), "f8E4M3FN")
    p.output(cast(a @ b.T, "bf16"))
    refused(p, "whole 16")
