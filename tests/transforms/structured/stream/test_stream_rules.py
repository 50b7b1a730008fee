"""Every rule of `stream`, on random numbers: a chain gives what it gives without it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.paths import ROOT
from support.transforms.streams import chain_of, plain_and_streamed
from tilewright.payloads import (
    Tensor,
    argmax,
    elementwise,
    exp,
    exp2,
    log,
    reduce,
    rsqrt,
    where,
)
from tilewright.transforms.structured.stream.algebra import rules

Chain = Callable[[Tensor, Tensor], Tensor]


def after(first: str, second: str, of: Callable[..., object]) -> Chain:
    """A reduction of something of x, y and the reduction of x before it."""

    def chain(x: Tensor, y: Tensor) -> Tensor:
        earlier = reduce(first, x, axis=-1, keepdims=True)
        return reduce(second, x, y, earlier, axis=-1, of=of)

    return chain


def three(x: Tensor, y: Tensor) -> Tensor:
    largest = reduce("max", x, axis=-1, keepdims=True)
    total = reduce(
        "sum", x, largest, axis=-1, of=lambda x, m: exp(x - m), keepdims=True
    )

    def weighted(x, y, m, t):
        return exp(x - m) / t * y

    return reduce("sum", x, y, largest, total, axis=-1, of=weighted)


def by_log_sum_exp(x: Tensor, y: Tensor) -> Tensor:
    largest = reduce("max", x, axis=-1, keepdims=True)
    total = reduce(
        "sum", x, largest, axis=-1, of=lambda x, m: exp(x - m), keepdims=True
    )
    norm = elementwise(lambda m, t: m + log(t), largest, total)
    return reduce("sum", x, y, norm, axis=-1, of=lambda x, y, n: exp(x - n) * y)


def fourth(x: Tensor, y: Tensor) -> Tensor:
    """A chain of four: a maximum of what three reductions normalize."""
    weights = three(x, y)
    wide = elementwise(lambda w: w * 2.0, weights)
    shifted = reduce("max", x, wide[:, None], axis=-1, of=lambda x, w: x - w)
    return shifted


def variance(x: Tensor, y: Tensor) -> Tensor:
    total = reduce("sum", x, axis=-1, keepdims=True)
    mean = elementwise(lambda t: t / LENGTH, total)
    return reduce("sum", x, mean, axis=-1, of=lambda x, m: (x - m) * (x - m))


def normalized(x: Tensor, y: Tensor) -> Tensor:
    squares = reduce("sum", x, axis=-1, of=lambda x: x * x, keepdims=True)
    scale = elementwise(lambda s: rsqrt(s / LENGTH + 1e-5), squares)
    return reduce("sum", x, y, scale, axis=-1, of=lambda x, y, s: x * s * y)


LENGTH = 24.0

CHAINS: dict[str, list[Chain]] = {
    "factor": [
        after("sum", "sum", lambda x, y, s: x * s + 0.0 * y),
        after("sum", "sum", lambda x, y, s: -(x * y) / s),
        after("max", "sum", lambda x, y, m: y * (m * m)),
        normalized,
    ],
    "shift": [
        after("sum", "max", lambda x, y, s: x - s),
        after("sum", "min", lambda x, y, s: s + (y + s)),
        after("max", "max", lambda x, y, m: x * y - m),
        fourth,
    ],
    "exponent": [
        after("max", "sum", lambda x, y, m: exp(x - m) * y),
        after("max", "sum", lambda x, y, m: exp2((x - m) * 1.5)),
        after("min", "sum", lambda x, y, m: exp(m - x + y)),
        after("max", "sum", lambda x, y, m: y / exp((m - x) / 2.0)),
        after("max", "sum", lambda x, y, m: where(y > 0.0, exp(x - m), 0.0)),
        three,
        by_log_sum_exp,
    ],
    "power": [
        variance,
        after("max", "sum", lambda x, y, m: x - m),
        after("sum", "sum", lambda x, y, s: (x - s) * (x - s)),
        after("sum", "sum", lambda x, y, s: s * s + 3.0 * s + x),
    ],
    "match": [
        lambda x, y: argmax(x, axis=-1)[1],
        after("max", "sum", lambda x, y, m: where(x == m, y, 0.0)),
        after("min", "max", lambda x, y, m: where(m == x, y, -np.inf)),
    ],
}


def assert_streamed_is_plain(
    chain: Chain, form: dict[str, int], x: np.ndarray, y: np.ndarray
) -> None:
    payload = chain_of(chain, x=x.shape, y=y.shape)
    for plain, ours in plain_and_streamed(payload, **form, inputs=[x, y]):
        size = np.abs(plain[np.isfinite(plain)]).max(initial=1e-6)
        np.testing.assert_allclose(ours, plain, rtol=1e-3, atol=1e-4 * float(size))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("rule", CHAINS)
def test_each_chain(rule: str) -> None:
    """Uneven tiles and chunks in turn."""
    rng = np.random.default_rng(0)
    for number, chain in enumerate(CHAINS[rule]):
        x, y = rng.standard_normal((2, 3, int(LENGTH))).astype(np.float32)
        form = {"into": 3} if number % 2 else {"by": 5}
        assert_streamed_is_plain(chain, form, x, y)


@pytest.mark.slow
@pytest.mark.parametrize("rule", CHAINS)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_a_rule_holds(rule: str, data: st.DataObject) -> None:
    chain = data.draw(st.sampled_from(CHAINS[rule]))
    form = data.draw(
        st.sampled_from([{"by": 1}, {"by": 5}, {"by": 8}, {"by": 30}])
        | st.sampled_from([{"into": 1}, {"into": 3}, {"into": 8}, {"into": 24}])
    )
    seed = data.draw(st.integers(0, 2**32 - 1))
    scale = data.draw(st.sampled_from([1e-3, 1.0, 30.0]))
    masked = data.draw(st.sampled_from([0, 7]))
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal((3, int(LENGTH))) * scale).astype(np.float32)
    y = rng.standard_normal((3, int(LENGTH))).astype(np.float32)
    if masked and rule == "exponent" and chain is not CHAINS[rule][2]:
        x[0, :masked] = -np.inf
    assert_streamed_is_plain(chain, form, x, y)


def test_the_rules_are_listed() -> None:
    """The module, the page and these tests name the same rules."""
    page = (ROOT / "docs" / "transforms" / "stream.md").read_text()
    for rule in CHAINS:
        assert f"| {rule} |" in page
        assert f"\n{rule} " in (rules.__doc__ or "")
    assert page.count("| sum |") + page.count("| max, min |") + page.count(
        "| any |"
    ) == len(CHAINS)
