"""Every op and form of the payload IR, there and back through real MLIR.

`tests/data/corpus/<dialect>.mlir` holds the snippets. For each one, what we print is
what real MLIR reads as the same program, and what real MLIR prints, pretty or generic,
is what we read as the same program: the second pass is byte-identical. Texts
that went through real MLIR are compared without names, since it chooses its own.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache

import pytest

from support.ir.printed import ours
from support.ir.snippets import Snippet, snippets_in
from support.mlir_opt import mlir_opt, mlir_opt_each, needs_mlir
from support.paths import DATA
from support.sampling import mostly_slow, run_with

SNIPPETS = snippets_in(DATA / "corpus")
QUICK = [each for each in SNIPPETS if zlib.crc32(str(each).encode()) % 3 == 0]
EACH = pytest.mark.parametrize("snippet", mostly_slow(SNIPPETS, QUICK), ids=str)
"""The quick snippets are the same ones in all tests, so real MLIR is asked of few."""

Answers = Callable[..., dict[str, str | None]]


@pytest.fixture(scope="module")
def by_real_mlir(request: pytest.FixtureRequest) -> Answers:
    """Texts of the snippets that are run, as `ours` prints them or as they are."""
    snippets: list[Snippet] = run_with(request, "snippet")

    @cache
    def answers(texts: str, *arguments: str) -> dict[str, str | None]:
        write = {
            "as they are": lambda text: text,
            "ours": ours,
            "generic": lambda text: ours(text, generic=True),
        }[texts]
        found = mlir_opt_each([write(each.text) for each in snippets], *arguments)
        return dict(zip(map(str, snippets), found, strict=True))

    return answers


@cache
def without_names(text: str) -> str:
    return ours(text, named=False)


@pytest.mark.sampled(2)
@EACH
def test_print_is_a_fixed_point(snippet: Snippet) -> None:
    printed = ours(snippet.text)
    assert ours(printed) == printed
    assert ours(ours(snippet.text, generic=True)) == printed


@pytest.mark.sampled(1)
@EACH
@needs_mlir
def test_real_mlir_reads_the_same_program(
    snippet: Snippet, by_real_mlir: Answers
) -> None:
    expected = by_real_mlir("as they are")[str(snippet)]
    assert expected is not None, mlir_opt(snippet.text)
    assert by_real_mlir("ours")[str(snippet)] == expected
    assert by_real_mlir("generic")[str(snippet)] == expected


@pytest.mark.sampled(1)
@EACH
@needs_mlir
def test_what_real_mlir_prints_comes_back(
    snippet: Snippet, by_real_mlir: Answers
) -> None:
    expected = without_names(snippet.text)
    for arguments in ((), ("--mlir-print-op-generic",)):
        printed = by_real_mlir("ours", *arguments)[str(snippet)]
        assert printed is not None, mlir_opt(ours(snippet.text))
        assert without_names(printed) == expected


@pytest.mark.sampled(1)
@EACH
@needs_mlir
def test_locations_are_read(snippet: Snippet, by_real_mlir: Answers) -> None:
    text = by_real_mlir("as they are", "--mlir-print-debuginfo")[str(snippet)]
    assert text is not None, mlir_opt(snippet.text)
    assert ours(text, named=False) == without_names(snippet.text)


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(SNIPPETS) >= 150
