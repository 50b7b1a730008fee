"""Tensors without elements: on `meta`, and fake ones."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils import _pytree as pytree

from support.torch_compiling import compiled

pytestmark = pytest.mark.filterwarnings("ignore")


class Net(nn.Module):
    """A convolution, a norm and a matmul."""

    def __init__(self) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.linear = nn.Linear(4, 5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        image = torch.relu(self.norm(self.convolution(x)))
        rows = self.linear(image.mean((2, 3)))
        return rows, image.transpose(1, 3) * torch.arange(4, device=x.device)


def described(results: Any) -> list[Any]:
    return [
        (type(one), one.shape, one.stride(), one.dtype, one.device)
        for one in pytree.tree_leaves(results)
    ]


def product(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.relu(a @ b).sum(0), a.t() * 2, torch.cat([a, a]).half()


@pytest.mark.parametrize("options", [{}, {"fallback": "error"}], ids=["torch", "error"])
@pytest.mark.parametrize("dynamic", [None, True])
def test_meta_tensors_give_meta_results(options: Any, dynamic: bool | None) -> None:
    given = torch.empty(4, 5, device="meta"), torch.empty(5, 6, device="meta")
    run = compiled(product, dynamic=dynamic, **options)
    assert described(run(*given)) == described(product(*given))


def test_a_graph_with_meta_tensors_computes_the_others() -> None:
    def both(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return a * 2, b.relu()

    real = torch.randn(4, 5)
    first, second = compiled(both, fallback="error")(real, real.to("meta"))
    torch.testing.assert_close(first, real * 2)
    assert second.device.type == "meta"


@pytest.mark.slow
def test_a_model_on_meta_is_trained() -> None:
    model = Net().to("meta")
    run = compiled(model)
    x = torch.empty(2, 3, 8, 8, device="meta")
    results = run(x)
    assert described(results) == described(model(x))
    torch.stack([one.sum() for one in results]).sum().backward()
    assert all(p.grad is not None and p.grad.is_meta for p in model.parameters())


@pytest.mark.parametrize(
    ("interpreter", "dynamic"),
    [
        ("payload", True),
        pytest.param("kernels", None, marks=pytest.mark.slow),
        pytest.param("payload", None, marks=pytest.mark.slow),
        pytest.param("kernels", True, marks=pytest.mark.slow),
    ],
)
def test_fake_tensors_after_real_ones(interpreter: str, dynamic: bool | None) -> None:
    run = compiled(product, dynamic=dynamic, interpreter=interpreter)
    real = torch.randn(4, 5), torch.randn(5, 6)
    torch.testing.assert_close(run(*real), product(*real))
    with FakeTensorMode() as mode:
        given = [mode.from_tensor(one) for one in real]
        assert described(run(*given)) == described(product(*given))
    assert described(run(*given)) == described(product(*given))  # outside of the mode
    torch.testing.assert_close(run(*real), product(*real))


@pytest.mark.slow
def test_a_model_of_real_weights_on_a_fake_image() -> None:
    model = Net().eval()
    run = compiled(model)
    x = torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        real = run(x)
        with FakeTensorMode(allow_non_fake_inputs=True) as mode:
            fake = run(mode.from_tensor(x))
    assert all(isinstance(one, FakeTensor) for one in fake)
    assert [one[1:] for one in described(fake)] == [one[1:] for one in described(real)]


def test_a_constant_of_the_model_is_real() -> None:
    run = compiled(lambda x: x * torch.tensor([1.0, 2.0, 3.0]))
    with FakeTensorMode():
        made = run(torch.empty(4, 3))
    assert isinstance(made, FakeTensor) and made.shape == (4, 3)


@pytest.mark.slow
def test_a_model_is_made_called_and_trained_in_fake_mode() -> None:
    with FakeTensorMode():
        model = Net()
        run = compiled(model)
        x = torch.empty(2, 3, 8, 8).to(memory_format=torch.channels_last)
        results = run(x)
        assert [one.shape for one in results] == [(2, 5), (2, 6, 6, 4)]
        torch.stack([one.sum() for one in results]).sum().backward()
        assert all(isinstance(p.grad, FakeTensor) for p in model.parameters())


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_cache_that_is_written_may_be_fake(
    dynamic: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_memory(_: torch.Tensor) -> int:
        raise AssertionError("a fake tensor has no memory")

    def cached(cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor) -> Any:
        cache.index_copy_(1, place, new)
        return cache.sum(1)

    real = torch.randn(3, 8, 4), torch.tensor([5]), torch.randn(3, 1, 4)
    run = compiled(cached, dynamic=dynamic)
    run(*real)
    mode = FakeTensorMode()
    fakes = [mode.from_tensor(one) for one in real]
    monkeypatch.setattr(FakeTensor, "data_ptr", without_memory, raising=False)
    with mode:
        assert described(run(*fakes)) == described(cached(*fakes))
