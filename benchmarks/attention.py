"""Time streaming fusion: attention, its variants, decoding, long rows.

Rivals: the back ends of torch's scaled_dot_product_attention, FlexAttention, eager
torch, torch.compile, and hand-written Triton. Every contender is checked before it is
timed; those of one work are timed interleaved, in at least five rounds, and compared
round by round. The record is written anew after every work.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from contenders.ours import Ours, parse
from harness.attention_ahead import TABLE, build_compiled, compile_torch
from harness.attention_summary import HEADING, summary_line, text_of
from harness.bench import SHORT_SECONDS, earlier_rivals, own_triton_cache, replay
from harness.compile_ahead import Compiler
from harness.compiled_bench import CompiledBench
from harness.options import benchmark_parser, checked_options, run_works
from harness.session import Session
from harness.timing import Contender

EXAMPLE = """example:
  python benchmarks/attention.py --out record.json --works 'causal|decoding'
  python benchmarks/attention.py --works '^causal' --rivals record.json \\
      --ours flash=causal.tw:BM=128,BN=64
"""
BANDWIDTH = 4.8e12


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE, budget=480.0)
    add = parser.add_argument
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--no-compile", action="store_true", help="no torch.compile, no FlexAttention")
    add("--rivals-only", action="store_true", help="leave ours out")
    add(
        "--rivals",
        type=Path,
        metavar="FILE",
        help="take the rivals' times from an earlier record; for quick comparisons",
    )
    add(
        "--ours",
        action="append",
        default=[],
        metavar="NAME=SCHEDULE[:KNOB=VALUE,...]",
        help="this schedule of ours instead of those of the table; may be repeated",
    )
    add("--planned", action="store_true", help="the planner's schedule too")
    add("--list", action="store_true", help="print the names of the works, and stop")
    add(
        "--aot",
        action="store_true",
        help="compile ours and the hand-written kernels for an H200, without a GPU,"
        " print registers, spills and shared memory, and stop; 1 if anything fails",
    )
    add(
        "--dry", action="store_true", help="on the CPU, tiny, to try the command itself"
    )
    options = checked_options(
        parser, arguments, pattern="works", offline=("dry", "aot", "list")
    )
    try:
        options.ours = [parse(text) for text in options.ours]
    except ValueError as error:
        parser.error(f"--ours: {error}")
    return options


class AttentionBench(CompiledBench):
    """One run over the works."""

    table = TABLE

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from contenders.attention_works.table import table, tiny_table

        super().__init__(
            options,
            method={
                "rounds_asked": options.rounds,
                "sample_ms": self.sample_ms,
                "rivals": str(options.rivals) if options.rivals else "this run",
            },
            copy_gbs=None,
            ahead={},
            lines=[],
            works={},
        )
        every = tiny_table() if self.dry else table()
        found = [work for work in every if options.works.search(work.name)]
        self.works = {work.name: work for work in found}
        self.torch_errors: dict[tuple[str, str], str] = {}
        self.earlier = earlier_rivals(options.rivals)
        multiprocessors = self.record["environment"].get("multiprocessors", 132)
        self.programs = 4 if self.dry else multiprocessors

    def ours(self, work: Any) -> tuple[Ours, ...]:
        """Our points of a work."""
        if self.options.rivals_only:
            return ()
        return tuple(self.options.ours) or work.ours

    # Before the timing

    def wants_hand(self, work: Any) -> bool:
        """Whether they are timed: not if their times are known."""
        return work.name not in self.earlier

    def compile_all(self) -> int:
        """Compile in processes, and return how many of Triton's failed."""
        from harness.planned.ahead import forget_choices

        jobs = self.jobs()
        wanted = self.torch_jobs()
        self.say(f"compiling {len(jobs)} programs, and {len(wanted)} by torch.compile")
        theirs = compile_torch(wanted) if wanted else ()
        bad = self.collect(Compiler(jobs.values()), jobs)
        for key, found in theirs:
            self.record["ahead"][" ".join(key)] = found.seconds | {"error": found.error}
            if found.error:
                self.torch_errors[key] = found.error
                self.say(f"{' '.join(key)}: {found.error}")
        if wanted:
            forget_choices()
            self.say(f"torch.compile: {len(self.torch_errors)} failed")
        self.save()
        return bad

    def torch_jobs(self) -> list[tuple[str, str]]:
        """The contenders that torch.compile makes, by work and name."""
        if self.options.no_compile or self.options.aot:
            return []
        return [
            (work.name, name)
            for work in self.works.values()
            if work.name not in self.earlier
            for name in work.compiled_names
        ]

    # Timing

    def run_work(self, work: Any) -> dict[str, Any]:
        """Check, choose and time everything there is for one work."""
        tensors = work.inputs(self.device)
        session = self.session(
            work.name,
            work.exact(*tensors),
            work.tolerance,
            operations=work.flops,
            moved=work.moved,
        )
        self.record["works"][work.name] = session.record
        if work.name not in self.earlier:
            self.add_torch(session, work, tensors)
            self.add_hand(session, work, tensors)
        self.add_ours(session, work, tensors)
        mode = "launched"
        if not work.flops and work.moved / BANDWIDTH < SHORT_SECONDS:
            mode = replay(session)
        session.time_all()
        earlier = self.earlier.get(work.name, [])
        line = summary_line(work, session.record, earlier) | {"mode": mode}
        if not work.flops:
            line["copy_ms"] = self.copy_ms(work.moved)
            best = line["ms"].get(line["of"])
            line |= {"of_copy": line["copy_ms"] / best} if best else {}
        return line

    def add_torch(self, session: Session, work: Any, tensors: Any) -> None:
        """What torch runs eagerly and compiled."""
        for name, function in work.eager(tensors).items():
            session.add(Contender(f"torch {name}", lambda f=function: f(*tensors)))
        if self.options.no_compile:
            return
        with own_triton_cache():
            for name, function in work.compiled(tensors).items():
                if error := self.torch_errors.get((work.name, name)):
                    session.fail(f"torch {name}", "", RuntimeError(error))
                    continue
                made = function
                if not (self.dry and name == "flex"):  # the CPU's does not compile
                    made = build_compiled(function, self.dry)
                session.add(Contender(f"torch {name}", lambda f=made: f(*tensors)))

    def add_ours(self, session: Session, work: Any, tensors: Any) -> None:
        """The best point of each of our schedules, and the planner's."""
        super().add_ours(session, work, tensors)
        if self.options.planned and not self.options.rivals_only:
            import tilewright

            try:
                program = tilewright.compile(work.payload())
            except Exception as error:
                session.fail("ours planned", "", error)
                return
            session.add(Contender("ours planned", lambda: program(*tensors), ours=True))

    def run(self) -> int:
        """All works; 1 if one failed, was skipped or has none of ours."""
        if self.options.aot:
            return int(self.compile_all() > 0)
        if not self.dry:
            self.compile_all()
        size = 1 << 12 if self.dry else 1 << 31
        self.record["copy_gbs"] = size / self.copy_ms(size) * 1e-6
        print(HEADING)
        for work in self.works.values():
            line: dict[str, Any] = {"work": work.name, "family": work.family}
            if not self.has_time():
                line["error"] = "skipped: the budget ended"
            else:
                try:
                    line = self.run_work(work)
                except Exception as error:
                    line["error"] = f"{type(error).__name__}: {error}"
            self.record["lines"].append(line)
            self.say(text_of(line))
            self.save()
            self.forget_work()
        self.print_table()
        wanted = "hand" if self.options.rivals_only else "ours"
        lines = self.record["lines"]
        return int(any(wanted not in line.get("ms", ()) for line in lines))

    def print_table(self) -> None:
        """All lines; ratios above 1 say that ours is faster."""
        print(f"\n{self.device_line()}")
        print(f"copy {self.record['copy_gbs']:.0f} GB/s")
        print(HEADING)
        for line in self.record["lines"]:
            print(text_of(line))
        print("* timed by replaying a CUDA graph")
        if any(line.get("of") == "hand" for line in self.record["lines"]):
            print("without ours, the ratios are those of the hand-written kernel")


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    if options.dry:  # read when triton is first imported, which is later
        os.environ["TRITON_INTERPRET"] = "1"
    return run_works(AttentionBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
