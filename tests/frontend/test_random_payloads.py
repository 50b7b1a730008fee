"""Random payloads: the interpreter agrees with numpy, bit for bit."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.random_programs.payloads import Recipe, random_payload
from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module, to_text

RANDOMS = st.randoms(use_true_random=False)


@settings(deadline=None, max_examples=examples(100))
@given(random=RANDOMS, steps=st.integers(1, 8))
def test_the_interpreter_agrees_with_numpy(random: Random, steps: int) -> None:
    program = random_payload(random, Recipe(steps=steps))
    inputs = program.inputs()
    results = run(program.payload.module, inputs)
    for got, want in zip(results, program.evaluate(inputs), strict=True):
        assert got.dtype == want.dtype
        assert np.array_equal(got, want), program.payload.text()


@settings(deadline=None, max_examples=examples(30))
@given(random=RANDOMS)
def test_the_text_is_read_back(random: Random) -> None:
    module = random_payload(random).payload.module
    text = to_text(module)
    assert to_text(parse_module(text, "random.mlir", payload_context())) == text


@pytest.mark.slow
@needs_mlir
def test_real_mlir_takes_them() -> None:
    for seed in range(40):
        mlir_opt(random_payload(Random(seed)).payload.text())


def test_the_generator_draws_every_kind_of_op() -> None:
    text = "".join(random_payload(Random(n)).payload.text() for n in range(60))
    for op in (
        "linalg.matmul",
        "linalg.fill",
        "tensor.extract_slice",
        "tensor.insert_slice",
        "tensor.collapse_shape",
        '"reduction", "parallel"',
        "arith.select",
        "affine_map<(d0, d1) -> (d0, 0)>",
    ):
        assert op in text, op
