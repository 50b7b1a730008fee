"""Linear forms and intervals of affine expressions, against evaluating them."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.indexing.intervals import interval
from tilewright.ir.indexing.linear import Linear, linear_form, linearized
from tilewright.ir.indexing.normal_form import flattened
from tilewright.ir.indexing.semi_affine import binary

DIMS = 2
DIVISIONS = (
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
    AffineBinaryOpKind.Mod,
)

leaves = st.one_of(
    st.integers(-6, 6).map(AffineExpr.constant),
    st.integers(0, DIMS - 1).map(AffineExpr.dimension),
)


def sums(inner: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, factor: a * factor, inner, st.integers(-4, 4)),
    )


def quotients(inner: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
    divided = st.builds(
        lambda kind, a, by: binary(kind, a, AffineExpr.constant(by)),
        st.sampled_from(DIVISIONS),
        inner,
        st.integers(1, 5),
    )
    products = st.builds(
        lambda a, b: binary(AffineBinaryOpKind.Mul, a, b), inner, inner
    )
    return st.one_of(sums(inner), divided, products)


linear_exprs = st.recursive(leaves, sums, max_leaves=8)
any_exprs = st.recursive(leaves, quotients, max_leaves=8)
ranges = st.tuples(st.integers(-5, 5), st.integers(0, 4)).map(
    lambda pair: (pair[0], pair[0] + pair[1])
)


def value_of(form: Linear[int], dims: tuple[int, ...]) -> int:
    return form.constant + sum(dims[dim] * c for dim, c in form.terms.items())


@given(linear_exprs, st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_linear_form_is_worth_what_its_expression_is(
    expr: AffineExpr, dims: tuple[int, int]
) -> None:
    form = linear_form(expr)
    assert form is not None
    assert 0 not in form.terms.values()
    assert value_of(form, dims) == expr.eval(dims, [])
    assert linearized(expr).eval(dims, []) == expr.eval(dims, [])


@given(any_exprs, st.tuples(ranges, ranges))
def test_an_expression_stays_in_its_interval(
    expr: AffineExpr, dims: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    low, high = interval(expr, dims)
    points = itertools.product(*(range(first, last + 1) for first, last in dims))
    values = [expr.eval(point, []) for point in points]
    assert low is None or low <= min(values)
    assert high is None or high >= max(values)


def test_arithmetic_of_forms() -> None:
    form = Linear({"i": 2, "j": 1}, 3)
    assert form + Linear({"i": -2}) == Linear({"j": 1}, 3)
    assert form - form == Linear()
    assert form * 0 == Linear()
    assert form * -1 + 4 == Linear({"j": -1, "i": -2}, 1)
    assert form.without("i") == Linear({"j": 1}, 3)
    assert hash(Linear({"i": 1, "j": 2})) == hash(Linear({"j": 2, "i": 1}))


def test_what_is_not_linear_has_no_form() -> None:
    d0, d1 = (AffineExpr.dimension(dim) for dim in range(2))
    assert linear_form(d0 // 2) is None
    assert linear_form(binary(AffineBinaryOpKind.Mul, d0, d1)) is None
    # The normal form takes a quotient for a symbol of its own.
    assert flattened(d0 // 2 + d1, quotient := []) == Linear({d0 // 2: 1, d1: 1})
    assert quotient == [d0 // 2]
