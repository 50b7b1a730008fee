"""Chains near the edge of the rules of `stream`: right numbers, or a refusal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from support.transforms.streams import chain_of, plain_and_streamed, streamed
from tilewright.ir.errors import UserError
from tilewright.payloads import (
    Tensor,
    attention,
    elementwise,
    exp,
    log,
    reduce,
    softmax,
    tanh,
    where,
)

Chain = Callable[[Tensor, Tensor], Tensor]
LENGTH = 24


def total(x: Tensor) -> Tensor:
    return reduce("sum", x, axis=-1, keepdims=True)


def largest(x: Tensor) -> Tensor:
    return reduce("max", x, axis=-1, keepdims=True)


def repeated_factor(x: Tensor, y: Tensor) -> Tensor:
    """A sum that an op of its own repeats along the dimension."""
    wide = elementwise(lambda x, s: s, x, total(x))
    return reduce("sum", x, wide, axis=-1, of=lambda x, s: x * s)


def repeated_maximum(x: Tensor, y: Tensor) -> Tensor:
    wide = elementwise(lambda x, m: m, x, largest(x))
    return reduce("sum", x, wide, axis=-1, of=lambda x, m: exp(x - m))


def both_signs(x: Tensor, y: Tensor) -> Tensor:
    """Two corrections of one running value that differ in the sign alone."""

    def of(x, s):
        return exp(x - s) * exp(x + s) * exp(x + s)

    return reduce("sum", x, total(x), axis=-1, of=of)


def scaled_by_another_loop(x: Tensor, y: Tensor) -> Tensor:
    scales = reduce("max", y, axis=-1)
    sums = total(x)[:, None, :]
    return reduce(
        "sum",
        x[:, None, :],
        sums,
        scales[None, :, None],
        axis=-1,
        of=lambda x, s, g: exp((x - s) * g),
    )


def negated_maximum(x: Tensor, y: Tensor) -> Tensor:
    least = elementwise(lambda m: -m, largest(x))
    return reduce("sum", x, least, axis=-1, of=lambda x, m: x + m)


def square_of_wider(x: Tensor, y: Tensor) -> Tensor:
    """A polynomial whose result has a dimension that the sum of its term lacks."""
    rows = reduce("max", y, axis=-1)
    return reduce(
        "sum",
        x[:, None, :],
        total(x)[:, None, :],
        rows[None, :, None],
        axis=-1,
        of=lambda x, s, r: (x - s) * (x - s) + 0.0 * r,
    )


RIGHT: dict[str, Chain] = {
    "repeated factor": repeated_factor,
    "repeated maximum": repeated_maximum,
    "both signs": both_signs,
    "scaled by another loop": scaled_by_another_loop,
    "negated maximum": negated_maximum,
    "square of wider": square_of_wider,
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("form", [{"by": 5}, {"into": 4}], ids=["by", "into"])
def test_numbers(name: str, form: dict[str, int]) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((3, LENGTH)).astype(np.float32) * 0.3 for _ in range(2))
    if name == "repeated maximum":
        x[0, :9] = -np.inf
    payload = chain_of(RIGHT[name], x=x.shape, y=y.shape)
    for plain, ours in plain_and_streamed(payload, **form, inputs=[x, y]):
        np.testing.assert_allclose(ours, plain, rtol=1e-3, atol=1e-4)


def two_branches(x: Tensor, y: Tensor) -> Tensor:
    def of(x, y, s, t):
        return where(x > 0.0, x * s, y * t)

    return reduce("sum", x, y, total(x), total(y), axis=-1, of=of)


def of_other_elements(x: Tensor, y: Tensor) -> Tensor:
    """While x is masked, exponentials of y are not zero."""
    return reduce(
        "sum", x, y, largest(x), axis=-1, of=lambda x, y, m: exp(y - m) * tanh(x)
    )


def of_another_row(x: Tensor, y: Tensor) -> Tensor:
    rows = largest(x)[None, :, :]
    return reduce(
        "sum", x[:, None, :], rows, axis=-1, of=lambda x, m: where(x == m, x, 0.0)
    )


def negated_exponent(x: Tensor, y: Tensor) -> Tensor:
    least = elementwise(lambda m: -m, largest(x))
    return reduce("sum", x, least, axis=-1, of=lambda x, m: exp(x - m))


def of_a_quotient(x: Tensor, y: Tensor) -> Tensor:
    """The running value is 0 / 0 before the first tile."""
    shares = reduce("sum", y, total(x), axis=-1, of=lambda y, s: y / s, keepdims=True)
    return reduce("sum", x, y, shares, axis=-1, of=lambda x, y, q: exp(x + y - q))


def of_a_logarithm(x: Tensor, y: Tensor) -> Tensor:
    """A running sum may be negative where the whole sum is not."""
    norm = elementwise(lambda s: log(s), total(x))
    return reduce("sum", x, norm, axis=-1, of=lambda x, n: exp(x - n))


def inside_a_product(x: Tensor, y: Tensor) -> Tensor:
    """A streamed op that sums along another dimension reads a running value."""
    inner = reduce(
        "sum",
        x[:, None, :],
        y[None, :, :],
        total(x)[:, None, :],
        axis=1,
        of=lambda x, y, s: tanh(x * s + y),
    )
    return reduce("sum", inner, axis=-1)


REFUSED: dict[str, tuple[Chain, str]] = {
    "two branches": (two_branches, "selects between two values, and neither is 0"),
    "of other elements": (of_other_elements, "no maximum or minimum of what stands"),
    "of another row": (of_another_row, "no maximum or minimum of what it is compared"),
    "negated exponent": (negated_exponent, "grows without bound where it begins"),
    "of a quotient": (of_a_quotient, "no number before the first tile"),
    "of a logarithm": (of_a_logarithm, "may have no logarithm"),
    "inside a product": (inside_a_product, "reads a running value and is not element"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    chain, why = REFUSED[name]
    payload = chain_of(chain, x=(3, LENGTH), y=(3, LENGTH))
    for form in ({"by": 5}, {"into": 4}):
        with pytest.raises(UserError) as caught:
            streamed(payload, **form)
        assert why in str(caught.value)


def test_a_square_needs_a_sum_that_starts_from_zero() -> None:
    def chain(x: Tensor) -> Tensor:
        return reduce("sum", x, total(x), axis=-1, of=lambda x, s: (x - s) * (x - s))

    payload = chain_of(chain, x=(3, LENGTH))
    # The start of the first sum, not of the second.
    constant = "%zero = arith.constant 0.000000e+00 : f32"
    changed = payload.replace(
        constant, f"{constant}\n  %one = arith.constant 1.0 : f32", 1
    )
    changed = changed.replace("linalg.fill ins(%zero", "linalg.fill ins(%one", 1)
    with pytest.raises(UserError, match="no reduction of the chain sums this term up"):
        streamed(changed, by=5)


def test_a_polynomial_is_summed_along_one_loop() -> None:
    """The count of elements would be that of all loops."""

    def chain(x: Tensor) -> Tensor:
        sums = reduce("sum", x, axis=(1, 2), keepdims=True)
        return reduce("sum", x, sums, axis=(1, 2), of=lambda x, s: (x - s) * (x - s))

    with pytest.raises(UserError, match="of a running value along several loops"):
        streamed(chain_of(chain, x=(3, LENGTH, 4)), by=5, along=1)


def test_a_reduction_cannot_start_from_one_of_the_chain() -> None:
    payload = chain_of(
        lambda x: (reduce("sum", x, axis=-1), reduce("sum", x, axis=-1)),
        x=(3, LENGTH),
    )
    text = payload.splitlines()
    made = [n for n, line in enumerate(text) if "linalg.generic" in line]
    first = text[made[0]].split("=")[0].strip()
    begin, _, end = text[made[1]].partition("outs(")
    text[made[1]] = f"{begin}outs({first} {end[end.index(':') :]}"
    with pytest.raises(UserError, match="starts from a result of 'linalg.generic'"):
        streamed("\n".join(text), by=5, targets=-2)


def test_keys_that_are_queries_too_are_computed_before() -> None:
    """What the chain reads along two loops cannot be a tile of one of them."""

    def chain(x: Tensor) -> Tensor:
        keys = elementwise(lambda x: tanh(x), x)
        return attention(keys, keys, keys)

    payload = chain_of(chain, x=(LENGTH, 8))
    for form in ({"by": 5}, {"into": 4}):
        for plain, ours in plain_and_streamed(payload, **form):
            np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)


def test_sizes_that_are_not_known() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, LENGTH)).astype(np.float32)
    payload = chain_of(softmax, x=(None, None))
    for plain, ours in plain_and_streamed(payload, by=5, inputs=[x]):
        np.testing.assert_allclose(ours, plain, rtol=1e-4)
    with pytest.raises(UserError, match="known only at run time"):
        streamed(payload, into=4)


def test_an_empty_dimension_is_refused() -> None:
    """A quotient after the loop would be 0 / 0."""
    with pytest.raises(UserError, match="loop 1 of 'linalg.generic' is empty"):
        streamed(chain_of(softmax, x=(3, LENGTH)).replace(f"x{LENGTH}x", "x0x"), by=5)


def test_a_body_must_not_read_results_as_a_whole() -> None:
    payload = chain_of(softmax, x=(3, LENGTH))
    lines = payload.splitlines()
    (place,) = (n for n, line in enumerate(lines) if "math.exp" in line)
    name = lines[place - 1].split("=")[0].strip()
    largest = next(line for line in lines if "linalg.generic" in line).split("=")[0]
    rank = "tensor<3xf32>"
    lines[place - 1 : place] = [
        lines[place - 1],
        "%here = linalg.index 0 : index",
        f"%whole = tensor.extract {largest.strip()}[%here] : {rank}",
    ]
    text = "\n".join(lines).replace(f"math.exp {name}", "math.exp %whole")
    with pytest.raises(UserError, match="reads a whole result of 'linalg.generic'"):
        streamed(text, by=5)


def test_running_values_and_indices_do_not_mix() -> None:
    def chain(x: Tensor) -> Tensor:
        return reduce("sum", x, total(x), axis=-1, of=lambda x, s: x * s)

    payload = chain_of(chain, x=(3, LENGTH))
    product = next(line for line in payload.splitlines() if "arith.mulf" in line)
    name, _, operands = product.partition("= arith.mulf ")
    first, second = operands.partition(" :")[0].split(", ")
    changed = f"""%here = linalg.index 0 : index
