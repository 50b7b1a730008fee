"""arith and math, bit for bit as real MLIR's constant folder has them.

Each op is applied to tensors of awkward numbers, in every type it takes. Real MLIR
folds the whole module in one go; what it folds is what we compute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.func import FuncOp, ReturnOp
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module

COUNT = 48
WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}

INTEGER_OPS = (
    "addi subi muli divsi divui remsi remui ceildivsi ceildivui floordivsi shli shrsi "
    "shrui andi ori xori maxsi maxui minsi minui"
).split()
DIVISIONS = {"divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"}
# In i1 the only divisor is -1 or 1, and real MLIR folds some of these to nonsense.
NOT_IN_I1 = {"ceildivsi", "floordivsi", "divsi", "remsi", "ceildivui"}
INTEGER_PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
FLOAT_OPS = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
EXACT_FLOAT_FUNCTIONS = "absf ceil floor round roundeven trunc".split()
INTEGER_FUNCTIONS = "absi ctlz cttz ctpop".split()


def integers(rng: np.random.Generator, kind: str) -> np.ndarray:
    """The ends of the range, small numbers of both signs, and random ones."""
    width = WIDTHS[kind]
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    known = [low, low + 1, -3, -2, -1, 0, 1, 2, 3, high - 1, high]
    known = [number for number in known if low <= number <= high]
    rest = rng.integers(low, high, COUNT, endpoint=True, dtype=np.int64)
    return np.array([*known, *rest][:COUNT], np.int64)[rng.permutation(COUNT)]


def bits(rng: np.random.Generator, kind: str) -> np.ndarray:
    """Floats by their bits: zeros, infinities, NaN, subnormals, ties, random ones."""
    width = FLOATS[kind]
    dtype = numpy_dtype(kind)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, np.inf, -np.inf]
    special += [np.nan, 1e-3, -1e4]
    unsigned = np.dtype(f"u{width // 8}")
    known = np.array(special).astype(dtype).view(unsigned)
    subnormal = np.array([1, (1 << (width - 1)) | 3], unsigned)
    wild = rng.integers(0, 1 << 63, 16, dtype=np.uint64).astype(unsigned)
    tame = (rng.standard_normal(COUNT) * 8).astype(dtype).view(unsigned)
    return np.concatenate([known, subnormal, wild, tame])[:COUNT][
        rng.permutation(COUNT)
    ]


@dataclass
class Case:
    """A function of constants, and the type of what it returns."""

    name: str
    constants: list[tuple[str, str]]
    op: str
    result: str
    results: int = 1

    def text(self, symbol: str) -> str:
        lines = [
            f"  %a{position} = arith.constant dense<{values}> : {type_}"
            for position, (values, type_) in enumerate(self.constants)
        ]
        names = ", ".join(f"%r#{i}" for i in range(self.results))
        bound = f"%r:{self.results}" if self.results > 1 else "%r"
        names = names if self.results > 1 else "%r"
        types = self.result if "," not in self.result else f"({self.result})"
        return (
            f"func.func @{symbol}() -> {types} {{\n"
            + "\n".join(lines)
            + f"\n  {bound} = {self.op}\n  return {names} : {self.result}\n}}\n"
        )


def tensor(kind: str) -> str:
    return f"tensor<{COUNT}x{kind}>"


def written(values: np.ndarray, kind: str) -> tuple[str, str]:
    """A dense literal and its type; floats are written by their bits."""
    if kind in FLOATS:
        digits = FLOATS[kind] // 4
        return f"[{', '.join(f'0x{int(v):0{digits}X}' for v in values)}]", tensor(kind)
    if kind == "i1":
        return f"[{', '.join('true' if v else 'false' for v in values)}]", tensor(kind)
    return f"[{', '.join(str(int(v)) for v in values)}]", tensor(kind)


def integer_cases(rng: np.random.Generator) -> Iterator[Case]:
    for kind in WIDTHS:
        of = tensor(kind)
        for op in INTEGER_OPS:
            if kind == "i1" and op in NOT_IN_I1:
                continue
            lhs, rhs = integers(rng, kind), integers(rng, kind)
            if op in DIVISIONS:
                rhs[rhs == 0] = 1 if kind != "i1" else -1
                lowest = -(1 << (WIDTHS[kind] - 1))
                if kind != "i1":
                    lhs[(lhs == lowest) & (rhs == -1)] = 0
            if op == "ceildivsi":
                # The folder gives up where a sum on its way overflows.
                lhs, rhs = lhs // 2, np.where(rhs % 2 == 0, rhs // 2 + 1, rhs // 2)
                rhs[rhs == 0] = 1
            if op.startswith("sh"):
                rhs = rng.integers(0, WIDTHS[kind], COUNT)
            values = [written(lhs, kind), written(rhs, kind)]
            yield Case(f"{op} {kind}", values, f"arith.{op} %a0, %a1 : {of}", of)
        pair = [written(integers(rng, kind), kind) for _ in range(2)]
        for predicate in INTEGER_PREDICATES:
            op = f"arith.cmpi {predicate}, %a0, %a1 : {of}"
            yield Case(f"cmpi {predicate} {kind}", pair, op, tensor("i1"))
        for op in INTEGER_FUNCTIONS:
            yield Case(f"{op} {kind}", pair[:1], f"math.{op} %a0 : {of}", of)
        condition = written(integers(rng, "i1"), "i1")
        op = f"arith.select %a2, %a0, %a1 : {tensor('i1')}, {of}"
        yield Case(f"select {kind}", [*pair, condition], op, of)
        op = f"arith.addui_extended %a0, %a1 : {of}, {tensor('i1')}"
        yield Case(f"addui_extended {kind}", pair, op, f"{of}, {tensor('i1')}", 2)
        for op in ("mulsi_extended", "mului_extended"):
            text = f"arith.{op} %a0, %a1 : {of}"
            yield Case(f"{op} {kind}", pair, text, f"{of}, {of}", 2)


def float_cases(rng: np.random.Generator) -> Iterator[Case]:
    for kind in FLOATS:
        of = tensor(kind)
        pair = [written(bits(rng, kind), kind) for _ in range(2)]
        for op in FLOAT_OPS:
            yield Case(f"{op} {kind}", pair, f"arith.{op} %a0, %a1 : {of}", of)
        yield Case(f"negf {kind}", pair[:1], f"arith.negf %a0 : {of}", of)
        for op in EXACT_FLOAT_FUNCTIONS:
            yield Case(f"{op} {kind}", pair[:1], f"math.{op} %a0 : {of}", of)
        yield Case(f"copysign {kind}", pair, f"math.copysign %a0, %a1 : {of}", of)


def cast_cases(rng: np.random.Generator) -> Iterator[Case]:
    widths = {kind: width for kind, width in WIDTHS.items() if kind != "index"}
    for source, from_width in widths.items():
        given = [written(integers(rng, source), source)]
        for target, to_width in widths.items():
            ops = ["extsi", "extui"] if from_width < to_width else ["trunci"]
            for op in ops if from_width != to_width else []:
                text = f"arith.{op} %a0 : {tensor(source)} to {tensor(target)}"
                yield Case(f"{op} {source} {target}", given, text, tensor(target))
        for op in ("index_cast", "index_castui"):
            text = f"arith.{op} %a0 : {tensor(source)} to {tensor('index')}"
            yield Case(f"{op} {source} index", given, text, tensor("index"))
            back = [written(integers(rng, "index"), "index")]
            text = f"arith.{op} %a0 : {tensor('index')} to {tensor(source)}"
            yield Case(f"{op} index {source}", back, text, tensor(source))
        for target in FLOATS:
            for op in ("sitofp", "uitofp"):
                text = f"arith.{op} %a0 : {tensor(source)} to {tensor(target)}"
                yield Case(f"{op} {source} {target}", given, text, tensor(target))
    for source in FLOATS:
        for target, width in widths.items():
            reach = min(2 ** (width - 1) - 1, 2**15 if source == "f16" else 2**62)
            small = rng.uniform(-reach, reach, COUNT) * rng.uniform(0, 0.9, COUNT)
            for op, values in (("fptosi", small), ("fptoui", np.abs(small))):
                raw = values.astype(numpy_dtype(source)).view(f"u{FLOATS[source] // 8}")
                given = [written(raw, source)]
                text = f"arith.{op} %a0 : {tensor(source)} to {tensor(target)}"
                yield Case(f"{op} {source} {target}", given, text, tensor(target))
        for target, width in FLOATS.items():
            if width > FLOATS[source]:
                given = [written(bits(rng, source), source)]
                text = f"arith.extf %a0 : {tensor(source)} to {tensor(target)}"
                yield Case(f"extf {source} {target}", given, text, tensor(target))
    for float_, width in FLOATS.items():
        integer = f"i{width}"
        text = f"arith.bitcast %a0 : {tensor(float_)} to {tensor(integer)}"
        given = [written(bits(rng, float_), float_)]
        yield Case(f"bitcast {float_} {integer}", given, text, tensor(integer))


def is_folded(function: FuncOp) -> bool:
    last = function.body.block.last_op
    assert isinstance(last, ReturnOp)
    return all(isinstance(value.owner, ConstantOp) for value in last.operands)


def same(got: np.ndarray, want: np.ndarray) -> bool:
    """Bit for bit; a NaN is any NaN."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    equal = got.view(np.uint8) == want.view(np.uint8)
    equal = equal.reshape(got.size, -1).all(axis=1)
    nans = (got != got) & (want != want)
    return bool((equal | nans).all())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "at_least"),
    [(integer_cases, 223), (float_cases, 64), (cast_cases, 139)],
    ids=["integers", "floats", "casts"],
)
@needs_mlir
def test_folded_by_real_mlir_is_what_we_compute(make: object, at_least: int) -> None:
    assert callable(make)
    cases = list(make(np.random.default_rng(11)))
    text = "".join(case.text(f"f{i}") for i, case in enumerate(cases))
    context = payload_context()
    ours = parse_module(text, "ours.mlir", context)
    theirs = parse_module(mlir_opt(text, "--canonicalize"), "folded.mlir", context)
    folded = {op.sym_name.data for op in theirs.ops if is_folded(op)}
    wrong: list[str] = []
    for position, case in enumerate(cases):
        if f"f{position}" not in folded:
            continue
        got = run(ours, [], entry=f"f{position}")
        want = run(theirs, [], entry=f"f{position}")
        if not all(map(same, got, want)):
            wrong.append(case.name)
    assert not wrong
    assert len(folded) >= at_least, len(folded)
