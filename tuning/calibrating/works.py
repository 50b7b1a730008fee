"""The payloads of a calibration: small programs that wait for one thing each.

Together they take part of every number of a `Calibration`. Sizes fit into 2 GB of
memory, and no kernel should run for longer than some milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.frontend.builder import (
    Payload,
    attention,
    cast,
    gelu,
    layernorm,
    logsumexp,
    matmul,
    reduce,
    silu,
    softmax,
)
from tilewright.pipeline import parse_payload

EMPTY = "number"
"""The work that does next to nothing: its time is that of a launch."""

Inputs = Mapping[str, tuple[tuple[int, ...], str]]


@dataclass(frozen=True)
class CalibrationWork:
    """A payload by its inputs and the function of them."""

    name: str
    inputs: Inputs
    made: Callable[..., Any] | str
    """A function of the inputs, or the payload's text."""
    own_f32: str = "tf32x3"
    """How f32 is multiplied: "ieee" leaves the tensor cores out."""

    @property
    def payload(self) -> ModuleOp:
        """The payload, made anew."""
        if isinstance(self.made, str):
            return parse_payload(self.made)
        payload = Payload("work")
        tensors = [payload.input(name, *spec) for name, spec in self.inputs.items()]
        found = self.made(*tensors)
        payload.output(*(found if isinstance(found, tuple) else (found,)))
        return payload.module


def _matmul(
    m: int, n: int, k: int, dtype: str = "bf16", lies: str = "nn", own: str = "tf32x3"
) -> CalibrationWork:
    right = (n, k) if lies == "nt" else (k, n)
    return CalibrationWork(
        f"matmul {lies} {m}x{n}x{k} {dtype}{'' if own == 'tf32x3' else f' {own}'}",
        {"a": ((m, k), dtype), "b": (right, dtype)},
        lambda a, b: matmul(a, b.T if lies == "nt" else b, dtype=dtype),
        own,
    )


def _linear(m: int, n: int, k: int, dtype: str = "bf16") -> CalibrationWork:
    return CalibrationWork(
        f"linear+silu {m}x{n}x{k} {dtype}",
        {"a": ((m, k), dtype), "b": ((k, n), dtype)},
        lambda a, b: silu(a @ b, dtype=dtype),
    )


def _residual(m: int, n: int, k: int, dtype: str = "bf16") -> CalibrationWork:
    return CalibrationWork(
        f"gelu+residual {m}x{n}x{k} {dtype}",
        {"a": ((m, k), dtype), "b": ((k, n), dtype), "r": ((m, n), dtype)},
        lambda a, b, r: cast(gelu(a @ b) + r, dtype),
    )


def _computed_factor(m: int, n: int, k: int) -> CalibrationWork:
    return CalibrationWork(
        f"i8 weight {m}x{n}x{k}",
        {"a": ((m, k), "bf16"), "b": ((k, n), "i8")},
        lambda a, b: matmul(a, cast(b, "bf16"), dtype="bf16"),
    )


def _gated(
    m: int, n: int, k: int, dtype: str, own: str = "tf32x3", lies: str = "nn"
) -> CalibrationWork:
    right = (n, k) if lies == "nt" else (k, n)

    def made(a: Any, b: Any, c: Any) -> Any:
        b, c = (b.T, c.T) if lies == "nt" else (b, c)
        return silu(matmul(a, b)) * matmul(a, c)

    return CalibrationWork(
        f"gated {lies} {m}x{n}x{k} {dtype}{'' if own == 'tf32x3' else f' {own}'}",
        {"a": ((m, k), dtype), "b": (right, dtype), "c": (right, dtype)},
        made,
        own,
    )


def _attention(
    heads: int,
    rows: int,
    keys: int,
    features: int,
    causal: bool,
    dtype: str,
    cap: float | None = None,
) -> CalibrationWork:
    other = (1, heads, keys, features)
    kind = "causal " * causal + "capped " * (cap is not None)
    return CalibrationWork(
        f"{kind}attention {heads}x{rows}x{keys}x{features} {dtype}",
        {
            "q": ((1, heads, rows, features), dtype),
            "k": (other, dtype),
            "v": (other, dtype),
        },
        lambda q, k, v: attention(q, k, v, causal=causal, soft_cap=cap),
    )


