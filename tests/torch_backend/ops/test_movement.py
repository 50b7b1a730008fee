"""Reshapes, repeats and gathers between element-wise ops are index arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch.nn import functional as F  # noqa: E402

from tilewright.codegen.targets import target_named  # noqa: E402
from tilewright.planning.plan import plan  # noqa: E402
from tilewright.torch_backend.watching import watching  # noqa: E402

X, Y = (2, 4, 6), (2, 12, 6)
IMAGE, AT, WEIGHT = (2, 4, 4, 6), (2, 4, 6, 1), (2, 1, 4, 6)


def _repeated_both_ways(x: Any, y: Any) -> Any:
    return x.repeat_interleave(3, 1) * x.repeat(1, 3, 1)


def _repeated_beside_others(x: Any, y: Any) -> Any:
    return torch.where(y > 0, x.repeat(1, 3, 1) + y, y)


def _enlarged(x: Any, y: Any) -> Any:
    large = x.repeat_interleave(3, 1).repeat_interleave(2, 2)
    return large - y.repeat(1, 1, 2)


def _warped(x: Any, at: Any, weight: Any) -> Any:
    rows = x.flatten(2).gather(2, at.flatten(1)[:, None].expand(-1, 4, -1))
    return rows.view(2, 4, 4, 6) * weight


def _selected(x: Any, at: Any, weight: Any) -> Any:
    picked = x.index_select(0, at[:, 0, :3].flatten())
    return picked.view(2, 3, 4, 4, 6) * weight[:, None]


def _indexed(x: Any, at: Any, weight: Any) -> Any:
    return x.flatten(2)[1, :, at.flatten() - 2].view(4, 2, 4, 6) + weight[0]


def _pixels_shuffled(x: Any, at: Any, weight: Any) -> Any:
    return F.pixel_shuffle(F.relu(x + 1), 2)


def _channels_shuffled(x: Any, at: Any, weight: Any) -> Any:
    moved = F.relu(x + 1).view(2, 2, 2, 4, 6).transpose(1, 2)
    return moved.reshape(2, 4, 4, 6) * weight


def _sums_of_places(x: Any, at: Any, weight: Any) -> Any:
    return F.relu(x * weight).flatten(2).sum(-1)


CASES: dict[str, tuple[Any, tuple[tuple[int, ...], ...]]] = {
    "repeated both ways": (_repeated_both_ways, (X, Y)),
    "repeated beside others": (_repeated_beside_others, (X, Y)),
    "enlarged": (_enlarged, (X, Y)),
    "warped": (_warped, (IMAGE, AT, WEIGHT)),
    "selected": (_selected, (IMAGE, AT, WEIGHT)),
    "indexed": (_indexed, (IMAGE, AT, WEIGHT)),
    "pixels shuffled": (_pixels_shuffled, (IMAGE, AT, WEIGHT)),
    "channels shuffled": (_channels_shuffled, (IMAGE, AT, WEIGHT)),
    "sums of places": (_sums_of_places, (IMAGE, AT, WEIGHT)),
}


@pytest.mark.sampled(30)
@pytest.mark.parametrize("name", CASES)
def test_one_kernel_computes_all(name: str) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    function, shapes = CASES[name]
    given = [
        torch.randint(0, 2, shape[:-1]) if shape is AT else torch.randn(shape)
        for shape in shapes
    ]
    options = {"interpreter": "kernels", "strict": True, "fallback": "error"}
    with watching() as segments, torch.no_grad():
        made = torch.compile(function, backend="tilewright", options=options)(*given)
    torch.testing.assert_close(made, function(*given))
    (segment,) = segments
    assert plan(segment.lowered.payload.module, target_named("h200")).kernel_count == 1


def test_rows_and_columns_of_a_square_are_counted_apart() -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 6, 6)

    def added(x: Any) -> Any:
        return x * torch.arange(6)[:, None] + torch.arange(6)

    with watching() as segments, torch.no_grad():
        made = torch.compile(added, backend="tilewright")(x)
    torch.testing.assert_close(made, added(x))
    assert segments[0].lowered.payload.text().count("linalg.index") == 2