%row = arith.index_cast %here : index to i32
%number = arith.sitofp %row : i32 to f32
%shifted = arith.addf {second}, %number : f32
{name}= arith.mulf {first}, %shifted : f32"""
    with pytest.raises(UserError, match="a running value with 'linalg.index'"):
        streamed(payload.replace(product, changed), by=5)


@pytest.mark.parametrize("form", [{"by": 5}, {"into": 4}], ids=["by", "into"])
def test_a_maximum_that_starts_from_nan(form: dict[str, int]) -> None:
    """Upstream decomposes a softmax into such maxima: they drop NaN."""
    payload = chain_of(softmax, x=(3, LENGTH))
    changed = payload.replace("arith.maximumf", "arith.maxnumf")
    changed = changed.replace("0xFF800000", "0x7FC00000")
    assert changed.count("0x7FC00000") == 1
    x = np.random.default_rng(0).standard_normal((3, LENGTH)).astype(np.float32)
    x[0, :9], x[1, 3], x[2] = -np.inf, np.nan, np.nan
    for plain, ours in plain_and_streamed(changed, **form, inputs=[x]):
        np.testing.assert_allclose(ours, plain, rtol=1e-4)


@pytest.mark.parametrize("form", [{"by": 5}, {"into": 4}], ids=["by", "into"])
def test_corrections_of_narrow_sums_are_wide(form: dict[str, int]) -> None:
    def variance(x: Tensor) -> Tensor:
        mean = elementwise(lambda s: s / float(LENGTH), total(x))
        return reduce("sum", x, mean, axis=-1, of=lambda x, m: (x - m) * (x - m))

    for chain in (softmax, variance):
        payload = chain_of(chain, x=(3, LENGTH)).replace("f32", "f16")
        payload = payload.replace("0xFF800000", "0xFC00")
        text = streamed(payload, **form)
        assert "f32 to f16" in text
        for plain, ours in plain_and_streamed(payload, **form):
            np.testing.assert_allclose(ours, plain, rtol=2e-2, atol=2e-2)


def test_the_factor_of_narrow_exponents_has_the_type_of_the_exponential() -> None:
    """The difference is of f16, the exponential of f32."""
    payload = chain_of(softmax, x=(3, LENGTH))
    lines = payload.replace("f32", "f16").replace("0xFF800000", "0xFC00").splitlines()
    (place,) = (n for n, line in enumerate(lines) if "math.exp" in line)
    name, _, rest = lines[place].partition("= math.exp ")
    operand = rest.partition(" :")[0]
    lines[place] = f"""%wide = arith.extf {operand} : f16 to f32
