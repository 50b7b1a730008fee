"""Sums of products: every op, dtype and odd shape, against numpy's einsum in f64."""

from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest

from support.ir.interpreter import interpret
from support.ir.linalg_ops import FLOATS, INTEGERS, one_op, random, tensor
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.tolerance import compare

OPS = {
    "matmul": ("mk", "kn", "mn"),
    "batch_matmul": ("bmk", "bkn", "bmn"),
    "batch_reduce_matmul": ("bmk", "bkn", "mn"),
    "matvec": ("mk", "k", "m"),
    "vecmat": ("k", "kn", "n"),
    "batch_matvec": ("bmk", "bk", "bm"),
    "batch_vecmat": ("bk", "bkn", "bn"),
    "dot": ("k", "k", ""),
}
SIZES = [
    dict(b=2, m=1, n=1, k=1),
    dict(b=3, m=7, n=5, k=127),
    dict(b=1, m=2, n=3, k=1000),
    dict(b=2, m=0, n=3, k=7),
    dict(b=2, m=4, n=3, k=0),
    dict(b=0, m=4, n=3, k=2),
]
MIXED = [
    *((dtype, "f32") for dtype in FLOATS if dtype != "f64"),
    ("f64", "f64"),
    ("f16", "f16"),
    ("bf16", "bf16"),
    ("i8", "i32"),
    ("i8", "f32"),
    *((dtype, dtype) for dtype in INTEGERS),
]


def shape_of(word: str, sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(sizes[letter] for letter in word)


def reference(
    words: tuple[str, str, str], a: np.ndarray, b: np.ndarray, c: np.ndarray
) -> np.ndarray:
    """c + the sum of products, in f64 or in wrapping integers of c's type."""
    wide = np.float64 if c.dtype.kind not in "iu" else c.dtype
    with np.errstate(all="ignore"):
        # einsum knows no output whose loops are in no input: a factor of ones has them.
        total = np.einsum(
            f"{','.join(words)}->{words[2]}",
            a.astype(wide),
            b.astype(wide),
            np.ones(c.shape, wide),
        )
        return (c.astype(wide) + total).astype(c.dtype)


def check(
    op: str,
    words: tuple[str, str, str],
    sizes: dict[str, int],
    given: str,
    to: str,
    before: str = "",
) -> None:
    shapes = [shape_of(word, sizes) for word in words]
    a, b = random(shapes[0], given, 1), random(shapes[1], given, 2)
    c = random(shapes[2], to, 3)
    text = one_op(
        op,
        [tensor(shapes[0], given), tensor(shapes[1], given)],
        tensor(shapes[2], to),
        before,
    )
    got, want = interpret(text, a, b, c), reference(words, a, b, c)
    assert got.dtype == want.dtype
    terms = max(1, sizes["k"] * sizes["b"])
    outcome = compare(got, want, to, terms)
    assert outcome.ok, f"{sizes}: {outcome.message}"


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("given", "to"), MIXED)
@pytest.mark.parametrize("name", OPS)
def test_named(name: str, given: str, to: str) -> None:
    for sizes in SIZES:
        check(f"linalg.{name}", OPS[name], sizes, given, to)


def maps_of(loops: str, words: tuple[str, ...]) -> str:
    maps = [
        f"affine_map<({', '.join(loops)}) -> ({', '.join(word)})>" for word in words
    ]
    return f"indexing_maps = [{', '.join(maps)}]"


BATCHED = ("bmk bkm mk bk k", "bkn bnk kn bk k")
MAPPED = [
    ("matmul", "mnk", ("mk km k", "kn nk k", "mn nm")),
    ("batch_matmul", "bmnk", (*BATCHED, "bmn")),
    ("batch_reduce_matmul", "bmnk", (*BATCHED, "mn")),
    ("contract", "mnk", ("km", "nk", "nm")),
    ("contract", "bmnk", ("kmb", "nbk", "nbm")),
    ("contract", "mnkl", ("klm kl", "nlk lkn", "mn")),
]
VARIANTS = [
    (name, loops, words)
    for name, loops, choices in MAPPED
    for words in product(*(choice.split() for choice in choices))
    # An operand has to say how long each loop is.
    if set(loops) == set("".join(words))
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "loops", "words"), VARIANTS, ids=lambda part: "".join(part)
)
def test_with_maps(name: str, loops: str, words: tuple[str, str, str]) -> None:
    sizes = dict(b=3, m=4, n=5, k=7, l=2)
    check(f"linalg.{name}", words, sizes, "f16", "f32", maps_of(loops, words))


@pytest.mark.parametrize("name", ["matmul", "batch_matmul", "batch_reduce_matmul"])
def test_unsigned(name: str) -> None:
    words, sizes = OPS[name], dict(b=2, m=3, n=4, k=127)
    shapes = [shape_of(word, sizes) for word in words]
    a, b = random(shapes[0], "i8", 1), random(shapes[1], "i8", 2)
    c = random(shapes[2], "i32", 3)
    text = one_op(
        f"linalg.{name}",
        [tensor(shapes[0], "i8"), tensor(shapes[1], "i8")],
        tensor(shapes[2], "i32"),
        "{cast = #linalg.type_fn<cast_unsigned>}",
    )
    want = reference(words, a.view(np.uint8), b.view(np.uint8), c)
    np.testing.assert_array_equal(interpret(text, a, b, c), want)


def test_mixed_operands_are_converted_first() -> None:
    text = one_op(
        "linalg.matmul", ["tensor<3x5xf32>", "tensor<5x4xi8>"], "tensor<3x4xf16>"
    )
    a, b = random((3, 5), "f32"), random((5, 4), "i8", 1, small=True)
    c = np.zeros((3, 4), np.float16)
    want = a.astype(np.float16).astype(np.float64) @ b.astype(np.float64)
    outcome = compare(interpret(text, a, b, c), want.astype(np.float16), "f16", 5)
    assert outcome.ok, outcome.message


def test_booleans_are_joined_by_or_and_and() -> None:
    text = one_op(
        "linalg.matmul", ["tensor<7x5xi1>", "tensor<5x9xi1>"], "tensor<7x9xi1>"
    )
    a, b = random((7, 5), "i1", 1), random((5, 9), "i1", 2) & random((5, 9), "i1", 3)
    c = np.zeros((7, 9), bool)
    want = (a.astype(int) @ b.astype(int)) > 0
    np.testing.assert_array_equal(interpret(text, a, b, c), want)


@pytest.mark.parametrize(
    ("given", "to"), [("f32", "f32"), ("f8E4M3FN", "f32"), ("i8", "i32")]
)
def test_a_large_matmul_is_quick(given: str, to: str) -> None:
    square = tensor((512, 512), given)
    text = one_op("linalg.matmul", [square, square], tensor((512, 512), to))
    a, c = random((512, 512), given), np.zeros((512, 512), numpy_dtype(to))
    before = time.process_time()
    interpret(text, a, a, c)
    assert time.process_time() - before < 1.0
