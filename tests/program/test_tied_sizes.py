"""Open sizes are one size where an op of the payload ties them, and nowhere else."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright
from support.command_line import cli_in
from support.examples import examples
from tilewright.codegen.artefact.loader import load
from tilewright.ir.errors import UserError
from tilewright.pipeline import parse_payload, reference

pytestmark = pytest.mark.filterwarnings("ignore")

PRIMES = (3, 5, 7, 11, 13, 17, 19, 23)


@dataclass(frozen=True)
class Program:
    """Arguments of open sizes, and ops on them that return their results."""

    ranks: tuple[int, ...]
    ops: tuple[tuple[str, int, int], ...]
    """What an op does, and the arguments that it reads."""

    @property
    def text(self) -> str:
        """The payload."""
        lines = ["%zero = arith.constant 0.0 : f32"]
        lines += [f"%c{dim} = arith.constant {dim} : index" for dim in (0, 1)]
        for argument, rank in enumerate(self.ranks):
            of = _type(rank)
            lines += [
                f"%d{argument}_{dim} = tensor.dim %a{argument}, %c{dim} : {of}"
                for dim in range(rank)
            ]
        results: list[str] = []
        for place, (kind, one, other) in enumerate(self.ops):
            lines += self._op(f"%r{place}", kind, one, other)
            results.append(_type(1 if kind == "sum" else self.ranks[one]))
        names = ", ".join(f"%r{place}" for place in range(len(results)))
        types = ", ".join(results)
        arguments = ", ".join(
            f"%a{argument}: {_type(rank)}" for argument, rank in enumerate(self.ranks)
        )
        body = "\n  ".join([*lines, f"return {names} : {types}"])
        return f"func.func @f({arguments}) -> ({types}) {{\n  {body}\n}}\n"

    def _op(self, name: str, kind: str, one: int, other: int) -> list[str]:
        rank = self.ranks[one]
        of, empty, zeros = _type(rank), f"{name}_empty", f"{name}_zeros"
        sizes = [f"%d{one}_{dim}" for dim in range(rank)]
        if kind == "matmul":
            sizes[1] = f"%d{other}_1"
        if kind == "sum":
            sizes = sizes[:1]
        result = _type(len(sizes))
        made = f"{empty} = tensor.empty({', '.join(sizes)}) : {result}"
        filled = (
            f"{zeros} = linalg.fill ins(%zero : f32) outs({empty} : {result})"
            f" -> {result}"
        )
        if kind == "sum":
            reduced = (
                f"{name} = linalg.reduce {{ arith.addf }} ins(%a{one} : {of}) "
                f"outs({zeros} : {result}) dimensions = [1]"
            )
            return [made, filled, reduced]
        start = zeros if kind == "matmul" else empty
        computed = (
            f"{name} = linalg.{kind} ins(%a{one}, %a{other} : {of}, {of}) "
            f"outs({start} : {result}) -> {result}"
        )
        return [made, *([filled] if kind == "matmul" else []), computed]

    def tied(self) -> dict[tuple[int, int], int]:
        """The class of each dimension, by what the ops need to be equal."""
        places = [(a, dim) for a, rank in enumerate(self.ranks) for dim in range(rank)]
        of = {place: number for number, place in enumerate(places)}
        for kind, one, other in self.ops:
            pairs = [((one, dim), (other, dim)) for dim in range(self.ranks[one])]
            if kind == "sum":
                continue
            if kind == "matmul":
                pairs = [((one, 1), (other, 0))]
            for left, right in pairs:
                old, new = of[right], of[left]
                of = {p: new if number == old else number for p, number in of.items()}
        return of


def _type(rank: int) -> str:
    return f"tensor<{'?x' * rank}f32>"


@st.composite
def programs(draw: st.DrawFn) -> Program:
    ranks = tuple(draw(st.lists(st.integers(1, 2), min_size=2, max_size=4)))
    every = range(len(ranks))
    allowed = [("mul", one, one) for one in every]
    allowed += [("sum", one, one) for one in every if ranks[one] == 2]
    for one, other in itertools.permutations(every, 2):
        if ranks[one] == ranks[other]:
            allowed.append(("add", one, other))
            allowed += [("matmul", one, other)] if ranks[one] == 2 else []
    ops = draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=4, unique=True))
    return Program(ranks, tuple(ops))


SCHEDULE = """
schedule s(root) {
  ops = match "linalg.mul" in root
  R = knob [1, 2] default 1
  ops, grids = tile ops by [R, 8] onto [block.y, block.x]
}
"""
SQUARES = Program((2, 2), (("mul", 0, 0), ("mul", 1, 1), ("sum", 0, 0)))


@pytest.mark.slow
@given(programs())
@settings(max_examples=examples(60), deadline=None)
def test_sizes_are_equal_where_an_op_ties_them(program: Program) -> None:
    check(program)


@pytest.mark.parametrize("ops", [SQUARES.ops, (("add", 0, 1), ("mul", 1, 1))])
def test_squares(ops: tuple[tuple[str, int, int], ...]) -> None:
    check(Program((2, 2), ops))


def check(program: Program) -> None:
    """Compare the names of sizes with the ties, and a call with the reference."""
    made = tilewright.compile(program.text)
    classes = program.tied()
    specs = made.built.program.arguments
    names = {place: specs[place[0]].extents[place[1]] for place in classes}
    assert all(names.values())
    for one, other in itertools.combinations(classes, 2):
        same = classes[one] == classes[other]
        assert (names[one] == names[other]) == same, (one, other, names)
    numbers = dict(zip(dict.fromkeys(classes.values()), PRIMES, strict=False))
    shapes = [
        tuple(numbers[classes[a, dim]] for dim in range(rank))
        for a, rank in enumerate(program.ranks)
    ]
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
    results = made.interpreted(*map(torch.from_numpy, arrays))
    results = results if isinstance(results, tuple) else (results,)
    expected = reference(parse_payload(program.text), arrays)
    for ours, right in zip(results, expected, strict=True):
        np.testing.assert_allclose(ours.numpy(), right, rtol=1e-5, atol=1e-5)


def test_a_call_that_breaks_a_tie_is_refused_by_the_size_s_name() -> None:
    program = Program((2, 2), (("matmul", 0, 1),))
    made = tilewright.compile(program.text)
    with pytest.raises(UserError, match=r"f: N is 5 in argument 'a0' \(dimension 1\)"):
        made.interpreted(torch.zeros(3, 5), torch.zeros(7, 2))


def test_an_argument_and_a_size_have_different_names() -> None:
    text = SQUARES.text.replace("%a0", "%M")
    specs = tilewright.compile(text).built.program.arguments
    assert [spec.extents for spec in specs] == [("M2", "N"), ("M3", "N2")]


@pytest.mark.slow
def test_commands_give_untied_sizes_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = cli_in(tmp_path, monkeypatch, capsys)
    (tmp_path / "squares.mlir").write_text(SQUARES.text)
    (tmp_path / "s.tw").write_text(SCHEDULE)
    sizes = ("--size", "M=4", "--size", "N=6", "--size", "M2=5", "--size", "N2=9")
    ended = run("run", "squares.mlir", *sizes)
    assert "at M=4, M2=5, N=6, N2=9: correct" in ended.out
    ended = run("run", "squares.mlir", "--size", "a0=4x6", "--size", "M2=5,7", code=1)
    assert "the sizes of argument a1" in ended.err
    sizes = ("--size", "a0=4x6", "--size", "N2=9", "--size", "M2=5,300", "--per-size")
    run("tune", "squares.mlir", "-s", "s.tw", "--target", "h200", *sizes)
    assert "decide M2 = a1[0]" in (tmp_path / "s.best.tw").read_text()
    ended = run("build", "squares.mlir", "--target", "h200", "-o", "squares")
    buffers = load(tmp_path / "squares").metadata["programs"][0]["buffers"]
    assert buffers["a0"]["shape"] == ["M", "N"]
    assert buffers["a1"]["shape"] == ["M2", "N2"]
