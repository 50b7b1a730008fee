"""The table of ops: its names, its promotion, and how exact it is."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
import torch
import torch._inductor.inductor_prims  # defines prims.fma
from torch.nn import functional as F

from support.paths import DOCS
from tilewright.frontend.builder import Payload
from tilewright.torch_backend.lowering.dtypes import dtype_name
from tilewright.torch_backend.ops.elements.promotion import promoted
from tilewright.torch_backend.ops.table import FAMILIES, OPS

TYPES = (
    *(torch.float32, torch.float16, torch.bfloat16, torch.float64),
    *(torch.int64, torch.int32, torch.int8, torch.bool),
)


def test_every_op_of_the_table_is_an_op_of_torch() -> None:
    for name in OPS:
        namespace, packet, overload = name.split(".")
        found = getattr(getattr(torch.ops, namespace), packet)
        assert overload in found.overloads(), name


def test_no_op_is_in_two_families() -> None:
    assert len(OPS) == sum(len(table) for table in FAMILIES.values())


def test_the_page_of_ops_lists_the_table() -> None:
    _, *sections = (DOCS / "torch_ops.md").read_text(encoding="utf-8").split("\n## ")
    listed = {
        title: sorted(names.split())
        for title, _, names in (section.partition("\n") for section in sections)
    }
    assert listed == {family: sorted(table) for family, table in FAMILIES.items()}


@pytest.mark.parametrize("ranks", [(2, 2), (0, 2), (2, 0), (0, 0)])
def test_types_promote_as_in_torch(ranks: tuple[int, int]) -> None:
    shapes = [(2,) * rank for rank in ranks]
    for one, two in itertools.product(TYPES, TYPES):
        tensors = [
            torch.zeros(shape, dtype=dtype)
            for shape, dtype in zip(shapes, (one, two), strict=True)
        ]
        payload = Payload("f")
        given = [
            payload.input(name, shape, dtype_name(dtype))
            for name, shape, dtype in zip("ab", shapes, (one, two), strict=True)
        ]
        assert promoted(*given) == dtype_name(torch.result_type(*tensors))
        for number in (True, 2, 2.5):
            expected = torch.result_type(tensors[0], number)
            assert promoted(given[0], number) == dtype_name(expected)


@pytest.mark.parametrize("function", [F.softplus, F.logsigmoid])
def test_small_logarithms_keep_their_digits(
    function: Callable[..., torch.Tensor],
) -> None:
    x = torch.linspace(-60, 60, 1001)
    torch._dynamo.reset()
    made = torch.compile(function, backend="tilewright", options={"fallback": "error"})
    torch.testing.assert_close(
        made(x).double(), function(x.double()), rtol=1e-6, atol=0.0
    )


@pytest.mark.parametrize("exponent", [0.75, 1.5])
def test_powers_by_roots_are_those_of_torch(exponent: float) -> None:
    ends = [0.0, -0.0, torch.inf, -torch.inf, torch.nan, -1.0, 1e-38, 1e30]
    x = torch.cat([torch.tensor(ends), torch.rand(20)])

    def power(x: torch.Tensor) -> torch.Tensor:
        return x**exponent

    made = torch.compile(power, backend="tilewright", fullgraph=True)(x)
    torch.testing.assert_close(made, power(x), rtol=3e-7, atol=0, equal_nan=True)
    assert torch.equal(torch.signbit(made[:2]), torch.signbit(power(x)[:2]))


def test_logarithms_of_exponentials_are_those_of_torch() -> None:
    def soft(x: torch.Tensor) -> torch.Tensor:
        return torch.log1p(torch.exp(x)) + torch.log1p(torch.exp(-x.abs()))

    ends = [0.0, -0.0, 88.7, 88.73, 19.9, 20.1, -90.0, torch.inf, -torch.inf, torch.nan]
    x = torch.cat([torch.tensor(ends), torch.randn(20) * 5])
    made = torch.compile(soft, backend="tilewright", fullgraph=True)(x)
    torch.testing.assert_close(made, soft(x), equal_nan=True)
