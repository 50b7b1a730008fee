"""Ops that are handed to a library: one call of torch each, or a refusal."""

# MLIR does not wrap its lines.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from support.codegen.programs import assert_right, built
from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.launch import load
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import Kernel, LibraryOp
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, compare_results, make_case
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.inputs import from_torch, to_torch

Golden = Callable[[str, str], None]


def handed(op: str, library: str = "cublas") -> str:
    return (
        f'schedule handed(root) {{\n  op = match "{op}" in root\n'
        f'  library op by "{library}"\n}}\n'
    )


def product(
    lhs: str,
    rhs: str,
    out: str,
    maps: str,
    *,
    types: tuple[str, str] = ("f32", "f32"),
    fill: str | None = "0.0",
) -> str:
    """A linalg.contract; `maps` are the dims of lhs, rhs and out: `mk,kn,mn`."""
    letters = sorted({c for c in maps if c.isalpha()})
    dims = ", ".join(letters)
    affine = [
        f"affine_map<({dims}) -> ({', '.join(entry)})>" for entry in maps.split(",")
    ]
    narrow, wide = types
    a, b, c = (
        f"tensor<{s}x{t}>" for s, t in ((lhs, narrow), (rhs, narrow), (out, wide))
    )
    init = "%c"
    lines = []
    if fill is not None:
        lines = [
            f"%zero = arith.constant {fill} : {wide}",
            f"%e = tensor.empty() : {c}",
            f"%i = linalg.fill ins(%zero : {wide}) outs(%e : {c}) -> {c}",
        ]
        init = "%i"
    body = "\n  ".join(
        [
            *lines,
            f"%r = linalg.contract indexing_maps = [{', '.join(affine)}] "
            f"ins(%a, %b : {a}, {b}) outs({init} : {c}) -> {c}",
            f"return %r : {c}",
        ]
    )
    last = f", %c: {c}" if fill is None else ""
    return f"func.func @f(%a: {a}, %b: {b}{last}) -> {c} {{\n  {body}\n}}\n"


SOFTMAX = """
func.func @f(%x: tensor<33x48xf32>) -> tensor<33x48xf32> {
  %e = tensor.empty() : tensor<33x48xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<33x48xf32>) outs(%e : tensor<33x48xf32>) -> tensor<33x48xf32>
  return %r : tensor<33x48xf32>
}
"""

MLP = """
func.func @mlp(%x: tensor<64x48xf16>, %w: tensor<48x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %product = linalg.matmul ins(%x, %w : tensor<64x48xf16>, tensor<48x32xf16>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = tensor.empty() : tensor<64x32xf16>
  %relu = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x32xf32>) outs(%h : tensor<64x32xf16>) {
  ^bb0(%y: f32, %o: f16):
    %m = arith.maximumf %y, %zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x32xf16>
  return %relu : tensor<64x32xf16>
}
"""


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (product("33x20", "20x17", "33x17", "mk,kn,mn"), "e = torch.mm(a, b)"),
        (product("20x33", "20x17", "33x17", "km,kn,mn"), "e = torch.mm(a.mT, b)"),
        (product("33x20", "17x20", "33x17", "mk,nk,mn"), "e = torch.mm(a, b.mT)"),
        # The output lies the other way round: the operands change places.
        (product("33x20", "20x17", "17x33", "mk,kn,nm"), "e = torch.mm(b.mT, a.mT)"),
        (
            product("3x33x20", "3x17x20", "3x33x17", "bmk,bnk,bmn"),
            "e = torch.bmm(a, b.mT)",
        ),
        (product("33x20", "20", "33", "mk,k,m"), "e = torch.mv(a, b)"),
        (product("20", "20x17", "17", "k,kn,n"), "e = torch.mv(b.mT, a)"),
        (
            product("33x20", "20x17", "33x17", "mk,kn,mn", fill="1.5"),
            "e.fill_(1.5)\n    torch.addmm(e, a, b, out=e)",
        ),
        (
            product("33x20", "20x17", "33x17", "mk,kn,mn", fill=None),
            "r.copy_(c)\n    torch.addmm(r, a, b, out=r)",
        ),
        (
            product("33x20", "20x17", "33x17", "mk,kn,mn", types=("f16", "f32")),
            "_wide(torch.mm, a, b, out=e)",
        ),
    ],
)
def test_products(text: str, call: str, tmp_path: Path) -> None:
    program = built(text, handed("linalg.contract"))
    question = make_case(parse_payload(text), 0)
    assert check_kernel_ir(program, question).ok
    # Without a kernel the source needs no interpreter.
    assert program.program.kernels == ()
    source = source_file(program.program, tmp_path)
    result = load_launcher(source, "f")(*map(torch.from_numpy, question.inputs))
    assert compare_results(question, [result.numpy()]).ok
    assert call in program.program.text


def test_the_call_is_stored_in_the_kernel_ir_and_read_back() -> None:
    text = product("33x20", "17x20", "33x17", "mk,nk,mn")
    kernel = built(text, handed("linalg.contract")).kernel
    printed = to_text(kernel)
    assert 'kernel.call = {function = "mm"' in printed
    again = parse_module(printed, "kernel.mlir", payload_context())
    for module in (kernel, again):
        (op,) = [op for op in module.walk() if isinstance(op, LibraryOp)]
        call = stored_call(op)
        assert isinstance(call, LibraryCall) and call.function == "mm"
        a, b, out = op.called[0].operands
        assert call.operands == (
            CallOperand(a, ((0,), (1,))),
            CallOperand(b, ((1,), (0,))),
        )
        assert call.output.value is out


