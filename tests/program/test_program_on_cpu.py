"""Calling a compiled program with CPU tensors: anywhere, in the numpy interpreter."""

from __future__ import annotations

import warnings

import pytest
import torch

import tilewright
from support.paths import EXAMPLES
from tilewright import UserError

without_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")

IDENTITY = "affine_map<(d0, d1) -> (d0, d1)>"


def scaled(rows: str, dtype: str = "f32", attribute: str = "") -> str:
    """`a * s` element by element, written over `a` if the attribute allows it."""
    of = f"tensor<{rows}x32x{dtype}>"
    return f"""
    func.func @scaled(%a: {of} {attribute}, %s: {dtype}) -> {of} {{
      %r = linalg.generic {{indexing_maps = [{IDENTITY}],
                            iterator_types = ["parallel", "parallel"]}}
          outs(%a : {of}) {{
      ^bb0(%o: {dtype}):
        %y = arith.mulf %o, %s : {dtype}
        linalg.yield %y : {dtype}
      }} -> {of}
      return %r : {of}
    }}
    """


WRITABLE = "{bufferization.writable = true}"


def quiet(program: tilewright.Program, *arguments: torch.Tensor | float) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return program(*arguments)


@without_gpu
def test_a_program_runs_on_cpu_tensors_and_says_so_once() -> None:
    folder = EXAMPLES / "matmul_relu"
    program = tilewright.compile(folder / "payload.mlir", folder / "tile_fuse.tw")
    a, b = torch.randn(512, 512).half(), torch.randn(512, 512).half()
    with pytest.warns(UserWarning, match="no GPU here; its kernels run in the numpy"):
        out = program(a, b)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = program(a, b)
    assert out.dtype == torch.float16 and out.device.type == "cpu"
    torch.testing.assert_close(
        out.float(), (a.float() @ b.float()).relu(), atol=0.1, rtol=0.01
    )
    assert torch.equal(out, again)


@without_gpu
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_results_have_the_type_of_the_payload(dtype: str) -> None:
    payload = scaled("16", dtype).replace(f"%s: {dtype}", "%s: f32")
    if dtype != "f32":
        cast = "extf" if dtype == "f64" else "truncf"
        payload = payload.replace(
            "%y = arith.mulf %o, %s",
            f"%t = arith.{cast} %s : f32 to {dtype}\n%y = arith.mulf %o, %t",
        )
    kind = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
    a = torch.randn(16, 32).to(getattr(torch, kind[dtype]))
    before = a.clone()
    out = quiet(tilewright.compile(payload), a, 2.0)
    assert isinstance(out, torch.Tensor) and out.dtype == a.dtype
    assert torch.equal(out, before * 2)
    assert torch.equal(a, before)


@without_gpu
def test_fp8_tensors() -> None:
    program = tilewright.compile(EXAMPLES / "payloads" / "fp8_matmul.mlir")
    a, b = (torch.randn(512, 512).to(torch.float8_e4m3fn) for _ in range(2))
    scale = torch.ones(512)
    out = quiet(program, a, b, scale, scale)
    assert isinstance(out, torch.Tensor) and out.dtype == torch.bfloat16
    torch.testing.assert_close(
        out.float(), a.float() @ b.float().t(), atol=0.5, rtol=0.02
    )


@without_gpu
def test_written_arguments_are_written() -> None:
    program = tilewright.compile(scaled("16", attribute=WRITABLE))
    assert [spec.is_written for spec in program.built.program.arguments] == [
        True,
        False,
    ]
    a = torch.ones(16, 32)
    assert torch.equal(quiet(program, a, 3.0), torch.full((16, 32), 3.0))  # pyright: ignore
    assert torch.equal(a, torch.full((16, 32), 3.0))
    # A tensor of another layout is copied first; what was written comes back.
    transposed = torch.ones(32, 16).t()
    quiet(program, transposed, 3.0)
    assert torch.equal(transposed, torch.full((16, 32), 3.0))


ADDED = """
#id = affine_map<(i, j) -> (i, j)>
func.func @add(%a: tensor<4x8xf32>,
               %b: tensor<4x8xf32> {bufferization.writable = true}) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
"""


