"""Our canonicalization against real MLIR's, snippet by snippet.

`tests/data/canonicalize/<dialect>.mlir` holds the snippets. Ours is canonicalized by us
alone; real MLIR only reads and prints it. Then nothing may differ from what
`mlir-opt --canonicalize` makes of the snippet, dead code included, but the order of ops
without effects. Where ours deliberately differs, the snippet says why.
"""

from __future__ import annotations

import difflib

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.canonicalized import (
    Case,
    both,
    canonicalized,
    cases,
    functions,
    inputs_for,
    ours,
    parse_payload,
    results_of,
    whole_form,
)
from tilewright.ir.text import to_text

CASES = cases()
EACH = pytest.mark.parametrize("case", CASES, ids=str)


@pytest.mark.sampled(12)
@EACH
@needs_mlir
def test_real_mlir_leaves_the_same(case: Case) -> None:
    if case.said("further") is not None:
        mlir_opt(ours(case))
        return
    pair = both(case.snippet.file, case.groups).get(str(case))
    assert pair is not None, ours(case)
    left, right = (whole_form(text) for text in pair)
    if left != right:
        diff = difflib.unified_diff(
            right.splitlines(), left.splitlines(), "real MLIR", "ours", lineterm=""
        )
        pytest.fail("the programs differ:\n" + "\n".join(diff))


@pytest.mark.sampled(12)
@EACH
def test_numbers_stay(case: Case) -> None:
    before = parse_payload(case.snippet.text)
    after = canonicalized(before, case.groups)
    if case.said("no numbers") is not None:
        return
    for function in functions(before):
        name = function.sym_name.data
        for seed in range(3):
            inputs = inputs_for(case, function, seed)
            expected = results_of(before, name, inputs)
            actual = results_of(after, name, inputs)
            for got, want in zip(actual, expected, strict=True):
                np.testing.assert_array_equal(got, want)


@pytest.mark.sampled(12)
@EACH
def test_a_second_time_changes_nothing(case: Case) -> None:
    once = canonicalized(parse_payload(case.snippet.text), case.groups)
    assert to_text(canonicalized(once, case.groups)) == to_text(once)


@pytest.mark.sampled(12)
@EACH
def test_every_snippet_has_something_to_do(case: Case) -> None:
    if case.said("stays") is None:
        assert ours(case) != to_text(parse_payload(case.snippet.text))


def test_there_are_as_many_snippets_as_promised() -> None:
    assert len(CASES) >= 100