@pytest.mark.parametrize(
    ("text", "sizes", "moved"),
    [
        (product("33x20", "17x20", "33x17", "mk,nk,mn"), (1, 33, 17, 20), 1561),
        (product("20x33", "20x17", "33x17", "km,kn,mn"), (1, 33, 17, 20), 1561),
        (
            product("3x33x20", "3x17x20", "3x33x17", "bmk,bnk,bmn"),
            (3, 33, 17, 20),
            3 * 1561,
        ),
        (product("20", "20x17", "17", "k,kn,n"), (1, 17, 1, 20), 20 + 340 + 17),
        # What is added to is read as well as written.
        (
            product("33x20", "20x17", "33x17", "mk,kn,mn", fill="1.5"),
            (1, 33, 17, 20),
            1561 + 561,
        ),
    ],
)
def test_the_work_of_a_call(
    text: str, sizes: tuple[int, int, int, int], moved: int
) -> None:
    (call,) = built(text, handed("linalg.contract")).program.calls
    assert (call.batch, call.m, call.n, call.k) == sizes
    assert call.bytes_moved == 4 * moved


def test_the_work_of_a_call_follows_open_sizes() -> None:
    text = MLP.replace("tensor.empty()", "tensor.empty(%rows)").replace("64x", "?x")
    text = text.replace(
        "%zero = arith",
        "%c0 = arith.constant 0 : index\n"
        "  %rows = tensor.dim %x, %c0 : tensor<?x48xf16>\n  %zero = arith",
    )
    schedule = Schedule.from_text(handed("linalg.matmul"))
    shapes = [((m, 48), (48, 32)) for m in (64, 640)]
    program = build(parse_payload(text), schedule, shapes=shapes).program
    assert [work.calls[0].m for work in program.works] == [64, 640]
    assert [work.calls[0].flops for work in program.works] == [
        2 * m * 32 * 48 for m in (64, 640)
    ]
    assert program.works[1].calls[0].bytes_moved == (
        640 * 48 * 2 + 48 * 32 * 2 + 640 * 32 * 4
    )


def test_softmax() -> None:
    program = assert_right(SOFTMAX, handed("linalg.softmax", "torch"))
    (call,) = program.program.calls
    assert (call.flops, call.bytes_moved) == (0, 2 * 4 * 33 * 48)
    assert "e = torch.softmax(x, 1)" in program.program.text


def test_a_library_and_a_kernel(golden: Golden) -> None:
    program = assert_right(MLP, handed("linalg.matmul"))
    assert len(program.program.kernels) == 1
    golden("programs/library.py", program.program.text)


def test_kernel_ir_round_trip() -> None:
    text = to_text(built(MLP, handed("linalg.matmul")).kernel)
    assert 'kernel.library "cublas" {' in text
    context = payload_context()
    if context.get_optional_dialect("kernel") is None:
        context.load_dialect(Kernel)
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


def test_what_no_library_has_is_refused() -> None:
    with pytest.raises(SilenceableFailure, match="only after adding a row"):
        built(MLP, handed("linalg.generic"))
    with pytest.raises(SilenceableFailure, match="cuBLAS has no softmax"):
        built(SOFTMAX, handed("linalg.softmax"))


def test_types_that_torch_does_not_multiply_are_refused() -> None:
    text = product("32x32", "32x32", "32x32", "mk,kn,mn", types=("i8", "i32"), fill="0")
    with pytest.raises(SilenceableFailure, match="no product of i8 and i8 into i32"):
        built(text, handed("linalg.contract"))


def test_orders_that_need_a_copy_are_refused() -> None:
    text = product("20x3x33", "3x17x20", "3x33x17", "kbm,bnk,bmn")
    with pytest.raises(SilenceableFailure, match="as it lies in memory"):
        built(text, handed("linalg.contract"))


def test_an_unknown_library_is_an_error() -> None:
    with pytest.raises(UserError, match="'triton.library' is \"mkl\""):
        built(MLP, handed("linalg.matmul", "mkl"))


def test_the_word_is_written_back() -> None:
    text = Schedule.from_text(handed("linalg.matmul")).to_tw()
    assert 'library op by "cublas"' in text


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("types", [("f32", "f32"), ("f16", "f32"), ("bf16", "bf16")])
def test_products_on_a_device(types: tuple[str, str], tmp_path: Path) -> None:
    for fill in ("0.0", "1.5"):
        text = product("33x64", "48x64", "33x48", "mk,nk,mn", types=types, fill=fill)
        program = built(text, handed("linalg.contract")).program
        question = make_case(parse_payload(text), 0)
        inputs = [
            to_torch(array, spec.dtype, "cuda")
            for array, spec in zip(question.inputs, program.arguments, strict=True)
        ]
        result = load(program, tmp_path)(*inputs)
        assert compare_results(question, [from_torch(result, types[1])]).ok
