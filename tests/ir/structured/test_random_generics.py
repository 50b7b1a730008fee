"""Random `linalg.generic` ops against plain loops in Python, on integers: exact.

Maps with permutations, constants, sums, strides and divisions; any number of inputs and
outputs; bodies that are element-wise, reductions, or neither.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from support.ir.linalg_ops import random, tensor

WIDTH = 32
OPS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.maxsi": max,
    "arith.minui": lambda a, b: min(a % 2**WIDTH, b % 2**WIDTH),
}
COMBINERS = ("arith.addi", "arith.maxsi", "arith.xori", "arith.muli")


@dataclass(frozen=True)
class Term:
    """A result of a map: (the sum of factor * loop, plus offset) / divisor."""

    factors: tuple[tuple[int, int], ...]
    offset: int = 0
    divisor: int = 1

    def at(self, point: Sequence[int]) -> int:
        total = sum(factor * point[loop] for loop, factor in self.factors)
        return (total + self.offset) // self.divisor

    def __str__(self) -> str:
        parts = [f"d{loop} * {factor}" for loop, factor in self.factors]
        text = " + ".join([*parts, str(self.offset)]) if parts else str(self.offset)
        if self.is_loop:
            text = f"d{self.factors[0][0]}"
        return text if self.divisor == 1 else f"({text}) floordiv {self.divisor}"

    @property
    def is_loop(self) -> bool:
        plain = self.offset == 0 and self.divisor == 1
        return plain and len(self.factors) == 1 and self.factors[0][1] == 1


@dataclass(frozen=True)
class Program:
    """A generic op, to be printed and to be run by loops."""

    extents: tuple[int, ...]
    reduced: tuple[bool, ...]
    maps: tuple[tuple[Term, ...], ...]
    inputs: int
    body: tuple[tuple[str, int, int], ...]
    """Ops on earlier values; the first are the arguments, then the loops' indices."""
    yields: tuple[int, ...]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        last = [max(extent - 1, 0) for extent in self.extents]
        return [
            tuple(
                self.extents[term.factors[0][0]] if term.is_loop else term.at(last) + 1
                for term in terms
            )
            for terms in self.maps
        ]

    def text(self) -> str:
        loops = ", ".join(f"d{loop}" for loop in range(len(self.extents)))
        maps = ", ".join(
            f"affine_map<({loops}) -> ({', '.join(map(str, terms))})>"
            for terms in self.maps
        )
        kinds = ", ".join('"reduction"' if r else '"parallel"' for r in self.reduced)
        types = [tensor(shape, "i32") for shape in self.shapes]
        names = [f"%t{position}" for position in range(len(types))]
        count = len(types)
        lines = [
            f"%i{loop} = linalg.index {loop} : index\n"
            f"        %v{count + loop} = arith.index_cast %i{loop} : index to i32"
            for loop in range(len(self.extents))
        ]
        first = count + len(self.extents)
        lines += [
            f"%v{first + number} = {op} %v{lhs}, %v{rhs} : i32"
            for number, (op, lhs, rhs) in enumerate(self.body)
        ]
        arguments = ", ".join(f"%v{position}: i32" for position in range(count))
        outputs = ", ".join(types[self.inputs :])
        yielded = ", ".join(f"%v{number}" for number in self.yields)
        results = ", ".join(f"%r#{n}" for n in range(len(self.yields)))
        ins = f"ins({', '.join(names[: self.inputs])} : " + (
            f"{', '.join(types[: self.inputs])})"
        )
        signature = ", ".join(
            f"{name}: {kind}" for name, kind in zip(names, types, strict=True)
        )
        body = "\n        ".join(lines)
        return f"""
    func.func @f({signature}) -> ({outputs}) {{
      %r:{len(self.yields)} = linalg.generic {{indexing_maps = [{maps}],
          iterator_types = [{kinds}]}} {ins if self.inputs else ""}
          outs({", ".join(names[self.inputs :])} : {outputs}) {{
      ^bb0({arguments}):
        {body}
        linalg.yield {yielded} : {", ".join(["i32"] * len(self.yields))}
      }} -> ({outputs})
      return {results} : {outputs}
    }}"""

    def by_loops(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        current = [array.copy() for array in arrays]
        for point in itertools.product(*map(range, self.extents)):
            places = [tuple(term.at(point) for term in terms) for terms in self.maps]
            values = [int(a[place]) for a, place in zip(current, places, strict=True)]
            values += point
            for op, lhs, rhs in self.body:
                values.append(signed(OPS[op](values[lhs], values[rhs])))
            for position, number in enumerate(self.yields, self.inputs):
                current[position][places[position]] = values[number]
        return current[self.inputs :]


def signed(value: int) -> int:
    wrapped = value % 2**WIDTH
    return wrapped - 2**WIDTH if wrapped >= 2 ** (WIDTH - 1) else wrapped


@st.composite
def programs(draw: st.DrawFn) -> Program:
    rank = draw(st.integers(0, 4))
    extents = tuple(draw(st.sampled_from([0, 1, 2, 3])) for _ in range(rank))
    reduced = tuple(draw(st.booleans()) for _ in range(rank))
    loops = st.integers(0, rank - 1) if rank else st.nothing()

    def term() -> Term:
        form = draw(st.sampled_from(["loop"] * 4 + ["constant", "sum", "div"]))
        if not rank or form == "constant":
            return Term((), draw(st.integers(0, 2)))
        if form == "loop":
            return Term(((draw(loops), 1),))
        chosen = draw(st.lists(loops, min_size=1, max_size=2, unique=True))
        factors = tuple((loop, draw(st.integers(1, 2))) for loop in chosen)
        return Term(factors, draw(st.integers(0, 1)), 1 if form == "sum" else 2)

    maps = [
        tuple(term() for _ in range(draw(st.integers(0, 2))))
        for _ in range(draw(st.integers(0, 3)))
    ]
    # One input has every loop, so that the extents are known; then the outputs, mostly
    # over the parallel loops in some order.
    order = draw(st.permutations(range(rank)))
    maps.append(tuple(Term(((loop, 1),)) for loop in order))
    inputs = len(maps)
    parallel = [loop for loop in range(rank) if not reduced[loop]]
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.integers(0, 3)):
            chosen = draw(st.permutations(parallel))
            maps.append(tuple(Term(((loop, 1),)) for loop in chosen))
        else:
            maps.append(tuple(term() for _ in range(draw(st.integers(0, 2)))))
    outputs = len(maps) - inputs
    values = len(maps) + rank
    body: list[tuple[str, int, int]] = []
    for _ in range(draw(st.integers(0, 3))):
        known = st.integers(0, values + len(body) - 1)
        body.append((draw(st.sampled_from(sorted(OPS))), draw(known), draw(known)))
    yields: list[int] = []
    for output in range(outputs):
        known = draw(st.integers(0, values + len(body) - 1))
        if draw(st.booleans()):
            pair = draw(st.permutations([known, inputs + output]))
            body.append((draw(st.sampled_from(COMBINERS)), *pair))
            known = values + len(body) - 1
        yields.append(known)
    return Program(extents, reduced, tuple(maps), inputs, tuple(body), tuple(yields))


