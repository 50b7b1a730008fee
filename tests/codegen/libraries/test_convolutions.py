"""Convolutions that are handed to cuDNN: one call of torch each, or a refusal."""

# MLIR does not wrap its lines.
# ruff: noqa: E501

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch

from support import warm_python
from support.codegen.programs import assert_right, built
from support.paths import EXAMPLES
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.launch import load
from tilewright.codegen.standalone.file import standalone
from tilewright.codegen.targets import TARGETS
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, compare_results, make_case
from tilewright.payload_work import reduction_length
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.inputs import from_torch, to_torch
from tilewright.tuning.model.library_cost import estimate_call

EXAMPLE = EXAMPLES / "convolution"

Golden = Callable[[str, str], None]

RELU = """
  %h = tensor.empty() : {out}
  %relu = linalg.generic {{indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%r : {out}) outs(%h : {out}) {{
  ^bb0(%y: {t}, %o: {t}):
    %m = arith.maximumf %y, %zero : {t}
    linalg.yield %m : {t}
  }} -> {out}
  return %relu : {out}
"""


def handed(library: str = "cudnn") -> str:
    return (
        "schedule handed(root) {\n"
        '  conv = match "linalg.generic" with [conv] in root\n'
        f'  library conv by "{library}"\n}}\n'
    )


def convolution(
    x: str = "n c y x",
    w: str = "f c p q",
    out: str = "n f i j",
    *,
    types: tuple[str, str] = ("f32", "f32"),
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    fill: str | None = "0.0",
    relu: bool = False,
    more: int = 0,
) -> str:
    """Images 11 by 9 and filters 3 by 2; `more` rows of the image are not read."""
    (sh, sw), (dh, dw) = stride, dilation
    sizes = {"n": 2, "c": 3, "f": 5, "p": 3, "q": 2, "g": 1}
    sizes["i"] = (11 - 2 * dh - 1) // sh + 1
    sizes["j"] = (9 - dw - 1) // sw + 1
    sizes |= {"y": 11 + more, "x": 9}
    index = {"y": f"i * {sh} + p * {dh}", "x": f"j * {sw} + q * {dw}"}
    maps = ", ".join(
        f"affine_map<(n, f, i, j, c, p, q) -> ({', '.join(index.get(d, d) for d in dims.split())})>"
        for dims in (x, w, out)
    )
    narrow, wide = types
    image, filters, result = (
        f"tensor<{'x'.join(str(sizes[d]) for d in dims.split())}x{of}>"
        for dims, of in ((x, narrow), (w, narrow), (out, wide))
    )
    start, given = "%c", f", %c: {result}"
    lines = [f"  %zero = arith.constant 0.0 : {wide}"]
    if fill is not None:
        start, given = "%e0", ""
        lines += [
            f"  %start = arith.constant {fill} : {wide}",
            f"  %e = tensor.empty() : {result}",
            f"  %e0 = linalg.fill ins(%start : {wide}) outs(%e : {result}) -> {result}",
        ]
    same = narrow == wide
    extended = [
        f"    %{v}1 = arith.extf %{v}0 : {narrow} to {wide}" for v in "ab" if not same
    ]
    last = 0 if same else 1
    lines += [
        f'  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}} ins(%x, %w : {image}, {filters}) outs({start} : {result}) attrs = {{conv}} {{',
        f"  ^bb0(%a0: {narrow}, %b0: {narrow}, %acc: {wide}):",
        *extended,
        f"    %p = arith.mulf %a{last}, %b{last} : {wide}",
        f"    %s = arith.addf %acc, %p : {wide}",
        f"    linalg.yield %s : {wide}",
        f"  }} -> {result}",
    ]
    tail = RELU.format(out=result, t=wide) if relu else f"  return %r : {result}\n"
    head = f"func.func @f(%x: {image}, %w: {filters}{given}) -> {result} {{"
    return "\n".join([head, *lines, tail.strip("\n"), "}", ""])


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "call"),
    [
        (convolution(), "_convolve(x, w, stride=(1, 1), dilation=(1, 1), out=e)"),
        (
            convolution(stride=(2, 1), dilation=(1, 2)),
            "_convolve(x, w, stride=(2, 1), dilation=(1, 2), out=e)",
        ),
        (
            convolution(stride=(3, 2), dilation=(2, 3)),
            "_convolve(x, w, stride=(3, 2), dilation=(2, 3), out=e)",
        ),
        (
            convolution("n y x c", "p q c f", "n i j f", stride=(1, 2)),
            "_convolve(\n        x.permute(0, 3, 1, 2),\n        w.permute(3, 2, 0, 1),\n"
            "        stride=(1, 2),\n        dilation=(1, 1),\n"
            "        out=e.permute(0, 3, 1, 2),\n    )",
        ),
        (
            convolution("n y x c", "f p q c", "n i j f"),
            "        w.permute(0, 3, 1, 2),\n",
        ),
        (
            convolution(fill="1.5", stride=(2, 2)),
            "e.fill_(1.5)\n    e.add_(_convolve(x, w, stride=(2, 2), dilation=(1, 1)))",
        ),
        (
            convolution(fill=None),
            "r.copy_(c)\n    r.add_(_convolve(x, w, stride=(1, 1), dilation=(1, 1)))",
        ),
        (
            convolution("n y x c", "p q c f", "n i j f", fill="1.5"),
            "e.permute(0, 3, 1, 2).add_(",
        ),
        (convolution(types=("f16", "f16")), "_convolve(x, w, "),
        (convolution(types=("f16", "f16"), fill="1.5"), "e.add_(_convolve(x, w, "),
        (convolution(types=("f64", "f64")), "_convolve(x, w, "),
    ],
)
@pytest.mark.parametrize("library", ["cudnn", "torch"])
def test_convolutions(library: str, text: str, call: str, tmp_path: Path) -> None:
    program = built(text, handed(library))
    question = make_case(parse_payload(text), 0)
    assert check_kernel_ir(program, question).ok
    assert program.program.kernels == ()
    source = source_file(program.program, tmp_path)
    result = load_launcher(source, "f")(*map(torch.from_numpy, question.inputs))
    verdict = compare_results(question, [result.numpy()])
    assert verdict.ok, verdict.message
    assert call in program.program.text


