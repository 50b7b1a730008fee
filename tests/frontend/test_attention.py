"""Attention: each option and pairs of them against plain math of torch in f64."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import Payload, Scalar, Tensor, attention, where
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError

sdpa: Any = torch.nn.functional.scaled_dot_product_attention


@dataclass(frozen=True)
class Work:
    """Sizes and options of one attention."""

    batch: int = 2
    heads: int = 4
    key_heads: int = 4
    queries: int = 7
    keys: int = 7
    features: int = 5
    values: int = 5
    dtype: str = "f32"
    dynamic: bool = False
    """Whether batch and lengths are sizes of run time."""
    inputs: tuple[str, ...] = ()
    """bias, alibi, documents, two_documents, key_lengths, key_range, key_ends."""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def scores(self) -> tuple[int, ...]:
        return (self.batch, self.heads, self.queries, self.keys)


def size_names(work: Work) -> dict[str, int]:
    return {"B": work.batch, "I": work.queries, "J": work.keys}


def built(work: Work) -> Payload:
    p = Payload("attention")
    b, i, j = ("B", "I", "J") if work.dynamic else work.scores[::2] + work.scores[3:]
    q = p.input("q", (b, work.heads, i, work.features), work.dtype)
    k = p.input("k", (b, work.key_heads, j, work.features), work.dtype)
    v = p.input("v", (b, work.key_heads, j, work.values), work.dtype)
    extra: dict[str, Any] = dict(work.options)
    if "bias" in work.inputs:
        extra["bias"] = p.input("bias", (work.heads, i, j), work.dtype)
    if "alibi" in work.inputs:
        extra["alibi"] = p.input("alibi", (work.heads,), "f32")
    if "documents" in work.inputs:
        extra["documents"] = p.input("documents", (b, j), "i32")
    if "two_documents" in work.inputs:
        both = p.input("of_queries", (b, i), "i32"), p.input("of_keys", (j,), "i32")
        extra["documents"] = both
    if "key_lengths" in work.inputs:
        extra["key_lengths"] = p.input("lengths", (b,), "i32")
    if "key_range" in work.inputs:
        both = p.input("starts", (b, i), "i32"), p.input("ends", (i,), "i32")
        extra["key_range"] = both
    if "key_ends" in work.inputs:
        extra["key_range"] = None, p.input("ends", (i,), "i32")
    made = attention(q, k, v, **extra)
    p.output(*(made if isinstance(made, tuple) else (made,)))
    return p


def arrays_for(work: Work, payload: Payload, seed: int = 0) -> list[np.ndarray]:
    arrays = random_arrays(payload, seed, size_names(work))
    rng = np.random.default_rng(seed)
    for at, given_input in enumerate(payload.inputs):
        if given_input.name == "lengths":
            arrays[at] = rng.integers(1, work.keys + 1, work.batch, dtype=np.int32)
        elif given_input.name == "starts":
            shape = work.batch, work.queries
            arrays[at] = rng.integers(-1, work.keys // 2, shape, dtype=np.int32)
        elif given_input.name == "ends":
            low, high = work.keys // 2 + 1, work.keys + 2
            arrays[at] = rng.integers(low, high, work.queries, dtype=np.int32)
        elif given_input.dtype == "i32":
            # Few documents, in runs; every query's own document has a key.
            arrays[at] = np.sort(np.abs(arrays[at]) % 2, -1)
    return arrays


def reference(work: Work, tensors: dict[str, torch.Tensor]) -> list[torch.Tensor]:
    """Plain attention, with every score and condition written out."""
    o = work.options
    group = work.heads // work.key_heads
    q = tensors["q"]
    k, v = (tensors[name].repeat_interleave(group, 1) for name in "kv")
    s = q @ k.mT * o.get("scale", 1 / math.sqrt(work.features))
    if "soft_cap" in o:
        s = o["soft_cap"] * torch.tanh(s / o["soft_cap"])
    if "bias" in tensors:
        s = s + tensors["bias"]
    lengths = tensors.get("lengths", torch.full((work.batch,), work.keys))
    lengths = lengths[:, None, None, None]
    at = torch.arange(work.queries)[:, None]
    if o.get("causal") == "bottom_right":
        at = at + lengths - work.queries
    key = torch.arange(work.keys)
    causal = bool(o.get("causal"))
    if "alibi" in tensors:
        away = (at - key).double()
        slopes = tensors["alibi"][:, None, None]
        s = s - slopes * (away if causal else away.abs())
    if "score" in o:
        b = torch.arange(work.batch)[:, None, None, None]
        h = torch.arange(work.heads)[:, None, None]
        s = s + 0.1 * (b + 2 * h) - 0.05 * (torch.arange(work.queries)[:, None] - key)
    seen = (key < lengths).expand(work.scores)
    if causal:
        seen = seen & (key <= at)
    window = o.get("window")
    if isinstance(window, int):
        seen = seen & ((at - key).abs() < window)
    elif window is not None:
        left, right = window
        seen = seen & (at - key <= (work.keys if left is None else left))
        seen = seen & (key - at <= (work.keys if right is None else right))
    if "documents" in tensors:
        d = tensors["documents"]
        seen = seen & (d[:, None, :, None] == d[:, None, None, :])
    if "of_keys" in tensors:
        rows = tensors["of_queries"][:, None, :, None]
        seen = seen & (rows == tensors["of_keys"])
    if "starts" in tensors:
        seen = seen & (key >= tensors["starts"][:, None, :, None])
    if "ends" in tensors:
        seen = seen & (key < tensors["ends"][:, None])
    s = torch.where(seen, s, -torch.inf)
    return [torch.softmax(s, -1) @ v, torch.logsumexp(s, -1)]


def check(work: Work, seed: int = 0) -> Payload:
    payload = built(work)
    arrays = arrays_for(work, payload, seed)
    results = results_of(payload, arrays)
    names = [one.name for one in payload.inputs]
    tensors = dict(zip(names, map(torch.from_numpy, wide(arrays)), strict=True))
    expected = reference(work, tensors)
    for result, output, wanted in zip(results, payload.outputs, expected, strict=False):
        assert_close(result, _nan_rows(result, wanted), output.dtype, work.keys)
    return payload


def _nan_rows(result: np.ndarray, wanted: torch.Tensor) -> np.ndarray:
    """The expected result; both have to be NaN in the same rows (lse: -inf there)."""
    empty = np.isnan(result.astype(np.float32))
    known = wanted.isnan() | wanted.isneginf()
    assert np.array_equal(empty, known.numpy())
    result[empty] = 0
    return torch.where(known, 0, wanted).numpy()


def own_score(score: Scalar, b: Scalar, h: Scalar, q: Scalar, k: Scalar) -> Scalar:
    where_from = (b + h * 2).cast("f32") * 0.1
    return score + where_from - (q - k).cast("f32") * 0.05


GROUPED = Work(heads=6, key_heads=2)
SHORT = Work(queries=5, keys=9)
ONE = Work(queries=1, keys=9)

CASES: dict[str, Work] = {
    "plain": Work(),
    "values of another size": Work(features=5, values=3),
    "grouped": GROUPED,
    "one head of keys": Work(heads=3, key_heads=1, queries=1, keys=1),
    "causal": replace(SHORT, options={"causal": True}),
    "causal, more queries": Work(queries=9, keys=5, options={"causal": "top_left"}),
    "bottom right": replace(SHORT, options={"causal": "bottom_right"}),
    "window": Work(options={"window": 3}),
    "pair": Work(options={"window": (2, None)}),
    "causal pair": replace(SHORT, options={"window": (1, 2), "causal": True}),
    "scale": Work(options={"scale": 0.7}),
    "bias": replace(SHORT, inputs=("bias",)),
    "alibi": replace(SHORT, inputs=("alibi",)),
    "causal alibi": replace(
        GROUPED, inputs=("alibi",), options={"causal": "bottom_right"}
    ),
    "soft cap": Work(options={"soft_cap": 0.8}),
    "documents": Work(inputs=("documents",)),
    "documents of each": replace(SHORT, inputs=("two_documents",)),
    "key lengths": Work(inputs=("key_lengths",)),
    "key range": replace(SHORT, inputs=("key_range",)),
    "key ends": replace(GROUPED, inputs=("key_ends",)),
    "score": Work(options={"score": own_score}),
    "lse": Work(options={"lse": True}),
    "grouped, everything": replace(
        GROUPED,
        keys=9,
        inputs=("bias", "alibi", "two_documents", "key_lengths"),
        options={"score": own_score, "soft_cap": 2.0, "lse": True, "window": 4},
    ),
    "decoding": replace(ONE, options={"lse": True}),
    "decoding, grouped": replace(
        ONE, heads=6, key_heads=2, options={"causal": "bottom_right", "window": 4}
    ),
    "decoding, everything": replace(
        ONE,
        heads=6,
        key_heads=2,
        inputs=("bias", "alibi", "two_documents", "key_lengths"),
        options={"causal": "bottom_right", "score": own_score, "lse": True},
    ),
    "dynamic": replace(GROUPED, dynamic=True, options={"causal": True, "lse": True}),
    "dynamic bottom right": replace(
        SHORT, dynamic=True, options={"causal": "bottom_right", "window": 3}
    ),
    "dynamic documents": replace(
        GROUPED, dynamic=True, inputs=("two_documents", "key_lengths")
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_options_are_right(name: str) -> None:
    check(CASES[name])


@needs_mlir
@pytest.mark.parametrize(
    "name", ["grouped, everything", "decoding, everything", "dynamic bottom right"]
)
def test_real_mlir_reads_them(name: str) -> None:
    mlir_opt(built(CASES[name]).text())


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_narrow_types(dtype: str) -> None:
    options = {"causal": True, "lse": True}
    payload = check(replace(GROUPED, dtype=dtype, inputs=("bias",), options=options))
    assert [output.dtype for output in payload.outputs] == [dtype, "f32"]


@settings(deadline=None, max_examples=examples(25))
@given(st.data())
def test_any_options_together(data: st.DataObject) -> None:
    draw = data.draw
    key_heads = draw(st.sampled_from([1, 2, 3]))
    keys = draw(st.integers(1, 8))
    names = ["bias", "alibi", "two_documents", "key_lengths"]
    some = {
        "causal": st.sampled_from([True, "bottom_right"]),
        "window": st.integers(1, 4) | st.tuples(st.integers(0, 3), st.none()),
        "soft_cap": st.floats(0.5, 4),
        "score": st.just(own_score),
        "lse": st.just(True),
    }
    work = Work(
        batch=draw(st.integers(1, 2)),
        heads=key_heads * draw(st.integers(1, 3)),
        key_heads=key_heads,
        queries=draw(st.integers(1, 5)),
        keys=keys,
        features=draw(st.integers(1, 4)),
        values=draw(st.integers(1, 4)),
        dynamic=draw(st.booleans()),
        inputs=tuple(draw(st.lists(st.sampled_from(names), unique=True))),
        options=draw(st.fixed_dictionaries({}, optional=some)),
    )
    check(work, seed=draw(st.integers(0, 100)))


def test_torch_agrees_about_grouped_causal_heads() -> None:
    payload = built(replace(GROUPED, keys=9, options={"causal": True}))
    arrays = random_arrays(payload)
    tensors = map(torch.from_numpy, wide(arrays))
    expected = sdpa(*tensors, is_causal=True, enable_gqa=True)
    (result,) = results_of(payload, arrays)
    assert_close(result, expected.numpy(), "f32", 9)


def test_fp8() -> None:
    p = Payload("fp8")
    q = p.input("q", (2, 3, 9, 16), "f8E4M3FN")
    k = p.input("k", (2, 3, 600, 16), "f8E4M3FN")
    v = p.input("v", (2, 3, 600, 16), "f8E5M2")
    p.output(attention(q, k, v))
    (result,) = results_of(p, random_arrays(p))
    tensors = [torch.from_numpy(a) for a in wide(random_arrays(p))]
    expected = sdpa(*tensors).numpy()
    assert result.dtype == numpy_dtype("bf16")
    # A weight has 3 bits behind the point, and 600 of them make the error small.
    assert np.abs(result.astype(np.float64) - expected).max() < 0.02


def test_equal_fp8_weights_of_many_keys_do_not_vanish() -> None:
    p = Payload("fp8")
    q, k, v = (
        p.input(name, (2, n, 4), "f8E4M3FN")
        for name, n in zip("qkv", (1, 4096, 4096), strict=True)
    )
    p.output(attention(q, k, v, dtype="f32"))
    arrays = [a * 0 for a in random_arrays(p)]
    arrays[2] = arrays[2] + numpy_dtype("f8E4M3FN").type(1.5)
    (result,) = results_of(p, arrays)
    assert np.array_equal(result, np.full((2, 1, 4), 1.5, np.float32))


# What the text looks like.


def test_every_option_is_in_one_op() -> None:
    text = built(CASES["grouped, everything"]).text()
    # scores, largest, exponential, total, softmax, lse.
    assert text.count("linalg.generic") == 6
    assert text.count("arith.select") == 1


def test_a_group_is_a_loop_and_keys_are_read_where_they_are() -> None:
    text = built(GROUPED).text()
    query = "(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)"
    key = "(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)"
    assert f"[affine_map<{query}>, affine_map<{key}>" in text
    assert "ins(%expanded, %k : tensor<2x2x3x7x5xf32>, tensor<2x2x7x5xf32>)" in text
    assert "ins(%softmax, %v : tensor<2x2x3x7x7xf32>, tensor<2x2x7x5xf32>)" in text
    assert text.count("tensor.expand_shape") == 1


def test_the_heads_of_a_group_are_the_rows_of_one_query() -> None:
    text = built(CASES["decoding, grouped"]).text()
    assert "ins(%expanded, %k : tensor<2x2x3x5xf32>, tensor<2x2x9x5xf32>)" in text
    # At the last key, only the window has an end.
    assert "arith.cmpi sge" in text and "arith.cmpi sle" not in text


def test_a_transposed_query_is_not_copied() -> None:
    p = Payload("attention")
    q = p.input("q", (2, 7, 6, 4), "f16").transpose(0, 2, 1, 3)
    k, v = (p.input(n, (2, 7, 2, 4), "f16").transpose(0, 2, 1, 3) for n in "kv")
    p.output(attention(q, k, v))
    assert "linalg.transpose" not in p.text()
    arrays = random_arrays(p)
    tensors = [torch.from_numpy(a).transpose(1, 2) for a in wide(arrays)]
    expected = sdpa(*tensors, enable_gqa=True)
    assert_close(results_of(p, arrays)[0], expected.numpy(), "f16", 7)


def test_a_window_compares_indices() -> None:
    text = built(Work(options={"causal": True, "window": 3})).text()
    body = text[text.index("^bb0(%acc") : text.index("linalg.yield")]
    assert (
        body
        == """\
