"""Loading a program: the file it is written to, and the checks before a launch."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
import torch

import tilewright
from support.codegen.buffer_level import (
    elementwise,
    generated,
    inputs_for,
    matmul_relu,
    text_of,
)
from tilewright.codegen.runtime import launch
from tilewright.codegen.runtime.launch import load
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory):
    result = generated(matmul_relu(64, 32, 16, (16, 16, 16)))
    return load(result.program, tmp_path_factory.mktemp("load"))


def tensors() -> list[torch.Tensor]:
    return [torch.zeros(64, 16, dtype=torch.float16), torch.zeros(16, 32).half()]


def test_source_lies_in_a_file_named_by_its_content(program) -> None:
    assert program.path.read_text() == program.program.text
    again = load(program.program, program.path.parent)
    assert again.path == program.path


def test_wrong_count(program) -> None:
    with pytest.raises(UserError, match="takes 2 tensors, got 1"):
        program(tensors()[0])


def test_wrong_shape(program) -> None:
    a, b = _on_meta(*tensors())
    with pytest.raises(UserError, match=r"'b' has shape \[32, 16\].*\[16, 32\]"):
        program.prepare(a, b.t().contiguous())


def test_wrong_dtype(program) -> None:
    a, b = _on_meta(*tensors())
    with pytest.raises(UserError, match="'b' has dtype torch.float32"):
        program.prepare(a, b.float())


def test_wrong_device(program) -> None:
    a, b = tensors()
    with pytest.raises(UserError, match="on the CPU, where Triton kernels do not run"):
        program(a, b)
    with pytest.raises(UserError, match="'b' is on cpu, the first argument on meta"):
        program(a.to("meta"), b)


def test_not_a_tensor(program) -> None:
    with pytest.raises(UserError, match="'a' is a ndarray, not a tensor"):
        program(np.zeros((64, 16)), tensors()[1])


def test_other_layouts_are_copied_with_a_warning(program) -> None:
    a, b = _on_meta(*tensors())
    transposed = torch.empty(16, 64, dtype=torch.float16, device="meta").t()
    with pytest.warns(UserWarning, match="'a' is not contiguous and aligned"):
        prepared, _ = program.prepare(transposed, b)
    assert prepared.is_contiguous()
    assert program.prepare(a, b)[0] is a


class OnDevice:
    """As much of a tensor on a GPU as the check before a launch asks for."""

    def __init__(self, tensor: torch.Tensor, device: int, address: int = 0):
        self.shape = tensor.shape
        self.dtype = tensor.dtype
        self.contiguous = tensor.is_contiguous()
        self.number, self.address = device, address
        self.negated = tensor.is_neg()

    def is_contiguous(self) -> bool:
        return self.contiguous

    def data_ptr(self) -> int:
        return self.address

    def get_device(self) -> int:
        return self.number

    def is_neg(self) -> bool:
        return self.negated


@pytest.fixture
def checks(program, monkeypatch) -> list[object]:
    """The calls that are checked; all of them pass for good ones."""
    found: list[object] = []

    def prepare(*given: object) -> list[object]:
        found.append(given)
        return list(given)

    monkeypatch.setattr(program, "prepare", prepare)
    monkeypatch.setattr(program, "_fitting", {})
    return found


def test_tensors_that_fit_take_the_short_way(program, checks, monkeypatch) -> None:
    a, b = (OnDevice(tensor, 1) for tensor in tensors())
    calls: list[object] = []

    @contextlib.contextmanager
    def device(number: int):
        calls.append(number)
        yield
        calls.append("left")

    monkeypatch.setattr(torch.cuda, "device", device)
    monkeypatch.setattr(program, "current_device", lambda: 1)
    monkeypatch.setitem(program.launcher_on, 1, lambda *given: calls.append(given))
    program(a, b)
    assert len(checks) == 1
    calls.clear()
    program(a, b)
    assert calls == [(a, b)] and len(checks) == 1
    # On another device than the current one, the launch is made there.
    monkeypatch.setattr(program, "current_device", lambda: 0)
    program(a, b)
    assert calls == [(a, b), 1, (a, b), "left"] and len(checks) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda a, b: (a,),
        lambda a, b: (a, OnDevice(b, 1)),
        lambda a, b: (a, OnDevice(b, 0, address=8)),
        lambda a, b: (a, OnDevice(b.t().contiguous(), 0)),
        lambda a, b: (a, OnDevice(b.float(), 0)),
        lambda a, b: (a, OnDevice(torch.empty(32, 16, dtype=b.dtype).t(), 0)),
        lambda a, b: (a, OnDevice(torch._neg_view(b), 0)),
        lambda a, b: (a, b),
        lambda a, b: (a, b.numpy()),
    ],
)
def test_all_others_take_the_long_way(program, checks, change, monkeypatch) -> None:
    a, b = tensors()
    nothing = contextlib.nullcontext()
    monkeypatch.setattr(torch.cuda, "device", lambda number: nothing)
    monkeypatch.setitem(program.launcher_on, 0, lambda *given: None)
    fit = OnDevice(a, 0), OnDevice(b, 0)
    program(*fit)
    assert program._device_if_fit(fit) == 0
    assert program._device_if_fit(change(OnDevice(a, 0), b)) is None


def test_good_calls_are_not_kept_for_ever(program, checks, monkeypatch) -> None:
    monkeypatch.setattr(launch, "_MOST_CALLS", 2)
    nothing = contextlib.nullcontext()
    monkeypatch.setattr(torch.cuda, "device", lambda number: nothing)
    a, b = tensors()
    for device in (0, 1, 2, 0):
        monkeypatch.setitem(program.launcher_on, device, lambda *given: None)
        given = (OnDevice(a, device), OnDevice(b, device))
        program(*given)
        assert program._device_if_fit(given) == device
        assert len(program._fitting) <= 2


@pytest.fixture(scope="module")
def with_numbers(tmp_path_factory: pytest.TempPathFactory):
    text = elementwise(
        "%b = vector.broadcast %s : f32 to vector<16xf32>",
        "%n = arith.sitofp %m : i32 to f32",
        "%c = vector.broadcast %n : f32 to vector<16xf32>",
        "%x = arith.mulf %v, %b : vector<16xf32>",
        "%r = arith.addf %x, %c : vector<16xf32>",
    ).replace("%a: memref<64xf32>", "%a: memref<64xf32>, %s: f32, %m: i32")
    return load(generated(text).program, tmp_path_factory.mktemp("numbers"))


def test_numbers(with_numbers) -> None:
    a = torch.zeros(64)
    likeness = with_numbers._likeness_of
    assert likeness((OnDevice(a, 0), 1.5, 3))
    assert not likeness((OnDevice(a, 0), 1, 3))
    assert not likeness((OnDevice(a, 0), 1.5, 2**31))
    (meta,) = _on_meta(a)
    assert with_numbers.prepare(meta, 2, -(2**31))[1:] == [2, -(2**31)]
    with pytest.raises(UserError, match="'m' is 2147483648, which no i32 holds"):
        with_numbers.prepare(meta, 1.5, 2**31)
    with pytest.raises(UserError, match="'m' is a float, not a number of type i32"):
        with_numbers.prepare(meta, 1.5, 1.5)
    with pytest.raises(UserError, match="takes 3 arguments, got 1"):
        with_numbers.prepare(meta)


def test_a_graph_needs_a_device_and_its_own_tensors(program) -> None:
    a, b = _on_meta(*tensors())
    with pytest.raises(UserError, match="CUDA graphs need tensors on a CUDA device"):
        program.graph(a, b)
    transposed = torch.empty(16, 64, dtype=torch.float16, device="meta").t()
    with (
        pytest.warns(UserWarning, match="not contiguous"),
        pytest.raises(UserError, match="would be copied first"),
    ):
        load(program.program, program.path.parent).graph(transposed, b)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_graph_on_a_device(tmp_path: Path) -> None:
    result = generated(text_of("two_kernels"))
    loaded = load(result.program, tmp_path)
    inputs = [torch.from_numpy(x).cuda() for x in inputs_for(result.program)]
    captured = loaded.graph(*inputs)
    for seed in (1, 2):
        for tensor, array in zip(inputs, inputs_for(result.program, seed), strict=True):
            tensor.copy_(torch.from_numpy(array))
        torch.testing.assert_close(captured(), loaded(*inputs))
    assert captured(*inputs) is captured.results
    with pytest.raises(UserError, match="captured with other tensors"):
        captured(inputs[0].clone(), inputs[1])


def _on_meta(*values: torch.Tensor) -> list[torch.Tensor]:
    return [value.to("meta") for value in values]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize(
    "attributes", ["", "triton.descriptors, triton.group = 2 : i64"]
)
def test_on_a_device(attributes: str, tmp_path: Path) -> None:
    result = generated(matmul_relu(200, 136, 104, attributes=attributes))
    inputs = inputs_for(result.program)
    (want,) = run(result.kernel_module, inputs)
    out = load(result.program, tmp_path)(*(torch.from_numpy(x).cuda() for x in inputs))
    np.testing.assert_allclose(out.cpu().numpy(), want, rtol=2e-3, atol=2e-2)


PRODUCT = """func.func @product(%a: tensor<?x64xf16>, %b: tensor<64x128xf16>)
    -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf16>, tensor<64x128xf16>)
      outs(%f : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %r : tensor<?x128xf32>
}"""
SCHEDULE = """schedule direct(root) {
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [64, 64] onto [block.y, block.x]
  EXTRA
}"""


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.filterwarnings("ignore:.*not contiguous and aligned")
@pytest.mark.parametrize("extra", ["", "descriptors grid"])
def test_calls_by_turns_on_a_device(extra: str) -> None:
    """Sizes, layouts, alignments and streams by turns, in memory that is used again."""
    program = tilewright.compile(PRODUCT, SCHEDULE.replace("EXTRA", extra))
    side = torch.cuda.Stream()
    memory = torch.randn(64 * 300 + 8, device="cuda").half()
    b = torch.randn(64, 128, device="cuda").half()
    for turn in range(40):
        m = (1, 64, 100, 300)[turn % 4]
        start = (0, 3)[turn // 4 % 2]
        a = memory[start : start + 64 * m]
        a = a.view(64, m).t() if turn // 8 % 2 else a.view(m, 64)
        stream = side if turn % 3 else torch.cuda.current_stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            ways = [program(a, b)]
            if a.is_contiguous() and (start == 0 or not extra):
                ways.append(program.loaded.launcher_on[0](a, b))
        torch.cuda.synchronize()
        for out in ways:
            torch.testing.assert_close(out, a.float() @ b.float(), rtol=1e-2, atol=1e-2)
