"""Small payloads for the tests of the builder."""

from __future__ import annotations

from tilewright.frontend.builder import Payload, Scalar, elementwise, relu


def one(name: str = "p", shape: tuple[int | str | None, ...] = (4, 8), dtype="f32"):
    payload = Payload(name)
    return payload, payload.input("x", shape, dtype)


def count(text: str, op: str) -> int:
    return text.count(op)


def linear_relu() -> Payload:
    p = Payload("linear_relu")
    a = p.input("a", (16, 32), "f16")
    b = p.input("b", (32, 8), "f16")
    bias = p.input("bias", (8,), "f16")

    def tail(acc: Scalar, v: Scalar) -> Scalar:
        return relu(acc + v)

    p.output(elementwise(tail, a @ b, bias, dtype="f16"))
    return p
