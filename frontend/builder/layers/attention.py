"""Attention: product, scores, softmax, product.

Every mask, bias and cap is part of the one op `scores` between product and softmax.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, overload

from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.layers.attention_scores import Score, ScoreRule
from tilewright.frontend.builder.layers.head_groups import HeadGroups
from tilewright.frontend.builder.layers.softmax import Exponentials, exponentials
from tilewright.frontend.builder.numerics import (
    TINY_FLOATS,
    DtypeLike,
    dtype_name,
    is_float,
)
from tilewright.frontend.builder.ops.elements import (
    cast,
    elementwise,
    named_elementwise,
)
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.ops.reductions import with_units
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.sizes import Shape, broadcast, shown
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail

Causal: TypeAlias = bool | Literal["top_left", "bottom_right"]
Window: TypeAlias = int | tuple[int | None, int | None]
Documents: TypeAlias = Tensor | tuple[Tensor, Tensor]
Unseen: TypeAlias = Literal["nan", "zero"]
KeyRange: TypeAlias = tuple[Tensor | None, Tensor | None]

_TINY_WEIGHTS = 256.0
"""Weights in fp8 go up to this: 2^8 more of the small ones are not rounded to zero."""


@overload
def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    causal: Causal = False,
    window: Window | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
    alibi: Tensor | None = None,
    soft_cap: float | None = None,
    documents: Documents | None = None,
    key_lengths: Tensor | None = None,
    key_range: KeyRange | None = None,
    score: Score | None = None,
    lse: Literal[False] = False,
    unseen: Unseen = "nan",
    dtype: DtypeLike | None = None,
) -> Tensor: ...


@overload
def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    causal: Causal = False,
    window: Window | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
    alibi: Tensor | None = None,
    soft_cap: float | None = None,
    documents: Documents | None = None,
    key_lengths: Tensor | None = None,
    key_range: KeyRange | None = None,
    score: Score | None = None,
    lse: Literal[True],
    unseen: Unseen = "nan",
    dtype: DtypeLike | None = None,
) -> tuple[Tensor, Tensor]: ...


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    causal: Causal = False,
    window: Window | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
    alibi: Tensor | None = None,
    soft_cap: float | None = None,
    documents: Documents | None = None,
    key_lengths: Tensor | None = None,
    key_range: KeyRange | None = None,
    score: Score | None = None,
    lse: bool = False,
    unseen: Unseen = "nan",
    dtype: DtypeLike | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """softmax(scale * query key.T) value, over (..., heads, sequence, features).

    Keys and values may have fewer heads: each serves a group of the query's heads. The
    default scale is 1 / sqrt(features). docs/payloads.md has a table of the options.

    With `causal`, query i sees the keys up to i (`"bottom_right"`: the last query is
    level with the last key). A `window` of w keeps the keys less than w away, a pair
    those up to so many before and after. `score` is a function of a score and of its
    indices b, h, q, k, as many as it names. With `lse` the result is a pair: the second
    is the logarithm of the sum of exponentials of each row, in f32. The result has the
    query's type, or bf16 if that is an fp8 one.

    A row without any key that it sees is NaN, or zero with `unseen="zero"`.
    """
    heads = _checked(query, key, value)
    left, right, bottom_right = _reach(causal, window)
    rule = ScoreRule(
        heads=heads,
        scale=_scale(query, scale),
        soft_cap=_positive("soft_cap", soft_cap),
        left=left,
        right=right,
        bottom_right=bottom_right,
        score=score,
    )
    operands = {
        **_biases(heads, bias=bias, alibi=alibi),
        **_documents(heads, documents),
        **_lengths(heads, key_lengths),
        **_ranges(heads, key_range),
    }
    product = matmul(heads.inside(query), heads.shared(key).T)
    inside = {name: heads.inside(given) for name, given in operands.items()}
    scores = named_elementwise(
        "scores", rule, {"acc": product, **inside}, product.dtype
    )
    parts = exponentials(scores, -1)
    made = "bf16" if query.dtype in TINY_FLOATS else query.dtype
    made = made if dtype is None else dtype_name("attention", dtype)
    mixed = _mixed(parts, heads.shared(value), made, unseen)
    result = heads.outside(mixed, (*heads.scores[:-1], value.shape[-1]))
    if not lse:
        return result
    return result, heads.outside(parts.logarithm("lse"), heads.scores[:-1])


def _mixed(parts: Exponentials, value: Tensor, dtype: str, unseen: Unseen) -> Tensor:
    """The values, weighted by the softmax.

    Weights in fp8 are not divided by their sum: a weight of one among many keys would
    be rounded to zero. The product is divided instead.
    """
    if value.dtype not in TINY_FLOATS:
        product = matmul(parts.quotient(value.dtype), value)
        if unseen == "nan":
            return cast(product, dtype)
        return elementwise(_or_zero, product, parts.rows_largest, dtype=dtype)

    def weights(power: Scalar) -> Scalar:
        return power * _TINY_WEIGHTS

    def mixed(acc: Scalar, total: Scalar) -> Scalar:
        return acc / (total * _TINY_WEIGHTS)

    product = matmul(elementwise(weights, parts.powers, dtype=value.dtype), value)
    total = with_units(parts.total, parts.axes)
    made = elementwise(mixed, product, total, dtype=dtype)
    if unseen == "nan":
        return made
    return elementwise(_or_zero, made, parts.rows_largest, dtype=dtype)


def _or_zero(acc: Scalar, largest: Scalar) -> Scalar:
    """Zero in a row whose scores are all -inf."""
    return where(largest == -math.inf, acc.body.constant(0.0, acc.dtype), acc)


def _checked(query: Tensor, key: Tensor, value: Tensor) -> HeadGroups:
    """Refuse tensors that do not fit; gives the axes of the scores."""
    check_tensors("attention", query=query, key=key, value=value)
    given = [query, key, value]
    if min(one.rank for one in given) < 2:
        fail(f"attention: no sequence and features: {listed(given)}")
    if not all(is_float(one.dtype) for one in given):
        fail(f"attention: not defined for {listed(given)}", "cast to a float first")
    scores: Shape = (*query.shape[:-1], key.shape[-2])
    if key.shape[:-1] != value.shape[:-1]:
        fail(
            f"attention: keys and values differ: {listed([key, value])}",
            "all their sizes but the last must be equal",
        )
    if query.rank != key.rank or query.shape[-1] != key.shape[-1]:
        fail(
            f"attention: the keys do not fit the queries: {listed([query, key])}",
            "both are (..., heads, sequence, features) with equal features",
        )
    if query.shape[:-2] == key.shape[:-2]:
        return HeadGroups(scores, None)
    heads, shared = query.shape[-3], key.shape[-3]
    if query.shape[:-3] != key.shape[:-3]:
        fail(
            f"attention: the batches differ: {listed([query, key])}",
            "sizes before the heads must be equal",
        )
    if isinstance(heads, str) or isinstance(shared, str) or heads % shared:
        fail(
            f"attention: {heads} heads of queries cannot share {shared} heads of "
            f"keys: {listed([query, key])}",
            "the former must be a multiple of the latter",
        )
    return HeadGroups(scores, shared)


def _scale(query: Tensor, scale: float | None) -> float:
    features = query.shape[-1]
    if scale is not None:
        return scale
    if not isinstance(features, int):
        fail(
            f"attention: the features of {listed([query])} are not a number",
            "give the scale",
        )
    return 1 / math.sqrt(features)


def _positive(name: str, number: float | None) -> float | None:
    if number is not None and not number > 0:
        fail(f"attention: {name} is {number}", "give a number greater than 0")
    return number


def _reach(
    causal: Causal, window: Window | None
) -> tuple[int | None, int | None, bool]:
    """How many keys before and after its position a query sees."""
    if causal not in (False, True, "top_left", "bottom_right"):
        fail(
            f"attention: causal is {causal!r}",
            "write True, 'top_left', which is the same, or 'bottom_right'",
        )
    if isinstance(window, tuple):
        left, right = window
    else:
        left = right = None if window is None else window - 1
    if any(side is not None and side < 0 for side in (left, right)):
        fail(
            f"attention: a window of {window}",
            "give how far keys may be, 1 or more, or a pair of how many before and "
            "after the query",
        )
    return left, 0 if causal else right, causal == "bottom_right"


def _biases(
    heads: HeadGroups, *, bias: Tensor | None, alibi: Tensor | None
) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    check_tensors("attention", bias=bias, alibi=alibi)
    if bias is not None:
        if broadcast([bias.shape, heads.scores]) != heads.scores:
            fail(
                f"attention: the bias does not fit: {listed([bias])}",
                f"it must broadcast to the scores, {shown(heads.scores)}",
            )
        found["bias"] = bias
    if alibi is not None:
        slopes = heads.scores[-3:-2]
        if not slopes or alibi.shape != slopes or not is_float(alibi.dtype):
            fail(
                f"attention: no slope for each head: {listed([alibi])}",
                f"alibi needs floats of shape {shown(slopes or ('heads',))}",
            )
        found["alibi"] = alibi[:, None, None]
    return found


def _documents(heads: HeadGroups, documents: Documents | None) -> dict[str, Tensor]:
    if documents is None:
        return {}
    both = documents if isinstance(documents, tuple) else (documents, documents)
    of_query, of_key = both
    check_tensors("attention", documents=of_query, documents_of_keys=of_key)
    return {
        "query_document": _placed(heads, "documents of the queries", of_query, -2),
        "key_document": _placed(heads, "documents of the keys", of_key, -1),
    }


def _lengths(heads: HeadGroups, key_lengths: Tensor | None) -> dict[str, Tensor]:
    check_tensors("attention", key_lengths=key_lengths)
    if key_lengths is None:
        return {}
    return {"key_length": _placed(heads, "lengths of the keys", key_lengths, None)}


def _ranges(heads: HeadGroups, key_range: KeyRange | None) -> dict[str, Tensor]:
    start, end = key_range or (None, None)
    check_tensors("attention", first_keys=start, key_ends=end)
    given = {"first_key": start, "key_end": end}
    return {
        name: _placed(heads, f"{name.replace('_', ' ')}s of the queries", x, -2)
        for name, x in given.items()
        if x is not None
    }


def _placed(heads: HeadGroups, what: str, x: Tensor, axis: int | None) -> Tensor:
    """Integers for the first axes, and for queries (-2) or keys (-1), in the scores."""
    front, sizes = heads.scores[:-2], heads.scores[-2:]
    last = () if axis is None else (sizes[axis],)
    count = x.rank - len(last)
    if x.shape != (*front[:count], *last) or is_float(x.dtype):
        fail(
            f"attention: the {what} do not fit the scores {shown(heads.scores)}: "
            f"{listed([x])}",
            f"give integers of shape {shown((*front[:1], *last))}",
        )
    # The document of a single query broadcasts along the keys.
    at = -1 if axis == -2 and heads.single_query else axis
    key = [slice(None)] * count + [None] * (len(front) - count)
    return x[(*key, *(slice(None) if one == at else None for one in (-2, -1)))]
