"""Results have eager torch's numbers, types and strides, whatever their inputs are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from support.random_programs.torch_functions import (
    Function,
    each_alone,
    random_function,
)
from support.torch_compiling import compiled

pytestmark = pytest.mark.filterwarnings("ignore")


def strides(tensor: torch.Tensor) -> tuple[int, ...]:
    """The strides of dimensions with several elements."""
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return tuple(stride if size > 1 else 0 for size, stride in pairs)


def check(function: Any, *given: torch.Tensor, text: str = "", **options: Any) -> None:
    expected = function(*given)
    made = compiled(function, **options)(*given)
    for place, (ours, eager) in enumerate(zip(made, expected, strict=True)):
        what = f"result {place}\n{text}"
        assert ours.dtype == eager.dtype, what
        assert ours.shape == eager.shape, what
        assert strides(ours) == strides(eager), what
        loose = eager.dtype == torch.float16
        tolerance = 2e-2 if loose else 1e-4
        torch.testing.assert_close(
            ours, eager, atol=tolerance, rtol=tolerance, equal_nan=True
        )


def check_text(made: Function, folder: Path) -> None:
    check(made.made(folder), *made.given, text=made.text)


@pytest.mark.parametrize(
    "interpreter", ["payload", pytest.param("kernels", marks=pytest.mark.slow)]
)
def test_batch_norms_are_contiguous(interpreter: str) -> None:
    def norms(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        trained = F.batch_norm(x, None, None, training=True)
        return trained, trained.t() * 2, F.batch_norm(x, x.new_zeros(6), x.new_ones(6))

    check(norms, torch.randn(6, 4).t(), interpreter=interpreter)


def test_ops_whose_strides_torch_infers_otherwise() -> None:
    def moved(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            *(x.roll((1, 2), (0, -1)), x.copysign(y), F.channel_shuffle(x, 2)),
            F.one_hot(x.to(torch.int64).clamp(0, 3), 4),
            F.instance_norm(x),
        )

    x = torch.randn(2, 4, 3, 5).to(memory_format=torch.channels_last)
    check(moved, x, torch.randn(2, 4, 3, 5))


def test_gaps_of_an_operand_are_gaps_of_the_result() -> None:
    def scattered(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        made = x.select_scatter(x[0] * 2, 0, 0)
        return made, made.as_strided((4, 3), (8, 2)) + 1

    check(scattered, torch.randn(4, 8)[:, :6])


def test_views_of_what_was_computed_are_views() -> None:
    def views(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        made = x * 2
        return made, made.unfold(0, 2, 1).chunk(2, -1)[0], made.diagonal()

    check(views, torch.randn(4, 6))


def test_a_dropout_of_nothing_is_its_operand() -> None:
    def dropped(x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, 0.0)

    x = torch.randn(4, 8)[:, :6]
    assert compiled(dropped)(x).data_ptr() == x.data_ptr()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(4, 6), (2, 4, 6), (2, 4, 6, 8)], ids=len)
@pytest.mark.parametrize(
    "layout", ["permuted", "channels last", "expanded", "part", "steps"]
)
def test_each_op(shape: tuple[int, ...], layout: str, tmp_path: Path) -> None:
    check_text(each_alone(shape, layout), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_functions(seed: int, tmp_path: Path) -> None:
    check_text(random_function(seed), tmp_path)
