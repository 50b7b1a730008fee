"""Every op and form of the payload IR, there and back through real MLIR.

`tests/data/corpus/<dialect>.mlir` holds the snippets. For each one, what we print is
what real MLIR reads as the same program, and what real MLIR prints, pretty or generic,
is what we read as the same program: the second pass is byte-identical. Texts
that went through real MLIR are compared without names, since it chooses its own.
"""

from __future__ import annotations

import pytest
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA
from support.printed import ours
from support.snippets import Snippet, snippets_in

SNIPPETS = snippets_in(DATA / "corpus")
EACH = pytest.mark.parametrize("snippet", SNIPPETS, ids=str)


def theirs(text: str, *, generic: bool = False) -> str:
    return mlir_opt(text, *(["--mlir-print-op-generic"] if generic else []))


@EACH
def test_print_is_a_fixed_point(snippet: Snippet) -> None:
    printed = ours(snippet.text)
    assert ours(printed) == printed
    assert ours(ours(snippet.text, generic=True)) == printed


@EACH
@needs_mlir
def test_real_mlir_reads_the_same_program(snippet: Snippet) -> None:
    expected = theirs(snippet.text)
    assert theirs(ours(snippet.text)) == expected
    assert theirs(ours(snippet.text, generic=True)) == expected


@EACH
@needs_mlir
def test_what_real_mlir_prints_comes_back(snippet: Snippet) -> None:
    printed = ours(snippet.text)
    expected = ours(snippet.text, named=False)
    assert ours(theirs(printed), named=False) == expected
    assert ours(theirs(printed, generic=True), named=False) == expected


@EACH
@needs_mlir
def test_locations_are_read(snippet: Snippet) -> None:
    text = mlir_opt(snippet.text, "--mlir-print-debuginfo")
    assert ours(text, named=False) == ours(snippet.text, named=False)


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(SNIPPETS) >= 150
