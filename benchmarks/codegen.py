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
from pathlib import Path
from typing import Any

import torch

from harness.options import benchmark_parser, checked_options
from harness.session import Session, heading, ratio_of
from harness.timing import (
    Contender,
    DeviceClock,
    WallClock,
    replayed,
    write_json,
)

EXAMPLE = """example:
  python benchmarks/codegen.py --out results.json --rows 'gemm|softmax' --rounds 7
"""
SAMPLE_MS = 20.0
CACHE = "TRITON_CACHE_DIR"


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE)
    add = parser.add_argument
    add("--rows", default="", metavar="REGEX", help="only work whose name matches")
    add("--rounds", type=int, default=5, help="timed rounds, at least 5 (%(default)s)")
    add(
        "--budget",
        type=float,
        default=480.0,
        metavar="SECONDS",
        help="rows that would not fit this are skipped (%(default)s)",
    )
    add("--no-compile", action="store_true", help="leave torch.compile out")
    add(
        "--max-autotune",
        action="store_true",
        help="max-autotune-no-cudagraphs too, where it is worth its time",
    )
    add("--out", type=Path, metavar="FILE", help="where the JSON record goes")
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


class Bench:
    """One run over the table."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the rows, open the record."""
        from contenders.codegen_works import table as works

        self.options = options
        self.dry = options.dry
        table = works.tiny_table() if self.dry else works.table()
        self.rows = [row for row in table if options.rows.search(row.name)]
        self.device = "cpu" if self.dry else "cuda"
        self.started = time.monotonic()
        self.deadline = self.started + options.budget
        self.results: dict[Any, Any] = {}
        self.copies: dict[float, float] = {}
        self.record: dict[str, Any] = {
            **heading(self.dry),
            "method": {"rounds_asked": options.rounds, "sample_ms": SAMPLE_MS},
            "ceilings": {},
            "compiled": {},
            "skipped": [],
            "work": {},
        }
        self.programs = self.record["environment"].get("multiprocessors", 132)

    def say(self, text: str) -> None:
        """Print progress."""
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)

    def save(self) -> None:
        """Write the record so far."""
        if self.options.out is not None:
            write_json(self.options.out, self.record)

    # Compiling

    def jobs(self) -> dict[Any, Any]:
        """The jobs to compile, each once: equal launches share a binary."""
        from harness.compile_ahead import HandJob, OursJob

        if self.options.aot:
            capability, target = 90, "h200"
        else:
            from tilewright.codegen.targets import detect

            major, minor = torch.cuda.get_device_capability()
            capability, target = 10 * major + minor, getattr(detect(), "name", "h200")
        jobs: dict[Any, Any] = {}
        for row in self.rows:
            for ours in row.ours:
                jobs[_ours_key(row, ours)] = OursJob(row.name, ours, target)
            found = row.hand(row.inputs("meta"), self.programs)
            for index, candidate in enumerate(found):
                title = f"hand {candidate.structure} {candidate.name}"
                job = HandJob(row.name, title, index, capability, self.programs)
                jobs.setdefault(_hand_key(candidate), job)
        return jobs

    def compile_all(self) -> int:
        """Compile in processes, and return how many failed."""
        from harness.compile_ahead import Compiler

        jobs = self.jobs()
        keys = {job: key for key, job in jobs.items()}
        self.say(f"compiling {len(jobs)} programs on {os.cpu_count()} cores")
        compiler = Compiler(jobs.values())
        if not self.options.aot and not self.options.no_compile:
            self.compile_torch()
        bad = 0
        for job, compiled in compiler.results():
            self.results[keys[job]] = compiled
            about = compiled.error or "; ".join(compiled.kernels)
            bad += bool(compiled.error)
            if self.options.aot or compiled.error:
                mark = "SPILLS " if compiled.spills else ""
                self.say(f"{job.row}: {job.title}: {mark}{about}")
        self.record["compiled"] = {
            "programs": len(jobs),
            "failed": bad,
            "seconds": time.monotonic() - self.started,
        }
        self.say(f"compiled, {bad} failed")
        self.save()
        return bad

    def compile_torch(self) -> None:
        """Let torch.compile do its work while the processes do theirs."""
        from rivals import torch_modes

        cache = os.environ.get(CACHE)
        for row in self.rows:
            for mode in torch_modes.MODES:
                wanted = mode.name == "compile" and row.compiled
                if mode.name == "max-autotune-no-cudagraphs":
                    wanted = self.options.max_autotune and row.autotuned
                if not wanted or time.monotonic() > self.deadline:
                    continue
                backend = "eager" if self.dry else None
                function = torch_modes.build(row.function, mode, backend)
                try:
                    function(*row.inputs(self.device))
                except Exception as error:
                    self.say(f"{row.name}: torch {mode.name}: {error}")
                    continue
                self.modes.setdefault(row.name, {})[mode.name] = function
        # It takes Triton's cache for itself; what was compiled ahead lies in the other.
        os.environ.pop(CACHE, None)
        if cache is not None:
            os.environ[CACHE] = cache
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
        copy_ms = _median(clock.sample(lambda: y.copy_(x), 3, 20))
        product_ms = _median(clock.sample(lambda: a @ b, 3, 20))
        self.record["ceilings"] = {
            "copy_gbs": 2 * x.nbytes / copy_ms * 1e-6,
            "matmul_bf16_tflops": 2.0 * size**3 / product_ms * 1e-9,
        }
        self.save()

    def copy_ms(self, moved: float) -> float:
        """The time of a copy that moves as many bytes."""
        found = self.copies.get(moved)
        if found is None:
            half = torch.empty(int(moved) // 2, dtype=torch.uint8, device=self.device)
            other = torch.empty_like(half)
            found = _median(self.clock.sample(lambda: other.copy_(half), 3, 20))
            self.copies[moved] = found
        return found

    def run_row(self, row: Any) -> None:
        """Check, choose and time everything there is for one row."""
        torch.manual_seed(0)
        tensors = row.inputs(self.device)
        found: dict[str, Any] = {"family": row.family, "launched": None}
        self.record["work"][row.name] = found
        reference = row.reference(*tensors)
        session = self.session(row, reference)
        found["launched"] = session.record
        session.add(Contender("torch eager", lambda: row.function(*tensors)))
        for mode, function in self.modes.get(row.name, {}).items():
            session.add(
                Contender(f"torch {mode}", lambda f=function: f(*tensors), note=mode)
            )
        self.add_hand(session, row, tensors)
        self.add_ours(session, row, tensors)
        session.time_all()
        found["summary"] = [self.summary(row, session.record)]
        if row.graph:
            graph = self.session(row, reference)
            found["graph"] = graph.record
            for contender in session.contenders:
                try:
                    graph.add(replayed(contender))
                except Exception as error:
                    graph.fail(contender.name, contender.config, error)
            graph.time_all()
            found["summary"].append(self.summary(row, graph.record, "graph"))
        self.save()
        for line in found["summary"]:
            print(_line(line), flush=True)

    def session(self, row: Any, reference: torch.Tensor) -> Session:
        """A session of this run."""
        return Session(
            {"work": row.name},
            reference,
            row.tolerance,
            row.operations,
            rounds=self.options.rounds,
            budget=self.deadline - time.monotonic(),
            dry=self.dry,
            moved=row.moved,
            sample_ms=SAMPLE_MS,
            clock=self.clock,
            write=self.save,
        )

    def add_hand(self, session: Session, row: Any, tensors: Any) -> None:
        """The best configuration of each hand-written structure."""
        groups: dict[str, list[Contender]] = {}
        for candidate in row.hand(tensors, self.programs):
            compiled = self.results.get(_hand_key(candidate))
            group = groups.setdefault(candidate.structure, [])
            if compiled is not None and compiled.error:
                continue
            if self.dry and group:  # the interpreter is slow: one will do
                continue
            group.append(
                Contender(
                    candidate.name, candidate, output="own", buffers=candidate.scratch
                )
            )
        session.add_best("hand", groups)

    def add_ours(self, session: Session, row: Any, tensors: Any) -> None:
        """The best point of each structure of ours."""
        groups: dict[str, list[Contender]] = {}
        for ours in row.ours:
            if self.dry and groups.get(ours.name):
                continue
            try:
                call = self.load(row, ours, tensors)
            except Exception as error:
                session.fail(f"ours {ours.name}", ours.config, error)
                continue
            group = groups.setdefault(ours.name, [])
            note = f"schedule {ours.schedule.name}"
            group.append(Contender(ours.config, call, note=note, ours=True))
        session.add_best("ours", groups)
        if not any(contender.ours for contender in session.contenders):
            session.say(f"{row.name}: no schedule yet")

    def load(self, row: Any, ours: Any, tensors: Any) -> Any:
        """One of our points as a call."""
        if self.dry:
            import tilewright

            program = tilewright.compile(row.payload(), ours.schedule, **ours.point)
            return lambda: program(*tensors)
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        compiled = self.results[_ours_key(row, ours)]
        if compiled.error:
            raise RuntimeError(compiled.error)
        loaded = load(compiled.program, source_directory())
        return lambda: loaded(*tensors)

    # What came of it

    def summary(
        self, row: Any, record: dict[str, Any], mode: str = "launched"
    ) -> dict[str, Any]:
        """Ours beside the hand-written kernel of its structure and the best rival."""
        rows = {one["name"]: one for one in record["rows"]}
        library = rows.get(LIBRARY)
        mine = [one for one in record["rows"] if one["ours"] and one is not library]
        rivals = [one for one in record["rows"] if not one["ours"]]
        torch_ones = [one for one in rivals if one["name"].startswith("torch")]
        line: dict[str, Any] = {"work": row.name, "mode": mode}
        for name, found in (("rival", rivals), ("torch", torch_ones)):
            if found:
                line[f"best_{name}"] = found[0]["name"]
                line[f"best_{name}_ms"] = found[0]["ms"]["median"]
        if library is not None:
            line["library_ms"] = library["ms"]["median"]
            if torch_ones:
                line["library_versus_torch"] = vars(ratio_of(library, torch_ones[0]))
        line["same_structure"] = {}
        for one in mine:
            other = rows.get(one["name"].replace("ours", "hand"))
            if other is not None:
                ratio = ratio_of(one, other)
                line["same_structure"][one["name"].removeprefix("ours ")] = vars(ratio)
        if not mine:
            return line
        best = mine[0]
        ms = best["ms"]["median"]
        line |= {"ours": best["name"], "config": best["config"], "ms": ms}
        line |= {"tflops": best["tflops"], "gbs": best["gbs"]}
        if rivals:
            line["versus_best_rival"] = vars(ratio_of(best, rivals[0]))
        if torch_ones:
            line["versus_best_torch"] = vars(ratio_of(best, torch_ones[0]))
        floor_ms = line["copy_ms"] = self.copy_ms(row.moved)
        matmul_rate = self.record["ceilings"]["matmul_bf16_tflops"]
        product_ms = row.operations / matmul_rate * 1e-9
        line["bound"] = "memory"
        if row.matrix and product_ms > floor_ms:
            line["bound"], floor_ms = "matrix units", product_ms
        elif not row.matrix and row.operations > 100 * row.moved:
            line["bound"], floor_ms = "", 0.0
        line["of_ceiling"] = floor_ms / ms
        return line

    def print_table(self) -> None:
        """The summary of all rows."""
        where, ceilings = self.record["environment"], self.record["ceilings"]
        device = where["gpu"] or "dry run on the CPU: the figures mean nothing"
        print(f"\n{device}; torch {where['torch']}, triton {where['triton']}")
        if ceilings:
            print(
                f"this card: copy {ceilings['copy_gbs']:.0f} GB/s, "
                f"8192^3 bf16 {ceilings['matmul_bf16_tflops']:.0f} TFLOP/s"
            )
        print(HEADING)
        for found in self.record["work"].values():
            for line in found.get("summary", ()):
                print(_line(line))
        for entry in self.record["skipped"]:
            print(f"skipped: {entry}")

    def run(self) -> int:
        """All rows; 1 if one of ours is missing."""
        self.modes: dict[str, dict[str, Any]] = {}
        if self.dry:
            if not self.options.no_compile:
                self.compile_torch()
        else:
            self.compile_all()
        self.clock = WallClock() if self.dry else DeviceClock()
        self.measure_ceilings()
        for row in self.rows:
            left = self.deadline - time.monotonic()
            if left < (0 if self.dry else 15):
                self.record["skipped"].append(row.name)
                continue
            self.say(row.name)
            try:
                self.run_row(row)
            except Exception as error:
                self.say(f"{row.name}: {type(error).__name__}: {error}")
                self.record["work"][row.name] = {"error": f"{error}"}
            self.save()
            if not self.dry:
                torch.cuda.empty_cache()
        self.print_table()
        lines = [f.get("summary", [{}])[0] for f in self.record["work"].values()]
        return 0 if lines and all("ours" in line for line in lines) else 1


LIBRARY = "ours library"
HEADING = (
    f"{'work':38s} {'ours':12s} {'ms':>8s} {'TFLOP/s':>8s} {'GB/s':>6s} {'ceiling':>8s}"
    f"  {'vs hand, same structure':>23s}  {'vs best of torch':>19s} {'':22s}"
    f"  {'vs best rival':>19s} {'':17s} {'cuBLAS in ours':>19s}"
)


def _line(line: dict[str, Any]) -> str:
    name = line["work"] + (" *" if line["mode"] == "graph" else "")
    if "ours" not in line:
        rival = f"{line.get('best_rival')} {line.get('best_rival_ms', 0):.4f} ms"
        return f"{name:38s} no schedule yet; best rival {rival}"
    structure = line["ours"].removeprefix("ours ")
    same = line["same_structure"].get(structure)
    reached = f"{line['of_ceiling']:.2f}" if line["of_ceiling"] else "-"
    return (
        f"{name:38s} {structure:12s} {line['ms']:8.4f} {line['tflops']:8.1f}"
        f" {line['gbs']:6.0f} {reached:>8s}  {_interval(same):>23s}"
        f"  {_interval(line.get('versus_best_torch')):>19s}"
        f" {line.get('best_torch', '-').removeprefix('torch '):22s}"
        f"  {_interval(line.get('versus_best_rival')):>19s}"
        f" {line.get('best_rival', '-'):17s}"
        f" {_interval(line.get('library_versus_torch')):>19s}"
    )


def _interval(ratio: dict[str, float] | None) -> str:
    if ratio is None:
        return "-"
    return "{median:.3f} {low:.3f}..{high:.3f}".format(**ratio)


def _median(samples: list[float]) -> float:
    return sorted(samples)[len(samples) // 2]


def _ours_key(row: Any, ours: Any) -> Any:
    return row.name, ours.name, ours.config


def _hand_key(candidate: Any) -> Any:
    return tuple(launch.key for launch in candidate.launches)


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    if options.dry:  # read when triton is first imported, which is later
        os.environ["TRITON_INTERPRET"] = "1"
    torch.backends.cuda.matmul.allow_tf32 = False
    bench = Bench(options)
    if not bench.rows:
        print("no work has such a name; --list shows them", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(row.name for row in bench.rows))
        return 0
    if options.aot:
        return bench.compile_all() > 0
    return bench.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