^bb0(%acc: f32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    %1 = linalg.index 3 : index
    %2 = linalg.index 2 : index
    %3 = arith.cmpi sle, %1, %2 : index
    %4 = arith.subi %2, %c2 : index
    %5 = arith.cmpi sge, %1, %4 : index
    %6 = arith.andi %3, %5 : i1
    %7 = arith.select %6, %0, %minus_infinity : f32
    """
    )


def test_a_row_that_sees_no_key_is_nan() -> None:
    work = Work(queries=5, keys=3, options={"causal": "bottom_right", "lse": True})
    payload = built(work)
    out, lse = results_of(payload, random_arrays(payload))
    assert np.isnan(out[:, :, :2]).all() and not np.isnan(out[:, :, 2:]).any()
    assert np.isnan(lse[:, :, :2]).all()


# Mistakes.


def attend(p: Payload, q: tuple[int, ...], k: tuple[int, ...], **options: Any):
    given_q, given_k = p.input("q", q, "f32"), p.input("k", k, "f32")
    return attention(given_q, given_k, given_k, **options)


def fits(p: Payload, **options: Any) -> Tensor:
    return attend(p, (2, 4, 7, 8), (2, 4, 7, 8), **options)


def i32(p: Payload, *shape: int) -> Tensor:
    return p.input("of", shape, "i32")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: attend(p, (4, 7, 8), (3, 7, 8)), "4 heads .* share 3 heads"),
        (lambda p: attend(p, (2, 4, 7, 8), (3, 4, 7, 8)), "the batches differ"),
        (lambda p: attend(p, (4, 7, 8), (4, 7, 9)), "equal features"),
        (lambda p: attend(p, (2, 4, 7, 8), (4, 7, 8)), "keys do not fit"),
        (lambda p: fits(p, causal="left"), "causal is 'left'; .*'bottom_right'"),
        (lambda p: fits(p, window=0), "a window of 0; .*1 or more"),
        (lambda p: fits(p, window=(3, -1)), "a window of \\(3, -1\\)"),
        (lambda p: fits(p, soft_cap=0.0), "soft_cap is 0.0"),
        (lambda p: fits(p, bias=i32(p, 7, 8)), "broadcast to the scores, \\(2, 4, 7"),
        (lambda p: fits(p, alibi=i32(p, 4)), "floats of shape \\(4,\\)"),
        (lambda p: fits(p, documents=i32(p, 3, 7)), "integers of shape \\(2, 7\\)"),
        (lambda p: fits(p, key_lengths=i32(p, 4)), "integers of shape \\(2,\\)"),
        (lambda p: fits(p, score=lambda s, x: s), "parameter 'x'; .* b, h, k, q"),
        (lambda p: fits(p, score=lambda s: p), "a Payload among the elements"),
        (lambda p: fits(p, bias=1.0), "bias is not a tensor"),
    ],
)
def test_mistakes_are_told_at_the_call(make: Any, words: str) -> None:
    with pytest.raises(UserError, match=f"(?s){words}") as caught:
        make(Payload("p"))
    assert caught.value.place is not None
    assert caught.value.place.file == __file__


def test_a_score_function_may_mask() -> None:
    p = Payload("attention")
    q, k, v = (p.input(name, (3, 6, 4), "f32") for name in "qkv")
    dilated = lambda s, q, k: where((q - k) % 2 == 0, s, -math.inf)  # noqa: E731
    p.output(attention(q, k, v, score=dilated))
    arrays = random_arrays(p)
    tensors = [torch.from_numpy(a) for a in wide(arrays)]
    at = torch.arange(6)
    mask = (at[:, None] - at) % 2 == 0
    expected = sdpa(*tensors, attn_mask=mask)
    assert_close(results_of(p, arrays)[0], expected.numpy(), "f32", 6)
