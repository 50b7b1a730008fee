"""The table of work: what is computed, by torch, by hand and by us, at which sizes.

A `Work` is one row. It makes its inputs, knows the right answer, what torch would run,
which hand-written kernels compute it, and our payload with the points to try.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as F

from contenders.ours import Ours
from contenders.points import points_for

TORCH_TYPES = {
    "bf16": torch.bfloat16,
    "f16": torch.float16,
    "f32": torch.float32,
    "fp8": torch.float8_e4m3fn,
    "i8": torch.int8,
}
# Rounding the result alone gives 1.7e-3 in bf16 and 2e-4 in f16.
TOLERANCES = {"bf16": 5e-3, "f16": 1e-3, "f32": 1e-5, "fp8": 1e-2}
TOLERANCES |= {"tf32": 2e-3, "tf32x3": TOLERANCES["f32"]}

# It takes half a minute a size.
AUTOTUNED = ((4096, 4096, 4096), (256, 4096, 4096), (4096, 256, 4096))

Tensors = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Work:
    """One row of the table."""

    name: str
    family: str
    inputs: Callable[[str], Tensors]
    """On a device, random; the same each time."""
    reference: Callable[..., torch.Tensor]
    """In float64 or float32."""
    function: Callable[..., torch.Tensor]
    """What torch runs, eagerly or compiled."""
    hand: Callable[[Tensors, int], Iterator[Any]]
    """Hand-written candidates, for inputs and a number of SMs."""
    payload: Callable[[], str]
    operations: float
    moved: float
    """The fewest bytes: each input read once, each output written once."""
    tolerance: float
    ours: tuple[Ours, ...] = field(default=())
    compiled: bool = True
    """Whether torch.compile gives anything but the eager call."""
    autotuned: bool = False
    """Whether max-autotune is worth its time here."""
    graph: bool = False
    """Small: timed by CUDA-graph replay too."""
    matrix: bool = True
    """Whether the card's 16-bit matrix rate bounds it."""


def _random(device: str, *shapes: tuple[int, ...], dtype: str, scale: float = 1.0):
    if device == "meta":  # to compile for, with nothing in it
        return tuple(
            torch.empty(shape, device=device, dtype=TORCH_TYPES[dtype])
            for shape in shapes
        )
    generator = torch.Generator(device).manual_seed(0)
    made = []
    for shape in shapes:
        if dtype == "i8":
            given = {"device": device, "dtype": torch.int8, "generator": generator}
            made.append(torch.randint(-127, 128, shape, **given))
        else:
            x = torch.randn(shape, device=device, generator=generator) * scale
            made.append(x.to(TORCH_TYPES[dtype]))
    return tuple(made)


def _bytes(dtype: str, *counts: int) -> float:
    return float(sum(counts) * TORCH_TYPES[dtype].itemsize)


def _wide(*tensors: torch.Tensor) -> Tensors:
    narrow = all(t.dtype.itemsize <= 2 for t in tensors)
    return tuple(t.float() if narrow else t.double() for t in tensors)


def _size(m: int, n: int, k: int) -> str:
    return f"{m}^3" if m == n == k else f"{m}x{n}x{k}"