DIAGONAL_OF_NOTHING = Program(
    extents=(0,),
    reduced=(True,),
    maps=((Term(((0, 1),)),), (Term(((0, 1),)), Term(((0, 1),)))),
    inputs=1,
    body=(),
    yields=(0,),
)

WHAT_WAS_THERE_BEFORE = Program(
    extents=(1, 1),
    reduced=(False, True),
    maps=(
        (),
        (Term(((0, 1),)), Term(((1, 1),))),
        (Term(((0, 1),)), Term(((1, 1),))),
        (Term(((0, 1),)),),
    ),
    inputs=2,
    body=(),
    yields=(0, 2),
)


@settings(deadline=None, max_examples=examples(300))
@given(program=programs(), seed=st.integers(0, 100))
@example(program=WHAT_WAS_THERE_BEFORE, seed=0)
@example(program=DIAGONAL_OF_NOTHING, seed=0)
@example(program=replace(DIAGONAL_OF_NOTHING, extents=(2,)), seed=0)
def test_as_loops_do(program: Program, seed: int) -> None:
    arrays = [
        random(shape, "i32", seed + position)
        for position, shape in enumerate(program.shapes)
    ]
    got = interpret(program.text(), *arrays)
    got = got if isinstance(got, list) else [got]
    for result, want in zip(got, program.by_loops(arrays), strict=True):
        np.testing.assert_array_equal(result, want)
