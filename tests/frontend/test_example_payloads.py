"""The example payloads: the files are what the builder makes, and the numbers right.

The reference is torch in float64, from the inputs as they are rounded.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from support.ir.printed import ours
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import EXAMPLES
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import Payload
from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module, to_text

FOLDER = EXAMPLES / "payloads"


def _load() -> ModuleType:
    path = FOLDER / "generate.py"
    spec = importlib.util.spec_from_file_location("generate_payloads", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _load()
EACH_FILE = pytest.mark.parametrize("name", sorted(generate.FILES))


@EACH_FILE
def test_a_file_holds_what_the_script_writes(name: str) -> None:
    written = (FOLDER / f"{name}.mlir").read_text()
    assert written == generate.file_text(name), "run examples/payloads/generate.py"


def test_there_are_no_other_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.mlir")} == set(generate.FILES)


@pytest.mark.sampled(6)
@EACH_FILE
@needs_mlir
def test_real_mlir_reads_the_same_program(name: str) -> None:
    text = (FOLDER / f"{name}.mlir").read_text()
    real = mlir_opt(text)
    assert mlir_opt(ours(text)) == real
    assert ours(real, named=False) == ours(text, named=False)


@EACH_FILE
def test_our_print_is_the_file(name: str) -> None:
    text = (FOLDER / f"{name}.mlir").read_text()
    (function,) = parse_module(text, name, payload_context()).ops
    assert to_text(function) == text


# The numbers.

T = torch.Tensor


def rotated(x: T, cosine: T, sine: T) -> T:
    first, second = x.chunk(2, -1)
    c, s = cosine[:, None], sine[:, None]
    return torch.cat((first * c - second * s, second * c + first * s), -1)


def fp8_reference(a: T, b: T, a_scale: T, b_scale: T) -> T:
    rows = a_scale[:, None] if a_scale.ndim else a_scale
    return (a @ b.T) * rows * b_scale


def linear_reference(x: T, w: T, b: T, r: T) -> T:
    return F.gelu(x @ w + b) + r


def layernorm_reference(*given: T) -> T:
    *added, weight, bias = given
    return F.layer_norm(sum(added), weight.shape, weight, bias)  # pyright: ignore


def rmsnorm_reference(x: T, weight: T) -> T:
    return F.rms_norm(x, weight.shape, weight, 1e-6)


def cross_entropy_reference(logits: T, targets: T) -> T:
    """Random targets may be no class: these pick nothing."""
    is_class = (targets >= 0) & (targets < logits.shape[1])
    picked = logits.gather(1, targets.clamp(0, logits.shape[1] - 1)[:, None])[:, 0]
    return logits.logsumexp(1) - torch.where(is_class, picked, 0)


def decoding_reference(q: T, k: T, v: T) -> T:
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def documents_reference(q: T, k: T, v: T, documents: T) -> T:
    scores = 30 * torch.tanh(q @ k.mT / q.shape[-1] ** 0.5 / 30)
    same = documents[:, None, :, None] == documents[:, None, None, :]
    seen = same & torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return torch.where(seen, scores, -torch.inf).softmax(-1) @ v


REFERENCES: dict[str, Callable[..., T | list[T]]] = {
    "vector_add": torch.add,
    "matmul_relu": lambda a, b: F.relu(a @ b),
    "batch_matmul": torch.bmm,
    "linear_gelu_residual": linear_reference,
    "mlp": lambda x, w1, b1, w2, b2: F.relu(x @ w1 + b1) @ w2 + b2,
    "gated_mlp": lambda x, gate, up, down: (F.silu(x @ gate) * (x @ up)) @ down,
    "fp8_matmul": fp8_reference,
    "softmax": lambda x: F.softmax(x, -1),
    "cross_entropy": cross_entropy_reference,
    "layernorm": layernorm_reference,
    "rmsnorm": rmsnorm_reference,
    "linear_rmsnorm": lambda x, w, weight: rmsnorm_reference(x @ w, weight),
    "rmsnorm_rope": lambda x, w, c, s: rotated(rmsnorm_reference(x, w), c, s),
    "attention": F.scaled_dot_product_attention,
    "attention_decoding": decoding_reference,
    "attention_documents": documents_reference,
}

SIZES: dict[str, list[dict[str, Any]]] = {
    "vector_add": [{"n": 1}, {"n": 7}, {"n": 1000}],
    "matmul_relu": [{"m": 1, "n": 1, "k": 1}, {"m": 7, "n": 127, "k": 33}],
    "batch_matmul": [
        {"batch": 1, "m": 1, "n": 7, "k": 1},
        {"batch": 3, "m": 7, "n": 33, "k": 127},
    ],
    "linear_gelu_residual": [
        {"rows": 1, "inputs": 7, "outputs": 1},
        {"rows": 33, "inputs": 127, "outputs": 7},
    ],
    "mlp": [{"batch": 7, "inputs": 127, "hidden": 33, "outputs": 1}],
    "gated_mlp": [{"rows": 7, "features": 33, "hidden": 127}],
    "fp8_matmul": [
        {"m": 7, "n": 33, "k": 127},
        {"m": 7, "n": 1, "k": 64, "per_row": False},
    ],
    "softmax": [{"rows": 1, "columns": 1}, {"rows": 7, "columns": 127}],
    "cross_entropy": [{"rows": 7, "classes": 127}],
    "rmsnorm_rope": [{"tokens": 7, "heads": 3, "features": 34}],
    "layernorm": [
        {"rows": 7, "columns": 127},
        {"rows": 7, "columns": 127, "residual": True},
    ],
    "rmsnorm": [{"rows": 1, "columns": 7}, {"rows": 7, "columns": 127}],
    "linear_rmsnorm": [{"rows": 7, "inputs": 33, "outputs": 127}],
    "attention": [
        {"batch": 2, "sequence": 7, "features": 5},
        {"batch": 2, "heads": 3, "sequence": 127, "features": 16, "causal": True},
        {"batch": 1, "heads": 1, "sequence": 1, "features": 1},
    ],
    "attention_decoding": [
        {"batch": 2, "heads": 6, "key_heads": 2, "keys": 127, "features": 16}
    ],
    "attention_documents": [{"batch": 2, "heads": 3, "sequence": 33, "features": 16}],
}

DTYPES = {"fp8_matmul": ["f8E4M3FN", "f8E5M2"]}


def reduction_of(settings: dict[str, Any]) -> int:
    return max(value for value in settings.values() if not isinstance(value, bool))


def check_numbers(name: str, payload: Payload, settings: dict[str, Any]) -> None:
    arrays = random_arrays(payload)
    tensors = [torch.from_numpy(array) for array in wide(arrays)]
    options = {"is_causal": True} if settings.get("causal") else {}
    expected = REFERENCES[name](*tensors, **options)
    wanted = expected if isinstance(expected, list) else [expected]
    results = results_of(payload, arrays)
    for output, result, one in zip(payload.outputs, results, wanted, strict=True):
        assert_close(result, one.numpy(), output.dtype, reduction_of(settings))


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("name", "settings", "dtype"),
    [
        (name, settings, dtype)
        for name, several in SIZES.items()
        for settings in several
        for dtype in DTYPES.get(name, ["f32", "f16", "bf16"])
    ],
    ids=str,
)
def test_numbers_at_odd_sizes(name: str, settings: dict[str, Any], dtype: str) -> None:
    payload = generate.EXAMPLES[name](**settings, dtype=dtype)
    check_numbers(name, payload, settings)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "file",
    ["vector_add", "matmul_relu", "fp8_matmul", "rmsnorm", "mlp_f32", "attention_odd"],
)
def test_numbers_of_whole_files(file: str) -> None:
    example, settings = generate.FILES[file]
    payload = generate.EXAMPLES[example](**settings)
    check_numbers(example, payload, {"k": 1024})


def test_every_example_has_a_reference_and_sizes() -> None:
    assert set(generate.EXAMPLES) == set(REFERENCES) == set(SIZES)


# The script.


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FOLDER / "generate.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=FOLDER.parents[1],
        env={"PYTHONPATH": str(FOLDER.parents[1])},
    )


@pytest.mark.slow
def test_one_example_at_any_size_to_the_screen() -> None:
    done = script("softmax", "--rows", "3", "--columns", "5", "--dtype", "f16", "-o-")
    assert done.returncode == 0, done.stderr
    assert done.stdout == generate.softmax_rows(3, 5, "f16").text()


@pytest.mark.slow
def test_a_mistake_is_one_message(tmp_path: Path) -> None:
    done = script("softmax", "--dtype", "flaot16", "-o-")
    assert done.returncode == 1
    assert "there is no element type 'flaot16'; did you mean 'float16'?" in done.stderr
    assert "Traceback" not in done.stderr
    done = script("softmax", "-o", str(tmp_path / "no" / "file.mlir"))
    assert "cannot write" in done.stderr and "Traceback" not in done.stderr


def test_overflow_is_avoided_where_the_exponential_alone_would() -> None:
    payload = generate.softmax_rows(2, 5, "f16")
    x = np.array([[1e4, 1, 2, 3, -1e4], [100, 100, 100, 100, 100]], np.float16)
    (result,) = results_of(payload, [x])
    assert_close(result, [[1, 0, 0, 0, 0], [0.2] * 5], "f16", 5)