def gemm(m: int, n: int, k: int, dtype: str = "bf16", precision: str = "ieee") -> Work:
    """a b; with tf32x3, torch's product is the one in full precision."""
    from rivals import gemm as rivals

    few = m < 64
    choices = {"f32": rivals.IEEE}.get(dtype, rivals.FEW_ROWS if few else rivals.BF16)
    choices = {"tf32": rivals.TF32, "tf32x3": rivals.TF32X3}.get(precision, choices)
    if m * n > 1024 * 4096:  # as many tiles as SMs: nothing to split
        choices = {key: c for key, c in choices.items() if key != "split_k"}

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        out = a.new_empty((m, n))
        product = rivals.Product(a, b, out, precision=precision)
        return rivals.candidates(product, choices, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.product(m, n, k, dtype)

    kind = dtype if precision == "ieee" else precision
    name = f"gemm {_size(m, n, k)} {kind}" + (" ieee" if dtype == kind == "f32" else "")
    return Work(
        name,
        "gemm",
        lambda device: _random(device, (m, k), (k, n), dtype=dtype),
        lambda a, b: torch.matmul(*_wide(a, b)),
        _matmul_tf32 if precision == "tf32" else _matmul,
        hand,
        payload,
        2.0 * m * n * k,
        _bytes(dtype, m * k, k * n, m * n),
        TOLERANCES[kind],
        points_for("gemm", kind, m, n, k),
        compiled=False,
        autotuned=(m, n, k) in AUTOTUNED and dtype == "bf16",
        graph=m * n <= 1024 * 4096,
        matrix=dtype != "f32",
    )


def _matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a @ b


def _matmul_tf32(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        return torch.matmul(a, b)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False


def gemm_fp8(m: int, n: int, k: int, out_dtype: str) -> Work:
    """a b^T of fp8, times a scale for each row and each column."""
    from rivals import gemm as rivals

    def inputs(device: str) -> Tensors:
        a, b = _random(device, (m, k), (n, k), dtype="fp8")
        scales = _random(device, (m,), (n,), dtype="f32")
        return a, b, *(scale.abs() + 0.1 for scale in scales)

    def reference(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        product = a.float() @ b.float().T
        return product * a_scale[:, None] * b_scale[None, :]

    def function(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        if a.device.type == "cpu":
            return reference(a, b, a_scale, b_scale).to(TORCH_TYPES[out_dtype])
        # Fast accumulation is what Triton's dot does.
        return torch._scaled_mm(
            a,
            b.T,
            scale_a=a_scale[:, None],
            scale_b=b_scale[None, :],
            out_dtype=TORCH_TYPES[out_dtype],
            use_fast_accum=True,
        )

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b, a_scale, b_scale = tensors
        out = a.new_empty((m, n), dtype=TORCH_TYPES[out_dtype])
        product = rivals.Product(
            a, b, out, a_scale=a_scale, b_scale=b_scale, transposed=True
        )
        return rivals.candidates(product, rivals.BYTES, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.scaled_product(m, n, k, out_dtype)

    return Work(
        f"gemm {_size(m, n, k)} fp8 scaled",
        "gemm",
        inputs,
        reference,
        function,
        hand,
        payload,
        2.0 * m * n * k,
        _bytes("fp8", m * k, k * n) + _bytes(out_dtype, m * n),
        TOLERANCES["fp8"],
        points_for("gemm", "fp8", m, n, k),
        compiled=False,
        matrix=False,
    )


def gemm_i8(m: int, n: int, k: int) -> Work:
    """a b^T of i8, in i32: exact."""
    from rivals import gemm as rivals

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        out = a.new_empty((m, n), dtype=torch.int32)
        product = rivals.Product(a, b, out, transposed=True)
        return rivals.candidates(product, rivals.BYTES_TO_I32, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.product_of_bytes(m, n, k)

    return Work(
        f"gemm {_size(m, n, k)} i8",
        "gemm",
        lambda device: _random(device, (m, k), (n, k), dtype="i8"),
        lambda a, b: a.double() @ b.double().T,
        lambda a, b: torch._int_mm(a, b.T),
        hand,
        payload,
        2.0 * m * n * k,
        _bytes("i8", m * k, k * n) + 4.0 * m * n,
        0.0,
        points_for("gemm", "i8", m, n, k),
        compiled=False,
        matrix=False,
    )


def batch_gemm(batch: int, m: int, n: int, k: int, dtype: str) -> Work:
    """A batch of products."""
    from rivals import gemm as rivals

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        product = rivals.Product(a, b, a.new_empty((batch, m, n)))
        return rivals.candidates(product, rivals.SHORT_K, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.batch_product(batch, m, n, k, dtype)

    return Work(
        f"batch gemm {batch}x{m}x{n}x{k} {dtype}",
        "batch gemm",
        lambda device: _random(device, (batch, m, k), (batch, k, n), dtype=dtype),
        lambda a, b: torch.bmm(*_wide(a, b)),
        torch.bmm,
        hand,
        payload,
        2.0 * batch * m * n * k,
        _bytes(dtype, batch * m * k, batch * k * n, batch * m * n),
        TOLERANCES[dtype],
        points_for("batch", dtype, m, n, k),
        compiled=False,
    )


def fused_linear(m: int, n: int, k: int, dtype: str, residual: bool) -> Work:
    """gelu(x w + bias), and + residual."""
    from rivals import gemm as rivals

    def inputs(device: str) -> Tensors:
        x, bias, added = _random(device, (m, k), (n,), (m, n), dtype=dtype)
        (w,) = _random(device, (k, n), dtype=dtype, scale=1 / math.sqrt(k))
        return (x, w, bias, added) if residual else (x, w, bias)

    def reference(*tensors: torch.Tensor) -> torch.Tensor:
        x, w, bias, *added = _wide(*tensors)
        return sum(added, F.gelu(x @ w + bias))

    def with_residual(x: Any, w: Any, bias: Any, added: Any) -> torch.Tensor:
        return F.gelu(torch.addmm(bias, x, w)) + added

    def without(x: Any, w: Any, bias: Any) -> torch.Tensor:
        return F.gelu(torch.addmm(bias, x, w))

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        x, w, bias, *added = tensors
        product = rivals.Product(
            *(x, w, x.new_empty((m, n)), bias, *added), activation="gelu"
        )
        small = m * n <= 1024 * 4096
        choices = {k: c for k, c in rivals.GELU.items() if k != "split_k" or small}
        return rivals.candidates(product, choices, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.linear_gelu(m, n, k, dtype, residual)

    what = "matmul+bias+gelu" + ("+residual" if residual else "")
    return Work(
        f"{what} {_size(m, n, k)} {dtype}",
        "fused linear",
        inputs,
        reference,
        with_residual if residual else without,
        hand,
        payload,
        2.0 * m * n * k,
        _bytes(dtype, m * k, k * n, n, m * n * (1 + residual)),
        TOLERANCES[dtype],
        points_for("linear", dtype, m, n, k),
        autotuned=(m, n, k) in AUTOTUNED,
        graph=m * n <= 1024 * 4096,
    )


def two_layers(rows: int, features: int, dtype: str) -> Work:
    """relu(x w1 + b1) w2 + b2, by two kernels."""
    from rivals import gemm as rivals
    from rivals.launching import Candidate

    def inputs(device: str) -> Tensors:
        (x,) = _random(device, (rows, features), dtype=dtype)
        shape = (features, features)
        scale = 1 / math.sqrt(features)
        w1, w2 = _random(device, shape, shape, dtype=dtype, scale=scale)
        b1, b2 = _random(device, (features,), (features,), dtype=dtype)
        return x, w1, b1, w2, b2

    def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> torch.Tensor:
        return torch.addmm(b2, torch.relu(torch.addmm(b1, x, w1)), w2)

    def hand(tensors: Tensors, programs: int) -> Iterator[Candidate]:
        x, w1, b1, w2, b2 = tensors
        hidden, out = x.new_empty((rows, features)), x.new_empty((rows, features))
        first = rivals.Product(x, w1, hidden, b1, activation="relu")
        second = rivals.Product(hidden, w2, out, b2)
        choices = rivals.IEEE if dtype == "f32" else rivals.SMALL
        pairs = zip(
            rivals.candidates(first, choices, programs),
            rivals.candidates(second, choices, programs),
            strict=True,
        )
        for one, two in pairs:
            launches = (*one.launches, *two.launches)
            scratch = (hidden, *one.scratch, *two.scratch)
            yield Candidate(one.structure, one.name, launches, out, scratch)

    def payload() -> str:
        from contenders import payloads

        return payloads.two_layers(rows, features, dtype)

    return Work(
        f"mlp {rows}x{features}-{features}-{features} {dtype}",
        "mlp",
        inputs,
        lambda *tensors: mlp(*_wide(*tensors)),
        mlp,
        hand,
        payload,
        4.0 * rows * features * features,
        _bytes(dtype, 2 * rows * features, 2 * features * features, 2 * features),
        TOLERANCES[dtype],
        points_for("mlp", dtype, rows, features, features),
        graph=True,
        matrix=dtype != "f32",
    )


def softmax(rows: int, columns: int, dtype: str) -> Work:
    """softmax along the rows."""
    from rivals import rows as rivals

    def payload() -> str:
        from contenders import payloads

        return payloads.softmax_of_rows(rows, columns, dtype)

    return _row_work(
        "softmax",
        (rows, columns, dtype),
        lambda device: _random(device, (rows, columns), dtype=dtype),
        lambda x: torch.softmax(_wide(x)[0], -1),
        lambda x: torch.softmax(x, -1),
        lambda tensors: rivals.RowWork(tensors[0], torch.empty_like(tensors[0])),
        payload,
        passes=2,
    )


def layernorm(rows: int, columns: int, dtype: str, residual: bool = False) -> Work:
    """layernorm of the rows, or of the rows of a sum."""
    from rivals import rows as rivals

    def inputs(device: str) -> Tensors:
        matrix, vector = (rows, columns), (columns,)
        shapes = (
            (matrix, matrix, vector, vector) if residual else (matrix, *[vector] * 2)
        )
        return _random(device, *shapes, dtype=dtype)

    def of_sum(x: Any, added: Any, weight: Any, bias: Any) -> torch.Tensor:
        return F.layer_norm(x + added, (columns,), weight, bias, rivals.EPSILON)

    def of_rows(x: Any, weight: Any, bias: Any) -> torch.Tensor:
        return F.layer_norm(x, (columns,), weight, bias, rivals.EPSILON)

    def bind(tensors: Tensors) -> rivals.RowWork:
        x, *added, weight, bias = tensors
        return rivals.RowWork(x, torch.empty_like(x), weight, bias, *added)

    def payload() -> str:
        from contenders import payloads

        return payloads.layernorm_of_rows(rows, columns, dtype, residual)

    function = of_sum if residual else of_rows
    return _row_work(
        "layernorm+residual" if residual else "layernorm",
        (rows, columns, dtype),
        inputs,
        lambda *tensors: function(*_wide(*tensors)),
        function,
        bind,
        payload,
        passes=2 + residual,
    )


def rmsnorm(rows: int, columns: int, dtype: str) -> Work:
    """rmsnorm of the rows."""
    from rivals import rows as rivals

    def function(x: Any, weight: Any) -> torch.Tensor:
        return F.rms_norm(x, (columns,), weight, rivals.EPSILON)

    def payload() -> str:
        from contenders import payloads

        return payloads.rmsnorm_of_rows(rows, columns, dtype)

    return _row_work(
        "rmsnorm",
        (rows, columns, dtype),
        lambda device: _random(device, (rows, columns), (columns,), dtype=dtype),
        lambda *tensors: function(*_wide(*tensors)),
        function,
        lambda t: rivals.RowWork(t[0], torch.empty_like(t[0]), t[1]),
        payload,
        passes=2,
    )


def _row_work(
    what: str,
    size: tuple[int, int, str],
    inputs: Callable[[str], Tensors],
    reference: Callable[..., torch.Tensor],
    function: Callable[..., torch.Tensor],
    bind: Callable[[Tensors], Any],
    payload: Callable[[], str],
    passes: int,
) -> Work:
    from rivals import rows as rivals

    rows, columns, dtype = size
    return Work(
        f"{what} {rows}x{columns} {dtype}",
        what,
        inputs,
        reference,
        function,
        lambda tensors, programs: rivals.candidates(bind(tensors), programs),
        payload,
        8.0 * rows * columns,
        _bytes(dtype, passes * rows * columns),
        TOLERANCES[dtype],
        points_for(what, dtype, rows, columns, 0),
        graph=columns <= 1024,
    )


def summed(count: int, dtype: str, gelu: bool) -> Work:
    """x + y, or its gelu."""
    from rivals import elementwise as rivals

    def add(x: Any, y: Any) -> torch.Tensor:
        return x + y

    def add_gelu(x: Any, y: Any) -> torch.Tensor:
        return F.gelu(x + y)

    function = add_gelu if gelu else add

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        x, y = tensors
        return rivals.candidates(x, y, torch.empty_like(x), gelu)

    def payload() -> str:
        from contenders import payloads

        return (payloads.add_gelu if gelu else payloads.vector_add)(count, dtype)

    what = "add+gelu" if gelu else "vector add"
    size = f"{count >> 20}M" if count >= 1 << 22 else f"2^{count.bit_length() - 1}"
    return Work(
        f"{what} {size} {dtype}",
        what,
        lambda device: _random(device, (count,), (count,), dtype=dtype),
        lambda x, y: function(*_wide(x, y)),
        function,
        hand,
        payload,
        float(count),
        _bytes(dtype, 3 * count),
        TOLERANCES[dtype],
        points_for("elementwise", dtype, count, 0, 0),
        graph=not gelu,
    )


def table() -> list[Work]:
    """The whole table, at full size."""
    fused = [(4096, 4096, 4096), (256, 1024, 1024)]
    return [
        *(gemm(size, size, size) for size in (8192, 4096, 2048, 1024, 512)),
        gemm(256, 4096, 4096),
        gemm(4096, 256, 4096),
        gemm(16, 4096, 4096),
        gemm(4096, 4096, 4096, "f32"),
        gemm(4096, 4096, 4096, "f32", "tf32"),
        gemm(4096, 4096, 4096, "f32", "tf32x3"),
        gemm_fp8(4096, 4096, 4096, "bf16"),
        gemm_i8(4096, 4096, 4096),
        batch_gemm(64, 1024, 1024, 64, "bf16"),
        *(
            fused_linear(*size, "bf16", added)
            for added in (False, True)
            for size in fused
        ),
        *(softmax(4096, n, t) for n in (1024, 4096, 32768) for t in ("f32", "bf16")),
        *(layernorm(4096, n, "bf16") for n in (1024, 4096, 16384)),
        *(rmsnorm(4096, n, "bf16") for n in (1024, 4096, 16384)),
        *(layernorm(4096, n, "bf16", True) for n in (1024, 4096, 16384)),
        summed(1 << 26, "bf16", gelu=True),
        summed(1 << 20, "bf16", gelu=False),
        summed(1 << 20, "f32", gelu=False),
        two_layers(256, 1024, "f16"),
        two_layers(256, 1024, "f32"),
    ]


def tiny_table() -> list[Work]:
    """Every kind of work at a size for Triton's interpreter, which cannot do bf16."""
    return [
        gemm(128, 256, 128, "f16"),
        gemm(16, 128, 512, "f16"),
        gemm(128, 128, 64, "f32"),
        gemm(128, 128, 64, "f32", "tf32"),
        gemm(128, 128, 64, "f32", "tf32x3"),
        gemm_fp8(128, 256, 256, "f16"),
        gemm_i8(128, 256, 256),
        batch_gemm(2, 128, 256, 64, "f16"),
        fused_linear(128, 256, 128, "f16", residual=False),
        fused_linear(128, 256, 128, "f16", residual=True),
        softmax(8, 1024, "f32"),
        softmax(8, 4096, "f16"),
        layernorm(8, 4096, "f16"),
        rmsnorm(8, 1024, "f16"),
        layernorm(8, 1024, "f16", residual=True),
        summed(1 << 13, "f16", gelu=True),
        summed(1 << 13, "f32", gelu=False),
        two_layers(64, 128, "f16"),
        two_layers(64, 64, "f32"),
    ]
