"""Poolings compute the element-wise ops before them on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch.nn import functional as F  # noqa: E402

from support.prepared import prepared_text  # noqa: E402
from tilewright.torch_backend.watching import watching  # noqa: E402


def _overlapping(x: Any, scale: Any) -> Any:
    return F.max_pool2d(F.relu(x * scale + 1), 3, 2, 1)


def _apart(x: Any, scale: Any) -> Any:
    return F.avg_pool2d(torch.tanh(x * scale) / 3, 2)


def _costly(x: Any, scale: Any) -> Any:
    return F.max_pool2d(torch.tanh(torch.tanh(torch.tanh(x * scale))), 3, 1, 1)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("function", "ops"), [(_overlapping, 1), (_apart, 1), (_costly, 5)]
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_what_is_computed_on_the_way(
    function: Callable[..., Any], ops: int, dtype: Any
) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x, scale = torch.randn(2, 3, 9, 9, dtype=dtype), torch.randn(3, 1, 1, dtype=dtype)
    with watching() as segments:
        made = torch.compile(function, backend="tilewright")(x, scale)
    torch.testing.assert_close(made, function(x, scale))
    (segment,) = segments
    assert prepared_text(segment).count("linalg.generic") == ops


def test_lines_are_pooled_with_what_surrounds_them() -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 3, 16)

    def pool(x: Any) -> Any:
        return F.avg_pool1d(torch.sigmoid(x), 4, count_include_pad=False) * 2

    with watching() as segments:
        made = torch.compile(pool, backend="tilewright")(x)
    torch.testing.assert_close(made, pool(x))
    text = prepared_text(segments[0])
    assert text.count("linalg.generic") == 2 and "shape" not in text


@pytest.mark.parametrize(
    ("arguments", "selects"),
    [((3, 2, 1), False), ((3, 2, 1, 1, True), False), ((3, 2, 1, 2), True)],
)
def test_maxima_beside_padding(arguments: tuple[Any, ...], selects: bool) -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 3, 8, 9) - 5

    def pool(x: Any) -> Any:
        return F.max_pool2d(x, *arguments)

    with watching() as segments:
        made = torch.compile(pool, backend="tilewright")(x)
    torch.testing.assert_close(made, pool(x))
    assert ("arith.select" in prepared_text(segments[0])) == selects


@pytest.mark.parametrize("arguments", [(2,), (3, 2, 1), (3, 2, 1, 2, True)])
def test_maxima_and_their_places_are_one_op(arguments: tuple[Any, ...]) -> None:
    torch._dynamo.reset()
    x = torch.randint(-3, 3, (2, 3, 8, 9)).float()
    x[0, 0, 3] = torch.nan

    def pool(x: Any) -> Any:
        return F.max_pool2d(x, *arguments, return_indices=True)

    with watching() as segments:
        made = torch.compile(pool, backend="tilewright")(x)
    torch.testing.assert_close(made, pool(x), equal_nan=True)
    assert prepared_text(segments[0]).count("linalg.generic") == 1


@pytest.mark.parametrize("pool", [F.avg_pool2d, F.max_pool2d])
def test_a_window_of_the_whole_image_is_a_reduction(pool: Any) -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 3, 9, 8)
    with watching() as segments:
        made = torch.compile(pool, backend="tilewright")(x, (9, 8))
    torch.testing.assert_close(made, pool(x, (9, 8)))
    assert "tensor.extract" not in prepared_text(segments[0])


def _shifted(x: Any) -> Any:
    return F.pad(x[:, :-1], (0, 0, 1, 0)) - x


def _steps(x: Any) -> Any:
    return F.pad(x[:, 1::2, 2], (1, 1), value=3.0)


def _split(x: Any) -> Any:
    return torch.roll(x[:, 2:].reshape(2, 2, 2, 4), 1, 1)


@pytest.mark.parametrize(("function", "ops"), [(_shifted, 2), (_steps, 1), (_split, 1)])
def test_a_part_is_read_where_it_lies(function: Callable[..., Any], ops: int) -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 6, 4)
    with watching() as segments:
        made = torch.compile(function, backend="tilewright")(x)
    torch.testing.assert_close(made, function(x))
    text = prepared_text(segments[0])
    assert text.count("linalg.generic") == ops


def test_a_part_that_is_split_into_rows_of_its_own_has_a_kernel() -> None:
    def rows(x: Any) -> Any:
        return x[:, 5:13].view(6, 2, 4).exp().sum((1, 2)), x[:, 8:16].view(6, 2, 4) + 1

    torch._dynamo.reset()
    x = torch.randn(6, 24)
    options = {"interpreter": "kernels", "strict": True, "fallback": "error"}
    with watching() as segments:
        made = torch.compile(rows, backend="tilewright", options=options)(x)
    torch.testing.assert_close(made, rows(x))
    text = prepared_text(segments[0])
    assert text.count("linalg.generic") == 4  # one of them copies the first part


def test_large_uneven_windows_are_averaged_along_each_dimension() -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 3, 31, 29).to(memory_format=torch.channels_last)

    def pool(x: Any) -> Any:
        return F.adaptive_avg_pool2d(F.hardswish(x), (3, 2))

    with watching() as segments:
        made = torch.compile(pool, backend="tilewright")(x)
    torch.testing.assert_close(made, pool(x))
    # The rows of windows, with the activation, and their means.
    assert prepared_text(segments[0]).count("linalg.generic") == 2


@pytest.mark.parametrize("mode", ["reflect", "constant"])
def test_a_frame_computes_what_it_surrounds(mode: str) -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 3, 9)

    def framed(x: Any) -> Any:
        return F.pad(F.elu(x * 2), (2, 3), mode=mode)

    with watching() as segments:
        made = torch.compile(framed, backend="tilewright")(x)
    torch.testing.assert_close(made, framed(x))
    assert prepared_text(segments[0]).count("linalg.generic") == 1
