"""Random programs: names, in-place updates, inlining, and whole payloads by schedules.

Straight-line code of additions, products and maxima over a few live values; a loop
carries three of them and may exchange them. Every operation is exact, so Triton's
interpreter on the emitted source must give the very bits that numpy gives on the kernel
IR. And a slice of the pairs of payload and schedule that `tests/fuzz/run_kernels.py`
draws for as long as one likes.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from fuzz.kernels.cases import random_kernel_case
from fuzz.kernels.fuzzer import KernelFuzzer
from fuzz.schedules.cases import random_chain_case
from support.codegen.buffer_level import generated, inputs_for
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.interpreter import run

TYPE = "vector<16xf32>"
BINARY = ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf")
UNARY = ("arith.negf", "math.absf")


class Writer:
    """Writes a random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.lines: list[str] = []

    def ops(self, live: list[str], number: int) -> list[str]:
        """Append ops on the live values; the values live afterwards."""
        live = list(live)
        for _ in range(number):
            self.count += 1
            name = self.random.choice([f"%{self.count + 100}", f"%t{self.count}"])
            if self.random.random() < 0.25:
                operation = self.random.choice(UNARY)
                operands = self.random.choice(live)
            else:
                operation = self.random.choice(BINARY)
                operands = ", ".join(self.random.choices([*live, "%half"], k=2))
                if "%half, %half" in operands:
                    operands = f"{live[0]}, %half"
            self.lines.append(f"{name} = {operation} {operands} : {TYPE}")
            live.append(name)
            if len(live) > 5:
                live.pop(self.random.randrange(len(live)))
        return live

    def loop(self, live: list[str]) -> list[str]:
        """Append a loop that carries three values; its results are live afterwards."""
        self.count += 1
        carried = [f"%c{self.count}_{i}" for i in range(3)]
        results = [f"%r{self.count}_{i}" for i in range(3)]
        starts = self.random.choices([*live, "%half"], k=3)
        pairs = ", ".join(f"{c} = {s}" for c, s in zip(carried, starts, strict=True))
        self.lines.append(
            f"{', '.join(results)} = scf.for %k{self.count} = %c0 to %c3 step %c1 "
            f"iter_args({pairs}) -> ({TYPE}, {TYPE}, {TYPE}) {{"
        )
        inside = self.ops([*carried, live[0]], self.random.randrange(1, 6))
        yields = self.random.choices([*inside, *carried], k=3)
        self.lines.append(f"scf.yield {', '.join(yields)} : {TYPE}, {TYPE}, {TYPE}")
        self.lines.append("}")
        return [*live[:3], *results]

    def text(self) -> str:
        """The whole program."""
        live = self.ops(["%v"], self.random.randrange(0, 4))
        for _ in range(self.random.randrange(1, 3)):
            live = self.loop(live)
            live = self.ops(live, self.random.randrange(0, 4))
        stores = [
            f"vector.transfer_write {value}, %out{i}[%o] {{in_bounds = [true]}} "
            f": {TYPE}, memref<64xf32>"
            for i, value in enumerate(self.random.choices(live, k=2))
        ]
        body = "\n    ".join([*self.lines, *stores])
        return f"""
func.func @f(%a: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>) {{
  %pad = arith.constant 0.000000e+00 : f32
  %half = arith.constant dense<5.000000e-01> : {TYPE}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %out0 = memref.alloc() : memref<64xf32>
  %out1 = memref.alloc() : memref<64xf32>
  scf.forall (%i) in (4) {{
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = vector.transfer_read %a[%o], %pad {{in_bounds = [true]}}
      : memref<64xf32>, {TYPE}
    {body}
  }} {{mapping = [#gpu.block<x>]}}
  return %out0, %out1 : memref<64xf32>, memref<64xf32>
}}
"""


@pytest.mark.slow
def test_random_programs_agree_bit_for_bit() -> None:
    programs = [generated(Writer(seed).text()) for seed in range(60)]
    jobs = [
        Job(p.program, [x * np.float32(0.5) for x in inputs_for(p.program, seed)])
        for seed, p in enumerate(programs)
    ]
    results = interpret_all(jobs)
    for seed, (program, job, got) in enumerate(
        zip(programs, jobs, results, strict=True)
    ):
        want = run(program.kernel_module, list(job.inputs))
        for first, second in zip(got, want, strict=True):
            np.testing.assert_array_equal(
                first, second, err_msg=f"seed {seed}\n{program.program.text}"
            )


@pytest.mark.slow
@pytest.mark.parametrize("draw_case", [random_kernel_case, random_chain_case])
def test_random_payloads_under_random_schedules(draw_case) -> None:
    """Refused with a place, or right: kernel level, Triton's interpreter, a compile."""
    reports: list[str] = []
    fuzzer = KernelFuzzer(
        2026,
        seconds=15,
        compiled=1,
        draw_case=draw_case,
        found=lambda found: reports.append(found.report()),
    )
    fuzzer.run()
    assert not reports, "\n".join(reports)
    done = fuzzer.statistics
    assert done.interpreted and done.compiled and done.right > done.refused
