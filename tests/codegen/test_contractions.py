"""Contractions of every form, from a structured payload to numbers by the default."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from support.sampling import run_with
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import run
from tilewright.pipeline import Built, build, parse_payload

SIZES = {"b": 2, "m": 127, "n": 65, "k": 100, "h": 3, "l": 20}


def contraction(
    lhs: str,
    rhs: str,
    out: str,
    kind: str = "f16",
    acc: str = "f32",
    start: bool = True,
) -> str:
    """`out[...] (+)= lhs[...] * rhs[...]`, the subscripts a letter each."""
    letters = sorted({*lhs, *rhs, *out}, key=(out + lhs + rhs).index)
    dims = ", ".join(f"d{position}" for position in range(len(letters)))

    def map_of(subscripts: str) -> str:
        results = ", ".join(f"d{letters.index(letter)}" for letter in subscripts)
        return f"affine_map<({dims}) -> ({results})>"

    def type_of(subscripts: str, element: str) -> str:
        sizes = "".join(f"{SIZES[letter]}x" for letter in subscripts)
        return f"tensor<{sizes}{element}>"

    kinds = ", ".join(
        '"parallel"' if letter in out else '"reduction"' for letter in letters
    )
    a, b, c = type_of(lhs, kind), type_of(rhs, kind), type_of(out, acc)
    is_float = acc.startswith("f")
    mul, add = ("mulf", "addf") if is_float else ("muli", "addi")
    widen = "extf" if is_float else "extsi"
    cast = [
        f"%w{i} = arith.{widen} %{name} : {kind} to {acc}" if kind != acc else ""
        for i, name in enumerate("xy")
    ]
    x, y = ("%w0", "%w1") if kind != acc else ("%x", "%y")
    zero = "0.0" if is_float else "0"
    begin = f"""
  %zero = arith.constant {zero} : {acc}
  %empty = tensor.empty() : {c}
  %c = linalg.fill ins(%zero : {acc}) outs(%empty : {c}) -> {c}"""
    return f"""
func.func @f(%a: {a}, %b: {b}{"" if start else f", %c: {c}"}) -> {c} {{{begin if start else ""}
  %r = linalg.generic {{indexing_maps = [{map_of(lhs)}, {map_of(rhs)}, {map_of(out)}], iterator_types = [{kinds}]}} ins(%a, %b : {a}, {b}) outs(%c : {c}) {{
  ^bb0(%x: {kind}, %y: {kind}, %z: {acc}):
    {cast[0]}
    {cast[1]}
    %p = arith.{mul} {x}, {y} : {acc}
    %s = arith.{add} %z, %p : {acc}
    linalg.yield %s : {acc}
  }} -> {c}
  return %r : {c}
}}
"""  # noqa: E501


CASES = {
    "plain": contraction("mk", "kn", "mn"),
    "lhs transposed": contraction("km", "kn", "mn"),
    "rhs transposed": contraction("mk", "nk", "mn"),
    "both transposed": contraction("km", "nk", "mn"),
    "result transposed": contraction("mk", "kn", "nm"),
    "batch": contraction("bmk", "bkn", "bmn"),
    "batch inside": contraction("mbk", "bkn", "mbn"),
    "two batches": contraction("bhmk", "bhnk", "bhmn"),
    "two sums": contraction("mlk", "lkn", "mn"),
    "f32": contraction("mk", "kn", "mn", "f32"),
    "i8": contraction("mk", "kn", "mn", "i8", "i32"),
    "i32": contraction("hk", "kl", "hl", "i32", "i32"),
    "onto an argument": contraction("mk", "kn", "mn", start=False),
    "matrix and vector": contraction("mk", "k", "m"),
    "vector and matrix": contraction("k", "kn", "n"),
    "batched vectors": contraction("bmk", "bk", "bm"),
    "small": contraction("hk", "kl", "hl"),
    "rows with rows": contraction("mk", "mk", "m"),
}
DOTS = {
    *("plain", "lhs transposed", "rhs transposed", "both transposed"),
    *("result transposed", "batch", "batch inside", "two batches", "two sums"),
    *("f32", "i8", "onto an argument", "small"),
}


@functools.cache
def built(name: str) -> Built:
    return build(parse_payload(CASES[name]), None)


def inputs_of(name: str) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    made = []
    for spec in built(name).program.arguments:
        dtype = numpy_dtype(spec.dtype)
        values = random.integers(-4, 5, spec.shape)
        made.append(values.astype(dtype))
    return made


@pytest.fixture(scope="module")
def interpreted(request: pytest.FixtureRequest) -> dict[str, np.ndarray]:
    names = run_with(request, "name")
    jobs = [Job(built(name).program, inputs_of(name)) for name in names]
    return {
        name: results[0]
        for name, results in zip(names, interpret_all(jobs), strict=True)
    }


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CASES)
def test_numbers(name: str, interpreted: dict[str, np.ndarray]) -> None:
    inputs = inputs_of(name)
    (expected,) = run(parse_payload(CASES[name]), [x.copy() for x in inputs])
    (kernel,) = run(built(name).kernel, [x.copy() for x in inputs])
    # Small whole numbers: every sum is exact.
    np.testing.assert_array_equal(kernel, expected)
    np.testing.assert_array_equal(interpreted[name], expected)


@pytest.mark.parametrize("name", CASES)
def test_products_of_matrices_are_dots(name: str) -> None:
    text = built(name).program.text
    assert ("tl.dot(" in text) == (name in DOTS)
    assert ("tl.sum(" in text) == (name not in DOTS)


@pytest.mark.parametrize(
    "name", ["lhs transposed", "rhs transposed", "both transposed", "result transposed"]
)
def test_transposing_moves_no_data(name: str) -> None:
    text = built(name).program.text
    assert "tl.trans" not in text and "tl.permute" not in text


@pytest.mark.parametrize("name", ["batch", "two batches", "batched vectors"])
def test_a_batch_of_one_leaves_no_dimension(name: str) -> None:
    assert "tl.reshape" not in built(name).program.text
    assert "[None, None" not in built(name).program.text
