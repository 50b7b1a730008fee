"""The spaces that strategies are compared on: a payload and a schedule each.

The schedules are those of `examples/` with fewer options, so that every point can be
measured. Between 220 and 520 points are valid in each space.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "spaces"


@dataclass(frozen=True)
class SearchSpace:
    """A payload of `examples/payloads/generate.py`, and a schedule for it."""

    example: str
    settings: dict[str, Any]
    schedule: str

    def payload_text(self) -> str:
        """The payload as MLIR."""
        return _generator().EXAMPLES[self.example](**self.settings).text()

    def schedule_text(self) -> str:
        """The schedule in the `.tw` language."""
        return (FOLDER / "schedules" / f"{self.schedule}.tw").read_text()


SPACES: dict[str, SearchSpace] = {
    "gemm_4096": SearchSpace("matmul_relu", dict(m=4096, n=4096, k=4096), "gemm"),
    "gemm_ragged": SearchSpace("matmul_relu", dict(m=3000, n=5000, k=2000), "gemm"),
    "few_tiles": SearchSpace("matmul_relu", dict(m=256, n=4096, k=4096), "few_tiles"),
    "linear_gelu": SearchSpace(
        "linear_gelu_residual", dict(rows=2048, inputs=1024, outputs=4096), "gemm"
    ),
    "batch_odd": SearchSpace(
        "batch_matmul", dict(batch=16, m=1000, n=1000, k=504), "batch"
    ),
    "softmax": SearchSpace("softmax", dict(rows=4096, columns=4096), "softmax"),
    "layernorm": SearchSpace(
        "layernorm",
        dict(rows=8192, columns=5120, residual=True),
        "layernorm_residual",
    ),
    "cross_entropy": SearchSpace(
        "cross_entropy", dict(rows=2048, classes=50257), "online"
    ),
    "decoding": SearchSpace(
        "attention_decoding", dict(batch=4, heads=32, keys=8192), "decoding_split"
    ),
    "linear_rmsnorm": SearchSpace(
        "linear_rmsnorm", dict(rows=8192, inputs=4096, outputs=128), "linear_rmsnorm"
    ),
    "attention": SearchSpace(
        "attention",
        dict(batch=1, heads=16, sequence=4096, features=128, causal=True),
        "causal",
    ),
}

UNSEEN: dict[str, SearchSpace] = {
    "gemm_short": SearchSpace("matmul_relu", dict(m=8192, n=1024, k=512), "gemm"),
    "batch_many": SearchSpace(
        "batch_matmul", dict(batch=64, m=512, n=512, k=128), "batch"
    ),
    "classes_32000": SearchSpace(
        "cross_entropy", dict(rows=8192, classes=32000), "online"
    ),
    "attention_64": SearchSpace(
        "attention",
        dict(batch=2, heads=32, sequence=2048, features=64, causal=True),
        "causal",
    ),
    "softmax_long": SearchSpace("softmax", dict(rows=512, columns=16384), "softmax"),
    "rmsnorm_256": SearchSpace(
        "linear_rmsnorm", dict(rows=16384, inputs=2048, outputs=256), "linear_rmsnorm"
    ),
}
"""Recorded after every option of every strategy was chosen, to compare strategies on.

No strategy may be changed because of them: a change needs other spaces to be judged on.
"""


def _generator() -> ModuleType:
    name = "example_payloads"
    if name not in sys.modules:
        path = ROOT / "examples" / "payloads" / "generate.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]
