"""`slice-after-reshape`: slices of a buffer that kernels address by one pointer."""

from __future__ import annotations

from support.planned_kernels import assert_right
from tilewright.payloads import Payload, maximum


def test_equal_columns_of_a_matrix_are_loaded_once() -> None:
    p = Payload("f")
    x, y = p.input("x", (6, 4), "f32"), p.input("y", (8, 4), "f32")
    (a, b), (c, d) = ([m[:, i : i + 1].reshape(-1) for i in (1, 2)] for m in (x, y))
    low = maximum(a[:, None], c[None, :])
    # The same columns by another way, as a model's indices give them.
    e, f = (m[:, 1:3][:, 0:1].reshape(-1) for m in (x, y))
    areas = (e * b)[:, None] + (f * d)[None, :]
    p.output(low / areas)
    assert assert_right(p).program.text.count("tl.load(") == 4
