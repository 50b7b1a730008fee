"""Attention of the builder: its text, and mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from support.attention import CASES, GROUPED, Work, built, i32, sdpa
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import Payload, Tensor, attention, where
from tilewright.ir.errors import UserError


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


def attend(p: Payload, q: tuple[int, ...], k: tuple[int, ...], **options: Any):
    given_q, given_k = p.input("q", q, "f32"), p.input("k", k, "f32")
    return attention(given_q, given_k, given_k, **options)


def fits(p: Payload, **options: Any) -> Tensor:
    return attend(p, (2, 4, 7, 8), (2, 4, 7, 8), **options)


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
