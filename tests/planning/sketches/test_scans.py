"""Plans of scans: what joins their kernel, and numbers at several points."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, concatenate, exp, index, scan, where


def running(shape: tuple[int | str, ...], axis: int = -1, dtype: str = "f32"):
    p = Payload("running")
    p.output(scan("sum", p.input("x", shape, dtype), axis=axis, dtype=dtype))
    return p


def test_a_short_row_is_scanned_with_what_is_element_wise() -> None:
    p = Payload("fused")
    x = p.input("x", (5, 300), "f32")
    p.output(exp(scan("sum", x * 0.1) * 0.1) / x.sum(-1, keepdims=True))
    assert len(planned(p).kernels) == 1
    assert_right(p)


def test_the_index_of_a_running_maximum_is_one_kernel() -> None:
    p = Payload("cummax")
    x = p.input("x", (4, 100), "f32")
    best = scan("max", x)

    def setter(x, best):
        return where(x == best, index(-1).cast("i32"), 0)

    p.output(best, scan("max", x, best, of=setter, dtype="i64"))
    assert len(planned(p).kernels) == 1
    assert_right(p, by_triton=True)


@pytest.mark.slow
def test_a_long_row_is_scanned_in_steps() -> None:
    p = Payload("long")
    x = p.input("x", (3, 40000), "f32")
    p.output(scan("sum", x * 2.0) + 1.0)
    found = planned(p)
    assert len(found.kernels) == 2
    assert "loop = tile scan_sum by [0, block" in found.text
    assert_right(p)


@pytest.mark.parametrize(
    "point", [{"block": 32, "warps": 4}, {"block": 64, "warps": 8}]
)
def test_columns_at_other_points(point: dict[str, int]) -> None:
    assert_right(running((3, 300, 70), axis=1), point=point)


def test_each_thread_scans_columns_of_its_own() -> None:
    payload = running((2, 150, 140), axis=1)
    assert "pipeline loop stages" in planned(payload).text
    assert_right(payload)


@pytest.mark.slow
def test_a_scan_of_short_columns_joins_its_readers() -> None:
    p = Payload("columns")
    x = p.input("x", (2, 40, 5, 14), "f32")
    p.output(exp(scan("sum", x * 0.1, axis=1)) / x.sum(1, keepdims=True))
    assert len(planned(p).kernels) == 1
    assert_right(p, by_triton=True)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("shape", [(1, 5000), (5000,), (7, 1), (1,), (2, 3, 4, 2, 9)])
def test_odd_shapes(shape: tuple[int, ...]) -> None:
    assert_right(running(shape))


def test_open_sizes() -> None:
    for given in ((3, 50), (1, 3000)):
        assert_right(running(("rows", "columns")), [given])


def test_a_joined_tensor_is_scanned() -> None:
    """Its first column is a kernel's result in another shape, copied into a window."""
    p = Payload("exclusive")
    x = p.input("x", (9, 20), "f32")
    first = p.generate(lambda i, j: i.cast("f32"), (9, 1), "f32")
    p.output(scan("sum", concatenate([first, x], 1)[:8]))
    assert_right(p)
