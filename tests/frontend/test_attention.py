"""Attention of the builder, with every option, against torch."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from support.attention import CASES, GROUPED, Work, built, own_score, sdpa
from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import Payload, attention
from tilewright.ir.dtypes import numpy_dtype


def size_names(work: Work) -> dict[str, int]:
    return {"B": work.batch, "I": work.queries, "J": work.keys}


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


@pytest.mark.sampled(6)
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
