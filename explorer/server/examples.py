"""The examples that the page offers: pairs of a payload and a schedule."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Example:
    """Two files of `examples/`, with a line about them."""

    name: str
    title: str
    payload: str
    schedule: str

    def as_json(self) -> dict[str, Any]:
        """Both texts and their names."""
        payload, schedule = FOLDER / self.payload, FOLDER / self.schedule
        return {
            "name": self.name,
            "title": self.title,
            "payload": payload.read_text(encoding="utf-8"),
            "schedule": schedule.read_text(encoding="utf-8"),
            "payload_name": payload.name,
            "schedule_name": schedule.name,
        }


def _example(name: str, title: str, payload: str, schedule: str) -> Example:
    return Example(name, title, f"{payload}.mlir", f"{schedule}.tw")


EXAMPLES: tuple[Example, ...] = (
    _example(
        "first",
        "Matmul and relu: tile and fuse",
        "matmul_relu/payload",
        "matmul_relu/tile_fuse",
    ),
    _example(
        "tuned",
        "Matmul and relu: with open choices",
        "matmul_relu/payload",
        "matmul_relu/tuned",
    ),
    _example("gemm", "Matmul: a full GEMM", "payloads/matmul_relu", "gemm/gemm"),
    _example("softmax", "Softmax: a row a program", "payloads/softmax", "rows/softmax"),
    _example(
        "online", "Softmax: in one pass, streamed", "payloads/softmax", "rows/online"
    ),
    _example("layernorm", "Layer norm: rows", "payloads/layernorm", "rows/layernorm"),
    _example(
        "attention",
        "Attention: flash attention",
        "payloads/attention",
        "attention/attention",
    ),
    _example(
        "causal",
        "Attention: causal, masked tiles left out",
        "payloads/attention_causal",
        "attention/causal",
    ),
    _example(
        "softcap",
        "Attention with capped scores: a choice of structure",
        "demo/payload",
        "demo/softcap",
    ),
    _example(
        "any_rows",
        "Linear: one kernel for any number of rows",
        "any_rows/payload",
        "any_rows/linear",
    ),
)
BY_NAME = {example.name: example for example in EXAMPLES}
