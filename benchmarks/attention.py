"""Time streaming fusion: attention, its variants, decoding, long rows.

Rivals: the back ends of torch's scaled_dot_product_attention, FlexAttention, eager
torch, torch.compile, and hand-written Triton. Every contender is checked before it is
timed; those of one work are timed interleaved, in at least five rounds, and compared
round by round. The record is written anew after every work.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import torch

from contenders.ours import Ours, parse
from harness.attention_ahead import TABLE, build_compiled, compile_torch
from harness.attention_summary import HEADING, summary_line, text_of
from harness.options import benchmark_parser, checked_options
from harness.session import Session, heading
from harness.timing import (
    Contender,
    DeviceClock,
    WallClock,
    replayed,
    write_json,
)

EXAMPLE = """example:
  python benchmarks/attention.py --out record.json --works 'causal|decoding'
  python benchmarks/attention.py --works '^causal' --rivals record.json \\
      --ours flash=causal.tw:BM=128,BN=64
"""
SAMPLE_MS = 10.0
SHORT_SECONDS = 20e-6
"""Work that the card could do in this time is timed by replaying a CUDA graph."""
BANDWIDTH = 4.8e12
TRITON_CACHE = "TRITON_CACHE_DIR"


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE)
    add = parser.add_argument
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--rounds", type=int, default=5, help="timed rounds, at least 5 (%(default)s)")
    add(
        "--budget",
        type=float,
        default=480.0,
        metavar="SECONDS",
        help="works that would not fit this are skipped (%(default)s)",
    )
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
    add("--out", type=Path, metavar="FILE", help="where the JSON record goes")
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


class Bench:
    """One run over the works."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from contenders.attention_works.table import table, tiny_table

        self.options = options
        self.dry: bool = options.dry
        self.device = "cpu" if self.dry else "cuda"
        found = tiny_table() if self.dry else table()
        self.works = [work for work in found if options.works.search(work.name)]
        self.started = time.monotonic()
        self.deadline = self.started + options.budget
        self.results: dict[Any, Any] = {}
        self.torch_errors: dict[tuple[str, str], str] = {}
        self.copies: dict[float, float] = {}
        self.earlier = _earlier(options.rivals)
        self.record: dict[str, Any] = {
            **heading(self.dry),
            "method": {
                "rounds_asked": options.rounds,
                "sample_ms": SAMPLE_MS,
                "rivals": str(options.rivals) if options.rivals else "this run",
            },
            "copy_gbs": None,
            "ahead": {},
            "lines": [],
            "works": {},
        }
        multiprocessors = self.record["environment"].get("multiprocessors", 132)
        self.programs: int = 4 if self.dry else multiprocessors

    def say(self, text: str) -> None:
        """Print progress with the time."""
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)

    def save(self) -> None:
        """Write the record so far."""
        if self.options.out is not None:
            write_json(self.options.out, self.record)

    def ours(self, work: Any) -> tuple[Ours, ...]:
        """Our points of a work."""
        if self.options.rivals_only:
            return ()
        return tuple(self.options.ours) or work.ours

    # Before the timing

    def jobs(self) -> dict[Any, Any]:
        """The kernels to compile, each once: equal launches share a binary."""
        from harness.compile_ahead import HandJob, OursJob

        capability, target = 90, "h200"
        if not self.options.aot:
            from tilewright.codegen.targets import detect

            major, minor = torch.cuda.get_device_capability()
            capability, target = 10 * major + minor, getattr(detect(), "name", "h200")
        jobs: dict[Any, Any] = {}
        for work in self.works:
            for ours in self.ours(work):
                jobs[_ours_key(work, ours)] = OursJob(work.name, ours, target, TABLE)
            if work.name in self.earlier:
                continue
            found = work.hand(work.inputs("meta"), self.programs)
            for index, candidate in enumerate(found):
                title = f"hand {candidate.structure} {candidate.name}"
                job = HandJob(work.name, title, index, capability, self.programs, TABLE)
                jobs.setdefault(_hand_key(candidate), job)
        return jobs

    def compile_all(self) -> int:
        """Compile in processes, and return how many of Triton's failed."""
        from harness.compile_ahead import Compiler
        from harness.planned_ahead import forget_choices

        jobs = self.jobs()
        keys = {job: key for key, job in jobs.items()}
        wanted = self.torch_jobs()
        self.say(f"compiling {len(jobs)} programs, and {len(wanted)} by torch.compile")
        theirs = compile_torch(wanted) if wanted else ()
        bad = 0
        for job, compiled in Compiler(jobs.values()).results():
            self.results[keys[job]] = compiled
            bad += bool(compiled.error)
            if self.options.aot or compiled.error:
                mark = "SPILLS " if compiled.spills else ""
                about = compiled.error or "; ".join(compiled.kernels)
                self.say(f"{job.row}: {job.title}: {mark}{about}")
        self.say(f"compiled, {bad} failed")
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
            for work in self.works
            if work.name not in self.earlier
            for name in work.compiled_names
        ]

    # Timing

    def copy_ms(self, moved: float) -> float:
        """The time of a copy that moves as many bytes."""
        found = self.copies.get(moved)
        if found is None:
            half = torch.empty(int(moved) // 2, dtype=torch.uint8, device=self.device)
            other = torch.empty_like(half)
            samples = self.clock.sample(lambda: other.copy_(half), 3, 20)
            found = self.copies[moved] = sorted(samples)[len(samples) // 2]
        return found

    def run_work(self, work: Any) -> dict[str, Any]:
        """Check, choose and time everything there is for one work."""
        tensors = work.inputs(self.device)
        session = Session(
            {"work": work.name},
            work.exact(*tensors),
            work.tolerance,
            work.flops,
            rounds=self.options.rounds,
            budget=self.deadline - time.monotonic(),
            dry=self.dry,
            moved=work.moved,
            sample_ms=SAMPLE_MS,
            clock=self.clock,
            write=lambda: None,
        )
        self.record["works"][work.name] = session.record
        if work.name not in self.earlier:
            self.add_torch(session, work, tensors)
            self.add_hand(session, work, tensors)
        self.add_ours(session, work, tensors)
        mode = "launched"
        if not work.flops and work.moved / BANDWIDTH < SHORT_SECONDS:
            mode = self.replay(session)
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
        cache = os.environ.get(TRITON_CACHE)
        for name, function in work.compiled(tensors).items():
            if error := self.torch_errors.get((work.name, name)):
                session.fail(f"torch {name}", "", RuntimeError(error))
                continue
            made = function
            if not (self.dry and name == "flex"):  # the CPU's does not compile
                made = build_compiled(function, self.dry)
            session.add(Contender(f"torch {name}", lambda f=made: f(*tensors)))
        # Inductor takes Triton's cache for itself; what was compiled ahead lies in
        # the other.
        os.environ.pop(TRITON_CACHE, None)
        if cache is not None:
            os.environ[TRITON_CACHE] = cache

    def add_hand(self, session: Session, work: Any, tensors: Any) -> None:
        """The best configuration of each hand-written structure."""
        groups: dict[str, list[Contender]] = {}
        for one in work.hand(tensors, self.programs):
            compiled = self.results.get(_hand_key(one))
            group = groups.setdefault(one.structure, [])
            if (compiled is not None and compiled.error) or (self.dry and group):
                continue
            contender = Contender(one.name, one, output="own", buffers=one.scratch)
            group.append(contender)
        session.add_best("hand", groups)

    def add_ours(self, session: Session, work: Any, tensors: Any) -> None:
        """The best point of each of our schedules, and the planner's."""
        groups: dict[str, list[Contender]] = {}
        for ours in self.ours(work):
            group = groups.setdefault(ours.name, [])
            if self.dry and group:  # the interpreter is slow: one will do
                continue
            try:
                call = self.load(work, ours)
            except Exception as error:
                session.fail(f"ours {ours.name}", ours.config, error)
                continue
            note = f"schedule {ours.schedule.name}"
            made = Contender(
                ours.config, lambda f=call: f(*tensors), note=note, ours=True
            )
            group.append(made)
        session.add_best("ours", groups)
        if self.options.planned and not self.options.rivals_only:
            import tilewright

            try:
                program = tilewright.compile(work.payload())
            except Exception as error:
                session.fail("ours planned", "", error)
                return
            session.add(Contender("ours planned", lambda: program(*tensors), ours=True))

    def load(self, work: Any, ours: Ours) -> Any:
        """One of our points as a function."""
        if self.dry:
            import tilewright

            return tilewright.compile(work.payload(), ours.schedule, **ours.point)
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        compiled = self.results[_ours_key(work, ours)]
        if compiled.error:
            raise RuntimeError(compiled.error)
        return load(compiled.program, source_directory())

    def replay(self, session: Session) -> str:
        """Replay CUDA graphs instead; of none, if one cannot be captured."""
        try:
            graphs = [replayed(contender) for contender in session.contenders]
        except Exception as error:
            session.say(f"no CUDA graph: {type(error).__name__}: {error}")
            return "launched"
        session.contenders[:] = graphs
        return "graph"

    def run(self) -> int:
        """All works; 1 if one failed, was skipped or has none of ours."""
        if not self.dry:
            self.compile_all()
        self.clock = WallClock() if self.dry else DeviceClock()
        size = 1 << 12 if self.dry else 1 << 31
        self.record["copy_gbs"] = size / self.copy_ms(size) * 1e-6
        print(HEADING)
        for work in self.works:
            line: dict[str, Any] = {"work": work.name, "family": work.family}
            if time.monotonic() > self.deadline - (0 if self.dry else 5):
                line["error"] = "skipped: the budget ended"
            else:
                try:
                    with torch.no_grad():
                        line = self.run_work(work)
                except Exception as error:
                    line["error"] = f"{type(error).__name__}: {error}"
            self.record["lines"].append(line)
            self.say(text_of(line))
            self.save()
            torch._dynamo.reset()
            if not self.dry:
                torch.cuda.empty_cache()
        self.print_table()
        wanted = "hand" if self.options.rivals_only else "ours"
        lines = self.record["lines"]
        return int(any(wanted not in line.get("ms", ()) for line in lines))

    def print_table(self) -> None:
        """All lines; ratios above 1 say that ours is faster."""
        where = self.record["environment"]
        device = where["gpu"] or "dry run on the CPU: the figures mean nothing"
        print(f"\n{device}; torch {where['torch']}, triton {where['triton']}")
        print(f"copy {self.record['copy_gbs']:.0f} GB/s")
        print(HEADING)
        for line in self.record["lines"]:
            print(text_of(line))
        print("* timed by replaying a CUDA graph")
        if any(line.get("of") == "hand" for line in self.record["lines"]):
            print("without ours, the ratios are those of the hand-written kernel")


def _ours_key(work: Any, ours: Ours) -> Any:
    return work.name, ours.name, ours.config


def _hand_key(candidate: Any) -> Any:
    return tuple(launch.key for launch in candidate.launches)


def _earlier(path: Path | None) -> dict[str, list[dict[str, Any]]]:
    """The rivals' rows of an earlier record, by work."""
    if path is None:
        return {}
    works = json.loads(path.read_text())["works"]
    found = {
        name: [row | {"earlier": True} for row in work["rows"] if not row["ours"]]
        for name, work in works.items()
    }
    return {name: rows for name, rows in found.items() if rows}


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    if options.dry:  # read when triton is first imported, which is later
        os.environ["TRITON_INTERPRET"] = "1"
    torch.backends.cuda.matmul.allow_tf32 = False
    bench = Bench(options)
    if not bench.works:
        print("no work has such a name; --list shows them", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(work.name for work in bench.works))
        return 0
    if options.aot:
        return bench.compile_all() > 0
    return bench.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
