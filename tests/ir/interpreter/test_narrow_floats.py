"""Narrow floats, bit for bit as real MLIR runs them on its software floats (APFloat).

One program prints the bits of every result; LLVM compiles it and `mlir-runner-22` runs
it. It judges what the constant folder leaves alone: roundings that lose something, the
comparisons, the formats of eight bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from support.ir.interpreter import apply
from support.ir.mlir_runner import RUNNER, executed
from support.mlir_opt import needs_mlir
from tilewright.ir.dtypes import numpy_dtype

COUNT = 64
FORMATS = {"f8E4M3FN": 8, "f8E5M2": 8, "bf16": 16, "f16": 16}
WIDE = {**FORMATS, "f32": 32}
"""Without f64: the pass extends 64 bits to 64 bits, which does not verify."""
BINARY = "addf subf mulf divf maximumf minimumf".split()
"""Without remf: the library has IEEE's remainder, the folder and LLVM have C's fmod."""
PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
PASSES = (
    "builtin.module(convert-arith-to-apfloat,convert-math-to-apfloat,"
    "convert-scf-to-cf,convert-vector-to-llvm,test-lower-to-llvm)"
)


@dataclass(frozen=True)
class Case:
    """One op on operands of the given types, which `%a0`, `%a1`, ... stand for."""

    op: str
    operands: tuple[str, ...]
    result: str

    def scalar(self) -> str:
        return self.op.replace("{", "").replace("}", "")

    def on_vectors(self) -> str:
        return self.op.replace("{", f"vector<{COUNT}x").replace("}", ">")


def cases() -> list[Case]:
    found: list[Case] = []
    for kind in FORMATS:
        for op in BINARY:
            found.append(Case(f"arith.{op} %a0, %a1 : {{{kind}}}", (kind, kind), kind))
        for predicate in PREDICATES:
            op = f"arith.cmpf {predicate}, %a0, %a1 : {{{kind}}}"
            found.append(Case(op, (kind, kind), "i1"))
        found.append(
            Case(f"math.fma %a0, %a1, %a2 : {{{kind}}}", (kind, kind, kind), kind)
        )
        found.append(Case(f"arith.negf %a0 : {{{kind}}}", (kind,), kind))
        for source in WIDE:
            if WIDE[source] > WIDE[kind]:
                op = f"arith.truncf %a0 : {{{source}}} to {{{kind}}}"
                found.append(Case(op, (source,), kind))
                op = f"arith.extf %a0 : {{{kind}}} to {{{source}}}"
                found.append(Case(op, (kind,), source))
        for integer in ("i8", "i32", "i64"):
            for op in ("sitofp", "uitofp"):
                text = f"arith.{op} %a0 : {{{integer}}} to {{{kind}}}"
                found.append(Case(text, (integer,), kind))
    found.append(Case("math.fma %a0, %a1, %a2 : {f32}", ("f32",) * 3, "f32"))
    return found


def width(kind: str) -> int:
    return WIDE.get(kind) or int(kind.removeprefix("i"))


def values(kind: str, seed: int) -> np.ndarray:
    """The bits of awkward numbers: any bits at all, and numbers near 1."""
    rng = np.random.default_rng([seed, len(kind), width(kind)])
    unsigned = np.dtype(f"u{width(kind) // 8}")
    wild = rng.integers(0, 1 << 63, COUNT, dtype=np.uint64)
    wild = (wild * np.uint64(2) + rng.integers(0, 2, COUNT, dtype=np.uint64)).astype(
        unsigned
    )
    if kind.startswith("i"):
        return wild
    near = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 448, 464, 465, 480, 57344]
    near += [61440, 65504, 65520, 1 + 2**-11 + 2**-40, 1 + 2**-8 + 2**-40, 2**-25]
    near += [1 + 2**-4 + 2**-40, 1 + 2**-3 + 2**-40, 3e38, 2**-10, 2**-17, 1e-45]
    tame = rng.standard_normal(COUNT // 2) * 2.0 ** rng.integers(-6, 7, COUNT // 2)
    numbers = np.array([*near, *tame]).astype(np.float64)
    with np.errstate(over="ignore"):
        known = numbers.astype(numpy_dtype(kind))
    mixed = np.concatenate([known.view(unsigned), wild])[:COUNT]
    return mixed[rng.permutation(COUNT)]


def program(all_cases: list[Case]) -> str:
    """Prints the bits of each case's results, one a line."""
    globals_: list[str] = []
    loops: list[str] = []
    for position, case in enumerate(all_cases):
        body: list[str] = []
        for slot, kind in enumerate(case.operands):
            name = f"@g{position}_{slot}"
            bits = width(kind)
            of = f"memref<{COUNT}xi{bits}>"
            numbers = ", ".join(
                str(int(v)) for v in values(kind, slot).view(f"i{bits // 8}")
            )
            globals_.append(
                f'memref.global "private" constant {name} : {of} = dense<[{numbers}]>'
            )
            body.append(f"%m{slot} = memref.get_global {name} : {of}")
            body.append(f"%b{slot} = memref.load %m{slot}[%i] : {of}")
            source = f"%b{slot}"
            if not kind.startswith("i"):
                body.append(f"%a{slot} = arith.bitcast {source} : i{bits} to {kind}")
            else:
                body.append(f"%a{slot} = arith.addi {source}, %zero{bits} : i{bits}")
        body.append(f"%r = {case.scalar()}")
        bits = width(case.result)
        plain = "%r"
        if not case.result.startswith("i"):
            body.append(f"%raw = arith.bitcast %r : {case.result} to i{bits}")
            plain = "%raw"
        if bits < 64:
            body.append(f"%wide = arith.extui {plain} : i{bits} to i64")
            plain = "%wide"
        body.append(f"vector.print {plain} : i64")
        lines = "\n    ".join(body)
        loops.append(f"  scf.for %i = %c0 to %n step %c1 {{\n    {lines}\n  }}")
    constants = [
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %n = arith.constant {COUNT} : index",
        *(f"  %zero{bits} = arith.constant 0 : i{bits}" for bits in (8, 32, 64)),
    ]
    return "\n".join(
        [*globals_, "func.func @main() {", *constants, *loops, "  return", "}"]
    )


