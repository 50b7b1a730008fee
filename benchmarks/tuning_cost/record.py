"""Record the study of tuning cost: raw launch times and compile times, on a GPU.

    python benchmarks/tuning_cost/record.py --out recording.json.xz --seconds 150
    python benchmarks/tuning_cost/record.py --dry --out /tmp/dry.json.xz
    python benchmarks/tuning_cost/record.py --aot

1. `--processes` processes compile all configurations (`study.py`), each timed.
2. Each configuration is checked once, and timed on every input: a time for every
   launch. The inputs of the focus have three sizes of L2 clear, and two rounds.
3. Meanwhile, smaller pools compile the same configurations again, so that the gain of
   parallel compilation is measured too. One core times, at most eleven compile.

The recording is stopped at `--seconds` and lists what is missing. It is written again
after every few inputs. `--dry` runs the whole path on the CPU, at sizes that mean
nothing; `--aot` compiles for an H200 and prints resources. `simulate.py` reads the
recording.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import study
from compiling import PoolRun, SidePools, compile_all, launch
from launch_clocks import make_clock
from study import Configuration, Input

if TYPE_CHECKING:
    pass

FORMAT = "tilewright tuning cost"
VERSION = 1
POOLS = ((1,), (2,), (4, 8))
"""Processes of the pools that compile while the GPU works; groups run side by side."""
PATIENCE = 5.0
"""Seconds that these pools may go on when the GPU has finished."""
RESERVE = 4.0
"""Seconds kept for the end of a recording."""
MOST, MOST_OF_FOCUS = 40, 80
"""Launches of a configuration on an input, at most."""
TOLERANCE = 2e-3
"""Relative error that a product in f16 may have."""
CAPABILITY = 90


def main() -> int:
    """The command line."""
    options = _parser().parse_args()
    if options.dry:
        os.environ["TRITON_INTERPRET"] = "1"
    if options.aot:
        return _print_resources(options)
    import torch

    if not options.dry and not torch.cuda.is_available():
        sys.exit("there is no GPU here; --dry tries the command without one")
    if options.out is None:
        sys.exit("--out: name a file for the recording")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        return Recorder(options, Path(folder)).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="a .json.xz file")
    parser.add_argument("--seconds", type=float, default=150.0, help="for everything")
    parser.add_argument("--processes", type=int, default=14, help="that compile")
    parser.add_argument("--count", type=int, default=study.CONFIGURATIONS)
    parser.add_argument("--sample-ms", type=float, default=6.0, help="of one timing")
    parser.add_argument("--dry", action="store_true", help="on the CPU")
    parser.add_argument("--aot", action="store_true", help="compile, print resources")
    return parser


class Recorder:
    """One recording."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        """Nothing runs yet."""
        from harness.timing import command_line, environment

        self.options = options
        self.folder = folder
        self.started = time.monotonic()
        self.deadline = self.started + options.seconds - RESERVE
        self.choices = study.configurations(options.count)
        self.dry = bool(options.dry)
        self.failures: dict[int, str] = {}
        self.pools: list[PoolRun] = []
        self.measurements: list[dict[str, Any]] = []
        self.document: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "command": command_line(),
            "environment": environment(),
            "dry": self.dry,
            "dtype": "f16",
            "seed": study.SEED,
        }

    def run(self) -> int:
        """Compile, check, time, write; the exit status."""
        cache = self.folder / "measured"
        os.environ["TRITON_CACHE_DIR"] = str(cache)
        processes = self.options.processes
        first = self._add(
            compile_all(self.choices, processes, cache, CAPABILITY, self._is_over)
        )
        for number in range(len(self.choices)):
            found = first.compiled.get(number)
            if found is None:
                self.failures[number] = "not compiled in time"
            elif found.failure:
                self.failures[number] = found.failure
            elif (found.shared_bytes or 0) > study.SHARED_BYTES:
                self.failures[number] = f"{found.shared_bytes} bytes of shared memory"
        self._say(f"compiled {len(self.choices)}, {len(self.failures)} fail")
        if self._nothing_works():
            return 1
        side = SidePools(self.choices, POOLS, self.folder, CAPABILITY, self.deadline)
        clock = make_clock(self.dry)
        self.document["clear_us"] = clock.clear_times()
        self._check()
        if self._nothing_works():
            side.finish(0.0)
            return 1
        planned = list(self._plan(clock.clears))
        for done, (extents, clear, round_) in enumerate(planned):
            if self._is_over():
                break
            self._measure(clock, extents, clear, round_)
            if done % 8 == 7:
                self._say(f"{done + 1} of {len(planned)} timings of all configurations")
                self._write(planned)
        for run in side.finish(min(PATIENCE, self.deadline - time.monotonic())):
            self._add(run)
        self._write(planned)
        self._say(f"{len(self.measurements)} of {len(planned)}; the end")
        return 0

    def _nothing_works(self) -> bool:
        if len(self.failures) < len(self.choices):
            return False
        self._say(f"no configuration works: {self.failures[0]}")
        return True

    def _is_over(self) -> bool:
        return time.monotonic() > self.deadline

    def _add(self, run: PoolRun) -> PoolRun:
        self.pools.append(run)
        self._say(
            f"{run.processes} processes: {len(run.compiled)} compiled in "
            f"{run.wall_seconds:.1f} s after {run.start_seconds:.1f} s"
        )
        return run

    def _plan(self, clears: Sequence[int]) -> Iterator[tuple[Input, int, int]]:
        """Inputs, clears and rounds, what matters most first."""
        none, card, large = clears
        known = study.inputs() if not self.dry else [(32, 64, 32), (64, 32, 64)]
        focus = set(study.FOCUS) if not self.dry else {known[0]}
        for extents in known:
            for clear in (card, none, large) if extents in focus else (card,):
                yield extents, clear, 0
        for extents in known:
            for clear in (card, none, large) if extents in focus else ():
                yield extents, clear, 1

    def _check(self) -> None:
        """Run every configuration once; what fails or is wrong is not timed."""
        from harness.timing import relative_error

        extents = (32, 32, 32) if self.dry else (512, 512, 512)
        a, b, out = tensors = make_tensors(extents, self.dry)
        expected = a.float() @ b.float()
        for number, choice in enumerate(self.choices):
            if number in self.failures:
                continue
            if self._is_over():
                self.failures[number] = "not checked in time"
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
        self._say(f"checked; {len(self.failures)} fail")

    def _measure(self, clock: Any, extents: Input, clear: int, round_: int) -> None:
        tensors = make_tensors(extents, self.dry)
        most = MOST_OF_FOCUS if extents in study.FOCUS else MOST
        samples: list[list[float] | None] = []
        walls: list[float | None] = []
        for number, choice in enumerate(self.choices):
            if number in self.failures or self._is_over():
                samples.append(None)
                walls.append(None)
                continue
            started = time.perf_counter()
            call = launch(tensors, choice)
            try:
                found = clock.sample(call, clear, self.options.sample_ms, most)
            except Exception as problem:
                self.failures[number] = f"{type(problem).__name__}: {problem}"[:300]
                found = None
            samples.append(found and [round(us, 2) for us in found])
            walls.append(round(time.perf_counter() - started, 5))
        self.measurements.append(
            {
                "input": extents,
                "clear_bytes": clear,
                "round": round_,
                "samples_us": samples,
                "wall_seconds": walls,
            }
        )

    def _write(self, planned: Sequence[tuple[Input, int, int]]) -> None:
        done = {(m["input"], m["clear_bytes"], m["round"]) for m in self.measurements}
        resources = self.pools[0].resources
        document = {
            **self.document,
            "seconds": round(time.monotonic() - self.started, 1),
            "configurations": [
                {
                    **choice.values,
                    **{k: v for k, v in resources(n).items() if v is not None},
                    "failure": self.failures.get(n),
                }
                for n, choice in enumerate(self.choices)
            ],
            "compiling": [pool.as_json() for pool in self.pools],
            "measurements": self.measurements,
            "missing": [one for one in planned if one not in done],
        }
        partial = self.options.out.with_name(self.options.out.name + ".partial")
        partial.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, separators=(",", ":"))
        partial.write_bytes(lzma.compress(text.encode(), preset=2))
        partial.replace(self.options.out)

    def _say(self, text: str) -> None:
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)


def make_tensors(extents: Input, dry: bool) -> tuple[Any, Any, Any]:
    """Random a and b, and the result."""
    import torch

    m, n, k = extents
    device = "cpu" if dry else "cuda"
    a, b = (
        torch.randn(shape, device=device).to(torch.float16)
        for shape in ((m, k), (k, n))
    )
    return a, b, torch.empty((m, n), dtype=torch.float16, device=device)


def _print_resources(options: argparse.Namespace) -> int:
    """Compile for an H200 and print a line for each configuration."""
    choices: list[Configuration] = study.configurations(options.count)
    with tempfile.TemporaryDirectory() as folder:
        deadline = time.monotonic() + options.seconds
        run = compile_all(
            choices,
            options.processes,
            Path(folder) / "cache",
            CAPABILITY,
            lambda: time.monotonic() > deadline,
        )
    for number, choice in enumerate(choices):
        print(choice.values, run.compiled.get(number, "not compiled in time"))
    bad = sum(c.failure is not None for c in run.compiled.values())
    print(
        f"{len(run.compiled)} of {len(choices)}, {bad} fail, {run.wall_seconds:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
