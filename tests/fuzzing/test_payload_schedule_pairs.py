"""The fuzzer, bounded: `python tests/fuzz/run.py` runs it for as long as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.schedules.cases import random_chain_case
from fuzz.schedules.checks import Finding
from fuzz.schedules.files import run_file
from fuzz.schedules.fuzzer import Fuzzer
from fuzz.schedules.session import ANY, Line, Session
from fuzz.shrinking import Reproducer, replay, shrunk
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import TESTS

FOUND = sorted((TESTS / "fuzz" / "found").glob("*.mlir"))
LONG = 900.0
"""Seconds; the number of programs ends a run, so that every machine tries the same."""


@pytest.mark.slow
def test_random_schedules_keep_what_payloads_compute() -> None:
    reports: list[str] = []
    fuzzer = Fuzzer(
        2026, LONG, 100, mlir=False, found=lambda found: reports.append(found.report())
    )
    fuzzer.run()
    assert not reports, "\n".join(reports)
    assert fuzzer.statistics.steps > fuzzer.statistics.programs > 0


@pytest.mark.slow
def test_random_schedules_stream_chains_of_reductions() -> None:
    reports: list[str] = []
    fuzzer = Fuzzer(
        14,
        LONG,
        50,
        draw_case=random_chain_case,
        mlir=False,
        found=lambda found: reports.append(found.report()),
    )
    fuzzer.run()
    assert not reports, "\n".join(reports)
    assert fuzzer.statistics.verbs["tilewright.stream"] > 0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_once(path: Path) -> None:
    """A file that says `// refused: words` ends in an error with these words."""
    text = path.read_text()
    error = run_file(text, path.name).refusal
    wanted = [
        line.partition(":")[2].strip()
        for line in text.splitlines()
        if line.startswith("// refused:")
    ]
    if wanted:
        assert error is not None and wanted[0] in str(error)
    else:
        assert error is None, str(error)


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_real_mlir_reads_what_becomes_of_it(path: Path) -> None:
    text = run_file(path.read_text(), path.name).text
    if "<0x" not in text:  # upstream has no slice of a dimension of size 0
        mlir_opt(text)


# -- the fuzzer itself: it must see what is wrong, and shrink it ---------------------

PAYLOAD = """
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""


def case():
    from fuzz.schedules.cases import Case

    return Case("test", PAYLOAD, ("f32",), (((8,),),), whole_numbers=False)


def match(name: str, op: str) -> Line:
    text = f'{name} = transform.structured.match ops{{["{op}"]}} in %root'
    return Line(f"{text} : ({ANY}) -> {ANY}", ("%root",), (name,))


GENERALIZE = Line(
    f"%g = transform.structured.generalize %h : ({ANY}) -> {ANY}", ("%h",), ("%g",)
)
CSE = Line(f"transform.apply_cse to %f : {ANY}", ("%f",))
LINES = [match("%h", "linalg.exp"), GENERALIZE, match("%f", "func.func"), CSE]


def test_wrong_numbers_are_seen_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.transforms.structured.rewrite import generalize

    honest = generalize.GeneralizeOp.apply

    def dishonest(self, state) -> None:
        honest(self, state)
        (made,) = state.payload_ops(self.results[0])
        made.results[0].replace_all_uses_with(made.operands[0])

    monkeypatch.setattr(generalize.GeneralizeOp, "apply", dishonest)
    found = replay(case(), LINES)
    assert found is not None and found.kind == "wrong numbers"
    small = shrunk(Reproducer(found, case(), tuple(LINES), 0))
    assert small.lines == tuple(LINES[:2])
    assert "linalg.exp" in small.report() and "structured.generalize" in small.report()


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError("y")], ids=repr)
def test_whatever_escapes_is_a_finding(monkeypatch, error: Exception) -> None:
    from tilewright.transforms.structured.rewrite import generalize

    def broken(self, state) -> None:
        raise error

    monkeypatch.setattr(generalize.GeneralizeOp, "apply", broken)
    session = Session(case())
    session.do(LINES[0])
    with pytest.raises(Finding, match=f"raised {type(error).__name__}"):
        session.do(GENERALIZE)


def test_a_refusal_that_changed_something_is_a_finding(monkeypatch) -> None:
    from tilewright.transforms.structured.rewrite import generalize

    honest = generalize.GeneralizeOp.apply

    def late(self, state) -> None:
        honest(self, state)
        raise self.refuse("too late")

    monkeypatch.setattr(generalize.GeneralizeOp, "apply", late)
    session = Session(case())
    session.do(LINES[0])
    with pytest.raises(Finding, match="a refused step changed the payload"):
        session.do(GENERALIZE)


def test_a_handle_to_what_is_gone_is_a_finding(monkeypatch) -> None:
    from tilewright.transforms.structured.rewrite import generalize

    honest = generalize.GeneralizeOp.apply

    def stale(self, state) -> None:
        (old,) = state.payload_ops(self.operands[0])
        copy = old.clone()
        honest(self, state)
        state.set_ops(self.results[0], [copy])

    monkeypatch.setattr(generalize.GeneralizeOp, "apply", stale)
    session = Session(case())
    session.do(LINES[0])
    with pytest.raises(Finding, match="points at what is gone"):
        session.do(GENERALIZE)


def test_an_op_thrown_away_that_still_reads_is_a_finding(monkeypatch) -> None:
    from tilewright.transforms.structured.rewrite import generalize

    def leaves_a_copy(self, state) -> None:
        (op,) = state.payload_ops(self.operands[0])
        op.clone()
        raise self.refuse("it is not wanted")

    monkeypatch.setattr(generalize.GeneralizeOp, "apply", leaves_a_copy)
    session = Session(case())
    session.do(LINES[0])
    with pytest.raises(Finding, match="a use is left outside"):
        session.do(GENERALIZE)