def ours(case: Case) -> np.ndarray:
    """The same on vectors, in the interpreter."""
    inputs = [
        values(kind, slot).view(numpy_dtype(kind))
        for slot, kind in enumerate(case.operands)
    ]
    types = ", ".join(f"vector<{COUNT}x{kind}>" for kind in case.operands)
    return apply(
        case.on_vectors(), *inputs, types=types, result=f"vector<{COUNT}x{case.result}>"
    )


@pytest.mark.skipif(RUNNER is None, reason="mlir-runner-22 is not installed")
@needs_mlir
def test_narrow_floats_are_what_real_mlir_computes() -> None:
    all_cases = cases()
    assert len(all_cases) >= 125
    libraries = ("mlir_c_runner_utils", "mlir_apfloat_wrappers")
    lines = executed(program(all_cases), PASSES, libraries).split()
    printed = np.array([int(line) for line in lines], np.int64)
    theirs = printed.view(np.uint64).reshape(len(all_cases), COUNT)
    wrong: list[str] = []
    for case, want in zip(all_cases, theirs, strict=True):
        got = ours(case)
        expected = want.astype(f"u{max(width(case.result) // 8, 1)}").view(got.dtype)
        same = (got == expected) | ((got != got) & (expected != expected))
        if got.dtype.kind != "b":
            zeros = np.signbit(got) == np.signbit(expected)
            same &= zeros | (got != got)
        for at in np.nonzero(~same)[0][:1]:
            given = [
                values(k, s).view(numpy_dtype(k))[at]
                for s, k in enumerate(case.operands)
            ]
            wrong.append(f"{case.op} of {given}: {got[at]}, expected {expected[at]}")
    assert not wrong, "\n".join(wrong)