def _rows(
    name: str, r: int, c: int, dtype: str, made: Callable[..., Any]
) -> CalibrationWork:
    return CalibrationWork(f"{name} {r}x{c} {dtype}", {"x": ((r, c), dtype)}, made)


def _norm(r: int, c: int, dtype: str) -> CalibrationWork:
    return CalibrationWork(
        f"layernorm {r}x{c} {dtype}",
        {"x": ((r, c), dtype), "w": ((c,), dtype), "b": ((c,), dtype)},
        layernorm,
    )


def _windows(rows: int, length: int, window: int, stride: int) -> CalibrationWork:
    """The largest element of windows along rows, read one by one."""
    out = (length - window) // stride + 1
    result, image = f"tensor<{rows}x{out}xf32>", f"tensor<{rows}x{length}xf32>"
    lines = [
        f"func.func @windows(%x: {image}) -> {result} {{",
        f"  %e = tensor.empty() : {result}",
        "  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],",
        '    iterator_types = ["parallel", "parallel"]}',
        f"    outs(%e : {result}) {{",
        "  ^bb0(%o: f32):",
        "    %i = linalg.index 0 : index",
        "    %j = linalg.index 1 : index",
        f"    %s = arith.constant {stride} : index",
        "    %b = arith.muli %j, %s : index",
    ]
    for at in range(window):
        lines += [
            f"    %c{at} = arith.constant {at} : index",
            f"    %p{at} = arith.addi %b, %c{at} : index",
            f"    %v{at} = tensor.extract %x[%i, %p{at}] : {image}",
        ]
        before = f"%m{at - 1}" if at > 1 else "%v0"
        if at:
            lines.append(f"    %m{at} = arith.maximumf {before}, %v{at} : f32")
    lines += [
        f"    linalg.yield %m{window - 1} : f32",
        f"  }} -> {result}",
        f"  return %r : {result}",
        "}",
    ]
    name = f"windows {rows}x{length} by {window}/{stride}"
    return CalibrationWork(name, {}, "\n".join(lines))


