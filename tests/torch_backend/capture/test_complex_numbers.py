"""Complex numbers are computed by their parts, and equal eager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from tilewright.torch_backend.report import RECENT

MADE = torch.Generator().manual_seed(0)
Z = torch.randn(3, 5, 4, dtype=torch.complex64, generator=MADE)
W = torch.randn(4, dtype=torch.complex64, generator=MADE)
X = torch.randn(3, 5, 8, generator=MADE)
OF_TORCH = ("view_as_real", "view_as_complex", "resolve_conj", "_conj")
"""Views, which move nothing."""


def rotated(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * z.unsqueeze(0)).flatten(-2)


def turned(x: torch.Tensor) -> torch.Tensor:
    steps = torch.polar(x.abs(), x)
    both = torch.cat([steps, steps.conj()]).transpose(0, 1)
    return torch.view_as_real(both.reshape(5, -1).cumsum(0))


CALLS: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...]]] = {
    "rotary embedding": (rotated, (X, Z[0])),
    "conjugates": (lambda z, w: (z * w.conj()).real + (w.conj() - z).imag, (Z, W)),
    "result": (lambda z, w: z * w * 2 + 1, (Z, W)),
    "numbers": (lambda z: ((z * 2j - 1) / 3).abs() + (1 - z).angle(), (Z,)),
    "of real": (lambda z, x: (z[:, :1] + x[..., :4]).exp().sum(1), (Z, X)),
    "from real": (lambda x, w: (x[..., :4].to(torch.complex64) * w).real, (X, W)),
    "angles": (turned, (X[0],)),
    "choice": (lambda z, w: torch.where(z.real > 0, z**2, w).mean(1), (Z, W)),
    "conjugate input": (lambda z: z * 2, (Z.conj(),)),
}


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    torch._dynamo.reset()
    RECENT.clear()
    return torch.compile(
        function, backend="tilewright", options={"strict": True}, **options
    )


def computed_by_torch() -> list[str]:
    names = [one.op.split(".")[1] for report in RECENT for one in report.stayed]
    return [name for name in names if name not in OF_TORCH]


@pytest.mark.sampled(30)
@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("name", CALLS)
def test_equals_eager(name: str, dynamic: bool | None) -> None:
    function, given = CALLS[name]
    found = compiled(function, dynamic=dynamic)(*given)
    torch.testing.assert_close(found, function(*given))
    assert computed_by_torch() == (["clone"] if name == "conjugate input" else [])


def test_gradients_equal_eager() -> None:
    def loss(function: Callable[..., Any]) -> list[torch.Tensor]:
        x, z = X.clone().requires_grad_(), Z[0].clone().requires_grad_()
        (function(x, z) * X).sum().backward()
        assert x.grad is not None and z.grad is not None
        return [x.grad, z.grad]

    torch.testing.assert_close(loss(compiled(rotated)), loss(rotated))
    assert "mul" not in computed_by_torch()


def test_what_has_no_formula_reads_complex_numbers() -> None:
    def filtered(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        found = torch.fft.rfft(x)[..., 1:]
        return torch.fft.irfft(found * w * found.abs(), n=6)

    found = compiled(filtered)(X, W)
    torch.testing.assert_close(found, filtered(X, W))
    assert [name for name in computed_by_torch() if "fft" not in name] == []


def test_moves_alone_stay_views() -> None:
    def moved(z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return z.transpose(0, 1)[:, 1:], torch.view_as_real(z.transpose(0, 1))

    for one, two in zip(compiled(moved)(Z), moved(Z), strict=True):
        torch.testing.assert_close(one, two)
        assert one.stride() == two.stride()
    (report,) = RECENT
    assert not report.segments
    reasons = {one.op: one.reason for one in report.stayed}
    assert "a view" in reasons["aten.view_as_real.default"]
