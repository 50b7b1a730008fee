"""The words of `explain`."""

from __future__ import annotations

import re

from support.planned_kernels import planned
from tilewright.payloads import Payload, linear, softmax
from tilewright.planning.explain import explain


def test_ops_fusions_and_kernels_are_explained() -> None:
    p = Payload("f")
    x = p.input("x", (512, 256), "f16")
    w = p.input("w", (256, 1024), "f16")
    p.output(softmax(linear(x, w, activation="gelu")))
    text = explain(planned(p))
    assert "512 x 1024 x [256]" in text
    assert "x along d1 (1024x); w along d0 (512x)" in text
    assert "a row is 2.05 kB: registers" in text
    assert "registers do not hold a tile of rows of 1024 sums" in text
    assert re.search(r"product +linear +yes +[\d.]+ us together, [\d.]+ us apart", text)
    kernels = text[text.index("Kernels ") :]
    assert "product, linear" in kernels
    assert "whole_rows" in kernels


def test_a_payload_without_ops_has_nothing_to_explain() -> None:
    p = Payload("f")
    p.output(p.input("x", (4, 4), "f32"))
    assert "Fusions\n\nnone" in explain(planned(p))


def test_operands_have_the_names_of_the_schedule() -> None:
    p = Payload("f")
    x = p.input("x", (512, 256), "f32")
    first, second = x.sum(1), (x * x).sum(1)
    p.output(first)
    p.output(x / second[:, None])
    assert "sum_2 along d1 (256x)" in explain(planned(p))