def test_a_kernel_behind_it(golden: Golden) -> None:
    text = convolution(relu=True, stride=(2, 1), dilation=(1, 2))
    program = assert_right(text, handed())
    assert len(program.program.kernels) == 1
    golden("programs/convolution.py", program.program.text)


ROUNDED = """  %h = tensor.empty() : {narrow}
  %half = linalg.generic {{indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%r : {wide}) outs(%h : {narrow}) attrs = {{round}} {{
  ^bb0(%y: f32, %o: f16):
    %m = arith.truncf %y : f32 to f16
    linalg.yield %m : f16
  }} -> {narrow}
  return %half : {narrow}
"""


def rounded() -> str:
    """A convolution that is summed in f32, and the op that rounds it to f16."""
    head, wide = convolution(types=("f16", "f32")).split("  return %r : ")
    wide = wide.split("\n")[0]
    narrow = wide.replace("f32", "f16")
    head = head.replace(f") -> {wide} {{", f") -> {narrow} {{", 1)
    return head + ROUNDED.format(wide=wide, narrow=narrow) + "}\n"


def test_a_convolution_and_the_op_that_rounds_it_are_one_call() -> None:
    program = assert_right(rounded(), handed().replace("[conv]", "[round]"))
    assert program.program.kernels == ()
    assert "stride=(1, 1), dilation=(1, 1), out=h)" in program.program.text


@pytest.mark.parametrize("text", [rounded(), convolution(), convolution(relu=True)])
def test_a_plan_hands_it_over(text: str) -> None:
    planned = plan(parse_payload(text), TARGETS["h200"])
    program = build(parse_payload(text), Schedule.from_text(planned.text))
    assert len(program.program.calls) == 1
    assert check_kernel_ir(program, make_case(parse_payload(text), 0)).ok