%exponential = math.exp %wide : f32
{name}= arith.truncf %exponential : f32 to f16"""
    for plain, ours in plain_and_streamed("\n".join(lines), by=5):
        np.testing.assert_allclose(ours, plain, rtol=2e-2, atol=2e-2)


def test_scores_that_start_from_a_mask_are_guarded() -> None:
    """A product is finite only if it starts from a finite number."""
    payload = chain_of(attention, q=(3, 8), k=(LENGTH, 8), v=(LENGTH, 8))
    lines = payload.splitlines()
    product = next(n for n, line in enumerate(lines) if "linalg.matmul" in line)
    begin, _, end = lines[product].partition("outs(")
    lines[product] = f"{begin}outs(%mask {end[end.index(':') :]}"
    lines[0] = lines[0].replace("(%q", f"(%mask: tensor<3x{LENGTH}xf32>, %q", 1)
    rng = np.random.default_rng(0)
    mask = np.zeros((3, LENGTH), np.float32)
    mask[0, :9] = -np.inf
    inputs = [mask, *(rng.standard_normal((n, 8)) for n in (3, LENGTH, LENGTH))]
    inputs = [given.astype(np.float32) for given in inputs]
    for form in ({"by": 5}, {"into": 4}):
        for plain, ours in plain_and_streamed("\n".join(lines), **form, inputs=inputs):
            assert np.isfinite(plain).all()
            np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)
