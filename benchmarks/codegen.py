"""Time what tilewright generates beside hand-written Triton and torch.

Every contender is checked before it is timed; those of one row are timed interleaved,
in at least five rounds, and compared round by round. Ours is compared with the
hand-written kernel of the same structure, with the best of torch (eager, compiled) and
with the best rival of all; where cuBLAS does the product in ours, it is told apart. The
record is written anew after every step.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

import torch

from harness.bench import median, own_triton_cache
from harness.codegen_summary import print_table, summary, summary_line
from harness.compile_ahead import TABLE, Compiler
from harness.compiled_bench import CompiledBench
from harness.options import benchmark_parser, checked_options, run_works
from harness.session import Session
from harness.timing import Contender, replayed

EXAMPLE = """example:
  python benchmarks/codegen.py --out results.json --rows 'gemm|softmax' --rounds 7
"""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE, budget=480.0)
    add = parser.add_argument
    add("--rows", default="", metavar="REGEX", help="only work whose name matches")
    add("--no-compile", action="store_true", help="leave torch.compile out")
    add(
        "--max-autotune",
        action="store_true",
        help="max-autotune-no-cudagraphs too, where it is worth its time",
    )
    add("--list", action="store_true", help="print the names of the work, and stop")
    add(
        "--aot",
        action="store_true",
        help="compile everything for an H200, without a GPU, print registers, spills"
        " and shared memory, and stop; 1 if anything fails",
    )
    add(
        "--dry", action="store_true", help="on the CPU, tiny, to try the command itself"
    )
    return checked_options(
        parser, arguments, pattern="rows", offline=("dry", "aot", "list")
    )


class CodegenBench(CompiledBench):
    """One run over the table."""

    table = TABLE
    sample_ms = 20.0

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from contenders.codegen_works import table as works

        super().__init__(
            options,
            method={"rounds_asked": options.rounds, "sample_ms": self.sample_ms},
            ceilings={},
            compiled={},
            skipped=[],
            work={},
        )
        table = works.tiny_table() if self.dry else works.table()
        found = [work for work in table if options.rows.search(work.name)]
        self.works = {work.name: work for work in found}
        self.programs = self.record["environment"].get("multiprocessors", 132)
        self.modes: dict[str, dict[str, Any]] = {}

    # Compiling

    def compile_all(self) -> int:
        """Compile in processes, and return how many failed."""
        jobs = self.jobs()
        self.say(f"compiling {len(jobs)} programs on {os.cpu_count()} cores")
        compiler = Compiler(jobs.values())
        if not self.options.aot and not self.options.no_compile:
            self.compile_torch()
        bad = self.collect(compiler, jobs)
        self.record["compiled"] = {
            "programs": len(jobs),
            "failed": bad,
            "seconds": time.monotonic() - self.started,
        }
        self.save()
        return bad

    @own_triton_cache()
    def compile_torch(self) -> None:
        """Let torch.compile do its work while the processes do theirs."""
        from rivals import torch_modes

        for work in self.works.values():
            for mode in torch_modes.MODES:
                wanted = mode.name == "compile" and work.compiled
                if mode.name == "max-autotune-no-cudagraphs":
                    wanted = self.options.max_autotune and work.autotuned
                if not wanted or time.monotonic() > self.deadline:
                    continue
                backend = "eager" if self.dry else None
                function = torch_modes.build(work.function, mode, backend)
                try:
                    function(*work.inputs(self.device))
                except Exception as error:
                    self.say(f"{work.name}: torch {mode.name}: {error}")
                    continue
                self.modes.setdefault(work.name, {})[mode.name] = function
        self.say(f"torch.compile has done {sum(map(len, self.modes.values()))}")

    # Timing

    def measure_ceilings(self) -> None:
        """The ceilings of this card: a large copy, a large product in bf16."""
        clock = self.clock
        count = 1 << 12 if self.dry else 1 << 29
        x = torch.empty(count, dtype=torch.bfloat16, device=self.device).normal_()
        y = torch.empty_like(x)
        size = 64 if self.dry else 8192
        a = x[: size * size].view(size, size)
        b = a.T.contiguous()
        copy_ms = median(clock.sample(lambda: y.copy_(x), 3, 20))
        product_ms = median(clock.sample(lambda: a @ b, 3, 20))
        self.record["ceilings"] = {
            "copy_gbs": 2 * x.nbytes / copy_ms * 1e-6,
            "matmul_bf16_tflops": 2.0 * size**3 / product_ms * 1e-9,
        }
        self.save()

    def run_work(self, work: Any) -> None:
        """Check, choose and time everything there is for one work."""
        torch.manual_seed(0)
        tensors = work.inputs(self.device)
        found: dict[str, Any] = {"family": work.family, "launched": None}
        self.record["work"][work.name] = found
        reference = work.reference(*tensors)
        session = self.session_of(work, reference)
        found["launched"] = session.record
        session.add(Contender("torch eager", lambda: work.function(*tensors)))
        for mode, function in self.modes.get(work.name, {}).items():
            session.add(
                Contender(f"torch {mode}", lambda f=function: f(*tensors), note=mode)
            )
        self.add_hand(session, work, tensors)
        self.add_ours(session, work, tensors)
        if not any(contender.ours for contender in session.contenders):
            session.say(f"{work.name}: no schedule yet")
        session.time_all()
        found["summary"] = [self.summary(work, session.record)]
        if work.graph:
            graph = self.session_of(work, reference)
            found["graph"] = graph.record
            for contender in session.contenders:
                try:
                    graph.add(replayed(contender))
                except Exception as error:
                    graph.fail(contender.name, contender.config, error)
            graph.time_all()
            found["summary"].append(self.summary(work, graph.record, "graph"))
        self.save()
        for line in found["summary"]:
            print(summary_line(line), flush=True)

    def session_of(self, work: Any, reference: torch.Tensor) -> Session:
        """A session of this run, which saves the record as it goes."""
        return self.session(
            work.name,
            reference,
            work.tolerance,
            operations=work.operations,
            moved=work.moved,
            write=self.save,
        )

    def summary(
        self, row: Any, record: dict[str, Any], mode: str = "launched"
    ) -> dict[str, Any]:
        """Ours beside its rivals and the ceilings of this card."""
        rate = self.record["ceilings"]["matmul_bf16_tflops"]
        return summary(row, record, self.copy_ms(row.moved), rate, mode)

    def run(self) -> int:
        """All works; 1 if one of ours is missing."""
        if self.options.aot:
            return int(self.compile_all() > 0)
        if not self.dry:
            self.compile_all()
        elif not self.options.no_compile:
            self.compile_torch()
        self.measure_ceilings()
        for work in self.works.values():
            if not self.has_time(15):
                self.record["skipped"].append(work.name)
                continue
            self.say(work.name)
            try:
                self.run_work(work)
            except Exception as error:
                self.say(f"{work.name}: {type(error).__name__}: {error}")
                self.record["work"][work.name] = {"error": f"{error}"}
            self.save()
            if not self.dry:
                torch.cuda.empty_cache()
        print(f"\n{self.device_line()}")
        print_table(self.record)
        lines = [f.get("summary", [{}])[0] for f in self.record["work"].values()]
        return 0 if lines and all("ours" in line for line in lines) else 1


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    if options.dry:  # read when triton is first imported, which is later
        os.environ["TRITON_INTERPRET"] = "1"
    return run_works(CodegenBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