def test_kernel_ir_round_trip() -> None:
    text = to_text(built(convolution(relu=True), handed()).kernel)
    assert 'kernel.library "cudnn" {' in text
    context = payload_context()
    if context.get_optional_dialect("kernel") is None:
        context.load_dialect(Kernel)
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


def test_the_example() -> None:
    payload, schedule = (
        (EXAMPLE / name).read_text() for name in ("payload.mlir", "cudnn.tw")
    )
    program = assert_right(payload, schedule).program
    assert "_convolve(x, w, stride=(2, 2), dilation=(1, 1), out=" in program.text
    assert len(program.kernels) == 1


def test_the_source_is_formatted(tmp_path: Path) -> None:
    dims = ("n y x c", "p q c f", "n i j f")
    for position, text in enumerate(
        [convolution(), convolution(fill="1.5"), convolution(*dims, fill="1.5")]
    ):
        program = built(text, handed()).program
        (tmp_path / f"{position}.py").write_text(program.text)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--check", "--isolated", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


class OnACard(torch.Tensor):
    """A tensor that says it is on a device, and remembers what torch was told."""

    is_cuda = True  # pyright: ignore[reportAssignmentType]
    told: ClassVar[list[dict[str, Any]]] = []

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func is not torch.cudnn_convolution:
            return super().__torch_function__(func, types, args, kwargs or {})
        cls.told.append(kwargs)
        with torch._C.DisableTorchFunctionSubclass():
            made = torch.conv2d(
                *args, stride=kwargs["stride"], dilation=kwargs["dilation"]
            )
            out = kwargs["out"]
            return made if out is None else out.copy_(made)


@pytest.mark.parametrize("fill", ["0.0", "1.5"])
def test_f32_is_never_rounded_to_tf32(fill: str, tmp_path: Path) -> None:
    """Torch's own default lets cuDNN do so: the call has to say no.

    That torch knows the call's arguments is seen without a device, too.
    """
    text = convolution(stride=(2, 1), dilation=(1, 2), fill=fill)
    question = make_case(parse_payload(text), 0)
    source = source_file(built(text, handed()).program, tmp_path)
    inputs = [torch.from_numpy(a).as_subclass(OnACard) for a in question.inputs]
    OnACard.told.clear()
    result = load_launcher(source, "f")(*inputs)
    assert compare_results(question, [result.numpy()]).ok
    (told,) = OnACard.told
    assert told["allow_tf32"] is False
    assert (told["padding"], told["groups"]) == ((0, 0), 1)


def test_the_stand_alone_file_checks_it(tmp_path: Path) -> None:
    text = convolution(relu=True, stride=(2, 1), dilation=(1, 2))
    payload = parse_payload(text)
    program = built(text, handed()).program
    path = tmp_path / "kernel.py"
    path.write_text(standalone(program, payload, reduction_length(payload)))
    ran = warm_python.run(path)
    assert ran.returncode == 0, ran.stderr
    assert "largest error" in ran.stdout, ran.stdout


def test_the_work_of_a_call() -> None:
    (call,) = built(convolution(stride=(2, 1)), handed()).program.calls
    assert (call.batch, call.m, call.n, call.k) == (1, 2 * 5 * 8, 5, 3 * 3 * 2)
    assert call.flops == 2 * (2 * 5 * 5 * 8) * (3 * 3 * 2)
    image, filters, output = 2 * 3 * 11 * 9, 5 * 3 * 3 * 2, 2 * 5 * 5 * 8
    assert call.bytes_moved == 4 * (image + filters + output)
    # Sums are made beside what they are added to.
    (adding,) = built(convolution(stride=(2, 1), fill="1.5"), handed()).program.calls
    assert adding.bytes_moved == call.bytes_moved + 3 * 4 * output
    (last,) = built(
        convolution("n y x c", "p q c f", "n i j f", stride=(2, 1)), handed()
    ).program.calls
    assert last == call
    cost = estimate_call(call, TARGETS["h200"])
    assert cost.function == "torch.conv2d"
    assert cost.compute > 0
    assert cost.hbm > 0


