"""Planned reductions across rows and to a single result."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, reduce, sqrt, tanh
from tilewright.pipeline import build, parse_payload

Shape = tuple[int | str, ...]


def reduction(shape: Shape, axis: int | tuple[int, ...], kind: str = "sum") -> Payload:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    payload.output(reduce(kind, x, axis=axis).named("total"))
    return payload


def mean_square_error(shape: Shape) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", shape, "f32"), payload.input("y", shape, "f32")
    difference = x - y
    payload.output(sqrt((difference * difference).mean((0, 1))))
    return payload


def mean_of_channels(shape: Shape) -> Payload:
    payload = Payload("f")
    payload.output(payload.input("x", shape, "f32").mean((0, 2, 3)))
    return payload


def kept_lengths(shape: Shape) -> Payload:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    length = (x * x).sum(1, keepdims=True)
    payload.output(sqrt(length + 1.0))
    return payload


def largest_sums(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", (m, k), "f32"), payload.input("y", (k, n), "f32")
    payload.output((x[:, :, None] + y).max(1))
    return payload


def moments(rows: int, columns: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, columns), "f32")
    mean = x.mean(0)
    centred = x - mean
    payload.output(mean, (centred * centred).mean(0))
    return payload


@pytest.mark.parametrize(
    ("payload", "statement"),
    [
        (reduction((3000, 256), 0), "split_reduction total_2 by 30 at 0"),
        (reduction((30, 20, 96), (0, 1)), "collapse total_2 by [2, 1]"),
        (reduction((256, 300), (0, 1)), "in_one_block total_2"),
        # A prime: the rows that are left are added at the end.
        (reduction((10007, 31), 0, "max"), "split total_2 after 9984 along 0"),
        (reduction((9, 40), 0), "tile total_2 by [0, columns] onto [block.x]"),
        (mean_square_error((300, 200)), "sum = inline sub into sum"),
        # Long rows, many and few.
        (reduction((300, 96, 100), (1, 2)), "collapse total_2 by [1, 2]"),
        (reduction((4, 256, 256), (1, 2)), "split_reduction total_2 by 8 at 0"),
        (reduction((4, 100003), 1), "split total_2 after 99984 along 1"),
        (reduction((32, 128, 20, 25), (0, 2, 3)), "by [0, 1, 0, 512]"),
        (mean_of_channels((32, 128, 20, 25)), "tile mean by [1] onto [block.x]"),
        # A dimension of size 1 has no loop.
        (kept_lengths((64, 256, 4096)), "tile sqrt by [1, columns]"),
    ],
)
def test_structures(payload: Payload, statement: str) -> None:
    assert statement in planned(payload).text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "payload",
    [
        reduction((3000, 66), 0),
        reduction((9, 40), 0),
        reduction((3, 200, 96), 1, "max"),
        pytest.param(reduction((3, 40, 6, 16), 1), marks=pytest.mark.slow),
        pytest.param(reduction((30, 20, 9), (0, 1), "min"), marks=pytest.mark.slow),
        reduction((100, 1000), (0, 1)),
        pytest.param(reduction((100_003,), 0, "max"), marks=pytest.mark.slow),
        reduction((10,), 0),
        pytest.param(reduction((1007, 31), 0), marks=pytest.mark.slow),
        pytest.param(mean_square_error((130, 200)), marks=pytest.mark.slow),
        reduction((8, 70, 20, 25), (0, 2, 3)),
        kept_lengths((3, 40, 70)),
        # No input has all loops; the larger one lies along the reduced loop.
        largest_sums(33, 20, 40),
        reduction((4, 100_003), 1),
        pytest.param(reduction((300, 96, 100), (1, 2)), marks=pytest.mark.slow),
    ],
)
def test_one_kernel_with_the_right_numbers(payload: Payload) -> None:
    assert len(assert_right(payload).program.kernels) == 1


@pytest.mark.slow
def test_a_shared_sum_in_tritons_interpreter() -> None:
    assert_right(mean_square_error((130, 200)), by_triton=True)


def test_an_open_size() -> None:
    assert_right(reduction(("M", 64), 0), [(77, 64)])


def test_each_sum_across_rows_is_a_kernel() -> None:
    made = assert_right(moments(2000, 64))
    names = [kernel.name for kernel in made.program.kernels]
    assert sum("reduce" in name for name in names) == 2


def test_rows_with_a_factor_for_each_column() -> None:
    payload = Payload("f")
    x, w = payload.input("x", (96, 300), "f32"), payload.input("w", (300,), "f32")
    payload.output((x * w).sum((0, 1)) * 0.5)
    assert "by [0, 1, 512]" in planned(payload).text
    assert len(assert_right(payload).program.kernels) == 1


@pytest.mark.slow
def test_a_batch_norm_in_training() -> None:
    # Two kernels compute the mean, and all three the hyperbolic tangent.
    payload = Payload("f")
    x = tanh(payload.input("x", (128, 4, 32, 64), "f32"))
    mean = x.mean((0, 2, 3))[:, None, None]
    centred = x - mean
    squares = reduce("sum", centred * centred, axis=(0, 2, 3)).named("squares")
    payload.output((x - mean) / sqrt(squares[:, None, None] + 1.0))
    assert planned(payload).text.count("inline tanh into") == 3
    made = assert_right(payload)
    assert len(made.program.kernels) == 3


@pytest.mark.slow
def test_reductions_of_one_tensor_are_one_pass() -> None:
    payload = Payload("f")
    x = payload.input("x", (600, 96), "f32")
    payload.output(x.sum(0), (x * x).sum(0), x.max(0))
    program = assert_right(payload, by_triton=True).program
    (kernel,) = program.kernels
    reads = [a for a in kernel.accesses if a.kind == "load" and len(a.tile) == 2]
    assert len({a.tensor for a in reads if a.count > 1}) == 1, program.text


def test_few_columns_load_all_their_parts_at_once() -> None:
    """Each load of parts waits for the one before: registers hold 64 of 64 columns."""
    payload = Payload("f")
    x = payload.input("x", (2, 4096, 512), "bf16")
    payload.output(x.sum(1), reduce("sum", x, axis=1, of=lambda e: e * e))
    found = planned(payload)
    assert "split_reduction" in found.text and "cdiv(4096, columns" in found.text
    made = build(parse_payload(payload.text()), found.schedule)
    last = made.program.text.split("if arrived ==")[1]
    assert "for " not in last.split("\ndef ")[0]


def test_a_factor_with_a_dimension_of_one_is_no_window() -> None:
    payload = Payload("f")
    x, scale = payload.input("x", (600, 8, 4), "f32"), payload.input("s", (8, 1), "f32")
    scaled = [
        reduce(kind, x, scale, axis=0, of=lambda x, s: x * s) for kind in ("sum", "max")
    ]
    payload.output(*scaled)
    assert len(assert_right(payload).program.kernels) == 1


@pytest.mark.slow
def test_reductions_of_enough_columns_are_one_pass_without_parts() -> None:
    payload = Payload("f")
    x = payload.input("x", (4, 40, 96), "f32")
    payload.output(x.mean(1), x.max(1))
    text = planned(payload).text
    assert "fuse_sibling grid_2 into grid" in text
    assert "split_reduction" not in text
    (kernel,) = assert_right(payload).program.kernels
    assert len({a.tensor for a in kernel.accesses if a.kind == "load"}) == 1


def test_sums_of_many_tensors_leave_registers_free() -> None:
    """Two layers' gradients have 18 such sums; one kernel spilled 6.5 kB a thread."""
    payload = Payload("f")
    for number in range(18):
        payload.output(payload.input(f"x{number}", (3152, 768), "bf16").sum(0))
    kernels = planned(payload).kernels
    assert 2 < sum(len(kernel.groups) for kernel in kernels) < 9
    for kernel in kernels:
        point = kernel.candidates[0].point
        each = 32 * point["columns"] / (32 * point["warps"])
        assert len(kernel.group.sinks) * each <= 64


