"""Record the study of tuning cost by its published protocol, on a GPU.

    python benchmarks/tuning_cost/record.py --out study.jsonl.xz --seconds 225
    python benchmarks/tuning_cost/record.py --dry --out /tmp/dry.jsonl.xz
    python benchmarks/tuning_cost/record.py --aot

1. `--processes` processes compile the 100 drawn configurations of the study, then the
   576 of the space that is recorded in full. What cannot be compiled is counted.
2. Every configuration runs once, and its numbers are checked.
3. The input of the published frontier is timed with the published 100 ms of
   repetitions; all points of the full space on one input; a few configurations with
   and without a clear (tables 3 and 5); then the other 63 inputs, with as many
   milliseconds as are left. Every launch is kept.
4. Meanwhile one process, and eight, compile the 100 again: the gain of parallel
   compilation.

The record is written as it is made. `--dry` runs the whole path on the CPU, at sizes
that mean nothing; `--aot` compiles. `tilewright replay --study` reads the recording.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import study
from benching import Asked, DeviceBench, HostBench, Timing, make_bench
from compiling import (
    Compilation,
    PoolRun,
    SidePools,
    Target,
    compile_all,
    print_resources,
)
from record_file import SUFFIX, RecordFile
from study import Configuration, Input

SIDE_POOLS = ((1,), (8,))
"""Processes of the pools that compile while the GPU works; groups run side by side."""
PATIENCE = 5.0
"""Seconds that these pools may go on when the GPU has finished."""
RESERVE = 8.0
"""Seconds kept for the end of a recording."""
KERNEL_SHARE, CLEAR_SHARE = 0.06, 0.16
"""Of the seconds that are left after the full space: for table 3 and for table 5."""
KERNEL_LAUNCHES = 50
"""Launches of a kernel for table 3."""
LEAST_MS = 2.0
"""Repetition time of a configuration, at least."""
FULL_MS = 10.0
"""Repetition time of a point of the full space."""
TOLERANCE = 2e-3
"""Relative error that a product in f16 may have."""
CAPABILITY = 90


def main() -> int:
    """The command line."""
    options = _parser().parse_args()
    if options.dry:
        os.environ["TRITON_INTERPRET"] = "1"
    if options.aot:
        return print_resources(
            study.drawn(options.count),
            options.processes,
            Target(CAPABILITY, options.compile_limit),
            options.seconds,
        )
    import torch

    if not options.dry and not torch.cuda.is_available():
        sys.exit("there is no GPU here; --dry tries the command without one")
    if options.out is None or not options.out.name.endswith(SUFFIX):
        sys.exit(f"--out: name a file for the recording, such as study{SUFFIX}")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        return Recorder(options, Path(folder)).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help=f"a {SUFFIX} file")
    parser.add_argument("--seconds", type=float, default=225.0, help="for everything")
    parser.add_argument("--processes", type=int, default=16, help="that compile")
    parser.add_argument(
        "--compile-limit", type=float, default=8.0, help="seconds of one compilation"
    )
    parser.add_argument(
        "--count", type=int, default=study.CONFIGURATIONS, help="drawn configurations"
    )
    parser.add_argument("--full", type=int, help="points of the full space: all")
    parser.add_argument("--dry", action="store_true", help="on the CPU")
    parser.add_argument("--aot", action="store_true", help="compile, print resources")
    return parser


@dataclass(frozen=True)
class Part:
    """Configurations on an input with a clear: a line of the recording."""

    name: str
    extents: Input
    clear: int
    numbers: Sequence[int]
    asked: Asked


class Recorder:
    """One recording."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        """Nothing runs yet."""
        from harness.timing import command_line, environment

        self.options = options
        self.folder = folder
        self.started = time.monotonic()
        self.deadline = self.started + options.seconds - RESERVE
        self.dry = bool(options.dry)
        self.drawn = study.drawn(options.count)
        full = study.full_space()[: options.full]
        self.choices = list(dict.fromkeys([*self.drawn, *full]))
        self.number = {choice: number for number, choice in enumerate(self.choices)}
        self.full = [self.number[choice] for choice in full]
        self.failures: dict[int, str] = {}
        self.missing: list[str] = []
        self.target = Target(CAPABILITY, options.compile_limit)
        self.file = RecordFile(
            options.out,
            {
                "command": command_line(),
                "environment": environment(),
                "dry": self.dry,
                "dtype": "f16",
                "seed": study.SEED,
                "repetition_ms": study.REPETITION_MS,
                "warm_up_ms": study.WARM_UP_MS,
                "compile_limit_seconds": options.compile_limit,
                "configurations": [choice.values for choice in self.choices],
                "drawn": [self.number[choice] for choice in self.drawn],
                "full": self.full,
            },
        )

    def run(self) -> int:
        """Compile, check, time; the exit status."""
        os.environ["TRITON_CACHE_DIR"] = str(self.folder / "measured")
        self._compile()
        if len(self.failures) == len(self.choices):
            self._say(f"no configuration works: {self.failures[0]}")
            return 1
        side = SidePools(
            self._numbered(self.drawn),
            SIDE_POOLS,
            self.folder,
            self.target,
            self.deadline,
        )
        bench = make_bench(self.dry, study.CLEAR_BYTES)
        self.file.write(
            "clears", {"study_bytes": bench.study_clear, "card_bytes": bench.card_clear}
        )
        self._check()
        try:
            self._time_all(bench)
        except _DeviceLost as lost:
            self._say(str(lost))
            self.missing.append(str(lost))
        for run in side.finish(PATIENCE):
            self._add(run)
        self.file.write(
            "end", {"seconds": round(self._seconds(), 1), "missing": self.missing}
        )
        self._say(f"the end; missing: {self.missing or 'nothing'}")
        return 0

    def _compile(self) -> None:
        cache = self.folder / "measured"
        others = [one for one in self.choices if one not in set(self.drawn)]
        found: dict[int, Compilation] = {}
        for choices in (self.drawn, others):
            numbered = self._numbered(choices)
            run = compile_all(
                numbered, self.options.processes, cache, self.target, self._is_over
            )
            self._add(run)
            found |= run.compiled
        for number in range(len(self.choices)):
            one = found.get(number)
            failure = "not compiled in time" if one is None else one.failure
            if failure is not None:
                self.failures[number] = failure
        self._say(f"compiled {len(self.choices)}, {len(self.failures)} fail")

    def _numbered(
        self, choices: Sequence[Configuration]
    ) -> list[tuple[int, Configuration]]:
        return [(self.number[one], one) for one in choices]

    def _add(self, run: PoolRun) -> None:
        self.file.write("pool", {**run.as_json(), "resources": run.resources()})
        self._say(
            f"{run.processes} processes: {len(run.compiled)} compiled in "
            f"{run.wall_seconds:.1f} s after {run.start_seconds:.1f} s"
        )

    def _check(self) -> None:
        """Run every configuration once; what fails or is wrong is not timed."""
        from tutorial_gemm import launch, make_tensors

        from harness.timing import relative_error

        tensors = make_tensors((32, 32, 32) if self.dry else (512, 512, 512), self.dry)
        a, b, out = tensors
        expected = a.float() @ b.float()
        for number, choice in enumerate(self.choices):
            if number in self.failures:
                continue
            try:
                out.fill_(float("nan"))
                launch(tensors, choice)()
                error = relative_error(out, expected)
                if not error <= TOLERANCE:
                    self.failures[number] = f"wrong: relative error {error:.1e}"
            except Exception as problem:  # recorded: one configuration, not the run
                text = (str(problem).splitlines() or [""])[0]
                self.failures[number] = f"{type(problem).__name__}: {text[:300]}"
        self.file.write("failures", {"failures": self.failures})
        failed = sum(self.number[one] in self.failures for one in self.drawn)
        self._say(f"checked; of the {len(self.drawn)} drawn, {failed} are invalid")

    def _time_all(self, bench: DeviceBench | HostBench) -> None:
        valid = [n for n in range(len(self.drawn)) if n not in self.failures]
        full = [n for n in self.full if n not in self.failures]
        published = Asked(study.REPETITION_MS, study.WARM_UP_MS)
        inputs = study.inputs() if not self.dry else [(32, 64, 32), (64, 32, 64)]
        largest = study.FULL_INPUT if not self.dry else (64, 64, 64)
        clear = bench.study_clear
        self._measure(bench, Part("study", inputs[0], clear, valid, published))
        asked = Asked(FULL_MS, FULL_MS / 4)
        self._measure(bench, Part("full", largest, clear, full, asked))
        left = self._left()
        self._time_kernels(bench, inputs, valid, KERNEL_SHARE * left)
        self._time_clears(bench, inputs, valid, CLEAR_SHARE * left)
        for place, extents in enumerate(inputs[1:], 1):
            each = self._left() / ((len(inputs) - place) * max(len(valid), 1))
            asked = self._affordable(each)
            self._measure(bench, Part("study", extents, clear, valid, asked))
            if place % 8 == 0:
                text = f"{place + 1} of {len(inputs)} inputs"
                self._say(f"{text}, {asked.repetition_ms:.1f} ms each")

    def _measure(self, bench: DeviceBench | HostBench, part: Part) -> None:
        """Time every configuration of a part, and write its line."""
        from tutorial_gemm import launch, make_tensors

        tensors = make_tensors(part.extents, self.dry)
        timed: list[int] = []
        timings: list[Timing] = []
        for number in part.numbers:
            if self._is_over():
                break
            if number in self.failures:
                continue
            call = launch(tensors, self.choices[number])
            try:
                timings.append(bench.time(call, part.clear, part.asked))
                timed.append(number)
            except Exception as problem:  # recorded: one configuration, not the run
                self._fails(number, problem)
        if skipped := len(part.numbers) - len(timed):
            size = "x".join(map(str, part.extents))
            self.missing.append(f"{part.name} {size}: {skipped} configurations")
        if not timed:
            return
        self.file.write(
            "timings",
            {
                "part": part.name,
                "input": part.extents,
                "clear_bytes": part.clear,
                "repetition_ms": round(part.asked.repetition_ms, 3),
                "warm_up_ms": round(part.asked.warm_up_ms, 3),
                "numbers": timed,
                "samples_us": [[round(us, 2) for us in t.samples_us] for t in timings],
                "estimate_us": [round(t.estimate_us, 2) for t in timings],
                "warm_up_seconds": [round(t.warm_up_seconds, 6) for t in timings],
                "repetition_seconds": [round(t.repetition_seconds, 6) for t in timings],
                "wall_seconds": [round(t.wall_seconds, 6) for t in timings],
            },
        )

    def _time_kernels(
        self,
        bench: DeviceBench | HostBench,
        inputs: Sequence[Input],
        valid: Sequence[int],
        seconds: float,
    ) -> None:
        """Table 3: what the kernels and the clears take, with a clear and without."""
        from tutorial_gemm import launch, make_tensors

        chosen = valid[: study.CLEAR_TABLE_CONFIGURATIONS]
        until = time.monotonic() + seconds
        for extents in inputs:
            tensors = make_tensors(extents, self.dry)
            for number in chosen:
                if time.monotonic() > until or self._is_over():
                    self.missing.append("table 3: the other inputs")
                    return
                call = launch(tensors, self.choices[number])
                found = {}
                for clear in (bench.study_clear, 0):
                    try:
                        found[clear] = bench.kernels(call, clear, KERNEL_LAUNCHES)
                    except Exception as problem:
                        self._fails(number, problem)
                        break
                self.file.write(
                    "kernels",
                    {
                        "input": extents,
                        "number": number,
                        "launches": KERNEL_LAUNCHES,
                        "seconds": {size: one[0] for size, one in found.items()},
                        "clear_seconds": {size: one[1] for size, one in found.items()},
                    },
                )

    def _time_clears(
        self,
        bench: DeviceBench | HostBench,
        inputs: Sequence[Input],
        valid: Sequence[int],
        seconds: float,
    ) -> None:
        """Table 5: the whole of a benchmark with three sizes of clears, interleaved."""
        until = time.monotonic() + seconds
        few, sizes = valid[: study.SMALL_RUN], inputs[: study.SMALL_RUN]
        clears = (bench.study_clear, bench.card_clear, 0)
        asked = self._affordable(seconds / max(len(few) * len(sizes) * len(clears), 1))
        for extents in sizes:
            for clear in clears:
                if time.monotonic() > until + RESERVE or self._is_over():
                    self.missing.append("table 5: the other inputs")
                    return
                self._measure(bench, Part("clears", extents, clear, few, asked))

    def _fails(self, number: int, problem: Exception) -> None:
        self.failures[number] = f"{type(problem).__name__}: {problem}"[:300]
        self.file.write("failures", {"failures": {number: self.failures[number]}})
        if self.dry:
            return
        import torch

        try:
            torch.cuda.synchronize()
        except RuntimeError as error:
            # Nothing runs after an illegal access; what is recorded is kept.
            raise _DeviceLost(f"{self.choices[number].values}: {error}") from problem

    def _affordable(self, seconds: float) -> Asked:
        """The repetition time where one configuration may take so many seconds.

        The warm-up is a quarter of it, and the first launches take their part.
        """
        repetition_ms = min(0.6 * seconds * 1e3, study.REPETITION_MS)
        repetition_ms = max(repetition_ms, LEAST_MS)
        return Asked(repetition_ms, repetition_ms / 4)

    def _left(self) -> float:
        return max(self.deadline - time.monotonic(), 0.0)

    def _is_over(self) -> bool:
        return time.monotonic() > self.deadline

    def _seconds(self) -> float:
        return time.monotonic() - self.started

    def _say(self, text: str) -> None:
        print(f"[{self._seconds():6.1f} s] {text}", flush=True)


class _DeviceLost(Exception):
    """The GPU answers no more."""


if __name__ == "__main__":
    sys.exit(main())
