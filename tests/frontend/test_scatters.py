"""Scatters, against numpy, real MLIR and kernels with atomics or stores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, results_of
from support.planned_kernels import assert_right, planned
from tilewright.frontend.builder import Payload, gather, scatter, scatter_add
from tilewright.frontend.builder.ops.elements import named_elementwise
from tilewright.ir.errors import UserError

Shape = tuple[int, ...]
Write = Callable[..., Any]


def scattered(
    x: Shape, ids: Shape, axis: int, dtype: str = "f32", write: Write = scatter_add
) -> Payload:
    p = Payload("scattered")
    given = p.input("x", x, dtype), p.input("ids", ids, "i64")
    p.output(write(*given, p.input("rows", ids, dtype), axis))
    return p


def expected(x: Any, ids: Any, rows: Any, axis: int) -> Any:
    total = x.astype(np.float64)
    for at in np.ndindex(*ids.shape):
        place = list(at)
        place[axis] = ids[at]
        total[tuple(place)] += rows[at]
    return total


@pytest.mark.parametrize(
    ("x", "ids", "axis", "dtype"),
    [
        ((9,), (40,), 0, "f32"),
        ((4, 5), (17, 5), 0, "f32"),
        ((3, 7), (3, 20), 1, "i32"),
        ((2, 5, 3), (1, 9, 3), 1, "f64"),
        ((4, 1), (6, 1), 0, "i64"),
    ],
)
def test_numbers(x: Shape, ids: Shape, axis: int, dtype: str) -> None:
    p = scattered(x, ids, axis, dtype)
    rng = np.random.default_rng(0)
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
    given = rng.integers(-9, 9, x).astype(kind[dtype])
    places = rng.integers(0, x[axis], ids)
    rows = rng.integers(-9, 9, ids).astype(kind[dtype])
    (found,) = results_of(p, [given, places, rows])
    assert_close(found, expected(given, places, rows, axis), dtype, ids[axis])


@pytest.mark.parametrize("write", [scatter, scatter_add])
def test_places_outside_are_left_out(write: Write) -> None:
    places = np.array([-1, 0, 5, 1, 1 << 40])
    given = np.zeros(5, np.float32), places, np.ones(5, np.float32)
    (found,) = results_of(scattered((5,), (5,), 0, write=write), given)
    assert found.tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("write", [scatter, scatter_add])
def test_an_index_outside_of_its_axis_writes_nowhere(write: Write) -> None:
    """Not to the next row either, whose elements follow in memory."""
    places = np.array([[2, -1], [0, 3], [-1, 7]])
    given = np.zeros((3, 2), np.float32), places, np.ones((3, 2), np.float32)
    (found,) = results_of(scattered((3, 2), (3, 2), 1, write=write), given)
    assert found.tolist() == [[0, 0], [1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("x", "ids", "axis", "dtype"),
    [
        ((40,), (9,), 0, "f32"),
        ((17, 5), (4, 5), 0, "bf16"),
        ((3, 20), (3, 7), 1, "i1"),
        ((2, 9, 3), (1, 5, 3), 1, "i8"),
    ],
)
def test_updates_are_stored_in_the_kernel_that_computes_them(
    x: Shape, ids: Shape, axis: int, dtype: str
) -> None:
    """Along the axis each place has one update, since their order is not told."""
    p = Payload("stored")
    given = p.input("x", x, dtype), p.input("start", (1,) * len(ids), "i64")
    rows = p.input("rows", ids, dtype)
    step = p.generate(lambda *at: at[axis].cast("i64"), ids, "i64")
    p.output(scatter(given[0], step * 2 - given[1], rows, axis))
    assert 'by "stores"' in planned(p).text
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == text.count("tl.store") == 1
    assert text.count(".copy_(") == 1


def test_the_last_update_of_a_place_wins_in_a_payload() -> None:
    given = np.zeros(4, np.float32), np.array([1, 3, 1]), np.arange(1, 4.0)
    p = scattered((4,), (3,), 0, write=scatter)
    (found,) = results_of(p, [given[0], given[1], given[2].astype(np.float32)])
    assert found.tolist() == [0, 3, 0, 2]


def cached(*, reads_before: bool = False) -> Payload:
    """A row of a cache is replaced, in its memory, and the cache is summed."""
    p = Payload("cached")
    cache = p.input("cache", (2, 9, 8), "f32", writable=True)
    place, new = p.input("place", (1,), "i64"), p.input("new", (2, 1, 8), "f32")
    made = scatter(cache, place[None, :, None], new * 2.0, 1)
    read = made - cache if reads_before else made
    p.output(made, read.sum(1))
    return p


def test_a_writable_input_is_written_in_its_place() -> None:
    made = assert_right(cached(), by_triton=True).program
    assert [one.is_written for one in made.arguments] == [True, False, False]
    assert "copy_" not in made.text and made.text.count("torch.empty") == 1


def test_old_elements_that_are_read_are_copied() -> None:
    assert ".copy_(" in assert_right(cached(reads_before=True)).program.text


def test_updates_of_the_input_that_they_are_written_to() -> None:
    """Programs read a copy of its elements: others may have written by then."""
    p = Payload("reversed")
    x = p.input("x", (6, 5), "f32", writable=True)
    rows = p.generate(lambda i, j: gather(x, 5 - i, j) * 2.0, (6, 5), "f32")
    places = p.generate(lambda i, j: i.cast("i64"), (6, 1), "i64")
    p.output(scatter(x, places, rows, 0))
    text = assert_right(p, by_triton=True).program.text
    assert text.count(".copy_(") <= 1


def test_a_scatter_counts_one_operation_for_each_update() -> None:
    text = planned(cached()).text
    assert "// 16 FLOP" in text


@needs_mlir
def test_real_mlir_lowers_it_to_loops() -> None:
    text = mlir_opt(
        scattered((4, 5), (6, 5), 0).text(),
        "--one-shot-bufferize=bufferize-function-boundaries",
        "--convert-linalg-to-loops",
    )
    assert text.count("scf.for") == 5 and "linalg" not in text


@pytest.mark.parametrize(
    ("x", "ids", "axis", "dtype"),
    [
        ((9, 5), (17, 5), 0, "f32"),
        ((3, 5), (3, 40), 1, "i64"),
        ((7,), (300,), 0, "f32"),
    ],
)
def test_the_kernel_of_the_updates_adds(
    x: Shape, ids: Shape, axis: int, dtype: str
) -> None:
    p = scattered(x, ids, axis, dtype)
    assert 'by "atomics"' in planned(p).text
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == text.count("tl.atomic_add") == 1
    assert "tl.store" not in text


def test_what_computes_the_updates_is_fused() -> None:
    """Messages along edges: rows of nodes times weights, added to other nodes."""
    p = Payload("messages")
    nodes = p.input("nodes", (9, 5), "f32")
    source, target = (p.input(name, (17,), "i64") for name in ("source", "target"))
    weights = p.input("weights", (17,), "f32")

    def message(given: Any) -> Any:
        source, weight = given.values()
        place = source * 0 + 3  # the test's indices are any numbers
        return gather(nodes, place, source.body.index(1)) * weight

    given = {"source": source[:, None], "weight": weights[:, None]}
    rows = named_elementwise("message", message, given, "f32", (17, 5))
    p.output(scatter_add(nodes, target[:, None], rows, 0) * 2.0)
    text = assert_right(p, by_triton=True).program.text
    assert text.count("@triton.jit") == 2 and text.count("tl.store") == 1


@pytest.mark.parametrize("dtype", ["f16", "bf16", "i1", "i8"])
def test_other_types_are_refused(dtype: str) -> None:
    with pytest.raises(UserError, match=f"adds {dtype} to {dtype}"):
        scattered((4,), (6,), 0, dtype)


def test_other_ranks_are_refused() -> None:
    p = Payload("ranks")
    x, ids = p.input("x", (4, 5), "f32"), p.input("ids", (6,), "i64")
    with pytest.raises(UserError, match="same number of dimensions"):
        scatter_add(x, ids, x, 0)


def test_numbers_without_loops_are_no_scatter() -> None:
    p = Payload("numbers")
    x, y = p.input("x", (), "f32"), p.input("y", (), "f32")
    p.output(x * y)
    assert "tl.atomic_add" not in assert_right(p).program.text