def _all_works() -> list[CalibrationWork]:
    def element(x: Any, y: Any) -> Any:
        return silu(x) * y

    def pair(r: int, c: int, dtype: str) -> CalibrationWork:
        shape = ((r, c), dtype)
        return CalibrationWork(
            f"silu*y {r}x{c} {dtype}", {"x": shape, "y": shape}, element
        )

    return [
        # The launch alone.
        CalibrationWork(EMPTY, {"x": ((), "f32")}, lambda x: x + 1.0),
        # Memory: large, of the size of the L2 cache, small, and rows of odd length.
        pair(8192, 14336, "bf16"),
        pair(2048, 2048, "bf16"),
        pair(256, 1024, "f32"),
        pair(4099, 1111, "bf16"),
        CalibrationWork(
            "transpose 8192x8192 bf16",
            {"x": ((8192, 8192), "bf16")},
            lambda x: cast(x.T, "f32"),
        ),
        # Whole rows, and loops over rows.
        _rows("softmax", 16384, 1000, "bf16", softmax),
        _rows("softmax", 4096, 4096, "f32", softmax),
        _rows("softmax", 512, 512, "bf16", softmax),
        _rows("softmax", 8192, 50257, "bf16", softmax),
        _rows("softmax", 64, 200000, "f32", softmax),
        _norm(4096, 5119, "bf16"),
        _norm(8192, 1024, "f32"),
        _rows("logsumexp", 2048, 131072, "bf16", logsumexp),
        _rows("row sum", 4096, 16384, "bf16", lambda x: reduce("sum", x, axis=1)),
        _rows("row sum", 132, 65536, "f32", lambda x: reduce("sum", x, axis=1)),
        # Results combined by several programs.
        _rows("column max", 4096, 4096, "bf16", lambda x: reduce("max", x, axis=0)),
        _rows("column sum", 32768, 256, "f32", lambda x: reduce("sum", x, axis=0)),
        _rows("sum", 8192, 4096, "bf16", lambda x: reduce("sum", x, axis=(0, 1))),
        # Windows.
        _windows(12288, 8192, 8, 1),
        _windows(12288, 8192, 3, 2),
        _windows(2048, 8192, 16, 4),
        # Matrices: large, thin, deep, ragged, batched in halves, with a tail.
        _matmul(4096, 4096, 4096),
        _matmul(3000, 5000, 2000),
        _matmul(128, 11008, 4096),
        _matmul(64, 256, 16384),
        _matmul(16384, 128, 1024),
        _matmul(1, 50257, 768),
        _matmul(2, 11008, 4096),
        _matmul(16, 4096, 4096, lies="nt"),
        _matmul(1, 8192, 8192, lies="nt"),
        _matmul(4, 4096, 4096, lies="nt"),
        _matmul(1024, 1024, 512),
        _matmul(1408, 1536, 4096),
        _matmul(2048, 2047, 1001),
        _matmul(2048, 2046, 1002),
        _matmul(2048, 2044, 1004),
        _matmul(2048, 2048, 1000),
        _matmul(1024, 1023, 1025, "f8E4M3FN", "nt"),
        _linear(2048, 3072, 768),
        _linear(512, 4096, 4096),
        _linear(4096, 4096, 4096),
        _residual(4096, 4096, 4096),
        _residual(2048, 4096, 1024),
        _computed_factor(16, 4096, 4096),
        _computed_factor(1024, 4096, 1024),
        _gated(2048, 5632, 2048, "bf16"),
        # f32 by three products of TF32, and without tensor cores.
        _matmul(4096, 4096, 4096, "f32", "nt"),
        _matmul(1024, 1024, 1024, "f32", "nt"),
        _matmul(128, 1024, 1024, "f32", "nt"),
        _matmul(8192, 32, 1024, "f32", "nt"),
        _matmul(1024, 1024, 1024, "f32"),
        _matmul(777, 3001, 1101, "f32", "nt"),
        _gated(1024, 4096, 1024, "f32", lies="nt"),
        _matmul(2048, 2048, 2048, "f32", own="ieee"),
        _matmul(2048, 2048, 2048, "f32", "nt", own="ieee"),
        _matmul(512, 512, 512, "f32", own="ieee"),
        _matmul(777, 3001, 1101, "f32", own="ieee"),
        _gated(1024, 4096, 1024, "f32", own="ieee"),
        # Streams.
        _attention(64, 4096, 4096, 64, False, "bf16"),
        _attention(64, 4096, 4096, 128, True, "bf16"),
        _attention(128, 8192, 8192, 128, True, "bf16"),
        _attention(512, 1024, 1024, 128, True, "bf16"),
        _attention(256, 2048, 2048, 128, False, "bf16"),
        _attention(256, 1024, 1024, 64, False, "bf16"),
        _attention(32, 1000, 1000, 64, False, "f16"),
        _attention(256, 1000, 1000, 128, False, "bf16"),
        _attention(256, 1000, 1000, 80, False, "bf16"),
        _attention(16, 2048, 2048, 256, False, "bf16"),
        _attention(32, 2048, 2048, 64, False, "bf16", 30.0),
        _attention(512, 16, 1024, 128, False, "bf16"),
        _attention(528, 32, 256, 64, False, "bf16"),
        _attention(132, 16, 64, 16, False, "bf16"),
        _attention(66, 64, 1024, 64, False, "bf16"),
        _attention(32, 1024, 1024, 64, False, "f32"),
        _attention(16, 2048, 2048, 128, True, "f32"),
        _attention(32, 256, 256, 32, False, "f32"),
    ]


@cache
def works() -> dict[str, CalibrationWork]:
    """All works by their names."""
    return {work.name: work for work in _all_works()}