@without_gpu
def test_written_arguments_share_no_memory_with_others() -> None:
    program = tilewright.compile(ADDED)
    both = torch.randn(40)
    shared = r"'b', which the program writes, shares memory with 'a'.*a.clone\(\)"
    for b in (both[:32], both[8:]):
        with pytest.raises(UserError, match=shared):
            program(both[:32].view(4, 8), b.view(4, 8))
    with pytest.raises(UserError, match=r"'b' is written, and several of its elements"):
        program(torch.ones(4, 8), torch.ones(8).expand(4, 8))
    # Parts of one buffer that do not overlap may be passed, contiguous or not.
    buffer = torch.randn(4, 16)
    a, b = buffer[:, :8], buffer[:, 8:]
    expected = a + b
    assert torch.equal(quiet(program, a, b), expected)  # pyright: ignore
    assert torch.equal(b, expected)


@without_gpu
def test_written_arguments_that_autograd_watches() -> None:
    program = tilewright.compile(ADDED)
    with torch.inference_mode():
        inferred = torch.ones(8, 4).t()
    for b in (torch.ones(8, 4).t().requires_grad_(), inferred):
        quiet(program, torch.ones(4, 8), b)
        assert torch.equal(b.detach(), torch.full((4, 8), 2.0))


@without_gpu
def test_tensors_whose_memory_does_not_hold_their_numbers() -> None:
    program = tilewright.compile(ADDED)
    ones = torch.ones(4, 8)
    negated = torch._neg_view(ones)  # pyright: ignore[reportPrivateImportUsage]
    assert torch.equal(quiet(program, negated, ones.clone()), ones * 0)  # pyright: ignore
    zeros = torch._efficientzerotensor((4, 8))  # pyright: ignore
    assert torch.equal(quiet(program, zeros, ones.clone()), ones)  # pyright: ignore
    without = "is a tensor without memory of its own"
    with pytest.raises(UserError, match=without):
        program(torch.nested.nested_tensor([torch.ones(8)] * 4), ones)
    with pytest.raises(UserError, match=without):
        torch.vmap(lambda a: program(a, ones))(torch.ones(2, 4, 8))


@without_gpu
def test_sizes_known_only_at_run_time() -> None:
    program = tilewright.compile(scaled("?"))
    for rows in (1, 7, 100):
        a = torch.randn(rows, 32)
        assert torch.equal(quiet(program, a, 2.0), a * 2)  # pyright: ignore


@without_gpu
@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        ((), r"takes 2 arguments, got 0; pass a \(f32 \[16, 32\]\), s \(f32\)"),
        ((torch.ones(16, 32).numpy(), 1.0), r"'a' is a ndarray.*torch.as_tensor\(a\)"),
        ((torch.ones(16, 31), 1.0), r"shape \[16, 31\].*compile the payload for this"),
        ((torch.ones(16, 32).half(), 1.0), r"float16.*convert it: a.to\(torch.float32"),
        ((torch.ones(16, 32, device="meta"), 1.0), r"is on meta.*pass a.cpu\(\)"),
        ((torch.ones(16, 32).to_sparse(), 1.0), r"sparse_coo.*a.to_dense\(\)"),
        ((torch.ones(16, 32), 10**400), r"'s' is larger than any number of type f32"),
        ((torch.ones(16, 32), "two"), r"'s' is a str, not a number.*Python float"),
    ],
)
def test_mistakes_are_named_with_a_remedy(
    arguments: tuple[object, ...], fact: str
) -> None:
    with pytest.raises(UserError, match=fact):
        tilewright.compile(scaled("16"))(*arguments)  # pyright: ignore


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cpu_tensors_beside_a_gpu_are_refused() -> None:
    program = tilewright.compile(scaled("16"))
    with pytest.raises(UserError, match=r"'a' is on the CPU.*a\.cuda\(\)"):
        program(torch.ones(16, 32), 2.0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_written_arguments_of_another_layout_are_written_on_a_device() -> None:
    program = tilewright.compile(scaled("16", attribute=WRITABLE))
    transposed = torch.ones(32, 16, device="cuda").t()
    quiet(program, transposed, 3.0)
    assert torch.equal(transposed.cpu(), torch.full((16, 32), 3.0))