def test_branches_have_names_of_their_own() -> None:
    payload = Payload("f")
    payload.output(payload.input("x", (3152, 3072), "bf16").sum(0))
    (kernel,) = planned(payload).kernels
    labels = [candidate.sketch.label for candidate in kernel.candidates]
    assert len(labels) == len(set(labels))


@pytest.mark.slow
def test_every_branch_is_right() -> None:
    payload = reduction((3, 200, 96), 1)
    (kernel,) = planned(payload).kernels
    assert len(kernel.candidates) == 2
    for candidate in kernel.candidates:
        assert_right(payload, point={"kernel": candidate.sketch.label})


@pytest.mark.parametrize("dtypes", [("bf16", "f32"), ("i32", "i32")])
def test_a_weighted_sum_that_no_library_has(dtypes: tuple[str, str]) -> None:
    payload = Payload("f")
    x = payload.input("x", (3, 50, 72), dtypes[0])
    weights = payload.input("weights", (3, 50), dtypes[1])
    total = reduce("sum", x, weights[:, :, None], axis=1, of=lambda a, b: a * b)
    payload.output(total + total)
    found = planned(payload)
    assert len(found.kernels) == 1
    assert "tile_reduction" in found.text
    assert_right(payload)


def test_a_weighted_sum_along_odd_rows() -> None:
    payload = Payload("f")
    x = payload.input("x", (3, 50, 72), "bf16")
    weights = payload.input("weights", (3, 72), "f32")
    by_row = weights[:, None, :]
    payload.output(reduce("sum", x, by_row, axis=2, of=lambda a, b: a * b))
    assert_right(payload)
