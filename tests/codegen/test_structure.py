"""Kernels have equal structures if they differ in names alone."""

from __future__ import annotations

from collections.abc import Hashable

import tilewright
from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.kernel.structure import structure
from tilewright.frontend.builder import Payload


def scaled(name: str, factor: float, columns: int = 64) -> Hashable:
    """The structure of the kernel that multiplies a matrix by a number."""
    payload = Payload(name)
    x = payload.input(f"{name}_in", (32, columns), "f32")
    payload.output(x * factor)
    built = tilewright.compile(payload, target="h200", inherit=False).built
    (kernel,) = kernels_of(built.kernel).values()
    return structure(kernel)


def test_names_do_not_count_and_numbers_do() -> None:
    one = scaled("one", 0.0)
    assert one == scaled("other", 0.0)
    assert hash(one) == hash(scaled("other", 0.0))
    assert one != scaled("one", -0.0)
    assert one != scaled("one", 0.0, columns=128)