def test_an_open_batch(tmp_path: Path) -> None:
    text = re.sub(r"tensor<2x(\d+x\d+x\d+xf32)>", r"tensor<?x\1>", convolution())
    text = text.replace(
        "%zero =",
        "%c0 = arith.constant 0 : index\n  %n = tensor.dim %x, %c0 : tensor<?x3x11x9xf32>\n  %zero =",
    )
    text = text.replace("tensor.empty()", "tensor.empty(%n)")
    shapes = [((n, 3, 11, 9), (5, 3, 3, 2)) for n in (2, 7)]
    program = build(parse_payload(text), Schedule.from_text(handed()), shapes=shapes)
    assert [work.calls[0].m for work in program.program.works] == [144, 504]
    launch = load_launcher(source_file(program.program, tmp_path), "f")
    for n in (0, 1, 7):
        x, w = torch.randn(n, 3, 11, 9), torch.randn(5, 3, 3, 2)
        torch.testing.assert_close(launch(x, w), torch.conv2d(x, w))


@pytest.mark.parametrize(
    ("text", "library", "reason"),
    [
        (convolution(), "cublas", 'no sums over windows.*hand it to "cudnn"'),
        (
            convolution(types=("f16", "f32")),
            "cudnn",
            "no convolution of f16 and f16 into f32.*let it write f16",
        ),
        (
            # Every size but the filters' columns is known.
            convolution().replace("5x3x3x2x", "5x3x3x?x"),
            "cudnn",
            "sizes, but for the batch, are open",
        ),
        (convolution("c n y x"), "cudnn", "as they lie in memory"),
        (convolution("n y x c"), "cudnn", "as they lie in memory"),
        (convolution(out="n f j i"), "cudnn", "as they lie in memory"),
        # Rows that no window reads.
        (
            convolution(more=1),
            "cudnn",
            "torch makes 10 places along dimension 2, not 9",
        ),
        (
            convolution().replace("i * 1 + p * 1, j", "i * 1 + p floordiv 2, j"),
            "cudnn",
            "no convolution of images",
        ),
        # Each channel has a filter of its own, and none is summed over.
        (
            convolution("n f y x", "f c p q"),
            "torch",
            "no convolution of images",
        ),
    ],
)
def test_what_cudnn_does_not_have_is_refused(
    text: str, library: str, reason: str
) -> None:
    with pytest.raises(SilenceableFailure) as caught:
        built(text, handed(library))
    assert caught.value.place is not None
    assert re.search(reason, str(caught.value), re.DOTALL), str(caught.value)


def test_a_product_is_no_convolution() -> None:
    text = """
func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
"""
    schedule = handed().replace('"linalg.generic" with [conv]', '"linalg.matmul"')
    with pytest.raises(SilenceableFailure, match="is no convolution"):
        built(text, schedule)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("fill", ["0.0", "1.5"])
@pytest.mark.parametrize(
    "dims",
    [("n c y x", "f c p q", "n f i j"), ("n y x c", "p q c f", "n i j f")],
)
def test_convolutions_on_a_device(
    dtype: str, fill: str, dims: tuple[str, str, str], tmp_path: Path
) -> None:
    text = convolution(
        *dims, types=(dtype, dtype), stride=(2, 1), dilation=(1, 2), fill=fill
    )
    program = built(text, handed()).program
    question = make_case(parse_payload(text), 0)
    inputs = [
        to_torch(array, spec.dtype, "cuda")
        for array, spec in zip(question.inputs, program.arguments, strict=True)
    ]
    result = load(program, tmp_path)(*inputs)
    assert compare_results(question, [from_torch(result, dtype)]).ok
