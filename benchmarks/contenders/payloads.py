"""The payloads of the table in `work.py`, as text; needs tilewright, not torch."""

from __future__ import annotations

from tilewright.payloads import (
    Payload,
    elementwise,
    gelu,
    layernorm,
    linear,
    matmul,
    mlp,
    rmsnorm,
    scaled_matmul,
    softmax,
)


def product(m: int, n: int, k: int, dtype: str) -> str:
    """a b, in the operands' type."""
    p = Payload("gemm")
    a = p.input("a", (m, k), dtype)
    b = p.input("b", (k, n), dtype)
    p.output(matmul(a, b, dtype=dtype))
    return p.text()


def product_of_bytes(m: int, n: int, k: int) -> str:
    """a b of i8 with b stored transposed, in i32."""
    p = Payload("gemm_i8")
    a = p.input("a", (m, k), "i8")
    b = p.input("b", (n, k), "i8")
    p.output(matmul(a, b.T))
    return p.text()


def scaled_product(m: int, n: int, k: int, out: str) -> str:
    """a b of fp8 with b stored transposed, scaled by row and by column."""
    p = Payload("gemm_fp8")
    a = p.input("a", (m, k), "f8E4M3FN")
    b = p.input("b", (n, k), "f8E4M3FN")
    a_scale = p.input("a_scale", (m,), "f32")
    b_scale = p.input("b_scale", (n,), "f32")
    p.output(scaled_matmul(a, b.T, a_scale, b_scale, dtype=out))
    return p.text()


def batch_product(batch: int, m: int, n: int, k: int, dtype: str) -> str:
    """A batch of products."""
    p = Payload("batch_gemm")
    a = p.input("a", (batch, m, k), dtype)
    b = p.input("b", (batch, k, n), dtype)
    p.output(matmul(a, b, dtype=dtype))
    return p.text()


def linear_gelu(m: int, n: int, k: int, dtype: str, residual: bool) -> str:
    """gelu(x w + bias), and + residual if asked."""
    p = Payload("linear")
    x = p.input("x", (m, k), dtype)
    w = p.input("w", (k, n), dtype)
    bias = p.input("bias", (n,), dtype)
    added = p.input("residual", (m, n), dtype) if residual else None
    p.output(linear(x, w, bias=bias, activation="gelu", residual=added))
    return p.text()


def two_layers(rows: int, features: int, dtype: str) -> str:
    """relu(x w1 + b1) w2 + b2."""
    p = Payload("mlp")
    x = p.input("x", (rows, features), dtype)
    w1 = p.input("w1", (features, features), dtype)
    b1 = p.input("b1", (features,), dtype)
    w2 = p.input("w2", (features, features), dtype)
    b2 = p.input("b2", (features,), dtype)
    p.output(mlp(x, [(w1, b1), (w2, b2)], activation="relu"))
    return p.text()


def softmax_of_rows(rows: int, columns: int, dtype: str) -> str:
    """softmax along the rows."""
    p = Payload("softmax")
    p.output(softmax(p.input("x", (rows, columns), dtype)))
    return p.text()


def layernorm_of_rows(rows: int, columns: int, dtype: str, residual: bool) -> str:
    """layernorm of the rows with weight and bias; of x + residual, if asked."""
    p = Payload("layernorm")
    x = p.input("x", (rows, columns), dtype)
    if residual:
        x = x + p.input("residual", (rows, columns), dtype)
    weight = p.input("weight", (columns,), dtype)
    bias = p.input("bias", (columns,), dtype)
    p.output(layernorm(x, weight, bias, eps=1e-5))
    return p.text()


def rmsnorm_of_rows(rows: int, columns: int, dtype: str) -> str:
    """rmsnorm of the rows with a weight."""
    p = Payload("rmsnorm")
    x = p.input("x", (rows, columns), dtype)
    weight = p.input("weight", (columns,), dtype)
    p.output(rmsnorm(x, weight, eps=1e-5))
    return p.text()


def add_gelu(count: int, dtype: str) -> str:
    """gelu(x + y), one op."""
    p = Payload("add_gelu")
    x = p.input("x", (count,), dtype)
    y = p.input("y", (count,), dtype)
    p.output(elementwise(lambda x, y: gelu(x + y), x, y, dtype=dtype))
    return p.text()


def vector_add(count: int, dtype: str) -> str:
    """x + y."""
    p = Payload("vector_add")
    p.output(p.input("x", (count,), dtype) + p.input("y", (count,), dtype))
    return p.text()
