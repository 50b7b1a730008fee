"""Loading a program: the file it is written to, and the checks before a launch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from codegen_tools import generated, inputs_for, matmul_relu

from tilewright.codegen.launch import load
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
